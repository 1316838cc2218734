"""M9 held to its definition by brute force, by SQL, and on real multiples."""

from bisect import bisect_left
from datetime import date, timedelta
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from flows.contracts.marts import MULTIPLES, VALUATION_PERCENTILES, WINDOW_YEARS
from flows.contracts.raw import RAW_TABLES
from flows.market.calendar import load_calendar
from flows.market.percentiles import dense_ranks, valuation_percentiles
from flows.warehouse.models import SESSIONS, load_models
from tests.real_data import REAL, needs_real

CALENDAR = load_calendar()
ORACLE = load_models()["marts.valuation_percentiles"].query


def years_before(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)


def brute_force(rows: pl.DataFrame, sessions: list[date], symbol: str, day: date, multiple: str) -> dict[str, Any]:
    """The definition, word for word, for one stock, day and multiple."""
    own = rows.filter(pl.col("symbol") == symbol)
    values = dict(zip(own["trade_date"], own[multiple], strict=True))
    today = values[day]
    told: dict[str, Any] = {multiple: today}
    is_short = False
    for years in WINDOW_YEARS:
        start = years_before(day, years)
        window = [v for d, v in values.items() if start < d <= day and v is not None and v > 0 and d in set(sessions)]
        n_sessions = sum(start < session <= day for session in sessions)
        is_short = len(window) / n_sessions < 0.6
        told[f"{multiple}_obs_{years}y"] = len(window)
        told[f"{multiple}_pct_{years}y"] = None
        if today is not None and today > 0 and not is_short:
            less, equal = sum(v < today for v in window), sum(v == today for v in window)
            told[f"{multiple}_pct_{years}y"] = 100 * (less + 0.5 * equal) / len(window)
    if today is None:
        told[f"{multiple}_status"] = "missing"
    elif today <= 0:
        told[f"{multiple}_status"] = "loss"
    else:
        told[f"{multiple}_status"] = "short_window" if is_short else "ok"
    return told


def valuations(rows: list[tuple[str, date, float | None]]) -> pl.DataFrame:
    schema = {"symbol": pl.String, "trade_date": pl.Date, "pe_ttm": pl.Float64}
    none = pl.lit(None, dtype=pl.Float64)
    return pl.DataFrame(rows, schema=schema, orient="row").with_columns(none.alias("pb"), none.alias("ps_ttm"))


VALUE = st.one_of(st.none(), st.sampled_from([-3.0, 0.0, 5.0, 10.0]), st.floats(0.01, 100).map(lambda x: round(x, 2)))


@st.composite
def markets(draw: st.DrawFn) -> tuple[pl.DataFrame, list[date]]:
    """A thinned-out exchange over eleven years and two stocks with gaps, ties, losses, holes and weekend rows."""
    sessions = sorted(
        {date(2015, 3, 2) + timedelta(days=d) for d in draw(st.lists(st.integers(0, 4_100), min_size=3, max_size=25))}
    )
    rows = []
    for symbol in ("600000.SH", "000001.SZ"):
        days = set(draw(st.lists(st.sampled_from(sessions), max_size=len(sessions))))
        days |= set(
            draw(
                st.lists(
                    st.sampled_from([sessions[0] + timedelta(days=1), sessions[-1] - timedelta(days=1)]), max_size=1
                )
            )
        )
        rows += [(symbol, day, draw(VALUE)) for day in days]
    return valuations(rows), sessions


@settings(max_examples=60, deadline=None)
@given(markets())
def test_compiled_pass_is_the_definition(market: tuple[pl.DataFrame, list[date]]) -> None:
    rows, sessions = market
    told = valuation_percentiles(rows, sessions)
    expected = rows.filter(pl.col("trade_date").is_in(sessions)).sort("symbol", "trade_date")
    assert told.select("symbol", "trade_date").equals(expected.select("symbol", "trade_date"))
    for row in told.iter_rows(named=True):
        definition = brute_force(rows, sessions, row["symbol"], row["trade_date"], "pe_ttm")
        assert {name: row[name] for name in definition} == definition


@settings(max_examples=40, deadline=None)
@given(markets())
def test_sql_is_the_compiled_pass(market: tuple[pl.DataFrame, list[date]]) -> None:
    rows, sessions = market
    with duckdb.connect() as con:
        con.execute("create schema staging; create schema marts")
        con.execute(RAW_TABLES["valuations"].ddl.replace("raw.", "staging.").replace(" not null", ""))
        opening = pl.DataFrame({"trade_date": sessions})
        con.register("given_rows", rows)
        con.register("opening", opening)
        con.execute("insert into staging.valuations by name select * from given_rows")
        con.execute(f"create table {SESSIONS} as select * from opening")
        told = con.sql(f"select * from ({ORACLE}) order by symbol, trade_date").pl()
    assert_frame_equal(
        VALUATION_PERCENTILES.conform(told.cast(dict(VALUATION_PERCENTILES.schema))),
        valuation_percentiles(rows, sessions), rel_tol=0, abs_tol=0,
    )  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(markets(), st.integers(0, 24), st.sampled_from([1, 3]))
def test_sessions_filled_alone_and_in_threads_are_the_same(
    market: tuple[pl.DataFrame, list[date]], at: int, threads: int
) -> None:
    rows, sessions = market
    since = sessions[at % len(sessions)]
    whole = valuation_percentiles(rows, sessions).filter(pl.col("trade_date") >= since)
    assert valuation_percentiles(rows, sessions, since, threads).equals(whole)


@settings(max_examples=30, deadline=None)
@given(markets(), st.integers(0, 24))
def test_nothing_later_is_looked_at(market: tuple[pl.DataFrame, list[date]], at: int) -> None:
    rows, sessions = market
    day = sessions[at % len(sessions)]
    past = rows.filter(pl.col("trade_date") <= day)
    whole = valuation_percentiles(rows, sessions).filter(pl.col("trade_date") <= day)
    assert valuation_percentiles(past, sessions).equals(whole)


def test_loss_is_not_cheap() -> None:
    """V2: PE −171 ranked naively lands low; it has no percentile."""
    days = CALENDAR.sessions(date(2025, 1, 2), date(2025, 12, 31))
    rows = valuations(
        [("600009.SH", day, 20.0 + i) for i, day in enumerate(days[:-1])] + [("600009.SH", days[-1], -171.0)]
    )
    told = valuation_percentiles(rows, days).tail(1).row(0, named=True)
    assert (told["pe_ttm_status"], told["pe_ttm_pct_1y"], told["pe_ttm_obs_1y"]) == ("loss", None, len(days) - 1)


def test_nan_is_missing_and_no_observation() -> None:
    """NaN > 0 is true in Polars and DuckDB."""
    days = CALENDAR.sessions(date(2025, 12, 22), date(2025, 12, 31))
    rows = valuations([("600000.SH", day, float("nan") if day == days[2] else 5.0) for day in days])
    told = valuation_percentiles(rows, days)
    assert told["pe_ttm_status"].to_list() == ["ok", "ok", "missing"] + ["ok"] * (len(days) - 3)
    assert told["pe_ttm_obs_1y"].to_list() == [1, 2, 2, *range(3, len(days))]
    assert told["pe_ttm"].null_count() == 1


def test_leap_day_reaches_back_to_the_twenty_eighth() -> None:
    sessions = [date(2023, 2, 28), date(2023, 3, 1), date(2024, 2, 29)]
    rows = valuations([("600000.SH", day, float(i + 1)) for i, day in enumerate(sessions)])
    told = valuation_percentiles(rows, sessions).tail(1).row(0, named=True)
    assert told["pe_ttm_obs_1y"] == 2


def test_empty_market_gives_an_empty_frame() -> None:
    empty = valuation_percentiles(valuations([]), list(CALENDAR.days))
    assert empty.schema == VALUATION_PERCENTILES.schema
    assert empty.is_empty()


def test_stock_of_more_sessions_than_a_byte_counts_ranks_right() -> None:
    levels = np.random.default_rng(1).permutation(np.repeat(np.arange(1.0, 4_001.0), 2))
    assert (dense_ranks(levels) == levels).all()


REAL_FILES = {
    "600009.SH": "valuation/baostock_sh.600009.csv",
    "600036.SH": "valuation/baostock_sh.600036.csv",
    "000651.SZ": "valuation/baostock_sz.000651.csv",
    "002594.SZ": "valuation/baostock_sz.002594.csv",
    "600000.SH": "prices/600000/raw_baostock_2020_2025.csv",
    "000001.SZ": "prices/000001/raw_baostock_2020_2025.csv",
}


def real_valuations() -> pl.DataFrame:
    def read(symbol: str, path: str) -> pl.DataFrame:
        frame = pl.read_csv(REAL / path, try_parse_dates=True, infer_schema_length=None)
        return frame.select(
            pl.lit(symbol).alias("symbol"), pl.col("date").alias("trade_date"), pl.col("peTTM").alias("pe_ttm"),
            pl.col("pbMRQ").alias("pb"), pl.col("psTTM").alias("ps_ttm"),
        )  # fmt: skip

    return pl.concat(read(symbol, path) for symbol, path in REAL_FILES.items())


@pytest.mark.real
@needs_real
def test_real_percentiles_are_a_brute_force_count() -> None:
    rows, sessions = real_valuations(), list(CALENDAR.days)
    told = valuation_percentiles(rows, sessions)
    worst, checked = 0.0, 0
    for symbol in REAL_FILES:
        own = told.filter(pl.col("symbol") == symbol)
        days = own["trade_date"].to_list()
        for multiple in MULTIPLES:
            values = own[multiple].fill_null(np.nan).to_numpy()
            for row in range(0, own.height, 7):
                for years in WINDOW_YEARS:
                    start = years_before(days[row], years)
                    window = values[bisect_left(days, start + timedelta(days=1)) : row + 1]
                    window = window[window > 0]
                    enough = 5 * len(window) >= 3 * CALENDAR.count(start + timedelta(days=1), days[row])
                    percentile = own[f"{multiple}_pct_{years}y"][row]
                    assert own[f"{multiple}_obs_{years}y"][row] == len(window)
                    assert (percentile is not None) == (bool(values[row] > 0) and enough)
                    if percentile is not None:
                        mid = 100 * ((window < values[row]).sum() + 0.5 * (window == values[row]).sum()) / len(window)
                        worst, checked = max(worst, abs(percentile - mid)), checked + 1
    print(f"{told.height} rows, {checked} percentiles checked, largest difference {worst:.1e}")
    assert checked > 5_000
    assert worst < 1e-12


@pytest.mark.real
@needs_real
def test_real_hole_of_2023_12_11_is_named_and_real_losses_are_losses() -> None:
    """V1: on that day no stock has a PE; 600009 lost money in 2021."""
    told = valuation_percentiles(real_valuations(), list(CALENDAR.days))
    hole = told.filter(pl.col("trade_date") == date(2023, 12, 11))
    assert hole.height == len(REAL_FILES)
    assert set(hole["pe_ttm_status"]) == {"missing"}
    lost = told.filter((pl.col("symbol") == "600009.SH") & (pl.col("trade_date") == date(2021, 6, 10)))
    assert lost.select("pe_ttm_status", "pe_ttm_pct_1y", "pb_status").rows() == [("loss", None, "short_window")]


@pytest.mark.real
@needs_real
def test_suspended_days_keep_the_published_multiple_as_an_observation() -> None:
    """P10: 600009 stood still on 2021-06-10; its PB of that day counts."""
    told = valuation_percentiles(real_valuations(), list(CALENDAR.days)).filter(pl.col("symbol") == "600009.SH")
    window = told.filter(pl.col("trade_date").is_between(date(2021, 6, 9), date(2021, 6, 11)))
    assert window["pb_obs_1y"].to_list() == sorted(window["pb_obs_1y"].to_list())
    assert window.filter(pl.col("trade_date") == date(2021, 6, 10))["pb_pct_1y"].is_not_null().all()
