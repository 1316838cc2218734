"""Throttle and daily cap across processes, and the breaker."""

import multiprocessing

import pytest

from flows.contracts.envelope import Status
from flows.sources.faults import SourceFault
from flows.sources.limits import Breaker, Throttle


def test_calls_beyond_the_minutes_rate_wait(tmp_path):
    waits = []

    class Enough(Exception):
        pass

    def sleep(seconds):
        waits.append(seconds)
        raise Enough

    throttle = Throttle(tmp_path / "calls.sqlite", "baostock", 3, 1000, sleep)
    for _ in range(3):
        throttle.acquire(120)
    with pytest.raises(Enough):
        throttle.acquire(120)
    assert 50 < waits[0] <= 60


def test_the_daily_cap_is_a_rate_limit_that_says_when(tmp_path):
    throttle = Throttle(tmp_path / "calls.sqlite", "sina", 100, 2)
    throttle.acquire(30)
    throttle.acquire(30)
    with pytest.raises(SourceFault, match="上限") as caught:
        throttle.acquire(30)
    assert caught.value.status is Status.RATE_LIMITED
    assert caught.value.retry_after_s > 80_000


def test_vendors_do_not_share_a_rate(tmp_path):
    one, other = (Throttle(tmp_path / "calls.sqlite", name, 1, 1) for name in ("sina", "cninfo"))
    one.acquire(0)
    other.acquire(0)


def _calls(file, count, results):
    throttle = Throttle(file, "eastmoney", 10_000, 25)
    done = 0
    for _ in range(count):
        try:
            throttle.acquire(0)
        except SourceFault:
            continue
        done += 1
    results.put(done)


def test_processes_share_one_cap(tmp_path):
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    workers = [context.Process(target=_calls, args=(tmp_path / "calls.sqlite", 20, results)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert results.get() + results.get() == 25


def test_the_breaker_opens_after_outages_in_a_row_and_tries_once_later():
    breaker = Breaker(threshold=3, rest_s=0.0)
    for _ in range(3):
        breaker.check("sina")
        breaker.failed()
    breaker.rest_s = 60.0
    with pytest.raises(SourceFault, match="熔断") as caught:
        breaker.check("sina")
    assert (caught.value.status, caught.value.again) == (Status.UPSTREAM_ERROR, False)
    breaker.rest_s = 0.0
    breaker.check("sina")
    breaker.succeeded()
    breaker.rest_s = 60.0
    breaker.check("sina")


def test_a_good_answer_in_between_keeps_the_breaker_shut():
    breaker = Breaker(threshold=2)
    for _ in range(5):
        breaker.failed()
        breaker.succeeded()
        breaker.check("sina")


def test_a_vendor_that_refuses_us_is_left_alone():
    breaker = Breaker(rest_s=0.0)
    breaker.bar()
    with pytest.raises(SourceFault) as caught:
        breaker.check("baostock")
    assert caught.value.status is Status.PERMISSION_DENIED
