"""A stored debate judged again from its pack and turns, without network or model (PRODUCT S6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flows.contracts.transcripts import Check, Transcript
from flows.debate.restoring import judged_again
from flows.desk.reading import StoredDebate
from flows.reports.checked import with_report_checks


@dataclass(frozen=True)
class Difference:
    """One judgement that comes out differently now."""

    what: str
    stored: str
    now: str


@dataclass(frozen=True)
class Replayed:
    """What judging again came to."""

    transcript: Transcript
    differences: tuple[Difference, ...]


def replay(debate: StoredDebate) -> Replayed:
    """Judge *debate* again; empty differences mean that the stored verdict is reproduced.

    Raises DataRejected if a stored turn does not belong to its protocol.
    """
    again = with_report_checks(judged_again(debate.transcript, debate.pack), debate.pack)
    return Replayed(again, tuple(_differences(debate.transcript, again)))


#: What is compared, as stored, as it comes out now.
_Pair = tuple[str, object, object]


def _differences(stored: Transcript, now: Transcript) -> Iterator[Difference]:
    pairs: list[_Pair] = [("状态", stored.status, now.status)]
    pairs += _conclusion(stored, now)
    pairs += _claims(stored, now)
    pairs += _checks(stored.checks, now.checks)
    return (Difference(what, str(old), str(new)) for what, old, new in pairs if old != new)


def _conclusion(stored: Transcript, now: Transcript) -> list[_Pair]:
    names = {
        "verdict": "裁决", "confidence": "倾向", "swap_agreement": "两次裁判一致", "title": "标题", "core": "核心结论",
        "warning": "避雷提醒", "points": "五点摘要", "rests_on": "依据的论点",
    }  # fmt: skip
    return [
        (zh, getattr(stored.conclusion, name, None), getattr(now.conclusion, name, None)) for name, zh in names.items()
    ]


def _claims(stored: Transcript, now: Transcript) -> list[_Pair]:
    old, new = ({claim.claim_id: claim for claim in found.claims} for found in (stored, now))
    pairs: list[_Pair] = []
    for claim_id in {**old, **new}:
        before, after = old.get(claim_id), new.get(claim_id)
        pairs.append((f"论点 {claim_id}", before and before.status.value, after and after.status.value))
        pairs.append((f"论点 {claim_id} 的分数", before and before.score, after and after.score))
    return pairs


def _checks(stored: tuple[Check, ...], now: tuple[Check, ...]) -> list[_Pair]:
    old, new = ({(c.claim_id, c.start, c.end): c.verdict.value for c in found} for found in (stored, now))
    return [
        (f"核对 {claim_id} 第 {start} 字", old.get((claim_id, start, end)), new.get((claim_id, start, end)))
        for claim_id, start, end in {**old, **new}
    ]
