"""Prices, multiples and news of East Money.

Contracts: ``stock_zh_a_hist(adjust='')``, ``stock_value_em``, ``stock_news_em``.
"""

from __future__ import annotations

import polars as pl

from flows.contracts.envelope import Request
from flows.sources.shapes import bars
from flows.sources.shapes.common import (
    bare,
    check,
    days,
    finish,
    local_moment,
    numbers,
    only_entity,
    require_values,
    sessions_only,
    stamp,
    take,
    unique_rows,
    unmarked,
    wanted,
)

HIST = "akshare.stock_zh_a_hist"
VALUE = "akshare.stock_value_em"
NEWS = "akshare.stock_news_em"
_HIST_PRICES = {"开盘": "open_cny", "最高": "high_cny", "最低": "low_cny", "收盘": "close_cny"}
_HIST_COLUMNS = (
    "日期",
    "股票代码",
    "开盘",
    "收盘",
    "最高",
    "最低",
    "成交量",
    "成交额",
    "振幅",
    "涨跌幅",
    "涨跌额",
    "换手率",
)
_VALUE_COLUMNS = (
    "数据日期", "当日收盘价", "当日涨跌幅", "总市值", "流通市值", "总股本", "流通股本", "PE(TTM)", "PE(静)", "市净率",
    "PEG值", "市现率", "市销率",
)  # fmt: skip
_NEWS_COLUMNS = ("关键词", "新闻标题", "新闻内容", "发布时间", "文章来源", "新闻链接")


def daily_bars(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Unadjusted bars; volume arrives in lots, suspended days have no row.

    The previous close stays null: whether 涨跌额 refers to the ex-right reference price on an ex-date is
    not documented.
    """
    rows = take(frame, HIST, _HIST_COLUMNS)
    only_entity(rows, HIST, "股票代码", bare(request))
    rows = numbers(days(rows, HIST, "日期"), HIST, *_HIST_COLUMNS[2:])
    require_values(rows, HIST, "日期", "开盘", "收盘", "最高", "最低", "成交量")
    rows = unique_rows(rows, HIST, ["日期"]).select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("日期").alias("trade_date"),
        *(pl.col(theirs).alias(ours) for theirs, ours in _HIST_PRICES.items()),
        pl.col("成交量").alias("volume_shares"),
        pl.col("成交额").alias("amount_cny"),
        pl.col("换手率").alias("turnover_pct"),
        (pl.col("成交量") > 0).alias("is_trading"),
    )
    bars.check_prices(rows, HIST)
    rows = bars.volume_in_shares(rows, HIST, vendor_unit=100)
    return finish(stamp(rows, "daily_bars"), "daily_bars", request, "trade_date")


def valuations(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Multiples and market value of sessions.

    市现率 is price / *operating* cash flow, another quantity than the contract's net cash flow: left null.
    """
    rows = take(frame, VALUE, _VALUE_COLUMNS)
    rows = numbers(days(rows, VALUE, "数据日期"), VALUE, *_VALUE_COLUMNS[1:])
    require_values(rows, VALUE, "数据日期")
    implied = pl.col("当日收盘价") * pl.col("总股本")
    agrees = (pl.col("总市值") / implied).is_between(0.5, 2.0)
    check(rows, VALUE, agrees, "总市值与收盘价×总股本不符(列可能错位)", ("数据日期", "当日收盘价", "总市值", "总股本"))
    rows = unique_rows(rows, VALUE, ["数据日期"]).select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("数据日期").alias("trade_date"),
        pl.col("PE(TTM)").alias("pe_ttm"),
        pl.col("市净率").alias("pb"),
        pl.col("市销率").alias("ps_ttm"),
        pl.col("总市值").alias("market_cap_cny"),
    )
    rows = sessions_only(rows, "trade_date")
    return finish(stamp(rows, "valuations"), "valuations", request, "trade_date")


def news(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """News items found by keyword search; an item may concern others. Keyed by address."""
    rows = take(frame, NEWS, _NEWS_COLUMNS)
    only_entity(rows, NEWS, "关键词", bare(request))
    require_values(rows, NEWS, "新闻标题", "发布时间", "新闻链接")
    rows = rows.with_columns(local_moment("发布时间").alias("published_at"))
    check(rows, NEWS, pl.col("published_at").is_not_null(), "发布时间无法识别", ("新闻链接", "发布时间"))
    rows = rows.unique(subset=["新闻链接"], keep="first", maintain_order=True).select(
        pl.col("新闻链接").alias("news_id"),
        pl.lit(wanted(request)).alias("symbol"),
        unmarked("新闻标题").alias("title"),
        unmarked("新闻内容").alias("content"),
        pl.col("文章来源").alias("media"),
        pl.col("新闻链接").alias("url"),
        "published_at",
    )
    return finish(rows, "news", request, "published_at")
