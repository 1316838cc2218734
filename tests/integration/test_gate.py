"""The gate as a whole, Great Expectations included: what it blocks, what it stores, what it shows (PRODUCT Q)."""

import json
import re
from pathlib import Path

import pytest

from flows.contracts.debates import VALIDATIONS
from flows.errors import DataRejected
from flows.quality.gate import GateResult, Quarantined, VendorAdjusted, run_gate
from tests.gate_market import NOW, RUN, SESSION, SESSIONS, SYMBOLS, add, market, table_called, valid_row

A, B, C, D = SYMBOLS
LAST = SESSIONS[-1]


def gate(*changes: str, symbols=SYMBOLS, data_docs: Path | None = None, vendor_adjusted=()) -> GateResult:
    with market() as con:
        for change in changes:
            con.execute(change)
        return run_gate(
            con, batch_id="batch-1", symbols=symbols, session=SESSION, checked_at=NOW, calendar=RUN.calendar,
            data_docs=data_docs, vendor_adjusted=vendor_adjusted,
        )  # fmt: skip


@pytest.fixture(scope="module")
def healthy(tmp_path_factory):
    docs = tmp_path_factory.mktemp("quality")
    return gate(data_docs=docs), docs


def test_healthy_market_blocks_nothing(healthy):
    result, _ = healthy
    assert (result.blocked, result.blocked_kinds, result.withheld, result.run_reason) == ({}, {}, {}, "")
    assert (result.notices, result.quarantined) == ({}, ())
    assert all(row["success"] for row in result.validations)


def test_validations_are_rows_of_their_contract_one_per_expectation_and_subject(healthy):
    result, _ = healthy
    assert all(list(row) == list(VALIDATIONS.schema) for row in result.validations)
    keys = [(row["suite"], row["expectation"], row["subject"]) for row in result.validations]
    assert len(set(keys)) == len(keys)
    assert {subject for _, expectation, subject in keys if expectation == "beyond_limit"} == set(SYMBOLS)
    assert ("staging.trade_dates", "calendar_conflicts", "*") in keys


def test_the_same_data_gives_the_same_rows_on_every_run(healthy):
    assert gate().validations == healthy[0].validations


def test_data_docs_are_built_offline_with_a_page_per_suite_and_replaced_by_the_next_run(healthy):
    _, docs = healthy
    pages = {str(path.relative_to(docs)) for path in docs.rglob("*.html")}
    assert "index.html" in pages
    assert any(page.startswith("validations/staging/daily_bars/") for page in pages)
    gate(data_docs=docs)
    assert len(list((docs / "validations/staging/daily_bars").rglob("*.html"))) == 1


def test_one_stale_stock_is_blocked_alone_and_the_reason_names_the_session():
    result = gate(f"delete from staging.daily_bars where symbol = '{A}' and trade_date = '{LAST}'")
    assert result.blocked.keys() == {A}
    assert "行情未更新" in result.blocked[A]
    assert LAST.isoformat() in result.blocked[A]
    assert result.run_reason == ""


def test_failed_row_of_the_table_names_the_rows():
    result = gate(f"update staging.daily_bars set close_cny = 20, high_cny = 20 where symbol = '{A}' "
                  f"and trade_date = '{LAST}'")  # fmt: skip
    [row] = [v for v in result.validations if v["expectation"] == "beyond_limit" and not v["success"]]
    assert (row["suite"], row["subject"], row["unexpected_count"]) == ("staging.daily_bars", A, 1)
    assert json.loads(row["sample"])[0]["trade_date"] == LAST.isoformat()


def test_broken_optional_kind_of_one_stock_is_withheld_and_the_stock_goes_on():
    result = gate(
        "insert into staging.pledges (symbol, trade_date, pledge_ratio_pct, published_at, fetched_at, vendor) "
        f"values ('{A}', '{LAST}', 5678.9, '{LAST}', '{LAST}', 'eastmoney')"
    )
    assert result.blocked == {}
    assert result.withheld.keys() == {A}
    assert re.search("质押：.*pledge_ratio_pct", result.withheld[A]["pledges"])


def test_kind_without_symbols_is_blocked_as_a_kind():
    result = gate(
        "insert into staging.macro (indicator, period, value, unit, published_at, fetched_at, vendor) "
        f"values ('PMI', '{LAST}', 50.1, '%', '{LAST}', '{LAST}', 'eastmoney')"
    )
    assert result.blocked_kinds.keys() == {"macro"}
    assert result.blocked == {}


def test_calendar_conflict_stops_the_run():
    result = gate(f"update staging.trade_dates set is_session = false where trade_date = '{LAST}'")
    assert "交易日历" in result.run_reason
    assert LAST.isoformat() in result.run_reason


def test_foreign_filing_is_quarantined_and_said_but_blocks_nobody():
    result = gate(f"update staging.announcements set name = '宁德时代' where announcement_id = '{A}-2'")
    assert result.quarantined == (Quarantined("announcements", A, f"{A}-2"),)
    assert "隔离" in result.notices[A]
    assert result.blocked == {}


def test_unpublished_valuation_day_is_said_and_blocks_nobody():
    result = gate(
        "update staging.valuations set pe_ttm = null, pb = null, ps_ttm = null "
        f"where symbol = '{A}' and trade_date = '{SESSIONS[30]}'",
        f"update marts.valuation_percentiles set pe_ttm = null where symbol = '{A}' and false",
    )
    assert SESSIONS[30].isoformat() in result.notices[A]


def test_unknown_stock_with_zero_rows_is_blocked_and_the_others_pass():
    result = gate(symbols=(*SYMBOLS, "600001.SH"))
    assert result.blocked.keys() == {"600001.SH"}
    assert "没有数据" in result.blocked["600001.SH"]


def test_p9_a_market_of_which_a_quarter_arrived_stops_the_run():
    """1,468 of 5,300 rows: in small, 3 of 12."""
    symbols = tuple(f"600{n:03d}.SH" for n in range(1, 13))
    table = table_called("staging.daily_bars")
    rows = [
        {**valid_row(table), "symbol": symbol, "trade_date": day}
        for n, symbol in enumerate(symbols)
        for day in SESSIONS[-2:]
        if day < LAST or n < 3
    ]
    with market() as con:
        add(con, table, rows)
        result = run_gate(
            con, batch_id="batch-1", symbols=symbols, session=SESSION, checked_at=NOW, calendar=RUN.calendar
        )
    assert "到货行数远少于前一交易日" in result.run_reason


def test_missing_table_is_refused():
    with pytest.raises(DataRejected, match=r"marts\.price_facts"):
        gate("drop table marts.price_facts")


def test_run_without_symbols_is_refused():
    with pytest.raises(ValueError, match="no symbols"):
        gate(symbols=())


def test_vendor_s_adjusted_series_that_is_raw_is_not_adopted_and_said():
    with market() as con:
        raw = con.sql(f"select symbol, trade_date, close_cny from staging.daily_bars where symbol = '{A}'").pl()
    result = gate(vendor_adjusted=[VendorAdjusted("sina", "multiplicative", LAST, raw)])
    assert "sina 复权收盘" in result.notices[A]
    [row] = [v for v in result.validations if v["expectation"] == "vendor_off" and v["subject"] == A]
    assert (row["success"], row["unexpected_count"]) == (False, 20)
    assert result.blocked == {}
