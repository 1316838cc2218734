"""A debate killed between any two calls is finished by the next run, which buys only what was missing (O5, D12)."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from flows.debate.engine import run_debate
from flows.debate.restoring import judged_again
from tests.unit.debate_fakes import NOW
from tests.unit.debate_packs import pack
from tests.unit.debate_server import ScriptedServer, gateway_on

CALLS = 15
_KILLED = """
import os, signal, sys
from pathlib import Path
from tests.unit.debate_server import ScriptedServer, hold_on_server
import tests.unit.debate_server as room

class Fatal(ScriptedServer):
    async def handle_async_request(self, request):
        if len(self.requests) == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        return await super().handle_async_request(request)

room.ScriptedServer = Fatal
hold_on_server(Path(sys.argv[1]))
"""


class Killed(BaseException):
    """Stands for kill -9: nothing in the program may catch it."""


class DyingServer(ScriptedServer):
    """Dies before it has answered its n-th request."""

    def __init__(self, dies_at):
        super().__init__()
        self.dies_at = dies_at

    async def handle_async_request(self, request):
        if len(self.requests) == self.dies_at:
            raise Killed
        return await super().handle_async_request(request)


def hold_on(folder, server):
    async def run():
        gateway = gateway_on(folder, server)
        try:
            return await run_debate(pack(), "bull_bear", gateway, clock=lambda: NOW, debate_id="d-1")
        finally:
            await gateway.aclose()

    return asyncio.run(run())


def same_but_for_payment(transcript):
    """Everything that does not say whether an answer was paid in this run."""
    calls = [{**c.model_dump(mode="json"), **dict.fromkeys(PAYMENT)} for c in transcript.llm_calls]
    return json.dumps({**transcript.model_dump(mode="json"), "llm_calls": calls}, ensure_ascii=False)


PAYMENT = (
    "cached",
    "tokens_in",
    "tokens_out",
    "tokens_cached_prefix",
    "tokens_estimated",
    "cost_cny",
    "started_at",
    "elapsed_ms",
)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    server = ScriptedServer()
    transcript = hold_on(tmp_path_factory.mktemp("whole"), server)
    assert len(server.requests) == CALLS
    return transcript


@pytest.mark.parametrize("index", range(CALLS))
def test_killed_at_any_call_resumes_identically_and_pays_only_the_rest(index, undisturbed, tmp_path):
    dying = DyingServer(index)
    with pytest.raises(Killed):
        hold_on(tmp_path, dying)
    paid = len(dying.requests)
    server = ScriptedServer()
    resumed = hold_on(tmp_path, server)
    assert len(server.requests) == CALLS - paid
    assert sum(call.cached for call in resumed.llm_calls) == paid
    assert same_but_for_payment(resumed) == same_but_for_payment(undisturbed)


def test_real_kill_loses_nothing(undisturbed, tmp_path):
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(tmp_path), "5"],
        cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, check=False, capture_output=True,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL
    server = ScriptedServer()
    resumed = hold_on(tmp_path, server)
    assert len(server.requests) == CALLS - 5
    assert same_but_for_payment(resumed) == same_but_for_payment(undisturbed)


def test_second_run_buys_nothing(undisturbed, tmp_path):
    hold_on(tmp_path, ScriptedServer())
    server = ScriptedServer()
    again = hold_on(tmp_path, server)
    assert server.requests == []
    assert all(call.cached for call in again.llm_calls)
    assert sum(call.tokens_in for call in again.llm_calls) == 0


def test_stored_transcript_can_be_judged_again_without_a_server(undisturbed):
    assert judged_again(undisturbed, pack()) == undisturbed
