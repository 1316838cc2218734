"""`four_stance` (PRODUCT D2): value, risk, data and chips; three rounds of free speech and cross-examination.

36 calls: 3 × (4 speeches + 4 questions + 4 answers), and the judge's two readings. Each role states
支持 or 反对, which maps it to a side; the battlefield record is the only memory.
"""

from __future__ import annotations

from flows.debate.answers import CrossAnswer, CrossQuestion, StanceSpeech
from flows.debate.cross_examination import put_program_question
from flows.debate.protocol import Act, Length, Open, Order, Phase, Protocol, Role, Sees

ROUNDS = 3
#: Facts a stance is given, spread over its dimensions in its own order of priority: it makes some nine arguments and
#: answers in all, and every fact stands in nine prompts.
STANCE_FACTS = 24
STANCES = ("value", "risk", "data", "chips")

SPEAK = Act(
    "speak", "自由发言", "task_speak", StanceSpeech, (Sees.BATTLEFIELD,), Open.UNANSWERED,
    may_look_up=True, is_reusable=True, extra_format=',"stance":""',
)  # fmt: skip
ASK = Act("ask", "质询", "task_ask", CrossQuestion, (Sees.OPPONENTS,), Open.UNANSWERED, Length.QUESTION)
ANSWER = Act(
    "answer", "答问", "task_answer", CrossAnswer, (Sees.ASKED,), Open.TO_ME, Length.QUESTION,
    before=put_program_question,
)  # fmt: skip

ROLES = (
    Role("value", "价值方", facts=("value",), max_facts=STANCE_FACTS),
    Role("risk", "风险方", facts=("risk",), max_facts=STANCE_FACTS, minds_risks=True),
    Role("data", "数据方", facts=("data",), max_facts=STANCE_FACTS),
    Role("chips", "筹码方", facts=("chips",), max_facts=STANCE_FACTS, knows_market_rules=True),
    Role("judge", "裁判"),
)


def _round(number: int) -> tuple[Phase, ...]:
    return (
        Phase(number, SPEAK, STANCES),
        Phase(number, ASK, STANCES, Order.WEAKEST_FIRST),
        Phase(number, ANSWER, STANCES),
    )


PROTOCOL = Protocol(
    name="four_stance",
    zh="四方会辩",
    roles=ROLES,
    phases=tuple(phase for number in range(1, ROUNDS + 1) for phase in _round(number)),
    has_stances=True,
)
