"""The exchange calendar a run goes by: the known one, continued by the vendor days stored so far (PRODUCT M2).

Only days after the known end are taken from vendors; what they say about known days is the gate's to compare.
"""

from __future__ import annotations

from flows.market.sessions import Calendar, load_calendar
from flows.settings import Settings
from flows.warehouse.database import open_reader


def stored_calendar(settings: Settings) -> Calendar:
    """The known calendar continued by ``raw.trade_dates`` as far as those follow without a gap."""
    known = load_calendar()
    if not settings.database.exists():
        return known
    with open_reader(settings.database) as con:
        rows = con.execute(
            "select trade_date, arg_max(is_session, (published_at, fetched_at)) from raw.trade_dates "
            "where trade_date > $known group by trade_date",
            {"known": known.last},
        ).fetchall()
    return load_calendar(dict(rows)) if rows else known
