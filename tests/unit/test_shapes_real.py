"""Real vendor rows pass the shapes whole; the traps among the real files do not."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from flows.contracts.envelope import Request
from flows.errors import DataRejected
from flows.sources.shapes import baostock
from tests.real_data import REAL, needs_real

pytestmark = [pytest.mark.real, needs_real]
NOW = datetime(2026, 11, 30, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
K_LINES = sorted([*REAL.glob("valuation/*.csv"), *REAL.glob("prices/*/raw_baostock_2020_2025.csv")])


def strings(path):
    return pl.read_csv(path, infer_schema=False).fill_null("")


def symbol_of(vendor_code):
    return f"{vendor_code[3:]}.{vendor_code[:2].upper()}"


def ask(kind, symbol):
    return Request(kind, symbol, date(1990, 1, 1), date(2026, 11, 30), NOW)


@pytest.mark.parametrize("path", K_LINES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_every_real_k_line_row_is_accepted(path):
    frame = strings(path).drop("time")
    symbol = symbol_of(frame["code"][0])
    assert baostock.daily_bars(frame, ask("daily_bars", symbol)).height == frame.height
    multiples = baostock.valuations(frame, ask("valuations", symbol))
    assert multiples["pe_ttm"].null_count() == (frame["peTTM"] == "").sum()


def test_all_712_suspended_rows_stay_flat_and_without_volume():
    rows = strings(REAL / "calendar" / "baostock_suspended_rows.csv").with_columns(adjustflag=pl.lit("3"))
    columns = [c for c in rows.columns if c in baostock.K_LINE_FIELDS]
    bars = pl.concat(
        baostock.daily_bars(part.select(columns), ask("daily_bars", symbol_of(str(code))))
        for (code,), part in rows.group_by("code")
    )
    assert bars.height == 712
    assert not bars["is_trading"].any()
    assert bars.select((pl.col("volume_shares") == 0).all()).item()


def test_index_file_named_as_a_stock_is_refused_as_it_is_and_dressed_as_a_k_line():
    index = strings(REAL / "traps" / "index_mislabelled_000001_2024.csv")
    with pytest.raises(DataRejected, match="缺少"):
        baostock.daily_bars(index, ask("daily_bars", "000001.SZ"))
    dressed = index.select(
        pl.col("timestamp").str.head(10).alias("date"), "open", "high", "low", "close", "volume",
        code=pl.lit("sz.000001"), preclose=pl.lit(""), amount=pl.lit(""), adjustflag=pl.lit("3"), turn=pl.lit(""),
        tradestatus=pl.lit("1"), isST=pl.lit("0"),
    )  # fmt: skip
    with pytest.raises(DataRejected, match="成交额"):
        baostock.daily_bars(dressed, ask("daily_bars", "000001.SZ"))
