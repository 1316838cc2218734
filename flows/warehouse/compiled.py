"""Marts filled by a compiled pass instead of SQL: one read, one pure function of ``flows.market``, one write.

Stocks go through in chunks that fit in memory. A stock is filled from the first session on which
something changed for it; reading reaches back as far as the windows do, so the result is the same as
if all of it had been filled.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import duckdb
import polars as pl

from flows.contracts.marts import MULTIPLES, PRICE_FACTS, VALUATION_PERCENTILES
from flows.contracts.table import Table
from flows.market.percentiles import valuation_percentiles
from flows.market.price_facts import price_facts

#: Stocks at a time: whose whole history, and whose latest sessions are filled.
_CHUNK, _RECENT_CHUNK = 120, 1_024
_THREADS = os.cpu_count() or 1
_NAMED = "symbol in (select unnest($symbols::varchar[])) and trade_date >= $start"
_BAR_COLUMNS = (
    "symbol, trade_date, open_cny, high_cny, low_cny, close_cny, previous_close_cny, volume_shares, is_trading, is_st"
)

#: Ten years of observations and a leap day.
_PERCENTILE_REACH = timedelta(days=3_660)
#: Three years of ranges; by then Wilder's averages have forgotten the rest, to the last bit but one or two.
_PRICE_REACH = timedelta(days=1_130)


@dataclass(frozen=True)
class Part:
    """Stocks to fill, and the first session to fill for them; None fills their whole history."""

    symbols: Sequence[str]
    since: date | None


@dataclass(frozen=True)
class CompiledMart:
    """A mart and how its rows come about.

    Attributes:
        table: Its contract.
        reads: What it is computed from, for the build order.
        changes: Raw tables whose rows change it, with the column that says from which date on; None:
            from the beginning.
        rows: Its rows for a part of the market.
    """

    table: Table
    reads: frozenset[str]
    changes: dict[str, str | None]
    rows: Callable[[duckdb.DuckDBPyConnection, Sequence[date], Part], pl.DataFrame]


def fill(con: duckdb.DuckDBPyConnection, mart: CompiledMart, sessions: Sequence[date], part: Part) -> None:
    """Replace the mart's rows of *part*; the caller holds the transaction."""
    size = _RECENT_CHUNK if part.since else _CHUNK
    for start in range(0, len(part.symbols), size):
        chunk = Part(part.symbols[start : start + size], part.since)
        rows = mart.rows(con, sessions, chunk)
        con.execute(
            f"delete from {mart.table.name} where {_NAMED}",
            {"symbols": list(chunk.symbols), "start": part.since or date.min},
        )
        con.register("filled_rows", rows)
        con.execute(f"insert into {mart.table.name} by name select * from filled_rows")
        con.unregister("filled_rows")


def rows_as_of(
    con: duckdb.DuckDBPyConnection, name: str, symbols: Sequence[str], sessions: Sequence[date]
) -> pl.DataFrame:
    """The rows of the compiled mart *name* as the connection's own cutoff shows them, all sessions of *symbols*.

    Computed from ``staging``; the stored table is of the cutoff of the last build, and a restatement
    published between the two stands in it. Milliseconds for one stock.
    """
    return COMPILED[name].rows(con, sessions, Part(symbols, None))


def _percentile_rows(con: duckdb.DuckDBPyConnection, sessions: Sequence[date], part: Part) -> pl.DataFrame:
    """What was published before the first session to fill stands in the mart already, one version each."""
    columns = f"symbol, trade_date, {', '.join(MULTIPLES)}"
    query = f"select {columns} from staging.valuations where {_NAMED}"
    if part.since is None:
        return valuation_percentiles(_read(con, query, part, date.min), sessions, None, _THREADS)
    before = f"select {columns} from marts.valuation_percentiles where {_NAMED} and trade_date < $since"
    levels = pl.concat(
        [
            _read(con, before, part, part.since - _PERCENTILE_REACH, since=part.since),
            _read(con, query, part, part.since),
        ]
    )
    return valuation_percentiles(levels, sessions, part.since, _THREADS)


def _price_rows(con: duckdb.DuckDBPyConnection, sessions: Sequence[date], part: Part) -> pl.DataFrame:
    start = part.since - _PRICE_REACH if part.since else date.min
    bars = _read(con, f"select {_BAR_COLUMNS} from staging.daily_bars where {_NAMED}", part, start)
    factors = con.sql("select symbol, ex_date, backward_factor from staging.adjust_factors").pl()
    instruments = con.sql("select symbol, board, listed_date from staging.instruments").pl()
    return price_facts(_with_dated_st(con, bars), factors, instruments, sessions, part.since, _THREADS)


def _read(con: duckdb.DuckDBPyConnection, query: str, part: Part, start: date, **more: date) -> pl.DataFrame:
    frame: pl.DataFrame = con.sql(query, params={"symbols": list(part.symbols), "start": start, **more}).pl()
    return frame


def _with_dated_st(con: duckdb.DuckDBPyConnection, bars: pl.DataFrame) -> pl.DataFrame:
    """Fill the ST flag a vendor does not give from the company's state known on the evening of the bar."""
    if not bars["is_st"].has_nulls():
        return bars
    states = con.sql(
        "select symbol, published_at::date as trade_date, is_st as known_is_st "
        "from staging.visible('raw.instruments') where is_st is not null order by published_at"
    ).pl()
    return bars.join_asof(
        states, on="trade_date", by="symbol", check_sortedness=False, strategy="backward"
    ).with_columns(pl.coalesce("is_st", "known_is_st").alias("is_st"))


COMPILED: dict[str, CompiledMart] = {
    mart.table.name: mart
    for mart in (
        CompiledMart(
            VALUATION_PERCENTILES,
            frozenset({"staging.valuations", "marts.sessions"}),
            {"raw.valuations": "trade_date"},
            _percentile_rows,
        ),
        CompiledMart(
            PRICE_FACTS,
            frozenset({"staging.daily_bars", "staging.adjust_factors", "staging.instruments", "marts.sessions"}),
            {"raw.daily_bars": "trade_date", "raw.adjust_factors": "ex_date", "raw.instruments": None},
            _price_rows,
        ),
    )
}
