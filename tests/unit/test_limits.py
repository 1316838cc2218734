"""Dated limits: every rule of PRODUCT Q, faults P11 and P12, as a named case."""

from datetime import date

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.market.limits import LIMIT_RULES, is_within_limit, limit_pct, limit_prices, limit_rules_frame
from tests.real_data import REAL, needs_real


def test_limit_is_a_rounded_price_so_1_05_may_close_at_1_16():
    assert limit_prices(1.05, 10.0) == (0.95, 1.16)
    assert is_within_limit(1.16, 1.05, 10.0)
    assert not is_within_limit(1.17, 1.05, 10.0)


def test_half_a_cent_rounds_up_where_binary_floats_would_round_down():
    assert limit_prices(2.65, 10.0) == (2.39, 2.92)  # 2.385 and 2.915
    assert limit_prices(10.05, 10.0) == (9.05, 11.06)  # 9.045 and 11.055


def test_penny_stock_moves_by_at_least_one_tick():
    assert limit_prices(0.04, 10.0) == (0.03, 0.05)
    assert limit_prices(0.01, 10.0) == (0.01, 0.02)


@pytest.mark.parametrize(
    ("board", "day", "is_st", "expected"),
    [
        ("main", date(1996, 12, 13), False, None),
        ("main", date(1996, 12, 16), False, 10.0),
        ("main", date(2026, 7, 3), True, 5.0),
        ("main", date(2026, 7, 6), True, 10.0),
        ("chinext", date(2020, 8, 21), False, 10.0),
        ("chinext", date(2020, 8, 24), False, 20.0),
        ("chinext", date(2026, 7, 3), True, 20.0),
        ("star", date(2026, 7, 3), True, 20.0),
        ("bse", date(2026, 7, 3), False, 30.0),
    ],
)
def test_ordinary_limit_by_board_date_and_treatment(board, day, is_st, expected):
    assert limit_pct(board, day, is_st=is_st, sessions_since_listing=500) == expected


def test_st_on_main_board_plus_8_pct_is_an_error_on_2026_07_03_and_fine_on_2026_07_07():
    before = limit_pct("main", date(2026, 7, 3), is_st=True)
    after = limit_pct("main", date(2026, 7, 7), is_st=True)
    assert not is_within_limit(10.80, 10.00, before)
    assert is_within_limit(10.80, 10.00, after)


@pytest.mark.parametrize(
    ("board", "listed"),
    [("star", date(2019, 7, 22)), ("chinext", date(2020, 8, 24)), ("main", date(2023, 4, 10))],
)
def test_first_five_sessions_are_free_from_the_boards_date_on(board, listed):
    free = [limit_pct(board, listed, sessions_since_listing=n, listed_date=listed) for n in range(1, 7)]
    assert free[:5] == [None] * 5
    assert free[5] in {10.0, 20.0}


def test_main_board_2024_plus_180_pct_on_day_one_is_fine_and_2019_is_capped_at_44():
    assert is_within_limit(28.0, 10.0, limit_pct("main", date(2024, 3, 1), sessions_since_listing=1))
    capped = limit_pct("main", date(2019, 3, 1), sessions_since_listing=1)
    assert capped == 44.0
    assert limit_prices(10.0, capped) == (6.4, 14.4)
    assert not is_within_limit(28.0, 10.0, capped)


def test_second_session_before_the_free_five_has_the_ordinary_limit():
    assert limit_pct("main", date(2019, 3, 4), sessions_since_listing=2) == 10.0
    assert limit_pct("chinext", date(2019, 3, 4), sessions_since_listing=2) == 10.0


def test_stock_listed_just_before_the_reform_keeps_its_limit_after_it():
    day = date(2023, 4, 10)
    assert limit_pct("main", day, sessions_since_listing=3, listed_date=date(2023, 4, 6)) == 10.0
    assert limit_pct("main", day, sessions_since_listing=1, listed_date=day) is None


def test_first_day_before_2014_had_no_limit():
    assert limit_pct("main", date(2010, 1, 5), sessions_since_listing=1) is None


def test_beijing_first_day_is_free_and_the_second_is_not():
    assert limit_pct("bse", date(2024, 3, 1), sessions_since_listing=1) is None
    assert limit_pct("bse", date(2024, 3, 4), sessions_since_listing=2) == 30.0


def test_relisting_or_delisting_period_lifts_the_limit_and_an_ordinary_resumption_does_not():
    day = date(2024, 3, 1)
    assert limit_pct("main", day, sessions_since_listing=900, is_lifted=True) is None
    assert limit_pct("main", day, sessions_since_listing=900) == 10.0


def test_unknown_listing_day_is_taken_as_an_ordinary_session():
    assert limit_pct("main", date(2024, 3, 1)) == 10.0


def test_unknown_board_is_refused():
    with pytest.raises(ValueError, match="neeq"):
        limit_pct("neeq", date(2024, 3, 1))


def test_price_of_zero_is_refused():
    with pytest.raises(ValueError, match="not a price"):
        limit_prices(0.0, 10.0)


@given(cents=st.integers(1, 10_000_000), pct=st.sampled_from([5, 10, 20, 30]))
def test_decimal_limits_equal_integer_arithmetic_in_cents(cents, pct):
    lower, upper = limit_prices(cents / 100, float(pct))
    assert round(upper * 100) == max((cents * (100 + pct) + 50) // 100, cents + 1)
    assert round(lower * 100) == max(min((cents * (100 - pct) + 50) // 100, cents - 1), 1)


def test_rules_frame_covers_every_day_of_a_board_exactly_once():
    frame = limit_rules_frame()
    assert frame.height == len(LIMIT_RULES)
    for (_, _), rules in frame.group_by("board", "is_st", maintain_order=True):
        assert rules["since"].is_sorted()
        assert rules["until"].to_list()[:-1] == rules["since"].to_list()[1:]


@given(
    day=st.dates(date(2009, 10, 30), date(2030, 1, 1)), board=st.sampled_from(["main", "chinext"]), st_=st.booleans()
)
def test_rules_frame_says_what_the_function_says(day, board, st_):
    hit = limit_rules_frame().filter(
        (pl.col("board") == board) & (pl.col("is_st") == st_) & (pl.col("since") <= day) & (pl.col("until") > day)
    )
    assert hit["pct"].to_list() == [limit_pct(board, day, is_st=st_)]


@pytest.mark.real
@needs_real
@pytest.mark.parametrize(
    ("path", "board"),
    [
        ("prices/600000/raw_baostock_2020_2025.csv", "main"),
        ("prices/000001/raw_baostock_2020_2025.csv", "main"),
        ("valuation/baostock_sz.002594.csv", "main"),
        ("valuation/baostock_sh.600036.csv", "main"),
    ],
)
def test_no_real_bar_breaks_its_limit(path, board):
    bars = pl.read_csv(REAL / path, infer_schema=False).filter(pl.col("tradestatus").cast(pl.Float64) == 1)
    rows = bars.select("date", "isST", pl.col("close", "preclose").cast(pl.Float64)).iter_rows()
    broken = [
        (day, close)
        for day, st_flag, close, before in rows
        if not is_within_limit(close, before, limit_pct(board, date.fromisoformat(day[:10]), is_st=float(st_flag) == 1))
    ]
    assert bars.height > 1_000
    assert broken == []
