"""What a turn sees of the record: one small view per :class:`Sees`, drained and cut to need.

Every view returns lines and the ids of the claims shown, so that a transcript can say what each role
saw when it spoke.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from flows.contracts.transcripts import Claim, ClaimStatus, Side
from flows.debate.draining import checks_text, drained, headline
from flows.debate.protocol import Open, Sees
from flows.debate.state import Record, Speaker

Line = Callable[[Claim, str, str], str]


@dataclass(frozen=True)
class View:
    """Lines of a prompt section and the claims they show."""

    lines: tuple[str, ...] = ()
    claim_ids: tuple[str, ...] = ()


def _lines(record: Record, claims: Iterable[Claim], line: Line) -> View:
    shown = list(claims)
    return View(
        tuple(line(c, record.expected_text(c), checks_text(record.checks.get(c.claim_id, ()))) for c in shown),
        tuple(c.claim_id for c in shown),
    )


def _joined(parts: Iterable[tuple[str, View]]) -> View:
    """Headed parts one after the other; an empty part leaves no heading."""
    kept = [(heading, part) for heading, part in parts if part.lines]
    return View(
        tuple(line for heading, part in kept for line in (heading, *part.lines)),
        tuple(cid for _, part in kept for cid in part.claim_ids),
    )


def _turn_claims(record: Record, turn_no: int) -> list[Claim]:
    return [claim for claim in record.claims.values() if claim.turn_no == turn_no]


def _round_before(record: Record, speaker: Speaker) -> View:
    """The whole round as headlines; an expectation a side only restates is not repeated."""
    before = speaker.round_no - 1
    asked = record.agenda.get(before)
    claims = [c for c in record.claims.values() if c.round_no == before]
    told: set[tuple[Side, str]] = set()

    def line(claim: Claim, expected: str, failed: str) -> str:
        return headline(claim, _once(told, claim, expected), failed)

    said = _joined([(f"第{before}轮发言：", _lines(record, claims, line))])
    return View(((f"第{before}轮议题：{asked}",) if asked else ()) + said.lines, said.claim_ids)


def _summary(record: Record, speaker: Speaker) -> View:
    summary = record.summaries.get(speaker.round_no - 1)
    return View((f"上一轮核心分歧：{summary}",)) if summary else View()


def _last_speeches(record: Record, speaker: Speaker) -> View:
    parts = []
    for role in record.protocol.roles:
        turn = record.last_turn(role.name, before_round=speaker.round_no)
        claims = _turn_claims(record, turn.turn_no) if turn else []
        parts.append((f"{role.zh}上一次发言：", _lines(record, claims, headline)))
    return _joined(parts)


def _this_round(record: Record, speaker: Speaker) -> View:
    """Others' claims with evidence and logic, one's own as headlines."""
    parts = []
    for turn in record.turns:
        if turn.round_no == speaker.round_no:
            line = headline if turn.role == speaker.role.name else drained
            said = _lines(record, _turn_claims(record, turn.turn_no), line)
            parts.append((f"本轮{record.protocol.role(turn.role).zh}：", said))
    return _joined(parts)


def _battlefield(record: Record, speaker: Speaker) -> View:
    """The shared memory of `four_stance`: stand, conclusion, evidence, challenged or not; newest last."""
    return _battle_lines(record, list(record.claims.values())[-BATTLEFIELD_LINES:])


def _opponents(record: Record, speaker: Speaker) -> View:
    """What a question is best put to: the newest claims of the other side, then of others, challenged ones last."""
    side, challenged = record.side_of(speaker.role), {question.claim_id for question in record.questions}
    others = [claim for claim in record.claims.values() if claim.role != speaker.role.name]
    ranked = sorted(others, key=lambda claim: (claim.side is not side, claim.claim_id not in challenged))
    chosen = {claim.claim_id for claim in ranked[-OPPONENT_LINES:]}
    return _battle_lines(record, [claim for claim in others if claim.claim_id in chosen])


def _battle_lines(record: Record, claims: list[Claim]) -> View:
    """Each claim on one line; an expectation a side only restates is not repeated."""
    challenged = {question.claim_id for question in record.questions}
    told: set[tuple[Side, str]] = set()

    def line(claim: Claim, expected: str, failed: str) -> str:
        doubt = "被质询" if claim.claim_id in challenged else "未质询"
        who = f"{record.protocol.role(claim.role).zh}({STANCE_ZH[claim.side]})"
        return f"{who}·{doubt} {headline(claim, _once(told, claim, expected), failed)}"

    return _joined([("战场记录：", _lines(record, claims, line))])


def _once(told: set[tuple[Side, str]], claim: Claim, expected: str) -> str:
    """What a claim's side expects, the first time it is shown."""
    is_restated = (claim.side, expected) in told
    told.add((claim.side, expected))
    return "" if is_restated else expected


def _asked(record: Record, speaker: Speaker) -> View:
    """One's own claims that open questions attack, with evidence and logic."""
    open_to_me = {q.claim_id for q in record.questions if q.target == speaker.role.name and not q.is_answered}
    claims = [claim for claim in record.claims.values() if claim.claim_id in open_to_me]
    return _joined([("被质询的己方论点：", _lines(record, claims, drained))])


def _standing(record: Record, speaker: Speaker) -> View:
    """All claims of an earlier debate that still count, as headlines."""
    counting = (ClaimStatus.STANDING, ClaimStatus.PENDING)
    claims = [claim for claim in record.claims.values() if claim.status in counting]
    return _joined([("上一场仍计分的论点：", _lines(record, claims, headline))])


#: Beginning of the line that shows the claim on trial.
TARGET = "受审论点："
STANCE_ZH = {Side.FOR: "支持", Side.AGAINST: "反对"}
#: The battlefield is cut to its newest entries; older ones live on in the unanswered list and scores.
BATTLEFIELD_LINES = 12
#: Claims among which one is chosen to be questioned.
OPPONENT_LINES = 8


def _target(record: Record, speaker: Speaker) -> View:
    target = record.target
    return View() if target is None else View((f"{TARGET}{drained(target)}",), (target.claim_id,))


_VIEWS: dict[Sees, Callable[[Record, Speaker], View]] = {
    Sees.ROUND_BEFORE: _round_before,
    Sees.SUMMARY: _summary,
    Sees.LAST_SPEECHES: _last_speeches,
    Sees.THIS_ROUND: _this_round,
    Sees.BATTLEFIELD: _battlefield,
    Sees.OPPONENTS: _opponents,
    Sees.TARGET: _target,
    Sees.ASKED: _asked,
    Sees.STANDING: _standing,
    Sees.NOTHING: lambda record, speaker: View(),
}


def view(record: Record, speaker: Speaker, sees: Iterable[Sees]) -> View:
    """All parts of the record this turn may see, one after the other."""
    parts = [_VIEWS[part](record, speaker) for part in sees]
    return View(
        tuple(line for part in parts for line in part.lines),
        tuple(dict.fromkeys(cid for part in parts for cid in part.claim_ids)),
    )


def open_questions(record: Record, speaker: Speaker, kind: Open) -> tuple[str, ...]:
    """What stands under “open questions”: the moderator's, those put to the speaker, or all unanswered."""
    if kind is Open.MODERATOR:
        asked = record.agenda.get(speaker.round_no)
        return (f"本轮议题：{asked}",) if asked else ()
    if kind is Open.NOTHING:
        return ()
    unanswered = [q for q in record.questions if not q.is_answered]
    if kind is Open.TO_ME:
        unanswered = [q for q in unanswered if q.target == speaker.role.name]
    return tuple(f"{q.question_id}（{q.asker}→{q.target}，针对{q.claim_id}）：{q.text}" for q in unanswered)
