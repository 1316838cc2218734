"""A claim no metric measures is proved wrong by an announcement of a named kind, by a day."""

from __future__ import annotations

from datetime import date

import pytest

from flows.contracts.packs import FactKind
from flows.contracts.transcripts import Claim, Side
from flows.debate.awaiting import awaited_falsifiers
from flows.debate.bull_bear import PROTOCOL
from flows.debate.state import Record
from tests.unit.debate_fakes import hold
from tests.unit.debate_packs import DAY, C, F, _fact, pack


def claim_on(words: str, side: Side, kind: FactKind = FactKind.ANNOUNCEMENT) -> tuple[Record, Claim]:
    fact = _fact(500, words, "+", C, kind, DAY)
    claim = Claim(
        claim_id="r1-bull-1", turn_no=1, round_no=1, role="bull", side=side, dimension=F, conclusion="公司有现金分红。",
        basis="x", reasoning="x", fact_ids=("E500",), evidence_type="公告",
    )  # fmt: skip
    transcript, _ = hold()
    assert transcript.proposition is not None
    record = Record(
        pack=pack(extra=(fact,)), protocol=PROTOCOL, proposition=transcript.proposition, check=lambda *_: ()
    )  # fmt: skip
    return record, claim


@pytest.mark.parametrize(
    ("words", "side", "said", "due"),
    [
        ("公告《2025年年度权益分派实施公告》", Side.FOR, "不派现金", date(2027, 4, 30)),
        ("公告《关于回购公司股份方案的公告》", Side.FOR, "终止回购", date(2027, 1, 28)),
        ("股东“某集团”增持股份占总股本0.50%", Side.FOR, "减持", date(2027, 1, 28)),
        ("股东“某集团”减持股份占总股本0.50%", Side.AGAINST, "终止减持", date(2027, 1, 28)),
        ("公告《限售股份解除限售上市流通的公告》", Side.AGAINST, "延长锁定", date(2027, 1, 28)),
    ],
)
def test_each_such_matter_names_the_announcement_and_the_day(words: str, side: Side, said: str, due: date) -> None:
    record, claim = claim_on(words, side)
    (found,) = awaited_falsifiers(record, [claim])
    assert said in found.description
    assert found.description.endswith(f"则“公司有现金分红”不再能支持{'多方' if side is Side.FOR else '空方'}")
    assert (found.metric, found.claim_id, found.side, found.due_date) == (None, claim.claim_id, side, due)


@pytest.mark.parametrize(
    ("words", "side", "kind"),
    [
        ("公告《2025年年度权益分派实施公告》", Side.AGAINST, FactKind.ANNOUNCEMENT),
        ("新闻：大股东拟增持", Side.FOR, FactKind.NEWS),
        ("公告《关于涉及诉讼的公告》", Side.AGAINST, FactKind.ANNOUNCEMENT),
    ],
)
def test_other_matters_news_and_the_other_side_await_nothing(words: str, side: Side, kind: FactKind) -> None:
    record, claim = claim_on(words, side, kind)
    assert list(awaited_falsifiers(record, [claim])) == []


def test_numbers_come_before_announcements_and_a_side_with_either_can_be_proved_wrong() -> None:
    transcript, _ = hold()
    for side in Side:
        own = [item for item in transcript.falsifiers if item.side is side]
        assert own
        assert [item.metric is None for item in own] == sorted(item.metric is None for item in own)
    assert not [change for change in transcript.confidence_changes if "证伪" in change.cause]
