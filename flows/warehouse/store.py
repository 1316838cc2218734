"""What a run writes and reads back: batches, accounts, validations, packs, transcripts, reports.

Every save replaces the rows of its own key in one transaction, so repeating it changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import duckdb
import polars as pl

from flows.contracts.debates import ACCOUNTS, BATCHES, PACKS, REPORTS, VALIDATIONS
from flows.contracts.packs import Pack
from flows.contracts.table import Table
from flows.contracts.transcripts import Transcript
from flows.errors import UsageError
from flows.warehouse.rows import insert_rows, replace_rows, transaction
from flows.warehouse.transcript_rows import transcript_rows

Row = Mapping[str, Any]


def save_batch(con: duckdb.DuckDBPyConnection, row: Row) -> None:
    """Write or rewrite one run's row of ``ops.batches``."""
    with transaction(con):
        replace_rows(con, BATCHES, {"batch_id": row["batch_id"]}, [row])


def save_accounts(con: duckdb.DuckDBPyConnection, batch_id: str, rows: Sequence[Row]) -> None:
    """Write a run's ``ops.accounts``: one row per symbol and protocol, N in = N out."""
    _save_batch_rows(con, ACCOUNTS, batch_id, rows)


def save_validations(con: duckdb.DuckDBPyConnection, batch_id: str, rows: Sequence[Row]) -> None:
    """Write a run's ``quality.validations``."""
    _save_batch_rows(con, VALIDATIONS, batch_id, rows)


def save_pack(con: duckdb.DuckDBPyConnection, pack: Pack, created_at: datetime) -> None:
    """Store *pack* as it is; a version already stored is kept, since a debate may quote it."""
    key = [pack.pack_version, pack.symbol]
    if con.execute("select 1 from debates.packs where pack_version = ? and symbol = ?", key).fetchall():
        return
    row = {
        "pack_version": pack.pack_version,
        "symbol": pack.symbol,
        "trade_date": pack.trade_date,
        "completeness": pack.completeness.score,
        "body": pack.model_dump_json(),
        "created_at": created_at,
    }
    insert_rows(con, PACKS, [row])


def load_pack(con: duckdb.DuckDBPyConnection, pack_version: str, symbol: str) -> Pack:
    """The stored pack; UsageError if there is none."""
    body = _scalar(con, "select body from debates.packs where pack_version = ? and symbol = ?", [pack_version, symbol])
    if body is None:
        raise UsageError(f"没有 {symbol} 的事实基准版本 {pack_version}。")
    return Pack.model_validate_json(body)


def save_transcript(con: duckdb.DuckDBPyConnection, batch_id: str, transcript: Transcript, pack: Pack) -> None:
    """Write one debate into every ``debates.*`` table it has rows for, replacing an earlier save of it."""
    key = {"debate_id": transcript.debate_id}
    with transaction(con):
        save_pack(con, pack, transcript.started_at)
        for table, rows in transcript_rows(transcript, pack, batch_id):
            replace_rows(con, table, key, rows)


def load_transcript(con: duckdb.DuckDBPyConnection, debate_id: str) -> Transcript:
    """The stored debate; UsageError if there is none."""
    body = _scalar(con, "select body from debates.transcripts where debate_id = ?", [debate_id])
    if body is None:
        raise UsageError(f"没有辩论 {debate_id}。用 zhengming query latest_debates 或 other_debates 查看已有的辩论。")
    return Transcript.model_validate_json(body)


def save_report(
    con: duckdb.DuckDBPyConnection,
    transcript: Transcript,
    *,
    warning: str,
    points: Sequence[str],
    paths: Mapping[str, str],
    written_at: datetime,
) -> None:
    """Write one debate's report row; *paths* holds ``markdown_path``, ``html_path``, ``json_path``."""
    row = {
        "debate_id": transcript.debate_id,
        "symbol": transcript.symbol,
        "trade_date": transcript.trade_date,
        "warning": warning,
        "points": list(points),
        **paths,
        "transcript": transcript.model_dump_json(),
        "written_at": written_at,
    }
    with transaction(con):
        replace_rows(con, REPORTS, {"debate_id": transcript.debate_id}, [row])


def read_frame(con: duckdb.DuckDBPyConnection, query: str, parameters: Sequence[Any] | Row = ()) -> pl.DataFrame:
    """The result of our own *query* with bound *parameters* as a frame."""
    frame: pl.DataFrame = con.sql(query, params=parameters or None).pl()
    return frame


def _save_batch_rows(con: duckdb.DuckDBPyConnection, table: Table, batch_id: str, rows: Sequence[Row]) -> None:
    with transaction(con):
        replace_rows(con, table, {"batch_id": batch_id}, [{"batch_id": batch_id, **row} for row in rows])


def _scalar(con: duckdb.DuckDBPyConnection, query: str, parameters: list[Any]) -> Any | None:
    found = con.execute(query, parameters).fetchall()
    return found[0][0] if found else None
