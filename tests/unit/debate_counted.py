"""A full debate on a server that counts tokens and caches prompt prefixes, with speeches of a fixed length.

The speeches cite what the offline model cites, but their words are fixed, so that what a debate costs does
not move with its phrasebook: conclusions of some 20, reasonings of some 60 characters, as the prompts ask.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flows.contracts.packs import Pack
from flows.contracts.transcripts import Transcript
from flows.debate.engine import run_debate
from flows.debate.offline.brain import answer
from flows.debate.offline.request import parse_request
from tests.unit.debate_fakes import NOW
from tests.unit.debate_packs import pack
from tests.unit.debate_server import gateway_on
from tests.upstream.scripted_model import Received, ScriptedModel

_REASONINGS = (
    "这一项已经披露并且可以核对，它直接进入对现价的评估；要推翻它，需要拿出口径与期间都相同而方向相反的数字，目前的记录里没有。",
    "它与前一条来自不同的来源，两者互不依赖，因此其中一条后来被修正时，另一条仍然可以单独支撑这一判断，不必跟着改变。",
    "若要否认，就得说明同样的记录在这里为什么不适用；在那之前，按已经披露的口径，从这一项记录到结论之间的推演没有缺环。",
    "两个数都有出处，取哪一个要看下一次披露；在那之前，本方按同一口径、同一期间的那一个来说，另一个留待对照之后再谈。",
    "它只回答了问题的一部分，其余部分由前面几项记录来补；把它们合在一起看，方向是一致的，彼此之间也没有重复计算。",
)
#: Reasonings of a speech with few arguments.
_LEAST = 3
_PREEMPT = "会被问到这些记录能否延续到窗口期末；这里只说已经披露的部分，窗口之内的变化由下一次披露来检验。"


@dataclass(frozen=True)
class Counted:
    """A debate and what the server counted."""

    transcript: Transcript
    server: ScriptedModel

    @property
    def total(self) -> int:
        """Tokens of all calls, prompts and answers."""
        return sum(call.tokens_in + call.tokens_out for call in self.transcript.llm_calls)

    @property
    def outside(self) -> int:
        """Tokens the server had not seen before at the beginning of a prompt."""
        return self.total - sum(call.tokens_cached_prefix for call in self.transcript.llm_calls)


def speak(received: Received) -> str:
    """The offline model's answer, its speeches in fixed words."""
    given = dict(answer(parse_request(json.dumps(received.body).encode())))
    if given.get("claims"):
        given["claims"] = _in_fixed_words(given["claims"])
        given["preempt"] = _PREEMPT
    return json.dumps(given, ensure_ascii=False, separators=(",", ":"), default=str)


def _in_fixed_words(claims: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every claim in one reasoning; the last of a few takes those left over, so that a speech keeps its length."""
    spoken = []
    for index, claim in enumerate(claims):
        conclusion = f"已披露的{claim['dimension']}记录（其{'一二三四五'[index]}）指向这一判断"
        last = max(index + 1, _LEAST) if index == len(claims) - 1 else index + 1
        reasonings = _REASONINGS[index:last]
        spoken.append({**claim, "conclusion": conclusion, "reasoning": "".join(reasonings)})
    return spoken


def hold_counted(folder: Path, protocol: str = "bull_bear", the_pack: Pack | None = None) -> Counted:
    """One debate through the real gateway on the counting server."""
    server = ScriptedModel(has_prefix_cache=True, speak=speak)

    async def run() -> Transcript:
        gateway = gateway_on(folder, server.transport())
        try:
            return await run_debate(the_pack or pack(), protocol, gateway, clock=lambda: NOW, debate_id="d-1")
        finally:
            await gateway.aclose()

    return Counted(asyncio.run(run()), server)
