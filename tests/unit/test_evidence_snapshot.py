"""The verified snapshot: last valid bar, exact numbers, nothing later than as-of."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.errors import NoData
from flows.evidence.alignment import re_expression_notice
from flows.evidence.snapshot import read_snapshot
from tests.unit.evidence_store import AS_OF, SESSIONS, SYMBOL, TZ, bar, percentile_row, price_row, staged, warehouse

YESTERDAY = SESSIONS[SESSIONS.index(AS_OF) - 1]


def test_last_valid_bar_is_not_the_flat_bar_of_a_suspended_day() -> None:
    with warehouse(bar(YESTERDAY, 9.5), bar(AS_OF, 9.5, volume=0.0), price_row(YESTERDAY, close_cny=9.5)) as con:
        snapshot = read_snapshot(con, SYMBOL, AS_OF)
    assert snapshot.trade_date == YESTERDAY
    assert snapshot.bar.close_cny == 9.5
    assert snapshot.price_facts["close_cny"] == 9.5


def test_bar_is_unadjusted_and_closes_stand_on_the_basis_of_the_last_bar() -> None:
    with warehouse(bar(YESTERDAY, 10.0, factor=0.4), bar(AS_OF, 5.0, factor=0.8)) as con:
        snapshot = read_snapshot(con, SYMBOL, AS_OF)
    assert (snapshot.bar.open_cny, snapshot.bar.close_cny) == (5.0, 5.0)
    assert [close.close_cny for close in snapshot.recent_closes] == [5.0, 5.0]


def test_bar_of_the_day_is_unseen_before_it_is_published() -> None:
    before = datetime(AS_OF.year, AS_OF.month, AS_OF.day, 17, 0, tzinfo=TZ)
    with warehouse(bar(YESTERDAY), bar(AS_OF)) as con:
        assert read_snapshot(con, SYMBOL, AS_OF, before).trade_date == YESTERDAY
        assert read_snapshot(con, SYMBOL, AS_OF).trade_date == AS_OF


def test_loss_and_hole_have_no_percentile_and_keep_their_status() -> None:
    row = percentile_row(
        AS_OF, pe_ttm=-12.5, pe_ttm_status="loss", pe_ttm_pct_3y=None, ps_ttm=None, ps_ttm_status="missing"
    )
    with warehouse(bar(AS_OF), row) as con:
        pe, pb, ps = read_snapshot(con, SYMBOL, AS_OF).multiples
    assert (pe.value, pe.status, pe.percentiles[1].pct) == (-12.5, "loss", None)
    assert (pb.status, pb.percentiles[3].observations) == ("ok", 2400)
    assert (ps.value, ps.status) == (None, "missing")


def test_no_valid_bar_is_no_data() -> None:
    with warehouse(bar(AS_OF, volume=0.0)) as con, pytest.raises(NoData, match="没有任何有效日线"):
        read_snapshot(con, SYMBOL, AS_OF)


@settings(max_examples=12, deadline=None)
@given(offset=st.integers(0, 60), hour=st.integers(0, 23))
def test_nothing_published_later_changes_the_snapshot(offset: int, hour: int) -> None:
    as_of = AS_OF - timedelta(days=offset)
    cutoff = datetime(as_of.year, as_of.month, as_of.day, hour, 30, tzinfo=TZ)
    days = [day for day in SESSIONS if day >= AS_OF - timedelta(days=90)]
    rows = [bar(day, 10 + day.day / 10, factor=0.5 if day < AS_OF - timedelta(days=30) else 1.0) for day in days]
    rows += [price_row(day, close_cny=10 + day.day / 10) for day in days] + [percentile_row(day) for day in days]
    visible = [
        (name, row)
        for name, row in rows
        if datetime.combine(row["trade_date"], datetime.min.time(), TZ) + timedelta(hours=17.5) <= cutoff
    ]
    with warehouse(*rows) as con:
        everything = read_snapshot(con, SYMBOL, as_of, cutoff)
    with warehouse(*visible) as con:
        assert read_snapshot(con, SYMBOL, as_of, cutoff) == everything
    assert everything.published_at <= cutoff
    assert max(close.trade_date for close in everything.recent_closes) <= as_of


def test_json_of_the_snapshot_is_deterministic() -> None:
    with warehouse(bar(AS_OF), price_row(AS_OF, change_pct=1.0), percentile_row(AS_OF)) as con:
        first, second = (read_snapshot(con, SYMBOL, AS_OF).model_dump_json() for _ in range(2))
    assert first == second


def test_levels_of_an_old_report_are_re_expressed_after_an_ex_date() -> None:
    ex_date = AS_OF - timedelta(days=7)
    factor = staged(
        "adjust_factors", ex_date=ex_date, backward_factor=1.25, published_at=datetime(2026, 11, 20, 18, tzinfo=TZ)
    )
    old = AS_OF - timedelta(days=14)
    with warehouse(bar(old, 10.0), bar(AS_OF, 8.0), factor) as con:
        notice = re_expression_notice(con, SYMBOL, old, AS_OF)
        assert re_expression_notice(con, SYMBOL, ex_date, AS_OF) is None
    assert notice is not None
    assert "旧收盘价10.00元×0.800000＝8.00元" in notice


def test_an_ex_date_after_as_of_changes_nothing() -> None:
    later = staged("adjust_factors", ex_date=date(2026, 12, 1), backward_factor=2.0)
    with warehouse(bar(AS_OF, 10.0), later) as con:
        assert re_expression_notice(con, SYMBOL, AS_OF - timedelta(days=30), AS_OF) is None
