"""`direct` (PRODUCT D4): one call that argues both sides itself; the control arm a debate is measured against."""

from __future__ import annotations

from flows.debate.answers import DirectAnswer
from flows.debate.protocol import Act, Length, Phase, Protocol, Role, Sees

DIRECT = Act("direct", "直接研判", "task_direct", DirectAnswer, (Sees.NOTHING,), length=Length.REPORT)

PROTOCOL = Protocol(
    name="direct",
    zh="单次研判",
    roles=(Role("direct", "研判员", facts=("direct",)),),
    phases=(Phase(1, DIRECT, ("direct",)),),
    is_judged=False,
)
