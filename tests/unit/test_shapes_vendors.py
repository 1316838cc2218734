"""Shapes of Sina, Tencent and tushare: units, factors, calendars."""

from datetime import date, datetime

import polars as pl
import pytest

from flows.errors import DataRejected
from flows.market.sessions import SHANGHAI
from flows.sources.shapes import sina, tencent, tushare
from tests.unit.shape_asks import ask


def tencent_row(**changes):
    row = {
        "date": date(2024, 6, 14),
        "open": 9.44,
        "close": 9.50,
        "high": 9.55,
        "low": 9.40,
        "volume": 801234.0,
        "turnover": 0.0041,
        "amount": 761172300.0,
    }
    return {**row, **changes}


def test_tencent_lots_left_in_sz000_become_shares_like_everybody_elses():
    lots = tencent.daily_bars(pl.DataFrame([tencent_row()]), ask("daily_bars")).row(0, named=True)
    shares = tencent.daily_bars(pl.DataFrame([tencent_row(volume=80123400.0)]), ask("daily_bars")).row(0, named=True)
    assert lots["volume_shares"] == shares["volume_shares"] == 80_123_400.0
    assert lots["turnover_pct"] == pytest.approx(0.41)


def test_tencent_unit_that_no_row_proves_or_that_changes_midway_is_refused():
    with pytest.raises(DataRejected, match="手还是股"):
        tencent.daily_bars(pl.DataFrame([tencent_row(amount=None)]), ask("daily_bars"))
    mixed = [tencent_row(), tencent_row(date=date(2024, 6, 13), volume=80123400.0)]
    with pytest.raises(DataRejected, match="手/股"):
        tencent.daily_bars(pl.DataFrame(mixed), ask("daily_bars"))
    with pytest.raises(DataRejected, match="手/股"):
        tencent.daily_bars(pl.DataFrame([tencent_row(amount=801234.0, volume=761172300.0)]), ask("daily_bars"))


def sina_row(**changes):
    row = {
        "date": date(2024, 7, 17),
        "open": 8.31,
        "high": 8.35,
        "low": 8.24,
        "close": 8.25,
        "volume": 34149600.0,
        "amount": 283171500.0,
        "outstanding_share": 2.9e10,
        "turnover": 0.00116,
    }
    return {**row, **changes}


def test_sina_bars_and_their_fraction():
    row = sina.daily_bars(pl.DataFrame([sina_row()]), ask("daily_bars")).row(0, named=True)
    assert (row["volume_shares"], row["turnover_pct"]) == (34149600.0, pytest.approx(0.116))
    with pytest.raises(DataRejected, match="换手率"):
        sina.daily_bars(pl.DataFrame([sina_row(turnover=2.9e10)]), ask("daily_bars"))
    with pytest.raises(DataRejected, match="手/股"):
        sina.daily_bars(pl.DataFrame([sina_row(volume=341496.0)]), ask("daily_bars"))


def test_sina_factor_text_is_rebased_to_one_before_the_first_event():
    frame = pl.DataFrame(
        {"date": ["2024-07-18", "2023-07-21", "1900-01-01"], "hfq_factor": ["12.4281151900", "11.9497860000", "1.0000"]}
    )
    got = sina.adjust_factors(frame, ask("adjust_factors", start=date(1990, 1, 1)))
    assert got.select("ex_date", "backward_factor").rows() == [
        (date(2023, 7, 21), 11.949786),
        (date(2024, 7, 18), 12.42811519),
    ]


@pytest.mark.parametrize(
    "factors",
    [
        {"date": ["2024-07-18", "1900-01-01"], "hfq_factor": ["1.0", "1.04"]},
        {"date": ["2024-07-18"], "hfq_factor": ["12.4"]},
        {"date": ["2024-07-18", "1900-01-01"], "hfq_factor": ["-1.0", "1.0"]},
    ],
    ids=["forward factors", "no base", "negative"],
)
def test_sina_factors_refuse(factors):
    with pytest.raises(DataRejected):
        sina.adjust_factors(pl.DataFrame(factors), ask("adjust_factors", start=date(1990, 1, 1)))


def test_sina_calendar_closes_what_is_not_listed_and_refuses_a_weekend():
    listed = [date(2024, 2, 7), date(2024, 2, 8), date(2024, 2, 19)]
    got = sina.trade_dates(pl.DataFrame({"trade_date": listed}), ask("trade_dates", symbol=None))
    assert got.filter(pl.col("is_session"))["trade_date"].to_list() == listed
    assert got.height == 13
    with pytest.raises(DataRejected, match="周末"):
        sina.trade_dates(
            pl.DataFrame({"trade_date": [date(2024, 2, 8), date(2024, 2, 10)]}), ask("trade_dates", symbol=None)
        )


def tushare_day(**changes):
    row = {
        "ts_code": "000001.SZ",
        "trade_date": "20240614",
        "open": 9.44,
        "high": 9.55,
        "low": 9.40,
        "close": 9.50,
        "pre_close": 9.44,
        "change": 0.06,
        "pct_chg": 0.6356,
        "vol": 801234.0,
        "amount": 761172.3,
    }
    return {**row, **changes}


def test_tushare_lots_and_thousands_become_shares_and_yuan():
    row = tushare.daily_bars(pl.DataFrame([tushare_day()]), ask("daily_bars")).row(0, named=True)
    assert (row["volume_shares"], row["amount_cny"]) == (80_123_400.0, pytest.approx(761172300.0))
    assert row["previous_close_cny"] == 9.44
    with pytest.raises(DataRejected, match=r"600000\.SH"):
        tushare.daily_bars(pl.DataFrame([tushare_day(ts_code="600000.SH")]), ask("daily_bars"))


def test_tushare_daily_factors_become_ex_dates():
    frame = pl.DataFrame(
        {
            "ts_code": ["000001.SZ"] * 3,
            "trade_date": ["20240614", "20240613", "20240612"],
            "adj_factor": [127.78, 118.79, 118.79],
        }
    )
    got = tushare.adjust_factors(frame, ask("adjust_factors"))
    assert got.select("ex_date", "backward_factor").rows() == [(date(2024, 6, 14), 127.78)]


def test_tushare_multiples_calendar_list_and_forecast():
    basic = pl.DataFrame(
        [
            {
                "ts_code": "000001.SZ",
                "trade_date": "20240614",
                "close": 9.5,
                "pe_ttm": None,
                "pb": 0.43,
                "ps_ttm": 1.1,
                "total_share": 1940591.8,
                "total_mv": 18435622.2,
            }
        ]
    )
    with pytest.raises(DataRejected, match="总市值不等于收盘价×总股本"):
        tushare.valuations(basic.with_columns(pl.col("total_mv") * 1e4), ask("valuations"))
    row = tushare.valuations(basic, ask("valuations")).row(0, named=True)
    assert (row["pe_ttm"], row["market_cap_cny"]) == (None, pytest.approx(1.84356222e11))
    days = pl.DataFrame(
        {
            "exchange": ["SSE"] * 2,
            "cal_date": ["20240209", "20240208"],
            "is_open": [0, 1],
            "pretrade_date": ["20240208", "20240207"],
        }
    )
    with pytest.raises(DataRejected, match="不是所问交易所的日历"):
        tushare.trade_dates(days.with_columns(exchange=pl.lit("SZSE")), ask("trade_dates", symbol=None))
    got = tushare.trade_dates(days, ask("trade_dates", symbol=None))
    assert got["is_session"].to_list() == [True, False]
    listed = pl.DataFrame(
        [
            {
                "ts_code": "000001.SZ",
                "symbol": "000001",
                "name": "平安银行",
                "area": "深圳",
                "industry": "银行",
                "market": "主板",
                "list_date": "19910403",
            }
        ]
    )
    assert tushare.instruments(listed, ask("instruments"))["board"].to_list() == ["main"]
    forecast = pl.DataFrame(
        [
            {
                "ts_code": "000001.SZ",
                "ann_date": "20240710",
                "end_date": "20240630",
                "type": "预增",
                "p_change_min": 50.0,
                "p_change_max": 60.0,
                "net_profit_min": 18000.0,
                "net_profit_max": 19200.0,
                "last_parent_net": 12000.0,
                "first_ann_date": "20240710",
                "summary": "…",
                "change_reason": "…",
            }
        ]
    )
    row = tushare.earnings_forecasts(forecast, ask("earnings_forecasts")).row(0, named=True)
    assert (row["value_low_cny"], row["value_high_cny"], row["prior_value_cny"]) == (1.8e8, 1.92e8, 1.2e8)
    assert row["published_at"] == datetime(2024, 7, 10, tzinfo=SHANGHAI)
