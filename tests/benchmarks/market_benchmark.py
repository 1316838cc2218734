"""X1–X3: the marts against every library a user would otherwise pick, growth, one new session, one snapshot.

``python -m tests.benchmarks.market_benchmark [--stocks 200] [--years 20]``. Every figure is a ratio of times
taken in this run on this machine; the seconds beside it say nothing elsewhere. Compilation is done before.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pandas as pd
import polars as pl

from flows.contracts.marts import MULTIPLES, WINDOW_YEARS
from flows.evidence.reading import end_of
from flows.evidence.snapshot import read_snapshot
from flows.market.adjustment import forward_adjusted
from flows.market.percentiles import valuation_percentiles
from flows.market.price_facts import price_facts
from flows.warehouse.build import build
from flows.warehouse.database import open_reader, open_writer
from tests.benchmarks.market_data import SESSIONS, bar_rows, insert, load, market, valuation_rows

Job = Callable[[], Any]


class Took(NamedTuple):
    """Seconds by the wall and of all processors; on a busy machine only the second says much."""

    wall: float
    cpu: float

    def over(self, other: "Took") -> str:
        return f"{self.wall / other.wall:6.1f} × wall {self.cpu / other.cpu:6.1f} × cpu"

    def __str__(self) -> str:
        return f"{self.wall:7.2f} s wall {self.cpu:7.2f} s cpu"


def timed(job: Job, repeats: int = 1) -> Took:
    best = Took(float("inf"), float("inf"))
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        job()
        took = Took(time.perf_counter() - wall, time.process_time() - cpu)
        best = min(best, took, key=lambda t: t.cpu)
    return best


def compare(title: str, ours: Job, others: dict[str, Job]) -> None:
    own = timed(ours, repeats=2)
    print(f"\n{title}\n  {'ours':<36}{own}")
    for name, job in others.items():
        took = timed(job)
        print(f"  {name:<36}{took}   {took.over(own)}")


def percentile_jobs(bars: pl.DataFrame) -> tuple[Job, dict[str, Job]]:
    values = valuation_rows(bars).sort("symbol", "trade_date")
    cleaned = values.with_columns(pl.when(pl.col(m) > 0).then(pl.col(m)).alias(m) for m in MULTIPLES)
    frame, windows = cleaned.to_pandas(), [(m, years) for m in MULTIPLES for years in WINDOW_YEARS]

    def in_pandas() -> None:
        for multiple, years in windows:
            frame.groupby("symbol", sort=False)[multiple].rolling(243 * years, min_periods=1).rank(pct=True)

    def in_polars() -> None:
        for multiple, years in windows:
            rank = pl.col(multiple).rolling_rank_by("trade_date", f"{years}y", method="average")
            cleaned.drop_nulls(multiple).select(rank.over("symbol"))

    def in_duckdb() -> None:
        with duckdb.connect() as con:
            con.register("cleaned", cleaned.to_arrow())
            for multiple, years in windows:
                con.execute(
                    f"""select sum(p) from (select percent_rank(order by {multiple}) over (partition by symbol
                    order by trade_date range between interval {years} year preceding and current row) as p
                    from cleaned where {multiple} is not null)"""
                ).fetchall()

    others = {
        "pandas groupby.rolling.rank (rows)": in_pandas,
        "Polars rolling_rank_by": in_polars,
        "DuckDB framed percent_rank": in_duckdb,
    }
    return lambda: valuation_percentiles(values, SESSIONS, threads=2), others


def fact_jobs(bars: pl.DataFrame, factors: pl.DataFrame) -> tuple[Job, dict[str, Job]]:
    """The others compute less: row windows for calendar windows, no limits, no status of any kind."""
    rows = bar_rows(bars).with_columns(pl.lit(None, dtype=pl.Float64).alias("previous_close_cny"))
    companies = rows.select(pl.col("symbol").unique(), board=pl.lit("main"), listed_date=pl.lit(date(2000, 1, 4)))
    adjusted = forward_adjusted(rows.with_columns(amount_cny=pl.lit(None, dtype=pl.Float64)), factors, date(2099, 1, 1))
    frame = adjusted.to_pandas()

    def in_pandas() -> None:
        close, high, low = (frame.groupby("symbol", sort=False)[f"{name}_cny"] for name in ("close", "high", "low"))
        returns = close.pct_change()
        by_stock = returns.groupby(frame["symbol"], sort=False)
        for length in (243, 729):
            high.rolling(length).max(), low.rolling(length).min()
        for length in (5, 20, 60, 250):
            close.rolling(length).mean()
        for length in (5, 20, 60):
            close.pct_change(length)
        for share in (0.05, 0.5, 0.95):
            by_stock.rolling(60).quantile(share)
        by_stock.rolling(60).std()
        for side in (returns.clip(lower=0), (-returns).clip(lower=0), frame["high_cny"] - frame["low_cny"]):
            side.groupby(frame["symbol"], sort=False).ewm(alpha=1 / 14, adjust=False).mean()

    def in_polars() -> None:
        close, high, low = pl.col("close_cny"), pl.col("high_cny"), pl.col("low_cny")
        change = close.pct_change()
        expressions = [
            *(high.rolling_max(n).alias(f"high{n}") for n in (243, 729)),
            *(low.rolling_min(n).alias(f"low{n}") for n in (243, 729)),
            *(close.rolling_mean(n).alias(f"mean{n}") for n in (5, 20, 60, 250)),
            *(close.pct_change(n).alias(f"return{n}") for n in (5, 20, 60)),
            *(change.rolling_quantile(q, window_size=60).alias(f"quantile{q}") for q in (0.05, 0.5, 0.95)),
            change.rolling_std(60).alias("deviation"),
            change.clip(lower_bound=0).ewm_mean(alpha=1 / 14, adjust=False).alias("gain"),
            (-change).clip(lower_bound=0).ewm_mean(alpha=1 / 14, adjust=False).alias("loss"),
            (high - low).ewm_mean(alpha=1 / 14, adjust=False).alias("range"),
        ]
        adjusted.select(expression.over("symbol") for expression in expressions)

    ours = lambda: price_facts(rows, factors, companies, SESSIONS, threads=2)  # noqa: E731
    return ours, {"pandas groupby.rolling": in_pandas, "Polars rolling … over": in_polars}


def adjustment_jobs(path: Path, bars: pl.DataFrame, factors: pl.DataFrame) -> tuple[Job, dict[str, Job]]:
    frame, steps = bar_rows(bars).to_pandas(), factors.to_pandas()
    rows = bar_rows(bars).with_columns(amount_cny=pl.lit(None, dtype=pl.Float64))

    def ours() -> None:
        with open_reader(path) as con:
            con.execute("select sum(open_cny + high_cny + low_cny + close_cny) from marts.adjusted_bars").fetchall()

    def in_pandas() -> None:
        left, right = frame.sort_values("trade_date"), steps.sort_values("ex_date")
        right["ex_date"], left["trade_date"] = (pd.to_datetime(day) for day in (right["ex_date"], left["trade_date"]))
        joined = pd.merge_asof(left, right, left_on="trade_date", right_on="ex_date", by="symbol")
        anchors = steps.groupby("symbol")["backward_factor"].last()
        factor = joined["backward_factor"].fillna(1) / joined["symbol"].map(anchors)
        sum((joined[f"{name}_cny"] * factor).sum() for name in ("open", "high", "low", "close"))

    in_polars = lambda: forward_adjusted(rows, factors, date(2099, 1, 1))  # noqa: E731
    return ours, {"pandas merge_asof": in_pandas, "Polars join_asof (ours, in memory)": in_polars}


def growth(stocks: int, years: int) -> None:
    """Processor time per row at half and at full size; 1.0 is growth no faster than the rows."""
    times: dict[int, dict[str, float]] = {}
    for count in (stocks // 2, stocks):
        bars, factors = market(count, years)
        jobs = {"percentiles": percentile_jobs(bars)[0], "price facts": fact_jobs(bars, factors)[0]}
        times[count] = {name: timed(job, 2).cpu / bars.height for name, job in jobs.items()}
    print("\ngrowth, processor time per row at twice the stocks ÷ at one")
    for name, took in times[stocks].items():
        print(f"  {name:<36}{took / times[stocks // 2][name]:6.2f}")


def new_session(path: Path, bars: pl.DataFrame, factors: pl.DataFrame) -> None:
    newest = bars["trade_date"].max()
    today = bars.filter(pl.col("trade_date") == newest)
    with open_writer(path) as con:
        load(con, bars.filter(pl.col("trade_date") < newest), factors)
        full = timed(lambda: build(con, SESSIONS))
        idle = timed(lambda: build(con, SESSIONS))
        insert(con, "raw.daily_bars", bar_rows(today), "trade_date")
        insert(con, "raw.valuations", valuation_rows(today), "trade_date")
        session = timed(lambda: build(con, SESSIONS))
    print(f"\nfull build {full}; one new session {session}; with nothing new {idle}")
    wall, cpu = 100 * session.wall / full.wall, 100 * session.cpu / full.cpu
    print(f"one session ÷ full: {wall:.1f} % wall, {cpu:.1f} % cpu (X2: at most 10 %)")


def snapshot(path: Path, names: Sequence[str]) -> None:
    newest = date(2026, 11, 30)
    with open_reader(path, cutoff=end_of(newest)) as con:
        took = [timed(lambda: read_snapshot(con, name, newest), repeats=2).wall for name in names]  # noqa: B023
    print(f"\none snapshot, {len(names)} stocks: median {1e3 * float(np.median(took)):.0f} ms (X3)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stocks", type=int, default=200)
    parser.add_argument("--years", type=int, default=20)
    parser.add_argument("--only-build", action="store_true", help="X2 and X3 only, for a market of full size")
    options = parser.parse_args()
    warm, steps = market(4, 3)
    percentile_jobs(warm)[0]()
    valuation_percentiles(valuation_rows(warm), SESSIONS, since=SESSIONS[-300])
    fact_jobs(warm, steps)[0]()
    bars, factors = market(options.stocks, options.years)
    print(f"{options.stocks} stocks × {options.years} years, {bars.height:,} rows, {factors.height:,} ex-dates")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "market.duckdb"
        new_session(path, bars, factors)
        snapshot(path, bars["symbol"].unique(maintain_order=True).gather_every(max(1, options.stocks // 20)).to_list())
        if options.only_build:
            return
        compare("adjusted prices, four columns", *adjustment_jobs(path, bars, factors))
    compare("percentiles, 3 multiples × 4 windows", *percentile_jobs(bars))
    compare("price facts", *fact_jobs(bars, factors))
    growth(options.stocks, options.years)


if __name__ == "__main__":
    main()
