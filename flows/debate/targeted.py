"""`targeted` (PRODUCT D3): one claim of an earlier debate, tried by two fresh roles on its facts and what is new."""

from __future__ import annotations

from flows.contracts.transcripts import Side
from flows.debate.answers import Speech
from flows.debate.protocol import Act, Phase, Protocol, Role, Sees

_MEMORY = (Sees.TARGET, Sees.LAST_SPEECHES, Sees.THIS_ROUND)

ARGUE = Act("argue", "立论", "task_try", Speech, _MEMORY, may_look_up=True)
REPLY = Act("reply", "回应", "task_try_reply", Speech, _MEMORY, may_look_up=True)

ROLES = (
    Role("pro", "正方", Side.FOR, ("pro",)),
    Role("con", "反方", Side.AGAINST, ("con",)),
    Role("judge", "裁判"),
)

PROTOCOL = Protocol(
    name="targeted",
    zh="单点复审",
    roles=ROLES,
    phases=(
        Phase(1, ARGUE, ("pro",)),
        Phase(1, REPLY, ("con",)),
        Phase(2, REPLY, ("pro",)),
        Phase(2, REPLY, ("con",)),
    ),
    has_target=True,
)
