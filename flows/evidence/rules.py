"""Which dimension a field belongs to, its unit, and when its value speaks for or against.

The whole of the polarity of data facts is this table: a value at or above ``positive_from`` (or at or
below ``positive_to``) is positive, at or above ``negative_from`` (or at or below ``negative_to``)
negative, anything else neutral. Thresholds are conventions for sorting evidence between the sides,
not judgements; a field without thresholds is neutral at any value and goes to both sides. Where a second
value tells that a good one is no good news (a loss that narrows, cash that fell), the plus is withheld
(:func:`without_plus`); a minus is never withheld. Texts have tables of their own, ``sides`` and ``text_sides``.
"""

from __future__ import annotations

from dataclasses import dataclass

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Dimension, Polarity
from flows.contracts.units import Unit

_TINY = 1e-9


@dataclass(frozen=True)
class Rule:
    """Dimension, unit and thresholds of one field (inclusive bounds, in the unit of the field).

    Attributes:
        why: The convention behind the thresholds, for the reader.
        not_for: Industry words to whose companies the thresholds do not apply.
        only_for: Industry words to whose companies alone they apply; empty means to all.
    """

    dimension: Dimension
    unit: Unit
    positive_from: float | None = None
    positive_to: float | None = None
    negative_from: float | None = None
    negative_to: float | None = None
    why: str = ""
    not_for: tuple[str, ...] = ()
    only_for: tuple[str, ...] = ()

    def polarity(self, value: float, industry: str | None = None) -> Polarity:
        """Which side *value* speaks for."""
        if not self._applies(industry or ""):
            return Polarity.NEUTRAL
        if _reaches(value, self.positive_from, self.positive_to):
            return Polarity.POSITIVE
        if _reaches(value, self.negative_from, self.negative_to):
            return Polarity.NEGATIVE
        return Polarity.NEUTRAL

    def _applies(self, industry: str) -> bool:
        if any(word in industry for word in self.not_for):
            return False
        return not self.only_for or any(word in industry for word in self.only_for)


def without_plus(side: Polarity) -> Polarity:
    """*side* where a second value denies the good news: a plus becomes neutral, a minus stays."""
    return Polarity.NEUTRAL if side is Polarity.POSITIVE else side


def without_minus(side: Polarity) -> Polarity:
    """*side* with its minus taken away: for the good half of a pair whose balance is bad."""
    return Polarity.NEUTRAL if side is Polarity.NEGATIVE else side


def _reaches(value: float, at_least: float | None, at_most: float | None) -> bool:
    return (at_least is not None and value >= at_least) or (at_most is not None and value <= at_most)


_FINANCIAL = ("银行", "保险", "证券", "金融", "信托")
#: Makers of capital goods sell to manufacturers: the only industries a manufacturing index speaks for by itself.
_CAPITAL_GOODS = ("通用设备", "专用设备", "机械设备", "工程机械")
#: Year-on-year changes inside this band are flat, percent.
_FLAT_YOY = 1.0


def _metric(name: str, dimension: Dimension, **thresholds: float | str | tuple[str, ...]) -> tuple[str, Rule]:
    return name, Rule(dimension, METRICS[name].unit, **thresholds)  # type: ignore[arg-type]


def _sign(name: str, dimension: Dimension, why: str) -> tuple[str, Rule]:
    return _metric(name, dimension, positive_from=_TINY, negative_to=-_TINY, why=why)


def _yoy(name: str) -> tuple[str, Rule]:
    return _metric(
        name, Dimension.FUNDAMENTALS, positive_from=_FLAT_YOY, negative_to=-_FLAT_YOY, why="同比±1%以内视为持平"
    )


def _percentiles() -> list[tuple[str, Rule]]:
    why = "分位≥80视为偏高，≤20视为偏低"
    return [
        _metric(f"{multiple}_pct_{years}y", Dimension.VALUATION, positive_to=20, negative_from=80, why=why)
        for multiple in ("pe_ttm", "pb", "ps_ttm")
        for years in (1, 3, 5, 10)
    ]


def _signed(dimension: Dimension, unit: Unit, why: str) -> Rule:
    return Rule(dimension, unit, positive_from=_TINY, negative_to=-_TINY, why=why)


def _beyond(dimension: Dimension, unit: Unit, band: float) -> Rule:
    return Rule(dimension, unit, positive_from=band, negative_to=-band, why=f"±{band:g}以内视为中性")


_F, _V, _C, _T, _R, _I, _P = (
    Dimension.FUNDAMENTALS, Dimension.VALUATION, Dimension.CAPITAL, Dimension.TECHNICAL, Dimension.RISK,
    Dimension.INDUSTRY, Dimension.POLICY,
)  # fmt: skip

_METRIC_RULES = dict((
    _metric("close_cny", _T),
    _metric("change_pct", _T),
    _metric("high_52w_cny", _T),
    _metric("low_52w_cny", _T),
    _metric("position_52w_pct", _T),
    _metric("high_3y_cny", _T),
    _metric("low_3y_cny", _T),
    _metric("position_3y_pct", _T),
    _metric("drawdown_52w_pct", _R, negative_to=-30, why="较52周最高收盘价低30%以上视为负面"),
    _metric("return_5d_pct", _T, positive_from=5, negative_to=-5, why="±5%以内视为中性"),
    _metric("return_20d_pct", _T, positive_from=5, negative_to=-5, why="±5%以内视为中性"),
    _metric("return_60d_pct", _T, positive_from=10, negative_to=-10, why="±10%以内视为中性"),
    _metric("daily_return_q05_60d_pct", _R, negative_to=-5, why="日收益5%分位低于-5%视为尾部风险偏大"),
    _metric("daily_return_q50_60d_pct", _T),
    _metric("daily_return_q95_60d_pct", _T),
    _metric("up_days_60d", _T, positive_from=36, negative_to=24, why="60日中上涨日不少于六成为正面，不多于四成为负面"),
    _metric("volatility_60d_pct", _R, negative_from=50, why="年化波动率≥50%视为偏高"),
    _metric("atr_14_cny", _T),
    _metric("ma_5_cny", _T),
    _metric("ma_20_cny", _T),
    _metric("ma_60_cny", _T),
    _metric("ma_250_cny", _T),
    _metric("rsi_14", _T, positive_to=30, negative_from=70, why="Wilder RSI≥70为超买区，≤30为超卖区"),
    _metric("volume_ratio_5d", _T),
    _metric("limit_up_days_60d", _T, positive_from=1, why="有涨停"),
    _metric("limit_down_days_60d", _R, negative_from=1, why="有跌停"),
    _metric("pe_ttm", _V, negative_to=0, why="市盈率为负即亏损"),
    _metric("pb", _V, negative_to=0, why="市净率为负即资不抵债"),
    _metric("ps_ttm", _V),
    _metric("pcf_ttm", _V),
    _metric("market_cap_cny", _V),
    *_percentiles(),
    _metric("revenue_cny", _F),
    _yoy("revenue_yoy_pct"),
    _metric("net_profit_cny", _F, negative_to=-_TINY, why="亏损为负面"),
    _yoy("net_profit_yoy_pct"),
    _metric("deducted_net_profit_cny", _F, negative_to=-_TINY, why="扣非亏损为负面"),
    _metric("eps_cny", _F, negative_to=-_TINY, why="亏损为负面"),
    _metric("bvps_cny", _F, negative_to=0, why="每股净资产为负即资不抵债"),
    _metric("roe_pct", _F, negative_to=-_TINY, why="ROE为累计口径，只在为负时有方向"),
    _metric("gross_margin_pct", _F, negative_to=-_TINY, why="毛利率为负"),
    _metric("net_margin_pct", _F, negative_to=-_TINY, why="净利率为负"),
    _metric("debt_ratio_pct", _R, negative_from=70, why="资产负债率≥70%偏高，金融业不适用", not_for=_FINANCIAL),
    _sign("operating_cash_flow_cny", _F, "现金流符号"),
    _metric("pledge_ratio_pct", _R, negative_from=20, why="质押比例≥20%偏高"),
    _metric("margin_balance_cny", _C),
    _metric("main_net_cny", _C),
    _metric("popularity_rank", _C),
))  # fmt: skip

#: Fields that are no metric of the registry: ``kind.column`` or what the program computed from a kind.
_OTHER_RULES = {
    "valuation_percentiles.obs": Rule(_V, Unit.COUNT),
    "price_facts.limit_pct": Rule(_T, Unit.PCT),
    "daily_bars.amount_cny": Rule(_T, Unit.CNY),
    "financial_indicators.deducted_yoy_pct": _beyond(_F, Unit.PCT, _FLAT_YOY),
    "financial_indicators.quarter_revenue_yoy_pct": _beyond(_F, Unit.PCT, _FLAT_YOY),
    "financial_indicators.quarter_net_profit_cny": Rule(_F, Unit.CNY, negative_to=-_TINY, why="单季亏损为负面"),
    "financial_indicators.quarter_net_profit_yoy_pct": _beyond(_F, Unit.PCT, _FLAT_YOY),
    "financial_indicators.operating_cash_flow_yoy_pct": _beyond(_F, Unit.PCT, 10),
    "financial_indicators.operating_cash_flow_change_cny": _signed(_F, Unit.CNY, "经营现金流较上年同期的变动额"),
    "financial_indicators.gross_margin_yoy_pp": _beyond(_F, Unit.PP, 0.5),
    "financial_indicators.roe_yoy_pp": _beyond(_F, Unit.PP, 0.5),
    "financial_indicators.debt_ratio_yoy_pp": Rule(
        _R, Unit.PP, positive_to=-2, negative_from=2, why="升2个百分点为负面，降2个百分点为正面"),
    "financial_indicators.cash_to_profit": Rule(
        _F, Unit.MULTIPLE, positive_from=1, negative_to=0.5, not_for=_FINANCIAL,
        why="经营现金流与净利润之比≥1为正面，≤0.5为负面，金融业不适用"),
    "corporate_actions.cash_cny": Rule(_F, Unit.CNY_PER_SHARE, positive_from=_TINY, why="现金分红"),
    "corporate_actions.bonus_ratio": Rule(_F, Unit.MULTIPLE),
    "corporate_actions.rights_ratio": Rule(_C, Unit.MULTIPLE, negative_from=_TINY, why="配股摊薄"),
    "earnings_forecasts.value_low_cny": Rule(_F, Unit.CNY, negative_to=-_TINY, why="预计亏损为负面"),
    "earnings_forecasts.value_high_cny": Rule(_F, Unit.CNY, negative_to=-_TINY, why="预计亏损为负面"),
    "earnings_forecasts.change_low_pct": _signed(_F, Unit.PCT, "预计同比变动的符号"),
    "earnings_forecasts.change_high_pct": _signed(_F, Unit.PCT, "预计同比变动的符号"),
    "earnings_forecasts.revision_cny": _signed(_F, Unit.CNY, "对同一期间的预告较上一次的调整方向"),
    "holder_trades.changed_shares": Rule(_C, Unit.SHARES),
    "holder_trades.changed_pct": Rule(_C, Unit.PCT),
    "unlocks.unlocked_shares": Rule(_C, Unit.SHARES),
    "unlocks.unlocked_pct": Rule(_C, Unit.PCT, negative_from=1, why="解禁占总股本≥1%"),
    "top_list.net_buy_cny": _signed(_C, Unit.CNY, "上榜席位净买卖"),
    "margins.balance_change_5d_pct": _beyond(_C, Unit.PCT, 3),
    "fund_flows.main_net_5d_cny": Rule(_C, Unit.CNY),
    "fund_flows.main_net_5d_share_pct": _beyond(_C, Unit.PCT, 5),
    "suspensions.days": Rule(_R, Unit.COUNT, negative_from=1, why="停牌期间不能交易"),
    "macro.PMI": Rule(
        _P, Unit.INDEX, positive_from=50 + _TINY, negative_to=50 - _TINY, only_for=_CAPITAL_GOODS, why="PMI荣枯线50"),
    "peers.pe_ttm_premium_pct": Rule(
        _I, Unit.PCT, positive_to=-20, negative_from=20, why="较同业均值高20%偏高，低20%偏低"),
    "peers.pb_premium_pct": Rule(
        _I, Unit.PCT, positive_to=-20, negative_from=20, why="较同业均值高20%偏高，低20%偏低"),
    "research_reports.eps_year_0_cny": Rule(_F, Unit.CNY_PER_SHARE),
    "research_reports.eps_year_1_cny": Rule(_F, Unit.CNY_PER_SHARE),
    "research_reports.eps_revision_cny": _signed(_F, Unit.CNY_PER_SHARE, "同一机构对同一年度预测的调整方向"),
    "research_reports.eps_consensus_growth_pct": _beyond(_F, Unit.PCT, 5),
    "announcements.contract_share_pct": Rule(
        _F, Unit.PCT, positive_from=5, why="合同金额占上年营业收入≥5%"),
    "news.items": Rule(_C, Unit.COUNT),
    "news.positive_items": Rule(_C, Unit.COUNT),
    "news.negative_items": Rule(_C, Unit.COUNT),
    "news.balance": Rule(
        _C, Unit.COUNT, positive_from=2, negative_to=-2, why="标题偏正面与偏负面的条数之差不少于2，只看标题"),
    "peers.obs": Rule(_I, Unit.COUNT),
}  # fmt: skip

RULES: dict[str, Rule] = {**_METRIC_RULES, **_OTHER_RULES}


def rule_for(field: str) -> Rule:
    """The rule of *field*; macro indicators without their own rule are neutral policy data."""
    if field in RULES:
        return RULES[field]
    if field.startswith("macro."):
        return Rule(_P, Unit.PCT)
    raise KeyError(f"no evidence rule for field {field}")
