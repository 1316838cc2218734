"""What every vendor's daily bars must satisfy before they count as bars."""

from __future__ import annotations

import polars as pl

from flows.errors import DataRejected
from flows.sources.shapes.common import check

_SHARES_PER_LOT = 100
#: Slack of amount/volume beyond [low, high]: vendors print amounts and lots rounded.
_UNIT_SLACK = 0.005
_PRICES = ("open_cny", "high_cny", "low_cny", "close_cny")


def check_prices(frame: pl.DataFrame, where: str) -> None:
    """Reject prices that are not positive or a high/low that does not enclose open and close."""
    show = ("trade_date", *_PRICES)
    low, high = pl.col("low_cny"), pl.col("high_cny")
    check(frame, where, pl.min_horizontal(_PRICES) > 0, "价格不是正数", show)
    enclosed = (low <= pl.min_horizontal("open_cny", "close_cny")) & (
        high >= pl.max_horizontal("open_cny", "close_cny")
    )
    check(frame, where, enclosed, "开高低收互相矛盾(列可能错位)", show)


def volume_in_shares(frame: pl.DataFrame, where: str, vendor_unit: int | None = None) -> pl.DataFrame:
    """*frame* with ``volume_shares`` in shares, proved by amount / volume in [low, high] (P7).

    *vendor_unit* is the documented unit (1 = share, 100 = lot); None lets the rows decide. A unit that
    the rows contradict, or that no row can prove, is rejected.
    """
    traded = frame.filter((pl.col("volume_shares") > 0) & (pl.col("amount_cny") > 0))
    if traded.is_empty():
        if (frame["volume_shares"] > 0).any():
            raise DataRejected(f"{where}:没有成交额,无法判断成交量单位是手还是股")
        return _scaled(frame, vendor_unit or 1)
    units = (vendor_unit,) if vendor_unit else (1, _SHARES_PER_LOT)
    for unit in units:
        if traded.select(_unit_fits(unit).all()).item():
            return _scaled(frame, unit)
    show = ("trade_date", "volume_shares", "amount_cny", "low_cny", "high_cny")
    check(traded, where, _unit_fits(units[0]), "成交额/成交量不在当日最低与最高价之间(手/股单位不符)", show)
    raise DataRejected(f"{where}:成交量单位在各行之间不一致")


def _unit_fits(unit: int) -> pl.Expr:
    volume = pl.col("volume_shares")
    rounding = _UNIT_SLACK + pl.when(unit > 1).then(0.5 / volume).otherwise(0.0)
    average = pl.col("amount_cny") / (volume * unit)
    return average.is_between(pl.col("low_cny") * (1 - rounding), pl.col("high_cny") * (1 + rounding))


def _scaled(frame: pl.DataFrame, unit: int) -> pl.DataFrame:
    return frame.with_columns((pl.col("volume_shares") * unit).cast(pl.Float64))
