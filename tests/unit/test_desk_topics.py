"""Whom a topic concerns, what is said of it, and that nothing is spent on one that concerns nobody."""

from datetime import date
from pathlib import Path

import pytest

from flows.contracts.transcripts import Proposition
from flows.debate.proposition import Directory
from flows.desk.plan import Topic
from flows.desk.telling import notices_of, told
from flows.desk.topics import MOST_STOCKS, make_topic, pinned, read_directory, whom_it_concerns, worded
from flows.errors import UsageError
from flows.settings import Settings
from flows.sources.sample import sample_names, sample_now
from flows.truth.compliance import find_advice
from tests.unit.debate_fakes import hold
from tests.unit.debate_packs import pack
from tests.unit.desk_room import ticking

DAY = date(2026, 11, 27)
BANKS = tuple(f"60000{n}.SH" for n in range(5))
DIRECTORY = Directory(
    names={"甲银行": BANKS[0], "乙银行": BANKS[1], "丙材料": "000003.SZ", BANKS[0]: BANKS[0], "000003.SZ": "000003.SZ"},
    industries={"银行": BANKS, "材料": ("000003.SZ",)},
)


@pytest.fixture(scope="module")
def sample() -> Directory:
    return read_directory(Settings(sources="sample"), sample_names(), DAY, sample_now())


@pytest.mark.parametrize(
    ("topic", "symbols"),
    [
        ("新能源车还能不能拿", ("003902.SZ", "302903.SZ")),
        ("光伏还能不能拿", ("003902.SZ", "302903.SZ")),
        ("听说乌有酒业要被收购", ("605901.SH",)),
        ("蜃楼会不会退市", ("001991.SZ",)),
        ("605901 要被收购？", ("605901.SH",)),
        ("白酒怎么样", ("003901.SZ", "605901.SH")),
    ],
)
def test_topics_of_the_sample_find_their_stocks(sample: Directory, topic: str, symbols: tuple[str, ...]):
    assert whom_it_concerns(topic, sample, ()).symbols == symbols


def test_of_a_sector_the_watchlist_comes_first_then_the_code_and_the_rest_is_named():
    concerned = whom_it_concerns("银行还能不能拿", DIRECTORY, ["000003.SZ", BANKS[4], BANKS[2]])
    assert concerned.symbols == (BANKS[4], BANKS[2], BANKS[0])
    assert concerned.left_out == (BANKS[1], BANKS[3])
    assert len(concerned.symbols) == MOST_STOCKS


def test_a_company_named_stands_for_itself_not_for_its_sector():
    assert whom_it_concerns("听说甲银行要被立案", DIRECTORY, BANKS).symbols == (BANKS[0],)


def test_six_digits_of_an_amount_are_no_code():
    with pytest.raises(UsageError):
        whom_it_concerns("利润600000万元算不算多", DIRECTORY, ())


def test_a_topic_about_nobody_known_is_refused_with_what_may_be_asked():
    with pytest.raises(UsageError, match="没有花费任何模型调用") as refused:
        whom_it_concerns("航天还能不能拿", DIRECTORY, ())
    assert "可问的行业：材料、银行" in str(refused.value)
    assert "甲银行" in str(refused.value)


def test_before_the_first_run_the_advice_is_to_run():
    with pytest.raises(UsageError, match="先运行 zhengming review"):
        whom_it_concerns("航天还能不能拿", Directory(), ())


def test_without_a_database_nobody_is_known_and_nothing_is_written(tmp_path: Path):
    found = read_directory(Settings(sources="live", data_dir=tmp_path / "d"), {}, DAY, sample_now())
    assert (dict(found.names), dict(found.industries)) == ({}, {})
    assert not (tmp_path / "d").exists()


def test_the_offline_model_makes_a_topic_sharp_once(tmp_path: Path, sample: Directory):
    settings = Settings(data_dir=tmp_path, sources="sample", model="offline")
    asked = worded("光伏还能不能拿", sample).text
    first, again = (make_topic(settings, asked, sample, DAY, run_id="b1", clock=ticking) for _ in range(2))
    assert "拿" not in first.proposition.text
    assert find_advice(first.proposition.text) == []
    assert first.proposition.window == "2026-11-27 至 2027-02-25"
    assert (first.call.role, first.call.cached, again.call.cached) == ("proposer", False, True)
    assert again.proposition == first.proposition


@pytest.mark.parametrize(
    ("topic", "says"),
    [
        ("听说乌有酒业要被收购，赶紧买入", "传闻所述事项属实"),
        ("机构买入乌有酒业是真的吗", "就“机构买入乌有酒业是真的”而言"),
        ("605901 会不会退市？", "就“605901.SH 会不会退市”而言"),
    ],
)
def test_proposition_repeats_the_topic_uncut_and_without_advice(tmp_path: Path, sample: Directory, topic, says):
    settings = Settings(data_dir=tmp_path, sources="sample", model="offline")
    made = make_topic(settings, worded(topic, sample).text, sample, DAY, run_id="b1", clock=ticking)
    assert says in made.proposition.text
    assert find_advice(made.proposition.text) == []


def test_long_topic_is_cut_at_a_clause_and_the_cut_is_marked(tmp_path: Path, sample: Directory):
    settings = Settings(data_dir=tmp_path, sources="sample", model="offline")
    topic = "乌有酒业" + "，".join(["渠道库存在下降而终端需求在回升"] * 9)
    made = make_topic(settings, worded(topic, sample).text, sample, DAY, run_id="b1", clock=ticking)
    subject = made.proposition.text.split("“")[1].split("”")[0]
    assert subject.endswith("回升…")
    assert topic.startswith(subject[:-1])


def test_advice_is_refused_before_anybody_is_asked(sample: Directory):
    with pytest.raises(UsageError, match="是操作建议，不能辩论"):
        worded("买入605901", sample)


MADE = Topic(
    text="听说甲材料要被收购",
    proposition=Proposition(
        text="传闻属实", window="2026-10-30 至 2027-01-28", scope="甲材料", assumptions=("以公告为准",), pack_version=""
    ),
    kinds=("announcements", "top_list"),
)


def test_a_pinned_proposition_names_its_company_and_its_fact_base():
    made = pinned(MADE, pack())
    assert made.pack_version == pack().pack_version
    assert made.scope == "600000.SH：甲材料"


def test_the_report_says_what_was_argued_and_which_needed_material_is_lacking():
    transcript, _ = hold(proposition=pinned(MADE, pack()))
    noted = transcript.model_copy(
        update={"record": {**transcript.record, "topic": MADE.text, "needed_kinds": list(MADE.kinds)}}
    )
    said = notices_of(pack(), noted)
    assert said[0].startswith("本场命题（由话题拟定）：传闻属实。期限：2026-10-30 至 2027-01-28。")
    assert said[1] == "命题所需的资料中，以下没有取得或没有记录：龙虎榜。"
    assert told(pack(), noted).pack_version == pack().pack_version
    assert notices_of(pack(), transcript) == ()
