"""A transcript as rows: what was paid, how it was counted, and nothing the contract does not name."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from flows.contracts import debates
from flows.warehouse.transcript_rows import transcript_rows
from tests.unit.debate_fakes import standard
from tests.unit.debate_packs import pack
from tests.unit.debate_server import gateway_on, hold_on_server
from tests.unit.gateway_room import GOOD, ask
from tests.upstream.scripted_model import Reply, ScriptedModel


@pytest.mark.parametrize("protocol", ["bull_bear", "four_stance", "direct"])
def test_every_row_holds_the_columns_of_its_table_and_no_others(protocol: str) -> None:
    transcript, _ = standard(protocol)
    for table, rows in transcript_rows(transcript, pack(), "b-1"):
        optional = {column.name for column in table.columns if column.nullable}
        every = {column.name for column in table.columns}
        assert all(every - optional <= set(row) <= every for row in rows)


def test_calls_say_whether_the_server_counted_and_what_it_had_cached(tmp_path: Path) -> None:
    transcript, _ = hold_on_server(tmp_path)
    rows = dict(transcript_rows(transcript, pack(), "b-1"))
    calls = rows[debates.LLM_CALLS]
    assert {(c["tokens_in"], c["tokens_estimated"], c["tokens_cached_prefix"]) for c in calls} == {(100, False, 0)}
    [run] = rows[debates.RUNS]
    assert (run["tokens_in"], run["tokens_out"]) == (100 * len(calls), 50 * len(calls))


def test_a_server_that_reports_no_usage_is_counted_here_and_said_so(tmp_path: Path) -> None:
    server = ScriptedModel(Reply(GOOD, has_usage=False))
    answered = asyncio.run(gateway_on(tmp_path, server.transport()).ask(ask()))
    call = answered.call
    assert call is not None
    assert call.tokens_estimated
    assert call.tokens_in > 0
    transcript = standard()[0].model_copy(update={"llm_calls": (call,)})
    [row] = dict(transcript_rows(transcript, pack(), "b-1"))[debates.LLM_CALLS]
    assert row["tokens_estimated"] is True
