"""Market profile: mainland China complete, other markets refused (PRODUCT M12)."""

from datetime import time

import pytest

from flows.errors import UsageError
from flows.market.profiles import CN, PROFILES, profile_of
from flows.market.symbols import parse_symbol


@pytest.mark.parametrize("code", ["600519", "000001", "920002", "688981"])
def test_every_mainland_stock_has_the_chinese_profile(code):
    assert profile_of(parse_symbol(code)) is CN


def test_hong_kong_has_no_profile_yet():
    with pytest.raises(UsageError, match="A 股"):
        profile_of(parse_symbol("00700.HK"))


def test_chinese_profile_is_complete():
    assert (CN.calendar_name, CN.time_zone, CN.currency, CN.tick) == ("XSHG", "Asia/Shanghai", "CNY", 0.01)
    assert CN.session_times == ((time(9, 30), time(11, 30)), (time(13, 0), time(15, 0)))
    assert set(CN.lot_shares) == {"main", "star", "chinext", "bse"}
    assert list(PROFILES) == ["CN"]


def test_prompt_states_the_rules_a_debate_may_lean_on_and_advises_nothing():
    for rule in ("T+1", "2026-07-06", "20%", "30%", "除权", "累计"):
        assert rule in CN.prompt
    assert not any(word in CN.prompt for word in ("建议", "推荐", "应当买入"))
