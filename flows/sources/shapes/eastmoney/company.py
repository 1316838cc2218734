"""A company's reports, forecasts, dividends, sell-side reports and peers as East Money prints them.

Contracts: ``stock_financial_analysis_indicator_em``, ``stock_yjyg_em`` (the transport adds the asked quarter
as ``查询日期``), ``stock_research_report_em``, ``stock_fhps_detail_em``, ``stock_zh_valuation_comparison_em``.
"""

from __future__ import annotations

import re

import polars as pl

from flows.contracts.envelope import Request
from flows.errors import DataRejected
from flows.market.sessions import due_session, load_calendar
from flows.market.symbols import parse_symbol
from flows.sources.shapes.common import (
    ASKED,
    bare,
    check,
    days,
    finish,
    midnight,
    numbers,
    only_entity,
    picked,
    require_values,
    stamp,
    take,
    unique_rows,
    unmarked,
    wanted,
)

INDICATORS = "akshare.stock_financial_analysis_indicator_em"
FORECASTS = "akshare.stock_yjyg_em"
REPORTS = "akshare.stock_research_report_em"
DIVIDENDS = "akshare.stock_fhps_detail_em"
COMPARISON = "akshare.stock_zh_valuation_comparison_em"
_INDICATORS = {
    "TOTALOPERATEREVE": "revenue_cny", "TOTALOPERATEREVETZ": "revenue_yoy_pct", "PARENTNETPROFIT": "net_profit_cny",
    "PARENTNETPROFITTZ": "net_profit_yoy_pct", "KCFJCXSYJLR": "deducted_net_profit_cny", "EPSJB": "eps_cny",
    "BPS": "bvps_cny", "ROEJQ": "roe_pct", "XSMLL": "gross_margin_pct", "XSJLL": "net_margin_pct",
    "ZCFZL": "debt_ratio_pct", "NETCASH_OPERATE_PK": "operating_cash_flow_cny",
}  # fmt: skip
_INDICATOR_KEYS = ("SECUCODE", "REPORT_DATE", "NOTICE_DATE")
_FORECAST_COLUMNS = (
    "股票代码", "预测指标", "业绩变动", "预测数值", "业绩变动幅度", "业绩变动原因", "预告类型", "上年同期值",
    "公告日期",
)  # fmt: skip
_REPORT_COLUMNS = ("股票代码", "报告名称", "东财评级", "机构", "日期", "报告PDF链接")
_REPORT_EXTRA = ("摘要", "序号", "股票简称", "近一月个股研报数", "行业")
_FORECAST_LABEL = re.compile(r"^(\d{4})-盈利预测-(收益|市盈率)$")
_DIVIDEND_COLUMNS = (
    "报告期", "业绩披露日期", "送转股份-送转总比例", "送转股份-送股比例", "送转股份-转股比例", "现金分红-现金分红比例",
    "现金分红-现金分红比例描述", "现金分红-股息率", "每股收益", "每股净资产", "每股公积金", "每股未分配利润",
    "净利润同比增长", "总股本", "预案公告日", "股权登记日", "除权除息日", "方案进度", "最新公告日期",
)  # fmt: skip
_PEER_COLUMNS = ("代码", "简称", "市盈率-TTM", "市净率-MRQ")


def financial_indicators(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Main indicators per report, cumulative within the year.

    A row counts as public from the later of NOTICE_DATE and UPDATE_DATE: the values are those of the last
    update, and a restatement must not be seen earlier than it was made. Absent indicators stay null.
    """
    required = (*_INDICATOR_KEYS, "PARENTNETPROFIT", "TOTALOPERATEREVE")
    rows = take(frame, INDICATORS, required, (*_INDICATORS, "UPDATE_DATE", "CURRENCY"), is_open=True)
    only_entity(rows, INDICATORS, "SECUCODE", wanted(request))
    if "UPDATE_DATE" not in rows.columns:
        rows = rows.with_columns(pl.col("NOTICE_DATE").alias("UPDATE_DATE"))
    present = [name for name in _INDICATORS if name in rows.columns]
    rows = numbers(days(rows, INDICATORS, "REPORT_DATE", "NOTICE_DATE", "UPDATE_DATE"), INDICATORS, *present)
    require_values(rows, INDICATORS, "REPORT_DATE", "NOTICE_DATE")
    _check_reports(rows)
    rows = unique_rows(rows, INDICATORS, ["REPORT_DATE"]).with_columns(
        pl.max_horizontal("NOTICE_DATE", "UPDATE_DATE").alias("visible")
    )
    rows = rows.select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("REPORT_DATE").alias("report_period"),
        pl.col("NOTICE_DATE").alias("notice_date"),
        *(pl.col(theirs).alias(_INDICATORS[theirs]) for theirs in present),
        midnight("visible").alias("published_at"),
    )
    return finish(rows, "financial_indicators", request, "notice_date")


def _check_reports(rows: pl.DataFrame) -> None:
    show = ("REPORT_DATE", "NOTICE_DATE")
    quarter_end = pl.col("REPORT_DATE").dt.strftime("%m-%d").is_in(["03-31", "06-30", "09-30", "12-31"])
    check(rows, INDICATORS, quarter_end, "报告期不是季度末", show)
    check(rows, INDICATORS, pl.col("NOTICE_DATE") > pl.col("REPORT_DATE"), "公告日期早于报告期末", show)
    if "ZCFZL" in rows.columns:
        check(rows, INDICATORS, pl.col("ZCFZL") >= 0, "资产负债率为负(列可能错位)", (*show, "ZCFZL"))
    if "XSMLL" in rows.columns:
        check(rows, INDICATORS, pl.col("XSMLL") <= 100, "毛利率超过 100%(列可能错位)", (*show, "XSMLL"))


def earnings_forecasts(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Forecast lines of the company for the asked quarter; point values stand in the lower bound."""
    rows = take(frame, FORECASTS, (*_FORECAST_COLUMNS, ASKED), ("序号", "股票简称"))
    rows = days(picked(rows, "股票代码", request), FORECASTS, "公告日期", ASKED)
    rows = numbers(rows, FORECASTS, "预测数值", "业绩变动幅度", "上年同期值")
    require_values(rows, FORECASTS, "预测指标", "公告日期", ASKED)
    rows = unique_rows(rows.drop("序号", strict=False), FORECASTS, [ASKED, "预测指标", "公告日期"]).select(
        "symbol",
        pl.col(ASKED).alias("report_period"),
        pl.col("公告日期").alias("notice_date"),
        pl.col("预测指标").alias("metric"),
        pl.col("预告类型").alias("forecast_type"),
        pl.col("预测数值").alias("value_low_cny"),
        pl.col("业绩变动幅度").alias("change_low_pct"),
        pl.col("上年同期值").alias("prior_value_cny"),
        pl.col("业绩变动").alias("summary"),
        pl.col("业绩变动原因").alias("reason"),
        midnight("公告日期").alias("published_at"),
    )
    return finish(rows, "earnings_forecasts", request, "published_at")


def research_reports(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Sell-side reports; the first forecast year is the report's own year.

    The vendor labels the forecasts of *all* reports with the current year, so the label is read only as
    "this year" and "next year" of the report. The list has no abstract; a column ``摘要`` may be added.
    """
    labels = sorted(m.group(1) for c in frame.columns if (m := _FORECAST_LABEL.match(c)) and m.group(2) == "收益")
    if len(labels) < 2:
        raise DataRejected(f"{REPORTS}:字段与约定不符,缺少「YYYY-盈利预测-收益」列,现有 {frame.columns}")
    first, second = (f"{year}-盈利预测-收益" for year in labels[:2])
    forecasts = tuple(c for c in frame.columns if _FORECAST_LABEL.match(c))
    rows = take(frame, REPORTS, (*_REPORT_COLUMNS, first, second), (*_REPORT_EXTRA, *forecasts))
    only_entity(rows, REPORTS, "股票代码", bare(request))
    rows = numbers(days(rows, REPORTS, "日期"), REPORTS, first, second)
    rows = rows.with_columns(pl.col("报告PDF链接").str.extract(r"H\d_(AP\w+?)_\d+\.pdf").alias("report_id"))
    require_values(rows, REPORTS, "report_id", "日期", "报告名称")
    rows = rows.unique(subset=["report_id"], keep="first", maintain_order=True).select(
        "report_id",
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("日期").alias("report_date"),
        unmarked("报告名称").alias("title"),
        pl.col("机构").alias("organisation"),
        pl.col("东财评级").alias("rating"),
        (pl.col("摘要") if "摘要" in rows.columns else pl.lit(None, dtype=pl.String)).alias("abstract"),
        pl.when(pl.col(first).is_not_null()).then(pl.col("日期").dt.year().cast(pl.Int64)).alias("forecast_year"),
        pl.col(first).alias("eps_year_0_cny"),
        pl.when(pl.col(first).is_not_null()).then(second).alias("eps_year_1_cny"),
        pl.col("报告PDF链接").alias("url"),
        midnight("日期").alias("published_at"),
    )
    return finish(rows, "research_reports", request, "published_at")


def corporate_actions(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Carried-out plans, per 10 shares → per share; plans not yet carried out have no ex-date and are left out."""
    rows = take(frame, DIVIDENDS, _DIVIDEND_COLUMNS)
    rows = rows.filter((pl.col("方案进度") == "实施分配") & pl.col("除权除息日").is_not_null())
    total, bonus, reserve = (f"送转股份-{part}" for part in ("送转总比例", "送股比例", "转股比例"))
    cash = "现金分红-现金分红比例"
    rows = numbers(days(rows, DIVIDENDS, "除权除息日", "最新公告日期"), DIVIDENDS, total, bonus, reserve, cash)
    require_values(rows, DIVIDENDS, "除权除息日", "最新公告日期")
    parts = pl.col(bonus).fill_null(0.0) + pl.col(reserve).fill_null(0.0)
    check(rows, DIVIDENDS, (pl.col(total) - parts).abs() < 1e-6, "送转总比例不等于送股加转股", ("除权除息日", total))
    rows = rows.group_by("除权除息日").agg(
        (pl.col(cash).fill_null(0.0).sum() / 10).alias("cash_cny"),
        (parts.sum() / 10).alias("bonus_ratio"),
        pl.col("现金分红-现金分红比例描述").drop_nulls().str.join("；").alias("plan"),
        pl.col("最新公告日期").max().alias("notice"),
    )
    rows = rows.select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("除权除息日").alias("ex_date"),
        "cash_cny",
        "bonus_ratio",
        pl.lit(0.0).alias("rights_ratio"),
        "plan",
        midnight("notice").alias("published_at"),
    )
    return finish(rows, "corporate_actions", request, "ex_date")


def peers(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Companies of the vendor's industry group with their multiples at the latest due session.

    The answer is undated and always of now; ``查询日期`` and ``行业`` may be added by the transport. Rows that
    are no company (industry mean, median) are left out.
    """
    rows = take(frame, COMPARISON, _PEER_COLUMNS, (ASKED, "行业"), is_open=True)
    if bare(request) not in rows["代码"].to_list():
        raise DataRejected(f"{COMPARISON}:请求 {wanted(request)},返回的同业比较里没有该公司")
    rows = rows.filter(pl.col("代码").str.contains(r"^\d{6}$") & (pl.col("代码") != bare(request)))
    rows = numbers(rows, COMPARISON, "市盈率-TTM", "市净率-MRQ")
    rows = rows.unique(subset=["代码"], keep="first", maintain_order=True)
    symbols = {code: parse_symbol(code).canonical for code in rows["代码"]}
    dated = pl.col(ASKED) if ASKED in rows.columns else pl.lit(due_session("peers", request.now, load_calendar()))
    industry = pl.col("行业") if "行业" in rows.columns else pl.lit("东方财富同行业分组")
    rows = rows.with_columns(dated.alias("trade_date"))
    rows = days(rows, COMPARISON, "trade_date").select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("代码").replace_strict(symbols, return_dtype=pl.String).alias("peer_symbol"),
        pl.col("简称").alias("peer_name"),
        industry.alias("industry"),
        "trade_date",
        pl.col("市盈率-TTM").alias("pe_ttm"),
        pl.col("市净率-MRQ").alias("pb"),
    )
    return finish(stamp(rows, "peers"), "peers", request, "trade_date")
