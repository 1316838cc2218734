"""Derived tables that outsiders query (PRODUCT M8–M11)."""

from __future__ import annotations

from flows.contracts.columns import SYMBOL, TRADE_DATE
from flows.contracts.table import Column, Table, number, text, whole

MULTIPLES = ("pe_ttm", "pb", "ps_ttm")
WINDOW_YEARS = (1, 3, 5, 10)
STATUSES = ("ok", "loss", "missing", "short_window")

ADJUSTED_BARS = Table(
    "marts.adjusted_bars", "Forward-adjusted bar, anchored at the latest session.", ("symbol", "trade_date"),
    (
        SYMBOL, TRADE_DATE,
        number("open_cny", "Forward-adjusted open, CNY per share.", minimum=0),
        number("high_cny", "Forward-adjusted high, CNY per share.", minimum=0),
        number("low_cny", "Forward-adjusted low, CNY per share.", minimum=0),
        number("close_cny", "Forward-adjusted close, CNY per share.", minimum=0),
        number("raw_close_cny", "Unadjusted close, CNY per share.", minimum=0),
        number("volume_shares", "Volume, shares, unadjusted.", minimum=0),
        number("amount_cny", "Turnover value, CNY.", nullable=True, minimum=0),
        number("forward_factor", "Backward factor of the day / backward factor of the anchor.", minimum=0),
    ),
)  # fmt: skip


def _percentile_columns() -> list[Column]:
    columns: list[Column] = []
    for multiple in MULTIPLES:
        columns.append(number(multiple, f"{multiple} as published.", nullable=True))
        columns.append(text(f"{multiple}_status", "Status of the widest window.", values=STATUSES))
        for years in WINDOW_YEARS:
            columns.append(
                number(f"{multiple}_pct_{years}y", f"Mid-rank percentile in (t - {years} y, t].",
                       nullable=True, minimum=0, maximum=100)
            )  # fmt: skip
            columns.append(whole(f"{multiple}_obs_{years}y", "Valid observations in the window.", minimum=0))
    return columns


VALUATION_PERCENTILES = Table(
    "marts.valuation_percentiles",
    "Percentile = 100 × (less + 0.5 × equal) / n over valid observations in (t − N years, t]; "
    "null and non-positive multiples are not observations; n under 60 % of the exchange's sessions → null.",
    ("symbol", "trade_date"),
    (SYMBOL, TRADE_DATE, *_percentile_columns()),
)

PRICE_FACTS = Table(
    "marts.price_facts", "Price facts of one stock and session; levels forward-adjusted as of that session.",
    ("symbol", "trade_date"),
    (
        SYMBOL, TRADE_DATE,
        number("close_cny", "Last close, CNY.", minimum=0),
        number("change_pct", "Return of the session against the exchange's previous close, percent.",
               nullable=True),
        number("high_52w_cny", "Highest high of 52 weeks.", nullable=True, minimum=0),
        number("low_52w_cny", "Lowest low of 52 weeks.", nullable=True, minimum=0),
        number("position_52w_pct", "Position of the close in the 52-week range, percent.", nullable=True),
        number("high_3y_cny", "Highest high of three calendar years.", nullable=True, minimum=0),
        number("low_3y_cny", "Lowest low of three calendar years.", nullable=True, minimum=0),
        number("position_3y_pct", "Position of the close in the three-year range, percent.", nullable=True),
        number("drawdown_52w_pct", "Close against the highest close of 52 weeks, percent, ≤ 0.",
               nullable=True),
        number("return_5d_pct", "Return over 5 sessions, percent.", nullable=True),
        number("return_20d_pct", "Return over 20 sessions, percent.", nullable=True),
        number("return_60d_pct", "Return over 60 sessions, percent.", nullable=True),
        number("daily_return_q05_60d_pct", "5 % quantile of the last 60 daily returns.", nullable=True),
        number("daily_return_q50_60d_pct", "Median of the last 60 daily returns.", nullable=True),
        number("daily_return_q95_60d_pct", "95 % quantile of the last 60 daily returns.", nullable=True),
        whole("up_days_60d", "Sessions with a positive return among the last 60.", nullable=True, minimum=0),
        number("volatility_60d_pct", "Standard deviation of 60 daily returns × √242, percent.",
               nullable=True, minimum=0),
        number("atr_14_cny", "Wilder ATR(14), CNY.", nullable=True, minimum=0),
        number("ma_5_cny", "Mean close of 5 sessions.", nullable=True, minimum=0),
        number("ma_20_cny", "Mean close of 20 sessions.", nullable=True, minimum=0),
        number("ma_60_cny", "Mean close of 60 sessions.", nullable=True, minimum=0),
        number("ma_250_cny", "Mean close of 250 sessions.", nullable=True, minimum=0),
        number("rsi_14", "Wilder RSI(14).", nullable=True, minimum=0, maximum=100),
        number("volume_ratio_5d", "Volume / mean volume of the 5 sessions before.", nullable=True, minimum=0),
        whole("limit_up_days_60d", "Closes at the upper limit price in 60 sessions.", nullable=True, minimum=0),
        whole("limit_down_days_60d", "Closes at the lower limit price in 60 sessions.", nullable=True,
              minimum=0),
        number("limit_pct", "Price limit in force, percent; null where none applies.", nullable=True),
    ),
)  # fmt: skip
