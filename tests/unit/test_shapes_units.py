"""Property: a volume unit is recognised for any honest bar, and a wrong documented unit never passes."""

from datetime import date, timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.errors import DataRejected
from flows.sources.shapes.bars import volume_in_shares

honest = st.lists(
    st.tuples(
        st.integers(100, 500_000),  # low, cents
        st.integers(0, 4_000),  # range, basis points of the low
        st.floats(0, 1),  # where the average price lies in the range
        st.integers(1, 10_000_000),  # volume, lots
    ),
    min_size=1,
    max_size=12,
)


def frame_of(days, unit):
    rows = []
    for number, (low, spread, place, lots) in enumerate(days):
        high = low * (1 + spread / 10_000)
        shares = lots * 100
        rows.append(
            {
                "trade_date": date(2024, 1, 1) + timedelta(days=number),
                "low_cny": low / 100,
                "high_cny": high / 100,
                "volume_shares": float(shares / unit),
                "amount_cny": round(shares * (low + place * (high - low)) / 100, 2),
            }
        )
    return pl.DataFrame(rows), [float(lots * 100) for *_, lots in days]


@settings(max_examples=60, deadline=None)
@given(honest, st.sampled_from([1, 100]))
def test_the_rows_themselves_tell_lots_from_shares(days, unit):
    frame, shares = frame_of(days, unit)
    assert volume_in_shares(frame, "x")["volume_shares"].to_list() == pytest.approx(shares)


@settings(max_examples=60, deadline=None)
@given(honest, st.sampled_from([1, 100]))
def test_a_wrong_documented_unit_is_always_refused(days, unit):
    frame, _ = frame_of(days, unit)
    with pytest.raises(DataRejected):
        volume_in_shares(frame, "x", vendor_unit=101 - unit)
