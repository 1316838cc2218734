"""What rides on the last speeches: the bear's title, the bull's key data."""

from __future__ import annotations

from flows.debate.offline.bundles import bundles
from flows.debate.offline.reading import Scene
from flows.debate.offline.topics import topic_of, topic_of_claim


def title(scene: Scene) -> str:
    """A neutral title: the weightiest topic of each side."""
    own = bundles(scene, is_for=False)
    mine = own[0].topic if own else None
    heard = [topic_of_claim(claim, scene.facts) for claim in scene.claims if claim.role != scene.role]
    others = [topic for topic in heard if mine is None or topic.key != mine.key]
    theirs = max(others, key=lambda topic: topic.weight, default=None)
    if mine is None or theirs is None:
        return "证据集中在一侧，分歧有限"
    return f"{theirs.zh}还是{mine.zh}：哪个更能解释现价"


def key_data(scene: Scene) -> list[str]:
    """The facts a reader should remember: both directions and the price itself."""
    order = sorted(scene.facts, key=lambda fact: -topic_of(fact).weight)
    good = [f.id for f in order if f.polarity == "+" and not f.is_suspect][:2]
    bad = [f.id for f in order if f.polarity == "-" and not f.is_suspect][:2]
    price = [f.id for f in scene.facts if f.metric in {"close_cny", "pe_ttm"}]
    chosen = list(dict.fromkeys((*good, *bad, *price)))
    return (chosen + [f.id for f in scene.facts if f.id not in chosen])[:6] if len(chosen) < 2 else chosen[:6]
