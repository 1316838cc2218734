"""What earlier debates of a stock mean for today's: taken over, followed, or re-expressed after an ex-date.

A debate on a topic of its own (see ``topics``) neither stands in for a stock's standing proposition nor is
followed by it, although protocol and fact base may be the same.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from flows.contracts.packs import Pack
from flows.contracts.transcripts import Transcript
from flows.errors import NoData
from flows.evidence.alignment import re_expression_notice
from flows.settings import Settings
from flows.warehouse.database import Connection

_STORED = """
select transcripts.body from debates.runs
inner join debates.transcripts on runs.debate_id = transcripts.debate_id
where runs.symbol = $symbol and runs.protocol = $protocol
    and runs.topic is not distinct from $topic
"""


def known_debate(
    con: Connection, pack: Pack, protocol: str, settings: Settings, *, topic: str | None, at: datetime
) -> Transcript | None:
    """The newest complete debate on these facts by the models now configured, inside the cache time (PRODUCT D14)."""
    rows = con.execute(
        _STORED + "and runs.pack_version = $pack_version and runs.status = 'complete' "
        "and runs.finished_at >= $since order by runs.finished_at desc, runs.debate_id",
        {
            "symbol": pack.symbol, "protocol": protocol, "topic": topic, "pack_version": pack.pack_version,
            "since": at - timedelta(hours=settings.cache_hours),
        },
    ).fetchall()  # fmt: skip
    found = (Transcript.model_validate_json(body) for (body,) in rows)
    return next((transcript for transcript in found if _is_of_these_models(transcript, settings)), None)


def _is_of_these_models(transcript: Transcript, settings: Settings) -> bool:
    def model_of(role: str) -> str:
        own = settings.roles.get(role)
        return own.model if own and own.model else settings.model

    return all(call.model == model_of(call.role) for call in transcript.llm_calls)


def previous_debate(con: Connection, symbol: str, protocol: str, before: date) -> Transcript | None:
    """The newest finished debate on the stock's standing proposition, on a session before *before*."""
    rows = con.execute(
        _STORED + "and runs.trade_date < $before and runs.status in ('complete', 'partial') "
        "order by runs.trade_date desc, runs.finished_at desc, runs.debate_id limit 1",
        {"symbol": symbol, "protocol": protocol, "topic": None, "before": before},
    ).fetchall()
    return Transcript.model_validate_json(rows[0][0]) if rows else None


def with_re_expression(con: Connection, pack: Pack) -> Pack:
    """*pack* with a notice if the stock's last report was written before an ex-date (PRODUCT M8).

    *con* shows what was public at the pack's cutoff.
    """
    [(last,)] = con.execute(
        "select max(trade_date) from debates.runs "
        "where symbol = $symbol and trade_date < $day and status in ('complete', 'partial')",
        {"symbol": pack.symbol, "day": pack.trade_date},
    ).fetchall()
    notice = None if last is None else _re_expression(con, pack, last)
    return pack if notice is None else pack.model_copy(update={"notices": (*pack.notices, notice)})


def _re_expression(con: Connection, pack: Pack, last: date) -> str | None:
    try:
        return re_expression_notice(con, pack.symbol, last, pack.trade_date)
    except NoData as error:
        return str(error)
