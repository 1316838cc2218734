"""Write reports and tables for what came of every symbol: N in, N accounted for (PRODUCT O4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from flows.contracts.packs import Pack
from flows.contracts.transcripts import Transcript
from flows.desk.plan import Review
from flows.reports.chart_data import read_chart_data
from flows.reports.render import ReportFiles, write_report
from flows.reports.view import build_view
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
    """Write the files first, then all rows of all debates in one transaction; debate id → files."""
    settings = review.settings()
    files: dict[str, ReportFiles] = {}
    for item in finished:
        with open_reader(settings.database, cutoff=item.pack.cutoff) as con:
            data = read_chart_data(con, item.pack.symbol, item.pack.trade_date)
        view = build_view(item.transcript, item.pack, at)
        files[item.transcript.debate_id] = write_report(view, data, settings.data_dir / "reports")
        _write_pack(review, item.pack)
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


def _write_pack(review: Review, pack: Pack) -> None:
    folder = review.settings().data_dir / "packs" / f"{pack.trade_date:%Y-%m-%d}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{pack.symbol}.json").write_text(pack.model_dump_json(indent=1), encoding="utf-8")
