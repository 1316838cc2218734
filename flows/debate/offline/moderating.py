"""The offline moderator: names the core disagreement of the last round and asks for the next number."""

from __future__ import annotations

from typing import Any

from flows.debate.draining import clip
from flows.debate.offline.bundles import bundles
from flows.debate.offline.reading import Heard, Scene
from flows.debate.offline.topics import pick, topic_of_claim

_FIRST = (
    "先看{topic}：就{who}而言，它究竟是支撑现价还是动摇现价？请各拿一项可核对的事实。",
    "命题能否成立，先从{topic}谈起：请双方各举一项事实，并说明它怎样传导到现价。",
)
_NEXT = (
    "围绕{topic}，请双方给出窗口期末的预期值和依据，并回应对面最强的一条。",
    "{topic}的现状能否延续到窗口期末？请双方写明各自的预期和会让自己改变看法的数据。",
    "请双方就{topic}交锋：哪一项数据变化会推翻你方的结论？",
)
_SOFT = (
    "{topic}一条还没有落到数字上：请双方说明它会体现在哪一项指标里、到什么时候可以核对。",
    "请双方说清{topic}与现价之间的传导：经由收入、利润还是资金，用哪个指标验证？",
)


def moderate(scene: Scene) -> dict[str, Any]:
    """Summary of the round before and this round's question."""
    return {"summary": _summary(scene), "question": _question(scene)}


def _summary(scene: Scene) -> str:
    """Built only from conclusions on the record, so nothing is put into anybody's mouth."""
    pairs = _exchanges(scene)
    if not pairs:
        return ""
    claim, answer = pairs[0]
    said = topic_of_claim(claim, scene.facts)
    about = f"争点在{said[1].name}：" if said else ""
    return clip(
        f"{about}一方据{'、'.join(claim.facts)}称“{claim.conclusion.rstrip('。')}”，"
        f"另一方据{'、'.join(answer.facts)}回应“{answer.conclusion.rstrip('。')}”。",
        200,
    )


def _exchanges(scene: Scene) -> list[tuple[Heard, Heard]]:
    """Claims with their replies, those on a metric first."""
    by_id = {claim.id: claim for claim in scene.claims}
    pairs = [(by_id[c.to], c) for c in scene.claims if c.to in by_id]
    return sorted(pairs, key=lambda pair: pair[0].metric is None)


def _question(scene: Scene) -> str:
    """About a matter that was not the last one, preferring those both sides have touched."""
    seed = (scene.who, str(scene.round_no))
    for claim, _ in _rotated(_exchanges(scene), scene.round_no)[:1]:
        if said := topic_of_claim(claim, scene.facts):
            return pick(_NEXT if claim.metric else _SOFT, *seed).format(topic=said[1].name)
    return pick(_FIRST, *seed).format(topic=_weightiest(scene), who=scene.who)


#: Groups of topics a debate does not open with: they restate the price, or are told of every company.
_NO_OPENING = frozenset({"price", "flows", "macro", "told", "other"})


def _weightiest(scene: Scene) -> str:
    made = [bundle for side in (True, False) for bundle in bundles(scene, is_for=side)]
    weighty = [bundle for bundle in made if bundle.topic.group not in _NO_OPENING]
    return max(weighty, key=lambda bundle: bundle.topic.weight).lines.name if weighty else "最近一期业绩"


def _rotated(pairs: list[tuple[Heard, Heard]], round_no: int) -> list[tuple[Heard, Heard]]:
    start = (round_no - 1) % len(pairs) if pairs else 0
    return pairs[start:] + pairs[:start]
