"""Claims that stand alone in their sentence and take their names from the one beside it: 转亏！某公司2025Q3净利润…."""

from __future__ import annotations

from dataclasses import replace

from flows.truth.judging.scenes import Scene
from flows.truth.relations.numberless import Claimed

#: Claims about one company's own past: it may be named behind them (连续两年下滑，主体为某公司).
OF_ONE = frozenset({"turn", "streak", "loss", "extreme"})


def widened(scene: Scene, claimed: Claimed) -> Scene:
    """The scene with the sentence behind it, else the one before it, where its own names nothing."""
    start, stop = scene.sentence
    if claimed.kind not in OF_ONE or _names(scene, start, stop):
        return scene
    reading = scene.reading
    behind = reading.sentence(stop + 1)[1] if stop + 1 < len(reading.plain) else stop
    if _names(scene, stop, behind):
        return replace(scene, sentence=(start, behind))
    before = reading.sentence(max(0, start - 2))[0] if start else start
    return replace(scene, sentence=(before, stop)) if _names(scene, before, start) else scene


def _names(scene: Scene, start: int, stop: int) -> bool:
    """Whether a stretch of text names a quantity, company or reporting period."""
    reading = scene.reading
    groups = (reading.mentions, reading.companies, reading.periods)
    return any(start <= span.start < stop for group in groups for span in group)
