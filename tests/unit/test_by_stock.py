"""Whole-market passes in parts: every stock whole in one part, the result in the order of the rows."""

from datetime import date

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.market import by_stock
from flows.market.by_stock import by_stock_and_date, in_parts


def rows_of(lengths: list[int]) -> pl.DataFrame:
    return pl.DataFrame(
        [(f"{600_000 + stock}.SH", day) for stock, length in enumerate(lengths) for day in range(length)],
        schema={"symbol": pl.String, "day": pl.Int64},
        orient="row",
    )


@pytest.mark.parametrize("threads", [1, 3])
@given(lengths=st.lists(st.integers(1, 9), max_size=12), size=st.integers(1, 20))
def test_parts_hold_whole_stocks_and_come_back_in_order(threads: int, lengths: list[int], size: int):
    rows = rows_of(lengths)
    parts: list[pl.DataFrame] = []

    def job(part: pl.DataFrame) -> pl.DataFrame:
        parts.append(part)
        return part

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(by_stock, "_ROWS_PER_PART", size)
        assert in_parts(rows, job, threads).equals(rows)
    symbols = [symbol for part in parts for symbol in part["symbol"].unique()]
    assert len(symbols) == len(set(symbols)) == len(lengths)
    assert all(part.height < size + max(lengths, default=1) for part in parts)


def test_rows_are_put_in_order_however_they_come():
    rows = pl.DataFrame({"symbol": ["b", "a", "b", "a"], "trade_date": [date(2026, 1, d) for d in (6, 6, 5, 5)]})
    assert by_stock_and_date(rows).rows() == [(s, date(2026, 1, d)) for s in "ab" for d in (5, 6)]
