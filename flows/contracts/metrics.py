"""The metric registry: every quantity a fact, a claim or a disagreement may name.

``field`` of a fact is a metric name wherever one fits, so that a number in a text, a fact in a pack,
a disagreement and its later settlement all speak of the same thing.
"""

from __future__ import annotations

from dataclasses import dataclass

from flows.contracts.units import Unit


@dataclass(frozen=True)
class Metric:
    """One quantity.

    Attributes:
        name: Stable English name, used as ``Fact.field``.
        zh: Chinese title a reader sees.
        unit: Unit of its values.
        aliases: Other Chinese or English words for exactly this quantity; longest match wins.
        sql: Scalar select yielding the value for ``$symbol`` as of ``$as_of`` (DuckDB); empty if the
            quantity cannot be settled from the warehouse.
        is_level: False for changes (yoy, returns), whose sign and direction word must agree.
    """

    name: str
    zh: str
    unit: Unit
    aliases: tuple[str, ...] = ()
    sql: str = ""
    is_level: bool = True


def _mart(table: str, column: str) -> str:
    return (
        f"select {column} from marts.{table} where symbol = $symbol and trade_date <= $as_of "
        "order by trade_date desc limit 1"
    )


def _latest(table: str, column: str, order: str = "report_period") -> str:
    return f"select {column} from staging.{table} where symbol = $symbol order by {order} desc limit 1"


def _price(name: str, zh: str, unit: Unit, *aliases: str, is_level: bool = True) -> Metric:
    return Metric(name, zh, unit, aliases, _mart("price_facts", name), is_level)


def _report(name: str, zh: str, unit: Unit, *aliases: str, is_level: bool = True) -> Metric:
    return Metric(name, zh, unit, aliases, _latest("financial_indicators", name), is_level)


def _percentiles() -> list[Metric]:
    titles = {"pe_ttm": "市盈率(TTM)", "pb": "市净率", "ps_ttm": "市销率(TTM)"}
    return [
        Metric(
            f"{multiple}_pct_{years}y", f"{title}近{years}年分位", Unit.PCT,
            (f"{title}{years}年分位", f"{years}年{title}分位"),
            _mart("valuation_percentiles", f"{multiple}_pct_{years}y"),
        )
        for multiple, title in titles.items()
        for years in (1, 3, 5, 10)
    ]  # fmt: skip


_ALL: tuple[Metric, ...] = (
    _price("close_cny", "收盘价", Unit.CNY_PER_SHARE, "收盘", "股价", "现价", "当前价", "最新价"),
    _price("change_pct", "当日涨跌幅", Unit.PCT, "涨跌幅", "日涨幅", "日跌幅", is_level=False),
    _price("high_52w_cny", "52周最高价", Unit.CNY_PER_SHARE, "一年最高", "52周高点", "年内高点"),
    _price("low_52w_cny", "52周最低价", Unit.CNY_PER_SHARE, "一年最低", "52周低点", "年内低点"),
    _price("position_52w_pct", "52周区间位置", Unit.PCT),
    _price("high_3y_cny", "三年最高价", Unit.CNY_PER_SHARE, "近三年最高", "三年高点"),
    _price("low_3y_cny", "三年最低价", Unit.CNY_PER_SHARE, "近三年最低", "三年低点"),
    _price("position_3y_pct", "三年区间位置", Unit.PCT),
    _price("drawdown_52w_pct", "较52周高点回撤", Unit.PCT, "回撤", "较高点回落", is_level=False),
    _price("return_5d_pct", "近5日涨跌幅", Unit.PCT, "5日涨幅", "5日跌幅", "近5个交易日涨跌幅", is_level=False),
    _price("return_20d_pct", "近20日涨跌幅", Unit.PCT, "20日涨幅", "20日跌幅", "近20个交易日涨跌幅",
           is_level=False),
    _price("return_60d_pct", "近60日涨跌幅", Unit.PCT, "60日涨幅", "60日跌幅", "近60个交易日涨跌幅",
           is_level=False),
    _price("daily_return_q05_60d_pct", "近60日日收益5%分位", Unit.PCT, is_level=False),
    _price("daily_return_q50_60d_pct", "近60日日收益中位数", Unit.PCT, is_level=False),
    _price("daily_return_q95_60d_pct", "近60日日收益95%分位", Unit.PCT, is_level=False),
    _price("up_days_60d", "近60日上涨天数", Unit.SESSIONS, "上涨天数"),
    _price("volatility_60d_pct", "近60日年化波动率", Unit.PCT, "波动率", "年化波动率"),
    _price("atr_14_cny", "ATR(14)", Unit.CNY_PER_SHARE, "ATR", "真实波幅"),
    _price("ma_5_cny", "5日均线", Unit.CNY_PER_SHARE, "MA5", "五日均线"),
    _price("ma_20_cny", "20日均线", Unit.CNY_PER_SHARE, "MA20", "二十日均线"),
    _price("ma_60_cny", "60日均线", Unit.CNY_PER_SHARE, "MA60", "六十日均线"),
    _price("ma_250_cny", "250日均线", Unit.CNY_PER_SHARE, "MA250", "年线"),
    _price("rsi_14", "RSI(14)", Unit.INDEX, "RSI", "相对强弱指标"),
    _price("volume_ratio_5d", "量比(5日)", Unit.MULTIPLE, "量比"),
    _price("limit_up_days_60d", "近60日涨停天数", Unit.SESSIONS, "涨停次数", "涨停天数"),
    _price("limit_down_days_60d", "近60日跌停天数", Unit.SESSIONS, "跌停次数", "跌停天数"),
    Metric("pe_ttm", "市盈率(TTM)", Unit.MULTIPLE, ("市盈率TTM", "滚动市盈率", "市盈率", "PE TTM", "PE(TTM)", "PE"),
           _mart("valuation_percentiles", "pe_ttm")),
    Metric("pb", "市净率", Unit.MULTIPLE, ("PB", "PB MRQ"), _mart("valuation_percentiles", "pb")),
    Metric("ps_ttm", "市销率(TTM)", Unit.MULTIPLE, ("市销率", "PS TTM", "PS"),
           _mart("valuation_percentiles", "ps_ttm")),
    Metric("pcf_ttm", "市现率(TTM)", Unit.MULTIPLE, ("市现率", "PCF"),
           _latest("valuations", "pcf_ttm", "trade_date")),
    Metric("market_cap_cny", "总市值", Unit.CNY, ("市值",), _latest("valuations", "market_cap_cny", "trade_date")),
    *_percentiles(),
    _report("revenue_cny", "营业收入", Unit.CNY, "营收", "收入", "营业总收入"),
    _report("revenue_yoy_pct", "营业收入同比", Unit.PCT, "营收同比", "营收增速", "收入增速", "收入同比",
            is_level=False),
    _report("net_profit_cny", "归母净利润", Unit.CNY, "净利润", "归属于上市公司股东的净利润", "净利"),
    _report("net_profit_yoy_pct", "净利润同比", Unit.PCT, "归母净利润同比", "净利增速", "净利润增速", "净利同比",
            is_level=False),
    _report("deducted_net_profit_cny", "扣非净利润", Unit.CNY, "扣非归母净利润", "扣非净利"),
    _report("eps_cny", "每股收益", Unit.CNY_PER_SHARE, "基本每股收益", "EPS"),
    _report("bvps_cny", "每股净资产", Unit.CNY_PER_SHARE, "BPS"),
    _report("roe_pct", "净资产收益率", Unit.PCT, "ROE", "加权净资产收益率"),
    _report("gross_margin_pct", "毛利率", Unit.PCT, "销售毛利率"),
    _report("net_margin_pct", "净利率", Unit.PCT, "销售净利率"),
    _report("debt_ratio_pct", "资产负债率", Unit.PCT, "负债率"),
    _report("operating_cash_flow_cny", "经营活动现金流净额", Unit.CNY, "经营现金流", "经营性现金流",
            "经营活动产生的现金流量净额"),
    Metric("pledge_ratio_pct", "质押比例", Unit.PCT, ("股权质押比例", "股份质押比例"),
           _latest("pledges", "pledge_ratio_pct", "trade_date")),
    Metric("margin_balance_cny", "融资余额", Unit.CNY, (), _latest("margins", "margin_balance_cny", "trade_date")),
    Metric("main_net_cny", "主力净流入", Unit.CNY, ("主力资金净流入", "主力资金净流出", "主力净流出"),
           _latest("fund_flows", "main_net_cny", "trade_date"), is_level=False),
    Metric("popularity_rank", "人气排名", Unit.RANK, ("热度排名",),
           _latest("attention", "popularity_rank", "trade_date")),
)  # fmt: skip

METRICS: dict[str, Metric] = {metric.name: metric for metric in _ALL}
