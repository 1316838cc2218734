"""Shapes of the first kinds: what is accepted, and every way an answer is refused."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from flows.contracts.columns import SYSTEM
from flows.contracts.envelope import Request
from flows.contracts.raw import RAW_TABLES
from flows.errors import DataRejected
from flows.sources.shapes import baostock, cninfo, eastmoney

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOW = datetime(2024, 7, 31, 20, 30, tzinfo=SHANGHAI)


def ask(kind, symbol="600000.SH", start=date(2024, 1, 1), end=date(2024, 7, 31), now=NOW):
    return Request(kind, symbol, start, end, now)


def k_line(**changes):
    row = {
        "date": "2024-07-17", "code": "sh.600000", "open": "8.3100", "high": "8.3500", "low": "8.2400",
        "close": "8.2500", "preclose": "8.3000", "volume": "34149600", "amount": "283171500.0000",
        "adjustflag": "3", "turn": "0.116300", "tradestatus": "1", "isST": "0",
    }  # fmt: skip
    return {**row, **changes}


def multiples(**changes):
    row = {"date": "2024-07-17", "code": "sh.600000", "peTTM": "6.6", "pbMRQ": "0.38", "psTTM": "1.4", "pcfNcfTTM": ""}
    return {**row, **changes}


def hist(**changes):
    row = {
        "日期": date(2024, 6, 14), "股票代码": "600000", "开盘": 9.44, "收盘": 9.50, "最高": 9.55, "最低": 9.40,
        "成交量": 801234, "成交额": 761172300.0, "振幅": 1.61, "涨跌幅": 0.64, "涨跌额": 0.06, "换手率": 0.41,
    }  # fmt: skip
    return {**row, **changes}


def filing(number, day="2024-06-14", **changes):
    link = f"http://www.cninfo.com.cn/new/disclosure/detail?stockCode=600000&announcementId={number}&orgId=x"
    row = {"代码": "600000", "简称": "浦发银行", "公告标题": "董事会决议公告", "公告时间": day, "公告链接": link}
    return {**row, **changes}


def test_baostock_bars_match_the_contract_and_its_publication_time():
    bars = baostock.daily_bars(pl.DataFrame([k_line()]), ask("daily_bars"))
    system = [c.name for c in SYSTEM]
    assert bars.schema == RAW_TABLES["daily_bars"].without(system).schema
    row = bars.row(0, named=True)
    assert (row["close_cny"], row["volume_shares"], row["is_trading"], row["is_st"]) == (8.25, 34149600.0, True, False)
    assert row["published_at"] == datetime(2024, 7, 17, 17, 30, tzinfo=SHANGHAI)


def test_suspended_day_keeps_a_flat_row_without_volume():
    flat = k_line(open="8.25", high="8.25", low="8.25", volume="", amount="", turn="", tradestatus="0")
    row = baostock.daily_bars(pl.DataFrame([flat]), ask("daily_bars")).row(0, named=True)
    assert (row["volume_shares"], row["amount_cny"], row["turnover_pct"], row["is_trading"]) == (0.0, 0.0, None, False)


def test_partial_bar_of_a_running_session_is_not_delivered():
    afternoon = datetime(2024, 7, 17, 14, 10, tzinfo=SHANGHAI)
    assert baostock.daily_bars(pl.DataFrame([k_line()]), ask("daily_bars", now=afternoon)).is_empty()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"code": "sz.000001"}, "sz.000001"),
        ({"adjustflag": "2"}, "不复权"),
        ({"high": "8.2000"}, "互相矛盾"),
        ({"low": "0"}, "不是正数"),
        ({"close": "n/a"}, "不是数字"),
        ({"close": ""}, "为空"),
        ({"date": "17/07/2024"}, "不是日期"),
        ({"volume": "341496"}, "手/股"),
        ({"volume": "3414960000"}, "手/股"),
        ({"tradestatus": "0"}, "停牌日却有成交量"),
        ({"tradestatus": "2"}, "交易状态"),
    ],
)
def test_baostock_bars_refuse_a_broken_row(changes, says):
    with pytest.raises(DataRejected, match=says):
        baostock.daily_bars(pl.DataFrame([k_line(**changes)]), ask("daily_bars"))


def test_schema_drift_names_the_columns():
    frame = pl.DataFrame([k_line()])
    with pytest.raises(DataRejected, match="preclose"):
        baostock.daily_bars(frame.drop("preclose"), ask("daily_bars"))
    with pytest.raises(DataRejected, match="surprise"):
        baostock.daily_bars(frame.with_columns(surprise=pl.lit("1")), ask("daily_bars"))


def test_two_different_rows_of_one_day_are_refused_and_repeats_are_not():
    again = baostock.daily_bars(pl.DataFrame([k_line(), k_line()]), ask("daily_bars"))
    assert again.height == 1
    with pytest.raises(DataRejected, match="互相矛盾"):
        baostock.daily_bars(pl.DataFrame([k_line(), k_line(close="8.26")]), ask("daily_bars"))


def test_loss_stays_negative_and_missing_stays_null():
    rows = [multiples(peTTM="-12.5"), multiples(date="2024-07-18", peTTM="")]
    assert baostock.valuations(pl.DataFrame(rows), ask("valuations"))["pe_ttm"].to_list() == [-12.5, None]


def factor(day, fore, back, again=None):
    names = ("code", "dividOperateDate", "foreAdjustFactor", "backAdjustFactor", "adjustFactor")
    return dict(zip(names, ("sh.600000", day, fore, back, again or back), strict=True))


def test_factors_keep_the_backward_factor():
    rows = [factor("2023-07-21", "0.961512", "11.949786"), factor("2024-07-18", "1.000000", "12.428115")]
    got = baostock.adjust_factors(pl.DataFrame(rows), ask("adjust_factors", start=date(1990, 1, 1)))
    assert got["backward_factor"].to_list() == [11.949786, 12.428115]
    assert got["published_at"][1] == datetime(2024, 7, 18, 18, 0, tzinfo=SHANGHAI)


def test_factor_of_an_ex_date_that_is_not_published_yet_is_not_delivered():
    rows = [factor("2024-07-18", "1.000000", "12.428115")]
    early = datetime(2024, 7, 18, 17, 45, tzinfo=SHANGHAI)
    assert baostock.adjust_factors(pl.DataFrame(rows), ask("adjust_factors", now=early)).is_empty()


@pytest.mark.parametrize(
    "rows",
    [
        [factor("2023-07-21", "11.949786", "0.961512"), factor("2024-07-18", "12.428115", "1.000000")],
        [factor("2023-07-21", "0.900000", "11.949786"), factor("2024-07-18", "1.000000", "12.428115")],
        [factor("2023-07-21", "0.961512", "11.949786", "11.0"), factor("2024-07-18", "1.000000", "12.428115")],
        [factor("2023-07-21", "0.961512", "-11.949786"), factor("2024-07-18", "1.000000", "12.428115")],
    ],
    ids=["swapped", "inconsistent", "two back factors", "negative"],
)
def test_contradicting_factors_are_refused(rows):
    with pytest.raises(DataRejected):
        baostock.adjust_factors(pl.DataFrame(rows), ask("adjust_factors", start=date(1990, 1, 1)))


def test_trade_dates_keep_closed_days_and_refuse_an_open_sunday():
    frame = pl.DataFrame({"calendar_date": ["2024-02-08", "2024-02-09"], "is_trading_day": ["1", "0"]})
    got = baostock.trade_dates(frame, ask("trade_dates", symbol=None))
    assert got["is_session"].to_list() == [True, False]
    sunday = pl.DataFrame({"calendar_date": ["2024-02-04"], "is_trading_day": ["1"]})
    with pytest.raises(DataRejected, match="周末"):
        baostock.trade_dates(sunday, ask("trade_dates", symbol=None))


def basic(code, name, kind="1"):
    return {"code": code, "code_name": name, "ipoDate": "1999-11-10", "outDate": "", "type": kind, "status": "1"}


def test_instruments_keep_a_shares_only_with_board_and_clean_name():
    rows = [basic("sh.600000", "浦发银行"), basic("sz.000002", "万  科Ａ"), basic("sh.688001", "甲"),
            basic("sz.300001", "乙"), basic("sh.000001", "上证指数", "2"), basic("sh.900901", "云赛B股")]  # fmt: skip
    got = baostock.instruments(pl.DataFrame(rows), ask("instruments", symbol=None))
    assert dict(got.select("symbol", "board").rows()) == {
        "600000.SH": "main", "000002.SZ": "main", "688001.SH": "star", "300001.SZ": "chinext",
    }  # fmt: skip
    assert got.filter(pl.col("symbol") == "000002.SZ")["name"].item() == "万科A"
    assert got["is_st"].null_count() == 4


def test_eastmoney_lots_become_shares():
    row = eastmoney.daily_bars(pl.DataFrame([hist()]), ask("daily_bars")).row(0, named=True)
    assert row["volume_shares"] == 80_123_400.0
    assert row["previous_close_cny"] is None


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"成交量": 80123400}, "手/股"),
        ({"股票代码": "000001"}, "000001"),
        ({"收盘": 801234.0, "成交量": 9.5}, "互相矛盾"),
        ({"最高": 9.40, "最低": 9.55}, "互相矛盾"),
        ({"开盘": float("nan")}, "为空"),
    ],
)
def test_eastmoney_bars_refuse(changes, says):
    with pytest.raises(DataRejected, match=says):
        eastmoney.daily_bars(pl.DataFrame([hist(**changes)], strict=False), ask("daily_bars"))


def test_no_column_answer_is_schema_drift_not_an_empty_market():
    with pytest.raises(DataRejected, match="缺少"):
        eastmoney.daily_bars(pl.DataFrame(), ask("daily_bars"))


def value(day, **changes):
    row = {
        "数据日期": day, "当日收盘价": 9.5, "当日涨跌幅": 0.85, "总市值": 1.84e11, "流通市值": 1.84e11,
        "总股本": 19405918198, "流通股本": 19405546950, "PE(TTM)": -12.5, "PE(静)": 3.96, "市净率": 0.43, "PEG值": None,
        "市现率": -2.1, "市销率": 1.1,
    }  # fmt: skip
    return {**row, **changes}


def test_weekend_valuations_are_dropped_and_another_cash_flow_ratio_is_not_relabelled():
    frame = pl.DataFrame([value(date(2024, 6, 14)), value(date(2024, 6, 15))])
    got = eastmoney.valuations(frame, ask("valuations"))
    assert got["trade_date"].to_list() == [date(2024, 6, 14)]
    assert (got["pe_ttm"][0], got["pcf_ttm"][0], got["market_cap_cny"][0]) == (-12.5, None, 1.84e11)


def test_swapped_market_value_and_share_count_are_refused():
    swapped = value(date(2024, 6, 14), 总市值=19405918198.0, 总股本=1.84e11)
    with pytest.raises(DataRejected, match="总市值"):
        eastmoney.valuations(pl.DataFrame([swapped]), ask("valuations"))


def item(url, at="2024-07-30 18:03:00", keyword="600000", title="<em>浦发银行</em>：拟10派4.10元<script>x</script>"):
    names = ("关键词", "新闻标题", "新闻内容", "发布时间", "文章来源", "新闻链接")
    return dict(zip(names, (keyword, title, "\u3000\u3000正文", at, "证券时报网", url), strict=True))


def test_news_keeps_foreign_markup_as_text_and_drops_the_search_marks():
    got = eastmoney.news(pl.DataFrame([item("u1"), item("u1"), item("u2", at="2024-07-31 21:00:00")]), ask("news"))
    assert got["news_id"].to_list() == ["u1"]
    assert got["title"][0] == "浦发银行：拟10派4.10元<script>x</script>"
    assert got["published_at"][0] == datetime(2024, 7, 30, 18, 3, tzinfo=SHANGHAI)


def test_news_refuses_another_keyword_and_an_unreadable_time():
    with pytest.raises(DataRejected, match="000001"):
        eastmoney.news(pl.DataFrame([item("u1", keyword="000001")]), ask("news"))
    with pytest.raises(DataRejected, match="发布时间"):
        eastmoney.news(pl.DataFrame([item("u1", at="三天前")]), ask("news"))


def test_announcements_are_deduplicated_and_date_only_is_marked():
    rows = [filing(1), filing(1), filing(2, "2024-06-14 19:05:01"), filing(3, "2024-06-15 00:00:00")]
    got = cninfo.announcements(pl.DataFrame(rows), ask("announcements"))
    assert got["announcement_id"].to_list() == ["1", "2", "3"]
    assert got["is_date_only"].to_list() == [True, False, True]
    assert got["published_at"][0] == datetime(2024, 6, 14, 0, 0, tzinfo=SHANGHAI)


def test_strangers_filings_are_quarantined_by_code_name_and_title():
    rows = [
        filing(1, "2024-06-10"),
        filing(2, "2024-06-12"),
        filing(3, "2024-06-11", 代码="600001"),
        filing(4, "2024-06-11", 简称="邯郸钢铁"),
        filing(5, "2024-06-11", 公告标题="邯郸钢铁：关于减持的公告"),
        filing(6, "2024-06-13", 简称="邯郸钢铁"),
    ]
    frame = pl.DataFrame(rows)
    assert cninfo.announcements(frame, ask("announcements"))["announcement_id"].to_list() == ["1", "2"]
    assert cninfo.quarantined(frame, ask("announcements"))["announcement_id"].to_list() == ["3", "4", "5", "6"]


def test_a_renamed_company_keeps_its_filings():
    rows = [
        filing(1, "2024-03-01", 简称="旧名股份"),
        filing(2, "2024-04-01", 简称="旧名股份", 公告标题="关于变更公司证券简称的公告"),
        filing(3, "2024-05-01", 简称="*ST浦发"),
        filing(4, "2024-06-01", 简称="浦发"),
        filing(5, "2024-06-02", 简称="浦发", 公告标题="浦发：关于诉讼的公告"),
    ]
    assert cninfo.announcements(pl.DataFrame(rows), ask("announcements")).height == 5


def test_only_strangers_filings_are_a_wrong_answer():
    with pytest.raises(DataRejected, match="不属于"):
        cninfo.announcements(pl.DataFrame([filing(1, 代码="600001")]), ask("announcements"))


def test_announcement_without_an_id_is_refused():
    with pytest.raises(DataRejected, match="公告编号"):
        cninfo.announcements(pl.DataFrame([filing(1, 公告链接="http://x/y.pdf")]), ask("announcements"))


def test_empty_answer_with_columns_is_empty_not_an_error():
    empty = pl.DataFrame(schema=dict.fromkeys(("代码", "简称", "公告标题", "公告时间", "公告链接"), pl.String))
    assert cninfo.announcements(empty, ask("announcements")).is_empty()
