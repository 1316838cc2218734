"""Write the embedded sample market (演示数据): fictional companies in the vendors' own shapes.

Run ``python data/sample/generate.py``. The seed is fixed, so a second run writes the same bytes; the only
part of the product used here is the exchange calendar.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from generator import capital, disclosures, documents, media  # noqa: E402
from generator.companies import COMPANIES, FIRST, LAST, Company  # noqa: E402
from generator.facts import World  # noqa: E402
from generator.prices import Bar, bars, factors, market_returns  # noqa: E402
from generator.reports import cumulative, quarters  # noqa: E402

from flows.market.calendar import load_calendar  # noqa: E402

Row = Mapping[str, object]


def main() -> None:
    """Draw the market and write every file."""
    calendar = load_calendar()
    sessions = calendar.sessions(FIRST, LAST)
    for company in COMPANIES:
        outside = [a.ex_date for a in company.actions if not calendar.is_session(a.ex_date)]
        if outside:
            raise SystemExit(f"{company.symbol}: ex-dates are no sessions: {outside}")
    market = market_returns(sessions)
    worlds = []
    for company in COMPANIES:
        reports = quarters(company, np.random.default_rng([20261127, int(company.code), 1]))
        worlds.append(World(company, reports, bars(company, reports, sessions, market)))
    _write_prices(worlds, calendar)
    _write_companies(worlds)
    _write_capital(worlds, sessions)


def _write_prices(worlds: list[World], calendar) -> None:
    for world in worlds:
        company = world.company
        if company.exchange == "BJ":
            _save("akshare/stock_zh_a_hist", company.code, [_hist(company, b, world) for b in world.bars if b.trading])
            _save("akshare/stock_value_em", company.code, [_value(b) for b in world.bars if b.trading])
            table = [("1900-01-01", 1.0), *factors(world.bars, company)]
            rows = [{"date": str(day), "hfq_factor": f"{factor:.16f}"} for day, factor in table]
            _save("akshare/stock_zh_a_daily_hfq_factor", company.code, rows, packed=False)
            continue
        _save("baostock/query_history_k_data_plus", company.code, [_k_line(company, b) for b in world.bars])
        if company.former_code:
            old = [{**_k_line(company, b), "code": f"{company.exchange.lower()}.{company.former_code}"}
                   for b in world.bars if b.day < company.code_since]  # fmt: skip
            _save("baostock/query_history_k_data_plus", company.former_code, old)
        _save("baostock/query_adjust_factor", company.code, _factor_rows(company, world.bars), packed=False)
    first, last = date(2022, 12, 1), date(2026, 12, 31)
    open_days = set(calendar.sessions(first, last))
    days = [first + timedelta(days=i) for i in range((last - first).days + 1)]
    rows = [{"calendar_date": str(d), "is_trading_day": str(int(d in open_days))} for d in days]
    _save("baostock/query_trade_dates", "all", rows)


def _k_line(company: Company, bar: Bar) -> Row:
    traded = bar.trading
    return {
        "date": str(bar.day), "code": company.vendor_code, "open": f"{bar.open:.4f}", "high": f"{bar.high:.4f}",
        "low": f"{bar.low:.4f}", "close": f"{bar.close:.4f}", "preclose": f"{bar.previous:.4f}",
        "volume": str(bar.volume), "amount": f"{bar.amount:.4f}", "adjustflag": "3",
        "turn": f"{bar.turn:.6f}" if traded else "", "tradestatus": str(int(traded)),
        "pctChg": f"{100 * (bar.close / bar.previous - 1):.6f}", "peTTM": f"{bar.pe:.6f}", "pbMRQ": f"{bar.pb:.6f}",
        "psTTM": f"{bar.ps:.6f}", "pcfNcfTTM": f"{bar.pcf:.6f}", "isST": str(int(bar.is_st)),
    }  # fmt: skip


def _hist(company: Company, bar: Bar, world: World) -> Row:
    base = bar.previous
    return {
        "日期": str(bar.day), "股票代码": company.code, "开盘": bar.open, "收盘": bar.close, "最高": bar.high, "最低": bar.low,
        "成交量": bar.volume // 100, "成交额": bar.amount, "振幅": round(100 * (bar.high - bar.low) / base, 2),
        "涨跌幅": round(100 * (bar.close / base - 1), 2), "涨跌额": round(bar.close - base, 2), "换手率": round(bar.turn, 2),
    }  # fmt: skip


def _value(bar: Bar) -> Row:
    shares = round(bar.cap / bar.close)
    return {
        "数据日期": str(bar.day), "当日收盘价": bar.close, "当日涨跌幅": round(100 * (bar.close / bar.previous - 1), 4),
        "总市值": round(bar.cap, 2), "流通市值": round(bar.cap * 0.6, 2), "总股本": shares, "流通股本": round(shares * 0.6),
        "PE(TTM)": round(bar.pe, 6), "PE(静)": None, "市净率": round(bar.pb, 6), "PEG值": None, "市现率": None,
        "市销率": round(bar.ps, 6),
    }  # fmt: skip


def _factor_rows(company: Company, rows: list[Bar]) -> list[Row]:
    table = factors(rows, company)
    last = table[-1][1] if table else 1.0
    return [
        {"code": company.vendor_code, "dividOperateDate": str(day), "foreAdjustFactor": f"{factor / last:.6f}",
         "backAdjustFactor": f"{factor:.6f}", "adjustFactor": f"{factor:.6f}"}
        for day, factor in table
    ]  # fmt: skip


def _write_companies(worlds: list[World]) -> None:
    basics = [w.company for w in worlds if w.company.exchange != "BJ"]
    _save("baostock/query_stock_basic", str(FIRST), [_basic(c, FIRST) for c in basics], packed=False)
    renamed = [c for c in basics if c.st_from]
    _save("baostock/query_stock_basic", str(renamed[0].st_from), [_basic(c, c.st_from) for c in renamed], packed=False)
    listed = [
        {"证券代码": c.code, "证券简称": c.name, "总股本": c.shares, "流通股本": c.shares * c.floating, "上市日期": str(c.listed),
         "所属行业": c.industry, "地区": "演示", "报告日期": str(LAST)}
        for c in COMPANIES if c.exchange == "BJ"
    ]  # fmt: skip
    _save("akshare/stock_info_bj_name_code", "all", listed, packed=False)
    changes = [{"former_code": c.former_code, "code": c.code, "exchange": c.exchange, "since": str(c.code_since)}
               for c in COMPANIES if c.former_code]  # fmt: skip
    _save("exchanges/code_changes", "all", changes, packed=False)
    forecasts, number = [], 1_299_000_000
    for world in worlds:
        code = world.company.code
        filings = disclosures.announcements(world, number)
        _save("akshare/stock_zh_a_disclosure_report_cninfo", code, filings, packed=False)
        for document, body in documents.documents(world, filings).items():
            _store(HERE / "cninfo/finalpage" / f"{document}.pdf", body)
        _save("akshare/stock_financial_analysis_indicator_em", code, _indicators(world), packed=False)
        _save("akshare/stock_news_em", code, media.news(world), packed=False)
        _save("akshare/stock_research_report_em", code, disclosures.research(world), packed=False)
        _save_actions(world)
        forecasts += disclosures.forecasts(world)
        number += 100
    _save("akshare/stock_yjyg_em", "all", [{"序号": i + 1, **row} for i, row in enumerate(forecasts)], packed=False)


def _basic(company: Company, day: date) -> Row:
    return {"code": company.vendor_code, "code_name": company.name_on(day), "ipoDate": str(company.listed), "outDate": "",
            "type": "1", "status": "1", "industry": company.industry, "industryClassification": "演示行业分类"}  # fmt: skip


def _indicators(world: World) -> list[Row]:
    rows: list[Row] = []
    if world.company.code == "301902":
        return rows
    for i, report in enumerate(world.reports):
        if report.period.year < 2022:
            continue
        flows = {name: cumulative(world.reports, name, i) for name in ("revenue", "profit", "deducted", "operating_cash")}
        year_ago = {name: cumulative(world.reports, name, i - 4) for name in ("revenue", "profit")}
        opening = world.reports[i - report.period.month // 3].equity
        rows.append({
            "SECUCODE": world.company.symbol, "SECURITY_NAME_ABBR": world.company.name_on(report.notice),
            "REPORT_DATE": f"{report.period} 00:00:00", "NOTICE_DATE": f"{report.notice} 00:00:00",
            "UPDATE_DATE": f"{report.notice} 00:00:00", "CURRENCY": "CNY", "TOTALOPERATEREVE": flows["revenue"],
            "TOTALOPERATEREVETZ": _change(flows["revenue"], year_ago["revenue"]), "PARENTNETPROFIT": flows["profit"],
            "PARENTNETPROFITTZ": _change(flows["profit"], year_ago["profit"]), "KCFJCXSYJLR": flows["deducted"],
            "EPSJB": round(flows["profit"] / report.shares, 4), "BPS": round(report.equity / report.shares, 6),
            "ROEJQ": round(100 * flows["profit"] / ((opening + report.equity) / 2), 2), "XSMLL": report.gross,
            "XSJLL": round(100 * flows["profit"] / flows["revenue"], 4), "ZCFZL": report.debt,
            "NETCASH_OPERATE_PK": flows["operating_cash"],
        })  # fmt: skip
    return rows[::-1]


def _change(value: float, base: float) -> float:
    return round(100 * (value - base) / abs(base), 4)


def _save_actions(world: World) -> None:
    dividends, rights = [], []
    for action in world.company.actions:
        record = action.ex_date - timedelta(days=1)
        notice = action.ex_date - timedelta(days=7)
        if action.rights:
            rights.append({"证券代码": world.company.code, "证券简称": world.company.name, "公告日期": str(notice - timedelta(days=10)),
                           "股权登记日": str(notice), "除权基准日": str(action.ex_date), "配股比例": round(10 * action.rights, 4),
                           "配股价格": action.rights_price})  # fmt: skip
            continue
        plan = "".join([f"10派{10 * action.cash:g}元" if action.cash else "", f"转增{10 * action.bonus:g}股" if action.bonus else ""])
        dividends.append({"实施方案公告日期": str(notice), "分红类型": "年度分红", "送股比例": None,
                          "转增比例": round(10 * action.bonus, 4) or None, "派息比例": round(10 * action.cash, 4),
                          "股权登记日": str(record), "除权日": str(action.ex_date), "派息日": str(action.ex_date),
                          "股份到账日": None, "实施方案分红说明": plan, "报告时间": f"{action.ex_date.year - 1}年报"})  # fmt: skip
    _save("akshare/stock_dividend_cninfo", world.company.code, dividends, packed=False)
    _save("akshare/stock_allotment_cninfo", world.company.code, rights, packed=False)


def _write_capital(worlds: list[World], sessions: list[date]) -> None:
    known = [w for w in worlds if w.company.code not in ("605904", "301902")]
    weeks = [d for d, after in pairwise(sessions[-150:]) if d.isocalendar()[1] != after.isocalendar()[1]] + sessions[-1:]
    _save("akshare/stock_gpzy_pledge_ratio_em", "all", capital.pledges(worlds, weeks), packed=False)
    _save("akshare/stock_ggcg_em", "all", capital.holder_trades(worlds), packed=False)
    _save("akshare/stock_lhb_detail_em", "all", capital.top_list(worlds), packed=False)
    _save("akshare/stock_tfp_em", "all", capital.suspensions(worlds), packed=False)
    margins = {"SH": "sse", "SZ": "szse", "BJ": "bse"}
    for exchange, name in margins.items():
        rows = [row for w in worlds if w.company.exchange == exchange for row in capital.margins(w)]
        _save(f"akshare/stock_margin_detail_{name}", "all", rows)
    for world in known:
        code = world.company.code
        if world.company.exchange != "BJ":
            _save("akshare/stock_individual_fund_flow", code, capital.fund_flows(world))
        _save("akshare/stock_hot_rank_detail_em", code, capital.attention(world), packed=False)
    for world in worlds:
        _save("akshare/stock_restricted_release_queue_em", world.company.code, capital.unlocks(world), packed=False)
    for code, rows in capital.peers(known, sessions[-90:]).items():
        _save("akshare/stock_zh_valuation_comparison_em", code, rows)
    for name, rows in capital.macro().items():
        _save(f"akshare/{name}", "all", rows, packed=False)


def _save(folder: str, name: str, rows: Iterable[Row], *, packed: bool = True) -> None:
    rows = list(rows)
    if not rows:
        return
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    body = text.getvalue().encode()
    packed_name = f"{name}.csv.gz" if packed else f"{name}.csv"
    _store(HERE / folder / packed_name, gzip.compress(body, 9, mtime=0) if packed else body)


def _store(path: Path, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)


if __name__ == "__main__":
    main()
