"""Speeches of the offline model: 结论—依据—推演 from facts, answered point by point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flows.debate.draining import clip
from flows.debate.offline.bundles import Bundle, bundles, dealt
from flows.debate.offline.phrasebook import Topic
from flows.debate.offline.reading import Heard, Scene, Seen
from flows.debate.offline.topics import expectation, pick, topic_of, topic_of_claim

SENTENCE_LIMIT = 90
_SOURCES = {"数据": "历史数据", "公告": "公告", "新闻": "新闻", "研报": "新闻", "用户": "新闻", "知识": "知识"}
_LEADS = ("", "据披露，", "记录显示，", "可核对的是，", "从资料看，")
_REBUT_FOR = (
    "“{theirs}”推不出命题不成立",
    "“{theirs}”只说了一面，还要看{mine}",
    "把“{theirs}”当作反证，跳过了{mine}",
)
_REBUT_AGAINST = (
    "“{theirs}”不足以撑起命题",
    "“{theirs}”没有回答{mine}的问题",
    "把“{theirs}”当作支撑，绕开了{mine}",
)
_LINKS = ("再看本方依据，", "把两项放在一起，", "何况", "更要紧的是，")
_PREEMPTS = (
    "若有人以{topic}来质疑，{doubt}",
    "{topic}是对面最可能选用的角度，本方先作回应：{doubt}",
    "就{topic}而言，需要提前说明：{doubt}",
)


def speeches_of(role: str) -> int:
    """In how many speeches a role can spread its facts."""
    return 6 if role == "bull" else 3


def speech(scene: Scene, *, is_for: bool, number: int) -> dict[str, Any]:
    """One speech: replies to what the other side said this round, then own arguments."""
    made = bundles(scene, is_for=is_for)
    fresh = dealt(made, number, speeches_of(scene.role))
    heard = opposing(scene)
    arguments = _replies(scene, heard, fresh, made) if heard and scene.act != "argue" else []
    used = {fid for argument in arguments for fid in argument["facts"]}
    for bundle in fresh:
        if len(arguments) < 3 and not {fact.id for fact in bundle.facts} & used:
            arguments.append(own_argument(scene, bundle))
    if not arguments and made:
        arguments = [own_argument(scene, made[number % len(made)])]
    if not arguments:
        arguments = [_bare(scene, is_for=is_for)]
    return {
        "claims": arguments,
        "preempt": _preempt(scene, is_for=is_for, number=number),
        "concede": conceded(scene, heard, has_fresh=bool(fresh)),
    }


def opposing(scene: Scene) -> list[Heard]:
    """Claims of other roles said in this round (or the last one, if none), whose numbers held."""
    others = [c for c in scene.claims if c.role != scene.role and not c.failed]
    now = [c for c in others if c.id.startswith(f"r{scene.round_no}-")]
    return now or others


def conceded(scene: Scene, heard: Sequence[Heard], *, has_fresh: bool) -> list[str]:
    """Own claims whose numbers failed, and, with nothing new to bring, the first one under challenge."""
    own = [c for c in scene.claims if c.role == scene.role]
    failed = [c.id for c in own if c.failed and "计零" not in c.status]
    attacked = {c.to for c in heard}
    if not has_fresh and scene.act == "reply":
        failed += [c.id for c in own if c.id in attacked and c.id not in failed and not c.metric][:1]
    return failed[:4]


def own_argument(scene: Scene, bundle: Bundle) -> dict[str, Any]:
    """An argument from a bundle of facts."""
    lines = bundle.topic.good if bundle.is_for else bundle.topic.bad
    seed = (scene.who, scene.role, str(scene.round_no), scene.act, bundle.facts[0].id)
    return {
        "dimension": bundle.facts[0].dimension,
        "conclusion": pick(lines.conclusions, *seed, "conclusion"),
        "basis": pick(_LEADS, *seed) + "；".join(quoted(fact) for fact in bundle.facts) + "。",
        "reasoning": pick(lines.reasonings, *seed, "reasoning"),
        "facts": [fact.id for fact in bundle.facts],
        "source": _SOURCES[bundle.facts[0].kind],
        "to": None,
        "expect": _expect(scene, bundle.facts, is_for=bundle.is_for),
    }


def quoted(fact: Seen) -> str:
    """A fact's sentence, numbers untouched, with its id."""
    sentence = fact.sentence.split("〔")[0].rstrip("。")
    return f"{clip(sentence, SENTENCE_LIMIT)}（{fact.id}）"


def _expect(scene: Scene, facts: Sequence[Seen], *, is_for: bool) -> dict[str, object] | None:
    for fact in facts:
        if found := expectation(fact.metric, fact.value, is_for=is_for, at=scene.trade_date):
            return found
    return None


def _replies(scene: Scene, heard: Sequence[Heard], fresh: list[Bundle], made: list[Bundle]) -> list[dict[str, Any]]:
    """One reply per opposing claim, each with the bundle that fits it best."""
    replies: list[dict[str, Any]] = []
    left = list(fresh)
    spare = [bundle for bundle in made if bundle not in fresh]
    for claim in heard[:3]:
        pool = left or spare
        if not pool:
            break
        theirs = topic_of_claim(claim, scene.facts)
        bundle = min(pool, key=lambda b: _distance(b, claim, theirs))
        pool.remove(bundle)
        replies.append(reply(scene, claim, theirs, bundle))
    return replies


def _distance(bundle: Bundle, claim: Heard, theirs: Topic) -> int:
    if bundle.topic.key == theirs.key:
        return 0
    return 1 if bundle.facts[0].dimension == claim.dimension else 2


def reply(scene: Scene, claim: Heard, theirs: Topic, bundle: Bundle) -> dict[str, Any]:
    """A reply to one claim: what it does not prove, and a fact of one's own."""
    argument = own_argument(scene, bundle)
    seed = (scene.who, scene.role, str(scene.round_no), claim.id)
    forms = _REBUT_FOR if bundle.is_for else _REBUT_AGAINST
    doubts = theirs.doubt_bad if bundle.is_for else theirs.doubt_good
    own = argument["reasoning"].split("，")[0]
    conclusion = pick(forms, *seed).format(theirs=clip(claim.conclusion.rstrip("。"), 24), mine=bundle.topic.zh)
    argument |= {
        "conclusion": conclusion,
        "reasoning": f"{pick(doubts, *seed)}{pick(_LINKS, *seed)}{own}。",
        "to": claim.id,
        "expect": _counter(scene, claim, is_for=bundle.is_for) or argument["expect"],
    }
    return argument


def _counter(scene: Scene, claim: Heard, *, is_for: bool) -> dict[str, object] | None:
    """One's own expectation on the metric the opponent expects something of."""
    return expectation(claim.metric, claim.present, is_for=is_for, at=scene.trade_date)


def _preempt(scene: Scene, *, is_for: bool, number: int) -> str:
    """A word on the topic the other side will most likely use, without putting words in its mouth."""
    against = "-" if is_for else "+"
    theirs = [topic_of(fact) for fact in scene.facts if fact.polarity == against and not fact.is_suspect]
    if not theirs:
        return "即使出现本资料之外的不利信息，也应当先核对来源与日期，再改变判断。"
    topics = sorted({topic.key: topic for topic in theirs}.values(), key=lambda topic: -topic.weight)
    topic = topics[number % len(topics)]
    doubts = topic.doubt_bad if is_for else topic.doubt_good
    seed = (scene.who, scene.role, str(scene.round_no), scene.act)
    return clip(pick(_PREEMPTS, *seed).format(topic=topic.zh, doubt=pick(doubts, *seed)), 158)


def _bare(scene: Scene, *, is_for: bool) -> dict[str, Any]:
    """A side without a single fact says so; the argument has no source and will be screened."""
    which = "支持" if is_for else "反对"
    return {
        "dimension": "风险",
        "conclusion": f"资料里没有可用来{which}命题的事实",
        "basis": "本方拿到的事实中，没有一条方向明确且可核对。",
        "reasoning": "没有事实就没有论证，本方不以猜测填补，等待补充资料之后再作判断。",
        "facts": [],
        "source": "逻辑推演",
        "to": None,
        "expect": None,
    }


def title(scene: Scene) -> str:
    """A neutral title: the strongest topic of each side."""
    seen: list[str] = []
    for claim in scene.claims:
        zh = topic_of_claim(claim, scene.facts).zh
        if claim.role != scene.role and zh not in seen:
            seen.append(zh)
    own = bundles(scene, is_for=False)
    mine = own[0].topic.zh if own else "证据缺口"
    theirs = next((zh for zh in seen if zh != mine and zh != "这项事实"), "现价")
    return f"{theirs}能否压过{mine}"


def key_data(scene: Scene) -> list[str]:
    """The facts a reader should remember: both directions and the price itself."""
    order = sorted(scene.facts, key=lambda fact: -topic_of(fact).weight)
    good = [f.id for f in order if f.polarity == "+" and not f.is_suspect][:2]
    bad = [f.id for f in order if f.polarity == "-" and not f.is_suspect][:2]
    price = [f.id for f in scene.facts if f.metric in {"close_cny", "pe_ttm"}]
    chosen = list(dict.fromkeys((*good, *bad, *price)))
    return (chosen + [f.id for f in scene.facts if f.id not in chosen])[:6] if len(chosen) < 2 else chosen[:6]
