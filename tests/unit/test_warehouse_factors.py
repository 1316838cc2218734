"""Factors of several vendors, each from its own base: one symbol is never adjusted by a mixture (P3, M8)."""

from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.contracts.columns import SYSTEM
from flows.contracts.raw import RAW_TABLES
from flows.market.calendar import load_calendar
from flows.warehouse.build import build
from flows.warehouse.database import append, open_writer

CN = ZoneInfo("Asia/Shanghai")
CALENDAR = load_calendar()
SESSIONS = CALENDAR.sessions(date(2024, 1, 2), date(2024, 3, 29))
EX_DATES = (SESSIONS[5], SESSIONS[20], SESSIONS[40])
STEPS = (1.05, 2.0, 1.1)
BASES = {"baostock": 1.0, "sina": 7.25, "tushare": 0.31}
SYMBOL = "600000.SH"


def frame_of(kind: str, rows: list[dict[str, object]]) -> pl.DataFrame:
    schema = RAW_TABLES[kind].without([c.name for c in SYSTEM]).schema
    return pl.DataFrame([{name: row.get(name) for name in schema} for row in rows], schema=schema)


def evening(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 18, tzinfo=CN)


def factors(vendor: str, known: int) -> pl.DataFrame:
    """The first *known* events as *vendor* counts them."""
    value, rows = BASES[vendor], []
    for ex_date, step in list(zip(EX_DATES, STEPS, strict=True))[:known]:
        value *= step
        rows.append({"symbol": SYMBOL, "ex_date": ex_date, "backward_factor": value, "published_at": evening(ex_date)})
    first = {"symbol": SYMBOL, "ex_date": date(1999, 11, 10), "backward_factor": BASES[vendor]}
    return frame_of("adjust_factors", [first | {"published_at": evening(date(1999, 11, 10))}, *rows])


def bars() -> pl.DataFrame:
    rows = []
    for place, day in enumerate(SESSIONS):
        price = 20.0 + place / 100
        prices = dict.fromkeys(("open_cny", "high_cny", "low_cny", "close_cny"), price)
        rows.append({"symbol": SYMBOL, "trade_date": day, **prices, "volume_shares": 100, "amount_cny": price * 100,
                     "is_trading": True, "published_at": evening(day)})  # fmt: skip
    return frame_of("daily_bars", rows)


def adjusted(path: Path, fetches: list[tuple[str, int]]) -> list[float]:
    """Adjusted closes after the factor *fetches* (vendor, events known), one an hour."""
    at = datetime(2024, 3, 29, 20, tzinfo=CN)
    with open_writer(path) as con:
        append(con, "daily_bars", bars(), vendor="baostock", fetched_at=at, batch_id="b")
        for hour, (vendor, known) in enumerate(fetches):
            append(
                con, "adjust_factors", factors(vendor, known), vendor=vendor,
                fetched_at=at + timedelta(hours=hour), batch_id="b",
            )  # fmt: skip
        build(con, CALENDAR.sessions(CALENDAR.first, CALENDAR.last))
        rows = con.execute("select close_cny from marts.adjusted_bars order by trade_date").fetchall()
    return [close for (close,) in rows]


def expected() -> list[float]:
    """By hand: everything before an event divided by the steps still to come."""
    closes = []
    for place, day in enumerate(SESSIONS):
        close = 20.0 + place / 100
        for ex_date, step in zip(EX_DATES, STEPS, strict=True):
            close /= step if day < ex_date else 1.0
        closes.append(close)
    return closes


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(sorted(BASES)), st.integers(0, 3)), max_size=4), st.sampled_from(sorted(BASES))
)
def test_whoever_answered_when_the_adjusted_series_is_that_of_one_vendor(tmp_path_factory, earlier, last) -> None:
    path = tmp_path_factory.mktemp("factors") / "x.duckdb"
    assert adjusted(path, [*earlier, (last, 3)]) == pytest.approx(expected(), rel=1e-12)


def test_a_vendor_asked_in_an_outage_leaves_no_trace_in_the_other_ones_steps(tmp_path: Path) -> None:
    """The case seen: baostock knows two events, sina is asked once, baostock adds only its newest row."""
    fetches = [("baostock", 2), ("sina", 2), ("baostock", 3)]
    assert adjusted(tmp_path / "x.duckdb", fetches) == pytest.approx(expected(), rel=1e-12)


def test_equal_numbers_of_two_vendors_are_two_statements(tmp_path: Path) -> None:
    with open_writer(tmp_path / "x.duckdb") as con:
        for vendor in ("baostock", "sina"):
            at = datetime(2024, 3, 29, 20, tzinfo=CN)
            append(con, "adjust_factors", factors("baostock", 1), vendor=vendor, fetched_at=at, batch_id="b")
        again = append(con, "adjust_factors", factors("baostock", 1), vendor="sina", fetched_at=at, batch_id="c")
        rows = con.execute("select vendor, count(*) from raw.adjust_factors group by all order by all").fetchall()
    assert rows == [("baostock", 2), ("sina", 2)]
    assert again == 0
