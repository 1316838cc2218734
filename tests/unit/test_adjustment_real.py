"""Published series reproduced: both methods, every pair of real data; run with -s for the largest errors."""

import json
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from flows.market.adjustment import (
    PRICES,
    additively_adjusted,
    factors_from_actions,
    factors_from_previous_closes,
    forward_adjusted,
)
from flows.market.factor_checks import compared_steps, vendor_series_faults
from tests.real_data import REAL, needs_real
from tests.unit.ex_right_facts import EX_RIGHTS, actions

pytestmark = [pytest.mark.real, needs_real]


def read(path: str) -> pl.DataFrame:
    return pl.read_csv(REAL / path, try_parse_dates=True, infer_schema_length=None)


def raw_bars(path: str, symbol: str) -> pl.DataFrame:
    frame = read(path)
    previous = pl.col("preclose") if "preclose" in frame.columns else pl.lit(None, dtype=pl.Float64)
    trading = pl.col("tradestatus") == 1 if "tradestatus" in frame.columns else pl.col("volume") > 0
    return frame.select(
        pl.lit(symbol).alias("symbol"),
        pl.col("date").alias("trade_date"),
        *(pl.col(name.removesuffix("_cny")).round(2).alias(name) for name in PRICES),
        previous.alias("previous_close_cny"),
        pl.col("volume").cast(pl.Float64).alias("volume_shares"),
        pl.lit(None, dtype=pl.Float64).alias("amount_cny"),
        trading.alias("is_trading"),
    )


def published(path: str) -> pl.DataFrame:
    frame = read(path)
    if "trade_date" in frame.columns:
        frame = frame.with_columns(pl.col("trade_date").cast(pl.String).str.to_date("%Y%m%d").alias("date"))
    return frame.select(pl.col("date").alias("trade_date"), *(pl.col(n.removesuffix("_cny")).alias(n) for n in PRICES))


def cells(ours: pl.DataFrame, theirs: pl.DataFrame) -> pl.DataFrame:
    """trade_date, price, ours, theirs: one row per price of a shared day."""
    long = [f.unpivot(PRICES, index="trade_date", variable_name="price", value_name="value") for f in (ours, theirs)]
    return long[0].join(long[1], on=["trade_date", "price"], suffix="_published")


def test_600000_multiplicative_is_baostock_own_forward_series() -> None:
    anchor = date(2021, 3, 17)
    raw = raw_bars("prices/600000/raw_baostock_2020_2025.csv", "600000.SH")
    factors = factors_from_previous_closes(raw).with_columns(pl.col("backward_factor").round(6))
    both = cells(forward_adjusted(raw, factors, anchor), published("prices/600000/qfq_baostock_anchor20210317.csv"))
    error = ((both["value"] / both["value_published"]) - 1).abs().max()
    print(f"600000.SH multiplicative vs baostock: {both.height} prices, largest relative error {error:.1e}")
    assert both.height == 4 * 291
    assert both["trade_date"].max() == anchor
    assert error <= 1e-6


#: Days on which the two files carry different raw prices, seen as lone cells between exact neighbours.
DIFFERENT_SOURCES = {"600000.SH": 4, "000001.SZ": 3}


@pytest.mark.parametrize(
    ("symbol", "raw", "least"),
    [
        ("600000.SH", "raw_tdx.csv", 24_000),
        ("600000.SH", "raw_baostock_2020_2025.csv", 5_000),
        ("000001.SZ", "raw_tdx.csv", 19_000),
        ("000001.SZ", "raw_baostock_2020_2025.csv", 5_000),
    ],
)
def test_additive_is_east_moneys_series_to_the_cent(symbol: str, raw: str, least: int) -> None:
    """Anchor 2026-04-07: the dividends up to there are among the events, so nothing is left to take off."""
    folder = f"prices/{symbol[:6]}"
    ours = additively_adjusted(raw_bars(f"{folder}/{raw}", symbol), actions(symbol), date(2026, 4, 7))
    both = cells(ours, published(f"{folder}/qfq_eastmoney_anchor20260407.csv"))
    wrong = both.filter((pl.col("value") - pl.col("value_published")).abs() > 1e-9)
    worst = (wrong["value"] - wrong["value_published"]).abs().max() or 0.0
    print(f"{symbol} additive vs East Money ({raw}): {both.height} prices, {wrong.height} differ, at most {worst:.2f}")
    assert both.height > least
    assert wrong.height == (DIFFERENT_SOURCES[symbol] if raw == "raw_tdx.csv" else 0)
    assert set(wrong["price"]) <= {"close_cny"}


def test_later_dividends_taken_off_give_an_earlier_anchor() -> None:
    """East Money's series of 2026 and ours of 2025-03-31 differ by exactly the dividends in between."""
    raw = raw_bars("prices/600000/raw_baostock_2020_2025.csv", "600000.SH")
    ours = additively_adjusted(raw, actions("600000.SH"), date(2025, 3, 31))
    both = cells(ours, published("prices/600000/qfq_eastmoney_anchor20260407.csv"))
    later = both.filter((pl.col("value") - 0.41 - pl.col("value_published")).abs() > 1e-9)
    assert both.height == 4 * ours.height
    assert later.is_empty()


@pytest.mark.parametrize("symbol", ["601006.SH", "601009.SH"])
def test_additive_is_tdx_series_to_the_cent(symbol: str) -> None:
    """Below zero TDX casts cents to a whole number towards zero, so −0.36 is printed as −0.35."""
    folder = f"prices/{symbol[:6]}"
    raw = raw_bars(f"{folder}/raw_baostock_2005_2021.csv", symbol)
    ours = additively_adjusted(raw, actions(symbol), date(2021, 9, 23), rounding="each_event")
    both = cells(ours, published(f"{folder}/qfq_tdx_anchor20210923.csv"))
    difference = ((both["value_published"] - both["value"]) * 100).round().cast(pl.Int64)
    above = both["value"] > 0
    wrong, cast = (difference.filter(above) != 0).sum(), (difference.filter(~above) == 1).sum()
    print(f"{symbol} additive vs TDX: {both.height} prices, {wrong} differ; {cast} of {(~above).sum()} below zero cast")
    assert both.height > 13_000
    assert (difference.filter(above) == 0).all()
    assert difference.filter(~above).is_in([0, 1]).all()


@pytest.mark.parametrize("symbol", ["600036.SH", "000063.SZ", "000338.SZ"])
def test_multiplicative_is_tushares_series_within_its_rounded_factor(symbol: str) -> None:
    raw = raw_bars(f"prices/long_2010_2020/{symbol}_raw_baostock.csv", symbol)
    factors = factors_from_actions(actions(symbol), raw)
    theirs = published(f"prices/long_2010_2020/{symbol}_qfq_tushare.csv")
    both = cells(forward_adjusted(raw, factors, date(2020, 9, 7)), theirs)
    error = (both["value"] - both["value_published"]).abs().max()
    relative = (both["value"] / both["value_published"] - 1).abs().max()
    print(f"{symbol} multiplicative vs tushare: {both.height} prices, largest error {error:.4f} CNY, {relative:.1e}")
    assert both.height > 10_000
    assert factors.height == len(EX_RIGHTS[symbol])
    assert error <= 0.02


def test_events_against_previous_closes_of_600000_over_twenty_years() -> None:
    """The event list holds a share-reform gift that adjusted no price (P6); every other event agrees.

    Two one-cent steps no event explains stand around 2003-08-27: the two files differ by a cent on its close.
    """
    raw = raw_bars("prices/600000/raw_tdx.csv", "600000.SH")
    adjusted = published("prices/600000/qfq_baostock_anchor20210317.csv").select("trade_date", own="close_cny")
    factor = pl.col("own") / pl.col("close_cny")
    quoted = raw.join(adjusted, on="trade_date").with_columns(
        (pl.col("own").shift(1) / factor).round(2).fill_null(10.0).alias("previous_close_cny")
    )
    tdx = read("events/tdx_stkweight_events_to_201111.csv").filter(pl.col("code").cast(pl.String) == "600000")
    listed = tdx.select(
        pl.lit("600000.SH").alias("symbol"),
        pl.col("date").cast(pl.String).str.to_date("%Y%m%d").alias("ex_date"),
        (pl.col("bonus") / 10_000).alias("cash_cny"),
        ((pl.col("countAsGift") + pl.col("countOfIncreasement")) / 100_000).alias("bonus_ratio"),
        (pl.col("countForSell") / 100_000).alias("rights_ratio"),
        (pl.col("priceForSell") / 1_000).alias("rights_price_cny"),
    )
    known = quoted.filter(pl.col("trade_date") < date(2011, 11, 30))
    told = compared_steps(factors_from_actions(listed, known), factors_from_previous_closes(known), known)
    print(told)
    assert told.filter(pl.col("relation") == "agree").height == 11
    assert told.filter(pl.col("relation") != "agree").select("ex_date", "relation").rows() == [
        (date(2003, 8, 27), "no_event"),
        (date(2003, 8, 28), "no_event"),
        (date(2006, 5, 12), "no_price_effect"),
    ]


def ex_right_days() -> pl.DataFrame:
    return read("events/baostock300_exright_events_2020_2025.csv").with_columns(
        (pl.col("code").str.slice(3) + "." + pl.col("code").str.slice(0, 2).str.to_uppercase()).alias("symbol")
    )


def test_factor_of_every_ex_right_day_is_found_from_its_previous_close() -> None:
    listed = ex_right_days()
    eves = listed.select(
        "symbol",
        pl.col("date").dt.offset_by("-1d").alias("trade_date"),
        close_cny="prev_close",
        previous_close_cny="prev_close",
        is_trading=True,
    )
    days = listed.select(
        "symbol",
        trade_date="date",
        close_cny="preclose",
        previous_close_cny="preclose",
        is_trading=pl.col("tradestatus") == 1,
    )
    between = factors_from_previous_closes(pl.concat([eves, days]).with_columns(
        pl.when(pl.int_range(pl.len()).over("symbol", order_by="trade_date") % 2 == 0).then(
            pl.col("close_cny").shift(1).over("symbol", order_by="trade_date")
        ).otherwise("previous_close_cny").fill_null(pl.col("previous_close_cny")).alias("previous_close_cny")
    ))  # fmt: skip
    before = pl.col("backward_factor").shift(1, fill_value=1.0).over("symbol")
    steps = between.select("symbol", "ex_date", (before / pl.col("backward_factor")).alias("ratio"))
    both = listed.join(steps, left_on=["symbol", "date"], right_on=["symbol", "ex_date"])
    error = (both["ratio"] / both["preclose_over_prev_close"] - 1).abs().max()
    print(f"{listed['symbol'].n_unique()} stocks, {both.height} ex-right days, largest relative error {error:.1e}")
    assert both.height == listed.height == 1_552
    assert error < 1e-12


def test_events_against_previous_closes_of_300_stocks() -> None:
    """Read as plain dividends, which is all the closes can say, the events give the exchange's factor on every day.

    A drop of more than 15 % is no plain dividend: there a list of cash dividends alone would disagree.
    """
    listed = ex_right_days().with_row_index("day").with_columns(pl.col("day").cast(pl.String).alias("symbol_day"))
    as_of_eve = pl.col("date").dt.offset_by("-1d")
    eves = listed.select(symbol="symbol_day", trade_date=as_of_eve, close_cny="prev_close")
    events = listed.select(
        symbol="symbol_day", ex_date="date", cash_cny=pl.col("prev_close") - pl.col("preclose"), bonus_ratio=0.0,
        rights_ratio=0.0, rights_price_cny=pl.lit(None, dtype=pl.Float64),
    )  # fmt: skip
    exchange = listed.select(
        symbol="symbol_day", ex_date="date", backward_factor=pl.col("prev_close") / pl.col("preclose")
    )
    told = compared_steps(factors_from_actions(events, eves), exchange, eves)
    issues = listed.filter(pl.col("preclose") < 0.85 * pl.col("prev_close")).sort("preclose_over_prev_close")
    with pl.Config(tbl_rows=150):
        print(told.group_by("relation").len(), issues.select("symbol", "date", "preclose_over_prev_close"))
    assert told.group_by("relation").len().rows() == [("agree", 1_552)]
    assert issues.height == 136


def test_600519_dividends_give_the_exchanges_previous_close_and_sinas_step_but_for_its_rounding() -> None:
    listed = read("events/600519_cash_dividends_2020_2026.csv")
    eves = listed.select(
        pl.lit("600519.SH").alias("symbol"), trade_date=pl.col("ex_date").dt.offset_by("-1d"), close_cny="prev_close"
    )
    events = listed.select(
        pl.lit("600519.SH").alias("symbol"), "ex_date", cash_cny="implied_cash_per_share", bonus_ratio=0.0,
        rights_ratio=0.0, rights_price_cny=pl.lit(None, dtype=pl.Float64),
    )  # fmt: skip
    factors = factors_from_actions(events, eves).with_columns(
        (pl.col("backward_factor") / pl.col("backward_factor").shift(1, fill_value=1.0)).alias("step")
    )
    both = listed.join(factors, on="ex_date").with_columns((pl.col("prev_close") / pl.col("step")).alias("reference"))
    known = both.drop_nulls("exchange_preclose")
    sina = (both["step"] / both["factor_step"] - 1).abs().max()
    print(f"600519.SH: {both.height} dividends, largest difference from Sina's unrounded step {sina:.1e}")
    assert known.height == 8
    assert (known["reference"] - known["exchange_preclose"]).abs().max() < 1e-9
    assert sina < 0.005 / both["prev_close"].min()


def test_invented_dividends_are_told_from_real_ones() -> None:
    """traps: three events that never were; the exchange adjusted nothing on them, and adjusted on three others."""
    told = json.loads((REAL / "traps/fake_golden_dividend_data.json").read_text(encoding="utf-8"))["sample_data"]
    invented = pl.DataFrame(
        {
            "symbol": ["600000.SH"] * len(told),
            "ex_date": [date.fromisoformat(row["ex_dividend_date"]) for row in told],
            "cash_cny": [row["dividend_per_share"] for row in told],
            "bonus_ratio": 0.0,
            "rights_ratio": 0.0,
            "rights_price_cny": pl.Series([None] * len(told), dtype=pl.Float64),
        }
    )
    raw = raw_bars("prices/600000/raw_baostock_2020_2025.csv", "600000.SH")
    compared = compared_steps(factors_from_actions(invented, raw), factors_from_previous_closes(raw), raw)
    assert compared.group_by("relation").len().sort("relation").rows() == [("no_event", 5), ("no_price_effect", 3)]


class TestVendorSeries:
    """P5: an adjusted series that cannot be what it says is refused, rows named."""

    RAW = "prices/600000/raw_baostock_2020_2025.csv"

    def own(self) -> pl.DataFrame:
        raw = raw_bars(self.RAW, "600000.SH")
        return forward_adjusted(raw, factors_from_previous_closes(raw), date(2021, 3, 17))

    def faults(self, series: pl.DataFrame) -> list[tuple[date, str]]:
        named = series.with_columns(pl.lit("600000.SH").alias("symbol"))
        return vendor_series_faults(named, self.own()).select("trade_date", "fault").rows()

    def test_baostock_own_series_passes(self) -> None:
        assert self.faults(published("prices/600000/qfq_baostock_anchor20210317.csv")) == []

    def test_raw_prices_sold_as_adjusted_are_named_at_the_ex_date(self) -> None:
        raw = raw_bars(self.RAW, "600000.SH").select("trade_date", *PRICES)
        assert self.faults(raw) == [(date(2020, 7, 23), "unadjusted")]

    def test_price_at_or_below_zero_is_named(self) -> None:
        series = published("prices/600000/qfq_baostock_anchor20210317.csv")
        broken = series.with_columns(
            pl.when(pl.col("trade_date") == date(2020, 3, 2)).then(-0.5).otherwise("close_cny").alias("close_cny")
        )
        assert self.faults(broken)[0] == (date(2020, 3, 2), "not_positive")

    def test_additive_series_is_no_return_preserving_one(self) -> None:
        wrong = self.faults(published("prices/600000/qfq_eastmoney_anchor20260407.csv"))
        assert len(wrong) > 50
        assert {fault for _, fault in wrong} == {"return_differs"}


def test_ex_date_inside_a_suspension_and_nothing_else_steps_on_712_suspended_rows() -> None:
    """sh.600027 stood still from 2024-07-19 and went ex-dividend on 2024-07-25."""
    rows = read("calendar/baostock_suspended_rows.csv").sort("code", "date")
    gap = (pl.col("date") - pl.col("date").shift(1)).dt.total_days() > 10
    runs = gap.fill_null(False).cum_sum().over("code")
    bars = rows.select(
        (pl.col("code") + "#" + runs.cast(pl.String)).alias("symbol"),
        pl.col("date").alias("trade_date"), pl.col("close").alias("close_cny"),
        pl.col("preclose").alias("previous_close_cny"), pl.lit(False).alias("is_trading"),
    )  # fmt: skip
    assert bars.height == 712
    assert factors_from_previous_closes(bars).rows() == [("sh.600027#1", date(2024, 7, 25), 6.08 / 5.93)]


def test_real_folder_is_where_the_helper_says() -> None:
    assert (Path(REAL) / "README.md").exists()
