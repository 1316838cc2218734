"""What a run is about: watchlists, sessions, cutoffs, ids."""

import re
from datetime import date, datetime
from pathlib import Path

import pytest

from flows.contracts.transcripts import Proposition
from flows.debate.engine import PROTOCOLS as ENGINE_PROTOCOLS
from flows.debate.engine import protocol_named
from flows.desk.plan import (
    PROTOCOLS,
    Review,
    Topic,
    check_model,
    debate_id,
    parse_symbols,
    plan_review,
    read_watchlist,
    session_of,
)
from flows.errors import CalendarUnknown, ConfigurationError, UsageError
from flows.market.sessions import SHANGHAI, load_calendar
from flows.settings import RoleSettings, Settings

NAMES = {"贵州茅台": "600519.SH", "万  科Ａ": "000002.SZ", "XD平安银": "000001.SZ"}
CALENDAR = load_calendar()
SETTINGS = Settings(sources="sample", model="offline")


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=SHANGHAI)


def watchlist(folder: Path, text: str) -> Path:
    path = folder / "w.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_watchlist_takes_codes_names_comments_and_remarks(tmp_path: Path):
    path = watchlist(tmp_path, "\ufeff600519.SH  # 茅台\n\n# 只有注释\nsz000002 万科\n贵州茅台,\n万  科Ａ；\n")
    assert read_watchlist(path, NAMES) == ["600519.SH", "000002.SZ", "600519.SH", "000002.SZ"]


@pytest.mark.parametrize(("line", "says"), [("600519.SZ", "600519"), ("没有的公司", "没有的公司"), ("12345", "12345")])
def test_a_bad_watchlist_line_is_named_with_file_and_number(tmp_path: Path, line: str, says: str):
    path = watchlist(tmp_path, f"600519.SH\n# 注释\n{line}\n")
    with pytest.raises(UsageError, match=f"第 3 行.*{says}"):
        read_watchlist(path, NAMES)


def test_every_bad_line_is_named_at_once(tmp_path: Path):
    path = watchlist(tmp_path, "600519.SZ\n600519.SH\n没有的公司\n12345\n")
    with pytest.raises(UsageError) as refused:
        read_watchlist(path, NAMES)
    told = str(refused.value).splitlines()
    assert [line.partition("：")[0][-5:] for line in told] == ["第 1 行", "第 3 行", "第 4 行"]


def test_every_bad_symbol_of_a_list_is_named_at_once():
    with pytest.raises(UsageError, match=r"(?s)--symbols：.*600519.*--symbols：.*12345"):
        parse_symbols("600519.SZ,000001,12345", NAMES)


def test_no_debate_id_ends_in_what_reads_like_a_number():
    ids = [debate_id("600519.SH", DAY, "bull_bear", SETTINGS, f"v{n}") for n in range(50)]
    assert all(re.search(r"-d[0-9a-f]{8}$", made) for made in ids)


def test_a_list_of_symbols_may_use_either_comma():
    assert parse_symbols("600519，sh600000, 000001", NAMES) == ["600519.SH", "600000.SH", "000001.SZ"]


def planned(as_of: date | None, now: datetime, symbols: tuple[str, ...] = ("600519.SH",), **more: str) -> Review:
    return plan_review(SETTINGS, symbols, as_of=as_of, now=now, calendar=CALENDAR, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("now", "session"),
    [
        (at(27, 17, 29), date(2026, 11, 26)),
        (at(27, 17, 30), date(2026, 11, 27)),
        (at(28, 12), date(2026, 11, 27)),
        (at(30, 9), date(2026, 11, 27)),
    ],
)
def test_without_a_date_the_newest_session_whose_bars_are_out_is_taken(now: datetime, session: date):
    review = planned(None, now)
    assert (review.trade_date, review.as_of, review.now) == (session, session, now)


def test_a_past_day_is_seen_as_of_its_own_midnight():
    review = planned(date(2026, 11, 25), at(27, 20))
    assert review.trade_date == date(2026, 11, 25)
    assert review.now == datetime(2026, 11, 25, 23, 59, 59, tzinfo=SHANGHAI)


def test_today_is_seen_as_of_now():
    assert planned(date(2026, 11, 27), at(27, 20)).now == at(27, 20)


@pytest.mark.parametrize(
    ("as_of", "says"),
    [
        (date(2026, 11, 28), "2026-11-27"),
        (date(2026, 12, 1), "还没有到"),
        (date(2026, 11, 27), "还没有公布.*2026-11-26"),
    ],
)
def test_a_day_without_bars_is_refused_with_the_day_to_take(as_of: date, says: str):
    with pytest.raises(UsageError, match=says):
        session_of(as_of, at(27, 17, 0), CALENDAR)


def test_a_day_beyond_the_calendar_is_unknown_not_closed():
    with pytest.raises(CalendarUnknown):
        session_of(date(1980, 1, 2), at(27, 20), CALENDAR)


def test_symbols_are_taken_once_in_their_order():
    assert planned(None, at(27, 20), ("600519.SH", "000001.SZ", "600519.SH")).symbols == ("600519.SH", "000001.SZ")


def test_an_empty_list_is_refused():
    with pytest.raises(UsageError, match="自选股列表是空的"):
        planned(None, at(27, 20), ())


def test_a_protocol_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(UsageError, match="bull_bear、four_stance、direct、both"):
        planned(None, at(27, 20), protocol="shouting")


def test_a_review_may_hold_every_protocol_of_the_engine_that_needs_no_claim():
    held = {name for names in PROTOCOLS.values() for name in names}
    assert held == {name for name in ENGINE_PROTOCOLS if not protocol_named(name).has_target}


def test_a_review_survives_json_with_its_topic():
    made = Proposition(text="传闻属实", window="三个月", scope="公开信息", assumptions=("无",), pack_version="")
    review = planned(None, at(27, 20)).model_copy(update={"topic": Topic(text="听说", proposition=made)})
    assert Review.model_validate_json(review.model_dump_json()) == review


DAY = date(2026, 11, 27)


def test_the_same_question_on_the_same_facts_is_the_same_debate():
    first = debate_id("600519.SH", DAY, "bull_bear", SETTINGS, "v1")
    assert first == debate_id("600519.SH", DAY, "bull_bear", SETTINGS, "v1")
    assert first.startswith("600519.SH-20261127-bull_bear-")


@pytest.mark.parametrize(
    ("settings", "version", "about"),
    [
        (SETTINGS, "v2", ""),
        (SETTINGS, "v1", "另一个命题"),
        (Settings(model="other"), "v1", ""),
        (Settings(model="offline", roles={"judge": RoleSettings(model="big")}), "v1", ""),
    ],
)
def test_other_facts_question_or_models_are_another_debate(settings: Settings, version: str, about: str):
    first = debate_id("600519.SH", DAY, "bull_bear", SETTINGS, "v1")
    assert debate_id("600519.SH", DAY, "bull_bear", settings, version, about) != first


def test_a_model_needs_an_address_and_a_key():
    with pytest.raises(ConfigurationError, match="ZHENGMING_BASE_URL"):
        check_model(Settings(model="gpt"))
    with pytest.raises(ConfigurationError, match="ZHENGMING_API_KEY"):
        check_model(Settings(model="gpt", base_url="http://127.0.0.1:9/v1"))
    check_model(Settings(model="offline"))
