"""Errors of every kind planted into honest sentences; each is wrong beyond the rounding it is written in."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Fact
from flows.contracts.transcripts import Claim
from flows.contracts.units import Unit
from tests.benchmarks.truth_cases import CLASS_METRICS, OVER, UNDER, Case
from tests.benchmarks.truth_world import period_before
from tests.benchmarks.truth_writing import amount, directed, metric_words, period_words

_ASCII = str.maketrans("０１２３４５６７８９．％", "0123456789.%")


@dataclass
class Planted:
    """A sentence with one error: what was asked of the checker and against which facts."""

    kind: str
    text: str
    case: Case
    facts: list[Fact]
    cited: list[str]
    claims: list[Claim]


def plant(kind: str, case: Case, rng: random.Random) -> Planted | None:
    """*case* with an error of *kind*, or None where that kind cannot be planted in it."""
    made = _PLANTERS[kind](case, rng)
    if made is None:
        return None
    wrong, facts, claims = made
    if wrong.text == case.text and facts is case.world.facts and claims is case.world.claims:
        return None
    return Planted(kind, wrong.text, wrong, facts, [i for i in wrong.cited if any(f.id == i for f in facts)], claims)


_Made = tuple[Case, list[Fact], list[Claim]] | None


def _same_world(case: Case, wrong: Case | None) -> _Made:
    return None if wrong is None else (wrong, case.world.facts, case.world.claims)


def _value_slot(case: Case) -> str | None:
    template = case.phrasing["template"]
    return next((s for s in ("value", "direction_value") if f"{{{s}}}" in template), None)


def _digits(case: Case, rng: random.Random) -> _Made:
    slot = _value_slot(case)
    if slot is None or case.a is None:
        return None
    text = case.slots[slot]
    changed = _other_digits(text, rng)
    if changed is None:
        return None
    return _same_world(case, case.having(**{slot: changed}))


_ZH = "零一二三四五六七八九"


def _other_digits(text: str, rng: random.Random) -> str | None:
    """One of the leading digits replaced: always more than the rounding step."""
    places = [m.start() for m in re.finditer(r"[0-9０-９]", text)] or [
        m.start() for m in re.finditer(f"[{_ZH[1:]}]", text)
    ]
    if len(places) < 2:
        return None
    at = rng.choice(places[: max(1, min(3, len(places) - 1))])
    old = text[at]
    for alphabet in ("0123456789", "０１２３４５６７８９", _ZH):
        if old in alphabet:
            new = rng.choice([c for c in alphabet[1:] if c != old])
            return text[:at] + new + text[at + 1 :]
    return None


_UNIT_SWAPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("亿元", ("万元", "万亿元")), ("万元", ("亿元", "元")), ("亿股", ("万股",)), ("万股", ("亿股", "万元")),
    ("个百分点", ("%", "倍")), ("元/股", ("亿元", "%")), ("元", ("万元", "亿元", "%")),
    ("倍", ("%", "亿元", "元")), ("x", ("%", "亿元")), ("%", ("倍", "亿元", "个百分点")), ("％", ("倍",)),
    ("个交易日", ("%", "倍")), ("天", ("倍", "%")), ("名", ("倍",)), ("位", ("倍",)), ("股", ("手", "元")),
)  # fmt: skip


def _unit(case: Case, rng: random.Random) -> _Made:
    slot = _value_slot(case)
    if slot is None or case.a is None:
        return None
    text = case.slots[slot]
    for unit, others in _UNIT_SWAPS:
        if text.endswith(unit):
            body = text[: -len(unit)].removeprefix("第")
            other = rng.choice(others)
            if (
                unit == "%"
                and other == "个百分点"
                and METRICS.get(case.a.field)
                and METRICS[case.a.field].is_level is False
            ):
                other = "倍"
            return _same_world(case, case.having(**{slot: body + other}))
    return None


def _sign(case: Case, rng: random.Random) -> _Made:
    if "{value}" not in case.phrasing["template"] or case.a is None or case.phrasing["kind"] == "range":
        return None
    text = case.slots["value"]
    if case.a.field == "drawdown_52w_pct" or text.startswith(("第", "百", "零")) or re.match(f"[{_ZH}]", text):
        return None
    return _same_world(case, case.having(value=text[1:] if text.startswith("-") else f"-{text}"))


_FLIPS = {"增长": "下降", "上升": "下滑", "提升": "减少", "下降": "增长", "下滑": "上升", "减少": "增长",
"累计上涨": "累计下跌", "累计下跌": "累计上涨", "上涨": "下跌", "下跌": "上涨",
          "涨": "跌", "跌": "涨", "增加": "减少", "提高": "降低", "降低": "提高"}  # fmt: skip


def _flip(text: str) -> str | None:
    word = next((w for w in sorted(_FLIPS, key=len, reverse=True) if text.startswith(w)), None)
    return _FLIPS[word] + text[len(word) :] if word else None


def _direction(case: Case, rng: random.Random) -> _Made:
    slots = [s for s in ("direction_value", "direction_diff", "growth") if f"{{{s}}}" in case.phrasing["template"]]
    if not slots:
        return None
    slot = rng.choice(slots)
    flipped = _flip(case.slots[slot])
    return _same_world(case, case.having(**{slot: flipped}) if flipped else None)


def _period(case: Case, rng: random.Random) -> _Made:
    a = case.a
    if a is None or not a.period or case.phrasing["kind"] in {"comparison", "derivation"}:
        return None
    if "{period}" not in case.phrasing["template"]:
        return _window_in_name(case, rng)
    if a.period.startswith("20"):
        other = period_before(a.period, rng.choice((1, 2, 4, 8, -1)))
        if _same_value(case, other):
            return None
        return _same_world(case, case.having(period=period_words(other, rng)))
    others = {
        "日": ("近5日", "近20日", "近60日", "近120日"),
        "年": ("近1年", "近3年", "近5年", "近10年"),
        "周": ("近3年",),
    }[a.period[-1]]
    choice = rng.choice([o for o in others if o != a.period])
    return _same_world(case, case.having(period=period_words(choice, rng)))


def _same_value(case: Case, period: str) -> bool:
    assert case.a is not None
    other = case.world.find(case.a.field, period=period)
    if other is None or not isinstance(other.value, float) or not isinstance(case.a.value, float):
        return False
    return abs(other.value - case.a.value) <= 0.12 * abs(case.a.value) + 0.6 * (
        case.a.unit in {Unit.PCT, Unit.CNY_PER_SHARE}
    )


def _window_in_name(case: Case, rng: random.Random) -> _Made:
    assert case.a is not None
    words = case.slots["metric"]
    found = re.search(r"(1|3|5|10|20|60|52|三)(?=[年日周])", words)
    if found is None:
        return None
    years = words[found.end()] == "年"
    pool = ("1", "3", "5", "10") if years else ("5", "20", "60", "120")
    if words[found.end()] == "周":
        return None
    new = rng.choice([n for n in pool if n != found[0] and not (found[0] == "三" and n == "3")])
    other = (
        case.a.field.replace(f"{found[0]}y", f"{new}y")
        .replace(f"_{found[0]}_", f"_{new}_")
        .replace(f"_{found[0]}d", f"_{new}d")
    )
    twin = case.world.find(other) if other != case.a.field else None
    if (
        twin is not None
        and isinstance(twin.value, float)
        and isinstance(case.a.value, float)
        and abs(twin.value - case.a.value) < 0.2
    ):
        return None
    return _same_world(case, case.having(metric=words[: found.start()] + new + words[found.end() :]))


def _metric(case: Case, rng: random.Random) -> _Made:
    a, kind = case.a, case.phrasing["kind"]
    if a is None or kind not in {"level", "change"} or "{metric}" not in case.phrasing["template"]:
        return None
    pool = [
        n
        for names in CLASS_METRICS.values()
        for n in names
        if n in METRICS and n != a.field and METRICS[n].unit is METRICS.get(a.field, METRICS["pe_ttm"]).unit
    ]
    if a.field not in METRICS or not pool:
        return None
    other = case.world.find(rng.choice(pool))
    if other is None or not isinstance(other.value, float) or not isinstance(a.value, float):
        return None
    if abs(other.value - a.value) <= 0.06 * abs(a.value) + 0.6 * (a.unit is Unit.PCT) + 0.06:
        return None
    named = metric_words(other, rng, with_period=False)
    is_alike = "{streak}" in case.phrasing["template"] and _runs_alike(case, other)
    if METRICS[other.field].is_level != METRICS[a.field].is_level or named == case.slots["metric"] or is_alike:
        return None
    return _same_world(case, case.having(metric=named))


def _runs_alike(case: Case, other: Fact) -> bool:
    """Whether the other metric's last two steps go the way the streak says, so that naming it is no error."""
    world = case.world
    own = [f for f in world.facts if f.field == other.field and f.subject == world.symbol]
    values = [f.value for f in own if f.period[4:] == world.period[4:]][:3]
    return all((x - y) * case.sign > 0 for x, y in pairwise(values))  # type: ignore[operator]


def _company(case: Case, rng: random.Random) -> _Made:
    if (
        case.a is None
        or "{company}" not in case.phrasing["template"]
        or case.phrasing["kind"] in {"comparison", "derivation"}
    ):
        return None
    return _same_world(case, case.having(company=rng.choice((case.world.peer, case.world.unknown))))


def _stale(case: Case, rng: random.Random) -> _Made:
    a = case.a
    if a is None or case.phrasing["kind"] not in {"level", "change"} or not a.period.startswith("20"):
        return None
    slot = _value_slot(case)
    old = case.world.find(a.field, period=period_before(a.period))
    if slot is None or old is None or not isinstance(old.value, float) or _same_value(case, old.period):
        return None
    if slot == "direction_value" and abs(old.value) < 0.2:
        return None
    text = amount(old.value, old.unit, rng) if slot == "value" else directed(old.value, old.unit, rng)
    wrong = replace(case.having(**{slot: text}), cited=[*case.cited, old.id])
    return _same_world(case, wrong)


def _invented(case: Case, rng: random.Random) -> _Made:
    a = case.a
    if a is None or case.phrasing["kind"] not in {"level", "change"}:
        return None
    gone = {a.field} | ({"net_profit_cny", "revenue_cny"} if a.field.endswith("yoy_pct") else set())
    if "{extreme}" in case.phrasing["template"]:
        gone |= {
            f.field for f in case.world.facts if f.field.startswith((f"{a.field}_pct", "position_", "high_", "low_"))
        }
    if a.field == "drawdown_52w_pct":
        gone |= {"high_52w_cny", "close_cny"}
    return (
        case,
        [f for f in case.world.facts if f.field not in gone or f.subject != case.world.symbol],
        case.world.claims,
    )


_INVENTED_COMPARISONS = (
    "{c}毛利率低于行业平均。", "{c}净资产收益率优于同业。", "{c}净利润创历史新高。", "{c}市销率高于行业中位数。",
    "{c}营业收入连续五年增长。", "{c}资产负债率低于可比公司。", "{c}在行业中毛利率领先。",
    "{c}扣非净利润由盈转亏。", "{c}存货周转率持续恶化。", "{c}市占率位居行业第一。", "{c}经营现金流同比大幅改善。",
    "{c}融资余额创三年新高。", "{c}股息率高于行业平均。", "{c}合同负债持续增长。",
)  # fmt: skip


def _comparison(case: Case, rng: random.Random) -> _Made:
    if case.phrasing["kind"] != "comparison":
        return None
    template, slots = case.phrasing["template"], case.slots
    if "{comparison}" in template:
        word = rng.choice(UNDER if slots["comparison"] in OVER else OVER)
        return _same_world(case, case.having(comparison=word))
    if rng.random() < 0.3:
        text = rng.choice(_INVENTED_COMPARISONS).format(c=case.world.company)
        gone = {"deducted_net_profit_cny", "operating_cash_flow_cny"}
        wrong = replace(case, phrasing={**case.phrasing, "template": text}, cited=[f.id for f in case.world.facts])
        return wrong, [f for f in case.world.facts if f.field not in gone], case.world.claims
    if "{extreme}" in template:
        swaps = {"高位": "低位", "低位": "高位", "高点": "低点", "低点": "高点"}
        word = next(w for w in swaps if w in slots["extreme"])
        return _same_world(case, case.having(extreme=slots["extreme"].replace(word, swaps[word])))
    if "{streak}" in template:
        flipped = "下滑" if case.sign > 0 else "增长"
        return _same_world(case, case.having(streak=slots["streak"][:4] + flipped))
    turn = "由盈转亏" if case.sign > 0 else "扭亏为盈"
    return _same_world(case, case.having(turn=turn))


def _derivation(case: Case, rng: random.Random) -> _Made:
    if case.phrasing["kind"] != "derivation":
        return None
    slots = [
        s for s in ("diff", "direction_diff", "growth", "ratio", "share") if f"{{{s}}}" in case.phrasing["template"]
    ]
    if not slots:
        return None
    slot = rng.choice(slots)
    changed = _other_digits(case.slots[slot], rng)
    return _same_world(case, case.having(**{slot: changed}) if changed else None)


_INVENTED_CLAIMS = (
    "海外收入占比将超过一半",
    "商誉减值风险已经释放",
    "管理层更迭会打断扩产节奏",
    "新产品毛利率明显更高",
    "库存去化接近尾声",
)


def _attribution(case: Case, rng: random.Random) -> _Made:
    if case.phrasing["kind"] != "attribution":
        return None
    way = rng.randrange(4)
    role = case.slots["role"]
    if way == 0:
        return _same_world(case, case.having(role="空方" if role == "多方" else "多方"))
    if way == 1:
        mine = "bull" if role == "多方" else "bear"
        return case, case.world.facts, [c for c in case.world.claims if c.role != mine]
    if way == 2:
        changed = _other_digits(case.slots["claim"], rng)
        return _same_world(case, case.having(claim=changed) if changed else None)
    return _same_world(case, case.having(claim=rng.choice(_INVENTED_CLAIMS)))


_PLANTERS: dict[str, Callable[[Case, random.Random], _Made]] = {
    "digits": _digits, "unit": _unit, "sign": _sign, "direction": _direction, "period": _period, "metric": _metric,
    "company": _company, "stale value": _stale,
    "invented fact": _invented, "invented comparison": _comparison, "wrong derivation": _derivation,
    "wrong attribution": _attribution,
}  # fmt: skip
KINDS = tuple(_PLANTERS)
