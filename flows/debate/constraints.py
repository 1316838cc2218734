"""What a speech must satisfy beyond its form; a breach is sent back to the model with its cause.

Hard causes (ids that do not exist, claims put into a silent opponent's mouth, advice, placeholders)
are sent back until the attempts are used up, then the argument is left out (``salvage``). Soft causes (a
hedge without its reason, words stronger than the facts) are sent back once; after that the argument
concerned stays on the record with weight zero, because a style fault is no reason to lose a side's whole
turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Fact
from flows.contracts.units import Unit
from flows.debate.answers import Argument, Expectation, Speech
from flows.debate.breach import Breach, Part
from flows.debate.draining import clip
from flows.debate.metrics import metric_named
from flows.debate.prompting import HORIZON
from flows.debate.state import Record, Speaker
from flows.truth.compliance import find_advice
from flows.truth.speech.attribution import check_attribution, form_faults

_HEDGE = re.compile(r"(?<!不)(?:有望|可能(?!性)|预计|料将|或将|大概率)")
_REASON = re.compile(
    r"因为|由于|基于|鉴于|依据|根据|源于|取决于|因(?!此)|只要|如果|若|前提|理由|原因|来自|E\d+"
)  # fmt: skip
_SENTENCE = re.compile(r"[^。！？!?]+[。！？!?]?")
_TEMPLATE = re.compile(r"\d+ ?[–-]?\d* ?字[内，]|照抄数字|编号或null|一句话，|带编号")
_CJK = re.compile(r"[\u4e00-\u9fff]")

#: Emotional word → smallest move of a cited fact, in percent, that would carry it.
EMOTIONAL: dict[str, float] = {
    "恐慌": 9.0, "崩盘": 20.0, "崩溃": 20.0, "暴跌": 9.0, "暴涨": 9.0, "血洗": 20.0, "雪崩": 20.0, "疯狂": 20.0,
    "狂飙": 9.0, "腰斩": 45.0, "跳水": 7.0, "踩踏": 9.0, "惨烈": 20.0, "惊天": 50.0, "炸裂": 50.0, "史诗": 50.0,
    "灾难": 30.0, "毁灭": 50.0, "必然爆发": 50.0, "一飞冲天": 50.0, "万劫不复": 50.0, "断崖": 30.0,
}  # fmt: skip


def breaches(record: Record, speaker: Speaker, speech: Speech) -> list[Breach]:
    """Everything wrong with a speech, hard causes first."""
    found = [*_whole(record, speaker, speech)]
    for place, argument in enumerate(speech.claims):
        found += argument_breaches(record, speaker, argument, Part("claims", place))
    return sorted(found, key=lambda breach: breach.is_soft)


def argument_text(argument: Argument) -> str:
    """The argument as one text, each part a sentence."""
    parts = (argument.conclusion, argument.basis, argument.reasoning)
    return "".join(part if part.endswith(("。", "！", "？")) else f"{part}。" for part in parts)


def copies_the_form(text: str) -> bool:
    """Whether a text repeats the description of the answer's form instead of filling it."""
    return _TEMPLATE.search(text) is not None


def _whole(record: Record, speaker: Speaker, speech: Speech) -> Iterator[Breach]:
    texts = {Part("claims", place): argument_text(a) for place, a in enumerate(speech.claims)}
    texts[Part("preempt")] = speech.preempt
    yield from _foreign(texts)
    for part, text in texts.items():
        yield from _attributions(record, speaker, part, text)
    own = {c.claim_id for c in record.claims_of(speaker.role.name)}
    if strange := [cid for cid in speech.concede if cid not in own]:
        yield Breach(f"只能填己方已有论点编号，{'、'.join(strange)} 不是", Part("concede"), is_soft=True, weakens=False)
    if copies_the_form(speech.preempt):
        yield Breach("照抄了格式说明里的文字", Part("preempt"), is_soft=True, weakens=False)
    yield from _repetition(speech)


def _foreign(texts: Mapping[Part, str]) -> Iterator[Breach]:
    """Every part in another language, where the speech as a whole is not in Chinese."""
    if not _is_foreign("".join(texts.values())):
        return
    yield from (Breach("请用中文作答", part) for part, text in texts.items() if _is_foreign(text))


def _is_foreign(text: str) -> bool:
    return len(_CJK.findall(text)) < 0.3 * len(text)


def _attributions(record: Record, speaker: Speaker, part: Part, text: str) -> Iterator[Breach]:
    """A silent side may not be quoted at all; a quotation that matches no claim is sent back once."""
    side = record.side_of(speaker.role)
    claims = list(record.claims.values())
    silent = not (record.claims_against(side) if side else claims)
    for check in check_attribution(text, claims, speaker=side):
        if check.verdict.is_failure:
            yield Breach(f"“{clip(check.text, 30)}”：{check.reason}", part, is_soft=not silent, weakens=False)


def _repetition(speech: Speech) -> Iterator[Breach]:
    seen: set[str] = set()
    for place, argument in enumerate(speech.claims):
        sentences = [s.strip() for s in _SENTENCE.findall(argument_text(argument)) if len(s.strip()) >= 12]
        if len(sentences) != len(set(sentences)) or seen & set(sentences):
            yield Breach("同一句话重复出现，请改写", Part("claims", place))
        seen |= set(sentences)


def argument_breaches(record: Record, speaker: Speaker, argument: Argument, part: Part) -> Iterator[Breach]:
    """What is wrong with one argument; *part* is its place in the answer."""
    citable = record.citable(speaker.role)
    if unknown := [fid for fid in argument.facts if fid not in citable]:
        yield Breach(f"引用了不存在或未给你的事实 {'、'.join(unknown)}", part)
    if advice := find_advice(argument_text(argument)):
        yield Breach(f"“{advice[0].word}”是操作建议，只讲证据与分歧", part)
    for fault in form_faults(argument.conclusion, argument.basis, argument.reasoning):
        yield Breach(fault.message, part)
    if copies_the_form(argument.conclusion + argument.basis + argument.reasoning):
        yield Breach("照抄了格式说明里的文字", part)
    if cause := bad_reply(record, speaker, argument):
        yield Breach(cause, part, is_soft=True, weakens=False)
    if argument.expect and (cause := expectation_fault(record, argument.expect)):
        yield Breach(f"expect：{cause}", part, is_soft=True, weakens=False)
    yield from _style(record, argument, part)


def bad_reply(record: Record, speaker: Speaker, argument: Argument) -> str | None:
    """Why the claim an argument says it answers is none it could answer, or None."""
    if argument.to is None or (record.target and argument.to == record.target.claim_id):
        return None
    side = record.side_of(speaker.role)
    target = record.claims.get(argument.to)
    if target is None:
        return f"to 指向不存在的论点 {argument.to}"
    if side is not None and target.side is side:
        return f"to 指向己方论点 {argument.to}"
    return None


def expectation_fault(record: Record, expect: Expectation) -> str | None:
    """Why an expectation cannot be settled later, or None."""
    metric = metric_named(expect.metric)
    first = record.pack.trade_date + timedelta(days=1)
    if metric is None:
        return f"“{expect.metric}”不是登记的指标，请用事实尾部花括号里的名称"
    if not first <= expect.due <= record.pack.trade_date + HORIZON:
        return f"due {expect.due} 不在允许的日期内"
    if METRICS[metric].unit is Unit.PCT and "_pct_" in metric and not 0 <= expect.value <= 100:
        return f"{METRICS[metric].zh}只能在 0 到 100 之间"
    return None


def _style(record: Record, argument: Argument, part: Part) -> Iterator[Breach]:
    if hedge := unreasoned_hedge(argument):
        yield Breach(f"写了“{hedge}”却没有紧接理由", part, is_soft=True)
    facts = [fact for fid in argument.facts if (fact := record.pack.fact(fid))]
    if word := overheated_word(argument_text(argument), facts):
        yield Breach(f"“{word}”强于所引事实，请用中性说法", part, is_soft=True)


def unreasoned_hedge(argument: Argument) -> str | None:
    """A hedge (有望, 可能, 预计 …) that is not followed by its reason, or None.

    In the conclusion the cited basis that follows is the reason; elsewhere a reason must stand in the
    same sentence or the next one.
    """
    if (hedge := _HEDGE.search(argument.conclusion)) and not argument.facts:
        return hedge.group()
    sentences = _SENTENCE.findall(f"{argument.basis}。{argument.reasoning}")
    for position, sentence in enumerate(sentences):
        hedge = _HEDGE.search(sentence)
        following = "".join(sentences[position : position + 2])
        if hedge and not _REASON.search(following):
            return hedge.group()
    return None


def overheated_word(text: str, facts: Iterable[Fact]) -> str | None:
    """A word stronger than the largest move among *facts*, or None (恐慌 at −3 %); a fact's own words are data."""
    cited = list(facts)
    quoted = "".join(fact.sentence for fact in cited)
    moves = [abs(f.value) for f in cited if _is_move(f) and isinstance(f.value, int | float)]
    largest = max(moves, default=0.0)
    found = (word for word, needed in EMOTIONAL.items() if word in text and largest < needed)
    return next((word for word in found if word not in quoted), None)


def _is_move(fact: Fact) -> bool:
    metric = METRICS.get(fact.field)
    return fact.unit is Unit.PCT and (metric is None or not metric.is_level)
