"""The four stances of the offline model: takes a stand from its own facts, attacks, and answers with facts."""

from __future__ import annotations

import re
from typing import Any

from flows.debate.draining import clip
from flows.debate.offline.bundles import bundles, dealt
from flows.debate.offline.quoting import basis, quotable
from flows.debate.offline.reading import Heard, Scene
from flows.debate.offline.speaking import Draft, speech
from flows.debate.offline.topics import pick, topic_of_claim

#: Bundles a role of fixed temper needs to follow it; value looks for what carries a price, risk for what does not.
_ENOUGH = 2
_TEMPER = {"value": True, "risk": False}
_SLOTS = 6
_OPEN = re.compile(r"^(r\d+-q\d+)（([a-z]+)→([a-z]+)，针对(r\d+-[a-z]+-\d+)）：(.*)$", re.MULTILINE)
_QUESTIONS = (
    "关于“{theirs}”：{doubt}除已引的事实外，还有哪一项数据能证明它？",
    "“{theirs}”要成立，还缺一步：{doubt}请用一项没有用过的事实补上。",
)
_DOUBTS = ("结论与所引的事实之间还缺一步，没有说明怎样传导到现价。",)
_ANSWERS = (
    "补充一项没有用过的事实：{fact}它能否补上缺口，由读者对照判断。",
    "{fact}这是本方就这一点还能举出的事实，原论点与它方向一致。",
)


def is_supporting(scene: Scene) -> bool:
    """The stand of a role: its temper where the facts allow it, else the heavier side; facts alone decide."""
    made = {side: bundles(scene, is_for=side)[:_SLOTS] for side in (True, False)}
    temper = _TEMPER.get(scene.role)
    if temper is not None and len(made[temper]) >= _ENOUGH:
        return temper
    weight = {side: sum(bundle.topic.weight for bundle in found) for side, found in made.items()}
    return weight[True] > weight[False]


def speak(scene: Scene) -> dict[str, Any]:
    """A free speech with a stand."""
    is_for = is_supporting(scene)
    said = speech(scene, is_for=is_for, number=2 * (scene.round_no - 1), slots=_SLOTS)
    return {**said, "concede": [], "stance": "支持" if is_for else "反对"}


def ask(scene: Scene) -> dict[str, Any]:
    """An attack on the weightiest opposing claim nobody has questioned yet."""
    opposite = "反对" if is_supporting(scene) else "支持"
    others = [claim for claim in scene.claims if claim.role != scene.role]
    target = min(others, key=lambda claim: _preference(scene, claim, opposite))
    said = topic_of_claim(target, scene.facts)
    doubts = said[1].doubts if said else _DOUBTS
    seed = (scene.who, scene.role, str(scene.round_no), target.id)
    theirs = clip(target.conclusion.split("，")[0], 24)
    return {
        "target": target.role,
        "claim": target.id,
        "question": pick(_QUESTIONS, *seed).format(theirs=theirs, doubt=pick(doubts, *seed)),
    }


def _preference(scene: Scene, claim: Heard, opposite: str) -> tuple[bool, bool, int]:
    said = topic_of_claim(claim, scene.facts)
    return (claim.stance != opposite, claim.is_challenged, -said[0].weight if said else 0)


def answer(scene: Scene) -> dict[str, Any]:
    """An answer to the oldest open question, with a fact kept for it; concedes when none is left."""
    found = _OPEN.search(scene.open)
    question_id = found[1] if found else "r1-q1"
    is_for = is_supporting(scene)
    fresh = dealt(bundles(scene, is_for=is_for), 2 * (scene.round_no - 1) + 1, _SLOTS)
    if not fresh:
        return {
            "question_id": question_id,
            "answer": "手头没有新的事实可以补充，这一条先按待验证处理。",
            "facts": [],
            "concede": True,
        }
    facts = quotable(fresh[0].facts)
    said = basis(facts)
    seed = Draft(scene, is_for).seed(question_id)
    return {
        "question_id": question_id,
        "answer": clip(pick(_ANSWERS, *seed).format(fact=said), 290),
        "facts": [fact.id for fact in facts],
        "concede": False,
    }
