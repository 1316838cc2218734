"""Claims that a value is at or near the end of its own range: 创三年新高, 处于历史低位, 接近52周低点."""

from __future__ import annotations

import re

from flows.truth.facts.ledger import Reference
from flows.truth.grammar.lexicon import LEVEL, PERCENTILE, Mention
from flows.truth.grammar.periods import parse_window
from flows.truth.judging.scenes import Scene
from flows.truth.relations.findings import Finding, no_fact, verdict_of

#: Percentiles and range positions (0–100) that words for high and low stand for.
HIGH, LOW, EDGE = 70.0, 30.0, 5.0


def extreme(scene: Scene, mention: Mention | None, owner: str, span: str, what: str, reach: str) -> Finding | None:
    """创三年新高, 处于历史低位, 接近52周低点: percentile, range position or the range's end decides."""
    plain = scene.reading.plain[scene.sentence[0] : scene.sentence[1]]
    concept = mention.concept if mention else ("" if "估值" in plain and "新" not in what else "price")
    if what == "中枢" or (not span and reach in {"在", "为", "达到", "属于"} and not mention):
        return None
    if not concept:
        return no_fact("没有说明是哪个指标") if span else None
    is_high = bool(re.search(r"高|顶|峰|最好|上沿", what))
    window = _window(span)
    if concept in {"high", "low", "ma", "drawdown", "support", "resistance"}:
        is_subject = concept == "ma" and mention is not None and mention.start >= scene.clause[0]
        return no_fact("没有引用该均线的历史位置") if is_subject and span else None
    if concept == "price":
        return _price_extreme(scene, owner, window, what, is_high=is_high, reach=reach)
    found = scene.references(
        lambda r: (
            r.concept == concept and r.company == owner and r.form == PERCENTILE and _spans(window, r.window, scene)
        )
    )
    if not found:
        return no_fact("没有引用该指标的历史分位") if span or "新" in what else None
    return _placed(found[0], found[0].value, what, is_high=is_high, edge="新" in what or "最" in what or "点" in what)


def _window(span: str) -> str:
    if "历史" in span or "上市以来" in span or "有记录" in span:
        return "all"
    if "年内" in span:
        return "1y"
    return parse_window(span) if span else ""


def _spans(said: str, window: str, scene: Scene) -> bool:
    if not said:
        return True
    if said == "all":
        return window in {"10y", "5y"} if scene.ledger else False
    return said == window


def _placed(r: Reference, place: float, what: str, *, is_high: bool, edge: bool) -> Finding:
    limit = (100 - EDGE if is_high else EDGE) if edge else (HIGH if is_high else LOW)
    holds = place >= limit if is_high else place <= limit
    return verdict_of(
        holds, f"{r.fact.id} 为 {place:.1f}（{what}要求{'不低于' if is_high else '不高于'} {limit:g}）", r
    )


def _price_extreme(scene: Scene, owner: str, window: str, what: str, *, is_high: bool, reach: str) -> Finding:
    name = "high" if is_high else "low"
    ends = scene.references(
        lambda r: r.concept == name and r.company == owner and r.form == LEVEL and window in {"", r.window}
    )
    closes = scene.references(lambda r: r.concept == "price" and r.company == owner and r.form == LEVEL)
    is_end = re.search(r"新|最|点|峰|谷", what)
    if is_end and ends and closes:
        slack = 0.05 if re.search(r"接近|逼近|靠近|邻近|临近|徘徊", reach) or "新" not in what else 0.001
        close, end = closes[0], ends[0]
        holds = close.value >= end.value * (1 - slack) if is_high else close.value <= end.value * (1 + slack)
        return verdict_of(
            holds,
            f"{close.fact.id} 为 {close.value:g}，{end.fact.id} 为 {end.value:g}",
            close,
            f"{close.fact.id} / {end.fact.id}",
        )
    positions = scene.references(lambda r: r.concept == "position" and r.company == owner and window in {"", r.window})
    if not positions:
        return no_fact("没有引用股价区间或位置的事实")
    return _placed(positions[0], positions[0].value, what, is_high=is_high, edge=bool(is_end))
