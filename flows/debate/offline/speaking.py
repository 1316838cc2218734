"""Speeches of the offline model: 结论—依据—推演 from facts, answered point by point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from flows.debate.draining import clip
from flows.debate.metrics import due_date
from flows.debate.offline.bundles import Bundle, bundles, dealt
from flows.debate.offline.phrasebook import Topic
from flows.debate.offline.phrasebook_events import MORE_BAD, MORE_DOUBTS, MORE_GOOD
from flows.debate.offline.reading import Heard, Scene, Seen
from flows.debate.offline.topics import expectation, pick, pick_unused, topic_of_claim

#: Longest quotation of one fact, and of all facts of a basis, in characters.
SENTENCE_LIMIT = 120
BASIS_LIMIT = 190
ARGUMENTS = 3
_SOURCES = {"数据": "历史数据", "公告": "公告", "新闻": "新闻", "研报": "新闻", "用户": "新闻", "知识": "知识"}
_LEADS = ("", "据披露，", "记录显示，", "可核对的是，", "从资料看，")
_ANSWER_FOR = (
    "{mine}，{theirs}的压力要打折",
    "{mine}，只看{theirs}会得出片面的结论",
    "{mine}，{theirs}推不翻命题",
    "{mine}，这是{theirs}一条略去的一面",
)
_ANSWER_AGAINST = (
    "{mine}，{theirs}的支撑要打折",
    "{mine}，{theirs}单独撑不起命题",
    "{mine}，这是{theirs}一条没有交代的",
    "{mine}，{theirs}的外推因此缺一环",
)
_SAME = ("{mine}，同一件事还有另一面", "{mine}，口径换一个看法就不同")
_TIES_FOR = (
    "本方所引的事实补上了被略去的一面，两相对照，判断仍站得住。",
    "把本方所引的事实放进来，反对的力度就没有字面上那么大。",
    "本方所引的事实方向相反且可核对，至少说明反对的理由并不完整。",
    "有本方所引的事实在，这一条最多降低把握，不足以翻转判断。",
)
_TIES_AGAINST = (
    "本方所引的事实正是它绕开的部分，补上之后，支撑就不再完整。",
    "把本方所引的事实放进来，支持的力度就没有字面上那么大。",
    "本方所引的事实方向相反且可核对，说明支持的理由只讲了一半。",
    "有本方所引的事实在，这一条只能算线索，撑不起命题。",
)
_PREEMPTS = (
    "就{topic}会遇到的质疑是：{doubt}本方依据的是已披露的事实而非外推。",
    "{topic}一条会被这样追问：{doubt}但在反面数据出现之前，它还只是追问。",
    "预先回应对{topic}的质疑：{doubt}这是要跟踪的条件，不是已有的反证。",
)


@dataclass
class Draft:
    """A speech being written; *used* keeps it from saying a sentence twice."""

    scene: Scene
    is_for: bool
    used: set[str] = field(default_factory=set)

    def seed(self, *more: str) -> tuple[str, ...]:
        """What choices of wording depend on: who, role, round, act."""
        scene = self.scene
        return (scene.who, scene.role, str(scene.round_no), scene.act, *more)


def speeches_of(role: str) -> int:
    """In how many speeches a role can spread its facts."""
    return {"bull": 6, "bear": 3}.get(role, 2)


def speech(scene: Scene, *, is_for: bool, number: int, slots: int | None = None) -> dict[str, Any]:
    """One speech: replies to what the other side said this round, then own arguments.

    *number* is its place among the role's *slots*, over which the role's facts are spread.
    """
    if wanted := lookups(scene, is_for=is_for, number=number, slots=slots):
        return {"claims": [], "preempt": "", "concede": [], "lookups": wanted}
    draft = Draft(scene, is_for)
    made = _to_the_point(scene, bundles(scene, is_for=is_for))
    fresh = dealt(made, number, slots or speeches_of(scene.role))
    heard = opposing(scene, is_for=is_for)
    answered = heard if scene.act != "argue" else []
    arguments = _replies(draft, answered, fresh, made)
    spare = [bundle for bundle in made if bundle not in fresh]
    for bundle in (*fresh, *spare[number:], *spare[:number]):
        used = {fid for argument in arguments for fid in argument["facts"]}
        if len(arguments) < ARGUMENTS and not {fact.id for fact in bundle.facts} & used:
            arguments.append(own_argument(draft, bundle))
    return {
        "claims": arguments or [bare_argument(is_for=is_for)],
        "preempt": _preempt(draft, fresh or made),
        "concede": conceded(scene, answered, has_fresh=bool(fresh)),
    }


def lookups(scene: Scene, *, is_for: bool, number: int, slots: int | None) -> list[dict[str, str]]:
    """What to look up before speaking: only where a channel is offered and no fact of one's own is left."""
    is_offered = '"lookups"' in scene.task and "证据通道返回" not in scene.record
    made = bundles(scene, is_for=is_for)
    if not is_offered or dealt(made, number, slots or speeches_of(scene.role)):
        return []
    words = ("合同 回购 增长", "增长 回购 中标") if is_for else ("减持 诉讼 监管", "下滑 减值 处罚")
    return [{"tool": tool, "query": words[number % 2]} for tool in ("filings", "news")]


def _to_the_point(scene: Scene, made: list[Bundle]) -> list[Bundle]:
    """New material first; in a trial of one claim, what bears on its topic or dimension first."""
    if scene.new_facts:
        new = set(scene.new_facts)
        return sorted(made, key=lambda bundle: not new & {fact.id for fact in bundle.facts})
    if scene.target is None:
        return made
    target, topic = scene.target, topic_of_claim(scene.target, scene.facts)
    return sorted(made, key=lambda bundle: _distance(bundle, target, topic))


def opposing(scene: Scene, *, is_for: bool) -> list[Heard]:
    """Claims of the other side said in this round (or earlier, if none), whose numbers held."""
    same = "支持" if is_for else "反对"
    others = [c for c in scene.claims if c.role != scene.role and c.stance != same and not c.failed]
    now = [c for c in others if c.id.startswith(f"r{scene.round_no}-")]
    return now or others


def conceded(scene: Scene, heard: Sequence[Heard], *, has_fresh: bool) -> list[str]:
    """With nothing new to bring, the first own claim under challenge that names no number to settle it."""
    attacked = {claim.to for claim in heard}
    if has_fresh or scene.act != "reply":
        return []
    return [c.id for c in scene.claims if c.role == scene.role and c.id in attacked and not c.metric][:1]


def own_argument(draft: Draft, bundle: Bundle) -> dict[str, Any]:
    """An argument from a bundle of facts."""
    lines = bundle.topic.good if bundle.is_for else bundle.topic.bad
    more = MORE_GOOD if bundle.is_for else MORE_BAD
    seed = draft.seed(bundle.facts[0].id)
    facts = quotable(bundle.facts)
    return {
        "dimension": bundle.facts[0].dimension,
        "conclusion": pick_unused(lines.conclusions, (), draft.used, *seed, "conclusion"),
        "basis": basis(draft, facts),
        "reasoning": pick_unused(lines.reasonings, more, draft.used, *seed, "reasoning"),
        "facts": [fact.id for fact in facts],
        "source": _SOURCES[bundle.facts[0].kind],
        "to": None,
        "expect": _expect(draft.scene, facts, is_for=bundle.is_for),
    }


def basis(draft: Draft, facts: Sequence[Seen]) -> str:
    """The facts' own sentences, numbers untouched, each with its id."""
    lead = pick(_LEADS, *draft.seed(facts[0].id))
    return lead + "".join(f"{quoted(fact)}。" for fact in facts)


def quotable(facts: Sequence[Seen]) -> tuple[Seen, ...]:
    """As many of the facts as fit a basis; the first always."""
    kept = [facts[0]]
    for fact in facts[1:]:
        if sum(len(quoted(known)) for known in (*kept, fact)) <= BASIS_LIMIT:
            kept.append(fact)
    return tuple(kept)


def quoted(fact: Seen) -> str:
    """A fact's sentence with its id."""
    sentence = fact.sentence.split("〔")[0].rstrip("。")
    return f"{clip(sentence, SENTENCE_LIMIT)}（{fact.id}）"


def _expect(scene: Scene, facts: Sequence[Seen], *, is_for: bool) -> dict[str, object] | None:
    for fact in facts:
        due = due_date(fact.metric or "", scene.trade_date, fact.as_of)
        if found := expectation(fact.metric, fact.value, is_for=is_for, due=due):
            return found
    return None


def _replies(draft: Draft, heard: Sequence[Heard], fresh: list[Bundle], made: list[Bundle]) -> list[dict[str, Any]]:
    """One reply per opposing claim, each with the bundle that fits it best."""
    replies: list[dict[str, Any]] = []
    left = list(fresh)
    spare = [bundle for bundle in made if bundle not in fresh]
    for claim in heard[:ARGUMENTS]:
        pool = left or spare
        if not pool:
            break
        theirs = topic_of_claim(claim, draft.scene.facts)
        bundle = min(pool, key=lambda b: _distance(b, claim, theirs))
        pool.remove(bundle)
        replies.append(reply(draft, claim, theirs, bundle))
    return replies


def _distance(bundle: Bundle, claim: Heard, theirs: Topic) -> int:
    if bundle.topic.key == theirs.key:
        return 0
    return 1 if bundle.facts[0].dimension == claim.dimension else 2


def reply(draft: Draft, claim: Heard, theirs: Topic, bundle: Bundle) -> dict[str, Any]:
    """A reply to one claim: a fact of one's own, and why the claim does not carry as far as it says."""
    argument = own_argument(draft, bundle)
    seed = draft.seed(claim.id)
    forms = _ANSWER_FOR if bundle.is_for else _ANSWER_AGAINST
    form = pick(_SAME if theirs.key == bundle.topic.key else forms, *seed)
    doubts = theirs.doubt_bad if bundle.is_for else theirs.doubt_good
    doubt = pick_unused(doubts, MORE_DOUBTS, draft.used, *seed)
    tie = pick_unused(_TIES_FOR if bundle.is_for else _TIES_AGAINST, (), draft.used, *seed)
    return argument | {
        "conclusion": form.format(mine=argument["conclusion"], theirs=theirs.zh),
        "reasoning": doubt + tie,
        "to": claim.id,
        "expect": _counter(claim, is_for=bundle.is_for) or argument["expect"],
    }


def _counter(claim: Heard, *, is_for: bool) -> dict[str, object] | None:
    """One's own expectation on the metric the opponent expects something of."""
    return expectation(claim.metric, claim.present, is_for=is_for, due=claim.due) if claim.due else None


def _preempt(draft: Draft, made: Sequence[Bundle]) -> str:
    """The doubt one's own strongest topic will meet, put before anybody has said it."""
    if not made:
        return ""
    topic = made[0].topic
    doubts = topic.doubt_good if draft.is_for else topic.doubt_bad
    doubt = pick_unused(doubts, MORE_DOUBTS, draft.used, *draft.seed())
    return pick(_PREEMPTS, *draft.seed()).format(topic=topic.zh, doubt=doubt)


def bare_argument(*, is_for: bool) -> dict[str, Any]:
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
