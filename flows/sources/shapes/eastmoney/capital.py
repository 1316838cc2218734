"""Holders, money and attention as East Money prints them, units brought to shares, CNY and percent.

Contracts: ``stock_gpzy_pledge_ratio_em``, ``stock_ggcg_em``, ``stock_restricted_release_queue_em``,
``stock_lhb_detail_em``, ``stock_individual_fund_flow``, ``stock_hot_rank_detail_em``, ``stock_tfp_em``.
"""

from __future__ import annotations

import polars as pl

from flows.contracts.envelope import Request
from flows.market.sessions import load_calendar
from flows.sources.shapes.common import (
    check,
    days,
    finish,
    midnight,
    numbers,
    only_entity,
    picked,
    require_values,
    sessions_only,
    stamp,
    take,
    unique_rows,
    wanted,
)

PLEDGES = "akshare.stock_gpzy_pledge_ratio_em"
TRADES = "akshare.stock_ggcg_em"
UNLOCKS = "akshare.stock_restricted_release_queue_em"
TOP_LIST = "akshare.stock_lhb_detail_em"
FLOWS = "akshare.stock_individual_fund_flow"
RANKS = "akshare.stock_hot_rank_detail_em"
HALTS = "akshare.stock_tfp_em"
_TEN_THOUSAND = 10_000
_PLEDGE_NUMBERS = ("质押比例", "质押股数", "质押市值", "质押笔数", "无限售股质押数", "限售股质押数")
_CHANGE, _AFTER = "持股变动信息-", "变动后持股情况-"
_TOP_AMOUNTS = ("龙虎榜净买额", "龙虎榜买入额", "龙虎榜卖出额", "涨跌幅")
#: The exchange's notice of an unlock is due three sessions ahead; earlier knowledge is not proved.
_UNLOCK_NOTICE_SESSIONS = 3


def pledges(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """The company's pledge ratio of one weekly date; 万股 → shares."""
    extra = ("序号", "股票简称", "所属行业", "近一年涨跌幅", "所属行业代码")
    rows = take(frame, PLEDGES, ("股票代码", "交易日期", *_PLEDGE_NUMBERS), extra)
    rows = numbers(days(rows, PLEDGES, "交易日期"), PLEDGES, *_PLEDGE_NUMBERS)
    show = ("股票代码", "质押比例", "质押股数")
    check(rows, PLEDGES, pl.col("质押比例").is_between(0, 100), "质押比例不在 0–100%(列可能错位)", show)
    parts = pl.col("无限售股质押数") + pl.col("限售股质押数")
    near = (pl.col("质押股数") - parts).abs() <= 0.02 + 1e-4 * pl.col("质押股数")
    check(rows, PLEDGES, near, "质押股数不等于两类质押数之和(列可能错位)", show)
    rows = unique_rows(picked(rows, "股票代码", request).drop("序号", strict=False), PLEDGES, ["交易日期"]).select(
        "symbol",
        pl.col("交易日期").alias("trade_date"),
        pl.col("质押比例").alias("pledge_ratio_pct"),
        (pl.col("质押股数") * _TEN_THOUSAND).alias("pledged_shares"),
        pl.col("质押笔数").cast(pl.Int64).alias("pledge_count"),
    )
    return finish(stamp(rows, "pledges"), "pledges", request, "trade_date")


def holder_trades(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Increases and reductions of the company's holders; 万股 → shares, amounts without sign."""
    shares, total, after = f"{_CHANGE}变动数量", f"{_CHANGE}占总股本比例", f"{_AFTER}占总股本比例"
    required = ("代码", "股东名称", f"{_CHANGE}增减", shares, total, after, "变动开始日", "变动截止日", "公告日")
    extra = (
        "名称", "最新价", "涨跌幅", f"{_CHANGE}占流通股比例", f"{_AFTER}持股总数", f"{_AFTER}持流通股数",
        f"{_AFTER}占流通股比例",
    )  # fmt: skip
    rows = picked(take(frame, TRADES, required, extra), "代码", request)
    rows = numbers(days(rows, TRADES, "变动开始日", "变动截止日", "公告日"), TRADES, shares, total, after)
    rows = rows.rename({f"{_CHANGE}增减": "direction", "股东名称": "holder", "公告日": "notice_date"})
    require_values(rows, TRADES, "holder", "direction", shares, "notice_date")
    show = ("holder", "direction", shares, total)
    check(rows, TRADES, pl.col("direction").is_in(["增持", "减持"]), "增减方向无法识别", show)
    check(rows, TRADES, (pl.col("direction") == "减持") | (pl.col(shares) >= 0), "增持数量为负", show)
    check(rows, TRADES, pl.col(total).abs() <= 100, "变动比例超过 100%(列可能错位)", show)
    check(rows, TRADES, pl.col(after).is_between(0, 100), "变动后持股比例不在 0–100%", (*show, after))
    rows = rows.select(
        "symbol",
        "holder",
        "direction",
        (pl.col(shares).abs() * _TEN_THOUSAND).alias("changed_shares"),
        pl.col(total).abs().alias("changed_pct"),
        pl.col(after).alias("holding_after_pct"),
        pl.col("变动开始日").alias("start_date"),
        pl.col("变动截止日").alias("end_date"),
        "notice_date",
        midnight("notice_date").alias("published_at"),
    )
    rows = unique_rows(rows, TRADES, ["holder", "direction", "end_date", "notice_date"])
    return finish(rows, "holder_trades", request, "published_at")


def unlocks(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Batches of restricted shares, past and announced; 占总市值比例 is a fraction → percent.

    The queue carries no notice date. A batch counts as public from the third session before the unlock, when
    the exchanges require the notice at the latest, so that no plan is seen before it was surely known.
    """
    required = ("解禁时间", "解禁数量", "占总市值比例", "限售股类型")
    rows = take(frame, UNLOCKS, required, is_open=True)
    rows = numbers(days(rows, UNLOCKS, "解禁时间"), UNLOCKS, "解禁数量", "占总市值比例")
    require_values(rows, UNLOCKS, "解禁时间", "解禁数量", "限售股类型")
    show = ("解禁时间", "解禁数量", "占总市值比例")
    check(rows, UNLOCKS, pl.col("占总市值比例").is_between(0, 1), "占总市值比例不是 0–1 的小数(单位或列有变)", show)
    check(rows, UNLOCKS, pl.col("解禁数量") >= 0, "解禁数量为负", show)
    rows = rows.group_by("解禁时间", "限售股类型", maintain_order=True).agg(
        pl.col("解禁数量").sum(), pl.col("占总市值比例").sum()
    )
    rows = rows.select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("解禁时间").alias("unlock_date"),
        pl.col("限售股类型").alias("share_type"),
        pl.col("解禁数量").alias("unlocked_shares"),
        (pl.col("占总市值比例") * 100).alias("unlocked_pct"),
    )
    rows = _known(rows).with_columns(midnight("notice").alias("published_at"))
    return finish(rows.drop("notice"), "unlocks", request, "published_at")


def _known(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows whose notice day lies inside the known calendar, with that day; later ones cannot be public yet."""
    calendar = load_calendar()
    rows = rows.filter(pl.col("unlock_date").is_between(calendar.days[9], calendar.last))
    notices = {day: calendar.offset(day, -_UNLOCK_NOTICE_SESSIONS) for day in rows["unlock_date"].unique()}
    return rows.with_columns(pl.col("unlock_date").replace_strict(notices, return_dtype=pl.Date).alias("notice"))


def top_list(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """One row per reason; amounts of a three-day reason are three-day sums and are never added to others."""
    required = ("代码", "上榜日", "上榜原因", *_TOP_AMOUNTS)
    rows = picked(take(frame, TOP_LIST, required, is_open=True), "代码", request)
    rows = numbers(days(rows, TOP_LIST, "上榜日"), TOP_LIST, *_TOP_AMOUNTS)
    require_values(rows, TOP_LIST, "上榜日", "上榜原因")
    net, buy, sell = (pl.col(name) for name in _TOP_AMOUNTS[:3])
    agrees = (net - (buy - sell)).abs() <= 1 + 1e-6 * (buy + sell)
    check(rows, TOP_LIST, agrees, "净买额不等于买入减卖出(列可能错位)", ("上榜日", *_TOP_AMOUNTS[:3]))
    rows = unique_rows(rows, TOP_LIST, ["上榜日", "上榜原因"]).select(
        "symbol",
        pl.col("上榜日").alias("trade_date"),
        pl.col("上榜原因").alias("reason"),
        window_sessions("上榜原因").alias("window_sessions"),
        net.alias("net_buy_cny"),
        buy.alias("buy_cny"),
        sell.alias("sell_cny"),
        pl.col("涨跌幅").alias("change_pct"),
    )
    return finish(stamp(rows, "top_list"), "top_list", request, "trade_date")


def window_sessions(column: str) -> pl.Expr:
    """Sessions a reason speaks of: 连续三个交易日 → 3, no window → 1."""
    digits = {"二": 2, "三": 3, "五": 5, "十": 10, "三十": 30}
    found = pl.col(column).str.extract(r"连续(三十|[二三五十]|\d{1,2})个?(?:交易日|日)")
    return found.replace_strict(digits, default=found.cast(pl.Int64, strict=False), return_dtype=pl.Int64).fill_null(1)


def fund_flows(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Net flow by order size; 主力 must equal super-large plus large orders."""
    parts = ("主力净流入-净额", "超大单净流入-净额", "大单净流入-净额", "主力净流入-净占比")
    rows = take(frame, FLOWS, ("日期", *parts), is_open=True)
    rows = numbers(days(rows, FLOWS, "日期"), FLOWS, *parts)
    require_values(rows, FLOWS, "日期", "主力净流入-净额")
    main, huge, large, share = (pl.col(name) for name in parts)
    agrees = (main - huge - large).abs() <= 2 + 1e-6 * main.abs()
    check(rows, FLOWS, agrees, "主力净额不等于超大单加大单(列可能错位)", ("日期", *parts[:3]))
    check(rows, FLOWS, share.abs() <= 100, "净占比超过 100%(列可能错位)", ("日期", *parts))
    rows = unique_rows(rows, FLOWS, ["日期"]).select(
        pl.lit(wanted(request)).alias("symbol"),
        pl.col("日期").alias("trade_date"),
        main.alias("main_net_cny"),
        share.alias("main_net_pct"),
    )
    return finish(stamp(rows, "fund_flows"), "fund_flows", request, "trade_date")


def attention(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Popularity rank of sessions; places gained only where the day before is in the answer."""
    rows = take(frame, RANKS, ("时间", "排名", "证券代码"), ("新晋粉丝", "铁杆粉丝"))
    symbol = wanted(request)
    only_entity(rows, RANKS, "证券代码", f"{symbol[-2:]}{symbol[:6]}")
    rows = numbers(days(rows, RANKS, "时间"), RANKS, "排名")
    require_values(rows, RANKS, "时间", "排名")
    check(rows, RANKS, pl.col("排名") >= 1, "排名小于 1", ("时间", "排名"))
    rows = unique_rows(rows, RANKS, ["时间"]).sort("时间")
    follows = pl.col("时间").diff() == pl.duration(days=1)
    rank = pl.col("排名").cast(pl.Int64)
    rows = rows.select(
        pl.lit(symbol).alias("symbol"),
        pl.col("时间").alias("trade_date"),
        rank.alias("popularity_rank"),
        pl.when(follows).then(-rank.diff()).alias("rank_change"),
    )
    return finish(stamp(sessions_only(rows, "trade_date"), "attention"), "attention", request, "trade_date")


def suspensions(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Trading halts of the company: an open version from the first morning, a closed one once it is over."""
    required = ("代码", "停牌时间", "停牌截止时间", "停牌原因")
    rows = picked(take(frame, HALTS, required, is_open=True), "代码", request)
    rows = days(rows, HALTS, "停牌时间", "停牌截止时间")
    require_values(rows, HALTS, "停牌时间")
    check(
        rows, HALTS, pl.col("停牌截止时间") >= pl.col("停牌时间"), "停牌截止早于停牌开始", ("停牌时间", "停牌截止时间")
    )
    rows = unique_rows(rows, HALTS, ["停牌时间"]).select(
        "symbol",
        pl.col("停牌时间").alias("start_date"),
        pl.col("停牌截止时间").alias("end_date"),
        pl.col("停牌原因").alias("reason"),
    )
    opened = stamp(rows.with_columns(end_date=pl.lit(None, dtype=pl.Date)), "suspensions", "start_date")
    over = rows.filter(pl.col("end_date").is_not_null())
    closed = over.with_columns(midnight("end_date").dt.offset_by("1d").alias("published_at"))
    return finish(pl.concat([opened, closed]), "suspensions", request, "start_date")
