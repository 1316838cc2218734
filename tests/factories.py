"""Small, valid packs and transcripts for tests; every value can be overridden by name."""

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from flows.contracts.packs import Completeness, Dimension, Fact, FactKind, Identity, Pack, Polarity, pack_version
from flows.contracts.transcripts import Claim, Conclusion, RunStatus, Side, Transcript
from flows.contracts.units import Unit

SHANGHAI = ZoneInfo("Asia/Shanghai")
DAY = date(2026, 11, 27)
EVENING = datetime(2026, 11, 27, 20, 30, tzinfo=SHANGHAI)
SYMBOL = "600999.SH"


def fact(number: int = 1, **given: Any) -> Fact:
    """A data fact: 市盈率(TTM) 18.5 倍 unless told otherwise."""
    values: dict[str, Any] = {
        "id": f"E{number}",
        "sentence": "截至2026-11-27，市盈率(TTM)为18.5倍。",
        "field": "pe_ttm",
        "value": 18.5,
        "unit": Unit.MULTIPLE,
        "as_of": DAY,
        "published_at": EVENING,
        "source": "sample.valuations",
        "polarity": Polarity.NEUTRAL,
        "dimension": Dimension.VALUATION,
        "kind": FactKind.DATA,
        "subject": SYMBOL,
    }
    return Fact(**(values | given))


def pack(*facts: Fact, **given: Any) -> Pack:
    """A pack of *facts* (one PE fact if none), complete enough to debate."""
    chosen = facts or (fact(),)
    values: dict[str, Any] = {
        "pack_version": pack_version(chosen, (), ()),
        "symbol": SYMBOL,
        "identity": Identity(symbol=SYMBOL, name="示例甲", board="main", industry="白酒", is_sample=True),
        "as_of": DAY,
        "cutoff": EVENING,
        "trade_date": DAY,
        "completeness": Completeness(score=80, threshold=50, by_dimension={"估值": 80}),
        "facts": chosen,
        "roles": {"common": tuple(f.id for f in chosen)},
    }
    return Pack(**(values | given))


def claim(**given: Any) -> Claim:
    """A bull's argument on the PE fact."""
    values: dict[str, Any] = {
        "claim_id": "r1-bull-1",
        "turn_no": 2,
        "round_no": 1,
        "role": "bull",
        "side": Side.FOR,
        "dimension": Dimension.VALUATION,
        "conclusion": "估值不高。",
        "basis": "市盈率(TTM)为18.5倍。",
        "reasoning": "因此下行空间有限。",
        "fact_ids": ("E1",),
        "evidence_type": "历史数据",
        "score": 1.0,
    }
    return Claim(**(values | given))


def transcript(**given: Any) -> Transcript:
    """A finished offline debate with one argument and a conclusion."""
    values: dict[str, Any] = {
        "debate_id": "600999.SH-20261127-bull_bear-0a1b2c3d",
        "symbol": SYMBOL,
        "trade_date": DAY,
        "protocol": "bull_bear",
        "model": "offline",
        "pack_version": pack().pack_version,
        "status": RunStatus.COMPLETE,
        "claims": (claim(),),
        "conclusion": Conclusion(
            title="估值之争",
            warning="留意估值。",
            core="市盈率(TTM)为18.5倍，双方对增长有分歧。",
            points=("一", "二", "三", "四", "五"),
            verdict="undecided",
            confidence=55.0,
            swap_agreement=1.0,
            rests_on=("r1-bull-1",),
        ),
        "started_at": EVENING,
        "finished_at": EVENING,
    }
    return Transcript(**(values | given))
