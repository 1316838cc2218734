"""Values that no fact states and that facts give by definition: 滚动每股收益 = 股价 / 市盈率, 毛利 = 收入 × 毛利率.

Sources of the formulas are the definitions of the quantities themselves. A value a fact states is never defined again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from flows.contracts.units import Unit
from flows.truth.facts.reference import RULE, Reference
from flows.truth.grammar.companies import SUBJECT
from flows.truth.grammar.lexicon import CHANGE, DIFFERENCE, LEVEL, SHARE, concepts


@dataclass(frozen=True, slots=True)
class _Definition:
    """*concept* = one (times, over) other; ``off`` is what a percent operand is taken from (100 - x)."""

    concept: str
    one: str
    operation: str
    other: str
    unit: str
    scale: float = 1.0


#: In an order in which each rests on the ones before it.
_DEFINITIONS = (
    _Definition("total_shares", "holder_change", "/", "holder_share", Unit.SHARES, 100.0),
    _Definition("market_cap", "price", "*", "total_shares", Unit.CNY),
    _Definition("total_shares", "market_cap", "/", "price", Unit.SHARES),
    _Definition("eps_ttm", "price", "/", "pe", Unit.CNY_PER_SHARE),
    _Definition("sales_per_share", "price", "/", "ps", Unit.CNY_PER_SHARE),
    _Definition("profit_ttm", "market_cap", "/", "pe", Unit.CNY),
    _Definition("debt_ratio", "total_debt", "/", "total_assets", Unit.PCT, 100.0),
    _Definition("gross_margin", "gross_profit", "/", "revenue", Unit.PCT, 100.0),
    _Definition("gross_profit", "revenue", "*", "gross_margin", Unit.CNY, 0.01),
    _Definition("cost", "revenue", "-", "gross_profit", Unit.CNY),
    _Definition("non_recurring", "net_profit", "-", "deducted_net_profit", Unit.CNY),
    _Definition("net_margin", "net_profit", "/", "revenue", Unit.PCT, 100.0),
    _Definition("deducted_margin", "deducted_net_profit", "/", "revenue", Unit.PCT, 100.0),
    _Definition("cash_to_profit", "operating_cash_flow", "/", "net_profit", Unit.MULTIPLE),
    _Definition("net_assets", "bvps", "*", "total_shares", Unit.CNY),
    _Definition("cash_per_share", "operating_cash_flow", "/", "total_shares", Unit.CNY_PER_SHARE),
    _Definition("eps", "net_profit", "/", "total_shares", Unit.CNY_PER_SHARE),
    _Definition("dividend_yield", "dividend", "/", "price", Unit.PCT, 100.0),
    _Definition("dividend_total", "dividend", "*", "total_shares", Unit.CNY),
)  # fmt: skip


def defined(stated: Sequence[Reference]) -> list[Reference]:
    """References of the quantities the *stated* ones define, each as precise as its operands."""
    known: dict[str, list[Reference]] = {}
    for r in stated:
        if r.company == SUBJECT and r.company != RULE and r.high is None and r.is_own:
            name = "holder_share" if (r.concept, r.form) == ("holder_change", SHARE) else r.concept
            if name == "holder_share" or (r.form == LEVEL and _is_measured(r)):
                known.setdefault(name, []).append(r)
    fields = {r.concept: r.fact.field for r in stated if r.is_own and r.form == LEVEL}
    made: list[Reference] = []
    for definition in _DEFINITIONS:
        for r in _of(definition, known, fields):
            known.setdefault(r.concept, []).append(r)
            made.append(r)
    return [*made, *_before(stated, known), *_of_one(known), *_prices_before(known, stated)]


def _is_measured(r: Reference) -> bool:
    """Whether the value is in its quantity's own unit, not a count of its observations."""
    return r.concept in concepts() and (r.unit != Unit.COUNT or concepts()[r.concept].unit == Unit.COUNT)


def _of(d: _Definition, known: dict[str, list[Reference]], fields: dict[str, str]) -> Iterator[Reference]:
    taken = {r.period for r in known.get(d.concept, ()) if not r.formula}
    latest = max((r.fact.as_of for r in known.get("price", ())), default=None)
    for one in known.get(d.one, ()):
        for other in known.get(d.other, ()):
            period = one.period or other.period
            if not _meet(one, other, d) or (taken and (period is None or period in taken)):
                continue
            if d.one == "price" and one.fact.as_of != latest:
                continue
            value = _calculated(one.value, d.operation, other.value)
            if value is not None:
                yield _made(one, other, d, value * d.scale, fields)


def _meet(one: Reference, other: Reference, d: _Definition) -> bool:
    """Whether two values are of one time: one period, one day of an event, one session of a price."""
    if d.other == "holder_share":
        return one.fact.as_of == other.fact.as_of
    if one.period is not None and other.period is not None:
        return one.period == other.period
    return other.concept == "total_shares" or one.period is other.period


def _calculated(a: float, operation: str, b: float) -> float | None:
    if operation == "*":
        return a * b
    if operation == "-":
        return a - b
    return a / b if b > 0 else None


_SIGNS = {"*": "×", "/": "/", "-": "-"}


def _made(one: Reference, other: Reference, d: _Definition, value: float, fields: dict[str, str]) -> Reference:
    fact = one.fact.model_copy(update={"field": fields.get(d.concept, f"defined.{d.concept}")})
    return replace(
        one, fact=fact, concept=d.concept, form=LEVEL, basis="", window="", unit=d.unit, value=value, label="",
        period=one.period or other.period, formula=f"{one.name} {_SIGNS[d.operation]} {other.name}",
        uses=(*one.uses, other.fact.id, *other.uses), course=0, against="", statistic="",
    )  # fmt: skip


def _before(stated: Sequence[Reference], known: dict[str, list[Reference]]) -> Iterator[Reference]:
    """Last year's value of a rate whose change in percentage points a fact states: 去年同期ROE = 13.73 + 1.53."""
    for change in stated:
        if change.form != DIFFERENCE or change.unit != Unit.PP or change.basis != "yoy" or not change.is_own:
            continue
        levels = [r for r in known.get(change.concept, ()) if r.unit == Unit.PCT]
        for level in levels:
            if level.period is None or level.period != change.period:
                continue
            period = level.period.shifted(-1)
            if all(r.period != period for r in levels):
                yield replace(
                    level, value=level.value - change.value, period=period, uses=(change.fact.id,),
                    formula=f"{level.name} - {change.name}",
                )  # fmt: skip


def _of_one(known: dict[str, list[Reference]]) -> Iterator[Reference]:
    """盈利收益率 = 1 / 市盈率, 权益乘数 = 1 / (1 - 资产负债率), 昨收 = 收盘 / (1 + 涨跌幅)."""
    for r in known.get("pe", ()):
        if r.value > 0:
            yield _turned(r, "earnings_yield", 100 / r.value, Unit.PCT, f"1 / {r.name}")
    for r in known.get("debt_ratio", ()):
        if r.value < 100:
            yield _turned(r, "equity_multiplier", 1 / (1 - r.value / 100), Unit.MULTIPLE, f"1 / (1 - {r.name})")


def _turned(r: Reference, concept: str, value: float, unit: str, formula: str) -> Reference:
    fact = r.fact.model_copy(update={"field": f"defined.{concept}"})
    return replace(r, fact=fact, concept=concept, value=value, unit=unit, formula=formula)


def _prices_before(known: dict[str, list[Reference]], stated: Sequence[Reference]) -> Iterator[Reference]:
    """The price before a stated move: 昨收 = 收盘价 / (1 + 当日涨跌幅), and 20个交易日前的股价 likewise."""
    moves = [r for r in stated if r.concept == "price" and r.form == CHANGE and r.is_own and r.company == SUBJECT]
    for price in known.get("price", ()):
        for move in moves:
            if move.fact.as_of == price.fact.as_of and move.value > -100:
                is_day = move.window == "1d"
                value = price.value / (1 + move.value / 100)
                concept = "previous_close" if is_day else "price_ago"
                made = _turned(price, concept, value, Unit.CNY_PER_SHARE, f"{price.name} / (1 + {move.name})")
                yield replace(made, window="" if is_day else move.window, uses=(move.fact.id,))
