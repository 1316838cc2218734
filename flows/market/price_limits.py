"""Price limits of every bar at once; ``flows.market.limits`` has the rules and stays the authority.

The ordinary limit comes from its dated rules by an as-of join; only the first five sessions of a listing
ask its scalar function. Limit prices are whole cents in whole arithmetic, so half a cent is half a cent.
"""

from __future__ import annotations

import polars as pl

from flows.market.limits import FIRST_DAY_PCT, limit_pct, limit_rules_frame

_FREE_SESSIONS = 5
#: Calendar days in which the first five sessions lie, holidays and a short halt included.
_YOUNG_DAYS = 60
#: The floor of the old first day of listing (+44 %, -36 %).
_FIRST_DAY_DOWN_PCT = 36


def with_limits(bars: pl.DataFrame) -> pl.DataFrame:
    """*bars* with ``limit_pct`` and ``limit_side``.

    ``limit_pct`` is null where none applies, and where board or ST flag is unknown and it matters.
    ``limit_side`` is 1 on a close at the upper limit price, -1 at the lower, 0 otherwise; null where the
    limit or what it is a percentage of is unknown.

    Args:
        bars: ``symbol, trade_date, close_cny, reference_cny`` (previous close of the exchange), ``is_st,
            board, listed_date``, by symbol and date.
    """
    lenient, strict = (pl.col(name) for name in ("limit_if_normal", "limit_if_st"))
    is_known = pl.col("board").is_not_null() & (pl.col("is_st").is_not_null() | lenient.eq_missing(strict))
    by_rule = pl.when(pl.col("is_st").fill_null(False)).then(strict).otherwise(lenient)
    return (
        _with_ordinary(bars)
        .with_columns(*_listing_limits(bars))
        .with_columns(
            pl.when("is_listing").then("listing_pct").when(is_known).then(by_rule).alias("limit_pct"),
            (pl.col("is_listing") | is_known).alias("is_limit_known"),
        )
        .with_columns(_side().alias("limit_side"))
        .drop("limit_if_normal", "limit_if_st", "listing_pct", "is_listing", "is_limit_known")
    )


def limit_cents(reference_cny: pl.Expr, pct: pl.Expr) -> tuple[pl.Expr, pl.Expr]:
    """Lower and upper limit price in cents, rounded half up, each at least one cent from the reference."""
    base = (reference_cny * 100).round().cast(pl.Int64)
    up = pct.round().cast(pl.Int64)
    down = pl.when(pct == FIRST_DAY_PCT).then(_FIRST_DAY_DOWN_PCT).otherwise(up)
    upper = pl.max_horizontal((base * (100 + up) + 50) // 100, base + 1)
    lower = pl.min_horizontal((base * (100 - down) + 50) // 100, base - 1)
    return pl.max_horizontal(lower, pl.lit(1)), upper


def _side() -> pl.Expr:
    lower, upper = limit_cents(pl.col("reference_cny"), pl.col("limit_pct"))
    close = (pl.col("close_cny") * 100).round().cast(pl.Int64)
    side = pl.when(close >= upper).then(1).when(close <= lower).then(-1).otherwise(0)
    is_free = pl.col("limit_pct").is_null()
    has_reference = pl.col("reference_cny").is_not_null()
    return pl.when("is_limit_known").then(pl.when(is_free).then(0).when(has_reference).then(side))


def _with_ordinary(bars: pl.DataFrame) -> pl.DataFrame:
    """Both ordinary limits of each bar's board and date; they are few, so they are looked up once each."""
    rules = limit_rules_frame().sort("since")
    asked = bars.select("board", "trade_date").unique().sort("trade_date")
    for is_st, name in ((False, "limit_if_normal"), (True, "limit_if_st")):
        known = rules.filter(pl.col("is_st") == is_st).select("board", "since", pl.col("pct").alias(name))
        asked = asked.join_asof(known, left_on="trade_date", right_on="since", by="board", check_sortedness=False).drop(
            "since"
        )
    return bars.join(asked, on=["board", "trade_date"], how="left", maintain_order="left")


def _listing_limits(bars: pl.DataFrame) -> list[pl.Series]:
    """``listing_pct`` and ``is_listing`` of the first sessions of stocks whose first bar is their listing."""
    age = (pl.col("trade_date") - pl.col("listed_date")).dt.total_days()
    young = bars.with_row_index("row").filter(age.is_between(0, _YOUNG_DAYS) & pl.col("board").is_not_null())
    first = young.with_columns(pl.int_range(1, pl.len() + 1).over("symbol").alias("session_no")).filter(
        (pl.col("trade_date").first().over("symbol") == pl.col("listed_date"))
        & (pl.col("session_no") <= _FREE_SESSIONS)
    )
    limits = [
        limit_pct(
            row["board"], row["trade_date"], is_st=bool(row["is_st"]),
            sessions_since_listing=row["session_no"], listed_date=row["listed_date"],
        )
        for row in first.iter_rows(named=True)
    ]  # fmt: skip
    rows = first["row"]
    return [
        pl.repeat(None, bars.height, dtype=pl.Float64, eager=True).alias("listing_pct").scatter(rows, limits),
        pl.repeat(False, bars.height, eager=True).alias("is_listing").scatter(rows, True),
    ]
