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
from flows.debate.blind import screened, side_names
from flows.debate.grounds import CHANGE_OF, number_of, own_latest, root_of, settling
from flows.debate.judge import disagreement, falsifier
from flows.debate.metrics import due_date, is_percentile, is_reported
from flows.debate.repricing import repriced
from flows.debate.state import Record
from flows.evidence.rules import RULES

#: Metrics of which a lower value is what the for-side hopes for; of all others a higher one.
_LOWER_IS_BETTER = frozenset(
    {
        "debt_ratio_pct", "pledge_ratio_pct", "volatility_60d_pct", "limit_down_days_60d", "popularity_rank",
        "atr_14_cny", "pe_ttm", "pb", "ps_ttm", "pcf_ttm",
    }
)  # fmt: skip
#: Changes and results that turn at zero, whatever the length of the period.
_TURNS_AT_ZERO = frozenset(
    {
        "revenue_yoy_pct", "net_profit_yoy_pct", "net_profit_cny", "deducted_net_profit_cny", "eps_cny", "roe_pct",
        "net_margin_pct", "operating_cash_flow_cny",
    }
)  # fmt: skip
#: Levels that stop being adverse where the evidence rules draw the line.
_TURNS_AT_RULE = frozenset({"debt_ratio_pct", "pledge_ratio_pct", "volatility_60d_pct"})


def _strongest(record: Record, strengths: dict[str, float]) -> list[Claim]:
    return sorted(screened(record), key=lambda claim: -strengths[claim.claim_id])


def derived_disagreements(record: Record, strengths: dict[str, float]) -> list[Disagreement]:
    """The strongest pair of opposing expectations for each metric; without any, one side's with the other left open."""
    best: dict[tuple[str, Side], Claim] = {}
    for claim in _strongest(record, strengths):
        expect = record.expectations.get(claim.claim_id)
        if expect is not None:
            best.setdefault((expect.metric, claim.side), claim)
    pairs = [
        (claim, other)
        for (metric, side), claim in best.items()
        if side is Side.FOR and (other := best.get((metric, Side.AGAINST))) and _differ(record, claim, other)
    ]
    if pairs:
        return [disagreement(record, pro, con, root_of(record.expectations[pro.claim_id].metric)) for pro, con in pairs]
    return [_one_sided(record, claim) for claim in best.values()][:1]


def _one_sided(record: Record, claim: Claim) -> Disagreement:
    """One side's expectation to which the other gave no value; none is made up for it."""
    expect = record.expectations[claim.claim_id]
    settle = settling(record, expect.metric, expect.due)
    values = {claim.side: expect.value}
    ids = {claim.side: claim.claim_id}
    silent = side_names(record.protocol)[Side.AGAINST if claim.side is Side.FOR else Side.FOR]
    return Disagreement(
        disagreement_id="",
        metric=expect.metric,
        for_value=values.get(Side.FOR),
        against_value=values.get(Side.AGAINST),
        for_probability=None,
        unit=METRICS[expect.metric].unit.value,
        due_date=settle.due,
        assumption=f"{silent}没有给出预期值。",
        for_claim_id=ids.get(Side.FOR),
        against_claim_id=ids.get(Side.AGAINST),
        period=settle.period,
    )


def _differ(record: Record, one: Claim, other: Claim) -> bool:
    return record.expectations[one.claim_id].value != record.expectations[other.claim_id].value


def derived_indicators(record: Record, strengths: dict[str, float]) -> Iterator[Indicator]:
    """The metrics under the strongest claims, with today's value as threshold."""
    for claim, cited in _measured(record, strengths):
        fact = own_latest(record.pack, cited.field) or cited
        yield Indicator(
            indicator_id="",
            metric=fact.field,
            description=f"{claim.claim_id} 以它为依据",
            threshold=number_of(fact),
            unit=METRICS[fact.field].unit.value,
            direction="below" if _breaks_with(claim, fact.field) == "<" else "above",
            due_date=due_date(fact.field, record.pack.trade_date, fact.as_of),
        )


def derived_falsifiers(record: Record, strengths: dict[str, float]) -> Iterator[Falsifier]:
    """For each strong claim: the reported value its rival expects, else the line its metric turns at, crossed.

    Of a claim that a multiple is low: the result at which today's price would no longer be cheap.
    """
    for claim in _strongest(record, strengths):
        if rival := _rival(record, claim):
            yield falsifier(record, claim, rival.metric, rival)
    for claim in _strongest(record, strengths):
        yield from repriced(record, claim)
    for claim, fact in _measured(record, strengths):
        line = _line(fact.field)
        if line is not None:
            due = due_date(fact.field, record.pack.trade_date, fact.as_of)
            yield falsifier(record, claim, fact.field, _crossing(claim, fact.field, line, due.isoformat()))


def _rival(record: Record, claim: Claim) -> Falsification | None:
    """The opposing value of a reported metric the claim expects something of and is about.

    A claim about a metric that turns at a line holds up to that line, whatever the other side expects.
    """
    expect = record.expectations.get(claim.claim_id)
    if (
        expect is None
        or _line(expect.metric) is not None
        or not is_reported(expect.metric)
        or not _is_about(record, claim, expect.metric)
    ):
        return None
    is_wrong_side = {"<": float.__lt__, ">": float.__gt__}[_breaks_with(claim, expect.metric)]
    for other_id, theirs in record.expectations.items():
        other = record.claims[other_id]
        if (
            other.side is not claim.side
            and theirs.metric == expect.metric
            and is_wrong_side(theirs.value, expect.value)
        ):
            return _crossing(claim, expect.metric, theirs.value, expect.due.isoformat())
    return None


def _is_about(record: Record, claim: Claim, metric: str) -> bool:
    """Whether a claim cites the metric or its change against the year before."""
    cited = {fact.field for fid in claim.fact_ids if (fact := record.pack.fact(fid))}
    return bool(cited & {metric, CHANGE_OF.get(metric, metric)})


def _crossing(claim: Claim, metric: str, threshold: float, due: str) -> Falsification:
    operator = _breaks_with(claim, metric)
    stated = {"label": "A1", "metric": metric, "operator": operator, "threshold": threshold, "due": due}
    return Falsification.model_validate(stated)


def _line(metric: str) -> float | None:
    """The value at which a claim resting on *metric* turns wrong, None if it has none worth waiting for."""
    if metric in _TURNS_AT_ZERO:
        return 0.0
    return RULES[metric].negative_from if metric in _TURNS_AT_RULE else None


def _measured(record: Record, strengths: dict[str, float]) -> Iterator[tuple[Claim, Fact]]:
    for claim in _strongest(record, strengths):
        for fact in record.measured(claim)[:1]:
            yield claim, fact


def _breaks_with(claim: Claim, metric: str) -> str:
    """The operator under which a claim resting on the metric would be wrong."""
    is_lower_better = metric in _LOWER_IS_BETTER or is_percentile(metric)
    return ">" if (claim.side is Side.FOR) is is_lower_better else "<"
