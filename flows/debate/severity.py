"""How grave an adverse fact is, so that a warning names the gravest one and not the nearest price move."""

from __future__ import annotations

import re
from datetime import date, timedelta

from flows.contracts.packs import Dimension, Fact, FactKind, Pack, Polarity
from flows.contracts.transcripts import Claim
from flows.debate.metrics import is_percentile
from flows.debate.ownership import is_own_fact

_TOLD = frozenset({FactKind.ANNOUNCEMENT, FactKind.NEWS})
_MILD = re.compile(r"交易风险提示|异常波动|短期涨幅|股价")

#: Matters a filing or report tells of, gravest first.
_MATTERS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(words)
    for words in (
        r"终止上市|退市|破产|重整",
        r"逾期|违约|持续经营能力",
        r"立案|处罚|调查|资金占用|违规担保",
        r"诉讼|仲裁|判决|起诉|被诉",
        r"冻结|查封|拍卖",
        r"风险提示|问询|关注函|监管|警示",
        r"预亏|首亏|续亏|预减|亏损|下修",
        r"(?:合同|协议|合作|订单).{0,8}终止|终止.{0,6}(?:合同|协议|合作|订单)|能否.{0,6}收回|"
        r"(?:集采|带量采购).*价.{0,12}下降",
    )
)
_AFTER_MATTERS = len(_MATTERS)

#: Measures after those matters, gravest first; the first pattern found in a field name ranks it.
_FIELDS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(words)
    for words in (
        r"^(?:net_profit_cny|deducted_net_profit_cny)$|quarter_net_profit_cny|^earnings_forecasts\.",
        r"^net_profit_yoy_pct$|\.deducted_yoy_pct$|quarter_net_profit_yoy",
        r"operating_cash_flow|cash_to_profit",
        r"debt_ratio",
        r"revenue_yoy|margin_pct|margin_yoy|roe_|eps_|net_margin",
        r"pledge",
        r"holder_trades|unlocks",
    )
)
#: A fall smaller than this ranks with margins, percent.
SLIGHT_FALL_PCT = -10.0
_SLIGHT = 4
#: An unlock of at least this share of all stock within so many days ranks with a result that fell far.
LARGE_UNLOCK_PCT = 10.0
NEAR_UNLOCK = timedelta(days=30)
_FAR_FALL = 1
_UNLOCK_DAY = re.compile(r"^(\d{4}-\d\d-\d\d)将解禁")
_PLEDGE, _REDUCTION = len(_FIELDS) - 2, len(_FIELDS) - 1
_VALUATION, _OTHER, _PRICE = (_AFTER_MATTERS + len(_FIELDS) + step for step in range(3))
MILDEST = _PRICE + 1
_PRICE_FIELDS = re.compile(r"^(?:drawdown|return_|volatility|daily_return|limit_down|up_days|rsi|atr|ma_|close)")
#: Words of results and money owed: among equally grave matters these say most.
_WEIGHTY = re.compile(r"终止上市|逾期|亏损|现金流|应收|减值|赔偿|支付|偿还")
_BODY = re.compile(r"^公告《.*?》第\d+页：")


def severity(fact: Fact, pack: Pack) -> int:
    """Rank of a fact as a warning, 0 the gravest; MILDEST if it is not adverse or not the company's own."""
    if fact.polarity is not Polarity.NEGATIVE or not is_own_fact(fact, pack):
        return MILDEST
    if fact.kind in _TOLD and not fact.field.startswith(("holder_trades", "unlocks", "earnings_forecasts")):
        return _told(fact)
    return _measured(fact)


def _told(fact: Fact) -> int:
    """By what a filing's sentence says, else by what its title says."""
    body = _BODY.sub("", fact.sentence)
    if _MILD.search(fact.sentence):
        return _PRICE
    for text in (body, fact.sentence):
        for rank, words in enumerate(_MATTERS):
            if words.search(text):
                return rank
    if "质押" in fact.sentence:
        return _AFTER_MATTERS + _PLEDGE
    return _AFTER_MATTERS + _REDUCTION if re.search("减持|解禁|解除限售", fact.sentence) else _OTHER


def _measured(fact: Fact) -> int:
    if _is_large_unlock(fact):
        return _AFTER_MATTERS + _FAR_FALL
    if found := [n for n, words in enumerate(_FIELDS) if words.search(fact.field)]:
        return _AFTER_MATTERS + max(found[0], _SLIGHT if _is_slight(fact) else 0)
    if _PRICE_FIELDS.search(fact.field):
        return _PRICE
    if is_percentile(fact.field) or fact.dimension is Dimension.VALUATION or fact.field.startswith("peers."):
        return _VALUATION
    return _OTHER


def _is_large_unlock(fact: Fact) -> bool:
    """Whether much stock is about to be free for sale."""
    day = _UNLOCK_DAY.search(fact.sentence)
    if day is None or fact.field != "unlocks.unlocked_pct" or not isinstance(fact.value, int | float):
        return False
    return fact.value >= LARGE_UNLOCK_PCT and date.fromisoformat(day[1]) - fact.as_of <= NEAR_UNLOCK


def _is_slight(fact: Fact) -> bool:
    """A change against the year before too small to be the gravest matter beside cash or debt."""
    return fact.field.endswith("yoy_pct") and isinstance(fact.value, int | float) and fact.value > SLIGHT_FALL_PCT


def claim_severity(claim: Claim, pack: Pack) -> int:
    """Rank of the gravest adverse fact a claim cites."""
    cited = (pack.fact(fid) for fid in claim.fact_ids)
    return min((severity(fact, pack) for fact in cited if fact), default=MILDEST)


def gravest(pack: Pack) -> Fact | None:
    """The gravest adverse fact of a pack: among equals a filing's own words, then the newest; None if it has none.

    Text that carries instructions and text that could not be read warn of nothing.
    """
    ranked = [(severity(fact, pack), fact) for fact in pack.facts if not {"injection", "unreadable"} & set(fact.flags)]
    adverse = [(rank, fact) for rank, fact in ranked if rank < MILDEST]
    order = {FactKind.ANNOUNCEMENT: 0, FactKind.DATA: 0}
    best = min(
        adverse,
        key=lambda item: (
            item[0],
            order.get(item[1].kind, 1),
            not _WEIGHTY.search(item[1].sentence),
            item[1].field != "filing_texts.sentence",
            -item[1].as_of.toordinal(),
        ),
        default=None,
    )
    return best[1] if best else None
