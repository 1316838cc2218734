"""Backfill from live vendors: resumable after a kill, polite, and honest about half-loaded days (PRODUCT O1, O5)."""

from __future__ import annotations

import threading
import time
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from flows.desk import backfilling, packing
from flows.desk.backfilling import Backfill, Loaded, kinds_of_history, plan_units
from flows.desk.calendar import stored_calendar
from flows.desk.loaded_days import HalfLoaded, half_loaded_days
from flows.errors import UsageError
from flows.warehouse.database import open_reader
from tests.upstream import baostock_server
from tests.upstream.command_line import line
from tests.upstream.world import BANK, PUDONG, small_world

pytestmark = pytest.mark.slow

LAST = date(2024, 6, 14)
ORDER = ("backfill", "--symbols", f"{BANK},{PUDONG}", "--from", "2024-06-03", "--to", f"{LAST}", "--json")
KINDS = len(kinds_of_history())


def order(folder: Path, **settings: object) -> Backfill:
    options = {"data_dir": str(folder), "sources": "live", "fetch_attempts": 1, **settings}
    return Backfill(
        batch_id="b1", symbols=(BANK, PUDONG), start=date(2024, 6, 3), end=LAST,
        now=datetime(2024, 6, 17, 13, tzinfo=UTC), options=options,
    )  # fmt: skip


def loaded(backfill: Backfill) -> list[Loaded]:
    units = plan_units(backfill, stored_calendar(backfill.settings()))
    return backfilling.load(backfill, units, lambda _: None, lambda: datetime.now(UTC))


def asked(world) -> tuple[int, int]:
    return len(world.server.log), len(world.upstream.calls)


def query(folder: Path, sql: str) -> list[tuple]:
    with open_reader(folder / "zhengming.duckdb") as con:
        return con.execute(sql).fetchall()


def test_a_finished_range_asks_nobody_and_a_longer_one_asks_again(world, tmp_path):
    first = loaded(order(tmp_path))
    assert [(item.asked, item.skipped, item.failures) for item in first] == [(KINDS, 0, ())] * 2
    before = asked(world)
    assert [(item.rows, item.asked, item.skipped) for item in loaded(order(tmp_path))] == [(0, 0, KINDS)] * 2
    assert asked(world) == before
    longer = order(tmp_path).model_copy(update={"start": date(2024, 5, 31)})
    assert {kinds for _, kinds in plan_units(longer, stored_calendar(longer.settings())).items()} == {
        kinds_of_history()
    }


def test_a_kind_without_a_history_is_refused_with_its_reason_and_nobody_asked(world, tmp_path):
    first = loaded(order(tmp_path))
    assert {item.refused for item in first} == {("peers：eastmoney 只有当前值，没有历史，补不了",)}
    assert (
        query(tmp_path, "select status, attempts, rows from raw.fetches where kind = 'peers'")
        == [("NOT_SUPPORTED", 0, 0)] * 2
    )
    assert query(tmp_path, "select count(*) from raw.peers") == [(0,)]


def test_a_vendor_of_ones_own_is_asked_for_the_history_of_that_kind(world, tmp_path):
    loaded(order(tmp_path, chains={"peers": ("tushare", "eastmoney")}))
    answers = query(tmp_path, "select distinct vendor, attempts > 0 from raw.fetches where kind = 'peers' order by 1")
    assert [vendor for vendor, _ in answers] == ["eastmoney", "tushare"]


def test_rows_are_stored_once_and_stand_on_every_session(world, tmp_path):
    loaded(order(tmp_path))
    bars = (
        "select symbol, count(*), count(distinct trade_date), min(vendor) from raw.daily_bars group by all order by all"
    )
    assert query(tmp_path, bars) == [(BANK, 9, 9, "baostock"), (PUDONG, 9, 9, "baostock")]
    assert query(tmp_path, "select count(*), count(distinct (symbol, kind)) from ops.backfills") == [
        (2 * KINDS, 2 * KINDS)
    ]


def test_a_failed_kind_is_named_left_open_and_alone_asked_by_the_next_run(world, tmp_path):
    alone = order(tmp_path, chains={"adjust_factors": ("baostock",)})
    world.server.fault["query_adjust_factor"] = baostock_server.closing
    failed = loaded(alone)
    assert all("adjust_factors：" in " ".join(item.failures) for item in failed)
    world.server.fault.clear()
    again = loaded(alone)
    assert [item.failures for item in again] == [(), ()]
    assert all(0 < item.asked < KINDS for item in again)


def test_a_half_loaded_day_is_named_and_its_stocks_are_asked_again(world, tmp_path):
    rows = world.east_money.klines["1.600000"]
    whole = list(rows)
    rows[:] = [row for row in rows if not row.startswith("2024-06-06")]
    backfill = order(tmp_path, chains={"daily_bars": ("eastmoney",)})
    loaded(backfill)
    calendar = stored_calendar(backfill.settings())
    packing.rebuild(backfill.settings().database, calendar, backfill.now)
    with open_reader(backfill.settings().database) as con:
        found = half_loaded_days(con, backfill.symbols, backfill.start, backfill.end, calendar)
    assert found == [HalfLoaded(date(2024, 6, 6), 1, 2, (PUDONG,))]
    backfilling.reopen(backfill, found)
    assert plan_units(backfill, calendar) == {BANK: (), PUDONG: ("daily_bars",)}
    rows[:] = whole
    assert [item.rows for item in loaded(backfill)] == [0, 1]
    with open_reader(backfill.settings().database) as con:
        assert half_loaded_days(con, backfill.symbols, backfill.start, backfill.end, calendar) == []


def test_our_own_daily_cap_of_a_vendor_is_kept_over_runs(world, tmp_path):
    """What is over the cap stays open for another day; nothing is forced."""
    kinds = ("instruments", "trade_dates", "daily_bars", "adjust_factors", "valuations")
    capped = order(tmp_path, chains=dict.fromkeys(kinds, ("baostock",)), vendor_daily_cap={"baostock": 3})
    for _ in range(2):
        assert any("上限" in failure for item in loaded(capped) for failure in item.failures)
    assert len([name for name, _ in world.server.log if name.startswith("query")]) <= 3


def test_killed_in_the_second_stock_the_next_run_asks_only_for_what_is_open(tmp_path):
    """Through the command line: SIGKILL, then the same order again; its exit codes and its progress."""
    reached = threading.Event()

    def hang(_, times):
        if times < 2:
            return None
        reached.set()
        time.sleep(20)
        return baostock_server.CLOSE

    def bars_asked(code: str) -> int:
        return sum(1 for name, a in live.world.server.log if name == "query_history_k_data_plus" and code in a)

    with line(small_world(), tmp_path / "data") as live:
        live.world.server.fault["query_adjust_factor"] = hang
        assert live.kill_when(reached, *ORDER) == -9
        once = bars_asked("sz.000001")
        live.world.server.fault.clear()
        ran = live.run(*ORDER)
        assert ran.code == 0, ran.out + ran.err
        assert {item["symbol"]: item["skipped"] for item in ran.json["loaded"]}[BANK] == KINDS
        assert (once, bars_asked("sz.000001")) == (1, 1)
    done = "select count(*), count(distinct (symbol, kind)) from ops.backfills"
    assert query(tmp_path / "data", done) == [(2 * KINDS, 2 * KINDS)]
    bars = "select symbol, count(*), count(distinct trade_date) from raw.daily_bars group by all order by all"
    assert query(tmp_path / "data", bars) == [(BANK, 9, 9), (PUDONG, 9, 9)]
    assert "补历史" in ran.err


@pytest.mark.parametrize(
    ("start", "end", "says"),
    [
        (date(2024, 6, 14), date(2024, 6, 3), "颠倒"),
        (date(2024, 6, 8), date(2024, 6, 10), "没有交易日"),
        (date(2024, 6, 3), date(2024, 6, 18), "2024-06-17"),
    ],
)
def test_a_range_that_cannot_be_loaded_is_refused_before_anybody_is_asked(world, tmp_path, start, end, says):
    wrong = order(tmp_path).model_copy(update={"start": start, "end": end})
    with pytest.raises(UsageError, match=says):
        plan_units(wrong, stored_calendar(wrong.settings()))
    assert asked(world) == (0, 0)
