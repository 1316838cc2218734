"""Explicit chains: who is asked, in which order, what the answer is, and when it is loud (M4)."""

from datetime import date, datetime

import polars as pl
import pytest

from flows.contracts.columns import SYSTEM
from flows.contracts.envelope import DateStatus, Envelope, Request, Status
from flows.contracts.raw import KIND_RULES, RAW_TABLES
from flows.errors import ConfigurationError, NoData, Transient, UsageError
from flows.market.sessions import SHANGHAI
from flows.sources.alignment import align, differing_dates, without_late_factor
from flows.sources.chain import ChainFailed, ChainResult, fetch, raise_failure, walk

NOW = datetime(2024, 6, 14, 21, 30, tzinfo=SHANGHAI)
DAY = date(2024, 6, 14)
PRICES = ("open_cny", "high_cny", "low_cny", "close_cny")


def question(kind="daily_bars"):
    return Request(kind, "600000.SH", date(2024, 6, 3), DAY, NOW)


def bars(*rows):
    """Frame of (date, previous close, close)."""
    table = RAW_TABLES["daily_bars"].without([c.name for c in SYSTEM])
    data = [
        {"symbol": "600000.SH", "trade_date": day, **dict.fromkeys(PRICES, close),
         "previous_close_cny": before, "volume_shares": 1.0, "is_trading": True, "published_at": NOW}
        for day, before, close in rows
    ]  # fmt: skip
    return pl.DataFrame(data, schema=table.schema)


def answer(status, vendor="one", *, kind="daily_bars", day=DAY, date_status=DateStatus.CURRENT, data=None):
    ok = status is Status.OK
    frame = (data if data is not None else bars((day, 8.0, 8.0))) if ok else None
    return Envelope(
        kind, "600000.SH", status, vendor, f"{vendor}:f", DAY, NOW, day if ok else None,
        date_status if ok else DateStatus.UNKNOWN, 1, "" if ok else "原因", frame,
    )  # fmt: skip


class Market:
    """Vendors that give scripted answers and remember being asked."""

    def __init__(self, **answers):
        self.asked = []
        self.vendors = {
            vendor: {} if given is None else {given.kind: self._fetcher(vendor, given)}
            for vendor, given in answers.items()
        }

    def _fetcher(self, vendor, given):
        def fetcher(request):
            self.asked.append(vendor)
            return given

        return fetcher


def test_u8_a_vendor_that_is_not_listed_is_never_asked():
    market = Market(baostock=answer(Status.UPSTREAM_ERROR, "baostock"), eastmoney=answer(Status.OK, "eastmoney"))
    with pytest.raises(Transient) as caught:
        fetch(question(), ["baostock"], market.vendors)
    assert market.asked == ["baostock"]
    assert [e.vendor for e in caught.value.result.tried] == ["baostock"]


@pytest.mark.parametrize("status", [s for s in Status if s is not Status.OK])
def test_any_answer_without_data_leads_to_the_next_vendor(status):
    market = Market(one=answer(status), two=answer(Status.OK, "two"))
    result = fetch(question(), ["one", "two"], market.vendors)
    assert (result.envelope.vendor, [e.status for e in result.tried]) == ("two", [status, Status.OK])


def test_the_first_good_answer_ends_the_chain():
    market = Market(one=answer(Status.OK), two=answer(Status.OK, "two"))
    fetch(question(), ["one", "two"], market.vendors)
    assert market.asked == ["one"]


def test_a_stale_answer_is_kept_while_a_fresher_one_is_looked_for():
    stale = answer(Status.OK, day=date(2024, 6, 12), date_status=DateStatus.STALE)
    fresher = Market(one=stale, two=answer(Status.OK, "two"))
    assert fetch(question(), ["one", "two"], fresher.vendors).envelope.vendor == "two"
    failing = Market(one=stale, two=answer(Status.UPSTREAM_ERROR, "two"))
    assert fetch(question(), ["one", "two"], failing.vendors).envelope is stale


def test_no_record_is_remembered_when_the_others_fail():
    market = Market(one=answer(Status.NO_DATA, kind="news"), two=answer(Status.UPSTREAM_ERROR, "two", kind="news"))
    result = fetch(question("news"), ["one", "two"], market.vendors)
    assert result.envelope.status is Status.NO_DATA


@pytest.mark.parametrize("kind", [k for k, rule in KIND_RULES.items() if not rule.is_core])
def test_an_optional_kind_degrades_to_its_envelope(kind):
    market = Market(one=answer(Status.UPSTREAM_ERROR, kind=kind))
    assert fetch(question(kind), ["one"], market.vendors).envelope.status is Status.UPSTREAM_ERROR


@pytest.mark.parametrize(
    ("status", "reaction"),
    [
        (Status.UPSTREAM_ERROR, Transient),
        (Status.RATE_LIMITED, Transient),
        (Status.NOT_READY, Transient),
        (Status.NO_DATA, NoData),
        (Status.NOT_SUPPORTED, NoData),
        (Status.PERMISSION_DENIED, ConfigurationError),
        (Status.INVALID_ARGUMENTS, UsageError),
    ],
)
def test_a_core_kind_that_failed_is_loud_and_says_how_to_react(status, reaction):
    market = Market(one=answer(status))
    with pytest.raises(reaction, match="one") as caught:
        fetch(question(), ["one"], market.vendors)
    assert caught.value.result.envelope.status is status


@pytest.mark.parametrize("kind", ["news", "announcements", "adjust_factors"])
def test_a_core_kind_without_a_record_is_a_fact_where_stocks_may_have_none(kind):
    market = Market(one=answer(Status.NO_DATA, kind=kind))
    assert fetch(question(kind), ["one"], market.vendors).envelope.status is Status.NO_DATA


def test_not_supported_by_everybody_stays_not_supported():
    market = Market(one=answer(Status.NOT_SUPPORTED, kind="fund_flows"), two=None)
    result = fetch(question("fund_flows"), ["one", "two"], market.vendors)
    assert [e.status for e in result.tried] == [Status.NOT_SUPPORTED] * 2
    assert result.envelope.status is Status.NOT_SUPPORTED


def test_a_failure_that_may_pass_outweighs_never_having_it():
    market = Market(one=answer(Status.RATE_LIMITED), two=answer(Status.NOT_SUPPORTED, "two"))
    assert walk(question(), ["one", "two"], market.vendors).envelope.status is Status.RATE_LIMITED


@pytest.mark.parametrize("chain", [[], ["baostok"]])
def test_a_chain_that_is_empty_or_misspelt_is_a_configuration_error(chain):
    with pytest.raises(ConfigurationError, match="daily_bars"):
        fetch(question(), chain, Market(baostock=answer(Status.OK)).vendors)


def test_everything_tried_travels_with_the_failure():
    market = Market(one=answer(Status.RATE_LIMITED), two=answer(Status.UPSTREAM_ERROR, "two"))
    result = walk(question(), ["one", "two"], market.vendors)
    with pytest.raises(ChainFailed, match=r"one RATE_LIMITED.*two UPSTREAM_ERROR"):
        raise_failure(result)


def result_of(envelope):
    return ChainResult(envelope, (envelope,))


def test_a_late_answer_is_asked_once_more_and_replaced_if_it_is_fresher():
    late = answer(Status.OK, "late", kind="valuations", day=date(2024, 6, 13), date_status=DateStatus.STALE)
    asked = []

    def again(envelope):
        asked.append(envelope.kind)
        return result_of(answer(Status.OK, "late", kind="valuations"))

    aligned = align([result_of(answer(Status.OK)), result_of(late)], again)
    assert asked == ["valuations"]
    assert aligned[1].envelope.actual_trade_date == DAY
    assert len(aligned[1].tried) == 2


def test_what_stays_late_keeps_its_own_date_and_is_not_merged():
    late = answer(Status.OK, "late", kind="valuations", day=date(2024, 6, 13), date_status=DateStatus.STALE)
    aligned = align([result_of(answer(Status.OK)), result_of(late)], lambda e: result_of(late))
    assert aligned[1].envelope.date_status is DateStatus.STALE
    assert differing_dates(aligned) == {"daily_bars": DAY, "valuations": date(2024, 6, 13)}


def test_nobody_is_asked_again_when_all_are_of_one_day():
    def again(envelope):
        raise AssertionError(envelope)

    both = [result_of(answer(Status.OK)), result_of(answer(Status.OK, kind="valuations"))]
    assert align(both, again) == both
    assert differing_dates(both) == {}


def factors(*rows):
    table = RAW_TABLES["adjust_factors"].without([c.name for c in SYSTEM])
    data = [{"symbol": "600000.SH", "ex_date": d, "backward_factor": f, "published_at": NOW} for d, f in rows]
    return pl.DataFrame(data, schema=table.schema)


EX_RIGHT = bars((date(2024, 6, 13), 10.0, 10.0), (DAY, 5.0, 5.05))


def test_p4_a_factor_that_is_late_on_the_ex_date_is_not_ready():
    before = answer(Status.OK, kind="adjust_factors", data=factors((date(2023, 7, 21), 1.5)))
    results = without_late_factor([result_of(answer(Status.OK, data=EX_RIGHT)), result_of(before)])
    held = results[1].envelope
    assert (held.status, held.data, held.retryable) == (Status.NOT_READY, None, True)
    assert "2024-06-14" in held.message
    with pytest.raises(Transient):
        raise_failure(results[1])


def test_p4_a_first_factor_that_is_late_is_not_ready_either():
    none = answer(Status.NO_DATA, kind="adjust_factors")
    results = without_late_factor([result_of(answer(Status.OK, data=EX_RIGHT)), result_of(none)])
    assert results[1].envelope.status is Status.NOT_READY


def test_p4_with_its_factor_there_the_ex_date_is_ordinary():
    there = answer(Status.OK, kind="adjust_factors", data=factors((DAY, 2.0)))
    results = [result_of(answer(Status.OK, data=EX_RIGHT)), result_of(there)]
    assert without_late_factor(results) == results


def test_p4_an_ordinary_day_needs_no_factor():
    plain = bars((date(2024, 6, 13), 10.0, 10.0), (DAY, 10.0, 9.1))
    results = [result_of(answer(Status.OK, data=plain)), result_of(answer(Status.NO_DATA, kind="adjust_factors"))]
    assert without_late_factor(results) == results
