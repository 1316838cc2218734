"""What has no data stands in the pack as a sentinel with its status (PRODUCT E8).

没有记录 (asked, the answer is none) and 查询失败 (could not ask) are different statements and never share
a wording. Messages are ours, by status: an upstream's own text is untrusted and differs from run to run,
and the fact-base version must not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from flows.contracts.packs import Fact, Missing
from flows.evidence.outside import WINDOWS, words_of_absence
from flows.evidence.reading import Scope, select

#: Kinds a pack is made of, in the order of its sections, with the name a reader sees.
KIND_ZH: dict[str, str] = {
    "daily_bars": "日线行情",
    "valuations": "估值",
    "financial_indicators": "财务指标",
    "earnings_forecasts": "业绩预告",
    "corporate_actions": "分红送配",
    "announcements": "公告",
    "filing_texts": "公告正文",
    "holder_trades": "股东增减持",
    "pledges": "股权质押",
    "unlocks": "限售解禁",
    "top_list": "龙虎榜",
    "margins": "融资融券",
    "fund_flows": "资金流向",
    "attention": "人气榜",
    "suspensions": "停复牌",
    "peers": "同业比较",
    "macro": "宏观数据",
    "news": "新闻",
    "sentiment": "新闻情绪",
    "research_reports": "卖方研报",
}

#: Kinds that are no section of their own but may be missing all the same.
_OTHER_ZH = {"instruments": "证券资料", "trade_dates": "交易日历", "adjust_factors": "复权因子"}

NOT_ASKED = "NOT_ASKED"

_WORDS = {
    "NO_DATA": "{kind}：已查询，{window}没有记录。",
    "NOT_READY": "{kind}：尚未到公布时间，有无记录未知，不作推断。",
    "NOT_SUPPORTED": "{kind}：所用来源不提供此类数据，有无记录未知，不作推断。",
    "INVALID_ARGUMENTS": "{kind}：查询失败（参数不被接受），有无记录未知，不作推断。",
    "PERMISSION_DENIED": "{kind}：查询失败（无权限），有无记录未知，不作推断。",
    "RATE_LIMITED": "{kind}：查询失败（被限流），有无记录未知，不作推断。",
    "UPSTREAM_ERROR": "{kind}：查询失败（上游错误），有无记录未知，不作推断。",
    "REJECTED": "{kind}：数据未通过质量检查，已剔除，不作推断。",
    NOT_ASKED: "{kind}：本次没有查询，有无记录未知，不作推断。",
}
_KNOWN_NONE = frozenset({"NO_DATA"})
_KEPT = frozenset({"NO_DATA", "NOT_READY", "NOT_SUPPORTED"})
_EARLIER = "已取得的部分各按自己的日期列出。"


def sentinel(kind: str, status: str, note: str = "") -> Missing:
    """The sentinel of *kind* in our own words."""
    words = _WORDS.get(status, "{kind}：查询失败（{status}），有无记录未知，不作推断。")
    window = str(WINDOWS.get(kind, "")) if status in _KNOWN_NONE else ""
    text = words.format(kind=(KIND_ZH | _OTHER_ZH).get(kind, kind), status=status, window=window)
    return Missing(kind=kind, status=status, message=text + note + _no_gap(kind, status))


def _no_gap(kind: str, status: str) -> str:
    """A stock that never went ex has no factor: nothing is missing then."""
    is_known = kind == "adjust_factors" and status in _KNOWN_NONE
    return "没有除权除息的股票没有复权因子，这不是缺口。" if is_known else ""


def drop_failed(sections: dict[str, list[Fact]], unavailable: Iterable[Missing]) -> None:
    """Empty the sections whose kind failed or was rejected: a status that is not OK allows no inference.

    A kind that is merely not due yet, or asked without a new record, keeps the rows it has. Without the
    factor of an ex-date, adjusted levels and returns would be wrong, so the prices go with it.
    """
    for item in unavailable:
        if item.kind == "adjust_factors" and item.status not in _KNOWN_NONE:
            sections["daily_bars"] = []
        elif item.status not in _KEPT and item.kind in sections:
            sections[item.kind] = []


def sentinels(
    scope: Scope, sections: Mapping[str, Sequence[Fact]], unavailable: Iterable[Missing]
) -> tuple[Missing, ...]:
    """One sentinel per kind without facts, and per kind not complete although facts exist."""
    told = _worst(unavailable)
    result = []
    for kind in KIND_ZH:
        status = told.pop(kind, None)
        if sections.get(kind):
            if status is not None and status not in _KNOWN_NONE:
                result.append(sentinel(kind, status, _EARLIER))
        elif kind == "sentiment":
            result.append(_no_mood(result))
        else:
            result.append(_absent(scope, kind, status or _last_status(scope, kind)))
    result += [sentinel(kind, told[kind]) for kind in sorted(told)]
    return tuple(result)


def _absent(scope: Scope, kind: str, status: str) -> Missing:
    """The sentinel of a kind without facts; 没有记录 is said only where the warehouse holds none."""
    words = words_of_absence(scope, kind) if status in _KNOWN_NONE else None
    return (
        sentinel(kind, status)
        if words is None
        else Missing(kind=kind, status=status, message=f"{KIND_ZH[kind]}：{words}")
    )


def _worst(unavailable: Iterable[Missing]) -> dict[str, str]:
    """One status per kind; a failure outweighs a known none."""
    told: dict[str, str] = {}
    for item in sorted(unavailable, key=lambda item: (item.kind, item.status)):
        if told.get(item.kind, "NO_DATA") in _KNOWN_NONE:
            told[item.kind] = item.status
    return told


def _last_status(scope: Scope, kind: str) -> str:
    """How the kind was last answered, for the symbol or for the whole market; OK without a row is none."""
    rows = select(
        scope.con,
        "select status from raw.fetches where kind = $kind and (symbol = $symbol or symbol is null) "
        "order by fetched_at desc, vendor limit 1",
        {"kind": kind, "symbol": scope.symbol},
    )
    status = rows[0]["status"] if rows else NOT_ASKED
    return "NO_DATA" if status == "OK" else status


def _no_mood(so_far: Sequence[Missing]) -> Missing:
    """Placeholder of PRODUCT E9: without items there is no mood, and none is made up."""
    news = next((item for item in so_far if item.kind == "news"), None)
    status = news.status if news else "NO_DATA"
    text = f"{KIND_ZH['sentiment']}：没有可供统计的新闻条目，不给出情绪判断（占位）。"
    return Missing(kind="sentiment", status=status, message=text)
