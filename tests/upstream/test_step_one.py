"""The kinds of the first step through the real clients: what arrives, in which unit, of which day."""

from datetime import date, datetime

import pytest

from flows.contracts.columns import SYSTEM
from flows.contracts.envelope import DateStatus, Status
from flows.contracts.raw import RAW_TABLES
from flows.market.sessions import SHANGHAI
from tests.upstream.asking import EVENING, FIRST, LAST, ask, vendors
from tests.upstream.world import BANK, PUDONG

ALL = [(vendor, kind) for vendor, fetchers in vendors().items() for kind in fetchers]
MACRO_WINDOW = {"start": date(2024, 5, 1)}
WIDE = {"financial_indicators": date(2024, 1, 1), "macro": date(2024, 5, 1)}


@pytest.mark.parametrize(("vendor", "kind"), ALL)
def test_every_live_function_delivers_its_contract(world, vendor, kind):
    envelope = ask(vendor, kind, start=WIDE.get(kind, FIRST))
    assert envelope.status is Status.OK, envelope.message
    expected = RAW_TABLES[kind].without([column.name for column in SYSTEM]).schema
    assert envelope.data.schema == expected
    assert envelope.data["published_at"].max() <= EVENING
    assert envelope.source.startswith(f"{vendor}:")


def test_baostock_bars_keep_units_and_previous_close(world):
    row = ask("baostock", "daily_bars").data.row(-1, named=True)
    assert row["trade_date"] == LAST
    assert (row["volume_shares"], row["previous_close_cny"]) == (60_213_700.0, 8.3)
    assert row["is_trading"]
    assert not row["is_st"]


def test_bars_and_multiples_of_one_stock_are_asked_once(world):
    fetchers = vendors()["baostock"]
    from tests.upstream.asking import request

    fetchers["daily_bars"](request("daily_bars"))
    fetchers["valuations"](request("valuations"))
    assert world.server.asked("query_history_k_data_plus") == 1


def test_east_money_lots_become_shares(world):
    row = ask("eastmoney", "daily_bars").data.row(-1, named=True)
    assert row["volume_shares"] == 80_123_400.0


def test_tencent_lots_of_sz000_become_shares_like_everybody_elses(world):
    shenzhen, shanghai = (ask("tencent", "daily_bars", symbol).data["volume_shares"][-1] for symbol in (BANK, PUDONG))
    assert shenzhen == shanghai == 80_123_400.0


def test_a_negative_multiple_stays_and_an_absent_one_is_null(world):
    multiples = ask("eastmoney", "valuations").data.sort("trade_date")["pe_ttm"].to_list()
    assert multiples == [None, -12.5]


def test_factors_are_asked_from_the_first_day_of_the_exchange(world):
    envelope = ask("baostock", "adjust_factors", start=date(2023, 1, 1))
    assert envelope.data["backward_factor"].to_list() == [11.949786, 12.4066]
    assert world.server.log[-1][1][5] == "1990-01-01"


def test_filings_carry_id_category_and_the_hour_they_came(world):
    first = ask("cninfo", "announcements").data.sort("published_at").row(-1, named=True)
    assert first["announcement_id"] == "1220000000"
    assert first["title"] == "平安银行：关于股东减持股份的公告"
    assert first["category"] == "01010503,010301"
    assert first["published_at"] == datetime(2024, 6, 14, 19, 5, 1, tzinfo=SHANGHAI)
    assert not first["is_date_only"]


def test_an_evening_run_is_of_the_day_and_a_weekend_of_friday(world):
    evening = ask("baostock", "daily_bars")
    weekend = ask("baostock", "daily_bars", end=date(2024, 6, 16), now=datetime(2024, 6, 16, 12, 0, tzinfo=SHANGHAI))
    assert (evening.actual_trade_date, evening.date_status) == (LAST, DateStatus.CURRENT)
    assert (weekend.actual_trade_date, weekend.date_status) == (LAST, DateStatus.LATEST_TRADING_DAY)


def test_instruments_of_the_whole_market_and_of_one_stock(world):
    whole = ask("baostock", "instruments", None).data
    one = ask("baostock", "instruments").data
    assert whole["symbol"].to_list() == [BANK, PUDONG]
    assert one.row(0, named=True)["name"] == "平安银行"
    assert one.row(0, named=True)["industry"] == "货币金融服务"
