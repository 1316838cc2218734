"""M10 held to plain arithmetic row by row, and to the traps of suspensions, ex-dates, listings and limits."""

from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.contracts.marts import PRICE_FACTS
from flows.market.adjustment import factors_from_previous_closes
from flows.market.calendar import load_calendar
from flows.market.limits import limit_pct, limit_prices
from flows.market.price_facts import price_facts
from flows.market.price_limits import limit_cents
from tests.real_data import REAL, needs_real

CALENDAR = load_calendar()
SESSIONS = CALENDAR.days
DAYS = CALENDAR.sessions(date(2021, 1, 4), date(2025, 3, 31))
S = "600000.SH"


def instruments(board: str | None = "main", listed: date | None = None, symbol: str = S) -> pl.DataFrame:
    schema = {"symbol": pl.String, "board": pl.String, "listed_date": pl.Date}
    return pl.DataFrame([(symbol, board, listed)], schema=schema, orient="row")


def factors(*steps: tuple[date, float]) -> pl.DataFrame:
    schema = {"symbol": pl.String, "ex_date": pl.Date, "backward_factor": pl.Float64}
    return pl.DataFrame([(S, day, factor) for day, factor in steps], schema=schema, orient="row")


def bars(closes: list[float], days: list[date] | None = None, **columns: Any) -> pl.DataFrame:
    n = len(closes)
    frame = pl.DataFrame(
        {
            "symbol": [S] * n, "trade_date": days or DAYS[:n], "high_cny": closes, "low_cny": closes,
            "close_cny": closes, "previous_close_cny": [None] * n, "volume_shares": [100.0] * n,
            "is_trading": [True] * n, "is_st": [False] * n,
        },
        schema_overrides={"previous_close_cny": pl.Float64, "close_cny": pl.Float64},
    )  # fmt: skip
    return frame.with_columns(**{name: pl.Series(values) for name, values in columns.items()})


def facts(
    quoted: pl.DataFrame, steps: pl.DataFrame | None = None, company: pl.DataFrame | None = None, **options: Any
) -> pl.DataFrame:
    known = factors() if steps is None else steps
    return price_facts(quoted, known, instruments() if company is None else company, SESSIONS, **options)


def last(frame: pl.DataFrame) -> dict[str, Any]:
    return frame.tail(1).row(0, named=True)


def random_market(seed: int, n: int = 820) -> tuple[pl.DataFrame, pl.DataFrame]:
    """One stock with two ex-dates, suspended days flat at the last close, and volumes that can be zero."""
    random = np.random.default_rng(seed)
    closes = np.round(20 * np.exp(np.cumsum(random.normal(0, 0.02, n))), 2)
    high, low = np.round(closes * (1 + random.random(n) / 40), 2), np.round(closes * (1 - random.random(n) / 40), 2)
    quoted = bars(
        closes.tolist(), high_cny=high, low_cny=low, is_trading=(random.random(n) > 0.04),
        volume_shares=np.round(random.random(n) * 1e6) * (random.random(n) > 0.02),
    )  # fmt: skip
    return quoted, factors((DAYS[n // 3], 1.5), (DAYS[n // 2], 3.3))


def expected_row(traded: pl.DataFrame, factor: np.ndarray, row: int) -> dict[str, float | None]:
    """Every column but the limits, the slow and obvious way."""
    day = traded["trade_date"][row]
    close, high, low, volume = (traded[n].to_numpy() for n in ("close_cny", "high_cny", "low_cny", "volume_shares"))
    scale = factor / factor[row]
    own = slice(0, row + 1)
    level = (close * scale)[own]
    returns = 100 * (level[1:] / level[:-1] - 1)
    told: dict[str, float | None] = {"close_cny": close[row]}
    for years, start in (("52w", day - timedelta(days=364)), ("3y", day.replace(year=day.year - 3))):
        inside = np.array([start < d <= day for d in traded["trade_date"][own]])
        is_long = 5 * inside.sum() >= 3 * CALENDAR.count(start + timedelta(days=1), day)
        top, bottom = ((high * scale)[own][inside].max(), (low * scale)[own][inside].min()) if is_long else (None, None)
        told |= {f"high_{years}_cny": top, f"low_{years}_cny": bottom}
        told[f"position_{years}_pct"] = (
            100 * (close[row] - bottom) / (top - bottom) if is_long and top > bottom else None
        )
        if years == "52w":
            told["drawdown_52w_pct"] = 100 * (close[row] / level[inside].max() - 1) if is_long else None
    for n in (5, 20, 60):
        told[f"return_{n}d_pct"] = 100 * (level[-1] / level[-1 - n] - 1) if row >= n else None
    for n in (5, 20, 60, 250):
        told[f"ma_{n}_cny"] = level[-n:].mean() if row + 1 >= n else None
    recent = returns[-60:] if row >= 60 else None
    for name, share in (("q05", 0.05), ("q50", 0.5), ("q95", 0.95)):
        told[f"daily_return_{name}_60d_pct"] = float(np.quantile(recent, share)) if recent is not None else None
    told["up_days_60d"] = int((recent > 0).sum()) if recent is not None else None
    told["volatility_60d_pct"] = float(recent.std(ddof=1) * np.sqrt(242)) if recent is not None else None
    before = volume[row - 5 : row].mean() if row >= 5 else 0.0
    told["volume_ratio_5d"] = volume[row] / before if before > 0 else None
    return told | wilder_row(level, (high * scale)[own], (low * scale)[own])


def wilder_row(close: np.ndarray, high: np.ndarray, low: np.ndarray) -> dict[str, float | None]:
    if len(close) < 15:
        return {"atr_14_cny": None, "rsi_14": None}
    ranges = np.maximum(high[1:], close[:-1]) - np.minimum(low[1:], close[:-1])
    change = np.diff(close)
    averages = []
    for series in (ranges, np.maximum(change, 0), np.maximum(-change, 0)):
        average = series[:14].mean()
        for value in series[14:]:
            average = (13 * average + value) / 14
        averages.append(average)
    return {"atr_14_cny": averages[0], "rsi_14": 100 - 100 / (1 + averages[1] / averages[2])}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_column_is_its_plain_arithmetic(seed: int) -> None:
    quoted, steps = random_market(seed)
    traded = quoted.filter(pl.col("is_trading"))
    days = traded["trade_date"].to_numpy()
    factor = np.where(
        days >= np.datetime64(steps["ex_date"][1]), 3.3, np.where(days >= np.datetime64(steps["ex_date"][0]), 1.5, 1.0)
    )
    told = facts(quoted, steps)
    assert told.height == traded.height
    known: set[str] = set()
    for row in [*range(0, 80), *range(80, traded.height, 23), traded.height - 1]:
        actual = told.row(row, named=True)
        for name, value in expected_row(traded, factor, row).items():
            wanted = value if value is None else pytest.approx(value, rel=1e-9, abs=1e-9)
            assert actual[name] == wanted, (name, row)
            known |= {name} if value is not None else set()
    unchecked = {"symbol", "trade_date", "change_pct", "limit_pct", "limit_up_days_60d", "limit_down_days_60d"}
    assert known == set(PRICE_FACTS.schema) - unchecked


def test_schema_is_the_contract() -> None:
    assert facts(bars([10.0, 10.1])).schema == PRICE_FACTS.schema
    empty = facts(bars([]).cast({"trade_date": pl.Date, "symbol": pl.String, "is_trading": pl.Boolean}))
    assert empty.schema == PRICE_FACTS.schema


def test_level_without_an_ex_date_in_between_is_the_quoted_price_to_the_last_bit() -> None:
    closes = [10.44, 10.3, 10.1] * 60
    told = last(facts(bars(closes), factors((DAYS[0], 11.949786))))
    assert (told["high_52w_cny"], told["low_52w_cny"]) == (10.44, 10.1)


def test_share_issue_is_no_crash() -> None:
    """P2: 372.95 then 113.96 with a 1→3 issue between is −8.3 %, and no limit-down day."""
    quoted = bars([372.95, 113.96], previous_close_cny=[370.0, 124.32])
    told = last(facts(quoted, factors((DAYS[1], 372.95 / 124.32))))
    assert told["change_pct"] == pytest.approx(-8.333, abs=0.001)


def test_change_is_against_the_exchanges_close_and_else_against_the_factor() -> None:
    steps = factors((DAYS[1], 2.0))
    quoted = bars([10.0, 5.5], previous_close_cny=[None, 5.0])
    assert last(facts(quoted, steps))["change_pct"] == pytest.approx(10.0)
    unknown = bars([10.0, 5.5])
    assert last(facts(unknown, steps))["change_pct"] == pytest.approx(10.0)
    assert facts(unknown, steps)["change_pct"][0] is None


class TestSuspension:
    def test_flat_rows_and_missing_rows_give_the_same_facts(self) -> None:
        """P10: baostock sends flat rows with volume 0, East Money sends none."""
        quoted, steps = random_market(7)
        assert facts(quoted, steps).equals(facts(quoted.filter(pl.col("is_trading")), steps))

    def test_return_after_it_is_the_return_across_it(self) -> None:
        closes = [10.0] * 61 + [10.0] * 5 + [11.0]
        trading = [True] * 61 + [False] * 5 + [True]
        told = facts(bars(closes, is_trading=trading))
        assert told.height == 62
        assert last(told)["return_5d_pct"] == pytest.approx(10.0)
        assert last(told)["up_days_60d"] == 1

    def test_long_one_leaves_the_range_of_the_year_unknown(self) -> None:
        days = [*DAYS[:30], *DAYS[200:230]]
        assert last(facts(bars([10.0] * 60, days)))["high_52w_cny"] is None


class TestUnknown:
    def test_short_history_leaves_long_windows_null(self) -> None:
        told = last(facts(bars([10.0 + i / 10 for i in range(30)])))
        assert told["ma_20_cny"] is not None
        for name in ("high_52w_cny", "position_3y_pct", "drawdown_52w_pct", "return_60d_pct", "ma_60_cny",
                     "volatility_60d_pct", "limit_up_days_60d"):  # fmt: skip
            assert told[name] is None, name

    def test_stock_that_never_moved_has_no_rsi_and_no_position(self) -> None:
        told = last(facts(bars([10.0] * 300)))
        assert (told["rsi_14"], told["position_52w_pct"], told["atr_14_cny"]) == (None, None, 0.0)

    def test_only_gains_is_a_hundred_and_only_losses_zero(self) -> None:
        rising = [10.0 + i / 100 for i in range(20)]
        assert last(facts(bars(rising)))["rsi_14"] == 100.0
        assert last(facts(bars(rising[::-1])))["rsi_14"] == 0.0

    def test_first_wilder_values_stand_on_the_fifteenth_bar(self) -> None:
        told = facts(bars([10.0 + (i % 3) / 10 for i in range(16)]))
        assert told["rsi_14"].is_null().to_list() == [True] * 14 + [False] * 2
        assert told["atr_14_cny"].is_null().to_list() == [True] * 14 + [False] * 2

    def test_no_volume_in_the_five_sessions_before_leaves_the_ratio_unknown(self) -> None:
        told = last(facts(bars([10.0] * 6, volume_shares=[0.0] * 5 + [100.0])))
        assert told["volume_ratio_5d"] is None


class TestLimits:
    def test_limit_price_is_rounded_so_ten_and_a_half_percent_can_be_the_limit(self) -> None:
        """P11: 1.05 → 1.16."""
        closes = [1.05] * 59 + [1.16]
        told = last(facts(bars(closes, previous_close_cny=[1.05] * 60)))
        assert (told["limit_up_days_60d"], told["limit_down_days_60d"], told["limit_pct"]) == (1, 0, 10.0)

    def test_lower_limit_counts_on_its_own_side(self) -> None:
        told = last(facts(bars([1.05] * 59 + [0.95], previous_close_cny=[1.05] * 60)))
        assert (told["limit_up_days_60d"], told["limit_down_days_60d"]) == (0, 1)

    @pytest.mark.parametrize(("day", "expected"), [(date(2026, 7, 3), 5.0), (date(2026, 7, 6), 10.0)])
    def test_st_limit_changes_with_its_date(self, day: date, expected: float) -> None:
        """P12."""
        assert last(facts(bars([10.0], [day], is_st=[True])))["limit_pct"] == expected

    def test_unknown_st_flag_matters_only_where_the_limits_differ(self) -> None:
        unknown = bars([10.0] * 60).with_columns(is_st=pl.lit(None, dtype=pl.Boolean))
        assert last(facts(unknown))["limit_pct"] is None
        assert last(facts(unknown))["limit_up_days_60d"] is None
        assert last(facts(unknown, company=instruments("chinext")))["limit_pct"] == 20.0

    def test_unknown_board_leaves_the_limit_unknown(self) -> None:
        told = last(facts(bars([10.0] * 60), company=instruments(board=None)))
        assert (told["limit_pct"], told["limit_up_days_60d"]) == (None, None)

    @pytest.mark.parametrize(
        ("board", "listed", "expected"),
        [
            ("main", date(2024, 3, 4), [None] * 5 + [10.0]),
            ("main", date(2019, 3, 4), [44.0] + [10.0] * 5),
            ("star", date(2024, 3, 4), [None] * 5 + [20.0]),
            ("bse", date(2024, 3, 4), [None] + [30.0] * 5),
        ],
    )
    def test_first_sessions_of_a_listing(self, board: str, listed: date, expected: list[float | None]) -> None:
        """P11: +180 % on day one is no limit day where none applies."""
        days = CALENDAR.sessions(listed, listed + timedelta(days=20))[:6]
        quoted = bars([28.0] * 6, days, previous_close_cny=[10.0] + [28.0] * 5)
        assert facts(quoted, company=instruments(board, listed))["limit_pct"].to_list() == expected

    def test_history_that_starts_after_the_listing_has_no_first_session(self) -> None:
        quoted = bars([28.0] * 6, previous_close_cny=[28.0] * 6)
        assert (
            facts(quoted, company=instruments("main", DAYS[0] - timedelta(days=3)))["limit_pct"].to_list() == [10.0] * 6
        )

    @settings(max_examples=300, deadline=None)
    @given(st.integers(2, 300_000), st.sampled_from([5.0, 10.0, 20.0, 30.0, 44.0]))
    def test_prices_of_the_whole_column_are_those_of_the_scalar_rule(self, cents: int, pct: float) -> None:
        frame = pl.DataFrame({"reference": [cents / 100], "pct": [pct]})
        lower, upper = limit_cents(pl.col("reference"), pl.col("pct"))
        [told] = frame.select(lower.alias("lower"), upper.alias("upper")).rows()
        assert (told[0] / 100, told[1] / 100) == limit_prices(cents / 100, pct)

    @settings(max_examples=60, deadline=None)
    @given(
        st.sampled_from(["main", "star", "chinext", "bse"]),
        st.booleans(),
        st.dates(date(1997, 1, 2), date(2026, 11, 30)),
    )
    def test_percent_of_the_whole_column_is_that_of_the_scalar_rule(self, board: str, is_st: bool, day: date) -> None:
        told = last(facts(bars([10.0], [day], is_st=[is_st]), company=instruments(board)))
        assert told["limit_pct"] == limit_pct(board, day, is_st=is_st)


@pytest.mark.parametrize("at", [0, 5, 61, 400, 819])
def test_sessions_filled_alone_are_the_same(at: int) -> None:
    quoted, steps = random_market(11)
    whole = facts(quoted, steps).filter(pl.col("trade_date") >= DAYS[at])
    assert facts(quoted, steps, since=DAYS[at]).equals(whole)


def test_stocks_do_not_touch_each_other_and_threads_change_nothing() -> None:
    one, steps = random_market(3)
    other = random_market(4)[0].with_columns(symbol=pl.lit("000001.SZ"))
    companies = pl.concat([instruments(), instruments(symbol="000001.SZ")])
    both = price_facts(
        pl.concat([other, one]).sample(fraction=1, shuffle=True, seed=1), steps, companies, SESSIONS, threads=2
    )
    assert both.filter(pl.col("symbol") == S).equals(facts(one, steps))


@pytest.mark.parametrize("at", [100, 500, 700])
def test_nothing_later_is_looked_at(at: int) -> None:
    quoted, steps = random_market(5)
    day = DAYS[at]
    known = steps.filter(pl.col("ex_date") <= day)
    past = facts(quoted.filter(pl.col("trade_date") <= day), known)
    assert facts(quoted, steps).filter(pl.col("trade_date") <= day).equals(past)


def real_bars(symbol: str, path: str) -> pl.DataFrame:
    frame = pl.read_csv(REAL / path, try_parse_dates=True, infer_schema_length=None)
    return frame.select(
        pl.lit(symbol).alias("symbol"), pl.col("date").alias("trade_date"), pl.col("high").alias("high_cny"),
        pl.col("low").alias("low_cny"), pl.col("close").alias("close_cny"),
        pl.col("preclose").alias("previous_close_cny"), pl.col("volume").cast(pl.Float64).alias("volume_shares"),
        (pl.col("tradestatus") == 1).alias("is_trading"), (pl.col("isST") == 1).alias("is_st"),
        pl.col("pctChg").alias("published_change_pct"),
    )  # fmt: skip


REAL_FILES = {
    "600009.SH": "valuation/baostock_sh.600009.csv",
    "002594.SZ": "valuation/baostock_sz.002594.csv",
    "600000.SH": "prices/600000/raw_baostock_2020_2025.csv",
    "000001.SZ": "prices/000001/raw_baostock_2020_2025.csv",
}


@pytest.mark.real
@needs_real
@pytest.mark.parametrize("symbol", REAL_FILES)
def test_real_changes_are_the_published_ones_and_suspended_rows_leave_no_false_return(symbol: str) -> None:
    quoted = real_bars(symbol, REAL_FILES[symbol])
    steps = factors_from_previous_closes(quoted)
    told = price_facts(quoted, steps, instruments(symbol=symbol), SESSIONS)
    both = told.join(quoted, on=["symbol", "trade_date"], suffix="_raw")
    error = (both["change_pct"] - both["published_change_pct"]).abs().max()
    suspended = quoted.filter(~pl.col("is_trading")).height
    daily = told["daily_return_q05_60d_pct"].min(), told["daily_return_q95_60d_pct"].max()
    print(f"{symbol}: {told.height} sessions, {suspended} suspended, change off by {error:.1e} pp, quantiles {daily}")
    assert error < 1e-4
    assert told.height == quoted.height - suspended
    assert daily[0] > -11
    assert daily[1] < 11
    assert told.equals(price_facts(quoted.filter(pl.col("is_trading")), steps, instruments(symbol=symbol), SESSIONS))


@pytest.mark.real
@needs_real
def test_712_real_suspended_rows_are_no_sessions() -> None:
    rows = pl.read_csv(REAL / "calendar/baostock_suspended_rows.csv", try_parse_dates=True).select(
        pl.col("code").alias("symbol"), pl.col("date").alias("trade_date"), pl.col("high").alias("high_cny"),
        pl.col("low").alias("low_cny"), pl.col("close").alias("close_cny"),
        pl.col("preclose").alias("previous_close_cny"), pl.col("volume").alias("volume_shares"),
        (pl.col("tradestatus") == 1).alias("is_trading"), (pl.col("isST") == 1).alias("is_st"),
    )  # fmt: skip
    around = [rows.with_columns(
        trade_date=pl.col("trade_date") + pl.duration(days=shift), is_trading=pl.lit(True), volume_shares=pl.lit(1.0)
    ) for shift in (-3_000, 3_000)]  # fmt: skip
    company = rows.select(pl.col("symbol").unique(), board=pl.lit("main"), listed_date=pl.lit(None, dtype=pl.Date))
    assert rows.height == 712
    assert price_facts(rows, factors(), company, SESSIONS).is_empty()
    told = price_facts(pl.concat([*around, rows]), factors(), company, SESSIONS)
    assert told.height == 2 * 712
    assert set(rows["trade_date"]).isdisjoint(told["trade_date"])
