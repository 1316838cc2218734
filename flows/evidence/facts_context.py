"""Facts around the company: peers of its industry and macro indicators."""

from __future__ import annotations

from statistics import fmean

from flows.contracts.packs import Dimension, Fact, Polarity
from flows.contracts.units import Unit
from flows.evidence.drafts import Origin, measured, origin_of, quote
from flows.evidence.freshness import freshness_of
from flows.evidence.phrasing import directed, say
from flows.evidence.reading import Row, Scope
from flows.evidence.snapshot import Snapshot
from flows.market.sessions import SHANGHAI

_MIN_PEERS = 3
_AGAINST = ("较行业平均高", "较行业平均低", "与行业平均持平")
_SHOWN_PEERS = 3
_TITLES = {"pe_ttm": "市盈率(TTM)", "pb": "市净率"}
#: Why a peer's multiple does not count: it is not positive or not known.
_LEFT_OUT = {"pe_ttm": "亏损或缺数", "pb": "净资产为负或缺数"}
_MACRO_ZH = {
    "PMI": "制造业采购经理指数（PMI）",
    "PMI_NON_MANUFACTURING": "非制造业商务活动指数",
    "CPI": "居民消费价格同比（CPI）",
    "PPI": "工业生产者出厂价格同比（PPI）",
    "LPR1Y": "一年期贷款市场报价利率（LPR）",
    "LPR5Y": "五年期以上贷款市场报价利率（LPR）",
    "M2": "广义货币同比（M2）",
}


def peer_facts(scope: Scope, snapshot: Snapshot | None) -> list[Fact]:
    """Mean multiples over the peers that have a positive one (n is stated), and our distance to them."""
    rows = [row for row in scope.visible("peers") if row["peer_symbol"] != scope.symbol]
    if not rows:
        return []
    newest = max(row["trade_date"] for row in rows)
    rows = [row for row in rows if row["trade_date"] == newest]
    return [fact for name in _TITLES for fact in _mean_facts(name, rows, scope, snapshot)]


def _mean_facts(name: str, rows: list[Row], scope: Scope, snapshot: Snapshot | None) -> list[Fact]:
    values = [row[name] for row in rows if row[name] is not None and row[name] > 0]
    if len(values) < _MIN_PEERS:
        return [_too_few(name, len(values), rows, scope)]
    first = rows[0]
    day = first["trade_date"]
    origin = _origin(rows, scope)
    mean = fmean(values)
    level = say(mean, Unit.MULTIPLE)
    left_out = f"，另有{len(rows) - len(values)}家{_LEFT_OUT[name]}不计" if len(values) < len(rows) else ""
    words = f"行业平均（{first['industry']}）{_TITLES[name]}为{level}（可比公司{len(values)}家的均值{left_out}）"
    facts = [_industry_level(name, mean, words, origin)]
    facts += [_peer_level(name, row, origin) for row in rows if row[name] in values][
        : _SHOWN_PEERS if name == "pe_ttm" else 0
    ]
    own = _own_multiple(name, snapshot, day)
    if own is not None and own > 0:
        premium = round((own / mean - 1) * 100, 8)
        words = f"{_TITLES[name]}{directed(premium, Unit.PCT, *_AGAINST)}（可比公司{len(values)}家）"
        facts.append(measured(f"peers.{name}_premium_pct", premium, words, origin, subject=scope.symbol))
    return facts


def _origin(rows: list[Row], scope: Scope) -> Origin:
    """Rows of one day; the section is visible once its last row is."""
    day = rows[0]["trade_date"]
    visible_from = max(row["published_at"] for row in rows)
    fresh = freshness_of("peers", day, scope)
    return origin_of({**rows[0], "published_at": visible_from}, "同业比较", day, freshness=fresh)


def _too_few(name: str, count: int, rows: list[Row], scope: Scope) -> Fact:
    """An average that is not given is said, with the number of peers that have the multiple."""
    words = (
        f"同行业可比公司{len(rows)}家中{_TITLES[name]}为正的仅{count}家，不足{_MIN_PEERS}家，"
        f"不给出行业平均{_TITLES[name]}"
    )
    return measured("peers.obs", count, words, _origin(rows, scope), subject=scope.symbol)


def _industry_level(name: str, mean: float, words: str, origin: Origin) -> Fact:
    """The average is a fact about the industry: same metric, other subject."""
    return measured(
        name, mean, words, origin,
        subject="行业平均", dimension=Dimension.INDUSTRY, polarity=Polarity.NEUTRAL,
    )  # fmt: skip


def _peer_level(name: str, row: Row, origin: Origin) -> Fact:
    peer = quote(row["peer_name"], 20).text
    words = f"同行业公司{peer}（{row['peer_symbol']}）{_TITLES[name]}为{say(row[name], Unit.MULTIPLE)}"
    return measured(
        name, row[name], words, origin,
        subject=peer, dimension=Dimension.INDUSTRY, polarity=Polarity.NEUTRAL,
    )  # fmt: skip


def _own_multiple(name: str, snapshot: Snapshot | None, day: object) -> float | None:
    """Our multiple of the peers' own day; multiples of different days are not compared."""
    multiples = snapshot.multiples if snapshot else ()
    return next((m.value for m in multiples if m.name == name and m.trade_date == day), None)


def macro_facts(scope: Scope) -> list[Fact]:
    """Latest visible value of each macro indicator."""
    latest: dict[str, Row] = {}
    for row in scope.visible("macro"):
        if row["indicator"] not in latest or row["period"] > latest[row["indicator"]]["period"]:
            latest[row["indicator"]] = row
    return [_macro(latest[name], scope) for name in sorted(latest)]


def _macro(row: Row, scope: Scope) -> Fact:
    unit = Unit.INDEX if row["unit"] == "index" else Unit.PCT
    month = f"{row['period'].year}年{row['period'].month}月"
    name = row["indicator"]
    shown = row["published_at"].astimezone(SHANGHAI).date()
    origin = origin_of(
        row, "宏观数据", min(row["period"], shown),
        industry=scope.identity.industry, said=f"{shown.isoformat()}公布",
    )  # fmt: skip
    words = f"{month}{_MACRO_ZH.get(name, name)}为{say(row['value'], unit)}"
    return measured(
        f"macro.{name}", row["value"], words, origin,
        unit=unit, dimension=Dimension.POLICY, period=month,
    )  # fmt: skip
