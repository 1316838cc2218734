"""The judge (PRODUCT D6): two readings in opposite order, mapped back; a split is undecided.

The judge names metrics, labels and assumptions; values come from what the sides said, so a verdict
cannot smuggle in a number of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from flows.contracts.metrics import METRICS
from flows.contracts.transcripts import UNDECIDED, Claim, Disagreement, Falsifier, Indicator, Judgement, Side
from flows.debate.answers import Falsification, JudgedDisagreement, Verdict, WatchItem
from flows.debate.blind import Blind, unblinded
from flows.debate.breach import Breach, Part
from flows.debate.grounds import number_of, own_latest, settling
from flows.debate.metrics import due_date, metric_named
from flows.debate.prompting import HORIZON, OPEN, RECORD, TASK, Prompt, system_text, task_text
from flows.debate.protocol import Act, Sees
from flows.debate.state import Record
from flows.evidence.phrasing import say

JUDGE = Act("judge", "裁决", "task_judge", Verdict, (Sees.NOTHING,))


def judge_prompt(record: Record, blind: Blind) -> Prompt:
    """The prompt of one reading; the prefix is the same for both."""
    role = record.protocol.role("judge")
    system = system_text(record, role, with_facts=False)
    heading = "裁判（judge/judge）"
    user = "\n".join((RECORD, *blind.lines, OPEN, "（无）", TASK, heading, task_text(record, JUDGE)))
    messages = ({"role": "system", "content": system}, {"role": "user", "content": user})
    return Prompt(messages, len(system), (), tuple(claim.claim_id for claim in blind.claims.values()))


def verdict_faults(record: Record, blind: Blind, verdict: Verdict) -> Iterator[Breach]:
    """Why a verdict is sent back; nothing if it can be taken."""
    named = {
        "cites": verdict.cites,
        "watch": tuple(item.label for item in verdict.watch),
        "falsifiers": tuple(item.label for item in verdict.falsifiers),
    }
    for name, labels in named.items():
        strange = ((place, label) for place, label in enumerate(labels) if label not in blind.claims)
        yield from (Breach(f"没有论点 {label}", Part(name, place)) for place, label in strange)
    leader = {"A": verdict.score_a - verdict.score_b, "B": verdict.score_b - verdict.score_a}
    if leader.get(verdict.winner, 0.0) < 0:
        yield Breach("winner 与 score 矛盾")
    for place, item in enumerate(verdict.disagreements):
        if cause := _disagreement_fault(record, blind, item):
            yield Breach(cause, Part("disagreements", place))
    for place, falsifier in enumerate(verdict.falsifiers):
        if cause := _falsifier_fault(record, blind, falsifier):
            yield Breach(cause, Part("falsifiers", place))


def _disagreement_fault(record: Record, blind: Blind, item: JudgedDisagreement) -> str | None:
    if item.a not in blind.claims or item.b not in blind.claims or item.a[0] == item.b[0]:
        return f"分歧 {item.metric} 须由 A、B 各一个论点构成"
    metric = metric_named(item.metric)
    if metric is None:
        return f"“{item.metric}”不是登记的指标"
    values = [_expected(record, blind.claims[label], metric) for label in (item.a, item.b)]
    if None in values or values[0] == values[1]:
        return f"{item.a} 与 {item.b} 没有在 {metric} 上给出不同的预期"
    return None


def _expected(record: Record, claim: Claim, metric: str) -> float | None:
    expect = record.expectations.get(claim.claim_id)
    return expect.value if expect and expect.metric == metric else None


def _falsifier_fault(record: Record, blind: Blind, item: Falsification) -> str | None:
    metric = metric_named(item.metric)
    claim = blind.claims.get(item.label)
    if metric is None:
        return f"“{item.metric}”不是登记的指标"
    if claim is None:
        return None
    if not any(_is_close(item.threshold, value) for value in known_values(record, claim, metric)):
        return f"{item.label} 的证伪阈值 {item.threshold:g} 不是论点事实或双方预期里的 {metric} 值"
    first = record.pack.trade_date + timedelta(days=1)
    if not first <= item.due <= record.pack.trade_date + HORIZON:
        return f"{item.label} 的证伪日期 {item.due} 不在允许的日期内"
    return None


def _is_close(one: float, other: float) -> bool:
    return abs(one - other) <= 0.005 * max(1.0, abs(other))


def known_values(record: Record, claim: Claim, metric: str) -> list[float]:
    """Values of a metric a claim stands against: its facts' and what either side expects."""
    own = (f.value for f in record.measured(claim) if f.field == metric)
    values = [float(value) for value in own if isinstance(value, int | float)]
    return [*values, *(e.value for e in record.expectations.values() if e.metric == metric)]


def mapped_back(record: Record, blind: Blind, verdict: Verdict) -> Judgement:
    """One reading with sides and labels mapped back."""
    winner = blind.side(verdict.winner).value if verdict.winner in {"A", "B"} else UNDECIDED
    scores = {blind.side("A"): verdict.score_a, blind.side("B"): verdict.score_b}
    disagreements = "；".join(
        f"{METRICS[name].zh}：{unblinded(blind, d.assumption)}"
        for d in verdict.disagreements
        if (name := metric_named(d.metric))
    )
    watch = "；".join(
        f"{METRICS[name].zh}：{unblinded(blind, w.why)}" for w in verdict.watch if (name := metric_named(w.metric))
    )
    evidence, logic = unblinded(blind, verdict.evidence), unblinded(blind, verdict.logic)
    return Judgement(
        order=blind.order,
        verdict=winner,
        for_score=scores[Side.FOR],
        against_score=scores[Side.AGAINST],
        dimensions={"证据强度": evidence, "逻辑一致性": logic, "分歧": disagreements, "跟踪指标": watch},
        reasons=(evidence, logic),
        cited_claim_ids=tuple(blind.claims[label].claim_id for label in verdict.cites if label in blind.claims),
    )


def agreement(judgements: list[Judgement]) -> tuple[str, float | None]:
    """The final verdict and whether both orders agree; one reading alone decides nothing."""
    if len(judgements) < 2:
        return UNDECIDED, None
    first, second = judgements[0].verdict, judgements[1].verdict
    return (first, 1.0) if first == second else (UNDECIDED, 0.0)


def disagreements_of(record: Record, blind: Blind, verdict: Verdict) -> list[Disagreement]:
    """Valid disagreements of one reading; the id is set by the adjudicator."""
    found = []
    for item in verdict.disagreements:
        if _disagreement_fault(record, blind, item) is None:
            pair = {blind.side(label[0]): blind.claims[label] for label in (item.a, item.b)}
            assumption = unblinded(blind, item.assumption)
            found.append(disagreement(record, pair[Side.FOR], pair[Side.AGAINST], assumption))
    return found


def disagreement(record: Record, pro: Claim, con: Claim, assumption: str) -> Disagreement:
    """Two claims that expect different values of one metric; due when the report that settles it must be out."""
    one, other = record.expectations[pro.claim_id], record.expectations[con.claim_id]
    settle = settling(record, one.metric, max(one.due, other.due))
    return Disagreement(
        disagreement_id="",
        metric=one.metric,
        for_value=one.value,
        against_value=other.value,
        for_probability=None,
        unit=METRICS[one.metric].unit.value,
        due_date=settle.due,
        assumption=assumption,
        for_claim_id=pro.claim_id,
        against_claim_id=con.claim_id,
        period=settle.period,
    )


def indicators_of(record: Record, blind: Blind, items: tuple[WatchItem, ...]) -> list[Indicator]:
    """Indicators of one reading, with today's value as threshold: no older one cited, nor one only expected."""
    found = []
    for item in items:
        metric, claim = metric_named(item.metric), blind.claims.get(item.label)
        if metric is None or claim is None:
            continue
        now = own_latest(record.pack, metric)
        found.append(
            Indicator(
                indicator_id="",
                metric=metric,
                description=unblinded(blind, item.why),
                threshold=number_of(now) if now else None,
                unit=METRICS[metric].unit.value,
                direction="below" if claim.side is Side.FOR else "above",
                due_date=due_date(metric, record.pack.trade_date, now.as_of if now else None),
            )
        )
    return found


def falsifiers_of(record: Record, blind: Blind, verdict: Verdict) -> list[Falsifier]:
    """Valid falsifiers of one reading."""
    found = []
    for item in verdict.falsifiers:
        claim, metric = blind.claims.get(item.label), metric_named(item.metric)
        if claim is None or metric is None or _falsifier_fault(record, blind, item):
            continue
        found.append(falsifier(record, claim, metric, item))
    return found


def short(claim: Claim) -> str:
    """The first clause of a claim's conclusion: what it says for itself."""
    return claim.conclusion.rstrip("。").split("，")[0]


def falsifier(record: Record, claim: Claim, metric: str, item: Falsification) -> Falsifier:
    """A machine-checkable falsifier of one claim."""
    limit = say(item.threshold, METRICS[metric].unit)
    word = "低于" if item.operator == "<" else "高于"
    settle = settling(record, metric, item.due)
    return Falsifier(
        falsifier_id="",
        side=claim.side,
        description=f"{settle.report}{METRICS[metric].zh}{word}{limit}，则“{short(claim)}”不再成立",
        metric=metric,
        operator=item.operator,
        threshold=item.threshold,
        unit=METRICS[metric].unit.value,
        due_date=settle.due,
        claim_id=claim.claim_id,
        period=settle.period,
    )
