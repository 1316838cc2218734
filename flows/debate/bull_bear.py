"""`bull_bear` (PRODUCT D1): moderator, bull, bear, bull in each of three rounds, then the judge.

3 + 6 + 3 calls, and the judge's two readings. The title rides on the bear's last speech and the key
data on the bull's, so neither costs a call of its own.
"""

from __future__ import annotations

from flows.contracts.transcripts import Side
from flows.debate.answers import KeyDataSpeech, Moderation, Speech, TitledSpeech
from flows.debate.protocol import Act, Length, Open, Phase, Protocol, Role, Sees

ROUNDS = 3

_MEMORY = (Sees.SUMMARY, Sees.LAST_SPEECHES, Sees.THIS_ROUND)
_NOW = (Sees.THIS_ROUND,)
#: Facts a side is given; its own polarity first, so the cap costs it neutral ones only.
SIDE_FACTS = 40

MODERATE = Act(
    "moderate", "主持", "task_moderate", Moderation, (Sees.ROUND_BEFORE,), length=Length.QUESTION
)  # fmt: skip
ARGUE = Act("argue", "立论", "task_argue", Speech, _MEMORY, Open.MODERATOR, may_look_up=True, is_reusable=True)
REBUT = Act("rebut", "逐条反驳", "task_rebut", Speech, _MEMORY, Open.MODERATOR, may_look_up=True)
REPLY = Act("reply", "回应", "task_reply", Speech, _NOW, Open.MODERATOR)
REBUT_LAST = Act(
    "rebut", "逐条反驳", "task_rebut_last", TitledSpeech, _MEMORY, Open.MODERATOR, extra_format=',"title":""'
)
REPLY_LAST = Act("reply", "回应", "task_reply_last", KeyDataSpeech, _NOW, Open.MODERATOR, extra_format=',"key_data":[]')

ROLES = (
    Role("moderator", "主持人", max_facts=9),
    Role("bull", "多方", Side.FOR, ("bull",), SIDE_FACTS),
    Role("bear", "空方", Side.AGAINST, ("bear",), SIDE_FACTS),
    Role("judge", "裁判"),
)


def _round(number: int) -> tuple[Phase, ...]:
    last = number == ROUNDS
    return (
        Phase(number, MODERATE, ("moderator",)),
        Phase(number, ARGUE, ("bull",)),
        Phase(number, REBUT_LAST if last else REBUT, ("bear",)),
        Phase(number, REPLY_LAST if last else REPLY, ("bull",)),
    )


PROTOCOL = Protocol(
    name="bull_bear",
    zh="多空辩论",
    roles=ROLES,
    phases=tuple(phase for number in range(1, ROUNDS + 1) for phase in _round(number)),
)
