"""What rides on the last speeches: the bear's title, the bull's key data."""

from __future__ import annotations

from flows.debate.offline.bundles import bundles
from flows.debate.offline.reading import Scene, Seen
from flows.debate.offline.topics import topic_of, topic_of_claim


def title(scene: Scene) -> str:
    """The dispute in one line: the weightiest matter of each side."""
    own = bundles(scene, is_for=False)
    heard = [
        said for claim in scene.claims if claim.role != scene.role and (said := topic_of_claim(claim, scene.facts))
    ]
    theirs = max(heard, key=lambda said: said[0].weight, default=None)
    if not own or theirs is None:
        return "证据集中在一侧，分歧有限"
    return dispute(theirs[1].name, own[0].lines.name)


def dispute(pro: str, con: str) -> str:
    """A title that names what each side rests on and takes no side."""
    return f"一边是{pro}，一边是{con}"[:40]


def key_data(scene: Scene) -> list[str]:
    """The facts a reader should remember: both directions and the price itself."""
    order = sorted(scene.facts, key=lambda fact: -_weight(fact))
    good = [f.id for f in order if f.polarity == "+" and not f.is_suspect][:2]
    bad = [f.id for f in order if f.polarity == "-" and not f.is_suspect][:2]
    price = [f.id for f in scene.facts if f.metric in {"close_cny", "pe_ttm"}]
    chosen = list(dict.fromkeys((*good, *bad, *price)))
    return (chosen + [f.id for f in scene.facts if f.id not in chosen])[:6] if len(chosen) < 2 else chosen[:6]


def _weight(fact: Seen) -> int:
    topic = topic_of(fact)
    return topic.weight if topic else 0
