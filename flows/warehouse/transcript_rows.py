"""A transcript as rows of the ``debates.*`` tables: pure, so that it can be checked without a database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import BaseModel

from flows.contracts import debates
from flows.contracts.packs import Pack
from flows.contracts.table import Table
from flows.contracts.transcripts import LlmCall, Transcript

Rows = list[dict[str, Any]]


def transcript_rows(transcript: Transcript, pack: Pack, batch_id: str) -> Iterator[tuple[Table, Rows]]:
    """Every table a transcript fills, with its rows; a table without rows is yielded, too, to be emptied."""
    yield debates.RUNS, [_run(transcript, pack, batch_id)]
    yield debates.TRANSCRIPTS, [{"debate_id": transcript.debate_id, "body": transcript.model_dump_json()}]
    parts: tuple[tuple[Table, Iterable[BaseModel]], ...] = (
        (debates.TURNS, transcript.turns),
        (debates.CLAIMS, transcript.claims),
        (debates.CLAIM_CHECKS, transcript.checks),
        (debates.QUESTIONS, transcript.questions),
        (debates.JUDGEMENTS, transcript.judgements),
        (debates.DISAGREEMENTS, transcript.disagreements),
        (debates.INDICATORS, transcript.indicators),
        (debates.FALSIFIERS, transcript.falsifiers),
        (debates.CONFIDENCE_CHANGES, transcript.confidence_changes),
        (debates.AUDITS, transcript.audits),
        (debates.REFUSALS, transcript.refusals),
        (debates.LLM_CALLS, transcript.llm_calls),
    )
    for table, items in parts:
        yield table, [_row(table, transcript.debate_id, item) for item in items]


def _row(table: Table, debate_id: str, item: BaseModel) -> dict[str, Any]:
    """The item's fields that are columns of *table*; dictionaries are stored as JSON text."""
    names = {column.name for column in table.columns}
    fields = {name: _stored(value) for name, value in item.model_dump().items() if name in names}
    return {"debate_id": debate_id, **fields}


def _stored(value: Any) -> Any:
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return list(value) if isinstance(value, tuple) else value


def _run(transcript: Transcript, pack: Pack, batch_id: str) -> dict[str, Any]:
    calls = transcript.llm_calls
    paid = [call for call in calls if not call.cached]
    conclusion = transcript.conclusion
    return {
        "debate_id": transcript.debate_id,
        "batch_id": batch_id,
        "symbol": transcript.symbol,
        "trade_date": transcript.trade_date,
        "protocol": transcript.protocol,
        "model": transcript.model,
        "pack_version": transcript.pack_version,
        "status": str(transcript.status),
        "title": conclusion.title if conclusion else None,
        "conclusion": conclusion.core if conclusion else None,
        "verdict": conclusion.verdict if conclusion else None,
        "confidence": conclusion.confidence if conclusion else None,
        "swap_agreement": conclusion.swap_agreement if conclusion else None,
        "completeness": pack.completeness.score,
        "calls": len(calls),
        "cached_calls": len(calls) - len(paid),
        "tokens_in": sum(call.tokens_in for call in paid),
        "tokens_out": sum(call.tokens_out for call in paid),
        "cost_cny": _cost(paid),
        "previous_debate_id": transcript.previous_debate_id,
        "is_standing": transcript.is_standing,
        "topic": transcript.topic,
        "proposition": transcript.proposition.text if transcript.proposition else None,
        "started_at": transcript.started_at,
        "finished_at": transcript.finished_at,
    }


def _cost(paid: list[LlmCall]) -> float | None:
    """What was paid; unknown as soon as one paid call's price is."""
    costs = [call.cost_cny for call in paid]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None
