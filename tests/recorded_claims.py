"""A record of two claims, one per side, for tests of who said what: OWN is 多方, OTHERS 空方, NOBODYS in no record."""

from flows.contracts.transcripts import Side
from tests.factories import claim

OWN, OTHERS, NOBODYS = (
    "净资产收益率16.2%说明资本回报仍有支撑",
    "资产负债率45.0%限制了再投资的空间",
    "新产品毛利率明显更高",
)
CLAIMS = (
    claim(conclusion=OWN),
    claim(claim_id="r1-bear-1", role="bear", side=Side.AGAINST, conclusion=OTHERS),
)
