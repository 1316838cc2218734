"""Prices across ex-dates: both methods, no look-ahead, SQL and Polars the same."""

from datetime import date, timedelta
from typing import Any

import duckdb
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from flows.contracts.raw import RAW_TABLES
from flows.market.adjustment import (
    additively_adjusted,
    factors_from_actions,
    factors_from_previous_closes,
    forward_adjusted,
    reexpressed,
)
from flows.warehouse.models import load_models

DAY = date(2026, 1, 5)
S = "600000.SH"
MODELS = load_models()


def days(n: int) -> list[date]:
    return [DAY + timedelta(days=i) for i in range(n)]


def bars(
    closes: list[float], previous: list[float | None] | None = None, trading: list[bool] | None = None
) -> pl.DataFrame:
    n = len(closes)
    known = previous if previous is not None else [None, *closes[:-1]]
    return pl.DataFrame(
        {
            "symbol": [S] * n, "trade_date": days(n), "open_cny": closes, "high_cny": closes, "low_cny": closes,
            "close_cny": closes, "previous_close_cny": known, "volume_shares": [100.0] * n, "amount_cny": [1000.0] * n,
            "is_trading": trading or [True] * n,
        },
        schema_overrides={"previous_close_cny": pl.Float64},
    )  # fmt: skip


def factors(*steps: tuple[int, float]) -> pl.DataFrame:
    rows = [(S, DAY + timedelta(days=at), factor) for at, factor in steps]
    return pl.DataFrame(
        rows, schema={"symbol": pl.String, "ex_date": pl.Date, "backward_factor": pl.Float64}, orient="row"
    )


def actions(*events: dict[str, Any]) -> pl.DataFrame:
    neutral = {"cash_cny": 0.0, "bonus_ratio": 0.0, "rights_ratio": 0.0, "rights_price_cny": None}
    schema = {
        "symbol": pl.String, "ex_date": pl.Date, "cash_cny": pl.Float64, "bonus_ratio": pl.Float64,
        "rights_ratio": pl.Float64, "rights_price_cny": pl.Float64,
    }  # fmt: skip
    rows = [
        {"symbol": S, **neutral, **{k: v for k, v in e.items() if k != "at"}, "ex_date": DAY + timedelta(days=e["at"])}
        for e in events
    ]
    return pl.DataFrame(rows, schema=schema)


def closes(frame: pl.DataFrame) -> list[float | None]:
    return frame["close_cny"].to_list()


class TestMultiplicative:
    def test_split_halves_earlier_prices(self) -> None:
        adjusted = forward_adjusted(bars([10.0, 5.1]), factors((1, 2.0)), days(2)[1])
        assert closes(adjusted) == [5.0, 5.1]
        assert adjusted["raw_close_cny"].to_list() == [10.0, 5.1]

    def test_ex_date_after_as_of_changes_nothing(self) -> None:
        assert closes(forward_adjusted(bars([10.0, 5.1]), factors((1, 2.0)), DAY)) == [10.0]

    def test_stock_suspended_through_its_ex_date_is_anchored_at_the_event(self) -> None:
        assert closes(forward_adjusted(bars([10.0]), factors((3, 2.0)), days(5)[4])) == [5.0]

    def test_anchor_day_keeps_its_raw_price_to_the_last_bit(self) -> None:
        assert closes(forward_adjusted(bars([10.1, 10.44]), factors((0, 11.949786)), days(2)[1])) == [10.1, 10.44]

    def test_issue_of_two_for_one_is_no_crash(self) -> None:
        """P2: 372.95 then 113.96 with a 1→3 issue between."""
        adjusted = closes(forward_adjusted(bars([372.95, 113.96]), factors((1, 3.0)), days(2)[1]))
        assert adjusted[1] / adjusted[0] - 1 == pytest.approx(-0.0833, abs=1e-3)

    def test_dividend_larger_than_the_price_stays_positive(self) -> None:
        """P1: the canonical method never falls to zero."""
        adjusted = forward_adjusted(bars([4.0, 1.0]), factors((1, 4.0)), days(2)[1])
        assert (adjusted["close_cny"] > 0).all()

    def test_one_basis_over_the_whole_history_however_it_was_loaded(self) -> None:
        """P3: rows loaded before and after an ex-date stand on one factor basis."""
        history, later = bars([10.0, 10.2, 10.1]), bars([10.0, 10.2, 10.1, 5.0, 5.1]).tail(2)
        together = forward_adjusted(pl.concat([history, later]), factors((3, 2.0)), days(5)[4])
        assert closes(together) == [5.0, 5.1, 5.05, 5.0, 5.1]

    def test_suspended_rows_are_no_bars(self) -> None:
        assert forward_adjusted(bars([10.0, 10.0], trading=[True, False]), factors(), days(2)[1]).height == 1


class TestAdditive:
    def test_dividend_larger_than_the_price_is_returned_and_flagged(self) -> None:
        """P1: asked for by name, −1.0 comes back, and says so."""
        adjusted = additively_adjusted(bars([2.0, 10.0]), actions({"at": 1, "cash_cny": 3.0}), days(2)[1])
        assert closes(adjusted) == [-1.0, 10.0]
        assert adjusted["is_positive"].to_list() == [False, True]

    def test_bonus_rights_and_cash_of_one_day(self) -> None:
        event = {"at": 1, "cash_cny": 0.3, "bonus_ratio": 0.5, "rights_ratio": 0.1, "rights_price_cny": 16.0}
        adjusted = additively_adjusted(bars([20.0, 13.0]), actions(event), days(2)[1])
        assert closes(adjusted) == [round((20.0 - 0.3 + 1.6) / 1.6, 2), 13.0]

    def test_half_a_cent_rounds_up(self) -> None:
        adjusted = additively_adjusted(bars([13.01, 12.7]), actions({"at": 1, "cash_cny": 0.285}), days(2)[1])
        assert closes(adjusted) == [12.73, 12.7]

    def test_unknown_rights_price_leaves_earlier_prices_unknown(self) -> None:
        events = actions({"at": 1, "rights_ratio": 0.3}, {"at": 2, "cash_cny": 1.0})
        assert closes(additively_adjusted(bars([10.0, 9.0, 8.0]), events, days(3)[2])) == [None, 8.0, 8.0]

    def test_event_after_as_of_takes_nothing_off(self) -> None:
        assert closes(additively_adjusted(bars([10.0, 9.0]), actions({"at": 1, "cash_cny": 1.0}), DAY)) == [10.0]

    def test_rounding_after_each_event_is_the_other_vendors(self) -> None:
        events = actions({"at": 1, "bonus_ratio": 0.8}, {"at": 2, "cash_cny": 0.26, "bonus_ratio": 0.4})
        quoted = bars([10.11, 5.0, 4.0])
        once, each = (closes(additively_adjusted(quoted, events, days(3)[2], how)) for how in ("once", "each_event"))
        assert once == [round((10.11 / 1.8 - 0.26) / 1.4, 2), 3.39, 4.0]
        assert each == [round((round(10.11 / 1.8, 4) - 0.26) / 1.4, 2), 3.39, 4.0]


class TestFactors:
    def test_step_is_last_close_over_the_exchanges_previous_close(self) -> None:
        found = factors_from_previous_closes(bars([11.62, 11.1], previous=[11.6, 11.02]))
        assert found.rows() == [(S, days(2)[1], 11.62 / 11.02)]

    def test_gift_that_adjusted_no_price_is_no_step(self) -> None:
        """P6: in the event list, but the exchange's previous close is the plain last close."""
        quoted = bars([10.0, 9.0], previous=[9.9, 10.0])
        gift = actions({"at": 1, "bonus_ratio": 0.3})
        assert factors_from_previous_closes(quoted).is_empty()
        assert not factors_from_actions(gift, quoted).is_empty()

    def test_steps_accumulate(self) -> None:
        found = factors_from_previous_closes(bars([10.0, 5.0, 2.5], previous=[None, 5.0, 2.5]))
        assert found["backward_factor"].to_list() == [2.0, 4.0]

    def test_ex_date_inside_a_suspension_is_one_step_on_its_own_day(self) -> None:
        quoted = bars([10.0, 9.5, 9.5, 9.6], previous=[10.0, 9.5, 9.5, 9.5], trading=[True, False, False, True])
        assert factors_from_previous_closes(quoted).rows() == [(S, days(4)[1], 10.0 / 9.5)]

    def test_wrong_close_on_a_suspended_row_is_no_step(self) -> None:
        """A vendor wrote 6.97 for a suspended stock whose price stood at 6.99."""
        quoted = bars([6.99, 6.97, 7.05], previous=[7.0, 6.99, 6.99], trading=[True, False, True])
        assert factors_from_previous_closes(quoted).is_empty()

    def test_unknown_previous_close_makes_the_factor_unknown(self) -> None:
        with pytest.raises(ValueError, match="previous close unknown"):
            factors_from_previous_closes(bars([10.0, 9.0], previous=[10.0, None]))

    def test_event_gives_the_reference_price_the_exchange_rounds(self) -> None:
        quoted = bars([9.04, 8.7], previous=[9.0, 8.72])
        by_event = factors_from_actions(actions({"at": 1, "cash_cny": 0.321}), quoted)
        assert by_event["backward_factor"].to_list() == [9.04 / 8.72]
        assert_frame_equal(by_event, factors_from_previous_closes(quoted))

    def test_event_without_an_earlier_close_or_a_rights_price_has_no_step(self) -> None:
        events = actions({"at": 0, "cash_cny": 1.0}, {"at": 1, "rights_ratio": 0.3})
        assert factors_from_actions(events, bars([10.0, 9.0])).is_empty()


class TestReexpressed:
    def test_old_level_after_an_ex_date(self) -> None:
        told = reexpressed(12.5, factors((1, 1.25), (3, 2.5)), days(3)[2], days(5)[4])
        assert (told.old_cny, told.new_cny, told.factor, told.ex_dates) == (12.5, 6.25, 0.5, (days(5)[3],))

    def test_without_an_ex_date_in_between_the_level_stands(self) -> None:
        told = reexpressed(12.5, factors((1, 1.25)), days(3)[2], days(5)[4])
        assert (told.new_cny, told.factor, told.ex_dates) == (12.5, 1.0, ())

    def test_it_is_the_same_as_adjusting_the_bar_again(self) -> None:
        quoted, steps = bars([10.0, 9.0, 8.0, 4.1]), factors((1, 1.1), (3, 2.2))
        [old] = forward_adjusted(quoted, steps, days(3)[2]).head(1)["close_cny"]
        [new] = forward_adjusted(quoted, steps, days(4)[3]).head(1)["close_cny"]
        assert reexpressed(old, steps, days(3)[2], days(4)[3]).new_cny == pytest.approx(new, rel=1e-14)

    def test_a_level_cannot_be_told_in_terms_of_the_past(self) -> None:
        with pytest.raises(ValueError, match="lies before"):
            reexpressed(10.0, factors(), days(2)[1], DAY)


PRICE = st.integers(100, 30_000).map(lambda cents: cents / 100)
EVENT = st.fixed_dictionaries({
    "at": st.integers(0, 14), "cash_cny": st.integers(0, 5_000).map(lambda n: n / 1000),
    "bonus_ratio": st.sampled_from([0.0, 0.1, 0.3, 1.0]), "rights_ratio": st.sampled_from([0.0, 0.0, 0.25]),
    "rights_price_cny": st.sampled_from([3.5, 8.37]),
})  # fmt: skip


@st.composite
def histories(draw: st.DrawFn) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame, date]:
    prices = draw(st.lists(PRICE, min_size=1, max_size=15))
    events = draw(st.lists(EVENT, max_size=5, unique_by=lambda event: event["at"]))
    steps = draw(
        st.lists(st.tuples(st.integers(0, 14), st.floats(0.5, 20)), max_size=5, unique_by=lambda step: step[0])
    )
    trading = draw(st.lists(st.booleans(), min_size=len(prices), max_size=len(prices)))
    return (
        bars(prices, trading=trading),
        actions(*events),
        factors(*steps),
        DAY + timedelta(days=draw(st.integers(0, 16))),
    )


def by_sql(name: str, as_of: date, **given_rows: pl.DataFrame) -> pl.DataFrame:
    with duckdb.connect() as con:
        con.execute("create schema staging; create schema marts")
        for kind, frame in given_rows.items():
            con.execute(RAW_TABLES[kind].without(["batch_id"]).ddl.replace("raw.", "staging.").replace(" not null", ""))
            con.register("given_rows", frame)
            con.execute(f"insert into staging.{kind} by name select * from given_rows")
            con.unregister("given_rows")
        con.execute(MODELS[name].statement)
        return con.sql(f"select * from {name}($as_of) order by symbol, trade_date", params={"as_of": as_of}).pl()


@settings(max_examples=60, deadline=None)
@given(histories())
def test_sql_and_polars_agree_on_the_multiplicative_method(history: Any) -> None:
    quoted, _, steps, as_of = history
    told = by_sql("marts.adjusted_bars_asof", as_of, daily_bars=quoted, adjust_factors=steps)
    assert_frame_equal(told, forward_adjusted(quoted, steps, as_of), rel_tol=1e-15, abs_tol=0)


@settings(max_examples=60, deadline=None)
@given(histories())
def test_sql_and_polars_agree_on_the_additive_method_to_the_cent(history: Any) -> None:
    quoted, events, _, as_of = history
    told = by_sql("marts.additive_bars_asof", as_of, daily_bars=quoted, corporate_actions=events)
    assert_frame_equal(told, additively_adjusted(quoted, events, as_of), rel_tol=0, abs_tol=0)


@settings(max_examples=60, deadline=None)
@given(histories())
def test_additive_method_walks_back_event_by_event(history: Any) -> None:
    quoted, events, _, as_of = history
    told = additively_adjusted(quoted, events, as_of)
    known = sorted(events.filter(pl.col("ex_date") <= as_of).iter_rows(named=True), key=lambda event: event["ex_date"])
    for row in told.iter_rows(named=True):
        price = row["raw_close_cny"]
        for event in known:
            if event["ex_date"] > row["trade_date"]:
                rights = event["rights_ratio"]
                price = (price - event["cash_cny"] + rights * event["rights_price_cny"]) / (
                    1 + event["bonus_ratio"] + rights
                )
        assert row["close_cny"] == pytest.approx(price, abs=0.005 + 1e-6)


@settings(max_examples=60, deadline=None)
@given(histories())
def test_nothing_after_as_of_is_looked_at(history: Any) -> None:
    quoted, events, steps, as_of = history
    past, known, paid = (
        quoted.filter(pl.col("trade_date") <= as_of),
        steps.filter(pl.col("ex_date") <= as_of),
        events.filter(pl.col("ex_date") <= as_of),
    )
    assert forward_adjusted(quoted, steps, as_of).equals(forward_adjusted(past, known, as_of))
    assert additively_adjusted(quoted, events, as_of).equals(additively_adjusted(past, paid, as_of))


@settings(max_examples=60, deadline=None)
@given(histories())
def test_returns_do_not_depend_on_as_of(history: Any) -> None:
    quoted, _, steps, as_of = history
    early, late = forward_adjusted(quoted, steps, as_of), forward_adjusted(quoted, steps, date(2099, 1, 1))
    both = early.join(late, on=["symbol", "trade_date"], suffix="_late")
    ratio = (both["close_cny"] / both["close_cny_late"]).to_list()
    assert ratio == pytest.approx([ratio[0]] * len(ratio) if ratio else [], rel=1e-12)
