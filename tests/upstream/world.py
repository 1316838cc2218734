"""One consistent little market for all fakes, and the real price rows as another."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from pathlib import Path

from flows.market.sessions import load_calendar
from tests.upstream import baostock_book, baostock_server, east_money, others, sina_codec, web
from tests.upstream.paper import pdf

BANK, PUDONG = "000001.SZ", "600000.SH"
NAMES = {"000001": "平安银行", "600000": "浦发银行", "920002": "万达轴承"}
_LISTED = {"000001": "1991-04-03", "600000": "1999-11-10"}


@dataclass
class World:
    """Every upstream of the product; edit the books, then serve."""

    baostock: baostock_book.Book = field(default_factory=baostock_book.Book)
    east_money: east_money.EastMoney = field(default_factory=east_money.EastMoney)
    cninfo: others.Cninfo = field(default_factory=others.Cninfo)
    sina: others.Sina = field(default_factory=others.Sina)
    tencent: others.Tencent = field(default_factory=others.Tencent)
    exchanges: others.Exchanges = field(default_factory=others.Exchanges)
    tushare: others.Tushare = field(default_factory=others.Tushare)
    upstream: web.Upstream = field(default_factory=web.Upstream)
    server: baostock_server.Baostock = field(default_factory=baostock_server.Baostock)

    def __post_init__(self) -> None:
        self.server = self.baostock.server()
        for book in (self.east_money, self.cninfo, self.sina, self.tencent, self.exchanges, self.tushare):
            book.register(self.upstream)

    @contextmanager
    def serving(self) -> Iterator[tuple[int, int]]:
        """Serve all upstreams; yields the HTTP and the baostock port."""
        with web.serving(self.upstream) as http_port, baostock_server.serving(self.server) as tcp_port:
            yield http_port, tcp_port

    @contextmanager
    def reached(self) -> Iterator[World]:
        """Serve, and lead this process's clients here."""
        with ExitStack() as stack:
            http_port, tcp_port = stack.enter_context(self.serving())
            stack.enter_context(web.redirected(http_port))
            stack.enter_context(baostock_server.redirected(tcp_port))
            yield self


def small_world(last: date = date(2024, 6, 14), sessions: int = 10) -> World:
    """Two banks over *sessions* sessions up to *last*, with one row of everything dated *last*."""
    world = World()
    calendar = load_calendar()
    days = calendar.sessions(calendar.offset(last, 1 - sessions), last)
    world.baostock.sessions = set(calendar.sessions(date(2023, 1, 3), calendar.last))
    world.sina.sessions = calendar.sessions(date(2023, 1, 3), last)
    for symbol in (BANK, PUDONG):
        _add_company(world, symbol, days)
    world.east_money.reports |= east_money.macro()
    _add_exchanges(world, days)
    _add_tushare(world, days)
    return world


def _add_company(world: World, symbol: str, days: list[date]) -> None:
    code, name, day = symbol[:6], NAMES[symbol[:6]], f"{days[-1]}"
    vendor_code = f"{symbol[-2:].lower()}.{code}"
    prefixed = vendor_code.replace(".", "")
    world.baostock.k_lines[vendor_code] = [baostock_book.k_line(vendor_code, d) for d in days]
    world.baostock.factors[vendor_code] = [
        (vendor_code, "2023-07-21", "0.963179", "11.949786", "11.949786"),
        (vendor_code, f"{days[-2]}", "1.000000", "12.406600", "12.406600"),
    ]
    world.baostock.basics.append((vendor_code, name, _LISTED[code], "", "1", "1"))
    world.baostock.industries.append((day, vendor_code, name, "J66货币金融服务", "证监会行业分类"))
    world.baostock.forecasts[vendor_code] = [
        (vendor_code, day, "2024-06-30", "预增", "预计净利润增长50%至60%（测试）", "60.000000", "50.000000")
    ]
    _add_east_money(world.east_money, symbol, name, days)
    noon = datetime.combine(days[-1], time(19, 5, 1))
    world.cninfo.filings[code] = [
        others.filing(code, name, 1_220_000_000, f"{name}：关于股东<em>减持</em>股份的公告", noon),
        *(
            others.filing(code, name, 1_220_000_000 - i, f"{name}：第{i}号公告（测试）", datetime.combine(d, time()))
            for i, d in enumerate(reversed(days), start=1)
        ),
    ]
    world.cninfo.pdfs[f"/finalpage/{day}/1220000000.PDF"] = pdf(
        "关于股东减持股份的公告（测试）", "股东减持1,205,000股，占公司总股本的1.25%。"
    )
    world.cninfo.dividends[code] = [others.cninfo_dividend(f"{days[-2]}", f"{days[0]}")]
    world.cninfo.rights[code] = [others.cninfo_rights(code, f"{days[-4]}", f"{days[0]}")]
    world.sina.bars[prefixed] = [
        sina_codec.Bar(d, 8.20, 8.33, 8.19, 8.30, 60_213_700 + i, 496_075_103) for i, d in enumerate(days)
    ]  # akshare drops days that are equal in every number
    world.sina.factors[prefixed] = [(f"{days[-2]}", "12.4066000000"), ("1900-01-01", "1.0000000000")]
    lots = "801234.00"
    world.tencent.days[prefixed] = [
        [str(d), "9.44", "9.50", "9.55", "9.40", lots, {}, "0.41", "76117.23", ""] for d in days
    ]


def _add_east_money(book: east_money.EastMoney, symbol: str, name: str, days: list[date]) -> None:
    code, day, before = symbol[:6], f"{days[-1]}", f"{days[-2]}"
    secid = f"{1 if symbol.endswith('SH') else 0}.{code}"
    book.klines[secid] = [east_money.kline(str(d), 9.40) for d in days]
    book.flows[secid] = [east_money.flow(str(d)) for d in days]
    book.info[secid] = east_money.quote(code, name)
    book.news[code] = [
        east_money.news(f"{day.replace('-', '')}31030000{code[-2:]}", f"<em>{name}</em>：测试新闻", f"{day} 18:03:00")
    ]
    book.research[code] = [east_money.research(code, name, before)]
    book.ranks[f"{symbol[-2:]}{code}"] = [{"day": str(d), "rank": rank} for rank, d in enumerate(days, start=100)]
    rows = {
        "RPT_VALUEANALYSIS_DET": [
            east_money.valuation(code, str(d), pe) for d, pe in ((days[-1], -12.5), (days[-2], None))
        ],
        "RPT_CSDC_LIST": [east_money.pledge(code, name, str(d)) for d in days],
        "RPT_SHARE_HOLDER_INCREASE": [east_money.holder_trade(code, name, before)],
        "RPT_DAILYBILLBOARD_DETAILSNEW": [
            east_money.top_list(code, name, day),
            east_money.top_list(code, name, day, "连续三个交易日内，涨幅偏离值累计达到20%的证券"),
        ],
        "RPT_PUBLIC_OP_NEWPREDICT": [east_money.forecast(code, name, before, "2024-06-30")],
        "RPT_CUSTOM_SUSPEND_DATA_INTERFACE": [east_money.suspension(code, name, before)],
        "RPT_F10_FINANCE_MAINFINADATA": [east_money.financial(symbol, name, "2024-04-20", "2024-03-31")],
        "RPT_SHAREBONUS_DET": [east_money.dividend(code, name, before, str(days[0]))],
        "RPT_LIFT_STAGE": [east_money.unlock(code, name, before)],
        "RPT_PCF10_INDUSTRY_CVALUE": [
            east_money.peer(symbol, "行业平均", "行业平均", 0), east_money.peer(symbol, "行业中值", "行业中值", 0),
            east_money.peer(symbol, "600036", "招商银行", 1), east_money.peer(symbol, code, name, 2),
        ],
    }  # fmt: skip
    for report, found in rows.items():
        book.reports.setdefault(report, []).extend(found)


def _add_exchanges(world: World, days: list[date]) -> None:
    book = world.exchanges
    book.sse_list = [others.sse_company("600000", NAMES["600000"], "19991110"),
                     others.sse_company("688001", "华兴源创", "20190722")]  # fmt: skip
    fillers = [others.szse_company(f"{i:06d}", f"名{i}", "1991-01-29") for i in range(2, 14)]
    book.szse_list = [others.szse_company("000001", NAMES["000001"], "1991-04-03"), *fillers]
    book.bse_list = [others.bse_company("920002", NAMES["920002"], "2024-05-30")]
    for day in days[:-1]:
        book.sse_margins[f"{day:%Y%m%d}"] = [others.sse_margin("600000", NAMES["600000"], f"{day:%Y%m%d}")]
        book.szse_margins[str(day)] = [
            ["000001", f"{NAMES['000001']}&nbsp;", "1,234,567", "5,678,901", "100", "2,000", "19,000", "5,697,901"]
        ]
        book.bse_margins[str(day)] = [others.bse_margin("920002", NAMES["920002"])]


def _add_tushare(world: World, days: list[date]) -> None:
    texts = [f"{d:%Y%m%d}" for d in reversed(days)]
    forecast = [BANK, texts[1], "20240630", "预增", 50.0, 60.0, 18000.0, 19200.0, 12000.0, "测试", "测试"]
    forecast_names = (
        "ts_code ann_date end_date type p_change_min p_change_max net_profit_min net_profit_max last_parent_net "
        "summary change_reason"
    )
    rows = {
        "daily ts_code trade_date open high low close pre_close vol amount": [
            [BANK, d, 9.44, 9.55, 9.40, 9.50, 9.44, 801234.0, 761172.3] for d in texts
        ],
        "adj_factor ts_code trade_date adj_factor": [[BANK, d, 120.5 if i < 2 else 115.2] for i, d in enumerate(texts)],
        "daily_basic ts_code trade_date close pe_ttm pb ps_ttm total_share total_mv": [
            [BANK, d, 9.5, None, 0.43, 1.1, 1940591.82, 18435622.3] for d in texts
        ],
        "margin_detail ts_code trade_date rzye rzmre rqyl": [
            [BANK, d, 5678901.0, 1234567.0, 2000.0] for d in texts[1:]
        ],
        "trade_cal exchange cal_date is_open": [["SSE", d, 1] for d in texts],
        "stock_basic ts_code name industry list_date delist_date": [[BANK, "平安银行", "银行", "19910403", None]],
        f"forecast {forecast_names}": [forecast],
    }
    for head, items in rows.items():
        api, *names = head.split()
        world.tushare.tables[api] = (names, items)


def real_world(prices: Path, last: date = date(2025, 3, 31)) -> World:
    """Raw baostock rows of 600000 and 000001 with factors from their previous closes, and plainly fake words."""
    world = World()
    calendar = load_calendar()
    world.baostock.sessions = set(calendar.days)
    for symbol in (PUDONG, BANK):
        code = f"{symbol[-2:].lower()}.{symbol[:6]}"
        with (prices / symbol[:6] / "raw_baostock_2020_2025.csv").open(encoding="utf-8") as file:
            rows = sorted(csv.DictReader(file), key=lambda row: row["date"])
        days = calendar.sessions(calendar.offset(last, -9), last)
        _add_company(world, symbol, days)
        world.baostock.k_lines[code] = rows
        world.baostock.factors[code] = baostock_book.factors_of(rows)
        _speak(world, symbol, last)
    world.east_money.reports |= east_money.macro()
    _add_exchanges(world, days)
    _add_tushare(world, days)
    return world


def _speak(world: World, symbol: str, last: date) -> None:
    """A year of filings and a week of news that nobody can take for real ones."""
    code, name = symbol[:6], NAMES[symbol[:6]]
    titles = (
        "2024年年度业绩预增公告", "关于签订重大合同的公告", "关于持股5%以上股东减持股份计划的公告",
        "2024年年度权益分派实施公告", "股票交易风险提示公告", "关于收到监管工作函的公告", "关于公司涉及诉讼的公告",
        "关于回购公司股份的进展公告", "限制性股票激励计划（草案）", "2024年第三季度报告", "董事会决议公告",
        "关于股东股份质押的公告",
    )  # fmt: skip
    world.cninfo.filings[code] = [
        others.filing(
            code, name, 1_230_000_000 + int(code[-3:]) * 1000 - i, f"{name}：{title}（测试公告{i}）",
            datetime.combine(last - timedelta(days=25 * i + 1), time(18, 30) if i % 2 else time()),
        )
        for i, title in enumerate(titles)
    ]  # fmt: skip
    headlines = (
        "零售业务规模平稳（测试新闻）",
        "网点调整引发讨论（测试新闻）",
        "股价下跌2%（测试新闻）",
        "年报披露在即（测试新闻）",
    )
    world.east_money.news[code] = [
        east_money.news(f"2025033{i}{code}", f"<em>{name}</em>：{title}", f"{last - timedelta(days=i)} 1{i}:03:00")
        for i, title in enumerate(headlines)
    ]
