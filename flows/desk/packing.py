"""Rebuild the marts, ask the gate, freeze the packs; what is blocked is named with its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from flows.contracts.packs import Missing, Pack
from flows.desk.ingest import Ingested
from flows.desk.plan import Review
from flows.errors import DataRejected, NoData
from flows.evidence.packs import build_pack
from flows.market.sessions import Calendar
from flows.quality.gate import GateResult, run_gate
from flows.warehouse import store
from flows.warehouse.build import build
from flows.warehouse.database import Connection, open_reader, open_writer


@dataclass(frozen=True)
class Packed:
    """Packs that may be debated, and why the others may not.

    Attributes:
        gated: Symbol → reason (stale or broken data, too little material).
    """

    packs: dict[str, Pack] = field(default_factory=dict)
    gated: dict[str, str] = field(default_factory=dict)


def rebuild(database: Path, calendar: Calendar, cutoff: datetime) -> None:
    """Bring ``staging`` and ``marts`` up to date with what ``raw`` shows as of *cutoff*, all of them or none."""
    with open_writer(database, cutoff=cutoff) as con:
        build(con, calendar.sessions(calendar.first, calendar.last))


def gate(review: Review, calendar: Calendar, checked_at: datetime) -> GateResult:
    """Run the suites, store changed results, and say what is blocked. Raises DataRejected for the run."""
    settings = review.settings()
    with open_writer(settings.database, cutoff=review.now) as con:
        result = run_gate(
            con,
            batch_id=review.batch_id,
            symbols=review.symbols,
            session=review.trade_date,
            checked_at=checked_at,
            calendar=calendar,
            data_docs=settings.data_dir / "quality",
        )
        store.save_validations(con, review.batch_id, _changed(con, result.validations))
    if result.run_reason:
        raise DataRejected(result.run_reason)
    return result


def _changed(con: Connection, rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Rows that differ from the newest stored result of the same check: a re-run adds nothing (PRODUCT M7)."""
    stored = con.execute(
        "select suite, expectation, subject, arg_max(success, checked_at), arg_max(unexpected_count, checked_at), "
        "arg_max(sample, checked_at) from quality.validations group by all"
    ).fetchall()
    newest = {tuple(row[:3]): tuple(row[3:]) for row in stored}
    return [
        row
        for row in rows
        if newest.get((row["suite"], row["expectation"], row["subject"]))
        != (row["success"], row["unexpected_count"], row["sample"])
    ]


def pack(review: Review, ingested: Ingested, gate_result: GateResult) -> Packed:
    """Freeze the pack of every symbol that passed the gate; too little material gates it here."""
    settings = review.settings()
    packed = Packed(gated={s: r for s, r in gate_result.blocked.items() if s not in ingested.failed})
    with open_reader(settings.database, cutoff=review.now) as con:
        for symbol in review.symbols:
            if symbol in ingested.failed or symbol in packed.gated:
                continue
            try:
                frozen = build_pack(
                    con, symbol, review.as_of, review.now,
                    unavailable=_unavailable(symbol, ingested.missing, gate_result),
                    threshold=settings.completeness_threshold,
                    is_sample=settings.sources == "sample",
                    excluded=_quarantined(symbol, gate_result),
                )  # fmt: skip
            except NoData as error:
                packed.gated[symbol] = str(error)
                continue
            _sort(packed, symbol, _with_notices(frozen, gate_result.notices))
    return packed


def _sort(packed: Packed, symbol: str, frozen: Pack) -> None:
    if frozen.completeness.is_enough:
        packed.packs[symbol] = frozen
        return
    packed.gated[symbol] = (
        f"材料不足：完整度 {frozen.completeness.score:.0f}/100，低于 {frozen.completeness.threshold:.0f}；"
        f"可补充：{'、'.join(frozen.completeness.to_add)}"
    )


def _unavailable(
    symbol: str, missing: Mapping[str, tuple[Missing, ...]], gate_result: GateResult
) -> tuple[Missing, ...]:
    """What was not delivered, and what the gate keeps back from this stock or from all."""
    rejected = gate_result.blocked_kinds | gate_result.withheld.get(symbol, {})
    blocked = tuple(Missing(kind=kind, status="REJECTED", message=reason) for kind, reason in rejected.items())
    return (*missing.get(symbol, ()), *blocked)


def _quarantined(symbol: str, gate_result: GateResult) -> dict[str, set[str]]:
    """Kind → ids of the rows of this stock that must not be used."""
    found: dict[str, set[str]] = {}
    for row in gate_result.quarantined:
        if row.symbol == symbol:
            found.setdefault(row.kind, set()).add(row.row_id)
    return found


def _with_notices(frozen: Pack, notices: Mapping[str, str]) -> Pack:
    """What the gate found and let pass is said in the report."""
    said = tuple(notices[key] for key in ("*", frozen.symbol) if key in notices)
    return frozen.model_copy(update={"notices": (*frozen.notices, *said)})
