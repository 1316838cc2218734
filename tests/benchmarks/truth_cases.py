"""Honest sentences from phrasings and facts: which facts fill a template, and with which words."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from typing import Any

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Fact
from flows.contracts.units import Unit
from tests.benchmarks.truth_world import INDUSTRY, World, period_before
from tests.benchmarks.truth_writing import amount, directed, metric_words, period_words

CLASS_METRICS = {
    "pct_level": ("roe_pct", "gross_margin_pct", "net_margin_pct", "debt_ratio_pct", "pledge_ratio_pct",
    "volatility_60d_pct"),
    "pct_change": ("revenue_yoy_pct", "net_profit_yoy_pct", "return_5d_pct", "return_20d_pct", "return_60d_pct",
    "change_pct"),
    "money": ("revenue_cny", "net_profit_cny", "deducted_net_profit_cny", "operating_cash_flow_cny", "market_cap_cny",
    "margin_balance_cny"),
    "price": ("close_cny", "ma_5_cny", "ma_20_cny", "ma_60_cny", "ma_250_cny", "high_52w_cny", "low_52w_cny",
    "eps_cny", "bvps_cny", "atr_14_cny"),
    "multiple": ("pe_ttm", "pb", "ps_ttm", "pcf_ttm", "volume_ratio_5d"),
    "shares": ("holder_trades.changed_shares", "unlocks.unlocked_shares"),
    "count": ("up_days_60d", "limit_up_days_60d", "limit_down_days_60d"),
    "percentile": tuple(f"{m}_pct_{y}y" for m in ("pe_ttm", "pb", "ps_ttm") for y in (1, 3, 5, 10)),
    "comparison": ("revenue_cny", "net_profit_cny", "roe_pct", "gross_margin_pct", "pe_ttm", "pb"),
    "derived": ("revenue_cny", "net_profit_cny", "deducted_net_profit_cny", "roe_pct", "gross_margin_pct"),
}  # fmt: skip
_PAIRS = {"net_profit_cny": "revenue_cny", "deducted_net_profit_cny": "revenue_cny",
"operating_cash_flow_cny": "revenue_cny", "revenue_cny": "net_profit_cny",
          "close_cny": "ma_20_cny", "roe_pct": "net_margin_pct", "gross_margin_pct": "net_margin_pct",
          "net_margin_pct": "gross_margin_pct",
          "pe_ttm": "pb", "revenue_yoy_pct": "net_profit_yoy_pct", "net_profit_yoy_pct": "revenue_yoy_pct"}  # fmt: skip
_NEEDS_B = (
    "{value2}",
    "{period2}",
    "{company2}",
    "{metric2}",
    "{diff}",
    "{direction_diff}",
    "{growth}",
    "{ratio}",
    "{share}",
    "{comparison}",
)
OVER, UNDER = ("高于", "高于", "超过"), ("低于", "低于", "不及")


@dataclass
class Case:
    """One sentence with everything that went into it."""

    world: World
    phrasing: dict[str, Any]
    a: Fact | None
    b: Fact | None
    slots: dict[str, str]
    cited: list[str]
    history: list[Fact] = field(default_factory=list)
    sign: int = 0

    @property
    def text(self) -> str:
        """The sentence."""
        return fill(self.phrasing["template"], self.slots)

    def having(self, **slots: str) -> Case:
        """The same sentence with other words in some places."""
        return replace(self, slots={**self.slots, **slots})


def fill(template: str, slots: dict[str, str]) -> str:
    """*template* with its placeholders filled and the seams of empty ones closed."""
    text = re.sub(r"\{(\w+)\}", lambda m: slots[m[1]] + "\x00", template)
    text = re.sub(r"(?<=[A-Za-z0-9])\x00(?=[A-Za-z0-9])", " ", text).replace("\x00", "")
    return text.replace("的的", "的").replace("（）", "").replace("()", "")


def build(phrasing: dict[str, Any], world: World, rng: random.Random) -> Case | None:
    """An honest sentence for *phrasing*, or None if the world has no facts for it."""
    case = _built(phrasing, _on_its_date(phrasing["template"], world), rng)
    wanted = set(re.findall(r"\{(\w+)\}", phrasing["template"]))
    return case if case is not None and wanted <= set(case.slots) else None


def _on_its_date(template: str, world: World) -> World:
    """A template that writes a date of its own is honest only of facts of that day."""
    found = re.search(r"(?:(20\d\d)[-年.])?(?<!\d)(\d{1,2})[-月.](\d{1,2})?", template)
    if found is None:
        return world
    day = date(int(found[1] or world.facts[0].as_of.year), int(found[2]), int(found[3] or world.facts[0].as_of.day))
    moved = [f.model_copy(update={"as_of": day}) for f in world.facts]
    return replace(world, facts=moved)


def _built(phrasing: dict[str, Any], world: World, rng: random.Random) -> Case | None:
    if phrasing["kind"] == "attribution":
        return _attribution(phrasing, world, rng)
    template = phrasing["template"]
    names = phrasing["metrics"] or CLASS_METRICS[phrasing["unit_class"]]
    name = rng.choice(list(names))
    if phrasing["kind"] == "range":
        return _range(phrasing, world, rng)
    wants_year = "{year}" in template or "{period2}" in template
    a = _pick_a(world, name, rng, template)
    if a is None or (wants_year and not a.period.startswith("20")):
        return None
    special = next((make for slot, make in _SPECIAL.items() if slot in template), None)
    return special(phrasing, world, rng, a) if special else _plain(phrasing, world, rng, a)


def _plain(phrasing: dict[str, Any], world: World, rng: random.Random, a: Fact) -> Case | None:
    template = phrasing["template"]
    b = (
        _pick_b(world, a, template, rng)
        if any(mark in template for mark in _NEEDS_B) or "上年同期" in template
        else None
    )
    if b is None and any(mark in template for mark in _NEEDS_B):
        return None
    return _filled(phrasing, world, rng, a, b)


def _pick_a(world: World, name: str, rng: random.Random, template: str) -> Fact | None:
    if name.startswith("earnings"):
        return None
    found = [f for f in world.facts if f.field == name and f.subject == world.symbol]
    if not found:
        return None
    latest = found[0]
    if "{metric}" not in template and not _speaks_of(template, latest):
        return None
    dated = "{period}" in template or "{year}" in template
    return rng.choice(found[:2]) if dated and len(found) > 1 and rng.random() < 0.25 else latest


_EVENTS = {
    "解禁": ("解禁", "限售", "流通", "解锁"), "减持": ("减持", "抛", "卖出", "套现", "减少持股", "离场", "出售",
    "转让"), "增持": ("增持", "买入", "加码", "增加持股"),
}  # fmt: skip


def _speaks_of(template: str, fact: Fact) -> bool:
    """A template without a metric names its event itself (减持, 解禁); it suits only facts of that event."""
    if fact.unit is not Unit.SHARES:
        return True
    named = [event for event, words in _EVENTS.items() if any(word in template for word in words)]
    return len(named) == 1 and named[0] in fact.sentence


def _pick_b(world: World, a: Fact, template: str, rng: random.Random) -> Fact | None:
    if "{company2}" in template:
        return world.find(a.field, subject=rng.choice((world.peer, INDUSTRY)))
    if "{metric2}" in template:
        other = _PAIRS.get(a.field)
        return world.find(other, period=a.period if a.period.startswith("20") else None) if other else None
    if not a.period.startswith("20"):
        return None
    yearly = "{period2}" in template or re.search("上年|去年|同比|一年", template)
    return world.find(a.field, period=period_before(a.period, 4 if yearly else 1))


def _filled(phrasing: dict[str, Any], world: World, rng: random.Random, a: Fact, b: Fact | None) -> Case | None:
    template = phrasing["template"]
    assert isinstance(a.value, float)
    dated = "{period}" in template
    slots = {
        "company": world.company if rng.random() < 0.75 else rng.choice(("公司", world.symbol)),
        "metric": metric_words(a, rng, with_period=dated), "period": period_words(a.period, rng), "year": a.period[:4],
        "value": amount(a.value, a.unit, rng),
    }  # fmt: skip
    if not dated and a.period.startswith("20") and a.period != world.find(a.field).period:  # type: ignore[union-attr]
        return None
    if "{direction_value}" in template:
        if abs(a.value) < 0.2:
            return None
        is_price = a.field.startswith(("return", "change", "drawdown"))
        slots["direction_value"] = directed(a.value, a.unit, rng, is_price=is_price)
        slots["metric"] = slots["metric"].replace("涨跌幅", "涨跌幅")
    if b is not None and not _second(slots, template, world, rng, a, b):
        return None
    return Case(world, phrasing, a, b, slots, [f.id for f in (a, b) if f is not None])


def _second(slots: dict[str, str], template: str, world: World, rng: random.Random, a: Fact, b: Fact) -> bool:
    assert isinstance(a.value, float)
    assert isinstance(b.value, float)
    unit = Unit.PP if a.unit is Unit.PCT else a.unit
    gap = a.value - b.value
    slots |= {
        "value2": amount(b.value, b.unit, rng), "period2": period_words(b.period, rng),
        "company2": b.subject if b.subject != world.symbol else "",
        "metric2": metric_words(b, rng, with_period=False),
    }  # fmt: skip
    if abs(gap) < (0.02 if unit in {Unit.PP, Unit.MULTIPLE, Unit.CNY_PER_SHARE} else 1e5):
        return False
    slots["diff"] = amount(abs(gap), unit, rng)
    slots["direction_diff"] = rng.choice(("增加", "提高", "上升") if gap > 0 else ("减少", "下降", "降低")) + amount(
        abs(gap), unit, rng
    )
    slots["comparison"] = rng.choice(OVER if gap > 0 else UNDER)
    if any(mark in template for mark in ("{growth}", "{ratio}", "{share}")):
        if a.value <= 0 or b.value <= 0 or not 0.05 < a.value / b.value < 20:
            return False
        change = (a.value / b.value - 1) * 100
        if abs(change) < 0.5 or a.unit is not b.unit:
            return False
        slots["growth"] = directed(change, Unit.PCT, rng)
        slots["ratio"] = f"{a.value / b.value:.2f}倍"
        slots["share"] = f"{a.value / b.value * 100:.{rng.choice((1, 2))}f}%"
    return True


def _range(phrasing: dict[str, Any], world: World, rng: random.Random) -> Case | None:
    column, suffix = ("change", "pct") if phrasing["unit_class"] == "pct_change" else ("value", "cny")
    low, high = (world.find(f"earnings_forecasts.{column}_{end}_{suffix}") for end in ("low", "high"))
    if low is None or high is None or phrasing["unit_class"] not in {"money", "pct_change"}:
        return None
    assert isinstance(low.value, float)
    assert isinstance(high.value, float)
    size, places, unit = rng.choice(((1e8, 2, "亿元"), (1e4, 0, "万元"))) if suffix == "cny" else (1.0, 2, "%")
    slots = {
        "company": world.company, "period": period_words(low.period, rng),
        "metric": "净利润" if suffix == "cny" else "净利润同比", "year": low.period[:4],
        "value": f"{low.value / size:.{places}f}{unit}", "value2": f"{high.value / size:.{places}f}{unit}",
    }  # fmt: skip
    return Case(world, phrasing, low, high, slots, [low.id, high.id])


FLOWS = frozenset({"revenue", "net_profit", "deducted_net_profit", "operating_cash_flow", "eps", "roe"})
_COUNT = "零一两三四"


def _streak(phrasing: dict[str, Any], world: World, rng: random.Random, a: Fact) -> Case | None:
    series = [
        f for f in world.facts if f.field == a.field and f.subject == world.symbol and f.period[4:] == world.period[4:]
    ]
    values = [f.value for f in reversed(series)]
    steps = [y - x for x, y in pairwise(values)]  # type: ignore[operator]
    if len(steps) < 2 or len({s > 0 for s in steps[-2:]}) != 1:
        return None
    length = 3 if len(steps) >= 3 and len({s > 0 for s in steps[-3:]}) == 1 and rng.random() < 0.5 else 2
    up = steps[-1] > 0
    is_flow = a.field.removesuffix("_cny").removesuffix("_pct") in FLOWS
    unit = rng.choice(("年", "期", "年") if is_flow else ("年",))
    words = f"连续{_COUNT[length]}{unit}{rng.choice(('增长', '上升', '提升') if up else ('下滑', '下降', '回落'))}"
    slots = {
        "company": world.company,
        "metric": metric_words(a, rng, with_period=False),
        "period": "",
        "streak": words,
        "year": a.period[:4],
    }
    return Case(world, phrasing, a, None, slots, [f.id for f in series], series, 1 if up else -1)


def _extreme(phrasing: dict[str, Any], world: World, rng: random.Random, a: Fact) -> Case | None:
    assert isinstance(a.value, float)
    slots = {
        "company": world.company,
        "metric": metric_words(a, rng, with_period=False),
        "period": "",
        "year": "",
        "value": amount(a.value, a.unit, rng),
    }
    if a.field == "close_cny":
        place = world.find("position_52w_pct")
        history = [f for f in (place, world.find("high_52w_cny"), world.find("low_52w_cny"), a) if f]
        assert place
        assert isinstance(place.value, float)
        if place.value >= 95:
            words, sign = "接近52周高点", 1
        elif place.value >= 72:
            words, sign = "处于近一年高位", 1
        elif place.value <= 28:
            words, sign = ("接近52周低点", -1) if place.value <= 3 else ("处于近一年低位", -1)
        else:
            return None
        slots["extreme"] = words
        return Case(world, phrasing, a, None, slots, [f.id for f in history], history, sign)
    years = rng.choice((3, 5, 10))
    place = world.find(f"{a.field}_pct_{years}y")
    if place is None or not isinstance(place.value, float) or 30 < place.value < 70:
        return None
    high = place.value >= 70
    span = {3: "近三年", 5: "近五年", 10: "历史"}[years]
    slots["extreme"] = f"处于{span}{rng.choice(('高位', '高位')) if high else '低位'}"
    return Case(world, phrasing, a, None, slots, [a.id, place.id], [place], 1 if high else -1)


def _turn(phrasing: dict[str, Any], world: World, rng: random.Random, _a: Fact) -> Case | None:
    series = [
        f
        for f in world.facts
        if f.field == "net_profit_cny" and f.subject == world.symbol and f.period[4:] == world.period[4:]
    ]
    now, before = series[0], series[1]
    assert isinstance(now.value, float)
    assert isinstance(before.value, float)
    if now.value * before.value > 0:
        return None
    up = now.value > 0
    words = rng.choice(("扭亏为盈", "由亏转盈") if up else ("由盈转亏", "转亏"))
    slots = {
        "company": world.company,
        "metric": "净利润",
        "period": period_words(now.period, rng),
        "turn": words,
        "year": now.period[:4],
    }
    return Case(world, phrasing, now, before, slots, [now.id, before.id], series[:2], 1 if up else -1)


_SPECIAL = {"{streak}": _streak, "{extreme}": _extreme, "{turn}": _turn}


def _attribution(phrasing: dict[str, Any], world: World, rng: random.Random) -> Case:
    claim = rng.choice(world.claims)
    slots = {"role": "多方" if claim.role == "bull" else "空方", "claim": claim.conclusion, "company": world.company}
    return Case(world, phrasing, None, None, slots, [], sign=1 if claim.role == "bull" else -1)


def unit_of(fact: Fact) -> Unit:
    """Unit of a fact as a planter needs it."""
    return METRICS[fact.field].unit if fact.field in METRICS else fact.unit
