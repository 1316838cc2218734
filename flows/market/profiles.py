"""What differs from market to market, in one place (PRODUCT M12).

Only mainland China is complete. Another market is added by another :class:`MarketProfile`; nothing else may name
a calendar, a currency, a lot or a rule of one market in prose.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time

from flows.errors import UsageError
from flows.market.symbols import Symbol

_CN_RULES = """\
A 股市场规则：
- 交易时间 9:30–11:30、13:00–15:00（9:15–9:25 开盘集合竞价），只在交易所交易日；价格单位为元，最小变动 0.01 元。
- T+1：当日买入的股票次一交易日才能卖出；主板、创业板、北交所以 100 股为一手，科创板单笔不少于 200 股。
- 涨跌停价 = 前收盘价 ×（1 ± 幅度），四舍五入到分：主板 10%（ST 股 2026-07-06 起由 5% 改为 10%），\
科创板、创业板 20%，北交所 30%。
- 不设涨跌幅：主板、科创板、创业板上市后前 5 个交易日，北交所上市首日，重新上市首日，退市整理期首日。
- 除权除息日的前收盘价是交易所计算的除权参考价；停牌日没有成交，其价格与估值只是沿用。
- 财报按 1–9 月等累计口径披露；季度数据须由累计数相减得到，不得混用。"""


@dataclass(frozen=True)
class MarketProfile:
    """Rules of one market that other rooms need.

    Attributes:
        code: ``CN``, ``HK`` or ``US``.
        calendar_name: Name in ``exchange_calendars``.
        time_zone: IANA name.
        session_times: Continuous trading, local time, (open, close) pairs.
        call_auction: Opening call auction, local time.
        currency: ISO 4217.
        lot_shares: Smallest buy order by board, shares.
        tick: Smallest price step, in the currency.
        exchanges: Exchange suffixes of canonical symbols.
        prompt: Paragraph on the market's rules for a prompt, in Chinese.
    """

    code: str
    calendar_name: str
    time_zone: str
    session_times: tuple[tuple[time, time], ...]
    call_auction: tuple[time, time]
    currency: str
    lot_shares: dict[str, int]
    tick: float
    exchanges: frozenset[str]
    prompt: str


CN = MarketProfile(
    code="CN",
    calendar_name="XSHG",
    time_zone="Asia/Shanghai",
    session_times=((time(9, 30), time(11, 30)), (time(13, 0), time(15, 0))),
    call_auction=(time(9, 15), time(9, 25)),
    currency="CNY",
    lot_shares={"main": 100, "chinext": 100, "star": 200, "bse": 100},
    tick=0.01,
    exchanges=frozenset({"SH", "SZ", "BJ"}),
    prompt=_CN_RULES,
)

PROFILES: dict[str, MarketProfile] = {"CN": CN}


def profile_of(symbol: Symbol) -> MarketProfile:
    """The profile of the market *symbol* trades in; UsageError for a market that has none."""
    for profile in PROFILES.values():
        if symbol.exchange in profile.exchanges:
            return profile
    raise UsageError(f"{symbol.canonical}：目前只支持沪深北 A 股市场")
