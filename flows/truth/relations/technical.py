"""Wordings of chart readers that claim something: 均线空头排列, RSI超卖, 跌破20日均线, 放量下跌."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from flows.contracts.checks import CheckVerdict
from flows.truth.facts.ledger import Ledger, Reference
from flows.truth.grammar.companies import SUBJECT
from flows.truth.grammar.lexicon import CHANGE, LEVEL
from flows.truth.grammar.reading import Reading
from flows.truth.judging.scenes import Scene, scene_of
from flows.truth.relations.findings import Finding

_ALIGNED = re.compile(r"(?:均线|MA)?(?:系统|整体)?(?:呈|处于|为|形成|是)?(?:标准|强势|弱势)?(?P<way>多头|空头)排列")
_RSI = re.compile(r"(?:处于|进入|已|触及|显示|达到|严重|指标)*(?P<way>超卖|超买)(?!反弹|回落|修复)")
_LINE = re.compile(
    r"(?P<not>并未|没有|尚未|未能|未|没)?(?P<way>站上|突破|上穿|高于|位于(?=[^，。；]{0,10}(?:上方|之上))|跌破|失守|下穿|低于|跌穿)"
)
#: …在均线之上, …在它下方: the close and the average named before.
_SIDE = re.compile(
    r"(?P<not>没有|并未|未|不)?(?:仍|还|已|已经|都|均)?(?:处在|处于|位于|站在|落在|收在|停在|运行在|在)"
    r"(?:它|其|这条线|该线|这条均线|均线|(?:MA)?\d{1,3}日?均?线?)(?:的)?(?P<side>之上|上方|上面|之下|下方|下面)"
)
_VOLUME = re.compile(r"(?P<volume>放量|缩量)(?P<move>上涨|下跌|反弹|回落|回调|走高|走低|下挫|拉升)")
_INEQUALITY = re.compile(r"(?P<sign>[<>])")


@dataclass(frozen=True, slots=True)
class _Values:
    scene: Scene

    def one(self, concept: str, window: str = "", form: str = LEVEL) -> Reference | None:
        """The subject's cited value of a concept and window."""
        found = self.scene.references(
            lambda r: r.concept == concept and r.company == SUBJECT and r.form == form and window in {"", r.window}
        )
        return found[0] if found else None


def technical(reading: Reading, ledger: Ledger, cited: frozenset[str] | None) -> Iterator[tuple[int, int, Finding]]:
    """(start, end, finding) of every such wording in *reading*."""
    sources: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], Scene], Finding | None]], ...] = (
        (_ALIGNED, _aligned), (_RSI, _rsi), (_VOLUME, _volume), (_LINE, _line), (_SIDE, _side),
        (_INEQUALITY, _inequality),
    )  # fmt: skip
    for pattern, decide in sources:
        for match in pattern.finditer(reading.plain):
            scene = scene_of(reading, ledger, cited, reading.clause(match.start()), match.start())
            finding = decide(match, scene)
            if finding is not None:
                yield match.start(), match.end(), finding


def _finding(holds: bool | None, reason: str, reference: Reference | None) -> Finding:
    if holds is None or reference is None:
        return Finding(CheckVerdict.UNSUPPORTED, reason)
    verdict = CheckVerdict.SUPPORTED if holds else CheckVerdict.MISMATCH
    return Finding(verdict, reason, reference.fact.id, None, None if holds else reference.value, reference.unit)


def _aligned(match: re.Match[str], scene: Scene) -> Finding | None:
    before = scene.reading.plain[max(0, match.start() - 6) : match.start()]
    after = scene.reading.plain[match.end() : match.end() + 8]
    if re.search(r"非|不是|未|没有|等待|才|再", before) or re.match(r"\s*[:：]?\s*\S{0,2}\s*(?:否|不是|未)", after):
        return None
    averages = {
        r.window: r
        for r in scene.references(lambda r: r.concept == "ma" and r.company == SUBJECT and r.window != "250d")
    }
    ordered = [averages[w] for w in sorted(averages, key=lambda w: int(w[:-1]))][:3]
    if len(ordered) < 3:
        return _finding(None, "没有引用三条均线的数值", None)
    values = [r.value for r in ordered]
    falling = values == sorted(values, reverse=True)
    rising = values == sorted(values)
    holds = falling if match["way"] == "多头" else rising
    return _finding(holds, "、".join(f"{r.fact.id} {r.value:g}" for r in ordered), ordered[0])


def _rsi(match: re.Match[str], scene: Scene) -> Finding | None:
    value = _Values(scene).one("rsi")
    if value is None:
        named = any(m.concept == "rsi" for m in scene.reading.mentions if scene.clause[0] <= m.start < scene.clause[1])
        return _finding(None, "没有引用 RSI 的事实", None) if named else None
    holds = value.value < 30 if match["way"] == "超卖" else value.value > 70
    return _finding(holds, f"{value.fact.id} 为 {value.value:g}（超卖低于 30，超买高于 70）", value)


def _volume(match: re.Match[str], scene: Scene) -> Finding | None:
    values = _Values(scene)
    change, ratio = values.one("price", "1d", CHANGE), values.one("volume_ratio")
    up = match["move"] in {"上涨", "反弹", "走高", "拉升"}
    if change is not None and change.value != 0 and (change.value > 0) != up:
        return _finding(False, f"{change.fact.id} 当日涨跌幅为 {change.value:+g}%", change)
    if ratio is not None:
        return _finding(
            (ratio.value > 1) == (match["volume"] == "放量"), f"{ratio.fact.id} 量比 {ratio.value:g}", ratio
        )
    return (
        _finding(True, "方向与当日涨跌一致", change) if change is not None else _finding(None, "没有引用量价事实", None)
    )


_ABOVE = frozenset({"站上", "突破", "上穿", "高于", "位于"})


def _line(match: re.Match[str], scene: Scene) -> Finding | None:
    """股价跌破20日均线, 站上年线; 高于 and 低于 are left to comparisons unless the price is implied."""
    lines = [
        m
        for m in scene.reading.mentions
        if match.end() <= m.start < min(scene.clause[1], match.end() + 8) and m.concept == "ma" and m.window
    ]
    if not lines or match["way"] in {"高于", "低于"}:
        return None
    if re.search(
        r"若|如果|一旦|等待|需要|能否|是否|待|可能|或许|预计|风险|警惕",
        scene.reading.plain[scene.sentence[0] : match.start()],
    ):
        return None
    values = _Values(scene)
    price, line = values.one("price"), values.one("ma", lines[0].window)
    if price is None or line is None:
        return _finding(None, "没有引用股价与该均线的数值", None)
    is_above = (match["way"] in _ABOVE) is not bool(match["not"])
    holds = price.value >= line.value if is_above else price.value <= line.value
    return _finding(holds, f"{price.fact.id} {price.value:g}，{line.fact.id} {line.value:g}", price)


#: 在均线之上还是之下？
_ASKS = re.compile(r"[^，。；]{0,2}(?:还是|或者?|抑或)[^，。；]{0,6}[？?]")


def _side(match: re.Match[str], scene: Scene) -> Finding | None:
    before = [m for m in scene.reading.mentions if scene.sentence[0] <= m.start < match.end()]
    lines = [m for m in before if m.concept == "ma" and m.window]
    if not lines or not any(m.concept == "price" for m in before) or _ASKS.match(scene.reading.plain, match.end()):
        return None
    values = _Values(scene)
    price, line = values.one("price"), values.one("ma", lines[-1].window)
    if price is None or line is None:
        return _finding(None, "没有引用股价与该均线的数值", None)
    is_above = (match["side"] in {"之上", "上方", "上面"}) is not bool(match["not"])
    holds = price.value > line.value if is_above else price.value < line.value
    return _finding(holds, f"{price.fact.id} {price.value:g}，{line.fact.id} {line.value:g}", price)


def _inequality(match: re.Match[str], scene: Scene) -> Finding | None:
    """MA5 < MA10 written out."""
    left = [
        m
        for m in scene.reading.mentions
        if m.end <= match.start() and not scene.reading.plain[m.end : match.start()].strip(" ()0123456789.")
    ]
    right = [
        m
        for m in scene.reading.mentions
        if m.start >= match.end() and not scene.reading.plain[match.end() : m.start].strip()
    ]
    if not left or not right:
        return None
    values = _Values(scene)
    one, other = values.one(left[-1].concept, left[-1].window), values.one(right[0].concept, right[0].window)
    if one is None or other is None:
        return _finding(None, "没有引用两边的数值", None)
    holds = one.value < other.value if match["sign"] == "<" else one.value > other.value
    return _finding(holds, f"{one.fact.id} {one.value:g}，{other.fact.id} {other.value:g}", one)
