"""Every check of the gate: silent on a healthy market, and failing on one broken row (PRODUCT Q; faults P, V, S, D, R).

The queries run on DuckDB tables made from the contracts; Great Expectations has its own tests in integration.
"""

import re
from datetime import timedelta

import pytest

from flows.contracts.marts import PRICE_FACTS
from flows.contracts.raw import FETCHES, RAW_TABLES
from flows.contracts.table import Table
from flows.errors import DataRejected
from flows.quality.checks import Check, Suite, business_checks, checked_tables, is_core
from flows.quality.derived import derived_checks
from flows.quality.measuring import Measured, measure
from flows.quality.scope import create_shared, scope
from tests.gate_cases import BARS_OF_ANOTHER_VENDOR, CASES, ROW_CASES, A, B, D, set_
from tests.gate_market import (
    CALENDAR,
    EX_DATE,
    HALT,
    RUN,
    SESSION,
    SESSIONS,
    add,
    market,
    published,
    scoped_market,
    table_called,
    valid_row,
)

SUITES = [Suite(table, derived_checks(table), business_checks(table)) for table in checked_tables()]
CHECKS = {(suite.name, check.measure): check for suite in SUITES for check in suite.checks}
LAST, BEFORE_LAST = SESSIONS[-1], SESSIONS[-2]
BARS, VALUATIONS = RAW_TABLES["daily_bars"], RAW_TABLES["valuations"]


@pytest.fixture(scope="module")
def con():
    """One healthy market for all tests: each breaks the run's own tables inside a transaction and rolls back."""
    with scoped_market() as connection:
        yield connection


@pytest.fixture
def found(con):
    def found(name: str, measure_name: str, *changes: str) -> Measured:
        """What the check finds in the healthy market after the SQL *changes* to what the run sees."""
        con.begin()
        try:
            for change in changes:
                con.execute(re.sub(r"\b(staging|marts)\.", "checked_", change))
            create_shared(con)
            return measure(con, CHECKS[name, measure_name], RUN)
        finally:
            con.rollback()

    return found


@pytest.fixture
def found_in_row(con):
    def found_in_row(table, measure_name: str, *rows: dict[str, object]) -> dict[str, int]:
        """What the check finds if the run sees nothing but *rows* in *table*."""
        seen = Table(f"checked_{table.name.partition('.')[2]}", table.meaning, table.grain, table.columns)
        con.begin()
        try:
            con.execute(f"delete from {seen.name}")
            add(con, seen, list(rows))
            return hits(measure(con, CHECKS[table.name, measure_name], RUN))
        finally:
            con.rollback()

    return found_in_row


def hits(measured: Measured) -> dict[str, int]:
    return {subject: value for subject, value in measured.values.items() if value}


def test_healthy_market_passes_every_check(con):
    measured = {name: hits(measure(con, check, RUN)) for name, check in CHECKS.items()}
    assert measured.pop(("staging.daily_bars", "rows_vs_previous_pct")) == {"*": 100}
    assert {name: found for name, found in measured.items() if found} == {}


@pytest.mark.parametrize("case", CASES, ids=".".join)
def test_check_names_exactly_the_broken_subjects(case, found):
    changes, subjects = CASES[case]
    assert hits(found(*case, *changes)).keys() == subjects


@pytest.mark.parametrize("case", ROW_CASES, ids=".".join)
def test_check_passes_a_sound_row_and_fails_every_broken_one(case, found_in_row):
    sound, broken = ROW_CASES[case]
    table = table_called(case[0])
    assert found_in_row(table, case[1], broken_row(table, sound)) == {}
    for changes in broken:
        assert found_in_row(table, case[1], broken_row(table, sound | changes)) == {subject_of(table): 1}, changes


def test_every_business_check_has_a_failing_case():
    business = {(suite.name, check.measure) for suite in SUITES for check in suite.business}
    assert business - {("staging.daily_bars", "rows_vs_previous_pct")} == CASES.keys() | ROW_CASES.keys()


def test_every_row_a_check_returns_is_named_in_chinese(found):
    for case, (changes, _) in CASES.items():
        for rows in found(*case, *changes).rows.values():
            assert all(re.search(r"[\u4e00-\u9fff]|\d", row["note"]) for row in rows), case


def test_every_check_is_written_once_and_every_query_is_used():
    from flows.quality.checks import SQL

    used = {f"{suite.kind}/{check.measure}.sql" for suite in SUITES for check in suite.business}
    stored = {str(path.relative_to(SQL)) for path in SQL.rglob("*.sql") if path.parent.name != "scope"}
    assert used == stored
    assert len(CHECKS) == sum(len(suite.checks) for suite in SUITES)


# Contract checks: on every table, by breaking a row that is valid.

TABLES = [suite.table for suite in SUITES]


def broken_row(table, changes: dict[str, object]) -> dict[str, object]:
    return {**valid_row(table), **changes}


def subject_of(table) -> str:
    return A if "symbol" in table.schema else "*"


ROW_MEASURES = ("nulls", "out_of_bounds", "not_allowed", "duplicates")


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_valid_row_breaks_no_promise_of_its_contract(table, found_in_row):
    for measure_name in ROW_MEASURES:
        assert found_in_row(table, measure_name, valid_row(table)) == {}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_contract_s_duplicates_are_found(table, found_in_row):
    assert found_in_row(table, "duplicates", valid_row(table), valid_row(table)) == {subject_of(table): 1}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_contract_s_nulls_are_found_in_every_required_column(table, found_in_row):
    required = [c.name for c in table.columns if not c.nullable and c.name not in {"symbol", "trade_date"}]
    rows = [broken_row(table, {name: None}) for name in required]
    assert found_in_row(table, "nulls", valid_row(table), *rows) == ({subject_of(table): len(rows)} if rows else {})


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_contract_s_bounds_and_not_finite_numbers_are_found(table, found_in_row):
    rows = [broken_row(table, {c.name: c.minimum - 1}) for c in table.columns if c.minimum is not None]
    rows += [broken_row(table, {c.name: c.maximum + 1}) for c in table.columns if c.maximum is not None]
    floats = [name for name, dtype in table.schema.items() if str(dtype) == "Float64"]
    rows += [broken_row(table, {name: bad}) for name in floats for bad in (float("nan"), float("inf"))]
    assert found_in_row(table, "out_of_bounds", valid_row(table), *rows) == (
        {subject_of(table): len(rows)} if rows else {}
    )


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_contract_s_allowed_values_are_enforced(table, found_in_row):
    rows = [broken_row(table, {c.name: "别的"}) for c in table.columns if c.values]
    assert found_in_row(table, "not_allowed", valid_row(table), *rows) == (
        {subject_of(table): len(rows)} if rows else {}
    )


OPTIONAL = [table for table in TABLES if not is_core(table)]
CORE = [table for table in TABLES if is_core(table)]


def test_optional_kind_whose_columns_drifted_is_reported_and_read_as_empty():
    with market() as con:
        for table in OPTIONAL:
            con.execute(f'alter table {table.name} drop column "{table.columns[-1].name}"')
            con.execute(f'alter table {table.name} alter "{table.columns[0].name}" type varchar[] using null')
        with scope(con, RUN):
            drift = {table.name: measure(con, CHECKS[table.name, "columns_and_types"], RUN) for table in OPTIONAL}
    assert {name: hits(measured) for name, measured in drift.items()} == {t.name: {"*": 2} for t in OPTIONAL}


@pytest.mark.parametrize("table", CORE, ids=lambda table: table.name)
def test_core_table_whose_columns_drifted_stops_the_run_and_names_them(table):
    column = table.columns[-1].name
    with market() as con:
        con.execute(f"alter table {table.name} drop column {column}")
        with pytest.raises(DataRejected, match=f"{table.name}（{column}"), scope(con, RUN):
            pass


def test_missing_table_stops_the_run():
    with market() as con:
        con.execute("drop table staging.margins")
        with pytest.raises(DataRejected, match=r"staging\.margins"), scope(con, RUN):
            pass


def dated(column: str) -> list:
    return [t for t in TABLES if column in t.schema and (column != "trade_date" or t.name != "staging.trade_dates")]


@pytest.mark.parametrize("table", dated("published_at"), ids=lambda table: table.name)
def test_row_published_after_its_fetch_or_after_the_cutoff_is_found(table, found_in_row):
    late = broken_row(table, {"published_at": published(LAST), "fetched_at": published(LAST, 14)})
    future = broken_row(table, {"published_at": published(LAST, 21), "fetched_at": published(LAST, 22)})
    assert found_in_row(table, "published_after_fetch", valid_row(table), late) == {subject_of(table): 1}
    assert found_in_row(table, "published_after_cutoff", valid_row(table), future) == {subject_of(table): 1}


@pytest.mark.parametrize("table", dated("trade_date"), ids=lambda table: table.name)
def test_row_on_a_saturday_or_in_the_future_is_found(table, found_in_row):
    saturday = broken_row(table, {"trade_date": SESSIONS[-1] - timedelta(days=6)})
    future = broken_row(table, {"trade_date": CALENDAR.following(SESSION)})
    assert found_in_row(table, "off_session", valid_row(table), saturday) == {subject_of(table): 1}
    assert found_in_row(table, "ahead_of_session", valid_row(table), future) == {A: 1}


def test_mart_may_reach_beyond_the_run_s_session():
    with market() as con:
        add(con, PRICE_FACTS, [{**valid_row(PRICE_FACTS), "trade_date": CALENDAR.following(SESSION)}])
        with scope(con, RUN):
            assert hits(measure(con, CHECKS["marts.price_facts", "ahead_of_session"], RUN)) == {}


# Zero rows never pass (fault R3).


@pytest.mark.parametrize("name", ["instruments", "daily_bars", "valuations"])
def test_stock_without_rows_is_named(name, found):
    assert hits(found(f"staging.{name}", "no_rows", f"delete from staging.{name} where symbol = '{A}'")) == {A: 1}


@pytest.mark.parametrize("name", ["adjusted_bars", "valuation_percentiles", "price_facts"])
def test_stock_without_mart_rows_is_named(name, found):
    assert hits(found(f"marts.{name}", "no_rows", f"delete from marts.{name} where symbol = '{A}'")) == {A: 1}


def test_kind_that_answered_ok_and_has_no_rows_fails_and_no_record_explains_it(found):
    fetch = (
        "insert into raw.fetches (batch_id, kind, symbol, vendor, status, fetched_at) "
        f"values ('b', 'news', '{A}', 'eastmoney', '{{}}', '{LAST}')"
    )
    assert hits(found("staging.news", "no_rows", "delete from staging.news", fetch.format("OK"))) == {"*": 1}
    assert hits(found("staging.news", "no_rows", "delete from staging.news", fetch.format("NO_DATA"))) == {}
    assert hits(found("staging.news", "no_rows", fetch.format("OK"))) == {}
    assert FETCHES.name == "raw.fetches"


# The finer points of single checks.


def test_halts_raise_no_gap_alarm_with_flat_rows_or_without_rows(found):
    assert hits(found("staging.daily_bars", "missing_sessions")) == {}
    assert hits(found("staging.adjust_factors", "steps_off")) == {}


def test_gap_whose_next_previous_close_moved_is_missing_data_and_each_session_is_named(found):
    gone = ", ".join(f"'{day}'" for day in SESSIONS[30:32])
    measured = found(
        "staging.daily_bars",
        "missing_sessions",
        f"delete from staging.daily_bars where symbol = '{A}' and trade_date in ({gone})",
    )
    assert [row["trade_date"] for row in measured.rows[A]] == [SESSIONS[31], SESSIONS[30]]


def test_gap_with_a_halt_on_record_is_explained(found):
    measured = found(
        "staging.daily_bars",
        "missing_sessions",
        f"delete from staging.daily_bars where symbol = '{A}' and trade_date = '{SESSIONS[30]}'",
        "insert into staging.suspensions (symbol, start_date, end_date) "
        f"values ('{A}', '{SESSIONS[30]}', '{SESSIONS[30]}')",
    )
    assert hits(measured) == {}


def test_halted_stock_without_bars_is_not_stale_while_its_halt_is_on_record(found):
    changes = [
        f"delete from staging.daily_bars where symbol = '{A}' and trade_date >= '{SESSIONS[-3]}'",
        f"insert into staging.suspensions (symbol, start_date) values ('{A}', '{SESSIONS[-3]}')",
    ]
    assert hits(found("staging.daily_bars", "stale_sessions", *changes)) == {}
    assert hits(found("staging.daily_bars", "stale_sessions", changes[0])) == {A: 3}


def test_step_of_another_vendor_s_factor_is_named_with_both_vendors(found):
    measured = found("staging.adjust_factors", "unconfirmed_steps", *BARS_OF_ANOTHER_VENDOR)
    assert [row["trade_date"] for row in measured.rows[A]] == [EX_DATE]
    assert "因子来自 baostock，日线来自 eastmoney" in measured.rows[A][0]["note"]


def test_previous_close_on_the_bar_leaves_the_step_to_be_judged_by_it(found):
    measured = found("staging.adjust_factors", "unconfirmed_steps", BARS_OF_ANOTHER_VENDOR[0].split(",")[0])
    assert hits(measured) == {}


@pytest.mark.parametrize(("bonus", "is_borne_out"), [(0.25, True), (0.2, False)])
def test_step_of_another_vendor_s_factor_is_borne_out_by_the_issue_of_that_day(found, bonus, is_borne_out):
    issue = (
        "insert into staging.corporate_actions (symbol, ex_date, cash_cny, bonus_ratio, rights_ratio) "
        f"values ('{A}', '{EX_DATE}', 0, {bonus}, 0)"
    )
    check = ("staging.adjust_factors", "unconfirmed_steps")
    measured = found(*check, *BARS_OF_ANOTHER_VENDOR, issue)
    assert hits(measured) == ({} if is_borne_out else {A: 1})


def test_bars_and_factors_of_one_vendor_need_no_second_witness(found):
    silent = "update staging.daily_bars set previous_close_cny = null"
    assert hits(found("staging.adjust_factors", "unconfirmed_steps", silent)) == {}


def test_ex_date_without_its_factor_is_caught_before_a_crash_can_reach_a_mart(found):
    measured = found("staging.adjust_factors", "steps_off", "delete from staging.adjust_factors")
    assert [row["trade_date"] for row in measured.rows[A]] == [EX_DATE]


def test_event_that_moved_no_price_is_caught_by_the_exchange_s_previous_close(found):
    event = (
        f"insert into staging.adjust_factors (symbol, ex_date, backward_factor) values ('{D}', '{SESSIONS[8]}', 1.3)"
    )
    assert hits(found("staging.adjust_factors", "steps_off", event)) == {D: 1}


def test_ex_date_inside_a_halt_is_carried_to_the_resumption(found):
    resumed = SESSIONS[13]
    changes = [
        f"insert into staging.adjust_factors (symbol, ex_date, backward_factor) values ('{B}', '{HALT[1]}', 2.0)",
        "update staging.daily_bars set previous_close_cny = round(previous_close_cny / 2, 2) "
        f"where symbol = '{B}' and trade_date = '{resumed}'",
    ]
    assert hits(found("staging.adjust_factors", "steps_off", *changes)) == {}
    assert hits(found("staging.daily_bars", "missing_sessions", *changes)) == {}


def price(close: float, before: float = 10.0, symbol: str = A, day=LAST) -> str:
    values = f"close_cny = {close}, open_cny = {close}, high_cny = {close}, low_cny = {close}"
    return set_("staging.daily_bars", f"{values}, previous_close_cny = {before}", symbol, day)


@pytest.mark.parametrize(
    ("close", "before", "symbol", "is_broken"),
    [
        (1.16, 1.05, A, False), (1.17, 1.05, A, True), (11.00, 10.0, A, False), (11.01, 10.0, A, True),
        (9.00, 10.0, A, False), (8.99, 10.0, A, True), (11.99, 10.0, B, False), (12.01, 10.0, B, True),
        (12.00, 10.0, D, False), (7.99, 10.0, D, True), (0.05, 0.04, A, False), (0.06, 0.04, A, True),
    ],
)  # fmt: skip
def test_limit_is_a_price_of_the_board(close, before, symbol, is_broken, found):
    assert bool(hits(found("staging.daily_bars", "beyond_limit", price(close, before, symbol)))) is is_broken


def test_st_stock_has_five_percent_by_its_dated_flag(found):
    dated_st = set_("staging.daily_bars", "is_st = true")
    assert hits(found("staging.daily_bars", "beyond_limit", price(10.6), dated_st)) == {A: 1}
    assert hits(found("staging.daily_bars", "beyond_limit", price(10.6))) == {}


def test_st_flag_of_the_company_reaches_back_only_to_its_publication(found):
    no_flags = f"update staging.daily_bars set is_st = null where symbol = '{A}'"
    flagged = f"update staging.instruments set is_st = true, published_at = '{SESSIONS[25]}' where symbol = '{A}'"
    before, after = price(10.6, 10.0, A, SESSIONS[24]), price(10.6, 10.0, A, SESSIONS[26])
    assert hits(found("staging.daily_bars", "beyond_limit", no_flags, flagged, before)) == {}
    assert hits(found("staging.daily_bars", "beyond_limit", no_flags, flagged, after)) == {A: 1}


def test_first_five_sessions_of_a_new_listing_are_free_and_the_sixth_is_not(found):
    listed = f"update staging.instruments set listed_date = '{SESSIONS[-6]}' where symbol = '{A}'"
    assert hits(found("staging.daily_bars", "beyond_limit", listed, price(28.0, 10.0, A, SESSIONS[-2]))) == {}
    assert hits(found("staging.daily_bars", "beyond_limit", listed, price(28.0, 10.0, A, LAST))) == {A: 1}


def test_ordinary_resumption_keeps_the_limit_and_a_relisting_announced_lifts_it(found):
    resumed = SESSIONS[13]
    jump = price(28.0, 10.0, B, resumed)
    filing = (
        "update staging.announcements set title = '关于公司股票恢复上市的公告', "
        f"published_at = '{SESSIONS[9]}' where announcement_id = '{B}-1'"
    )
    assert hits(found("staging.daily_bars", "beyond_limit", jump)) == {B: 1}
    assert hits(found("staging.daily_bars", "beyond_limit", jump, filing)) == {}


def test_shares_and_lots_mixed_up_are_caught_as_in_fault_p7(found):
    bar = "volume_shares = 801234, amount_cny = 761172300, low_cny = 9.40, high_cny = 9.55"
    assert hits(found("staging.daily_bars", "unit_mismatches", set_("staging.daily_bars", bar))) == {A: 1}
    fixed = bar.replace("801234", "80123400")
    assert hits(found("staging.daily_bars", "unit_mismatches", set_("staging.daily_bars", fixed))) == {}


def test_volume_rounded_to_whole_lots_is_no_unit_error(found):
    odd = "volume_shares = 200, amount_cny = 249 * 10.0, low_cny = 10.0, high_cny = 10.0"
    assert hits(found("staging.daily_bars", "unit_mismatches", set_("staging.daily_bars", odd))) == {}


def test_vendors_that_agree_to_half_a_cent_do_not_disagree(found):
    same = (
        "insert into raw.daily_bars by name select * replace ('eastmoney' as vendor, close_cny + 0.004 as close_cny) "
        f"from raw.daily_bars where symbol = '{A}' and trade_date = '{LAST}'"
    )
    assert hits(found("staging.daily_bars", "vendor_disagreements", same)) == {}


def test_correction_by_the_same_vendor_is_no_disagreement(found):
    corrected = (
        "insert into raw.daily_bars by name select * replace (close_cny + 1 as close_cny, "
        f"fetched_at + interval 1 hour as fetched_at) from raw.daily_bars where symbol = '{A}'"
    )
    assert hits(found("staging.daily_bars", "vendor_disagreements", corrected)) == {}


def test_pe_forty_against_reported_twelve_is_flagged_as_in_fault_v3(found):
    def reported(profit: float) -> str:
        return (
            "insert into staging.financial_indicators (symbol, report_period, net_profit_cny) "
            f"values ('{A}', '2024-12-31', {profit})"
        )

    valued = set_("staging.valuations", "pe_ttm = 40, market_cap_cny = 12e9")
    assert hits(found("staging.valuations", "off_reported", valued, reported(1e9))) == {A: 1}
    assert hits(found("staging.valuations", "off_reported", valued, reported(0.3e9))) == {}


def test_trailing_profit_is_cumulative_plus_last_year_minus_same_period(found):
    rows = ", ".join(
        f"('{A}', '{period}', {profit})"
        for period, profit in [("2023-09-30", 7e8), ("2023-12-31", 1e9), ("2024-09-30", 9e8)]
    )
    reported = f"insert into staging.financial_indicators (symbol, report_period, net_profit_cny) values {rows}"
    right = set_("staging.valuations", "pe_ttm = 10, market_cap_cny = 12e9")
    wrong = set_("staging.valuations", "pe_ttm = 20, market_cap_cny = 12e9")
    assert hits(found("staging.valuations", "off_reported", reported, right)) == {}
    assert hits(found("staging.valuations", "off_reported", reported, wrong)) == {A: 1}


def test_loss_ranked_as_cheap_is_caught_as_in_fault_v2(found):
    ranked = set_("marts.valuation_percentiles", "pe_ttm_pct_10y = 12", D)
    measured = found("marts.valuation_percentiles", "loss_ranked", ranked)
    assert [(row["name"], row["years"]) for row in measured.rows[D]] == [("pe_ttm", 10)]


def test_former_name_of_a_company_is_not_foreign(found):
    renamed = f"update staging.announcements set name = '上海浦东发展银行' where announcement_id = '{A}-0'"
    assert hits(found("staging.announcements", "foreign_filings", renamed)) == {}


def test_name_with_a_status_mark_or_spaces_is_our_own(found):
    marked = f"update staging.announcements set name = '*ST浦 发 银 行' where announcement_id = '{A}-2'"
    plain = "insert into plain_names values ('*ST浦 发 银 行', '浦发银行')"
    assert hits(found("staging.announcements", "foreign_filings", marked, plain)) == {}


def test_unknown_stranger_among_our_own_filings_is_foreign_unless_the_title_names_us(found):
    stranger = f"update staging.announcements set name = '某某股份' where announcement_id = '{A}-2'"
    titled = f"update staging.announcements set title = '某某股份关于浦发银行的公告' where announcement_id = '{A}-2'"
    assert hits(found("staging.announcements", "foreign_filings", stranger)) == {A: 1}
    assert hits(found("staging.announcements", "foreign_filings", stranger, titled)) == {}


def test_half_loaded_day_is_measured_only_for_lists_of_ten_and_more(found):
    assert found("staging.daily_bars", "rows_vs_previous_pct").values == {"*": 100}
    from dataclasses import replace

    symbols = tuple(f"600{n:03d}.SH" for n in range(1, 13))
    rows = [
        {**valid_row(table_called("staging.daily_bars")), "symbol": symbol, "trade_date": day}
        for n, symbol in enumerate(symbols)
        for day in SESSIONS[-2:]
        if day == BEFORE_LAST or n < 3
    ]
    run = replace(RUN, symbols=symbols)
    with market() as con:
        add(con, table_called("staging.daily_bars"), rows)
        with scope(con, run):
            measured = measure(con, CHECKS["staging.daily_bars", "rows_vs_previous_pct"], run)
    assert measured.values == {"*": 25}


def test_query_that_names_a_subject_nobody_asked_about_is_a_bug():
    check = CHECKS["staging.news", "duplicates"]
    stray = Check(check.measure, "select 'stray' as subject", check.expectation, check.blocks, check.zh)
    with scoped_market() as con, pytest.raises(ValueError, match="stray"):
        measure(con, stray, RUN)


def test_checks_leave_nothing_behind_on_the_connection():
    with market() as con:
        with scope(con, RUN):
            pass
        left = con.execute("select table_name from duckdb_tables() where temporary").fetchall()
        views = con.execute("select view_name from duckdb_views() where temporary and not internal").fetchall()
    assert left + views == []


def test_importing_the_gate_does_not_import_great_expectations():
    import subprocess
    import sys

    code = (
        "import sys, flows.quality.gate; print(sorted({'great_expectations', 'pandas', 'prefect'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
