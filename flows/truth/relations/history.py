"""Claims about a quantity's own past, decided by facts: streaks, turns, losses that move, holders' trades, trends."""

from __future__ import annotations

import re
from itertools import pairwise

from flows.contracts.packs import FactKind
from flows.truth.facts.ledger import Reference
from flows.truth.grammar.lexicon import CHANGE, DIFFERENCE, LEVEL, Mention, concepts
from flows.truth.grammar.numerals import read_number
from flows.truth.grammar.periods import Period
from flows.truth.judging.scenes import Scene
from flows.truth.relations.findings import Finding, no_fact, verdict_of


def streak(
    scene: Scene, mention: Mention | None, owner: str, count: str, unit: str, direction: int, *, until: Period | None
) -> Finding | None:
    """连续三季下滑: as many successive changes of that sign as are said; None if the facts hold no series at all.

    *until* is the period it is said to end in (到2024年已连续两年回落), None for the latest.
    """
    if mention is None:
        return None
    number = int(read_number(count)[0])
    if unit in {"交易日", "日", "天", "周", "月", "个月"}:
        return None
    flows = mention.concept in concepts() and concepts()[mention.concept].is_flow
    yearly = flows or unit in {"年", "年度"}
    series = _series(scene, mention.concept, owner, LEVEL, yearly=yearly, until=until)
    changes = [b.value - a.value for a, b in pairwise(series)]
    if len(changes) < number:
        series = _series(scene, mention.concept, owner, CHANGE, yearly=yearly, until=until)
        changes = [r.value for r in series]
    if len(changes) < number:
        wrong = [c for c in changes if c * direction < 0]
        return (
            verdict_of(False, "最近一期的变化方向相反", series[-1]) if wrong and changes[-1] * direction < 0 else None
        )
    holds = all(change * direction > 0 for change in changes[-number:])
    ids = "、".join(r.fact.id for r in series[-number - 1 :])
    return verdict_of(holds, f"按 {ids} 逐期比较", series[-1], ids)


def _series(
    scene: Scene, concept: str, owner: str, form: str, *, yearly: bool, until: Period | None = None
) -> list[Reference]:
    """One own value per period, oldest first."""
    found: dict[int, Reference] = {}
    for r in scene.references(lambda r: r.concept == concept and r.company == owner and r.form == form and r.is_own):
        if r.period is not None and r.period.is_complete:
            found.setdefault(r.period.order, r)
    ordered = [found[order] for order in sorted(found) if until is None or order <= until.order]
    last = ordered[-1].period if ordered else None
    return [r for r in ordered if not yearly or (r.period and last and r.period.quarter == last.quarter)]


#: Quantities that can be negative.
_PROFITS = frozenset({
    "net_profit", "deducted_net_profit", "operating_cash_flow", "eps", "main_net", "operating_profit", "total_profit",
    "gross_profit", "other_cash_flow", "roe", "net_margin", "gross_margin", "price", "forecast_profit",
})  # fmt: skip


def turn(
    scene: Scene, mention: Mention | None, owner: str, period: Period | None, *, is_its: bool, up: bool
) -> Finding | None:
    """由盈转亏 and its like: the sign of two values a year, or a period, apart; None if the facts hold no two.

    *period* is the one said, None for the latest; *is_its* whether the quantity of *mention* itself is said to turn.
    """
    if mention is not None and is_its and mention.concept not in _PROFITS:
        return no_fact("这一指标没有盈亏之分，或没有事实说明")
    concept = mention.concept if mention is not None and mention.concept in _PROFITS else "net_profit"
    series = _series(scene, concept, owner, LEVEL, yearly=False)
    ended = [r for r in series if period is None or r.period == period or _is_of_year(r, period)]
    if period is not None and series and not ended:
        return no_fact("没有引用这一期的事实")
    if len(series) < 2 or not ended:
        return None
    now = ended[-1]
    earlier = [r for r in series if r.period and now.period and r.period.order < now.period.order]
    before = next((r for r in earlier if now.period and r.period == now.period.shifted(-1)), None)
    if before is None and period is None and earlier:
        before = earlier[-1]
    if before is None:
        return no_fact("没有引用此前一期的事实")
    holds = before.value < 0 < now.value if up else now.value < 0 < before.value
    return verdict_of(
        holds,
        f"{before.fact.id} 为 {before.value:g}，{now.fact.id} 为 {now.value:g}",
        now,
        f"{before.fact.id}, {now.fact.id}",
    )


def _is_of_year(r: Reference, period: Period) -> bool:
    """Whether a value is of the year of a period whose quarter is left open (2025年这期财报)."""
    return period.quarter is None and r.period is not None and r.period.year == period.year


def loss(scene: Scene, owner: str, direction: int) -> Finding | None:
    """亏损扩大, 亏损收窄: a loss that stands, and the profit's move; None if no fact knows the profit."""
    series = _series(scene, "net_profit", owner, LEVEL, yearly=False)
    if series and series[-1].value >= 0:
        return verdict_of(False, f"{series[-1].fact.id} 为 {series[-1].value:g}，并非亏损", series[-1])
    changes = _series(scene, "net_profit", owner, CHANGE, yearly=False)
    if changes:
        return verdict_of(
            changes[-1].value * direction > 0, f"{changes[-1].fact.id} 为 {changes[-1].value:+g}%", changes[-1]
        )
    if len(series) < 2:
        return None
    gap = series[-1].value - series[-2].value
    return verdict_of(gap * direction > 0, f"{series[-2].fact.id} → {series[-1].fact.id}", series[-1])


def traded(scene: Scene, word: str) -> Finding | None:
    """控股股东继续减持: wrong where every holder's trade known went the other way; None where none is known."""
    facts = [f for f in scene.ledger.facts if f.kind is not FactKind.KNOWLEDGE]
    if any(word in f.sentence.replace("增减持", "") for f in facts):
        return None
    course = 1 if word == "增持" else -1
    opposed = scene.ledger.by_concept.get("holder_change", ())
    other = next((r for r in opposed if r.is_own and r.course * course < 0), None)
    return None if other is None else verdict_of(False, f"{other.fact.id} 的方向相反", other)


_STRONG = re.compile(
    r"持续|不断|一路|大幅|明显|显著|快速|高速|急剧|加速|同比|环比|逐步|逐季|逐年|双双|强劲|趋势性|稳步|稳定|稳健|连续"
)


def trend(scene: Scene, mention: Mention | None, owner: str, pre: str, direction: int) -> Finding | None:
    """净利润持续增长, 股价大幅上涨: the sign of the facts' changes decides; mild words without facts pass."""
    concept = mention.concept if mention else "price"
    if mention is not None and mention.end < scene.clause[0]:
        return None if not _STRONG.search(pre) else _by_changes(scene, mention, concept, owner, pre, direction)
    if mention is None and not re.search(r"股价|价格|走势|行情", scene.reading.plain[scene.clause[0] : scene.at]):
        return None
    return _by_changes(scene, mention, concept, owner, pre, direction)


def _by_changes(
    scene: Scene, mention: Mention | None, concept: str, owner: str, pre: str, direction: int
) -> Finding | None:
    windows = {w.window for w in scene.reading.windows if scene.clause[0] <= w.start < scene.clause[1]}
    changes = scene.references(
        lambda r: r.concept == concept and r.company == owner and r.form in {CHANGE, DIFFERENCE} and r.value != 0
        and (not windows or r.window in windows or not r.window) and _basis_fits(pre, r)
    )  # fmt: skip
    known = changes or scene.references(
        lambda r: r.concept == concept == "main_net" and r.company == owner and r.form == LEVEL
    )
    if not known:
        series = _series(scene, concept, owner, LEVEL, yearly=False)
        if len(series) >= 2:
            return verdict_of(
                (series[-1].value - series[-2].value) * direction > 0,
                f"{series[-2].fact.id} → {series[-1].fact.id}",
                series[-1],
            )
        return no_fact("没有引用该指标变化的事实") if _STRONG.search(pre) else None
    agreeing = [r for r in known if r.value * direction > 0]
    opposed = [r for r in known if r.value * direction < 0]
    if concept == "price" and not windows and agreeing and opposed:
        strong = re.search(r"持续|不断|一路", pre)
        return verdict_of(False, "各窗口涨跌不一，并非持续", opposed[0]) if strong else None
    if opposed and not agreeing:
        return verdict_of(False, f"{opposed[0].fact.id} 显示方向相反", opposed[0])
    if opposed and _latest(opposed) > _latest(agreeing):
        return verdict_of(False, f"{opposed[-1].fact.id} 显示最近方向相反", opposed[-1])
    return verdict_of(True, f"与 {agreeing[0].fact.id} 方向一致", agreeing[0])


def _latest(found: list[Reference]) -> int:
    return max((r.period.order if r.period is not None and r.period.is_complete else 0) for r in found)


def _basis_fits(pre: str, r: Reference) -> bool:
    if "环比" in pre:
        return r.basis == "qoq"
    return not ("同比" in pre and r.basis not in {"yoy", ""})
