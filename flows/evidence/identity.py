"""Who the pack is about, resolved once before anything else (PRODUCT E11)."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime

from flows.contracts.packs import Identity
from flows.evidence.reading import Connection, Row, select

_PREFIX = re.compile(r"^(?:\*ST|S\*ST|SST|ST|XD|XR|DR|N|C)(?=[^A-Z]|$)")


def bare_name(name: str) -> str:
    """Short name without spacing, width variants, treatment marks (ST, XD, N …) and share class."""
    folded = re.sub(r"\s+", "", unicodedata.normalize("NFKC", name)).upper()
    return re.sub(r"[AB]$", "", _PREFIX.sub("", folded)) or folded


def resolve_identity(con: Connection, symbol: str, as_of: date, cutoff: datetime) -> Identity:
    """Identity of *symbol* as known at *cutoff*; unknown means symbol only, never a guess."""
    found = select(
        con,
        "select * from staging.instruments where symbol = $symbol and published_at <= $cutoff "
        "order by published_at desc limit 1",
        {"symbol": symbol, "cutoff": cutoff},
    )
    if not found:
        return Identity(symbol=symbol, name=None)
    row = found[0]
    return Identity(
        symbol=symbol,
        name=row["name"],
        board=row["board"],
        industry=row["industry"],
        listed_date=row["listed_date"],
        is_st=_is_st(con, row, as_of, cutoff),
        is_sample=row["vendor"] == "sample",
    )


def _is_st(con: Connection, row: Row, as_of: date, cutoff: datetime) -> bool | None:
    """Dated flag of the last bar where the vendor gives one, else the instrument's."""
    bars = select(
        con,
        "select is_st from staging.daily_bars where symbol = $symbol and trade_date <= $as_of "
        "and published_at <= $cutoff order by trade_date desc limit 1",
        {"symbol": row["symbol"], "as_of": as_of, "cutoff": cutoff},
    )
    dated = bars[0]["is_st"] if bars else None
    flag: bool | None = row["is_st"] if dated is None else dated
    return flag


def own_names(con: Connection, identity: Identity, cutoff: datetime) -> frozenset[str]:
    """Bare names the company has or had, so that an old filing or headline is still its own."""
    if identity.name is None:
        return frozenset()
    rows = select(
        con,
        "select distinct name from raw.instruments where published_at <= $cutoff and symbol in ("
        "select $symbol union select former_symbol from raw.instruments where symbol = $symbol)",
        {"symbol": identity.symbol, "cutoff": cutoff},
    )
    return frozenset(bare_name(row["name"]) for row in rows) | {bare_name(identity.name)}


def other_companies(con: Connection, symbol: str, cutoff: datetime) -> frozenset[str]:
    """Bare names (three characters or more) of all other known companies."""
    rows = select(
        con,
        "select distinct name from staging.instruments where symbol <> $symbol and published_at <= $cutoff",
        {"symbol": symbol, "cutoff": cutoff},
    )
    names = {bare_name(row["name"]) for row in rows}
    return frozenset(name for name in names if len(name) >= 3 and name not in _EVERYDAY_WORDS)


#: Short names that are ordinary words: their appearance in a headline names no company.
_EVERYDAY_WORDS = frozenset(
    {"机器人", "太阳能", "农产品", "新产业", "好想你", "新经典", "大众公用", "新华网", "人民网"}
)
