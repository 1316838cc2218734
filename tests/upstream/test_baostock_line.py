"""The real baostock client against a server with its framing: every way the line breaks (U4, U5)."""

from __future__ import annotations

import threading
from datetime import date

import pytest

from flows.contracts.envelope import Status
from flows.market.sessions import load_calendar
from flows.sources.baostock import Baostock
from flows.sources.baostock_line import line, rows_of
from flows.sources.http import Recording, recorded
from tests.upstream import baostock_book, baostock_server
from tests.upstream.asking import ask, asker, request
from tests.upstream.world import BANK, PUDONG, small_world

K_LINE = "query_history_k_data_plus"
LONG = {"start": date(2010, 1, 4), "end": date(2024, 6, 14)}


@pytest.fixture
def long(world):
    """3,500 sessions of 600000: two pages."""
    days = load_calendar().sessions(date(2010, 1, 4), date(2024, 6, 14))
    world.baostock.k_lines["sh.600000"] = [baostock_book.k_line("sh.600000", day) for day in days]
    return world, len(days)


def bars(deadline_s=5.0, attempts=1, symbol=PUDONG, **window):
    vendor = Baostock(asker("baostock", attempts, deadline_s, shares_one_line=True))
    return vendor.fetch_daily_bars(request("daily_bars", symbol, **window))


def test_a_second_page_is_fetched_whole(long):
    world, count = long
    envelope = bars(**LONG)
    assert envelope.rows == count
    assert world.server.asked(K_LINE) == 2


@pytest.mark.parametrize("page", [1, 2])
@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (baostock_server.silent, "TimeoutError"),
        (baostock_server.closing, "关闭"),
        (baostock_server.resetting, "中断"),
        (baostock_server.failing("10001001", "用户未登录"), "10001001"),
    ],
    ids=["silent", "closed", "reset", "error frame"],
)
def test_u4_a_page_that_dies_is_an_error_never_fewer_rows(long, page, fault, says):
    world, _ = long
    world.server.fault[K_LINE] = baostock_server.on_call(page, fault)
    envelope = bars(deadline_s=1.0, **LONG)
    assert (envelope.status, envelope.data) == (Status.UPSTREAM_ERROR, None)
    assert says in envelope.message


def test_u4_the_line_is_opened_again_after_it_broke(long):
    world, count = long
    world.server.fault[K_LINE] = baostock_server.on_call(2, baostock_server.resetting)
    envelope = bars(attempts=2, **LONG)
    assert (envelope.status, envelope.rows, envelope.attempts) == (Status.OK, count, 2)
    assert world.server.asked("login") == 2


def test_u4_two_threads_on_one_login_are_served_one_after_the_other(world):
    world.server.chunk = 64
    vendor = Baostock(asker("baostock", shares_one_line=True))
    got: list[tuple[str, set[str]]] = []

    def work(symbol: str) -> None:
        for start in range(1, 9):
            envelope = vendor.fetch_daily_bars(request("daily_bars", symbol, start=date(2024, 6, start)))
            got.append((symbol, set(envelope.data["symbol"])))

    threads = [threading.Thread(target=work, args=(symbol,)) for symbol in (PUDONG, BANK)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 16
    assert all(names == {symbol} for symbol, names in got)
    assert world.server.asked("login") == 1


def test_u5_a_beijing_stock_is_not_supported_and_not_asked(world):
    envelope = ask("baostock", "daily_bars", "920002.BJ")
    assert (envelope.status, envelope.attempts) == (Status.NOT_SUPPORTED, 0)
    assert not envelope.retryable
    assert world.server.log == []


def test_an_answer_for_another_stock_is_refused(world):
    world.baostock.k_lines["sh.600000"] = world.baostock.k_lines["sz.000001"]
    envelope = bars()
    assert envelope.status is Status.UPSTREAM_ERROR
    assert "sz.000001" in envelope.message


def test_an_answer_to_another_request_is_refused(world):
    stray = baostock_server.frame("34", "\x01".join(["0", "success", "query_trade_dates", "a", "1", "2000", "", "f"]))
    world.server.fault[K_LINE] = lambda connection, nth: stray
    assert "不是对本次请求" in bars().message


@pytest.mark.parametrize("position", [40, -20])
def test_a_flipped_byte_is_caught(world, position):
    sound = baostock_server.frame("16", "\x01".join(["0", "success", "query_adjust_factor", "a", "1", "2000", "", "x"]))
    broken = bytearray(sound)
    broken[position] ^= 1
    world.server.fault["query_adjust_factor"] = lambda connection, nth: bytes(broken)
    envelope = ask("baostock", "adjust_factors")
    assert envelope.status is Status.UPSTREAM_ERROR
    assert "损坏" in envelope.message


def test_missing_sessions_in_the_middle_are_a_half_loaded_answer(world):
    del world.baostock.k_lines["sh.600000"][4]
    envelope = bars()
    assert envelope.status is Status.UPSTREAM_ERROR
    assert "缺少 1 个交易日" in envelope.message


def test_a_suspended_stock_has_flat_rows_and_no_gap(world):
    flat = {"volume": "0", "amount": "0.0000", "turn": "", "tradestatus": "0"}
    flat |= dict.fromkeys(("open", "high", "low", "close", "preclose"), "8.3000")
    world.baostock.k_lines["sh.600000"][4] |= flat
    row = bars().data.row(4 - 1, named=True)
    assert (row["is_trading"], row["volume_shares"], row["turnover_pct"]) == (False, 0.0, None)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("10001011", Status.PERMISSION_DENIED),
        ("10001004", Status.PERMISSION_DENIED),
        ("10001005", Status.RATE_LIMITED),
        ("10002007", Status.UPSTREAM_ERROR),
        ("10005001", Status.UPSTREAM_ERROR),
    ],
)
def test_a_refused_login_says_why(world, code, status):
    world.server.login_error = (code, "拒绝")
    envelope = bars()
    assert envelope.status is status
    assert code in envelope.message


def test_a_blacklisted_address_is_not_used_again_in_this_run(world):
    world.server.login_error = ("10001011", "黑名单用户")
    vendor = Baostock(asker("baostock", shares_one_line=True))
    first = vendor.fetch_daily_bars(request("daily_bars"))
    second = vendor.fetch_adjust_factors(request("adjust_factors"))
    assert {first.status, second.status} == {Status.PERMISSION_DENIED}
    assert world.server.asked("login") == 1


@pytest.mark.parametrize(
    ("code", "status"),
    [("10004015", Status.NOT_SUPPORTED), ("10004012", Status.INVALID_ARGUMENTS), ("10004020", Status.UPSTREAM_ERROR)],
)
def test_error_codes_of_a_query(world, code, status):
    world.server.data[K_LINE] = lambda arguments: (code, "错误")
    assert bars().status is status


def test_dates_the_client_cannot_read_come_back_as_none_and_are_refused(world):
    from flows.sources.faults import SourceFault

    with recorded(Recording(5.0)), line() as library, pytest.raises(SourceFault) as caught:
        rows_of(library.query_history_k_data_plus("sh.600000", "date", "20240603", "20240614"))
    assert caught.value.status is Status.INVALID_ARGUMENTS


def test_the_client_prints_nothing(world, capsys):
    bars()
    ask("baostock", "trade_dates")
    assert capsys.readouterr().out == ""


def test_no_rows_are_no_record(world):
    world.baostock.k_lines["sh.600000"] = []
    assert bars().status is Status.NO_DATA


def test_a_server_that_is_not_there_is_an_outage(monkeypatch):
    with small_world().reached():
        pass
    with baostock_server.redirected(1):
        envelope = bars(deadline_s=1.0)
    assert envelope.status is Status.UPSTREAM_ERROR
    assert "连接 baostock 失败" in envelope.message
