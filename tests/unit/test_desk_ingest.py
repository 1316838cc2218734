"""Fetching for a run: the sample's own vendor with one answer or another replaced."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from flows.contracts.envelope import DateStatus, Envelope, Request, Status
from flows.desk.ingest import OVERLAP_DAYS, Ingested, ingest
from flows.desk.plan import Review
from flows.errors import ConfigurationError
from flows.market.sessions import load_calendar
from flows.settings import DEFAULT_CHAINS
from flows.sources.registry import Desk
from flows.sources.sample import fetchers, sample_now
from tests.unit.desk_room import rows

DAY = date(2026, 11, 27)
WINE, POWER = "605901.SH", "605902.SH"
Change = Callable[[Request, Envelope], Envelope]


def failed(status: Status, message: str) -> Change:
    def change(_: Request, answer: Envelope) -> Envelope:
        return replace(answer, status=status, data=None, date_status=DateStatus.UNKNOWN, message=message)

    return change


def broken(_: Request, answer: Envelope) -> Envelope:
    """The right envelope around a frame that lacks a column."""
    assert answer.data is not None
    return replace(answer, data=answer.data.drop("published_at"))


class Script:
    """The sample market, with the answers of one kind and symbol changed; remembers what it was asked."""

    def __init__(self, kind: str = "", change: Change | None = None, symbol: str | None = POWER) -> None:
        self.asked: list[Request] = []
        self._real = fetchers()
        self._changed = {(kind, symbol): change} if change else {}
        vendor = dict.fromkeys(DEFAULT_CHAINS, self._fetch)
        chains = dict.fromkeys(DEFAULT_CHAINS, ("sample",))
        self.desk = Desk(chains, {"sample": vendor}, sample_now(), load_calendar())

    def _fetch(self, request: Request) -> Envelope:
        self.asked.append(request)
        answer = self._real[request.kind](request)
        change = self._changed.get((request.kind, request.symbol))
        return change(request, answer) if change else answer


def review(data: Path, *symbols: str) -> Review:
    return Review(
        batch_id="b1", flow="post_close", symbols=symbols or (WINE, POWER), as_of=DAY, trade_date=DAY,
        now=sample_now(), protocols=("bull_bear",), options={"data_dir": str(data), "sources": "sample"},
    )  # fmt: skip


def fetched(data: Path, script: Script, *symbols: str) -> Ingested:
    told: list[str] = []
    result = ingest(review(data, *symbols), told.append, sample_now, script.desk)
    assert told == list(symbols or (WINE, POWER))
    return result


def missing(result: Ingested, symbol: str) -> dict[str, str]:
    return {item.kind: item.status for item in result.missing[symbol]}


def test_a_core_kind_that_failed_fails_its_stock_alone_and_every_answer_is_kept(tmp_path: Path):
    script = Script("daily_bars", failed(Status.UPSTREAM_ERROR, "连接被重置"))
    result = fetched(tmp_path, script)
    assert result.failed.keys() == {POWER}
    assert "连接被重置" in result.failed[POWER]
    bars = rows(tmp_path, "select distinct symbol from raw.daily_bars")
    assert bars == [(WINE,)]
    told = rows(tmp_path, f"select status, message from raw.fetches where kind = 'daily_bars' and symbol = '{POWER}'")
    assert told == [("UPSTREAM_ERROR", "连接被重置")]
    assert len(rows(tmp_path, "select kind from raw.fetches")) == len(script.asked)


def test_an_optional_kind_that_failed_is_missing_and_the_stock_goes_on(tmp_path: Path):
    result = fetched(tmp_path, Script("pledges", failed(Status.RATE_LIMITED, "太快")), POWER)
    assert result.failed == {}
    assert missing(result, POWER)["pledges"] == "RATE_LIMITED"
    assert rows(tmp_path, "select count(*) > 0 from raw.daily_bars") == [(True,)]


def test_an_optional_frame_that_breaks_its_contract_is_rejected_alone(tmp_path: Path):
    result = fetched(tmp_path, Script("fund_flows", broken), POWER)
    assert result.failed == {}
    assert missing(result, POWER)["fund_flows"] == "REJECTED"
    assert rows(tmp_path, "select count(*) from raw.fund_flows") == [(0,)]
    assert rows(tmp_path, "select count(*) > 0 from raw.daily_bars") == [(True,)]


def test_a_core_frame_that_breaks_its_contract_fails_its_stock(tmp_path: Path):
    result = fetched(tmp_path, Script("daily_bars", broken))
    assert result.failed.keys() == {POWER}
    assert "raw.daily_bars" in result.failed[POWER]
    assert rows(tmp_path, "select distinct symbol from raw.daily_bars") == [(WINE,)]


def test_a_refused_token_stops_the_run_before_anything_is_written(tmp_path: Path):
    with pytest.raises(ConfigurationError, match="token"):
        fetched(tmp_path / "d", Script("daily_bars", failed(Status.PERMISSION_DENIED, "token 无效"), WINE))
    assert not (tmp_path / "d").exists()


def test_a_second_run_asks_for_the_tail_only_and_adds_nothing_but_its_envelopes(tmp_path: Path):
    first, second = Script(), Script()
    fetched(tmp_path, first, WINE)
    before = len(rows(tmp_path, "select kind from raw.fetches"))
    newest = rows(tmp_path, "select max(trade_date) from raw.daily_bars")[0][0]
    result = fetched(tmp_path, second, WINE)
    assert result.appended == 0
    assert len(rows(tmp_path, "select kind from raw.fetches")) == 2 * before
    [again] = [request for request in second.asked if request.kind == "daily_bars"]
    assert again.start == newest - timedelta(days=OVERLAP_DAYS)


def test_frames_are_stored_with_vendor_batch_and_wall_clock(tmp_path: Path):
    fetched(tmp_path, Script(), WINE)
    found = rows(tmp_path, "select distinct vendor, batch_id from raw.daily_bars")
    assert found == [("sample", "b1")]
