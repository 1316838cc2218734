"""Packs for tests of the debate: a fictional company with facts of every dimension."""

# ruff: noqa: E501, E741 -- one fact, one line

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from flows.contracts.metrics import METRICS
from flows.contracts.packs import (
    Completeness,
    Dimension,
    Fact,
    FactKind,
    Identity,
    Missing,
    Pack,
    Polarity,
    pack_version,
)
from flows.contracts.units import Unit
from flows.evidence.phrasing import directed, say
from flows.evidence.roles import assign_roles

SHANGHAI = ZoneInfo("Asia/Shanghai")
DAY = date(2026, 10, 30)
REPORTED = date(2026, 9, 30)
SYMBOL = "600000.SH"
F, V, C, T, R, I, P = (
    Dimension.FUNDAMENTALS, Dimension.VALUATION, Dimension.CAPITAL, Dimension.TECHNICAL, Dimension.RISK,
    Dimension.INDUSTRY, Dimension.POLICY,
)  # fmt: skip

#: field, value, polarity, dimension, period
MARKET = [
    ("close_cny", 12.34, "0", T, ""), ("change_pct", -1.25, "0", T, ""),
    ("high_52w_cny", 18.6, "0", T, "近52周"), ("low_52w_cny", 9.85, "0", T, "近52周"),
    ("position_52w_pct", 28.46, "0", T, "近52周"), ("drawdown_52w_pct", -33.66, "-", R, "近52周"),
    ("return_5d_pct", -2.3, "0", T, "近5日"), ("return_20d_pct", -6.8, "-", T, "近20日"),
    ("return_60d_pct", -11.52, "-", T, "近60日"), ("up_days_60d", 27, "0", T, "近60日"),
    ("volatility_60d_pct", 34.71, "0", R, "近60日"), ("atr_14_cny", 0.41, "0", T, ""),
    ("daily_return_q05_60d_pct", -3.12, "0", R, "近60日"), ("ma_20_cny", 12.71, "0", T, ""),
    ("ma_60_cny", 13.28, "0", T, ""), ("ma_250_cny", 14.07, "0", T, ""), ("rsi_14", 38.2, "0", T, ""),
    ("volume_ratio_5d", 0.83, "0", T, ""), ("limit_down_days_60d", 0, "0", R, "近60日"),
    ("pe_ttm", 14.52, "0", V, ""), ("pb", 1.31, "0", V, ""), ("ps_ttm", 1.88, "0", V, ""),
    ("pe_ttm_pct_1y", 9.14, "+", V, "近1年"), ("pe_ttm_pct_3y", 12.4, "+", V, "近3年"),
    ("pe_ttm_pct_5y", 15.83, "+", V, "近5年"), ("pb_pct_3y", 18.75, "+", V, "近3年"),
    ("pb_pct_5y", 22.17, "0", V, "近5年"), ("ps_ttm_pct_3y", 16.02, "+", V, "近3年"),
    ("market_cap_cny", 36.2e9, "0", V, ""), ("pledge_ratio_pct", 23.6, "-", R, ""),
    ("margin_balance_cny", 8.21e8, "0", C, ""), ("main_net_cny", -5.43e7, "-", C, "当日"),
    ("popularity_rank", 412, "0", C, ""),
]  # fmt: skip
REPORT = [
    ("revenue_cny", 1.842e10, "0", F), ("revenue_yoy_pct", 8.35, "+", F), ("net_profit_cny", 2.13e9, "0", F),
    ("net_profit_yoy_pct", 15.62, "+", F), ("deducted_net_profit_cny", 1.97e9, "0", F), ("eps_cny", 0.73, "0", F),
    ("bvps_cny", 9.42, "0", F), ("roe_pct", 7.81, "0", F), ("gross_margin_pct", 31.25, "0", F),
    ("net_margin_pct", 11.56, "0", F), ("debt_ratio_pct", 61.3, "0", R),
    ("operating_cash_flow_cny", -3.4e8, "-", F),
]  # fmt: skip
TEXTS = [
    ("公告《关于签订重大销售合同的公告》", "+", F, FactKind.ANNOUNCEMENT, date(2026, 10, 20)),
    ("公告《关于以集中竞价方式回购公司股份的方案》", "+", C, FactKind.ANNOUNCEMENT, date(2026, 10, 12)),
    ("公告《2026年第三季度报告》", "0", F, FactKind.ANNOUNCEMENT, date(2026, 10, 28)),
    ("公告《关于收到监管问询函的公告》", "-", R, FactKind.ANNOUNCEMENT, date(2026, 9, 18)),
    ("公告《关于控股股东部分股份质押的公告》", "-", R, FactKind.ANNOUNCEMENT, date(2026, 9, 3)),
    ("公告《关于涉及诉讼的进展公告》", "-", R, FactKind.ANNOUNCEMENT, date(2026, 8, 25)),
    ("新闻《甲材料新产线投产，配套客户已完成验证》", "+", F, FactKind.NEWS, date(2026, 10, 27)),
    ("新闻《甲材料主要原料价格回落》", "+", I, FactKind.NEWS, date(2026, 10, 26)),
    ("新闻《甲材料下游客户推迟提货》", "-", I, FactKind.NEWS, date(2026, 10, 29)),
    ("新闻《行业协会提示产能过剩风险》", "-", I, FactKind.NEWS, date(2026, 10, 25)),
    ("新闻《甲材料参加行业展会》", "0", I, FactKind.NEWS, date(2026, 10, 24)),
    (
        "卖方研报（某证券，评级原文“增持”，立场偏多需打折）：需求改善，成本回落",
        "+",
        F,
        FactKind.RESEARCH,
        date(2026, 9, 30),
    ),
    ("卖方研报（另一证券，评级原文“中性”，立场偏多需打折）：竞争加剧", "-", F, FactKind.RESEARCH, date(2026, 9, 12)),
]
#: sentence, polarity, dimension, day, field, value, unit, period, subject
OTHER = [
    ("同行业（材料）市盈率(TTM)均值为19.84倍（11家为正值的可比公司）", "0", I, DAY, "peers.pe_ttm_mean", 19.84,
     Unit.MULTIPLE, "材料", "行业平均"),
    ("市盈率(TTM)较同行业均值低26.81%（11家可比公司）", "+", I, DAY, "peers.pe_ttm_premium_pct", -26.81, Unit.PCT, "",
     SYMBOL),
    ("2026年9月制造业采购经理指数（PMI）为50.20", "+", P, date(2026, 9, 30), "macro.PMI", 50.2, Unit.INDEX,
     "2026年9月", "宏观"),
    ("2026年10月1年期贷款市场报价利率为3.00%", "0", P, date(2026, 10, 20), "macro.LPR1Y", 3.0, Unit.PCT, "2026年10月",
     "宏观"),
    ("2026Q3（前三季度累计）经营活动现金流净额与归母净利润之比为-0.16倍", "-", F, REPORTED,
     "financial_indicators.cash_to_profit", -0.16, Unit.MULTIPLE, "2026Q3", SYMBOL),
    ("2026Q3毛利率同比上升1.42个百分点", "+", F, REPORTED, "financial_indicators.gross_margin_yoy_pp", 1.42, Unit.PP,
     "2026Q3", SYMBOL),
]  # fmt: skip
_DIRECTED = {
    "change_pct": ("当日上涨", "当日下跌"), "return_5d_pct": ("近5日上涨", "近5日下跌"),
    "return_20d_pct": ("近20日上涨", "近20日下跌"), "return_60d_pct": ("近60日上涨", "近60日下跌"),
    "drawdown_52w_pct": ("较52周最高收盘价高", "较52周最高收盘价低"),
    "main_net_cny": ("主力资金当日净流入", "主力资金当日净流出"),
}  # fmt: skip


def _words(field: str, value: float, period: str) -> str:
    metric = METRICS[field]
    if field in _DIRECTED:
        return directed(value, metric.unit, *_DIRECTED[field])
    if "_pct_" in field:
        return f"{metric.zh.split('近')[0]}处于{period}{say(value, Unit.PCT)}分位"
    if field.endswith("yoy_pct"):
        return f"2026Q3（前三季度累计）{metric.zh.removesuffix('同比')}{directed(value, metric.unit, '同比增长', '同比下降')}"
    return (
        f"{period}{metric.zh}为{say(value, metric.unit)}"
        if period == "2026Q3"
        else f"{metric.zh}为{say(value, metric.unit)}"
    )


def _at(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 17, 30, tzinfo=SHANGHAI)


def _fact(
    number: int, words: str, polarity: str, dimension: Dimension, kind: FactKind, day: date, **more: object
) -> Fact:
    settled = {"field": "text", "value": None, "unit": Unit.TEXT, "subject": SYMBOL, **more}
    return Fact(
        id=f"E{number}", sentence=f"{words}（{day.isoformat()}，测试源）。", as_of=day, published_at=_at(day), source="测试源",
        polarity=Polarity(polarity), dimension=dimension, kind=kind, **settled,
    )  # fmt: skip


def facts() -> tuple[Fact, ...]:
    """Sixty-five facts of a fictional company."""
    made: list[Fact] = []
    for field, value, polarity, dimension, period in MARKET:
        made.append(
            _fact(len(made) + 1, _words(field, value, period), polarity, dimension, FactKind.DATA, DAY, field=field,
                  value=float(value), unit=METRICS[field].unit, period=period)
        )  # fmt: skip
    for field, value, polarity, dimension in REPORT:
        made.append(
            _fact(len(made) + 1, _words(field, value, "2026Q3"), polarity, dimension, FactKind.DATA, REPORTED, field=field,
                  value=float(value), unit=METRICS[field].unit, period="2026Q3")
        )  # fmt: skip
    for words, polarity, dimension, kind, day in TEXTS:
        made.append(_fact(len(made) + 1, words, polarity, dimension, kind, day))
    words = "股东“某投资合伙企业”减持股份占总股本0.85%"
    made.append(
        _fact(len(made) + 1, words, "-", C, FactKind.ANNOUNCEMENT, date(2026, 10, 15), field="holder_trades.changed_pct",
              value=0.85, unit=Unit.PCT)
    )  # fmt: skip
    for words, polarity, dimension, day, field, value, unit, period, subject in OTHER:
        made.append(
            _fact(len(made) + 1, words, polarity, dimension, FactKind.DATA, day, field=field, value=value, unit=unit,
                  period=period, subject=subject)
        )  # fmt: skip
    return tuple(made)


def pack(*, score: float = 82.0, only: tuple[str, ...] | None = None, extra: tuple[Fact, ...] = ()) -> Pack:
    """A pack of :func:`facts`, split by polarity between the sides."""
    chosen = tuple(f for f in facts() if only is None or f.id in only) + extra
    missing = (Missing(kind="top_list", status="NO_DATA", message="近180日没有龙虎榜记录"),)
    return Pack(
        pack_version=pack_version(chosen, (), missing),
        symbol=SYMBOL,
        identity=Identity(symbol=SYMBOL, name="甲材料", board="main", industry="材料"),
        as_of=DAY,
        cutoff=_at(DAY),
        trade_date=DAY,
        completeness=Completeness(score=score, threshold=50.0, by_dimension={}, to_add=("研报", "公告", "财务指标")),
        facts=chosen,
        missing=missing,
        roles=assign_roles(chosen, SYMBOL),
    )
