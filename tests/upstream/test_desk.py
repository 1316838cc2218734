"""A run's desk over all vendors: what is asked, what is remembered, what is loud; in this and in a child process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from datetime import date, datetime

import polars as pl
import pytest

from flows.contracts.envelope import DateStatus, Status
from flows.errors import ConfigurationError, NoData, Transient
from flows.market.sessions import SHANGHAI
from flows.settings import DEFAULT_CHAINS, Settings
from flows.sources.registry import open_desk, plan, probe
from tests.real_data import REAL, needs_real
from tests.upstream import baostock_server, web
from tests.upstream.asking import EVENING, LAST
from tests.upstream.serve import environment
from tests.upstream.world import BANK, PUDONG, real_world

VENDORS = ("baostock", "eastmoney", "cninfo", "sina", "tencent", "exchanges")
FAST = dict.fromkeys(VENDORS, 100_000)


def settings(folder, **more):
    more = {"fetch_deadline_s": 5.0, "fetch_attempts": 1, **more}
    return Settings(
        sources="live", data_dir=folder, vendor_calls_per_minute=FAST, vendor_daily_cap=FAST, **more
    )  # fmt: skip


@pytest.fixture
def desk(world, tmp_path):
    return open_desk(settings(tmp_path), EVENING)


def test_kinds_are_divided_into_market_and_stock():
    market, stock = plan()
    assert market == ("instruments", "trade_dates", "macro")
    assert set(market) | set(stock) == set(DEFAULT_CHAINS)


def test_everything_about_one_stock_is_asked_and_accounted(world, desk):
    market = desk.market(LAST)
    results = desk.symbol(BANK, LAST)
    kinds = [result.envelope.kind for result in (*market, *results)]
    assert sorted(kinds) == sorted(DEFAULT_CHAINS)
    assert {r.envelope.kind: r.envelope.status for r in results if r.envelope.status is not Status.OK} == {}
    assert len(desk.tried()) == len(kinds)


def test_a_beijing_stock_gets_its_identity_from_its_own_exchange(world, desk):
    desk.market(LAST)
    with pytest.raises(NoData):
        desk.symbol("920002.BJ", LAST)
    asked = [(e.kind, e.vendor, e.status) for e in desk.tried() if e.symbol == "920002.BJ"]
    assert asked[:2] == [
        ("instruments", "baostock", Status.NOT_SUPPORTED),
        ("instruments", "exchanges", Status.OK),
    ]


def test_u8_with_baostock_down_and_alone_in_the_chain_nobody_else_is_asked(world, tmp_path):
    world.server.fault["login"] = baostock_server.closing
    alone = {"daily_bars": ("baostock",)}
    desk = open_desk(settings(tmp_path, chains={**DEFAULT_CHAINS, **alone}), EVENING)
    with pytest.raises(Transient, match="baostock UPSTREAM_ERROR"):
        desk.symbol(BANK, LAST)
    bars = [(e.vendor, e.status) for e in desk.tried() if e.kind == "daily_bars"]
    assert bars == [("baostock", Status.UPSTREAM_ERROR)]
    assert not [call for call in world.upstream.calls if "kline" in call.path]


def test_with_baostock_down_the_next_of_the_chain_answers(world, tmp_path):
    world.server.fault["login"] = baostock_server.closing
    desk = open_desk(settings(tmp_path), EVENING)
    found = {r.envelope.kind: r.envelope.vendor for r in desk.symbol(BANK, LAST) if r.envelope.kind != "instruments"}
    assert (found["daily_bars"], found["adjust_factors"], found["valuations"]) == ("eastmoney", "sina", "eastmoney")


def test_an_optional_kind_that_failed_is_an_envelope_not_an_error(world, desk):
    world.upstream.fault["emappdata.eastmoney.com"] = web.bad_gateway
    results = {r.envelope.kind: r.envelope for r in desk.symbol(BANK, LAST)}
    assert results["attention"].status is Status.UPSTREAM_ERROR
    assert results["news"].status is Status.OK


def test_a_stale_vendor_is_asked_once_more_then_the_next_answers(world, desk):
    world.baostock.k_lines["sz.000001"].pop()
    results = {r.envelope.kind: r for r in desk.symbol(BANK, LAST)}
    assert results["daily_bars"].envelope.vendor == "eastmoney"
    assert [e.date_status for e in results["daily_bars"].tried] == [DateStatus.STALE, DateStatus.CURRENT]


def test_p4_an_ex_date_without_its_factor_stops_the_stock(world, desk):
    world.baostock.k_lines["sz.000001"][-1]["preclose"] = "4.1500"
    with pytest.raises(Transient, match="除权"):
        desk.symbol(BANK, LAST)
    assert [e.status for e in desk.tried() if e.kind == "adjust_factors"] == [Status.OK, Status.NOT_READY]


def test_later_runs_ask_only_from_where_the_store_ends(world, desk):
    desk.symbol(BANK, LAST, {"daily_bars": date(2024, 6, 10)})
    asked = [a for name, a in world.server.log if name == "query_history_k_data_plus"]
    assert asked[0][6] == "2024-06-10"


def test_every_vendor_of_the_chains_can_be_probed(world, tmp_path):
    found = {vendor: is_fine for vendor, _, is_fine in probe(settings(tmp_path), EVENING)}
    assert found == dict.fromkeys(("baostock", "exchanges", "sina", "eastmoney", "cninfo"), True)


@pytest.mark.parametrize("chains", [{"daily_bars": ("baostok",)}, {"daily_bars": ()}, {"daily_bar": ("baostock",)}])
def test_chains_are_checked_before_anybody_is_asked(tmp_path, chains):
    with pytest.raises(ConfigurationError, match="chains"):
        open_desk(settings(tmp_path, chains=chains), EVENING)


def test_the_users_own_table_is_a_vendor_like_any_other(world, tmp_path):
    def run_query(select, parameters):
        assert select == "select * from my.bars"
        prices = dict.fromkeys(("open_cny", "high_cny", "low_cny", "close_cny"), 8.3)
        row = {"symbol": parameters["symbol"], "trade_date": LAST, **prices, "volume_shares": 100, "amount_cny": 830}
        return pl.DataFrame([{**row, "is_trading": True}])

    own = {**DEFAULT_CHAINS, "daily_bars": ("sql", "baostock")}
    desk = open_desk(
        settings(tmp_path, chains=own, user_sql={"daily_bars": "select * from my.bars"}), EVENING, run_query=run_query
    )
    bars = {r.envelope.kind: r.envelope for r in desk.symbol(BANK, LAST)}["daily_bars"]
    assert (bars.vendor, bars.rows, bars.actual_trade_date) == ("sql", 1, LAST)


# The real prices.

QUARTER_END = date(2025, 3, 31)
NIGHT = datetime(2025, 3, 31, 23, 59, 59, tzinfo=SHANGHAI)


@pytest.fixture
def real_desk(tmp_path):
    with ExitStack() as stack:
        world = stack.enter_context(real_world(REAL / "prices").reached())
        yield open_desk(settings(tmp_path), NIGHT)
    assert world.upstream.unexpected == []


@needs_real
@pytest.mark.real
def test_factors_from_previous_closes_reproduce_the_published_adjusted_series(real_desk, capsys):
    found = {r.envelope.kind: r.envelope.data for r in real_desk.symbol(PUDONG, QUARTER_END)}
    bars = found["daily_bars"].select("trade_date", "close_cny").sort("trade_date")
    factors = found["adjust_factors"].select("ex_date", "backward_factor").sort("ex_date")
    adjusted = bars.join_asof(factors, left_on="trade_date", right_on="ex_date").with_columns(
        pl.col("backward_factor").fill_null(1.0)
    )
    anchor = adjusted.filter(pl.col("trade_date") == date(2021, 3, 17))["backward_factor"].item()
    published = pl.read_csv(REAL / "prices/600000/qfq_baostock_anchor20210317.csv", try_parse_dates=True)
    both = adjusted.join(published.select("date", "close"), left_on="trade_date", right_on="date")
    error = (pl.col("close_cny") * pl.col("backward_factor") / anchor / pl.col("close") - 1).abs().max()
    largest = both.select(error).item()
    with capsys.disabled():
        print(f"\n600000 forward-adjusted to 2021-03-17: {both.height} days, largest relative error {largest:.2e}")
    assert both.height == 291
    assert largest <= 1e-6


@needs_real
@pytest.mark.real
def test_a_child_process_is_led_to_the_same_upstream(tmp_path):
    """What the command line meets: real clients in an interpreter of their own."""
    code = (
        "import json, pathlib, sys;"
        "from datetime import date, datetime;"
        "from flows.market.sessions import SHANGHAI;"
        "from flows.settings import Settings;"
        "from flows.sources.registry import open_desk;"
        "desk = open_desk(Settings(sources='live', data_dir=pathlib.Path(sys.argv[1])),"
        " datetime(2025, 3, 31, 23, 59, 59, tzinfo=SHANGHAI));"
        "found = desk.symbol('000001.SZ', date(2025, 3, 31));"
        "print(json.dumps({r.envelope.kind: [r.envelope.status, r.envelope.rows] for r in found}))"
    )
    world = real_world(REAL / "prices")
    with world.serving() as ports:
        child = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)],
            env={**os.environ, **environment(*ports)},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
    assert child.returncode == 0, child.stderr
    found = json.loads(child.stdout)
    assert found["daily_bars"] == ["OK", 1269]
    assert found["adjust_factors"] == ["OK", 6]
    assert {kind for kind, (status, _) in found.items() if status != "OK"} <= {"filing_texts"}
    assert world.upstream.unexpected == []
