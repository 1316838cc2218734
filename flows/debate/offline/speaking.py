"""Speeches of the offline model: 结论—依据—推演 from facts, answered point by point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from flows.debate.offline.bundles import Bundle, bundles, dealt
from flows.debate.offline.contesting import contested
from flows.debate.offline.expecting import countered, expected, is_taken, metrics_of
from flows.debate.offline.phrasebook import Lines, Topic
from flows.debate.offline.phrasebook_values import VALUE_TOPICS
from flows.debate.offline.quoting import SOURCES, basis, clip_sentences, quotable
from flows.debate.offline.reading import Heard, Scene, Seen
from flows.debate.offline.references import Known
from flows.debate.offline.relations import bears_on
from flows.debate.offline.topics import pick, pick_unused, spoken, topic_of_claim

#: Longest reasoning, in characters.
REASONING_LIMIT = 230
_PREEMPTS = (
    "就{name}会遇到的质疑是：{doubt}本方只取已披露的事实，不作外推。",
    "{name}一条会被这样追问：{doubt}在反面数据出现之前，它是追问而不是反证。",
    "先回应对{name}的质疑：{doubt}这是之后要跟踪的条件。",
    "{name}有它的边界：{doubt}边界之内，已披露的数字仍然算数。",
    "{name}会遇到这样的反问：{doubt}本方接受这一限定，论点只到此为止。",
)
#: A side that brings nothing new says so of this speech, not of all the facts there are; repeated facts count nothing.
_NOTHING_NEW = "本方这次没有再举新的事实，仍以这一条为准；"


@dataclass
class Draft:
    """A speech being written; *used* and *expected* keep it from saying a sentence or naming a metric twice.

    *before* are the bundles of one's earlier speeches, whose metrics may no longer stand on the record shown.
    """

    scene: Scene
    is_for: bool
    used: set[str] = field(default_factory=set)
    expected: set[str] = field(default_factory=set)
    before: Sequence[Bundle] = ()

    @property
    def named(self) -> set[str]:
        """Metrics one has expected something of, in this speech, in earlier ones or on the record shown."""
        scene = self.scene
        shown = {claim.metric for claim in scene.claims if claim.role == scene.role and claim.metric}
        return self.expected | self.named_before | shown

    @cached_property
    def named_before(self) -> set[str]:
        """Metrics the bundles of earlier speeches have used up, as far as they follow from the facts alone."""
        named: set[str] = set()
        for bundle in self.before:
            if found := expected(self.scene, bundle, but=named):
                named.add(found["metric"])
        return named

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
    made = _to_the_point(scene, bundles(scene, is_for=is_for))
    slots = slots or speeches_of(scene.role)
    draft = Draft(scene, is_for, before=[bundle for n in range(number) for bundle in dealt(made, n, slots)])
    fresh = dealt(made, number, slots)
    heard = opposing(scene, is_for=is_for)
    answered = heard if scene.act != "argue" else []
    arguments = _arguments(draft, answered, fresh)
    if not arguments and not fresh:
        arguments = _restated(draft, made, answered, number)
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
    said = topic_of_claim(scene.target, scene.facts)
    if said is None:
        return made
    target, topic = scene.target, said[0]
    return sorted(made, key=lambda bundle: _distance(bundle, target, topic))


def opposing(scene: Scene, *, is_for: bool) -> list[Heard]:
    """Claims of the other side said in this round (or earlier, if none), whose numbers held."""
    known = others(scene, is_for=is_for)
    now = [claim for claim in known if claim.id.startswith(f"r{scene.round_no}-")]
    return now or known


def others(scene: Scene, *, is_for: bool) -> list[Heard]:
    """All claims of the other side on the record whose numbers held."""
    same = "支持" if is_for else "反对"
    return [claim for claim in scene.claims if claim.role != scene.role and claim.stance != same and not claim.failed]


def conceded(scene: Scene, heard: Sequence[Heard], *, has_fresh: bool) -> list[str]:
    """With nothing new to bring, the first own claim under challenge that names no number to settle it."""
    attacked = {claim.to for claim in heard}
    if has_fresh or scene.act != "reply":
        return []
    return [c.id for c in scene.claims if c.role == scene.role and c.id in attacked and not c.metric][:1]


def own_argument(draft: Draft, bundle: Bundle, rival: Heard | None = None) -> dict[str, Any]:
    """An argument from a bundle of facts, where it answers a *rival* claim with a value to set against its own."""
    lines = bundle.lines
    seed = draft.seed(bundle.facts[0].id)
    facts = quotable(bundle.facts)
    return {
        "dimension": bundle.facts[0].dimension,
        "conclusion": spoken(pick_unused(lines.conclusions, draft.used, *seed, "conclusion"), facts),
        "basis": basis(facts),
        "reasoning": _reasoning(draft, lines, *seed),
        "facts": [fact.id for fact in facts],
        "source": SOURCES[bundle.facts[0].kind],
        "to": None,
        "expect": _expectation(draft, bundle, facts, rival),
    }


def _expectation(draft: Draft, bundle: Bundle, facts: Sequence[Seen], rival: Heard | None) -> dict[str, Any] | None:
    """One's own value of what an opponent expects and the facts bear on, else what they lead to; each metric once."""
    scene, named = draft.scene, draft.named
    bearing = metrics_of(replace(bundle, facts=tuple(facts)))
    asked = [claim for claim in (rival, *others(scene, is_for=bundle.is_for)) if claim and claim.metric in bearing]
    answers = (countered(scene, claim, is_for=bundle.is_for, but=named) for claim in asked)
    found = next(filter(None, answers), None) or expected(scene, bundle, but=named)
    if found:
        draft.expected.add(found["metric"])
    return found


def _reasoning(draft: Draft, lines: Lines, *seed: str) -> str:
    """One reasoning not used yet, and a second one where there is one and room."""
    first = pick_unused(lines.reasonings, draft.used, *seed)
    second = next((r for r in lines.reasonings if r not in draft.used and len(first + r) <= REASONING_LIMIT), "")
    draft.used.add(second)
    return first + second


def _arguments(draft: Draft, heard: Sequence[Heard], fresh: Sequence[Bundle]) -> list[dict[str, Any]]:
    """One argument per fresh bundle; it answers the opposing claim it bears on most, each claim once."""
    open_claims = [(claim, *said) for claim in heard if (said := topic_of_claim(claim, draft.scene.facts))]
    arguments = []
    for bundle in fresh:
        if not set(bundle.lines.reasonings) - draft.used:
            continue
        rival = min(
            (item for item in open_claims if _answers(bundle, item[0], item[1])),
            key=lambda item: _distance(bundle, item[0], item[1]),
            default=None,
        )
        if rival is None:
            arguments.append(own_argument(draft, bundle))
        else:
            open_claims.remove(rival)
            arguments.append(reply(draft, rival[0], rival[2], bundle))
    _contest(draft, arguments)
    return arguments


def _restated(draft: Draft, made: Sequence[Bundle], heard: Sequence[Heard], number: int) -> list[dict[str, Any]]:
    """An argument made before, said to be nothing new, against what the other side said last."""
    if not made:
        return []
    bundle = made[number % len(made)]
    said = [(claim, *topic) for claim in heard if (topic := topic_of_claim(claim, draft.scene.facts))]
    related = [item for item in said if _answers(bundle, item[0], item[1])]
    argument = own_argument(draft, bundle)
    left = f"回应对面的{related[0][2].name}：{related[0][2].doubts[-1]}" if related else argument["reasoning"]
    reasoning = clip_sentences(_NOTHING_NEW + left, REASONING_LIMIT)
    return [{**argument, "reasoning": reasoning, "to": related[0][0].id if related else None}]


def _contest(draft: Draft, arguments: list[dict[str, Any]]) -> None:
    """Set one's own value against the first expected one that none of the arguments bears on.

    A claim that contests a value has answered one's own already.
    """
    for claim in others(draft.scene, is_for=draft.is_for):
        if claim.metric is None or claim.expected is None or claim.due is None or is_taken(claim.metric, draft.named):
            continue
        if (said := topic_of_claim(claim, draft.scene.facts)) and said[0] in VALUE_TOPICS:
            continue
        known = Known(draft.scene, claim)
        if made := contested(known, claim.metric, claim.expected, is_for=draft.is_for):
            draft.expected.add(claim.metric)
            arguments.append({**made, "to": claim.id, "expect": {**made["expect"], "due": claim.due.isoformat()}})
            return


_UNRELATED = 3


def _answers(bundle: Bundle, claim: Heard, theirs: Topic) -> bool:
    """Whether a bundle answers a claim: a value only by a fact of its own group, others by what bears on them."""
    if theirs in VALUE_TOPICS:
        return bundle.topic.group == theirs.group
    return _distance(bundle, claim, theirs) < _UNRELATED


def _distance(bundle: Bundle, claim: Heard, theirs: Topic) -> int:
    """0 the same matter, 1 the same group, 2 a group it bears on, 3 nothing to do with it."""
    if bundle.topic.key == theirs.key:
        return 0
    if not bears_on(bundle.topic.group, theirs.group):
        return _UNRELATED
    return 1 if bundle.topic.group == theirs.group or bundle.facts[0].dimension == claim.dimension else 2


def reply(draft: Draft, claim: Heard, theirs: Lines, bundle: Bundle) -> dict[str, Any]:
    """A reply to one claim: what the claim leaves open, and a fact of one's own that bears on it."""
    argument = own_argument(draft, bundle, claim)
    left = [doubt for doubt in theirs.doubts if doubt not in draft.used]
    doubt = pick_unused(left, draft.used, *draft.seed(claim.id)) if left else ""
    reasoning = f"回应对面的{theirs.name}：{doubt}{argument['reasoning']}"
    return argument | {
        "reasoning": clip_sentences(reasoning, REASONING_LIMIT) if doubt else argument["reasoning"],
        "to": claim.id,
    }


def _preempt(draft: Draft, made: Sequence[Bundle]) -> str:
    """The doubt one's own weightiest topic will meet, put before anybody has said it."""
    if not made:
        return ""
    lines = made[0].lines
    left = [doubt for doubt in lines.doubts if doubt not in draft.used]
    if not left:
        return ""
    doubt = pick_unused(left, draft.used, *draft.seed())
    return pick(_PREEMPTS, *draft.seed()).format(name=lines.name, doubt=doubt)


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
