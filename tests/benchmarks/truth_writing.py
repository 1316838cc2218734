"""Values, periods and names as people write them: the many honest spellings of one fact."""

from __future__ import annotations

import random

import cn2an

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Fact
from flows.contracts.units import Unit

UP, DOWN = ("增长", "上升", "提升"), ("下降", "下滑", "减少")
PRICE_UP, PRICE_DOWN = ("上涨", "累计上涨", "涨"), ("下跌", "累计下跌", "跌")
_FULL_WIDTH = str.maketrans("0123456789.%", "０１２３４５６７８９．％")
_QUARTER_WORDS = {
    "1": ("{y}Q1", "{y}年一季报", "{y}年一季度", "{y}年第一季度"),
    "2": ("{y}Q2", "{y}年中报", "{y}年上半年", "{y}年半年报", "{y}H1", "{y}年1-6月"),
    "3": ("{y}Q3", "{y}年三季报", "{y}年前三季度", "{y}年1-9月"),
    "4": ("{y}Q4", "{y}年年报", "{y}年", "{y}年度", "{y}年全年"),
}  # fmt: skip


def period_words(period: str, rng: random.Random) -> str:
    """One spelling of a reporting period or window."""
    if len(period) == 6 and period[4] == "Q":
        return rng.choice(_QUARTER_WORDS[period[5]]).format(y=period[:4])
    number = period.strip("近日周年")
    if period.endswith("日"):
        return rng.choice((period, f"近{number}个交易日", f"最近{number}个交易日"))
    if period.endswith("年"):
        return rng.choice((period, f"近{cn2an.an2cn(number)}年"))
    return period


def amount(value: float, unit: Unit, rng: random.Random) -> str:
    """One rounded spelling of a value with its unit; a negative value keeps its sign."""
    sign, size = ("-" if value < 0 else ""), abs(value)
    if unit in {Unit.CNY, Unit.SHARES}:
        return sign + _scaled(size, "元" if unit is Unit.CNY else "股", rng)
    if unit in {Unit.PCT, Unit.PP}:
        return sign + _percent(size, "%" if unit is Unit.PCT else "个百分点", rng)
    return _small_amount(sign, size, unit, rng)


def _small_amount(sign: str, size: float, unit: Unit, rng: random.Random) -> str:
    if unit is Unit.MULTIPLE:
        return sign + f"{size:.{rng.choice((1, 2, 2))}f}" + rng.choice(("倍", "倍", " 倍", "x"))
    if unit is Unit.CNY_PER_SHARE:
        return sign + f"{size:.2f}" + rng.choice(("元", "元", " 元", "元/股"))
    if unit is Unit.RANK:
        return rng.choice((f"第{size:.0f}名", f"第{size:.0f}位"))
    if unit in {Unit.SESSIONS, Unit.COUNT}:
        return f"{size:.0f}" + rng.choice(("天", "天", "个交易日"))
    return f"{sign}{size:.2f}"


def _scaled(size: float, word: str, rng: random.Random) -> str:
    if size < 1e6:
        return f"{size:.0f}{word}"
    spelled = rng.randrange(7)
    if size >= 1e8 and spelled <= 2:
        return f"{size / 1e8:.{rng.choice((1, 2, 2))}f}{rng.choice(('', ' '))}亿{word}"
    if size >= 1e8 and spelled == 3:
        digits = cn2an.an2cn(f"{size / 1e8:.2f}", "low")
        return f"{digits}亿{word}"
    if spelled == 4:
        return f"{size / 1e4:,.2f}万{word}"
    if spelled == 5 and size < 1e10:
        return f"{size:,.0f}{word}"
    return f"{size / 1e4:.0f}万{word}"


def _percent(size: float, word: str, rng: random.Random) -> str:
    places = rng.choice((1, 2, 2))
    text = f"{size:.{places}f}"
    if word == "%" and rng.random() < 0.06 and size < 100:
        return f"百分之{cn2an.an2cn(text, 'low')}"
    if rng.random() < 0.05:
        return f"{text}{word}".translate(_FULL_WIDTH)
    return text + word


def directed(value: float, unit: Unit, rng: random.Random, *, is_price: bool = False) -> str:
    """Direction word and magnitude."""
    words = (PRICE_UP if value > 0 else PRICE_DOWN) if is_price else (UP if value > 0 else DOWN)
    return (
        rng.choice(words) + rng.choice(("", "", "了", "约" if unit is Unit.PCT else "")) + amount(abs(value), unit, rng)
    )


_SIGNED = (
    "日涨幅",
    "日跌幅",
    "5日涨幅",
    "5日跌幅",
    "20日涨幅",
    "20日跌幅",
    "60日涨幅",
    "60日跌幅",
    "主力资金净流入",
    "主力资金净流出",
    "主力净流出",
    "较高点回落",
)


def metric_words(fact: Fact, rng: random.Random, *, with_period: bool) -> str:
    """The title or an alias of a fact's metric; without its window if the sentence says the window itself."""
    fixed = {
        "holder_trades.changed_shares": "减持股数" if "减持" in fact.sentence else "增持股数",
        "unlocks.unlocked_shares": "解禁股数",
        "earnings_forecasts.value_low_cny": "预计净利润",
    }  # fmt: skip
    if fact.field in fixed:
        return fixed[fact.field]
    metric = METRICS[fact.field]
    words = [w for w in (metric.zh, *metric.aliases) if w not in _SIGNED]
    if with_period and fact.period and not fact.period.startswith("20"):
        bare = [w for w in words if not any(c.isdigit() for c in w) and "年" not in w]
        words = bare or words
    elif fact.period and not fact.period.startswith("20"):
        words = [w for w in words if any(c.isdigit() or c in "三一年周" for c in w)] or words
    return rng.choice(words)
