"""The exchanges' own lists through akshare 1.19.5: companies and margin trading.

Contracts: ``stock_info_sh_name_code`` / ``_sz_`` / ``_bj_``; ``stock_margin_detail_sse`` (dated),
``stock_margin_detail_szse`` / ``_bse`` (undated: the transport adds the asked date as ``查询日期``).
"""

from __future__ import annotations

import polars as pl

from flows.contracts.envelope import Request
from flows.errors import DataRejected
from flows.sources.shapes.baostock import board, display_name
from flows.sources.shapes.common import (
    ASKED,
    check,
    days,
    finish,
    midnight,
    numbers,
    picked,
    require_values,
    stamp,
    take,
    unique_rows,
)

#: Exchange suffix → its list's columns for code, name and listing date.
_LISTS = {
    "SH": ("证券代码", "证券简称", "上市日期", "证券全称"),
    "SZ": ("A股代码", "A股简称", "A股上市日期", "板块"),
    "BJ": ("证券代码", "证券简称", "上市日期", "地区"),
}
_MARGIN = ("融资余额", "融资买入额", "融券余量")


def instruments(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """Companies of one exchange's list; only the exchange's own A shares are kept."""
    exchange = next((key for key, names in _LISTS.items() if set(names) <= set(frame.columns)), None)
    if exchange is None:
        raise DataRejected(f"交易所股票列表:字段与约定不符,认不出是哪个交易所,现有 {frame.columns}")
    code, name, listed, _ = _LISTS[exchange]
    where = f"交易所股票列表({exchange})"
    rows = days(take(frame, where, (code, name, listed), ("所属行业",), is_open=True), where, listed)
    rows = rows.with_columns(pl.col(code).cast(pl.String).str.zfill(6).alias("code"))
    rows = rows.filter(board("code").is_not_null())
    require_values(rows, where, name, listed)
    industry = pl.col("所属行业") if "所属行业" in rows.columns else pl.lit(None, dtype=pl.String)
    rows = unique_rows(rows.drop(code, strict=False), where, ["code"]).select(
        (pl.col("code") + f".{exchange}").alias("symbol"),
        pl.col(name).map_elements(display_name, return_dtype=pl.String).alias("name"),
        board("code").alias("board"),
        industry.str.replace(r"^[A-Z] ?", "").alias("industry"),
        pl.col(listed).alias("listed_date"),
        midnight(listed).alias("published_at"),
    )
    check(rows, where, (pl.col("board") == "bse") == (exchange == "BJ"), "代码不属于该交易所", ("symbol", "name"))
    if request.symbol is not None:
        rows = rows.filter(pl.col("symbol") == request.symbol)
    return finish(rows, "instruments", request)


def margins(frame: pl.DataFrame, request: Request) -> pl.DataFrame:
    """The company's margin balance of one session, public on the next session's morning."""
    where = "交易所融资融券明细"
    dated = "信用交易日期" if "信用交易日期" in frame.columns else ASKED
    code = "标的证券代码" if "标的证券代码" in frame.columns else "证券代码"
    rows = picked(take(frame, where, (dated, code, *_MARGIN), is_open=True), code, request)
    rows = numbers(days(rows, where, dated), where, *_MARGIN)
    require_values(rows, where, dated)
    check(rows, where, pl.min_horizontal(_MARGIN) >= 0, "融资融券数值为负", (dated, *_MARGIN))
    rows = unique_rows(rows, where, [dated]).select(
        "symbol",
        pl.col(dated).alias("trade_date"),
        pl.col("融资余额").alias("margin_balance_cny"),
        pl.col("融资买入额").alias("margin_buy_cny"),
        pl.col("融券余量").alias("short_volume_shares"),
    )
    return finish(stamp(rows, "margins"), "margins", request, "trade_date")
