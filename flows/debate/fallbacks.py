"""Disagreements, indicators and falsifiers that follow from the claims themselves.

The judge names them first; what it leaves out is derived here by rule, so that every report names
numbers and `direct`, which has no judge, can be compared with a debate.
"""

from __future__ import annotations

from collections.abc import Iterator

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Fact
from flows.contracts.transcripts import Claim, Disagreement, Falsifier, Indicator, Side
from flows.debate.answers import Falsification
from flows.debate.blind import screened
from flows.debate.judge import disagreement, falsifier, short
from flows.debate.metrics import due_date, is_percentile
from flows.debate.state import Record
from flows.evidence.rules import RULES

#: Metrics of which a lower value is what the for-side hopes for; of all others a higher one.
_LOWER_IS_BETTER = frozenset(
    {
        "debt_ratio_pct", "pledge_ratio_pct", "volatility_60d_pct", "limit_down_days_60d", "popularity_rank",
        "atr_14_cny", "pe_ttm", "pb", "ps_ttm", "pcf_ttm",
    }
)  # fmt: skip
_MIDDLE = 50.0
#: Levels whose sign is what an argument rests on; a cumulative one has no other line across periods.
_SIGNED = frozenset(
    {"net_profit_cny", "deducted_net_profit_cny", "eps_cny", "roe_pct", "net_margin_pct", "operating_cash_flow_cny"}
)


def _strongest(record: Record, strengths: dict[str, float]) -> list[Claim]:
    return sorted(screened(record), key=lambda claim: -strengths[claim.claim_id])


def derived_disagreements(record: Record, strengths: dict[str, float]) -> list[Disagreement]:
    """The strongest pair of opposing expectations for each metric."""
    best: dict[tuple[str, Side], Claim] = {}
    for claim in _strongest(record, strengths):
        expect = record.expectations.get(claim.claim_id)
        if expect is not None:
            best.setdefault((expect.metric, claim.side), claim)
    found = []
    for (metric, side), claim in best.items():
        other = best.get((metric, Side.AGAINST))
        if side is Side.FOR and other and _differ(record, claim, other):
            assumption = _assumption(record, metric, claim, other)
            found.append(disagreement(record, claim, other, assumption))
    return found


def _assumption(record: Record, metric: str, pro: Claim, con: Claim) -> str:
    """What the two expectations assume, told from where they lie to today's value."""
    present = record.present_value(metric)
    one, other = (_direction(record.expectations[claim.claim_id].value, present) for claim in (pro, con))
    title = METRICS[metric].zh
    return f"正方假设{title}{one}（{short(pro)}），反方假设它{other}（{short(con)}）。"


def _direction(expected: float, present: float | None) -> str:
    if present is None:
        return "另有去向"
    if abs(expected - present) <= 0.01 * max(1.0, abs(present)):
        return "停留在当前水平"
    return "比当前水平高" if expected > present else "比当前水平低"


def _differ(record: Record, one: Claim, other: Claim) -> bool:
    return record.expectations[one.claim_id].value != record.expectations[other.claim_id].value


def derived_indicators(record: Record, strengths: dict[str, float]) -> Iterator[Indicator]:
    """The metrics under the strongest claims, with today's value as threshold."""
    for claim, fact in _measured(record, strengths):
        side = "正方" if claim.side is Side.FOR else "反方"
        yield Indicator(
            indicator_id="",
            metric=fact.field,
            description=f"{side}论点“{claim.conclusion.rstrip('。')}”所依据的{METRICS[fact.field].zh}",
            threshold=_number(fact),
            unit=METRICS[fact.field].unit.value,
            direction="below" if _breaks_with(claim, fact.field) == "<" else "above",
            due_date=due_date(fact.field, record.pack.trade_date, fact.as_of),
        )


def derived_falsifiers(record: Record, strengths: dict[str, float]) -> Iterator[Falsifier]:
    """For each strong claim: the metric it rests on crossing its natural line, the wrong way."""
    for claim, fact in _measured(record, strengths):
        yield falsifier(
            claim,
            fact.field,
            Falsification(
                label="A1",
                metric=fact.field,
                operator=_breaks_with(claim, fact.field),
                threshold=_line(record, claim, fact),
                due=due_date(fact.field, record.pack.trade_date, fact.as_of),
            ),
        )


def _line(record: Record, claim: Claim, fact: Fact) -> float:
    """The value at which a claim resting on *fact* turns wrong.

    A change and a result turn at zero, a percentile or RSI at its middle, a drawdown when half of it is made
    good, a close argued against a moving average at that average, another level where it begins to count
    as adverse; what has no such line stays at the value it has now, which ``falsifying`` drops.
    """
    if fact.field == "close_cny":
        cited = (record.pack.fact(fid) for fid in claim.fact_ids)
        return next((_number(f) for f in cited if f and f.field.startswith("ma_")), _number(fact))
    if is_percentile(fact.field) or fact.field == "rsi_14":
        return _MIDDLE
    if fact.field == "drawdown_52w_pct":
        return round(_number(fact) / 2, 2)
    is_turning = not METRICS[fact.field].is_level or fact.field in _SIGNED
    if is_turning:
        return 0.0
    adverse_from = RULES[fact.field].negative_from if fact.field in RULES else None
    return _number(fact) if adverse_from is None else adverse_from


def _measured(record: Record, strengths: dict[str, float]) -> Iterator[tuple[Claim, Fact]]:
    for claim in _strongest(record, strengths):
        for fact in record.measured(claim)[:1]:
            yield claim, fact


def _number(fact: Fact) -> float:
    if not isinstance(fact.value, int | float):
        raise TypeError(f"{fact.id} carries no number")
    return float(fact.value)


def _breaks_with(claim: Claim, metric: str) -> str:
    """The operator under which a claim resting on the metric would be wrong."""
    is_lower_better = metric in _LOWER_IS_BETTER or is_percentile(metric)
    return ">" if (claim.side is Side.FOR) is is_lower_better else "<"
