"""What the command line does with live vendors: who is asked, what is stored, what is said."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import duckdb
import pytest

from flows.desk.ingest import Ingested, ingest
from flows.desk.plan import plan_review
from flows.errors import ConfigurationError
from flows.market.sessions import load_calendar
from flows.settings import Settings
from flows.warehouse.database import open_reader
from tests.upstream import baostock_server
from tests.upstream.command_line import Line, line
from tests.upstream.world import BANK, small_world

pytestmark = pytest.mark.slow

DAY = "2024-06-14"
REVIEW = ("review", "--symbols", BANK, "--as-of", DAY, "--json")
BAOSTOCK_ALONE = {
    kind: ["baostock"] for kind in ("instruments", "trade_dates", "daily_bars", "adjust_factors", "valuations")
}


@pytest.fixture
def live(tmp_path: Path):
    with line(small_world(), tmp_path / "data") as served:
        yield served


def test_u8_with_baostock_down_and_alone_in_the_chain_nobody_else_is_asked(live: Line):
    live.world.server.fault["login"] = baostock_server.closing
    ran = live.run(*REVIEW, chains=BAOSTOCK_ALONE)
    assert ran.code == 1, ran.err
    assert ran.out, ran.err
    assert [(a["outcome"], "daily_bars" in a["reason"]) for a in ran.json["accounts"]] == [("failed", True)]
    asked = live.rows("select distinct kind, vendor, status from raw.fetches where kind <> 'macro' order by kind")
    assert asked == [
        {"kind": kind, "vendor": "baostock", "status": "UPSTREAM_ERROR"}
        for kind in ("daily_bars", "instruments", "trade_dates")
    ]
    assert not [call for call in live.world.upstream.calls if "kline" in call.path or "sina" in call.host]


def test_the_users_own_table_is_a_vendor_like_any_other(live: Line, tmp_path: Path):
    own = tmp_path / "own.duckdb"
    with duckdb.connect(str(own)) as con:
        con.execute(
            "create table bars as select symbol, day::date as day, 8.20 as o, 8.33 as h, 8.19 as l, 8.30 as c, "
            f"60213700 as volume from (values ('{BANK}'), ('600000.SH')) as s(symbol) "
            "cross join unnest(generate_series(date '2024-06-03', date '2024-06-14', interval 1 day)) as d(day) "
            "where isodow(day) < 6 and day <> date '2024-06-10'"
        )
    select = (
        "select symbol, day as trade_date, o as open_cny, h as high_cny, l as low_cny, c as close_cny, "
        "volume as volume_shares, volume * 8.25 as amount_cny, true as is_trading from bars "
        "where symbol = $symbol and day between $start and $end"
    )
    order = ("backfill", "--symbols", BANK, "--from", "2024-06-03", "--to", DAY, "--json")
    ran = live.run(
        *order, chains={"daily_bars": ["sql"]}, user_sql={"daily_bars": select}, user_sql_database=str(own)
    )  # fmt: skip
    assert ran.code == 0, ran.out + ran.err
    fetched = live.rows("select vendor, status, rows from raw.fetches where kind = 'daily_bars'")
    assert fetched == [{"vendor": "sql", "status": "OK", "rows": 9}]
    stored = live.rows(
        "select vendor, count(*) as days, max(close_cny) as high, min(published_at)::varchar as first "
        "from raw.daily_bars group by vendor"
    )
    assert stored == [{"vendor": "sql", "days": 9, "high": 8.3, "first": "2024-06-03 17:30:00+08"}]
    adjusted = live.rows("select count(*) as days, max(raw_close_cny) as high from marts.adjusted_bars")
    assert adjusted == [{"days": 9, "high": 8.3}]


def ingested(folder: Path, select: str, database: Path) -> Ingested:
    options = {
        "data_dir": str(folder), "sources": "live", "fetch_attempts": 1, "chains": {"daily_bars": ("sql",)},
        "user_sql": {"daily_bars": select}, "user_sql_database": str(database),
    }  # fmt: skip
    review = plan_review(
        Settings(**options), [BANK], as_of=date(2024, 6, 14), now=datetime.now(UTC), calendar=load_calendar(),
        options=options,
    )  # fmt: skip
    return ingest(review, lambda _: None, lambda: datetime.now(UTC))


@pytest.mark.parametrize(
    ("select", "says"),
    [("select * from nowhere where symbol = $symbol", "查询失败"), ("select 1 as ts_code", "ts_code")],
)
def test_a_select_that_does_not_fit_is_named_and_nobody_else_is_asked(world, tmp_path: Path, select: str, says: str):
    own = tmp_path / "own.duckdb"
    duckdb.connect(str(own)).close()
    assert says in ingested(tmp_path, select, own).failed[BANK]
    assert not [call for call in world.upstream.calls if "kline" in call.path]


def test_an_own_database_that_is_not_there_is_a_matter_of_configuration(tmp_path: Path):
    with pytest.raises(ConfigurationError, match=r"no\.db"):
        ingested(tmp_path, "select 1", tmp_path / "no.db")


def test_versions_are_ordered_by_the_wall_clock_not_by_the_day_reviewed(world, tmp_path: Path):
    """A review of an old day made today is a newer fetch than one made on that evening."""
    started = datetime.now(UTC)
    own = tmp_path / "own.duckdb"
    duckdb.connect(str(own)).close()
    ingested(tmp_path, "select 1 as ts_code", own)
    with open_reader(tmp_path / "zhengming.duckdb") as con:
        [(count, first)] = con.execute("select count(*), min(fetched_at) from raw.fetches").fetchall()
    assert count > 0
    assert first >= started
