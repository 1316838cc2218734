"""Faults of the catalogue that need an upstream, by name."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time, timedelta

import pytest

from flows.contracts.envelope import DateStatus, Status
from flows.market.sessions import SHANGHAI, due_session
from flows.settings import Settings
from flows.sources.registry import open_desk
from tests.upstream import east_money, others
from tests.upstream.asking import EVENING, LAST, SECRET, ask, request, vendors
from tests.upstream.edits import added, exchange, rows
from tests.upstream.world import BANK, PUDONG

WEB = "datacenter-web.eastmoney.com"
YESTERDAY = date(2024, 6, 13)


def at(hour: int, minute: int = 0, day: date = LAST) -> datetime:
    return datetime.combine(day, time(hour, minute), SHANGHAI)


def midnight(day: int) -> datetime:
    """A filing time of which only the date in June 2024 is known; cninfo's own are without a zone."""
    return datetime.combine(date(2024, 6, day), time())


@pytest.mark.parametrize("vendor", ["baostock", "eastmoney", "sina", "tencent", "tushare"])
def test_p8_a_partial_bar_is_not_a_close(world, vendor):
    afternoon, evening = (ask(vendor, "daily_bars", now=at(*moment)) for moment in ((14, 10), (17, 30)))
    assert (afternoon.actual_trade_date, afternoon.date_status) == (YESTERDAY, DateStatus.LATEST_TRADING_DAY)
    assert (evening.actual_trade_date, evening.date_status) == (LAST, DateStatus.CURRENT)


@pytest.mark.parametrize("vendor", ["baostock", "eastmoney"])
def test_p8_today_alone_is_not_ready_in_the_afternoon(world, vendor):
    envelope = ask(vendor, "daily_bars", start=LAST, now=at(14, 10))
    assert (envelope.status, envelope.retryable) == (Status.NOT_READY, True)
    assert "17:30" in envelope.message


def test_d2_what_a_morning_run_saw_is_not_served_in_the_evening(world):
    today = world.baostock.k_lines["sz.000001"].pop()
    morning = ask("baostock", "daily_bars", now=at(10))
    world.baostock.k_lines["sz.000001"].append(today)
    evening = ask("baostock", "daily_bars", now=at(17, 40))
    assert (morning.actual_trade_date, evening.actual_trade_date) == (YESTERDAY, LAST)


def test_d2_a_vendor_that_has_not_closed_its_day_is_stale_not_current(world):
    world.baostock.k_lines["sz.000001"].pop()
    envelope = ask("baostock", "daily_bars", now=at(17, 40))
    assert (envelope.actual_trade_date, envelope.date_status) == (YESTERDAY, DateStatus.STALE)


def test_d2_akshares_own_caches_do_not_outlive_a_run(world):
    before = ask("exchanges", "instruments").data["name"].to_list()
    world.exchanges.szse_list[0] = others.szse_company("000001", "平安新名", "1991-04-03")
    after = ask("exchanges", "instruments").data["name"].to_list()
    assert (before, after) == (["平安银行"], ["平安新名"])


def test_d6_news_of_2022_served_as_latest_is_dropped_by_its_publication_time(world):
    old = east_money.news("202203010000000001", "旧闻", "2022-03-01 09:00:00")
    world.east_money.news["000001"].insert(0, old)
    titles = ask("eastmoney", "news").data["title"].to_list()
    assert titles == ["平安银行：测试新闻"]


def test_d3_a_run_across_the_close_is_about_one_session_in_every_tool(world, tmp_path):
    """Started 14:58, ended 15:06: the wall clock passes the close, the run's own clock does not."""
    start = datetime(2024, 6, 14, 14, 58, tzinfo=SHANGHAI)
    passed = iter(range(1_000))
    desk = open_desk(
        Settings(sources="live", data_dir=tmp_path, fetch_attempts=1), start,
        clock=lambda: start + timedelta(minutes=next(passed)),
    )  # fmt: skip
    session = due_session("daily_bars", start, desk.calendar)
    desk.market(session)
    desk.symbol(BANK, session)
    asked = {e.query_date for e in desk.tried() if e.kind != "trade_dates"}
    dated = {e.kind: e.actual_trade_date for e in desk.tried() if e.kind in {"daily_bars", "valuations", "fund_flows"}}
    assert (session, asked) == (date(2024, 6, 13), {date(2024, 6, 13)})
    assert dated == dict.fromkeys(dated, date(2024, 6, 13))
    assert max(e.fetched_at for e in desk.tried()) > datetime(2024, 6, 14, 15, 6, tzinfo=SHANGHAI)


def test_d4_news_from_after_the_run_is_cut(world):
    assert ask("eastmoney", "news", now=at(12)).status is Status.NO_DATA


def test_p4_between_bars_and_factors_the_factor_is_not_ready(world):
    early, late = (ask("baostock", "adjust_factors", start=date(2023, 1, 3), now=at(*m)) for m in ((17, 45), (18, 0)))
    assert (early.status, late.status) == (Status.NOT_READY, Status.OK)
    morning = ask("baostock", "adjust_factors", start=date(2023, 1, 3), now=at(10))
    assert morning.status is Status.OK


def test_s3_a_filing_of_another_company_under_our_code_is_left_out(world):
    stranger = others.filing("000001", "贵州茅台", 1_229_999_999, "贵州茅台：年度报告", midnight(12))
    world.cninfo.filings["000001"].insert(3, stranger)
    envelope = ask("cninfo", "announcements")
    assert "1229999999" not in envelope.data["announcement_id"].to_list()
    assert envelope.rows == 10
    assert "1229999999 贵州茅台《贵州茅台：年度报告》" in envelope.message


def test_s3_without_a_stranger_nothing_is_said_of_one(world):
    assert ask("cninfo", "announcements").message == ""


def test_u3_one_column_more_is_schema_drift(world):
    rows(WEB, added)(world)
    assert ask("eastmoney", "pledges").status is Status.UPSTREAM_ERROR


def test_u3_swapped_columns_are_out_of_range(world):
    rows(WEB, exchange("PLEDGE_RATIO", "REPURCHASE_BALANCE"))(world)
    envelope = ask("eastmoney", "pledges")
    assert envelope.status is Status.UPSTREAM_ERROR
    assert "质押比例" in envelope.message


def test_u6_the_same_filing_on_two_pages_counts_once(world):
    book = world.cninfo.filings["000001"]
    book[:] = [
        *book[:5],
        *(others.filing("000001", "平安银行", 1_000 + i, f"公告{i}", midnight(4)) for i in range(26)),
    ]
    book[30] = book[29]
    filings = ask("cninfo", "announcements").data
    assert filings.height == filings["announcement_id"].n_unique() == 30


def test_u6_a_list_of_854_pages_is_bounded(world):
    filing = world.cninfo.filings["000001"][5]
    world.cninfo.filings["000001"] = [filing] * (854 * 30)
    envelope = ask("cninfo", "announcements")
    assert envelope.status is Status.UPSTREAM_ERROR
    assert "翻页" in envelope.message
    assert len(world.upstream.calls) <= 102


def test_u6_a_list_without_filings_is_no_record(world):
    assert ask("cninfo", "announcements", end=date(2024, 6, 2), start=date(2024, 6, 1)).status is Status.NO_DATA


def test_u6_dates_are_sent_in_the_one_form_the_client_understands(world):
    ask("cninfo", "announcements")
    assert {call.form["seDate"] for call in world.upstream.calls if call.form} == {"2024-06-03~2024-06-14"}


def test_u6_fewer_filings_than_announced_are_an_error(world):
    def page_lost(call, reply):
        return replace(reply, body=reply.body.replace(b'"totalAnnouncement": 10', b'"totalAnnouncement": 29'))

    world.upstream.fault["www.cninfo.com.cn/new/hisAnnouncement/query"] = page_lost
    envelope = ask("cninfo", "announcements")
    assert envelope.status is Status.UPSTREAM_ERROR
    assert "29" in envelope.message


def test_a_company_cninfo_does_not_list_is_not_supported(world):
    del world.cninfo.filings["000001"]
    assert ask("cninfo", "announcements").status is Status.NOT_SUPPORTED


def test_u7_a_one_day_and_a_three_day_row_are_both_kept(world):
    found = ask("eastmoney", "top_list").data
    assert found["window_sessions"].sort().to_list() == [1, 3]
    assert found["reason"].n_unique() == 2


def test_u7_a_stock_that_is_not_on_the_list_has_no_record_and_the_list_is_of_the_day(world):
    world.east_money.reports["RPT_DAILYBILLBOARD_DETAILSNEW"] = [east_money.top_list("600000", "浦发银行", str(LAST))]
    on_the_list, absent = (ask("eastmoney", "top_list", symbol) for symbol in (PUDONG, BANK))
    assert (on_the_list.actual_trade_date, on_the_list.date_status) == (LAST, DateStatus.CURRENT)
    assert absent.status is Status.NO_DATA


def test_a_whole_market_answer_is_asked_once_for_all_stocks_of_a_run(world):
    fetchers = vendors()["eastmoney"]
    first = fetchers["top_list"](request("top_list"))
    asked = len(world.upstream.calls)
    second = fetchers["top_list"](request("top_list", PUDONG))
    assert {first.status, second.status} == {Status.OK}
    assert len(world.upstream.calls) == asked


def test_a_whole_market_failure_is_not_remembered(world):
    fetchers = vendors()["eastmoney"]
    world.upstream.fault[WEB] = lambda call, reply: type(reply)(b"", 502)
    failed = fetchers["top_list"](request("top_list"))
    world.upstream.fault.clear()
    assert (failed.status, fetchers["top_list"](request("top_list")).status) == (Status.UPSTREAM_ERROR, Status.OK)


@pytest.mark.parametrize("text", ['var sz000001hfq={"data":[print("owned")]}', "var x=__import__('os').getcwd()"])
def test_code_in_sinas_factor_file_is_never_evaluated(world, capsys, text):
    world.sina.factor_text = text
    envelope = ask("sina", "adjust_factors", start=date(2023, 1, 3))
    assert envelope.status is Status.UPSTREAM_ERROR
    assert "拒绝" in envelope.message
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ((40203, f"抱歉，您每分钟最多访问该接口200次 {SECRET}"), Status.RATE_LIMITED),
        ((40203, f"抱歉，您没有访问该接口的权限 {SECRET}"), Status.PERMISSION_DENIED),
        ((40101, f"您的token {SECRET} 不对，请确认"), Status.PERMISSION_DENIED),
        ((50101, f"请求参数错误 {SECRET}"), Status.UPSTREAM_ERROR),
    ],
)
def test_tushares_errors_have_their_status_and_never_quote_the_token(world, error, status):
    world.tushare.error = error
    envelope = ask("tushare", "daily_bars")
    assert envelope.status is status
    assert SECRET not in repr(envelope)


def test_tushares_token_travels_in_the_body_only(world):
    ask("tushare", "daily_bars")
    call = world.upstream.calls[-1]
    assert call.json["token"] == SECRET
    assert SECRET not in f"{call.path}{call.query}"


def test_tushare_asks_for_every_page(world):
    fields, items = world.tushare.tables["adj_factor"]
    days = [
        f"{year}{month:02d}{day:02d}" for year in range(1995, 2024) for month in range(1, 13) for day in range(1, 29)
    ]
    world.tushare.tables["adj_factor"] = (fields, [*items, *([BANK, day, 1.0] for day in reversed(days))])
    envelope = ask("tushare", "adjust_factors", start=date(1990, 12, 19))
    assert envelope.data["backward_factor"].to_list() == [115.2, 120.5]
    assert len(world.upstream.calls) == 2


def test_without_a_token_tushare_is_off_and_asks_nobody(world):
    from flows.sources.tushare import Tushare
    from tests.upstream.asking import asker

    envelope = Tushare(asker("tushare"), "http://api.tushare.pro", None).fetch(request("daily_bars"))
    assert (envelope.status, envelope.attempts) == (Status.PERMISSION_DENIED, 0)
    assert world.upstream.calls == []


def test_a_rights_issue_and_a_dividend_of_one_day_are_one_event(world):
    day = world.cninfo.dividends["000001"][0]["F020D"]
    world.cninfo.rights["000001"][0]["F018D"] = day
    event = ask("cninfo", "corporate_actions").data.row(0, named=True)
    assert (event["cash_cny"], event["bonus_ratio"]) == (pytest.approx(0.719), pytest.approx(0.3))
    assert (event["rights_ratio"], event["rights_price_cny"]) == (pytest.approx(0.3), 8.0)


def test_nothing_from_after_the_clock_is_ever_returned(world):
    noon = at(12, day=date(2024, 6, 12))
    for fetchers in vendors().values():
        for kind, fetcher in fetchers.items():
            envelope = fetcher(request(kind, start=date(2024, 1, 2), now=noon))
            if envelope.data is not None:
                assert envelope.data["published_at"].max() <= noon, kind
    assert noon < EVENING


@pytest.mark.parametrize(
    ("answered", "status"),
    [
        ("Fri, 14 Jun 2024 13:40:00 GMT", Status.OK),
        ("Mon, 17 Jun 2024 01:00:00 GMT", Status.OK),
        ("Mon, 17 Jun 2024 01:20:00 GMT", Status.NOT_SUPPORTED),
        ("Mon, 30 Nov 2026 10:00:00 GMT", Status.NOT_SUPPORTED),
    ],
)
def test_an_undated_answer_of_now_is_never_taken_for_a_past_days(world, answered, status):
    world.upstream.fault["datacenter.eastmoney.com"] = lambda call, reply: replace(reply, headers={"Date": answered})
    assert ask("eastmoney", "peers").status is status


def test_a_delisting_still_to_come_is_not_known(world):
    code, name, listed, _, kind, _ = world.baostock.basics[0]
    world.baostock.basics[0] = (code, name, listed, "2025-03-03", kind, "0")
    before = ask("baostock", "instruments")
    after = ask("baostock", "instruments", now=at(9, day=date(2025, 3, 4)))
    assert (before.data["delisted_date"].item(), after.data["delisted_date"].item()) == (None, date(2025, 3, 3))
