"""The rows of the envelope matrix: one per live function, data only."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

from flows.contracts.envelope import Status
from flows.market.sessions import SHANGHAI
from tests.upstream import east_money
from tests.upstream.asking import LAST
from tests.upstream.edits import (
    added,
    answer,
    body,
    document_of,
    exchange,
    having,
    put,
    rename,
    rows,
    sheet,
    tcp,
    tcp_rows,
    text_of,
    times,
)
from tests.upstream.matrix import Row
from tests.upstream.world import PUDONG

NOBODY = {"wrong entity": "not about a company"}
NO_UNIT = {"wrong unit": "ratios, flags or words: there is no unit"}
#: Kinds without a publication hour: what came later is cut, and nothing is left.
CUT = {"not yet published": Status.NO_DATA}
#: A whole-market answer without the company says that the company has no record.
PICKED = {"wrong entity": Status.NO_DATA}
STRANGER = "600519"


def clock(day: date, hour: int, minute: int = 0) -> datetime:
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=SHANGHAI)


AFTERNOON = clock(LAST, 14, 10)
BEFORE_ALL = clock(date(2023, 1, 3), 9)

# baostock

K_LINE, FACTOR, DATES = "query_history_k_data_plus", "query_adjust_factor", "query_trade_dates"
BASIC, FORECAST = "query_stock_basic", "query_forecast_report"


def nothing(method: str):
    return tcp(method, lambda fields, found: (fields, []))


BAOSTOCK = (
    Row(
        "baostock", "daily_bars", K_LINE,
        {
            "no record": nothing(K_LINE),
            "schema drift": tcp_rows(K_LINE, rename("preclose", "pre_close")),
            "swapped columns": tcp_rows(K_LINE, exchange("high", "low")),
            "wrong unit": tcp_rows(K_LINE, times("volume", 0.01)),
            "wrong entity": tcp_rows(K_LINE, put("code", "sh.600519")),
        },
        AFTERNOON, only_last_day_is_early=True,
    ),
    Row(
        "baostock", "valuations", K_LINE,
        {
            "no record": nothing(K_LINE),
            "schema drift": tcp_rows(K_LINE, rename("peTTM", "pe")),
            "swapped columns": tcp_rows(K_LINE, exchange("date", "code")),
            "wrong entity": tcp_rows(K_LINE, put("code", "sh.600519")),
        },
        AFTERNOON, NO_UNIT, only_last_day_is_early=True,
    ),
    Row(
        "baostock", "adjust_factors", FACTOR,
        {
            "no record": nothing(FACTOR),
            "schema drift": tcp_rows(FACTOR, rename("foreAdjustFactor", "fore")),
            "swapped columns": tcp_rows(FACTOR, exchange("foreAdjustFactor", "backAdjustFactor")),
            "wrong entity": tcp_rows(FACTOR, put("code", "sh.600519")),
        },
        clock(LAST, 17, 40), NO_UNIT, start=date(2023, 1, 3),
    ),
    Row(
        "baostock", "trade_dates", DATES,
        {
            "no record": nothing(DATES),
            "schema drift": tcp_rows(DATES, rename("is_trading_day", "open")),
            "swapped columns": tcp_rows(DATES, exchange("calendar_date", "is_trading_day")),
        },
        BEFORE_ALL, NO_UNIT | NOBODY, CUT,
    ),
    Row(
        "baostock", "instruments", BASIC,
        {
            "no record": nothing(BASIC),
            "schema drift": tcp_rows(BASIC, rename("code_name", "name")),
            "swapped columns": tcp_rows(BASIC, exchange("code_name", "ipoDate")),
            "wrong entity": tcp_rows(BASIC, put("code", "sh.600519")),
        },
        clock(date(1991, 1, 2), 9), NO_UNIT, CUT,
    ),
    Row(
        "baostock", "earnings_forecasts", FORECAST,
        {
            "no record": nothing(FORECAST),
            "schema drift": tcp_rows(FORECAST, rename("profitForcastType", "type")),
            "swapped columns": tcp_rows(FORECAST, exchange("profitForcastChgPctUp", "profitForcastChgPctDwn")),
            "wrong entity": tcp_rows(FORECAST, put("code", "sh.600519")),
        },
        BEFORE_ALL, {"wrong unit": "changes in percent only, the vendor gives no amounts"}, CUT,
    ),
)  # fmt: skip

# East Money

WEB, F10 = "datacenter-web.eastmoney.com", "datacenter.eastmoney.com"
KLINE = "push2his.eastmoney.com/api/qt/stock/kline/get"
FLOW = "push2his.eastmoney.com/api/qt/stock/fflow/daykline/get"
NEWS, REPORTS, RANK = "search-api-web.eastmoney.com", "reportapi.eastmoney.com", "emappdata.eastmoney.com"
NO_QUOTE = {"rc": 100, "rt": 17, "svr": 1, "lt": 1, "full": 0, "dlmkts": "", "data": None}


def of_other(where: str, name: str = "code"):
    return document_of(where, lambda document: {**document, "data": {**document["data"], name: STRANGER}})


EAST_MONEY = (
    Row(
        "eastmoney", "daily_bars", "stock_zh_a_hist",
        {
            "no record": answer(KLINE, NO_QUOTE),
            "schema drift": rows(KLINE, added),
            "swapped columns": rows(KLINE, exchange(3, 4)),
            "wrong unit": rows(KLINE, times(5, 100)),
            "wrong entity": of_other(KLINE),
        },
        AFTERNOON, only_last_day_is_early=True,
    ),
    Row(
        "eastmoney", "valuations", "stock_value_em",
        {
            "no record": answer(WEB, east_money.NOTHING),
            "schema drift": rows(WEB, rename("PE_TTM", "PE")),
            "swapped columns": rows(WEB, exchange("TOTAL_MARKET_CAP", "TOTAL_SHARES")),
            "wrong unit": rows(WEB, times("TOTAL_MARKET_CAP", 1e-4)),
            "wrong entity": rows(WEB, put("SECURITY_CODE", STRANGER)),
        },
        AFTERNOON, only_last_day_is_early=True,
    ),
    Row(
        "eastmoney", "news", "stock_news_em",
        {
            "no record": document_of(NEWS, lambda _: {"code": 0, "msg": "OK", "result": {"cmsArticleWebOld": []}}),
            "schema drift": rows(NEWS, rename("mediaName", "media")),
            "swapped columns": rows(NEWS, exchange("date", "title")),
            "wrong unit": rows(NEWS, put("date", 1718359380000)),
        },
        clock(LAST, 12), {"wrong entity": "a keyword search may name other companies by design"}, CUT,
    ),
    Row(
        "eastmoney", "corporate_actions", "stock_fhps_detail_em",
        {
            "no record": answer(WEB, east_money.NOTHING),
            "schema drift": rows(WEB, added),
            "swapped columns": rows(WEB, exchange("BONUS_IT_RATIO", "BONUS_RATIO")),
            "wrong unit": rows(WEB, times("IT_RATIO", 0.1)),
            "wrong entity": rows(WEB, put("SECURITY_CODE", STRANGER)),
        },
        BEFORE_ALL,
    ),
    Row(
        "eastmoney", "earnings_forecasts", "stock_yjyg_em",
        {
            "no record": answer(F10, east_money.NOTHING),
            "schema drift": rows(F10, added),
            "swapped columns": rows(F10, exchange("CHANGE_RATE", "PREDICT_AMT")),
            "wrong unit": rows(F10, times("PREDICT_AMT", 1e-4)),
            "wrong entity": rows(F10, put("SECURITY_CODE", STRANGER)),
        },
        BEFORE_ALL, {}, CUT | PICKED,
    ),
    Row(
        "eastmoney", "financial_indicators", "stock_financial_analysis_indicator_em",
        {
            "no record": answer(F10, east_money.NOTHING),
            "schema drift": rows(F10, rename("NOTICE_DATE", "NOTICE")),
            "swapped columns": rows(F10, exchange("NOTICE_DATE", "REPORT_DATE")),
            "wrong unit": rows(F10, times("TOTALOPERATEREVE", 1e-4)),
            "wrong entity": rows(F10, lambda row: {**row, "SECURITY_CODE": STRANGER, "SECUCODE": "600519.SH"}),
        },
        BEFORE_ALL, {}, CUT, start=date(2024, 1, 1),
    ),
    Row(
        "eastmoney", "research_reports", "stock_research_report_em",
        {
            "no record": answer(REPORTS, {"hits": 0, "size": 0, "data": [], "TotalPage": 0, "currentYear": 2024}),
            "schema drift": rows(REPORTS, rename("orgSName", "org")),
            "swapped columns": rows(REPORTS, exchange("publishDate", "title")),
            "wrong entity": rows(REPORTS, put("stockCode", STRANGER)),
        },
        BEFORE_ALL, {"wrong unit": "EPS of a forecast cannot be checked against anything in the answer"}, CUT,
    ),
    Row(
        "eastmoney", "pledges", "stock_gpzy_pledge_ratio_em",
        {
            "no record": answer(WEB, east_money.NOTHING),
            "schema drift": rows(WEB, added),
            "swapped columns": rows(WEB, exchange("PLEDGE_RATIO", "REPURCHASE_BALANCE")),
            "wrong unit": rows(WEB, times("REPURCHASE_BALANCE", 10_000)),
            "wrong entity": rows(WEB, put("SECURITY_CODE", STRANGER)),
        },
        clock(LAST, 17), {}, PICKED, only_last_day_is_early=True,
    ),
    Row(
        "eastmoney", "holder_trades", "stock_ggcg_em",
        {
            "no record": answer(WEB, east_money.NOTHING),
            "schema drift": rows(WEB, added),
            "swapped columns": rows(WEB, exchange("CHANGE_NUM", "HOLD_RATIO")),
            "wrong unit": rows(WEB, times("CHANGE_RATIO", 10_000)),
            "wrong entity": rows(WEB, put("SECURITY_CODE", STRANGER)),
        },
        BEFORE_ALL, {}, CUT,
    ),
    Row(
        "eastmoney", "unlocks", "stock_restricted_release_queue_em",
        {
            "no record": answer(WEB, east_money.NOTHING),
            "schema drift": rows(WEB, added),
            "swapped columns": rows(WEB, exchange("TOTAL_RATIO", "ABLE_FREE_SHARES")),
            "wrong unit": rows(WEB, times("TOTAL_RATIO", 100)),
            "wrong entity": rows(WEB, put("SECURITY_CODE", STRANGER)),
        },
        BEFORE_ALL,
    ),
    Row(
        "eastmoney", "top_list", "stock_lhb_detail_em",
        {
            "no record": answer(WEB, east_money.NOTHING),
            "schema drift": rows(WEB, rename("EXPLANATION", "REASON")),
            "swapped columns": rows(WEB, exchange("BILLBOARD_BUY_AMT", "BILLBOARD_SELL_AMT")),
            "wrong unit": rows(WEB, times("BILLBOARD_BUY_AMT", 1e-4)),
            "wrong entity": rows(WEB, put("SECURITY_CODE", STRANGER)),
        },
        clock(LAST, 19), {}, PICKED, only_last_day_is_early=True,
    ),
    Row(
        "eastmoney", "fund_flows", "stock_individual_fund_flow",
        {
            "no record": answer(FLOW, {"rc": 100, "data": None}),
            "schema drift": rows(FLOW, added),
            "swapped columns": rows(FLOW, exchange(1, 6)),
            "wrong unit": rows(FLOW, times(1, 1e-4)),
            "wrong entity": of_other(FLOW),
        },
        AFTERNOON, only_last_day_is_early=True,
    ),
    Row(
        "eastmoney", "attention", "stock_hot_rank_detail_em",
        {
            "no record": answer(RANK, {"globalId": "x", "status": 0, "code": 0, "data": None}),
            "schema drift": rows(RANK, added),
            "swapped columns": rows(RANK, lambda row: dict(reversed(row.items()))),
        },
        AFTERNOON, NO_UNIT | {"wrong entity": "the answer names no company; the client writes the asked one"},
        only_last_day_is_early=True,
    ),
    Row(
        "eastmoney", "suspensions", "stock_tfp_em",
        {
            "no record": answer(WEB, east_money.NOTHING),
            "schema drift": rows(WEB, added),
            "swapped columns": rows(WEB, exchange("SUSPEND_START_TIME", "SUSPEND_REASON")),
            "wrong entity": rows(WEB, put("SECURITY_CODE", STRANGER)),
        },
        clock(date(2024, 6, 3), 8), NO_UNIT, PICKED,
    ),
    Row(
        "eastmoney", "peers", "stock_zh_valuation_comparison_em",
        {
            "no record": answer(F10, east_money.NOTHING),
            "schema drift": rows(F10, rename("PE_TTM", "PE_T")),
            "swapped columns": rows(F10, exchange("CORRE_SECURITY_CODE", "CORRE_SECURITY_NAME")),
            "wrong entity": rows(F10, put("CORRE_SECURITY_CODE", STRANGER)),
        },
        clock(LAST, 14, 10), NO_UNIT, only_last_day_is_early=True,
    ),
    Row(
        "eastmoney", "macro", "macro_china_pmi+cpi+lpr",
        {
            "no record": answer(WEB, east_money.NOTHING),
            "schema drift": rows(WEB, added),
            "swapped columns": rows(WEB, having("MAKE_INDEX", exchange("MAKE_INDEX", "MAKE_SAME"))),
            "wrong unit": rows(WEB, having("MAKE_INDEX", times("MAKE_INDEX", 0.01))),
            "wrong entity": rows(WEB, having("MAKE_INDEX", put("MAKE_INDEX", 100.3))),
        },
        BEFORE_ALL, {}, CUT, symbol=None, start=date(2024, 5, 1),
    ),
)  # fmt: skip

# cninfo

LIST, DATA = "www.cninfo.com.cn/new/hisAnnouncement/query", "webapi.cninfo.com.cn"
CNINFO = (
    Row(
        "cninfo", "announcements", "stock_zh_a_disclosure_report_cninfo",
        {
            "no record": answer(LIST, {"totalAnnouncement": 0, "announcements": None}),
            "schema drift": rows(LIST, rename("announcementTitle", "title")),
            "swapped columns": rows(LIST, exchange("announcementId", "announcementTitle")),
            "wrong unit": rows(LIST, times("announcementTime", 1e-3)),
            "wrong entity": rows(LIST, lambda row: {**row, "secCode": STRANGER, "secName": "贵州茅台"}),
        },
        clock(date(2024, 5, 30), 9), {}, CUT,
    ),
    Row(
        "cninfo", "corporate_actions", "stock_dividend_cninfo+stock_allotment_cninfo",
        {
            "no record": answer(DATA, {"resultcode": 200, "resultmsg": "success", "records": []}),
            "schema drift": rows(DATA, having("F020D", rename("F020D", "F999D"))),
            "swapped columns": rows(DATA, having("F007V", exchange("F006D", "F007V"))),
            "wrong unit": rows(DATA, having("F012N", put("F012N", -7.19))),
            "wrong entity": rows(DATA, lambda row: {**row, "SECCODE": STRANGER}),
        },
        BEFORE_ALL,
    ),
)  # fmt: skip

FILINGS = (
    Row(
        "cninfo", "filing_texts", "static.cninfo.com.cn",
        {
            "no record": rows(LIST, put("announcementTitle", "平安银行：董事会决议公告")),
            "schema drift": rows(LIST, rename("announcementTitle", "title")),
            "swapped columns": rows(LIST, exchange("announcementId", "announcementTitle")),
            "wrong entity": rows(LIST, lambda row: {**row, "secCode": STRANGER, "secName": "贵州茅台"}),
        },
        clock(date(2024, 5, 30), 9), NO_UNIT, CUT,
    ),
)  # fmt: skip

# Sina, Tencent

KLC = "finance.sina.com.cn/realstock/company/sz000001/hisdata_klc2/klc_kl.js"
HFQ = "finance.sina.com.cn/realstock/company/sz000001/hfq.js"
SESSIONS = "finance.sina.com.cn/realstock/company/klc_td_sh.txt"
TENCENT_DAYS = "proxy.finance.qq.com"


def sina_bars(change):
    """Change every bar before it is packed."""

    def edit(world):
        world.sina.bars["sz000001"] = [change(bar) for bar in world.sina.bars["sz000001"]]

    return edit


def factor_file(data: str) -> str:
    return f'var sz000001hfq={{"total":2,"data":{data}}}'


SINA = (
    Row(
        "sina", "daily_bars", "stock_zh_a_daily",
        {
            "no record": lambda world: world.sina.bars.clear(),
            "schema drift": body(KLC, 'var KLC_KL_sz000001="AAAAAAAAAAAAAAAAAAAA";'),
            "swapped columns": sina_bars(lambda bar: replace(bar, volume=bar.amount, amount=bar.volume)),
            "wrong unit": sina_bars(lambda bar: replace(bar, volume=bar.volume // 100)),
            "wrong entity": text_of(KLC, lambda text: text.replace("sz000001", "sh600519")),
        },
        AFTERNOON, only_last_day_is_early=True,
    ),
    Row(
        "sina", "adjust_factors", "stock_zh_a_daily(hfq-factor)",
        {
            "no record": body(HFQ, factor_file("[]")),
            "schema drift": body(HFQ, factor_file('[{"d":"2024-06-13","f":"12.4","x":"1"}]')),
            "swapped columns": body(HFQ, factor_file('[{"d":"12.4","f":"2024-06-13"},{"d":"1.0","f":"1900-01-01"}]')),
            "wrong entity": text_of(HFQ, lambda text: text.replace("sz000001", "sh600519")),
        },
        clock(LAST, 17, 40), NO_UNIT, start=date(2023, 1, 3),
    ),
    Row(
        "sina", "trade_dates", "tool_trade_date_hist_sina",
        {
            "no record": body(SESSIONS, 'var datelist="";'),
            "schema drift": body(SESSIONS, 'var datelist="AAAAAAAAAAAAAAAAAAAA";'),
        },
        BEFORE_ALL, NO_UNIT | NOBODY | {"swapped columns": "a single column"}, CUT,
    ),
)  # fmt: skip


def tencent_days(change):
    """Change every row of the answer."""

    def edit(world):
        world.tencent.days["sz000001"] = [change(row) for row in world.tencent.days["sz000001"]]

    return edit


TENCENT = (
    Row(
        "tencent", "daily_bars", "stock_zh_a_hist_tx",
        {
            "no record": lambda world: world.tencent.days.clear(),
            "schema drift": tencent_days(lambda row: row[:7]),
            "swapped columns": tencent_days(exchange(3, 4)),
            "wrong unit": tencent_days(put(5, "8012.34")),
            "wrong entity": text_of(TENCENT_DAYS, lambda text: text.replace("sz000001", "sh600519")),
        },
        AFTERNOON, only_last_day_is_early=True,
    ),
)  # fmt: skip

# The exchanges

SSE_LIST = "query.sse.com.cn/sseQuery/commonQuery.do"
SSE_MARGIN = "query.sse.com.cn/marketdata/tradedata/queryMargin.do"
BSE_LIST, BSE_MARGIN = "www.bse.cn/nqxxController/nqxxCnzq.do", "www.bse.cn/rzrqjyyexxController/detailInfoResult.do"
SZSE = "www.szse.cn"
BEIJING = "920002.BJ"
ABSENT_FROM_LIST = {"wrong entity": Status.NO_DATA}
NEXT_MORNING = clock(date(2024, 6, 3), 21)
NO_SUM = {"wrong unit": "the answer holds no second figure to check an amount against"}


def another(code: str) -> str:
    return "688002" if code == "688001" else "601398"


def without(code: str):
    return lambda row: [*row[:4], "300999", *row[5:]] if row[4] == code else row


EXCHANGES = (
    Row(
        "exchanges", "instruments", "stock_info_sz_name_code",
        {
            "no record": sheet(without("000001")),
            "schema drift": sheet(put(4, lambda value: "代码" if value == "A股代码" else value)),
            "swapped columns": sheet(lambda row: row if row[0] == "板块" else exchange(4, 5)(row)),
            "wrong entity": sheet(without("000001")),
        },
        clock(date(1990, 12, 20), 9), NO_UNIT, CUT | ABSENT_FROM_LIST,
    ),
    Row(
        "exchanges", "instruments", "stock_info_sh_name_code",
        {
            "no record": rows(SSE_LIST, put("A_STOCK_CODE", another)),
            "schema drift": rows(SSE_LIST, rename("LIST_DATE", "DATE")),
            "swapped columns": rows(SSE_LIST, exchange("A_STOCK_CODE", "SEC_NAME_CN")),
            "wrong entity": rows(SSE_LIST, put("A_STOCK_CODE", another)),
        },
        clock(date(1990, 12, 20), 9), NO_UNIT, CUT | ABSENT_FROM_LIST, symbol=PUDONG,
    ),
    Row(
        "exchanges", "instruments", "stock_info_bj_name_code",
        {
            "no record": rows(BSE_LIST, put("xxzqdm", "920003")),
            "schema drift": rows(BSE_LIST, added),
            "swapped columns": rows(BSE_LIST, exchange("xxzqdm", "xxzqjc")),
            "wrong entity": rows(BSE_LIST, put("xxzqdm", "920003")),
        },
        clock(date(2024, 1, 2), 9), NO_UNIT, CUT | ABSENT_FROM_LIST, symbol=BEIJING,
    ),
    Row(
        "exchanges", "margins", "stock_margin_detail_szse",
        {
            "no record": lambda world: world.exchanges.szse_margins.clear(),
            "schema drift": sheet(added),
            "swapped columns": sheet(exchange(0, 1)),
            "wrong unit": sheet(put(3, lambda value: value if "融" in value else "1,567")),
            "wrong entity": sheet(put(0, lambda value: value if value == "证券代码" else STRANGER)),
        },
        NEXT_MORNING, {}, PICKED,
    ),
    Row(
        "exchanges", "margins", "stock_margin_detail_sse",
        {
            "no record": lambda world: world.exchanges.sse_margins.clear(),
            "schema drift": rows(SSE_MARGIN, added),
            "swapped columns": rows(SSE_MARGIN, exchange("opDate", "securityAbbr")),
            "wrong entity": rows(SSE_MARGIN, put("stockCode", STRANGER)),
        },
        NEXT_MORNING, NO_SUM, PICKED, symbol=PUDONG,
    ),
    Row(
        "exchanges", "margins", "stock_margin_detail_bse",
        {
            "no record": lambda world: world.exchanges.bse_margins.clear(),
            "schema drift": rows(BSE_MARGIN, rename("rzye", "balance")),
            "swapped columns": rows(BSE_MARGIN, exchange("zqdm", "zqjc")),
            "wrong unit": rows(BSE_MARGIN, put("rzye", "5.6789")),
            "wrong entity": rows(BSE_MARGIN, put("zqdm", "920003")),
        },
        NEXT_MORNING, {}, PICKED, symbol=BEIJING,
    ),
)  # fmt: skip

# tushare

TUSHARE_HOST = "api.tushare.pro"


def no_items(document):
    return {**document, "data": {**document["data"], "items": []}}


def one_field_less(document):
    data = document["data"]
    return {**document, "data": {**data, "fields": data["fields"][:-1], "items": [item[:-1] for item in data["items"]]}}


def tushare(kind: str, function: str, early: datetime, swap, unit, **more):
    """The first field names whom a row is about: the company, of a calendar the exchange."""
    edits = {
        "no record": document_of(TUSHARE_HOST, no_items),
        "schema drift": document_of(TUSHARE_HOST, one_field_less),
        "swapped columns": rows(TUSHARE_HOST, swap),
        "wrong entity": rows(TUSHARE_HOST, put(0, "600519.SH")),
    }
    if unit is not None:
        edits["wrong unit"] = rows(TUSHARE_HOST, unit)
    return Row("tushare", kind, function, edits, early, **more)


TUSHARE = (
    tushare("daily_bars", "daily", AFTERNOON, exchange(3, 4), times(7, 100), only_last_day_is_early=True),
    tushare("adjust_factors", "adj_factor", clock(LAST, 17, 40), exchange(1, 2), None, absent=NO_UNIT),
    tushare("valuations", "daily_basic", AFTERNOON, exchange(0, 1), times(7, 10_000), only_last_day_is_early=True),
    tushare("trade_dates", "trade_cal", BEFORE_ALL, exchange(1, 2), None, absent=NO_UNIT, expected=CUT),
    tushare("instruments", "stock_basic", clock(date(1990, 12, 20), 9), exchange(1, 3), None, absent=NO_UNIT,
            expected=CUT | ABSENT_FROM_LIST),
    tushare("earnings_forecasts", "forecast", BEFORE_ALL, exchange(6, 7), times(6, 10_000), expected=CUT),
)  # fmt: skip

ROWS = (*BAOSTOCK, *EAST_MONEY, *CNINFO, *FILINGS, *SINA, *TENCENT, *EXCHANGES, *TUSHARE)
