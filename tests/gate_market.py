"""A small healthy market in a DuckDB made from the contracts: what every test of the gate breaks in one place.

Four stocks, forty sessions up to Friday 2025-03-28. 600000.SH pays a dividend; 300750.SZ is halted for three sessions
without rows, 000001.SZ with flat rows; 688981.SH is plain. The marts are computed here in plain Python, so that the
checks are held against something that is not their own SQL.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from typing import Any

import duckdb
import polars as pl

from flows.contracts.marts import ADJUSTED_BARS, MULTIPLES, PRICE_FACTS, VALUATION_PERCENTILES, WINDOW_YEARS
from flows.contracts.raw import FETCHES, RAW_TABLES
from flows.contracts.table import Column, Table
from flows.market.calendar import SHANGHAI, load_calendar
from flows.quality.checks import checked_tables
from flows.quality.scope import GateRun, scope

SYMBOLS = ("600000.SH", "300750.SZ", "000001.SZ", "688981.SH")
SESSION = date(2025, 3, 28)
NOW = datetime(2025, 3, 28, 20, 0, tzinfo=SHANGHAI)
CALENDAR = load_calendar()
SESSIONS = CALENDAR.sessions(CALENDAR.offset(SESSION, -39), SESSION)
EX_DATE = SESSIONS[20]
HALT = SESSIONS[10:13]
BOARDS = {"600000.SH": "main", "000001.SZ": "main", "300750.SZ": "chinext", "688981.SH": "star"}
NAMES = {"600000.SH": "浦发银行", "300750.SZ": "宁德时代", "000001.SZ": "平安银行", "688981.SH": "中芯国际"}
RUN = GateRun("test-batch", SYMBOLS, SESSION, NOW, CALENDAR)


@contextmanager
def market() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a healthy market, its cutoff set to the evening of the session."""
    con = duckdb.connect()
    con.execute("set timezone = 'Asia/Shanghai'")
    con.execute("set variable cutoff = cast(? as timestamptz)", [NOW])
    for schema in ("raw", "staging", "marts"):
        con.execute(f"create schema {schema}")
    for table in (*RAW_TABLES.values(), FETCHES, *checked_tables()):
        con.execute(table.ddl.replace(" not null", ""))
    _fill(con)
    yield con
    con.close()


@contextmanager
def scoped_market() -> Iterator[duckdb.DuckDBPyConnection]:
    """A healthy market with the run's temporary tables already made."""
    with market() as con, scope(con, RUN):
        yield con


def published(day: date, hour: int = 18) -> datetime:
    """A moment of *day*, Shanghai."""
    return datetime(day.year, day.month, day.day, hour, tzinfo=SHANGHAI)


def add(con: duckdb.DuckDBPyConnection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert *rows*; missing columns are null."""
    frame = pl.DataFrame(rows, schema_overrides={n: t for n, t in table.schema.items() if n in rows[0]})
    con.register("rows_to_add", frame)
    con.execute(f"insert into {table.name} by name select * from rows_to_add")
    con.unregister("rows_to_add")


def valid_row(table: Table) -> dict[str, Any]:
    """One row that keeps every promise of *table*'s contract."""
    return {column.name: _valid_value(column) for column in table.columns}


def table_called(name: str) -> Table:
    """The checked table *name*."""
    return next(table for table in checked_tables() if table.name == name)


def _valid_value(column: Column) -> Any:
    if column.values:
        return column.values[0]
    if column.name in {"symbol", "peer_symbol"}:
        return SYMBOLS[0]
    if column.name in {"published_at", "fetched_at"}:
        return published(SESSIONS[-2])
    kinds: dict[type[pl.DataType], Any] = {
        pl.String: "文字", pl.Float64: max(column.minimum or 1.0, 1.0), pl.Int64: int(max(column.minimum or 1, 1)),
        pl.Boolean: True, pl.Date: SESSIONS[-2], pl.Datetime: published(SESSIONS[-2]), pl.List: ["文字"],
    }  # fmt: skip
    return kinds[type(column.dtype)]


def _fill(con: duckdb.DuckDBPyConnection) -> None:
    bars, factors, valuations = [], [], []
    for symbol in SYMBOLS:
        bars += _bars(symbol)
        valuations += [_valuation(bar) for bar in bars if bar["symbol"] == symbol and bar["is_trading"]]
    factors.append({"symbol": "600000.SH", "ex_date": EX_DATE, "backward_factor": 1.25, **_stamp(EX_DATE)})
    both = {
        "instruments": [_instrument(symbol) for symbol in SYMBOLS],
        "trade_dates": [_trade_date(SESSIONS[0] + timedelta(days=n)) for n in range((SESSION - SESSIONS[0]).days + 1)],
        "daily_bars": bars, "adjust_factors": factors, "valuations": valuations,
        "announcements": [_filing(symbol, n) for symbol in SYMBOLS for n in range(3)],
        "news": [_news(symbol) for symbol in SYMBOLS],
    }  # fmt: skip
    for kind, rows in both.items():
        add(con, RAW_TABLES[kind], [{**row, "batch_id": "test-batch"} for row in rows])
        add(con, table_called(f"staging.{kind}"), rows)
    adjusted = [_adjusted(bar) for bar in bars]
    add(con, ADJUSTED_BARS, adjusted)
    add(con, VALUATION_PERCENTILES, [_percentiles(row) for row in valuations])
    add(con, PRICE_FACTS, [fact for symbol in SYMBOLS for fact in _price_facts(symbol, bars)])


def _stamp(day: date) -> dict[str, Any]:
    return {"published_at": published(day), "fetched_at": published(day, 19), "vendor": "baostock"}


def _instrument(symbol: str) -> dict[str, Any]:
    return {
        "symbol": symbol, "name": NAMES[symbol], "board": BOARDS[symbol], "industry": "制造",
        "listed_date": date(2021, 1, 4), "delisted_date": None, "is_st": False, **_stamp(SESSIONS[0]),
    }  # fmt: skip


def _trade_date(day: date) -> dict[str, Any]:
    return {"trade_date": day, "is_session": CALENDAR.is_session(day), **_stamp(SESSIONS[0])}


def _bars(symbol: str) -> list[dict[str, Any]]:
    close, rows = 10.0, []
    for number, day in enumerate(SESSIONS):
        halted = day in HALT and symbol in {"300750.SZ", "000001.SZ"}
        if halted and symbol == "300750.SZ":
            continue
        before = round(close / 1.25, 2) if symbol == "600000.SH" and day == EX_DATE else close
        close = before if halted else round(before * (1.01 if number % 2 else 0.995), 2)
        volume = 0.0 if halted else 100_000.0
        rows.append({
            "symbol": symbol, "trade_date": day, "open_cny": before, "high_cny": max(before, close),
            "low_cny": min(before, close), "close_cny": close, "previous_close_cny": before,
            "volume_shares": volume, "amount_cny": volume * (before + close) / 2, "turnover_pct": 0.5,
            "is_trading": not halted, "is_st": False, **_stamp(day),
        })  # fmt: skip
    return rows


def _valuation(bar: dict[str, Any]) -> dict[str, Any]:
    close = bar["close_cny"]
    loss = bar["symbol"] == "688981.SH"
    return {
        "symbol": bar["symbol"], "trade_date": bar["trade_date"], "pe_ttm": -close if loss else close * 2,
        "pb": close / 5, "ps_ttm": close / 3, "pcf_ttm": close, "market_cap_cny": close * 1e9,
        **_stamp(bar["trade_date"]),
    }  # fmt: skip


def _filing(symbol: str, number: int) -> dict[str, Any]:
    return {
        "announcement_id": f"{symbol}-{number}", "symbol": symbol, "name": NAMES[symbol], "title": f"公告之{number}",
        "category": None, "url": None, "is_date_only": False, **_stamp(SESSIONS[number * 5]),
    }  # fmt: skip


def _news(symbol: str) -> dict[str, Any]:
    return {"news_id": f"news-{symbol}", "symbol": symbol, "title": "一条新闻", **_stamp(SESSIONS[-1])}


def _adjusted(bar: dict[str, Any]) -> dict[str, Any]:
    factor = 1 / 1.25 if bar["symbol"] == "600000.SH" and bar["trade_date"] < EX_DATE else 1.0
    prices = {name: bar[name] * factor for name in ("open_cny", "high_cny", "low_cny", "close_cny")}
    rest = {name: bar[name] for name in ("symbol", "trade_date", "volume_shares", "amount_cny")}
    return {**rest, **prices, "raw_close_cny": bar["close_cny"], "forward_factor": factor}


def _percentiles(row: dict[str, Any]) -> dict[str, Any]:
    """Forty sessions are too few for every window: no percentile, and the status says why."""
    past = SESSIONS.index(row["trade_date"]) + 1
    halted = 3 if row["symbol"] in {"300750.SZ", "000001.SZ"} and row["trade_date"] > HALT[-1] else 0
    cells: dict[str, Any] = {"symbol": row["symbol"], "trade_date": row["trade_date"]}
    for name in MULTIPLES:
        is_loss = row[name] < 0
        cells |= {name: row[name], f"{name}_status": "loss" if is_loss else "short_window"}
        for years in WINDOW_YEARS:
            cells |= {f"{name}_pct_{years}y": None, f"{name}_obs_{years}y": 0 if is_loss else past - halted}
    return cells


def _price_facts(symbol: str, bars: list[dict[str, Any]]) -> list[dict[str, Any]]:
    facts = []
    for bar in (bar for bar in bars if bar["symbol"] == symbol):
        close, before = bar["close_cny"], bar["previous_close_cny"]
        facts.append({
            "symbol": symbol, "trade_date": bar["trade_date"], "close_cny": close,
            "change_pct": 100 * (close / before - 1), "high_52w_cny": close + 1, "low_52w_cny": close - 1,
            "position_52w_pct": 50.0, "high_3y_cny": close + 2, "low_3y_cny": close - 2, "drawdown_52w_pct": -1.0,
            "up_days_60d": 20, "limit_up_days_60d": 0, "limit_down_days_60d": 0, "limit_pct": 10.0,
        })  # fmt: skip
    return facts
