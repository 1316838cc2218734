"""The HTTP seam: deadline, page bound, raw body, narrowing; and that nobody else is touched (U1, U2)."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest
import requests

from flows.contracts.envelope import Status
from flows.sources.akshare_client import Akshare
from flows.sources.asking import Policy, Question
from flows.sources.eastmoney import EastMoney
from flows.sources.faults import SourceFault, limited
from flows.sources.http import Recording, recorded
from flows.sources.shapes import eastmoney as shapes
from tests.upstream import east_money, web
from tests.upstream.asking import ask, asker, request, vendors

EAST_MONEY = "datacenter-web.eastmoney.com"
KLINE = "push2his.eastmoney.com"
URL = f"https://{KLINE}/api/qt/stock/kline/get?secid=0.000001&beg=20240603&end=20240614"


def answered(body):
    return lambda call, reply: web.json_reply(body)


def test_u1_no_record_and_a_failed_report_are_told_apart_by_the_raw_body(world):
    world.upstream.fault[EAST_MONEY] = answered(east_money.NOTHING)
    nothing = ask("eastmoney", "valuations")
    world.upstream.fault[EAST_MONEY] = answered(east_money.MISSING_REPORT)
    failed = ask("eastmoney", "valuations")
    assert (nothing.status, failed.status) == (Status.NO_DATA, Status.UPSTREAM_ERROR)
    assert "9501" in failed.message


@pytest.mark.parametrize("fault", [web.disconnected, web.blocked, web.empty, web.bad_gateway, web.cut, web.shortened])
@pytest.mark.parametrize(
    ("vendor", "kind"), [("eastmoney", "daily_bars"), ("eastmoney", "news"), ("cninfo", "announcements")]
)
def test_u2_a_broken_answer_is_never_an_empty_frame(world, vendor, kind, fault):
    world.upstream.fault["*"] = fault
    envelope = ask(vendor, kind)
    assert envelope.status in {Status.UPSTREAM_ERROR, Status.RATE_LIMITED}
    assert envelope.data is None
    assert envelope.message


def test_u2_three_disconnects_are_asked_again_with_backoff_then_given_up(world):
    pauses = []
    world.upstream.fault[KLINE] = web.disconnected

    from tests.upstream.asking import asker

    patient = replace(asker("eastmoney"), policy=Policy(5.0, 3, pause_s=1.0, longest_pause_s=20.0), sleep=pauses.append)
    envelope = EastMoney(patient, Akshare()).fetch_daily_bars(request("daily_bars"))
    assert (envelope.status, envelope.attempts) == (Status.UPSTREAM_ERROR, 3)
    assert envelope.retryable
    assert len(pauses) == 2
    assert 1.0 <= pauses[0] <= 2.0 <= pauses[1] <= 3.0


def test_an_outage_that_passes_is_not_noticed_above(world):
    failures = iter([True, True])
    world.upstream.fault[KLINE] = lambda call, reply: web.disconnected(call, reply) if next(failures, False) else reply
    envelope = vendors(attempts=4)["eastmoney"]["daily_bars"](request("daily_bars"))
    assert (envelope.status, envelope.attempts) == (Status.OK, 3)


def test_a_refused_or_broken_answer_is_not_asked_again(world):
    world.upstream.fault[KLINE] = web.throttled
    envelope = vendors(attempts=4)["eastmoney"]["daily_bars"](request("daily_bars"))
    assert (envelope.status, envelope.attempts) == (Status.RATE_LIMITED, 1)


@pytest.mark.parametrize("fault", [web.silent, web.dripping])
@pytest.mark.parametrize(("vendor", "kind"), [("eastmoney", "daily_bars"), ("eastmoney", "news")])
def test_silence_and_a_slow_drip_meet_the_deadline(world, vendor, kind, fault):
    world.upstream.fault["*"] = fault
    envelope = vendors(deadline_s=0.4)[vendor][kind](request(kind))
    assert envelope.status is Status.UPSTREAM_ERROR
    assert envelope.data is None


def test_a_pager_that_does_not_stop_is_no_answer(world):
    with recorded(Recording(5.0, max_exchanges=3)):
        for _ in range(3):
            requests.get(URL)
        with pytest.raises(SourceFault, match="翻页超过 3 次"):
            requests.get(URL)


def test_a_fault_swallowed_by_the_client_is_remembered(world):
    with recorded(Recording(5.0, max_exchanges=1)) as recording:
        requests.get(URL)
        with pytest.raises(SourceFault):
            requests.get(URL)
    assert recording.fault is not None
    assert recording.fault.status is Status.UPSTREAM_ERROR


def test_requests_outside_a_recording_are_left_alone(world):
    with recorded(Recording(5.0)) as recording:
        requests.get(URL)
    assert requests.get(URL).status_code == 200
    other = threading.Thread(target=requests.get, args=(URL,))
    with recorded(recording):
        other.start()
        other.join()
    assert len(recording.exchanges) == 1


def test_the_throttle_is_asked_before_every_request_and_may_refuse(world):
    asked = []

    def before():
        asked.append(1)
        if len(asked) == 2:
            raise limited("够了")

    with recorded(Recording(5.0, before=before)):
        requests.get(URL)
        with pytest.raises(SourceFault, match="够了"):
            requests.get(URL)
    assert len(world.upstream.calls) == 1


def test_a_market_wide_report_is_narrowed_to_the_company_on_the_wire(world):
    ask("eastmoney", "holder_trades")
    assert {call.query["filter"] for call in world.upstream.calls} == {'(SECURITY_CODE="000001")'}


def test_a_body_that_is_shorter_than_announced_is_an_outage_not_an_answer(world):
    world.upstream.fault[KLINE] = web.shortened
    envelope = ask("eastmoney", "daily_bars")
    assert envelope.status is Status.UPSTREAM_ERROR
    assert "连接失败" in envelope.message


def test_retry_after_is_kept_for_whoever_waits(world):
    world.upstream.fault[KLINE] = web.throttled
    with recorded(Recording(5.0)) as recording:
        requests.get(URL)
    assert recording.last is not None
    assert recording.last.retry_after_s == 30.0


def test_the_deadline_holds_over_all_pages_of_one_call(world):
    world.upstream.fault[KLINE] = lambda call, reply: time.sleep(0.15) or reply
    envelopes = [ask_quickly(pages) for pages in (1, 9)]
    assert [envelope.status for envelope in envelopes] == [Status.OK, Status.UPSTREAM_ERROR]


def ask_quickly(pages):
    """A question of *pages* requests under a deadline of 0.8 seconds, each request taking 0.15."""

    def work():
        frames = [Akshare().call("stock_zh_a_hist", symbol="000001") for _ in range(pages)]
        return frames[:1]

    question = Question("stock_zh_a_hist", work, shapes.daily_bars)
    return asker("eastmoney", deadline_s=0.8).ask(request("daily_bars"), question)
