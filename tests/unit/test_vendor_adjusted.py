"""Vendors' adjusted series: reproduced by their own method on real data, rejected when they are not (M8, P1, P5)."""

from datetime import date, timedelta

import polars as pl
import pytest

from flows.market.adjustment import additively_adjusted, factors_from_previous_closes, forward_adjusted
from flows.quality.vendor_adjusted import FAULTS_SCHEMA, VendorAdjusted, vendor_faults
from tests.real_data import REAL, needs_real

SYMBOL = "600000.SH"
DAYS = [date(2025, 3, 3) + timedelta(days=n) for n in range(4)]
CLOSES, BEFORE = [10.0, 10.4, 9.9, 10.1], [9.8, 10.0, 9.9, 9.9]
BARS = pl.DataFrame(
    {
        "symbol": SYMBOL, "trade_date": DAYS, "open_cny": CLOSES, "high_cny": CLOSES, "low_cny": CLOSES,
        "close_cny": CLOSES, "previous_close_cny": BEFORE, "volume_shares": 100.0, "amount_cny": 1_000.0,
        "is_trading": True,
    }
)  # fmt: skip
ACTIONS = pl.DataFrame(
    {"symbol": SYMBOL, "ex_date": [DAYS[2]], "cash_cny": 0.5, "bonus_ratio": 0.0, "rights_ratio": 0.0,
     "rights_price_cny": None},
    schema_overrides={"rights_price_cny": pl.Float64},
)  # fmt: skip
FACTORS = factors_from_previous_closes(BARS)


def series(method, closes) -> VendorAdjusted:
    frame = pl.DataFrame(
        {"symbol": SYMBOL, "trade_date": DAYS, "close_cny": closes}, schema_overrides={"close_cny": pl.Float64}
    )
    return VendorAdjusted("vendor", method, DAYS[-1], frame)


def faults(method, closes) -> list[tuple[date, str]]:
    found = vendor_faults(series(method, closes), BARS, FACTORS, ACTIONS)
    assert found.schema == FAULTS_SCHEMA
    return found.select("trade_date", "fault").rows()


MULTIPLICATIVE = forward_adjusted(BARS, FACTORS, DAYS[-1])["close_cny"].to_list()
ADDITIVE = additively_adjusted(BARS, ACTIONS, DAYS[-1])["close_cny"].to_list()


def test_each_method_reproduces_its_own_series():
    assert faults("multiplicative", MULTIPLICATIVE) == []
    assert faults("additive", ADDITIVE) == []
    assert faults("multiplicative", [round(close, 2) for close in MULTIPLICATIVE]) == []


def test_series_of_the_other_method_is_not_taken_for_ours():
    assert [fault for _, fault in faults("multiplicative", ADDITIVE)] == ["differs"]


def test_raw_closes_sold_as_adjusted_are_named_unadjusted():
    assert faults("multiplicative", CLOSES) == [(DAYS[0], "unadjusted"), (DAYS[1], "unadjusted")]


def test_closes_of_zero_and_below_are_no_prices_in_either_method():
    assert faults("additive", [-1.0, 0.0, *ADDITIVE[2:]]) == [(DAYS[0], "not_positive"), (DAYS[1], "not_positive")]


def test_one_wrong_day_is_named_alone():
    assert faults("multiplicative", [*MULTIPLICATIVE[:3], 10.2]) == [(DAYS[3], "differs")]


def real_bars() -> pl.DataFrame:
    raw = pl.read_csv(REAL / "prices/600000/raw_baostock_2020_2025.csv", infer_schema=False)
    prices = {"open": "open_cny", "high": "high_cny", "low": "low_cny", "close": "close_cny"}
    rest = {"preclose": "previous_close_cny", "volume": "volume_shares", "amount": "amount_cny"}
    return raw.select(
        pl.lit(SYMBOL).alias("symbol"),
        pl.col("date").str.to_date().alias("trade_date"),
        *(pl.col(theirs).cast(pl.Float64).alias(name) for theirs, name in (prices | rest).items()),
        (pl.col("tradestatus") == "1").alias("is_trading"),
    )


def real_series(name: str, method, anchor: date) -> VendorAdjusted:
    frame = pl.read_csv(REAL / "prices/600000" / name, infer_schema=False).select(
        pl.lit(SYMBOL).alias("symbol"),
        pl.col("date").str.slice(0, 10).str.to_date().alias("trade_date"),
        pl.col("close").cast(pl.Float64).alias("close_cny"),
    )
    return VendorAdjusted(name, method, anchor, frame.filter(pl.col("trade_date") >= date(2020, 1, 2)))


def real_actions() -> pl.DataFrame:
    """Cash per share of 600000 as the annual resolutions say."""
    paid = {
        date(2020, 7, 23): 0.60, date(2021, 7, 21): 0.48, date(2022, 7, 21): 0.41, date(2023, 7, 21): 0.32,
        date(2024, 7, 18): 0.32, date(2025, 7, 16): 0.41,
    }  # fmt: skip
    return pl.DataFrame(
        {"symbol": SYMBOL, "ex_date": list(paid), "cash_cny": list(paid.values()), "bonus_ratio": 0.0,
         "rights_ratio": 0.0, "rights_price_cny": None},
        schema_overrides={"rights_price_cny": pl.Float64},
    )  # fmt: skip


@pytest.mark.real
@needs_real
def test_baostock_s_series_of_a_real_stock_is_reproduced_multiplicatively():
    bars = real_bars()
    theirs = real_series("qfq_baostock_anchor20210317.csv", "multiplicative", date(2021, 3, 17))
    assert theirs.closes.height > 280
    assert vendor_faults(theirs, bars, factors_from_previous_closes(bars), real_actions()).is_empty()


@pytest.mark.real
@needs_real
def test_east_money_s_series_of_a_real_stock_is_reproduced_additively_and_not_multiplicatively():
    bars, factors = real_bars(), factors_from_previous_closes(real_bars())
    theirs = real_series("qfq_eastmoney_anchor20260407.csv", "additive", date(2026, 4, 7))
    found = vendor_faults(theirs, bars, factors, real_actions())
    other = VendorAdjusted(theirs.vendor, "multiplicative", theirs.anchor, theirs.closes)
    assert found.is_empty(), found
    assert vendor_faults(other, bars, factors, real_actions()).height > 500
