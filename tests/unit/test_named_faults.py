"""Cases of faults seen in the wild that belong to no single room (``tests/README.md`` lists all)."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from flows.contracts.checks import CheckVerdict
from flows.contracts.packs import Dimension, Fact, FactKind
from flows.contracts.units import Unit
from flows.evidence.packs import build_pack
from flows.truth.verify import verify_document
from tests.unit.evidence_store import AS_OF, CUTOFF, SYMBOL, TZ, at, filing, full_stock, warehouse

CLOSE = Fact(
    id="E1", sentence="收盘价为12.30元（2026-11-27，sample）", field="close_cny", value=12.3, unit=Unit.CNY_PER_SHARE,
    as_of=date(2026, 11, 27), published_at=datetime(2026, 11, 27, 17, 30, tzinfo=TZ), source="sample",
    dimension=Dimension.TECHNICAL, kind=FactKind.DATA, subject=SYMBOL,
)  # fmt: skip


def flagged(text: str) -> list[str]:
    return [c.text for c in verify_document(text, [CLOSE]).checks if c.verdict is not CheckVerdict.SUPPORTED]


def test_s4_another_companys_name_that_no_fact_knows_is_flagged():
    """Example text about 茅台 leaked into another stock's answer."""
    assert any("茅台" in text for text in flagged("收盘价12.30元。贵州茅台的品牌护城河稳固。"))
    assert not any("茅台" in text for text in flagged("收盘价12.30元。公司的品牌护城河稳固。"))


def test_d7_a_filing_known_by_its_date_only_says_so_and_claims_no_hour():
    """cninfo dates today 00:00 what was published last evening: the hour is unknown, the day is not."""
    table, row = filing(40, AS_OF, "关于回购公司股份的公告")
    row |= {"published_at": at(AS_OF, 0), "is_date_only": True}
    with warehouse(*full_stock(), (table, row), filing(41, AS_OF, "关于股份质押的公告")) as con:
        pack = build_pack(con, SYMBOL, AS_OF, CUTOFF, unavailable=(), threshold=50.0, is_sample=True)
        early = build_pack(
            con, SYMBOL, AS_OF, at(AS_OF, 0) - timedelta(seconds=1), unavailable=(), threshold=50.0, is_sample=True
        )
    fact = next(f for f in pack.facts if "回购公司股份" in f.sentence)
    assert "date_only" in fact.flags
    assert "00:00" not in fact.sentence
    assert not any("回购公司股份" in f.sentence for f in (*early.facts, *early.appendix))
    timed = next(f for f in pack.facts if "关于股份质押" in f.sentence)
    assert "date_only" not in timed.flags
