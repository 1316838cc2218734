"""The 1,552 ex-right days of the 300 stocks against other vendors' series, and the event list to 2011 against facts.

The days come from baostock's previous closes and carry no events. What is independent of them, for eight of the
stocks: East Money's and TDX's additive series (raw minus adjusted falls by the cash on the ex-date), tushare's
return-preserving one (adjusted over raw steps by the factor) and Sina's factors. For the others there is no second
witness among the data: their days are only known to be consistent in themselves. Run with -s for the table.
"""

from datetime import date

import polars as pl
import pytest

from tests.real_data import needs_real
from tests.unit.ex_right_facts import EX_RIGHTS
from tests.unit.test_adjustment_real import ex_right_days, published, raw_bars, read

pytestmark = [pytest.mark.real, needs_real]

FIRST = date(2020, 1, 2)
#: Symbol → raw file, adjusted file and its vendor.
ADDITIVE = {
    "600000.SH": ("600000/raw_baostock_2020_2025", "600000/qfq_eastmoney_anchor20260407", "East Money"),
    "000001.SZ": ("000001/raw_baostock_2020_2025", "000001/qfq_eastmoney_anchor20260407", "East Money"),
    "601006.SH": ("601006/raw_baostock_2005_2021", "601006/qfq_tdx_anchor20210923", "TDX"),
    "601009.SH": ("601009/raw_baostock_2005_2021", "601009/qfq_tdx_anchor20210923", "TDX"),
}
RETURN_PRESERVING = ("600036.SH", "000063.SZ", "000338.SZ")
#: An adjusted price is rounded to the cent on either side of the ex-date, the exchange's reference price once.
ROUNDING_CNY = 0.015


def both_closes(raw: str, adjusted: str, symbol: str) -> pl.DataFrame:
    """Raw and adjusted close of the days of 2020 and later that both files have."""
    own = published(f"prices/{adjusted}.csv").select("trade_date", adjusted="close_cny")
    traded = raw_bars(f"prices/{raw}.csv", symbol).filter("is_trading")
    return traded.select("trade_date", raw="close_cny").join(own, on="trade_date").sort("trade_date").filter(
        pl.col("trade_date") >= FIRST
    )  # fmt: skip


def told(symbol: str, vendor: str, closes: pl.DataFrame, drop: pl.Expr, noise: float) -> pl.DataFrame:
    """Ex-dates a vendor's series shows, with the price taken off the close before; up to the series' last day."""
    return closes.select(
        pl.lit(symbol).alias("symbol"), pl.lit(vendor).alias("witness"), pl.col("trade_date").alias("date"),
        drop.alias("drop_by_witness"), pl.lit(closes["trade_date"].max()).alias("until"),
    ).filter(pl.col("drop_by_witness").abs() > noise)  # fmt: skip


def witnessed() -> pl.DataFrame:
    """Every ex-date of 2020 and later told by a series that does not come from the previous closes."""
    found = []
    for symbol, (raw, adjusted, vendor) in ADDITIVE.items():
        taken_off = pl.col("raw") - pl.col("adjusted")
        found.append(told(symbol, vendor, both_closes(raw, adjusted, symbol), taken_off.shift(1) - taken_off, 0.005))
    for symbol in RETURN_PRESERVING:
        files = (f"long_2010_2020/{symbol}_raw_baostock", f"long_2010_2020/{symbol}_qfq_tushare")
        factor = pl.col("adjusted") / pl.col("raw")
        drop = pl.col("raw").shift(1) * (1 - factor.shift(1) / factor)
        found.append(told(symbol, "tushare", both_closes(*files, symbol), drop, 0.03))
    sina = read("events/600519_cash_dividends_2020_2026.csv").drop_nulls("exchange_preclose")
    found.append(
        sina.select(
            pl.lit("600519.SH").alias("symbol"), pl.lit("Sina").alias("witness"), pl.col("ex_date").alias("date"),
            (pl.col("prev_close") * (1 - 1 / pl.col("factor_step"))).alias("drop_by_witness"),
            pl.col("ex_date").max().alias("until"),
        )
    )  # fmt: skip
    return pl.concat(found)


def compared() -> pl.DataFrame:
    """Both sides of every ex-date that either knows, within the days the witness covers and the list reaches."""
    listed = ex_right_days().select(
        "symbol", "date", "prev_close", (pl.col("prev_close") - pl.col("preclose")).alias("drop_by_closes")
    )
    witnesses = witnessed()
    spans = witnesses.group_by("symbol", "witness").agg(pl.col("until").first())
    inside = listed.join(spans, on="symbol").filter(pl.col("date") <= pl.col("until")).drop("until", "witness")
    last_listed = listed["date"].max()
    told_inside = witnesses.filter(pl.col("date") <= last_listed).drop("until")
    both = inside.join(told_inside, on=["symbol", "date"], how="full", coalesce=True).sort("symbol", "date")
    difference = (pl.col("drop_by_witness") - pl.col("drop_by_closes")).abs()
    why = (
        pl.when(pl.col("drop_by_closes").is_null()).then(pl.lit("only the witness knows it"))
        .when(pl.col("drop_by_witness").is_null()).then(pl.lit("only the previous closes know it"))
        .when(difference < 5e-4).then(pl.lit("same"))
        .when(difference <= ROUNDING_CNY).then(pl.lit("prices rounded to the cent"))
        .otherwise(pl.lit("unexplained"))
    )  # fmt: skip
    return both.with_columns(difference.round(4).alias("difference"), why.alias("why"))


def test_every_ex_right_day_that_has_a_second_witness_is_borne_out_by_it() -> None:
    both = compared()
    days = ex_right_days()
    with pl.Config(tbl_rows=60, tbl_cols=10, tbl_width_chars=140):
        print(both, both.group_by("why").len().sort("why"))
    alone = days["symbol"].n_unique() - both["symbol"].n_unique()
    print(f"{both.height} of {days.height} days have a second witness; {alone} stocks have none")
    assert both["symbol"].n_unique() == 8
    assert set(both["why"]) == {"same", "prices rounded to the cent"}


#: Where the list to 2011 differs from the notices: ex-date → why.
EXPLAINED = {
    ("600000.SH", date(2006, 5, 12)): "gift of the share reform, paid by holders: no price was adjusted",
    ("000001.SZ", date(2007, 6, 20)): "share reform: the list leaves out the 0.009 in cash paid with the shares",
}


def listed_to_2011(symbol: str) -> dict[date, tuple[float, float, float]]:
    """Cash, bonus and rights per share of the TDX list; its amounts are per ten shares, in thousandths and so on."""
    rows = read("events/tdx_stkweight_events_to_201111.csv").filter(
        (pl.col("code").cast(pl.String).str.zfill(6) == symbol[:6]) & (pl.col("market") == symbol[-2:])
    )
    events = rows.select(
        pl.col("date").cast(pl.String).str.to_date("%Y%m%d"),
        (pl.col("bonus") / 10_000).round(6),
        ((pl.col("countAsGift") + pl.col("countOfIncreasement")) / 100_000).round(6),
        (pl.col("countForSell") / 100_000).round(6),
    ).rows()
    return {day: (cash, bonus, rights) for day, cash, bonus, rights in events if cash or bonus or rights}


@pytest.mark.parametrize("symbol", sorted(EX_RIGHTS))
def test_event_list_to_2011_and_the_notices_agree_but_for_named_days(symbol: str) -> None:
    """The notices are the ones that reproduce whole published series to the cent."""
    facts = {event.ex_date: (event.cash, event.bonus, event.rights) for event in EX_RIGHTS[symbol]}
    first, last = min(facts), date(2011, 11, 30)
    known = {day: event for day, event in facts.items() if day <= last}
    listed = {day: event for day, event in listed_to_2011(symbol).items() if day >= first}
    different = {day for day in known.keys() | listed.keys() if known.get(day) != listed.get(day)}
    print(f"{symbol}: {len(known)} events to 2011, different on {sorted(map(str, different))}")
    assert {(symbol, day) for day in different} == {key for key in EXPLAINED if key[0] == symbol}
