"""What is argued about (PRODUCT D5): a stock, a sector or a rumour becomes a sharp proposition."""

from __future__ import annotations

from flows.contracts.packs import Pack
from flows.contracts.transcripts import Claim, Proposition
from flows.debate.metrics import MARKET_HORIZON


def stock_proposition(pack: Pack) -> Proposition:
    """The standing proposition of a scheduled review: the fundamentals carry the present price.

    It needs no model call, is the same for every protocol and day but for its dates, and so makes
    re-debates comparable.
    """
    name = pack.identity.name or pack.symbol
    end = pack.trade_date + MARKET_HORIZON
    return Proposition(
        text=f"{name}已公开的业绩、估值与资金状况，足以支撑其当前股价",
        window=f"{pack.trade_date.isoformat()} 至 {end.isoformat()}",
        scope=f"{pack.symbol}，只限本资料包内的公开信息",
        assumptions=("窗口内没有未公开的重大事件", "已披露的财务口径不变"),
        pack_version=pack.pack_version,
    )


def target_proposition(pack: Pack, target: Claim) -> Proposition:
    """One claim of an earlier debate, put on trial (PRODUCT D3)."""
    end = pack.trade_date + MARKET_HORIZON
    return Proposition(
        text=f"论点“{target.conclusion.rstrip('。')}”成立",
        window=f"{pack.trade_date.isoformat()} 至 {end.isoformat()}",
        scope=f"{pack.symbol}，只审 {target.claim_id} 这一条论点",
        assumptions=("沿用原论点所引的事实", "新增资料与原资料同等核对"),
        pack_version=pack.pack_version,
    )
