"""The embedded sample market (演示数据) as a vendor: offline, with a clock of its own.

Decision: the files lie in the vendors' own shapes and pass through the same normalisers as live answers, so
everything behind the wire is exercised without a network. Nothing published after ``request.now`` leaves.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import cache, partial
from pathlib import Path

import polars as pl

from flows.contracts.envelope import DateStatus, Envelope, Request, Status
from flows.contracts.raw import KIND_RULES, RAW_TABLES
from flows.errors import ConfigurationError
from flows.market.filing_classes import worth_reading
from flows.market.sessions import SHANGHAI, Calendar, due_session, in_force, load_calendar
from flows.sources.readiness import SPARSE, dated, gap_until, pending_until
from flows.sources.shapes import baostock, cninfo, eastmoney, exchanges, sina
from flows.sources.shapes.common import ASKED, midnight

VENDOR = "sample"
ROOT = Path(__file__).resolve().parents[2] / "data" / "sample"
_MARKET_WIDE = frozenset({"instruments", "trade_dates", "macro"})
_MARGIN_LISTS = {"SH": "sse", "SZ": "szse", "BJ": "bse"}
_MACRO = ("macro_china_pmi", "macro_china_cpi", "macro_china_lpr")
_BEIJING = "BJ"
_FILINGS = "akshare/stock_zh_a_disclosure_report_cninfo"

Shape = Callable[[pl.DataFrame, Request], pl.DataFrame]
Fetcher = Callable[[Request], Envelope]


class _NotCarried(Exception):
    """The vendor whose shape a file has never carries this kind for this stock."""


def sample_now() -> datetime:
    """The sample's last evening, aware, Asia/Shanghai."""
    now = tomllib.loads((_root() / "clock.toml").read_text(encoding="utf-8"))["now"]
    if not isinstance(now, datetime):
        raise ConfigurationError("data/sample/clock.toml 的 now 须是带时区的时间")
    return now.astimezone(SHANGHAI)


def sample_watchlist() -> Path:
    """The sample's watchlist: twelve lines with codes, a name and comments."""
    return _root() / "watchlist.txt"


def sample_names() -> Mapping[str, str]:
    """Every short name, former ones too, and every former code → canonical symbol."""
    names: dict[str, str] = {}
    for frame in (_basic_snapshots(), _beijing_list()):
        names |= dict(frame.select("name", "symbol").rows())
    return names | {f"{row['former_code']}.{row['exchange']}": _current(row) for row in _code_changes()}


def fetchers(calendar: Calendar | None = None) -> Mapping[str, Fetcher]:
    """Kind → fetcher for every kind of the contracts."""
    return {kind: partial(_fetch, known=calendar) for kind in RAW_TABLES}


def _fetch(request: Request, known: Calendar | None) -> Envelope:
    calendar = known or load_calendar()
    with in_force(calendar):
        return _answer(request, calendar)


def _answer(request: Request, calendar: Calendar) -> Envelope:
    if request.symbol is None and request.kind not in _MARKET_WIDE:
        return _refusal(request, Status.INVALID_ARGUMENTS, "该类数据须指明股票代码")
    try:
        frame = _READERS[request.kind](request)
    except _NotCarried as reason:
        return _refusal(request, Status.NOT_SUPPORTED, str(reason))
    waiting = _waiting(request, calendar, is_empty=frame.is_empty())
    if waiting is not None:
        return _refusal(request, Status.NOT_READY, f"尚未到公布时间({waiting:%Y-%m-%d %H:%M})")
    if frame.is_empty():
        return _refusal(request, Status.NO_DATA, "演示数据在所问区间内没有记录")
    covered = _covered(request, calendar) if request.kind in SPARSE else None
    actual, status = dated(frame, request, calendar, covered)
    return Envelope(
        request.kind, request.symbol, Status.OK, VENDOR, f"{VENDOR}:{request.kind}", request.end, request.now,
        actual, status, data=frame,
    )  # fmt: skip


def _waiting(request: Request, calendar: Calendar, *, is_empty: bool) -> datetime | None:
    """When the answer is due, if it is not yet; sessions that were due and have no row are no reason to wait."""
    if request.kind == "adjust_factors":
        return gap_until(request, calendar) or (pending_until(request, calendar) if is_empty else None)
    if not is_empty:
        return None
    rule = KIND_RULES[request.kind]
    is_due = rule.ready is not None and request.start <= due_session(request.kind, request.now, calendar)
    return None if is_due and not rule.is_core else pending_until(request, calendar)


def _covered(request: Request, calendar: Calendar) -> date:
    return min(calendar.latest_on_or_before(request.end), due_session(request.kind, request.now, calendar))


def _refusal(request: Request, status: Status, message: str) -> Envelope:
    return Envelope(
        request.kind, request.symbol, status, VENDOR, f"{VENDOR}:{request.kind}", request.end, request.now,
        date_status=DateStatus.NOT_APPLICABLE, message=message,
    )  # fmt: skip


def _root() -> Path:
    if not ROOT.is_dir():
        raise ConfigurationError("找不到演示数据 data/sample:请在项目目录内以可编辑方式安装(pip install -e .)")
    return ROOT


@cache
def _stored(folder: str, name: str) -> pl.DataFrame | None:
    for suffix in (".csv", ".csv.gz"):
        path = _root() / folder / f"{name}{suffix}"
        if path.is_file():
            return pl.read_csv(path, infer_schema=False)
    return None


def _shaped(folder: str, name: str, shape: Shape, request: Request) -> pl.DataFrame:
    """The file through its vendor's shape; no file is no record."""
    frame = _stored(folder, name)
    if frame is None:
        return _nothing(request.kind)
    return shape(frame, request)


def _nothing(kind: str) -> pl.DataFrame:
    return RAW_TABLES[kind].without(["vendor", "fetched_at", "batch_id"]).schema.to_frame()


def _code(request: Request) -> str:
    return (request.symbol or "")[:6]


def _is_beijing(request: Request) -> bool:
    return (request.symbol or "").endswith(_BEIJING)


def _per_stock(folder: str, shape: Shape, request: Request) -> pl.DataFrame:
    return _shaped(folder, _code(request), shape, request)


def _whole_market(folder: str, shape: Shape, request: Request) -> pl.DataFrame:
    return _shaped(folder, "all", shape, request)


def _daily_bars(request: Request) -> pl.DataFrame:
    if _is_beijing(request):
        return _per_stock("akshare/stock_zh_a_hist", eastmoney.daily_bars, request)
    return _per_stock("baostock/query_history_k_data_plus", baostock.daily_bars, request)


def _valuations(request: Request) -> pl.DataFrame:
    if _is_beijing(request):
        return _per_stock("akshare/stock_value_em", eastmoney.valuations, request)
    return _per_stock("baostock/query_history_k_data_plus", baostock.valuations, request)


def _adjust_factors(request: Request) -> pl.DataFrame:
    if _is_beijing(request):
        return _per_stock("akshare/stock_zh_a_daily_hfq_factor", sina.adjust_factors, request)
    return _per_stock("baostock/query_adjust_factor", baostock.adjust_factors, request)


def _corporate_actions(request: Request) -> pl.DataFrame:
    folders = ("akshare/stock_dividend_cninfo", "akshare/stock_allotment_cninfo")
    return pl.concat(_per_stock(folder, cninfo.corporate_actions, request) for folder in folders)


def _fund_flows(request: Request) -> pl.DataFrame:
    if _is_beijing(request):
        raise _NotCarried("东方财富不提供北交所个股资金流")
    return _per_stock("akshare/stock_individual_fund_flow", eastmoney.fund_flows, request)


def _margins(request: Request) -> pl.DataFrame:
    exchange = _MARGIN_LISTS[(request.symbol or "")[-2:]]
    return _whole_market(f"akshare/stock_margin_detail_{exchange}", exchanges.margins, request)


def _peers(request: Request) -> pl.DataFrame:
    """The vendor answers for one day only: the latest stored day that is due and not after ``request.end``."""
    frame = _stored("akshare/stock_zh_valuation_comparison_em", _code(request))
    if frame is None:
        return _nothing(request.kind)
    last = min(request.end, due_session("peers", request.now, load_calendar())).strftime("%Y%m%d")
    day = frame.filter(pl.col(ASKED) <= last)[ASKED].max()
    return eastmoney.peers(frame.filter(pl.col(ASKED) == day), request) if day else _nothing(request.kind)


def _macro(request: Request) -> pl.DataFrame:
    return pl.concat(_whole_market(f"akshare/{name}", eastmoney.macro, request) for name in _MACRO)


def _filing_texts(request: Request) -> pl.DataFrame:
    """Documents of the filings worth reading, through the same reader as live ones; a missing one has no rows."""
    from flows.sources.filing_text import frame_of, shape, text_rows  # noqa: PLC0415  slow import
    from flows.sources.pdf_text import read_pdf  # noqa: PLC0415

    listed = _per_stock(_FILINGS, cninfo.announcements, replace(request, kind="announcements"))
    rows: list[dict[str, object]] = []
    for filing in worth_reading(listed).rows(named=True):
        path = _root() / "cninfo" / "finalpage" / f"{filing['announcement_id']}.pdf"
        rows += text_rows(filing, read_pdf(path.read_bytes()) if path.is_file() else None)
    return shape(frame_of(rows), request)


def _instruments(request: Request) -> pl.DataFrame:
    rows = pl.concat([_basic_snapshots(), _beijing_list()]).filter(
        pl.col("published_at") <= request.now.astimezone(SHANGHAI)
    )
    return rows if request.symbol is None else rows.filter(pl.col("symbol") == request.symbol)


@cache
def _basic_snapshots() -> pl.DataFrame:
    """Shanghai and Shenzhen companies: one version per dated snapshot in which something changed."""
    versions = []
    for number, path in enumerate(sorted((_root() / "baostock/query_stock_basic").glob("*.csv"))):
        frame = baostock.instruments(pl.read_csv(path, infer_schema=False), _everything("instruments"))
        if number:
            frame = frame.with_columns(snapshot=pl.lit(date.fromisoformat(path.stem)))
            frame = frame.with_columns(midnight("snapshot").alias("published_at")).drop("snapshot")
        versions.append(frame.with_columns(pl.col("name").str.contains(r"^\*?ST").alias("is_st")))
    return _with_former_codes(pl.concat(versions))


def _with_former_codes(frame: pl.DataFrame) -> pl.DataFrame:
    changes = {_current(row): row for row in _code_changes()}
    former = {symbol: f"{row['former_code']}.{row['exchange']}" for symbol, row in changes.items()}
    since = {symbol: date.fromisoformat(row["since"]) for symbol, row in changes.items()}
    return frame.with_columns(
        pl.col("symbol").replace_strict(former, default=None, return_dtype=pl.String).alias("former_symbol"),
        pl.col("symbol").replace_strict(since, default=None, return_dtype=pl.Date).alias("symbol_since"),
    )


@cache
def _beijing_list() -> pl.DataFrame:
    frame = _shaped("akshare/stock_info_bj_name_code", "all", exchanges.instruments, _everything("instruments"))
    return frame.with_columns(is_st=pl.lit(value=False))


def _code_changes() -> list[dict[str, str]]:
    frame = _stored("exchanges/code_changes", "all")
    return [] if frame is None else frame.rows(named=True)


def _current(row: dict[str, str]) -> str:
    return f"{row['code']}.{row['exchange']}"


def _everything(kind: str) -> Request:
    now = sample_now()
    return Request(kind, None, date(1990, 1, 1), now.date(), now)


_READERS: Mapping[str, Callable[[Request], pl.DataFrame]] = {
    "instruments": _instruments,
    "trade_dates": partial(_whole_market, "baostock/query_trade_dates", baostock.trade_dates),
    "daily_bars": _daily_bars,
    "adjust_factors": _adjust_factors,
    "corporate_actions": _corporate_actions,
    "valuations": _valuations,
    "announcements": partial(_per_stock, _FILINGS, cninfo.announcements),
    "filing_texts": _filing_texts,
    "earnings_forecasts": partial(_whole_market, "akshare/stock_yjyg_em", eastmoney.earnings_forecasts),
    "financial_indicators": partial(
        _per_stock, "akshare/stock_financial_analysis_indicator_em", eastmoney.financial_indicators
    ),
    "news": partial(_per_stock, "akshare/stock_news_em", eastmoney.news),
    "research_reports": partial(_per_stock, "akshare/stock_research_report_em", eastmoney.research_reports),
    "pledges": partial(_whole_market, "akshare/stock_gpzy_pledge_ratio_em", eastmoney.pledges),
    "holder_trades": partial(_whole_market, "akshare/stock_ggcg_em", eastmoney.holder_trades),
    "unlocks": partial(_per_stock, "akshare/stock_restricted_release_queue_em", eastmoney.unlocks),
    "top_list": partial(_whole_market, "akshare/stock_lhb_detail_em", eastmoney.top_list),
    "margins": _margins,
    "fund_flows": _fund_flows,
    "attention": partial(_per_stock, "akshare/stock_hot_rank_detail_em", eastmoney.attention),
    "suspensions": partial(_whole_market, "akshare/stock_tfp_em", eastmoney.suspensions),
    "macro": _macro,
    "peers": _peers,
}

FETCHERS: Mapping[str, Fetcher] = fetchers()
