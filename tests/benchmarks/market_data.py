"""A synthetic market for the benchmarks: seeded, the size of the real one if asked, straight into ``raw``."""

from datetime import date
from pathlib import Path

import duckdb
import numpy as np
import polars as pl

from flows.market.calendar import load_calendar

SESSIONS = load_calendar().days
_LAST = date(2026, 11, 30)
_EVENING = pl.duration(hours=17, minutes=30)
_CHUNK = 200


def symbols(stocks: int) -> list[str]:
    return [f"{600_000 + n:06d}.SH" if n < 2_400 else f"{n - 2_400:06d}.SZ" for n in range(stocks)]


def market(stocks: int, years: int, seed: int = 20261130) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Bars with multiples, and factors: *stocks* × *years*, losses, holes, suspended gaps, four-digit ties."""
    days = [day for day in SESSIONS if date(_LAST.year - years, _LAST.month, _LAST.day) < day <= _LAST]
    rng, n = np.random.default_rng(seed), len(days)
    names = symbols(stocks)
    shape = (stocks, n)
    close = np.round(12 * np.exp(np.cumsum(rng.normal(0, 0.02, shape), 1)), 2).clip(0.5, 9_999)
    earning = np.where(rng.random((stocks, 1)) < 0.15, -1, 1) * np.exp(rng.normal(0, 0.7, (stocks, 1)))
    pe = np.where(rng.random(shape) < 0.01, np.nan, np.round(close / earning * 2, 4))
    keep = (rng.random(shape) > 0.02).ravel()
    bars = pl.DataFrame(
        {
            "symbol": pl.Series(names).gather(np.repeat(np.arange(stocks), n)),
            "trade_date": pl.Series(days, dtype=pl.Date).gather(np.tile(np.arange(n), stocks)),
            "close_cny": close.ravel(), "high_cny": np.round(close * 1.012, 2).ravel(),
            "low_cny": np.round(close * 0.988, 2).ravel(),
            "volume_shares": np.round(rng.random(shape) * 1e7).ravel(), "pe_ttm": pe.ravel(),
            "pb": np.round(close / 5, 4).ravel(), "ps_ttm": np.round(close / 3, 4).ravel(),
        }
    ).filter(pl.Series(keep))  # fmt: skip
    ex_days = [days[at] for at in range(120, n, 243)]
    factors = pl.DataFrame(
        [(name, day, 1.02 ** (k + 1)) for name in names for k, day in enumerate(ex_days)],
        schema={"symbol": pl.String, "ex_date": pl.Date, "backward_factor": pl.Float64}, orient="row",
    )  # fmt: skip
    return bars, factors


def published(column: str) -> pl.Expr:
    return (pl.col(column).cast(pl.Datetime("us")).dt.replace_time_zone("Asia/Shanghai") + _EVENING).alias(
        "published_at"
    )


def insert(con: duckdb.DuckDBPyConnection, table: str, frame: pl.DataFrame, dated: str) -> None:
    """Insert as one fetch of one vendor, without the comparison ``append`` makes."""
    rows = frame.with_columns(
        published(dated), pl.lit("sample").alias("vendor"), pl.lit("bench").alias("batch_id")
    ).with_columns(pl.col("published_at").alias("fetched_at"))
    con.register("bench_rows", rows)
    con.execute(f"insert into {table} by name select * from bench_rows")
    con.unregister("bench_rows")


def bar_rows(bars: pl.DataFrame) -> pl.DataFrame:
    return bars.select(
        "symbol", "trade_date", "high_cny", "low_cny", "close_cny", "volume_shares",
        pl.col("close_cny").alias("open_cny"), pl.lit(True).alias("is_trading"), pl.lit(False).alias("is_st"),
    )  # fmt: skip


def valuation_rows(bars: pl.DataFrame) -> pl.DataFrame:
    return bars.select("symbol", "trade_date", pl.col("pe_ttm").fill_nan(None), "pb", "ps_ttm")


def load(con: duckdb.DuckDBPyConnection, bars: pl.DataFrame, factors: pl.DataFrame) -> None:
    insert(con, "raw.daily_bars", bar_rows(bars), "trade_date")
    insert(con, "raw.valuations", valuation_rows(bars), "trade_date")
    insert(con, "raw.adjust_factors", factors, "ex_date")
    companies = bars.select(pl.col("symbol").unique(maintain_order=True)).with_columns(
        name="symbol", board=pl.lit("main"), listed_date=pl.lit(date(2000, 1, 4))
    )
    insert(con, "raw.instruments", companies, "listed_date")


def size(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.0f} MB"
