"""Freezing a pack behind the gate, on one stock of the sample: what is kept back, what is said."""

from datetime import date, timedelta
from pathlib import Path

import pytest

from flows.contracts.packs import Pack
from flows.desk import packing
from flows.desk.ingest import Ingested, ingest
from flows.desk.plan import Review
from flows.desk.remembering import with_re_expression
from flows.market.sessions import load_calendar
from flows.quality.gate import GateResult
from flows.sources.sample import sample_now
from flows.warehouse import store
from flows.warehouse.database import open_reader, open_writer
from tests.factories import pack as small_pack
from tests.factories import transcript as small_transcript
from tests.unit.desk_room import rows

DAY, WINE = date(2026, 11, 27), "605901.SH"


@pytest.fixture(scope="module")
def order(tmp_path_factory) -> Review:
    """One stock of the sample, fetched and built."""
    data = tmp_path_factory.mktemp("packing")
    made = Review(
        batch_id="b1", flow="post_close", symbols=(WINE,), as_of=DAY, trade_date=DAY, now=sample_now(),
        protocols=("bull_bear",), options={"data_dir": str(data), "sources": "sample"},
    )  # fmt: skip
    ingest(made, lambda _: None, sample_now)
    packing.rebuild(made.settings().database, load_calendar(), made.now)
    return made


def packed(order: Review, **gate: object) -> Pack:
    result = packing.pack(order, Ingested(), GateResult((), **gate))  # type: ignore[arg-type]
    assert result.gated == {}
    return result.packs[WINE]


def missing(pack: Pack) -> dict[str, str]:
    return {item.kind: item.status for item in pack.missing}


def test_a_kind_the_gate_blocks_is_rejected_not_failed_and_its_facts_are_gone(order: Review):
    whole, without = packed(order), packed(order, blocked_kinds={"news": "新闻：重复"})
    assert "news" not in missing(whole)
    assert missing(without)["news"] == "REJECTED"
    [told] = [item.message for item in without.missing if item.kind == "news"]
    assert "未通过质量检查" in told
    assert [f for f in whole.facts if f.sentence.startswith("新闻：")]
    assert not [f for f in without.facts if f.sentence.startswith("新闻：")]
    assert without.pack_version != whole.pack_version


def test_a_kind_kept_back_from_one_stock_is_kept_back_from_no_other(order: Review):
    assert missing(packed(order, withheld={WINE: {"pledges": "质押：比例不合理"}}))["pledges"] == "REJECTED"
    assert "pledges" not in missing(packed(order, withheld={"605902.SH": {"pledges": "质押：比例不合理"}}))


def test_what_the_gate_lets_pass_with_a_remark_is_said_to_the_reader(order: Review):
    pack = packed(order, notices={"*": "全市场的话", WINE: "本股的话", "605902.SH": "别家的话"})
    assert pack.notices[-2:] == ("全市场的话", "本股的话")
    assert pack.pack_version == packed(order).pack_version


def test_a_blocked_stock_has_no_pack_but_a_reason(order: Review):
    result = packing.pack(order, Ingested(), GateResult((), blocked={WINE: "行情未更新"}))
    assert (result.packs, result.gated) == ({}, {WINE: "行情未更新"})


def remembered(database: Path, day: date) -> None:
    facts = small_pack(symbol=WINE, trade_date=day)
    debate = small_transcript(debate_id="d-old", symbol=WINE, trade_date=day)
    with open_writer(database) as con:
        store.save_transcript(con, "b0", debate, facts)


def test_a_report_written_before_an_ex_date_is_re_expressed_in_the_next(order: Review):
    database = order.settings().database
    [(ex_date,)] = rows(
        order.settings().data_dir, f"select max(ex_date) from staging.adjust_factors where symbol = '{WINE}'"
    )
    pack = packed(order)
    with open_reader(database, cutoff=order.now) as con:
        assert with_re_expression(con, pack) == pack
    remembered(database, ex_date - timedelta(days=1))
    with open_reader(database, cutoff=order.now) as con:
        [said] = set(with_re_expression(con, pack).notices) - set(pack.notices)
    assert "除权除息" in said
    assert f"按{DAY}的前复权口径" in said
    remembered(database, ex_date)
    with open_reader(database, cutoff=order.now) as con:
        assert with_re_expression(con, pack) == pack
