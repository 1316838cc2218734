"""Random, consistent facts of one fictional company, its peer and its industry: the truth benchmark's ground truth."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Dimension, Fact, FactKind
from flows.contracts.transcripts import Claim, Side
from flows.contracts.units import UNIT_ZH, Unit

NAMES = (
    "星海科技", "云岭股份", "松原药业", "白鹭电子", "青川能源", "北辰材料", "海棠食品", "瑞禾农业", "南岳机械",
    "长汀水务", "玉衡软件", "天枢装备",
    "澄江化工", "望舒光电", "扶摇航空", "鹿鸣传媒", "沧浪环保", "九嶷矿业", "紫薇医疗", "碧溪酒业",
)  # fmt: skip
INDUSTRY = "行业平均"
_FLOWS = ("revenue_cny", "net_profit_cny", "deducted_net_profit_cny", "operating_cash_flow_cny", "eps_cny")
_RATES = ("roe_pct", "gross_margin_pct", "net_margin_pct", "debt_ratio_pct")


def period_before(period: str, quarters: int = 4) -> str:
    """The reporting period *quarters* earlier: 2025Q3 → 2024Q3."""
    order = int(period[:4]) * 4 + int(period[5]) - 1 - quarters
    return f"{order // 4}Q{order % 4 + 1}"


@dataclass
class World:
    """Facts with whom they are about."""

    facts: list[Fact]
    symbol: str
    company: str
    peer: str
    unknown: str
    period: str
    claims: list[Claim] = field(default_factory=list)

    @property
    def names(self) -> dict[str, str]:
        """Written names the checker is told."""
        return {self.company: self.symbol}

    def find(self, name: str, *, subject: str | None = None, period: str | None = None) -> Fact | None:
        """The fact of a field, by default of the company and in any period (newest first)."""
        wanted = self.symbol if subject is None else subject
        found = [f for f in self.facts if f.field == name and f.subject == wanted and period in (None, f.period)]
        return found[0] if found else None


class _Maker:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.company, self.peer, self.unknown = rng.sample(NAMES, 3)
        self.symbol = f"6889{rng.randrange(10, 99)}.SH"
        self.as_of = date(2026, 3, 2) + timedelta(days=rng.randrange(0, 25))
        self.period = rng.choice(("2025Q2", "2025Q3", "2025Q4"))
        self.facts: list[Fact] = []

    def add(self, name: str, value: float, period: str = "", *, subject: str | None = None, sentence: str = "",
            kind: FactKind = FactKind.DATA, unit: Unit | None = None) -> None:  # fmt: skip
        owner = self.symbol if subject is None else subject
        unit = unit or METRICS[name].unit
        words = sentence or f"{period}{METRICS[name].zh}为{shown(value, unit)}"
        self.facts.append(
            Fact(
                id=f"E{len(self.facts) + 1}", sentence=words, field=name, value=value, unit=unit, as_of=self.as_of,
                published_at=datetime.combine(self.as_of, datetime.min.time(), UTC), source="benchmark",
                dimension=Dimension.FUNDAMENTALS, kind=kind, subject=owner, period=period,
            )
        )  # fmt: skip


def shown(value: float, unit: Unit) -> str:
    """A value as a fact's own sentence shows it."""
    if unit in {Unit.CNY, Unit.SHARES}:
        size = abs(value)
        scaled = f"{value / 1e8:.2f}亿" if size >= 1e8 else f"{value / 1e4:.2f}万" if size >= 1e4 else f"{value:.0f}"
        return scaled + UNIT_ZH[unit]
    if unit is Unit.RANK:
        return f"第{value:.0f}名"
    return f"{value:.0f}{UNIT_ZH[unit]}" if unit in {Unit.SESSIONS, Unit.COUNT} else f"{value:.2f}{UNIT_ZH[unit]}"


def make_world(seed: int) -> World:
    """A world drawn from *seed*."""
    maker = _Maker(random.Random(seed))
    _reports(maker)
    _prices(maker)
    _valuations(maker)
    _capital(maker)
    world = World(maker.facts, maker.symbol, maker.company, maker.peer, maker.unknown, maker.period)
    world.claims = list(_claims(world, maker.rng))
    return world


def _growth(m: _Maker, history: dict[str, list[float]], periods: list[str]) -> None:
    for name, level in (("revenue_yoy_pct", "revenue_cny"), ("net_profit_yoy_pct", "net_profit_cny")):
        now, before, earlier = history[level][:3]
        if before > 0 and now > 0:
            m.add(name, round((now / before - 1) * 100, 4), m.period)
            if earlier > 0:
                m.add(name, round((before / earlier - 1) * 100, 4), periods[1])


def _reports(m: _Maker) -> None:
    periods = [m.period, *(period_before(m.period, 4 * n) for n in (1, 2, 3))]
    drift = m.rng.choice((1, -1))
    levels = {name: _money_start(m, name) for name in _FLOWS}
    rates = {name: m.rng.uniform(5, 45) for name in _RATES}
    history: dict[str, list[float]] = {}
    for name, start in levels.items():
        steps = [1.0]
        for _ in range(3):
            steps.append(steps[-1] * (1 + drift * m.rng.uniform(0.04, 0.35)))
        history[name] = [start * step for step in reversed(steps)]
    history["net_profit_cny"] = _maybe_loss(m, history["net_profit_cny"])
    for name, start in rates.items():
        step = m.rng.choice((1, -1)) * m.rng.uniform(0.6, 2.2)
        history[name] = [round(start + step * (3 - i) * m.rng.uniform(0.9, 1.1), 4) for i in range(4)]
    for name in (*_FLOWS, *_RATES):
        for period, value in zip(periods, history[name], strict=True):
            m.add(name, _exact(name, value), period)
        quarter = history[name][0] * (m.rng.uniform(0.55, 0.8) if name in _FLOWS else m.rng.uniform(0.9, 1.1))
        m.add(name, _exact(name, quarter), period_before(m.period, 1))
    _growth(m, history, periods)
    m.add("bvps_cny", round(m.rng.uniform(2, 40), 4), m.period)
    low = m.rng.uniform(0.5, 9) * 1e8
    following = period_before(m.period, -4 + int(m.period[5]) % 4)
    for field_name, value, word in (
        ("earnings_forecasts.value_low_cny", low, "下限"),
        ("earnings_forecasts.value_high_cny", low * 1.25, "上限"),
    ):
        sentence = f"{following}业绩预告（预增）预计归属于上市公司股东的净利润{word}为{shown(value, Unit.CNY)}"
        m.add(field_name, round(value, 2), following, sentence=sentence, kind=FactKind.ANNOUNCEMENT, unit=Unit.CNY)
    growth = round(m.rng.uniform(8, 60), 2)
    for field_name, value, word in (
        ("earnings_forecasts.change_low_pct", growth, "下限"),
        ("earnings_forecasts.change_high_pct", growth + 15, "上限"),
    ):
        sentence = f"{following}业绩预告（预增）预计归属于上市公司股东的净利润同比变动{word}为{value:.2f}%"
        m.add(field_name, round(value, 2), following, sentence=sentence, kind=FactKind.ANNOUNCEMENT, unit=Unit.PCT)


def _money_start(m: _Maker, name: str) -> float:
    if name == "eps_cny":
        return m.rng.uniform(0.2, 6)
    scale = {
        "revenue_cny": 60e8,
        "net_profit_cny": 6e8,
        "deducted_net_profit_cny": 5e8,
        "operating_cash_flow_cny": 8e8,
    }[name]
    return scale * m.rng.uniform(0.3, 3)


def _maybe_loss(m: _Maker, values: list[float]) -> list[float]:
    if m.rng.random() < 0.3:
        sign = m.rng.choice((1, -1))
        return [sign * abs(values[0]), -sign * abs(values[1]), abs(values[2]), abs(values[3])]
    return values


def _exact(name: str, value: float) -> float:
    return round(value, 4 if name in {"eps_cny", *_RATES} else 2)


def _prices(m: _Maker) -> None:
    r = m.rng
    low, high = sorted((r.uniform(5, 90), r.uniform(5, 90)))
    high = max(high, low * 1.3)
    close = round(
        r.choice((low * r.uniform(1.0, 1.02), high * r.uniform(0.97, 0.999), r.uniform(low * 1.1, high * 0.9))), 2
    )
    m.add("close_cny", close)
    m.add("high_52w_cny", round(high, 2), "近52周")
    m.add("low_52w_cny", round(low, 2), "近52周")
    m.add("high_3y_cny", round(high * r.uniform(1.05, 1.6), 2), "近3年")
    m.add("low_3y_cny", round(low * r.uniform(0.5, 0.95), 2), "近3年")
    m.add("position_52w_pct", round((close - low) / (high - low) * 100, 4), "近52周")
    m.add("drawdown_52w_pct", round((close / high - 1) * 100, 4), "近52周")
    m.add("change_pct", _away(r, 0.3, 9))
    for days in (5, 20, 60):
        m.add(f"return_{days}d_pct", _away(r, 1, 30), f"近{days}日")
    for days in (5, 20, 60, 250):
        m.add(f"ma_{days}_cny", round(close * r.uniform(0.75, 1.25), 2))
    m.add("volatility_60d_pct", round(r.uniform(15, 70), 4), "近60日")
    m.add("atr_14_cny", round(close * r.uniform(0.01, 0.06), 4))
    m.add("rsi_14", round(r.uniform(20, 80), 2))
    m.add("volume_ratio_5d", round(r.uniform(0.4, 3), 4))
    for name, top in (("up_days_60d", 45), ("limit_up_days_60d", 9), ("limit_down_days_60d", 7)):
        m.add(name, float(r.randrange(2, top)), "近60日")


def _away(r: random.Random, low: float, high: float) -> float:
    return round(r.choice((1, -1)) * r.uniform(low, high), 4)


def _valuations(m: _Maker) -> None:
    r = m.rng
    for name, top in (("pe_ttm", 80), ("pb", 9), ("ps_ttm", 12), ("pcf_ttm", 50)):
        value = r.uniform(top / 10, top)
        m.add(name, round(value, 4))
        if name == "pcf_ttm":
            continue
        place = r.choice((r.uniform(1, 28), r.uniform(32, 68), r.uniform(72, 99)))
        for years in (1, 3, 5, 10):
            m.add(f"{name}_pct_{years}y", round(min(99.5, max(0.5, place + r.uniform(-1.9, 1.9))), 4), f"近{years}年")
        if name != "ps_ttm":
            for subject in (m.peer, INDUSTRY):
                other = value * r.choice((r.uniform(0.5, 0.9), r.uniform(1.1, 1.9)))
                words = f"{subject}{METRICS[name].zh}为{shown(other, Unit.MULTIPLE)}"
                m.add(name, round(other, 4), subject=subject, sentence=words)
    m.add("market_cap_cny", round(r.uniform(30, 3000) * 1e8, 2))


def _capital(m: _Maker) -> None:
    r = m.rng
    m.add("pledge_ratio_pct", round(r.uniform(2, 60), 4))
    m.add("margin_balance_cny", round(r.uniform(1, 60) * 1e8, 2))
    m.add("main_net_cny", round(r.choice((1, -1)) * r.uniform(0.1, 5) * 1e8, 2))
    m.add("popularity_rank", float(r.randrange(3, 3000)))
    shares = float(r.randrange(100, 90000) * 1e4)
    way = r.choice(("增持", "减持"))
    m.add(
        "holder_trades.changed_shares",
        shares,
        sentence=f"股东某投资公司{way}{shown(shares, Unit.SHARES)}",
        unit=Unit.SHARES,
    )
    unlocked = float(r.randrange(100, 90000) * 1e4)
    m.add("unlocks.unlocked_shares", unlocked, sentence=f"限售股解禁{shown(unlocked, Unit.SHARES)}", unit=Unit.SHARES)


def _claims(world: World, r: random.Random) -> Iterator[Claim]:
    profit, debt = world.find("roe_pct"), world.find("debt_ratio_pct")
    price, pe = world.find("return_60d_pct"), world.find("pe_ttm")
    assert profit
    assert debt
    assert price
    assert pe
    move = f"{'上涨' if price.value > 0 else '下跌'}{abs(price.value):.1f}%"
    texts = {
        ("bull", Side.FOR): (
            f"净资产收益率{profit.value:.1f}%说明资本回报仍有支撑", f"市盈率{pe.value:.1f}倍已经反映了悲观预期",
        ),
        ("bear", Side.AGAINST): (f"资产负债率{debt.value:.1f}%限制了再投资的空间", f"近60日{move}透支了交易情绪"),
    }  # fmt: skip
    for (role, side), conclusions in texts.items():
        for number, text in enumerate(conclusions, 1):
            yield Claim(
                claim_id=f"r1-{role}-{number}", turn_no=number, round_no=1, role=role, side=side,
                dimension=Dimension.FUNDAMENTALS, conclusion=text, basis="见所引事实。", reasoning="由此推演。",
                fact_ids=(profit.id,), evidence_type="历史数据",
            )  # fmt: skip
