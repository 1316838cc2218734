"""The gate's checks on real bars: silent on what is right, loud on the two real traps (PRODUCT Q)."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date

import duckdb
import polars as pl
import pytest

from flows.contracts.raw import FETCHES, RAW_TABLES
from flows.market.symbols import parse_symbol
from flows.quality.checks import business_checks, checked_tables
from flows.quality.measuring import Measured, measure
from flows.quality.scope import create_shared, scope
from tests.gate_market import RUN, add, published, table_called
from tests.real_data import REAL, needs_real

pytestmark = [pytest.mark.real, needs_real]

FILES = {
    "600000.SH": "prices/600000/raw_baostock_2020_2025.csv",
    "000001.SZ": "prices/000001/raw_baostock_2020_2025.csv",
    "600009.SH": "valuation/baostock_sh.600009.csv",
    "600036.SH": "valuation/baostock_sh.600036.csv",
    "000651.SZ": "valuation/baostock_sz.000651.csv",
    "002594.SZ": "valuation/baostock_sz.002594.csv",
}
CHECKS = {(table.name, check.measure): check for table in checked_tables() for check in business_checks(table)}
PRICE_CHECKS = [
    *(("staging.daily_bars", name) for name in ("missing_sessions", "incoherent_bars", "beyond_limit",
                                                "unit_mismatches", "vendor_disagreements")),
    ("staging.adjust_factors", "steps_off"),
    ("staging.adjust_factors", "unusable_factors"),
    ("staging.valuations", "stale_sessions"),
]  # fmt: skip


def real_bars(path: str) -> pl.DataFrame:
    """A baostock file in the shape of the bars' and valuations' contracts."""
    prices = {"open_cny": "open", "high_cny": "high", "low_cny": "low", "close_cny": "close"}
    numbers = prices | {
        "previous_close_cny": "preclose", "volume_shares": "volume", "amount_cny": "amount", "turnover_pct": "turn",
        "pe_ttm": "peTTM", "pb": "pbMRQ", "ps_ttm": "psTTM", "pcf_ttm": "pcfNcfTTM",
    }  # fmt: skip
    raw = pl.read_csv(REAL / path, infer_schema=False)
    kept = {name: theirs for name, theirs in numbers.items() if theirs in raw.columns}
    return raw.select(
        pl.col("code").map_elements(lambda code: parse_symbol(code).canonical, pl.String).alias("symbol"),
        pl.col("date").str.slice(0, 10).str.to_date().alias("trade_date"),
        *(pl.col(theirs).cast(pl.Float64, strict=False).alias(name) for name, theirs in kept.items()),
        (pl.col("tradestatus").cast(pl.Float64) == 1).alias("is_trading"),
        (pl.col("isST").cast(pl.Float64) == 1).alias("is_st"),
    ).sort("symbol", "trade_date")


def factors_of(bars: pl.DataFrame) -> list[dict[str, object]]:
    """Cumulative factors from the exchange's previous closes, six decimals, as a vendor prints them."""
    rows, factor, before = [], 1.0, None
    for day, close, previous in (
        bars.filter("is_trading").select("trade_date", "close_cny", "previous_close_cny").rows()
    ):
        if before is not None and abs(before - previous) > 0.004:
            factor *= before / previous
            rows.append({"symbol": bars["symbol"][0], "ex_date": day, "backward_factor": round(factor, 6)})
        before = close
    return rows


@contextmanager
def real_market(
    bars: pl.DataFrame, whole: pl.DataFrame | None = None
) -> Iterator[tuple[duckdb.DuckDBPyConnection, object]]:
    """A market of *bars*; its factors are those of *whole*, where something was taken out of it."""
    con = duckdb.connect()
    con.execute("set timezone = 'Asia/Shanghai'")
    for schema in ("raw", "staging", "marts"):
        con.execute(f"create schema {schema}")
    for table in (*RAW_TABLES.values(), FETCHES, *checked_tables()):
        con.execute(table.ddl.replace(" not null", ""))
    symbols = tuple(bars["symbol"].unique(maintain_order=True))
    add(con, table_called("staging.instruments"), [_instrument(symbol) for symbol in symbols])
    rows = bars.with_columns(
        vendor=pl.lit("baostock"), fetched_at=pl.lit(published(date(2025, 12, 31))), published_at=pl.lit(None)
    )
    for kind in ("daily_bars", "valuations"):
        for table in (RAW_TABLES[kind], table_called(f"staging.{kind}")):
            add(con, table, rows.select([name for name in rows.columns if name in table.schema]).to_dicts())
    events = [
        row
        for symbol in symbols
        for row in factors_of((bars if whole is None else whole).filter(pl.col("symbol") == symbol))
    ]
    if events:
        add(con, table_called("staging.adjust_factors"), events)
    session = bars["trade_date"].max()
    assert isinstance(session, date)
    run = replace(RUN, symbols=symbols, session=session)
    with scope(con, run):
        yield con, run
    con.close()


def _instrument(symbol: str) -> dict[str, object]:
    return {"symbol": symbol, "name": symbol, "board": parse_symbol(symbol).board, "listed_date": date(2000, 1, 4)}


def hits(measured: Measured) -> dict[str, int]:
    return {subject: value for subject, value in measured.values.items() if value}


def found(con, run, *name: str) -> Measured:
    return measure(con, CHECKS[name], run, keep=None)


@pytest.fixture(scope="module")
def six_stocks():
    with real_market(pl.concat([real_bars(path) for path in FILES.values()])) as market:
        yield market


@pytest.mark.parametrize("name", PRICE_CHECKS, ids=".".join)
def test_six_years_of_six_real_stocks_raise_no_alarm(six_stocks, name):
    con, run = six_stocks
    assert con.execute("select count(*) > 7000 from checked_daily_bars").fetchall() == [(True,)]
    assert con.execute("select count(*) > 30 from checked_adjust_factors").fetchall() == [(True,)]
    measured = found(con, run, *name)
    assert hits(measured) == {}, {subject: rows[:3] for subject, rows in measured.rows.items()}


def test_day_on_which_no_valuation_was_published_is_named_for_every_stock(six_stocks):
    measured = found(*six_stocks, "staging.valuations", "unpublished_sessions")
    days = {row["trade_date"] for rows in measured.rows.values() for row in rows}
    assert hits(measured) == dict.fromkeys(FILES, 1)
    assert days == {date(2023, 12, 11)}


def test_every_single_ex_date_left_out_is_noticed(six_stocks):
    con, run = six_stocks
    events = con.execute("select symbol, ex_date from checked_adjust_factors order by all").fetchall()
    con.begin()
    con.execute("delete from checked_adjust_factors")
    create_shared(con)
    measured = found(con, run, "staging.adjust_factors", "steps_off")
    con.rollback()
    assert sorted((symbol, row["trade_date"]) for symbol, rows in measured.rows.items() for row in rows) == events


def test_all_real_suspended_rows_are_coherent_and_make_no_step():
    bars = real_bars("calendar/baostock_suspended_rows.csv")
    assert bars.height == 712
    with real_market(bars) as (con, run):
        for name in (("staging.daily_bars", "incoherent_bars"), ("staging.daily_bars", "unit_mismatches"),
                     ("staging.daily_bars", "beyond_limit"), ("staging.adjust_factors", "steps_off")):  # fmt: skip
            assert hits(found(con, run, *name)) == {}


def test_halt_inside_a_real_history_is_no_gap_with_its_flat_rows_or_without_them():
    bars = real_bars(FILES["600009.SH"])
    assert not bars["is_trading"].all()
    for kept in (bars, bars.filter("is_trading")):
        with real_market(kept, bars) as (con, run):
            assert hits(found(con, run, "staging.daily_bars", "missing_sessions")) == {}


def test_every_lost_day_of_a_sample_is_noticed_and_named():
    """Days that closed where the day before did are left aside: nothing in the bars can tell them from a halt."""
    bars = real_bars(FILES["600000.SH"])
    inner = bars[1:-1].filter(pl.col("close_cny") != pl.col("previous_close_cny"))
    lost = inner.sample(100, seed=7)["trade_date"].sort()
    lost = lost.filter(lost.diff().dt.total_days().fill_null(9) > 4)
    with real_market(bars.filter(~pl.col("trade_date").is_in(lost.implode())), bars) as (con, run):
        measured = found(con, run, "staging.daily_bars", "missing_sessions")
    assert {row["trade_date"] for row in measured.rows["600000.SH"]} == set(lost)


def test_index_file_named_as_a_stock_is_rejected_by_the_other_vendor_and_by_the_limit():
    stock = real_bars(FILES["000001.SZ"])
    index = pl.read_csv(REAL / "traps/index_mislabelled_000001_2024.csv").select(
        symbol=pl.lit("000001.SZ"),
        trade_date=pl.col("timestamp").str.slice(0, 10).str.to_date(),
        open_cny="open", high_cny="high", low_cny="low", close_cny="close", volume_shares=pl.col("volume") * 1.0,
        is_trading=pl.lit(True), vendor=pl.lit("user_sql"), fetched_at=pl.lit(published(date(2026, 1, 1))),
    )  # fmt: skip
    with real_market(stock) as (con, run):
        add(con, RAW_TABLES["daily_bars"], index.to_dicts())
        disagreements = found(con, run, "staging.daily_bars", "vendor_disagreements")
    before = stock.filter(pl.col("trade_date") < date(2024, 1, 1))
    ours = index.select(sorted(set(index.columns) & set(before.columns)))
    with real_market(pl.concat([before, ours], how="diagonal"), before) as (con, run):
        beyond = found(con, run, "staging.daily_bars", "beyond_limit")
    assert disagreements.values["000001.SZ"] == index.height
    assert date(2024, 1, 2) in {row["trade_date"] for row in beyond.rows["000001.SZ"]}


def test_invented_golden_dividends_are_rejected_event_by_event():
    events = json.loads((REAL / "traps/fake_golden_dividend_data.json").read_text(encoding="utf-8"))["sample_data"]
    invented = [
        {"symbol": "600000.SH", "ex_date": date.fromisoformat(event["ex_dividend_date"]),
         "cash_cny": event["dividend_per_share"], "bonus_ratio": 0.0, "rights_ratio": 0.0}
        for event in events
    ]  # fmt: skip
    true = [{**invented[0], "ex_date": date(2023, 7, 21), "cash_cny": 0.32}]
    with real_market(real_bars(FILES["600000.SH"])) as (con, run):
        add(con, table_called("staging.corporate_actions"), invented + true)
        con.execute("insert into checked_corporate_actions by name select * from staging.corporate_actions")
        measured = found(con, run, "staging.corporate_actions", "events_off")
    assert {row["ex_date"] for row in measured.rows["600000.SH"]} == {event["ex_date"] for event in invented}
