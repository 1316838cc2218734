"""Write reports and tables for what came of every symbol: N in, N accounted for (PRODUCT O4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from flows.contracts.packs import Pack
from flows.contracts.transcripts import Transcript
from flows.desk.plan import Review
from flows.desk.reading import stored_names
from flows.desk.telling import told
from flows.reports.chart_data import read_chart_data
from flows.reports.day_page import Day, Undebated, notes_of, read_cards, write_day_page
from flows.reports.render import ReportFiles, write_report
from flows.reports.view import build_view
from flows.settings import Settings
from flows.warehouse import store
from flows.warehouse.database import Connection, open_reader, open_writer


class Account(BaseModel):
    """What became of one symbol and protocol."""

    model_config = ConfigDict(frozen=True)

    symbol: str
    name: str
    protocol: str
    outcome: str
    reason: str
    debate_id: str | None = None
    report: str | None = None


@dataclass(frozen=True)
class Finished:
    """One debate to publish."""

    pack: Pack
    transcript: Transcript


def publish(review: Review, finished: Sequence[Finished], at: datetime) -> dict[str, ReportFiles]:
    """Write the files first, then each debate's rows; debate id → files.

    Killed in between, a re-run finds the debate unfinished, takes every answer from the journal and replaces what
    there is.
    """
    settings = review.settings()
    files: dict[str, ReportFiles] = {}
    for item in finished:
        with open_reader(settings.database, cutoff=item.pack.cutoff) as con:
            data = read_chart_data(con, item.pack.symbol, item.pack.trade_date)
        view = build_view(item.transcript, told(item.pack, item.transcript), at)
        files[item.transcript.debate_id] = write_report(view, data, _folder(settings, item.transcript))
        _write_pack(settings, item)
    with open_writer(settings.database) as con:
        for item in finished:
            _save(con, review, item, files[item.transcript.debate_id], at)
    return files


def account(review: Review, accounts: Sequence[Account], at: datetime, status: str, started_at: datetime) -> None:
    """Close the run's books: one row per symbol and protocol, one row for the run."""
    settings = review.settings()
    with open_writer(settings.database) as con:
        store.save_accounts(con, review.batch_id, [a.model_dump(exclude={"name", "report"}) for a in accounts])
        store.save_batch(
            con,
            {
                "batch_id": review.batch_id, "flow": review.flow, "as_of": review.as_of,
                "trade_date": review.trade_date, "cutoff": review.now, "sources": settings.sources,
                "model": settings.model, "status": status, "symbols": len(review.symbols),
                "started_at": started_at, "finished_at": at,
            },
        )  # fmt: skip


def publish_day(review: Review, accounts: Sequence[Account], at: datetime) -> None:
    """Write the page of the day over everything debated on it so far, and what this run could not debate."""
    settings = review.settings()
    with open_reader(settings.database) as con:
        cards, disputes = read_cards(con, review.trade_date)
    order = {symbol: place for place, symbol in enumerate(review.symbols)}
    cards = tuple(sorted(cards, key=lambda card: order.get(card.symbol, len(order))))
    left = [Undebated(a.symbol, a.outcome, a.reason) for a in accounts if a.outcome in {"gated", "failed"}]
    day = Day(
        review.trade_date, review.now, at,
        notes_of(is_offline=settings.model == "offline", is_sample=settings.sources == "sample"),
        {symbol: name for name, symbol in stored_names(settings).items()}, cards, disputes, tuple(dict.fromkeys(left)),
    )  # fmt: skip
    write_day_page(day, settings.data_dir / "reports")


def _save(con: Connection, review: Review, item: Finished, files: ReportFiles, at: datetime) -> None:
    """The report before the transcript: a transcript found later then always has its report."""
    settings = review.settings()
    conclusion = item.transcript.conclusion
    store.save_report(
        con,
        item.transcript,
        warning=conclusion.warning if conclusion else item.transcript.reason,
        points=conclusion.points if conclusion else (),
        paths={
            f"{ending}_path": str(path.relative_to(settings.data_dir))
            for ending, path in (("markdown", files.markdown), ("html", files.html), ("json", files.json))
        },
        written_at=at,
    )
    store.save_transcript(con, review.batch_id, item.transcript, item.pack)


def _folder(settings: Settings, transcript: Transcript) -> Path:
    """One report per stock, day and protocol; a debate on something else keeps a folder of its own."""
    reports = settings.data_dir / "reports"
    return reports if transcript.is_standing else reports / "other" / transcript.debate_id


def _write_pack(settings: Settings, item: Finished) -> None:
    """The pack of the day beside the reports, and every pack that was extended under its debate's id."""
    transcript, pack = item.transcript, item.pack
    folder = settings.data_dir / "packs" / f"{pack.trade_date:%Y-%m-%d}"
    folder.mkdir(parents=True, exist_ok=True)
    name = pack.symbol if transcript.is_standing else transcript.debate_id
    (folder / f"{name}.json").write_text(pack.model_dump_json(indent=1), encoding="utf-8")
