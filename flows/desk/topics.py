"""From what a person asks to the stocks it concerns and the proposition they are debated on (PRODUCT D5).

Which companies a topic concerns is decided here, from the instruments known, before a token is spent. Rule:
companies named in the topic are taken; else those of the industry it names, the watchlist's first in its own
order, then the others by symbol; at most ``MOST_STOCKS``, and what is left out is said.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from flows.contracts.envelope import Request
from flows.contracts.packs import Pack
from flows.contracts.transcripts import Proposition
from flows.debate.asked import Asked, debatable
from flows.debate.gateway import build_gateway
from flows.debate.proposition import TOPIC_LIMIT, Directory, Proposed, propose, resolve
from flows.desk.debating import journal_dir, limits_of
from flows.desk.plan import Topic
from flows.desk.sourcing import open_sources
from flows.errors import UsageError
from flows.evidence.untrusted import clean
from flows.market.symbols import normalise_name
from flows.settings import Settings
from flows.warehouse.database import is_built, open_reader

MOST_STOCKS = 3
_SHOWN_NAMES = 30
_BARE_CODE = re.compile(r"(?<![0-9.])[0-9]{6}(?![0-9.%％万亿元股份])")


@dataclass(frozen=True)
class Concerned:
    """Whom a topic is about.

    Attributes:
        symbols: Stocks to debate, at most ``MOST_STOCKS``.
        left_out: Stocks it is about as well and that are not debated.
    """

    symbols: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def read_directory(settings: Settings, names: Mapping[str, str], day: date, now: datetime) -> Directory:
    """Who exists: the sample's own list, else the instruments stored so far; *names* adds former names."""
    rows = _sample_rows(settings, day, now) if settings.sources == "sample" else _stored_rows(settings)
    known = {symbol: symbol for symbol, _, _ in rows}
    spelled = {**names, **{name: symbol for symbol, name, _ in rows if name}}
    plain = {normalise_name(name): symbol for name, symbol in spelled.items()}
    industries: dict[str, set[str]] = {}
    for symbol, _, industry in rows:
        if industry:
            industries.setdefault(industry, set()).add(symbol)
    return Directory(plain | spelled | known, {name: tuple(sorted(held)) for name, held in industries.items()})


def _sample_rows(settings: Settings, day: date, now: datetime) -> list[tuple[str, str | None, str | None]]:
    found = open_sources(settings, now, lambda: now).ask(Request("instruments", None, day, day, now)).envelope.data
    return [] if found is None else found.select("symbol", "name", "industry").rows()


def _stored_rows(settings: Settings) -> list[tuple[str, str | None, str | None]]:
    if not settings.database.exists():
        return []
    with open_reader(settings.database) as con:
        if not is_built(con):
            return []
        return con.execute("select symbol, name, industry from staging.instruments order by symbol").fetchall()


def whom_it_concerns(topic: str, directory: Directory, watchlist: Sequence[str]) -> Concerned:
    """The stocks of a topic. Raises UsageError, naming what may be asked, if it is about none that is known."""
    said = clean(topic, TOPIC_LIMIT).text
    found = set(resolve(_with_codes(said, directory), directory))
    if not found:
        raise UsageError(_advice(said, directory))
    first = [symbol for symbol in watchlist if symbol in found]
    ranked = tuple(dict.fromkeys((*first, *sorted(found))))
    return Concerned(ranked[:MOST_STOCKS], ranked[MOST_STOCKS:])


def worded(topic: str, directory: Directory) -> Asked:
    """The topic as it can be debated, and what was changed; UsageError if it cannot (see ``debate.asked``)."""
    return debatable(_with_codes(topic, directory), directory)


def _with_codes(text: str, directory: Directory) -> str:
    """*text* with six digits that are a known code written in full."""
    known = set(directory.names.values())
    return _BARE_CODE.sub(lambda found: _spelled_out(found[0], known), text)


def _spelled_out(code: str, known: Iterable[str]) -> str:
    return next((symbol for symbol in sorted(known) if symbol.startswith(f"{code}.")), code)


def _advice(topic: str, directory: Directory) -> str:
    if not directory.names:
        return "库里还没有证券资料，话题对应不到股票：先运行 zhengming review，或直接写股票代码。没有花费任何模型调用。"
    symbols = sorted(set(directory.names.values()))
    title = {symbol: name for name, symbol in directory.names.items() if not name[:1].isdigit()}
    listed = "、".join(title.get(symbol, symbol) for symbol in symbols[:_SHOWN_NAMES])
    more = f" 等 {len(symbols)} 只" if len(symbols) > _SHOWN_NAMES else ""
    industries = "、".join(sorted(directory.industries)) or "无（数据源没有给出行业）"
    return (
        f"话题“{topic}”对应不到已知的公司或行业，没有开辩，也没有花费任何模型调用。可问的行业：{industries}；"
        f"可问的股票：{listed}{more}。也可以直接写股票代码。"
    )


def make_topic(
    settings: Settings, topic: str, directory: Directory, day: date, *, run_id: str, clock: Callable[[], datetime]
) -> Topic:
    """Have the proposer make a topic sharp: one call, found again in the journal on a re-run.

    Raises ModelAnswerInvalid if it gave no usable proposition, e.g. one that advises.
    """
    made = asyncio.run(_propose(settings, topic, directory, day, run_id, clock))
    text = clean(topic, TOPIC_LIMIT).text.strip()
    return Topic(text=text, proposition=made.proposition, kinds=made.kinds, call=made.call)


async def _propose(
    settings: Settings, topic: str, directory: Directory, day: date, run_id: str, clock: Callable[[], datetime]
) -> Proposed:
    gateway = build_gateway(settings, journal_dir(settings.data_dir), clock=clock, run_id=run_id)
    try:
        return await propose(topic, gateway, directory, trade_date=day, limits=limits_of(settings))
    finally:
        await gateway.aclose()


def pinned(topic: Topic, pack: Pack) -> Proposition:
    """The topic's proposition on one pack: its fact-base version, its company."""
    return Proposed(topic.proposition, (pack.symbol,), topic.kinds, (), topic.call).pinned_to(pack)
