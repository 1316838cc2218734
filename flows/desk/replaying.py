"""A stored debate judged again from its pack and turns, without network or model (PRODUCT S6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flows.contracts.checks import Check
from flows.contracts.transcripts import Claim, Disagreement, Transcript
from flows.debate.restoring import judged_again
from flows.desk.reading import StoredDebate
from flows.reports.checked import with_report_checks

_JUDGED = {"verdict": "裁决", "confidence": "倾向", "swap_agreement": "两次裁判一致", "rests_on": "依据的论点"}
_WORDED = {"title": "标题", "warning": "避雷提醒", "core": "核心结论", "points": "五点摘要"}

#: What is compared, as stored, as it comes out now.
_Pair = tuple[str, object, object]


@dataclass(frozen=True)
class Difference:
    """One thing that comes out differently now."""

    what: str
    stored: str
    now: str


@dataclass(frozen=True)
class Replayed:
    """What judging again came to.

    Attributes:
        differences: Judgements that moved: verdict, confidence, fate and score of a claim, a checked number.
        wordings: Sentences of the conclusion that are put differently.
    """

    transcript: Transcript
    differences: tuple[Difference, ...]
    wordings: tuple[Difference, ...] = ()

    @property
    def is_reproduced(self) -> bool:
        """Whether every stored judgement comes out the same."""
        return not self.differences


def replay(debate: StoredDebate) -> Replayed:
    """Judge *debate* again.

    Raises DataRejected if a stored turn does not belong to its protocol.
    """
    stored = debate.transcript
    now = with_report_checks(judged_again(stored, debate.pack), debate.pack)
    judged: list[_Pair] = [("状态", stored.status, now.status), *_conclusion(stored, now, _JUDGED)]
    judged += _claims(stored.claims, now.claims)
    judged += _checks(stored.checks, now.checks)
    judged += _disagreements(stored.disagreements, now.disagreements)
    return Replayed(now, _differences(judged), _differences(_conclusion(stored, now, _WORDED)))


def _differences(pairs: Iterable[_Pair]) -> tuple[Difference, ...]:
    return tuple(Difference(what, _words(old), _words(new)) for what, old, new in pairs if old != new)


def _words(value: object) -> str:
    if isinstance(value, tuple):
        return "；".join(map(str, value))
    return "无" if value is None else str(value)


def _conclusion(stored: Transcript, now: Transcript, names: dict[str, str]) -> list[_Pair]:
    return [
        (zh, getattr(stored.conclusion, name, None), getattr(now.conclusion, name, None)) for name, zh in names.items()
    ]


def _claims(stored: tuple[Claim, ...], now: tuple[Claim, ...]) -> list[_Pair]:
    old, new = ({claim.claim_id: claim for claim in claims} for claims in (stored, now))
    pairs: list[_Pair] = []
    for claim_id in {**old, **new}:
        before, after = old.get(claim_id), new.get(claim_id)
        pairs.append((f"论点 {claim_id}", before and before.status.value, after and after.status.value))
        pairs.append((f"论点 {claim_id} 的分数", before and before.score, after and after.score))
    return pairs


def _checks(stored: tuple[Check, ...], now: tuple[Check, ...]) -> list[_Pair]:
    """Checks of speeches; those of the conclusion's own sentences move with its wording."""
    old, new = (
        {(c.claim_id, c.start, c.end): c.verdict.value for c in checks if not c.claim_id.startswith("report:")}
        for checks in (stored, now)
    )
    return [
        (f"核对 {key[0]} 第 {key[1]} 字", old.get(key), new.get(key)) for key in {**old, **new}
    ]  # fmt: skip


def _disagreements(stored: tuple[Disagreement, ...], now: tuple[Disagreement, ...]) -> list[_Pair]:
    old, new = (
        {d.metric: (d.for_value, d.against_value, d.for_probability, d.due_date) for d in found}
        for found in (stored, now)
    )
    return [(f"分歧 {metric}", old.get(metric), new.get(metric)) for metric in {**old, **new}]
