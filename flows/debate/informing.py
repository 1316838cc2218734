"""The extra round of `inform` (PRODUCT D9): each side speaks once to the new material."""

from __future__ import annotations

from flows.contracts.transcripts import Side
from flows.debate.answers import Speech
from flows.debate.protocol import Act, Phase, Protocol, Role, Sees

INFORM = "inform"

SPEAK_TO_IT = Act("argue", "评新材料", "task_inform", Speech, (Sees.STANDING, Sees.THIS_ROUND))
ROLES = (
    Role("pro", "多方", Side.FOR, ("pro",), 24),
    Role("con", "空方", Side.AGAINST, ("con",), 24),
)


def informed_protocol(earlier: Protocol, round_no: int) -> Protocol:
    """One more round after *earlier*, whose roles stay known."""
    known = tuple(role for role in earlier.roles if role.name not in {"pro", "con", "judge"})
    return Protocol(
        name=INFORM,
        zh="补充材料",
        roles=(*known, *ROLES, Role("judge", "裁判")),
        phases=(Phase(round_no, SPEAK_TO_IT, ("pro",)), Phase(round_no, SPEAK_TO_IT, ("con",))),
        has_stances=earlier.has_stances,
    )
