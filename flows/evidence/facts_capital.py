"""Facts of holders, trading lists, margin, flows, attention and halts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from flows.contracts.packs import Fact, FactKind, Polarity
from flows.contracts.units import Unit
from flows.evidence.drafts import measured, origin_of, quote
from flows.evidence.freshness import freshness_of
from flows.evidence.phrasing import directed, say
from flows.evidence.reading import Row, Scope
from flows.evidence.rules import rule_for

_SHARES_OF_TURNOVER = ("净流入占同期成交额", "净流出占同期成交额", "净额占同期成交额")
#: Days after and before as-of inside which an unlock is a fact.
UPCOMING_DAYS = 180
PAST_DAYS = 90


def pledge_facts(scope: Scope) -> list[Fact]:
    """Latest weekly pledge ratio."""
    rows = scope.visible("pledges", days=90)
    if not rows:
        return []
    row = max(rows, key=lambda row: row["trade_date"])
    origin = origin_of(row, "股权质押", row["trade_date"])
    words = f"股份质押比例为{say(row['pledge_ratio_pct'], Unit.PCT)}"
    return [measured("pledge_ratio_pct", row["pledge_ratio_pct"], words, origin, subject=scope.symbol)]


def holder_trade_facts(scope: Scope) -> list[Fact]:
    """Increases and reductions of 180 days, newest notice first; the holder's name is data."""
    return [fact for row in reversed(scope.visible("holder_trades", days=180)) for fact in _holder_trade(row, scope)]


def _holder_trade(row: Row, scope: Scope) -> Iterator[Fact]:
    holder = quote(row["holder"], 40)
    done = row["end_date"] or row["notice_date"]
    start = row["start_date"]
    when = f"{start.isoformat()}至{done.isoformat()}" if start and start < done else f"于{done.isoformat()}"
    origin = origin_of(row, "股东增减持", min(done, scope.as_of), said=f"{row['notice_date'].isoformat()}公告")
    common = {
        "subject": scope.symbol, "kind": FactKind.ANNOUNCEMENT, "flags": holder.flags,
        "polarity": Polarity.POSITIVE if row["direction"] == "增持" else Polarity.NEGATIVE,
        "period": done.isoformat(),
    }  # fmt: skip
    words = f"股东“{holder.text}”{when}{row['direction']}{say(row['changed_shares'], Unit.SHARES)}"
    yield measured("holder_trades.changed_shares", row["changed_shares"], words, origin, **common)
    if row["changed_pct"] is not None:
        words = f"股东“{holder.text}”{row['direction']}股份占总股本{say(row['changed_pct'], Unit.PCT)}"
        yield measured("holder_trades.changed_pct", row["changed_pct"], words, origin, **common)


def unlock_facts(scope: Scope) -> list[Fact]:
    """Unlocks from 90 days before to 180 days after as-of, nearest date first."""
    rows = [
        row for row in scope.visible("unlocks")
        if -PAST_DAYS <= (row["unlock_date"] - scope.as_of).days <= UPCOMING_DAYS
    ]  # fmt: skip
    rows.sort(key=lambda row: (row["unlock_date"], row["share_type"]))
    return [fact for row in rows for fact in _unlock(row, scope)]


def _unlock(row: Row, scope: Scope) -> Iterator[Fact]:
    day: date = row["unlock_date"]
    verb = "将解禁" if day > scope.as_of else "已解禁"
    kind = quote(row["share_type"], 30).text
    origin = origin_of(row, "限售解禁", min(day, scope.as_of))
    common = {"subject": scope.symbol, "period": day.isoformat()}
    words = f"{day.isoformat()}{verb}{kind}{say(row['unlocked_shares'], Unit.SHARES)}"
    yield measured("unlocks.unlocked_shares", row["unlocked_shares"], words, origin, **common)
    if row["unlocked_pct"] is not None:
        words = f"{day.isoformat()}{verb}{kind}占总股本{say(row['unlocked_pct'], Unit.PCT)}"
        yield measured("unlocks.unlocked_pct", row["unlocked_pct"], words, origin, **common)


def top_list_facts(scope: Scope) -> list[Fact]:
    """龙虎榜 rows of 180 days, newest first; a three-day row is said to be a three-day sum."""
    facts = []
    for row in reversed(scope.visible("top_list", days=180)):
        if row["net_buy_cny"] is None:
            continue
        window = "当日" if row["window_sessions"] == 1 else f"连续{row['window_sessions']}个交易日合计"
        reason = quote(row["reason"], 60)
        net = directed(row["net_buy_cny"], Unit.CNY, "净买入", "净卖出", "净额持平")
        origin = origin_of(row, "龙虎榜", row["trade_date"])
        words = f"龙虎榜（{reason.text}）上榜席位{window}{net}"
        facts.append(
            measured("top_list.net_buy_cny", row["net_buy_cny"], words, origin,
                     subject=scope.symbol, period=window, flags=reason.flags)
        )  # fmt: skip
    return facts


def margin_facts(scope: Scope) -> list[Fact]:
    """Latest financing balance and its change over five sessions."""
    rows = [row for row in scope.visible("margins", days=60) if row["margin_balance_cny"] is not None]
    rows.sort(key=lambda row: row["trade_date"])
    if not rows:
        return []
    last = rows[-1]
    origin = origin_of(
        last, "融资融券", last["trade_date"], freshness=freshness_of("margins", last["trade_date"], scope)
    )
    words = f"融资余额为{say(last['margin_balance_cny'], Unit.CNY)}"
    facts = [measured("margin_balance_cny", last["margin_balance_cny"], words, origin, subject=scope.symbol)]
    if len(rows) > 5 and rows[-6]["margin_balance_cny"] > 0:
        change = round((last["margin_balance_cny"] / rows[-6]["margin_balance_cny"] - 1) * 100, 8)
        words = f"融资余额较5个交易日前{directed(change, Unit.PCT, '增加', '减少')}"
        field = "margins.balance_change_5d_pct"
        facts.append(measured(field, change, words, origin, subject=scope.symbol, period="近5日"))
    return facts


def fund_flow_facts(scope: Scope) -> list[Fact]:
    """Net flow of large orders, last session and five sessions: the vendor's own estimate.

    One session is noise and five are signed only where they are a visible share of what was traded.
    """
    rows = sorted(scope.visible("fund_flows", days=60), key=lambda row: row["trade_date"])
    if not rows:
        return []
    last = rows[-1]
    fresh = freshness_of("fund_flows", last["trade_date"], scope)
    origin = origin_of(last, "资金流向估算", last["trade_date"], freshness=fresh)
    words = f"主力资金当日{directed(last['main_net_cny'], Unit.CNY, '净流入', '净流出', '净流入持平')}"
    facts = [measured("main_net_cny", last["main_net_cny"], words, origin, subject=scope.symbol, period="当日")]
    if len(rows) >= 5:
        total = sum(row["main_net_cny"] for row in rows[-5:])
        words = f"主力资金近5日合计{directed(total, Unit.CNY, '净流入', '净流出', '净流入持平')}"
        share = _share_of_turnover(total, [row["trade_date"] for row in rows[-5:]], scope)
        shown = {"subject": scope.symbol, "period": "近5日"}
        side = rule_for("fund_flows.main_net_5d_share_pct").polarity(share or 0.0)
        facts.append(measured("fund_flows.main_net_5d_cny", total, words, origin, polarity=side, **shown))
        if share is not None:
            words = f"主力资金近5日{directed(share, Unit.PCT, *_SHARES_OF_TURNOVER)}"
            facts.append(measured("fund_flows.main_net_5d_share_pct", share, words, origin, **shown))
    return facts


def _share_of_turnover(net_cny: float, days: list[date], scope: Scope) -> float | None:
    """*net_cny* in percent of what was traded on *days*, CNY; None unless the amount of each day is known."""
    amounts = [row["amount_cny"] for row in scope.visible("daily_bars", days=30) if row["trade_date"] in days]
    if len(amounts) < len(days) or any(amount is None for amount in amounts):
        return None
    return round(net_cny / sum(amounts) * 100, 8) if sum(amounts) > 0 else None


def attention_facts(scope: Scope) -> list[Fact]:
    """Rank on the popularity list: the retail view, without direction."""
    rows = scope.visible("attention", days=30)
    if not rows:
        return []
    row = max(rows, key=lambda row: row["trade_date"])
    fresh = freshness_of("attention", row["trade_date"], scope)
    origin = origin_of(row, "人气榜", row["trade_date"], freshness=fresh)
    words = f"个股人气排名为{say(row['popularity_rank'], Unit.RANK)}"
    return [measured("popularity_rank", row["popularity_rank"], words, origin, subject=scope.symbol)]


def suspension_facts(scope: Scope) -> list[Fact]:
    """Trading halts of a year, newest first."""
    rows = [row for row in reversed(scope.visible("suspensions", days=365)) if row["start_date"] <= scope.as_of]
    return [_suspension(row, scope) for row in rows]


def _suspension(row: Row, scope: Scope) -> Fact:
    start, end = row["start_date"], row["end_date"]
    is_over = end is not None and end <= scope.as_of
    last = end if is_over else scope.as_of
    days = (last - start).days + 1
    reason = quote(row["reason"], 60)
    why = f"（{reason.text}）" if reason.text else ""
    words = f"{start.isoformat()}起停牌{why}，截至当日未见复牌，已历时{days}个自然日"
    if is_over:
        words = f"{start.isoformat()}至{end.isoformat()}停牌{why}，历时{days}个自然日"
    if is_over and days == 1:
        words = f"停牌一天{why}"
    side = Polarity.NEUTRAL if last < scope.as_of else Polarity.NEGATIVE
    more = {"subject": scope.symbol, "polarity": side, "flags": reason.flags}
    return measured("suspensions.days", days, words, origin_of(row, "停复牌", start), **more)
