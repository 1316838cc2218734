"""The debate turn by turn; an argument stands under 双方论据 with its checks and is only named here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flows.contracts.checks import Check
from flows.contracts.transcripts import Judgement, Refusal, Transcript, Turn
from flows.reports.segments import Line, found_in, marked
from flows.reports.sides import role_of, verdict_of
from flows.reports.words import ACT_ZH, PART_ZH

_PARTS = re.compile(r"\n(?=r\d+-[a-z]+-\d+｜|预判：|立场：)")
_CLAIM = re.compile(r"(r\d+-[a-z]+-\d+)｜")
_ANSWER = re.compile(r"答(r\d+-q\d+)：")


@dataclass(frozen=True)
class TurnView:
    """One turn: what it said outside its arguments, and the ids of those; a judge's reasons stand under 裁判怎么看.

    Attributes:
        refused: What was left out of it and why, without its words: nobody vouches for them.
    """

    round_no: int
    role: str
    act: str
    is_failed: bool
    error: str
    lines: tuple[Line, ...]
    claim_ids: tuple[str, ...]
    refused: tuple[str, ...]


@dataclass(frozen=True)
class JudgementView:
    """One reading of the judge."""

    order: str
    verdict: str
    reasons: tuple[Line, ...]


def turn_views(transcript: Transcript, checks: Mapping[str, Sequence[Check]]) -> tuple[TurnView, ...]:
    """The turns in order; *checks* by id, those of a turn's free text under ``turn-N`` or the id of a question."""
    return tuple(_turn(transcript, turn, checks) for turn in transcript.turns)


def _turn(transcript: Transcript, turn: Turn, checks: Mapping[str, Sequence[Check]]) -> TurnView:
    known = {claim.claim_id for claim in transcript.claims}
    parts = [part for part in _PARTS.split(turn.speech) if part.strip()]
    named = [match[1] for part in parts if (match := _CLAIM.match(part)) and match[1] in known]
    spoken = [part for part in parts if turn.role != "judge" and not _is_claim(part, known)]
    free = [line for part in spoken for line in part.splitlines() if line.strip()]
    failed = _checks_of(turn, checks)
    return TurnView(
        turn.round_no,
        role_of(turn.role, transcript.protocol),
        ACT_ZH.get(turn.act, turn.act),
        turn.status != "ok",
        turn.error or "",
        tuple(marked(line, found_in(line, failed)) for line in free),
        tuple(named),
        tuple(_refused(refusal) for refusal in transcript.refusals if refusal.turn_no == turn.turn_no),
    )


def _refused(refusal: Refusal) -> str:
    part = PART_ZH.get(refusal.part, refusal.part)
    return f"弃用{f'第 {refusal.place} 个' if refusal.place else ''}{part}：{refusal.cause}"


def _is_claim(part: str, known: set[str]) -> bool:
    match = _CLAIM.match(part)
    return match is not None and match[1] in known


def _checks_of(turn: Turn, checks: Mapping[str, Sequence[Check]]) -> list[Check]:
    answered = _ANSWER.match(turn.speech)
    return [*checks.get(f"turn-{turn.turn_no}", ()), *(checks.get(answered[1], ()) if answered else ())]


def judgement_views(transcript: Transcript, checks: Mapping[str, Sequence[Check]]) -> tuple[JudgementView, ...]:
    """What the judge read in either order, with what did not hold marked."""
    words = ("正序", "换序")
    return tuple(
        JudgementView(
            words[i] if i < len(words) else judgement.order,
            verdict_of(judgement.verdict, transcript.protocol),
            _reasons(transcript, judgement, checks),
        )
        for i, judgement in enumerate(transcript.judgements)
    )


def _reasons(transcript: Transcript, judgement: Judgement, checks: Mapping[str, Sequence[Check]]) -> tuple[Line, ...]:
    """A judgement was checked under its turn, whose speech is its reasons line by line."""
    speech = "\n".join(judgement.reasons)
    turn = next((t for t in transcript.turns if t.role == "judge" and t.speech == speech), None)
    failed = checks.get(f"turn-{turn.turn_no}", ()) if turn else ()
    return tuple(marked(reason, found_in(reason, failed)) for reason in judgement.reasons)
