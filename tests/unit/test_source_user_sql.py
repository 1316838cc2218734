"""The user's own select as a vendor: contract columns in, anything else refused by name."""

from datetime import date, datetime

import polars as pl
import pytest

from flows.contracts.columns import SYSTEM
from flows.contracts.envelope import Request, Status
from flows.contracts.raw import RAW_TABLES
from flows.errors import StoreBusy
from flows.market.sessions import SHANGHAI, load_calendar
from flows.sources.asking import Asker, Policy
from flows.sources.user_sql import UserSql

NOW = datetime(2024, 6, 14, 21, 30, tzinfo=SHANGHAI)
ROW = {
    "symbol": "000001.SZ", "trade_date": date(2024, 6, 14), "open_cny": 9.4, "high_cny": 9.6, "low_cny": 9.3,
    "close_cny": 9.5, "volume_shares": 1_000, "amount_cny": 9_450, "is_trading": True,
}  # fmt: skip


class Free:
    def acquire(self, patience_s):
        """Let everything pass."""


def ask(*rows, kind="daily_bars", run_query=None):
    asker = Asker("sql", load_calendar(), lambda: NOW, Free(), Policy(5.0, 1, 0.0, 0.0))
    answer = run_query or (lambda select, parameters: pl.DataFrame(list(rows)))
    request = Request(kind, "000001.SZ", date(2024, 6, 3), date(2024, 6, 14), NOW)
    return UserSql(asker, {kind: "select 1"}, answer).fetch(request)


def test_rows_get_the_contract_and_the_kinds_publication_time():
    envelope = ask(ROW)
    assert envelope.status is Status.OK
    assert envelope.data.schema == RAW_TABLES["daily_bars"].without([c.name for c in SYSTEM]).schema
    assert envelope.data["published_at"].item() == datetime(2024, 6, 14, 17, 30, tzinfo=SHANGHAI)


def test_parameters_reach_the_select():
    seen = {}
    ask(run_query=lambda select, parameters: seen.update(parameters, select=select) or pl.DataFrame([ROW]))
    assert seen == {
        "symbol": "000001.SZ", "start": date(2024, 6, 3), "end": date(2024, 6, 14), "select": "select 1",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({**ROW, "ts_code": "x"}, "ts_code"),
        ({k: v for k, v in ROW.items() if k != "close_cny"}, "close_cny"),
        ({**ROW, "close_cny": "much"}, "类型"),
        ({**ROW, "symbol": "600000.SH"}, "600000.SH"),
        ({**ROW, "volume_shares": 10}, "手/股"),
        ({**ROW, "high_cny": 9.0}, "开高低收"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(row, says):
    envelope = ask(row)
    assert envelope.status is Status.UPSTREAM_ERROR
    assert says in envelope.message


def test_two_rows_of_one_day_are_refused():
    assert ask(ROW, {**ROW, "close_cny": 9.4}).status is Status.UPSTREAM_ERROR


def test_no_rows_are_no_record_even_without_columns():
    assert ask().status is Status.NO_DATA


def test_a_busy_database_is_an_outage():
    def busy(select, parameters):
        raise StoreBusy("被占用")

    envelope = ask(run_query=busy)
    assert (envelope.status, envelope.retryable) == (Status.UPSTREAM_ERROR, True)


def test_a_kind_whose_publication_cannot_be_inferred_must_bring_it():
    news = {"news_id": "1", "symbol": "000001.SZ", "title": "标题"}
    assert "published_at" in ask(news, kind="news").message
    assert ask({**news, "published_at": NOW}, kind="news").status is Status.OK


def test_without_a_database_the_vendor_is_off():
    asker = Asker("sql", load_calendar(), lambda: NOW, Free())
    request = Request("daily_bars", "000001.SZ", date(2024, 6, 3), date(2024, 6, 14), NOW)
    envelope = UserSql(asker, {"daily_bars": "select 1"}, None).fetch(request)
    assert (envelope.status, envelope.attempts) == (Status.PERMISSION_DENIED, 0)
