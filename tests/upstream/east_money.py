"""East Money's answers in their recorded shape, built for one company and one day.

Many of akshare's renames are positional, so rows are built with the upstream's number of keys in its order;
``K0``, ``K1`` … stand for columns nobody reads.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from typing import Any

from tests.upstream.web import Call, Reply, Upstream, json_reply, text_reply

NOTHING = {"version": None, "result": None, "success": False, "message": "返回数据为空", "code": 9201}
MISSING_REPORT = {"version": None, "result": None, "success": False, "message": "报表配置不存在", "code": 9501}
DATACENTERS = (
    ("datacenter-web.eastmoney.com", "/api/data/v1/get"),
    ("datacenter.eastmoney.com", "/securities/api/data/v1/get"),
    ("datacenter.eastmoney.com", "/securities/api/data/get"),
)
_CONDITION = re.compile(r"""\((\w+)(=|>=|<=)["']([^"']+)["']\)""")
Row = dict[str, Any]


def keyed(count: int, at: dict[int, tuple[str, Any]]) -> Row:
    """*count* keys in upstream order with the named ones at their positions."""
    return {at[i][0] if i in at else f"K{i}": at[i][1] if i in at else None for i in range(count)}


@dataclass
class EastMoney:
    """What East Money knows: edit the fields, and the answers change.

    Attributes:
        reports: Data centre report name → rows.
        klines: secid → kline texts; same for ``flows``.
        news: Keyword → items. ``research``: code → reports. ``ranks``: SZ000001 → [{day, rank}].
        info: secid → quote fields.
    """

    reports: dict[str, list[Row]] = field(default_factory=dict)
    klines: dict[str, list[str]] = field(default_factory=dict)
    flows: dict[str, list[str]] = field(default_factory=dict)
    news: dict[str, list[Row]] = field(default_factory=dict)
    research: dict[str, list[Row]] = field(default_factory=dict)
    ranks: dict[str, list[Row]] = field(default_factory=dict)
    info: dict[str, Row] = field(default_factory=dict)

    def register(self, upstream: Upstream) -> None:
        """Answer for every host of East Money on *upstream*."""
        for host, path in DATACENTERS:
            upstream.route(host, path, self._report)
        upstream.route("push2his.eastmoney.com", "/api/qt/stock/kline/get", self._kline)
        upstream.route("push2his.eastmoney.com", "/api/qt/stock/fflow/daykline/get", self._flow)
        upstream.route("push2.eastmoney.com", "/api/qt/stock/get", self._quote)
        upstream.route("search-api-web.eastmoney.com", "/search/jsonp", self._news)
        upstream.route("reportapi.eastmoney.com", "/report/list", self._research)
        upstream.route("emappdata.eastmoney.com", "/stockrank/getHisList", self._rank)
        upstream.route("emappdata.eastmoney.com", "/stockrank/getHisProfileList", self._fans)

    def _report(self, call: Call) -> Reply:
        name = call.query.get("reportName") or call.query.get("type") or ""
        rows = [row for row in self.reports.get(name, []) if _matches(row, call.query.get("filter", ""))]
        if not rows:
            return json_reply(NOTHING)
        size = int(call.query.get("pageSize") or call.query.get("ps") or 500)
        page = int(call.query.get("pageNumber") or call.query.get("p") or 1)
        result = {
            "pages": math.ceil(len(rows) / size),
            "data": rows[(page - 1) * size : page * size],
            "count": len(rows),
        }
        return json_reply({"version": "x", "result": result, "success": True, "message": "ok", "code": 0})

    def _kline(self, call: Call) -> Reply:
        first, last = call.query["beg"], call.query["end"]
        rows = self.klines.get(call.query["secid"])
        if rows is None:
            return json_reply({"rc": 100, "rt": 17, "svr": 1, "lt": 1, "full": 0, "dlmkts": "", "data": None})
        rows = [row for row in rows if first <= row[:10].replace("-", "") <= last]
        market, code = call.query["secid"].split(".")
        data = {"code": code, "market": int(market), "name": "名称", "decimal": 2, "dktotal": 8120, "klines": rows}
        return json_reply({"rc": 0, "rt": 17, "svr": 1, "lt": 1, "full": 0, "dlmkts": "", "data": data})

    def _flow(self, call: Call) -> Reply:
        rows = self.flows.get(call.query["secid"])
        data = None if rows is None else {"code": call.query["secid"][2:], "market": 0, "klines": rows}
        return json_reply({"rc": 0 if rows else 100, "data": data})

    def _quote(self, call: Call) -> Reply:
        data = self.info.get(call.query["secid"])
        return json_reply({"rc": 0 if data else 100, "rt": 4, "svr": 1, "lt": 1, "full": 1, "data": data})

    def _news(self, call: Call) -> Reply:
        items = self.news.get(json.loads(call.query["param"])["keyword"], [])
        answer = {"code": 0, "msg": "OK", "hitsTotal": len(items), "result": {"cmsArticleWebOld": items}}
        return text_reply(f"{call.query['cb']}({json.dumps(answer, ensure_ascii=False)})")

    def _research(self, call: Call) -> Reply:
        rows = self.research.get(call.query["code"], [])
        pages = 1 if rows else 0
        return json_reply(
            {"hits": len(rows), "size": len(rows), "data": rows, "TotalPage": pages, "pageNo": 1, "currentYear": 2024}
        )

    def _rank(self, call: Call) -> Reply:
        rows = self.ranks.get(call.json["srcSecurityCode"])
        ranks = [{"calcTime": row["day"], "rank": row["rank"]} for row in rows] if rows else None
        return json_reply({"globalId": "x", "status": 0, "code": 0, "data": ranks})

    def _fans(self, call: Call) -> Reply:
        rows = self.ranks.get(call.json["srcSecurityCode"]) or []
        fans = [{"calcTime": row["day"], "newUidRate": "60.5%", "oldUidRate": "39.5%"} for row in rows]
        return json_reply({"globalId": "x", "status": 0, "code": 0, "data": fans or None})


def _matches(row: Row, text: str) -> bool:
    for name, operator, value in _CONDITION.findall(text):
        if name not in row or row[name] is None:
            continue
        ours = str(row[name])[: len(value)]
        holds = {"=": ours == value, ">=": ours >= value, "<=": ours <= value}[operator]
        if not holds:
            return False
    return True


def kline(day: str, low: float, lots: int = 801_234) -> str:
    """One unadjusted bar: date, open, close, high, low, lots, amount, amplitude, change %, change, turnover %."""
    middle, high = round(low + 0.08, 2), round(low + 0.15, 2)
    amount = round(lots * 100 * (low + 0.07), 2)
    return f"{day},{low + 0.04:.2f},{middle:.2f},{high:.2f},{low:.2f},{lots},{amount:.2f},1.61,0.85,0.08,0.41"


def flow(day: str, huge: float = -2_345_678.0, large: float = -10_000_000.0) -> str:
    """One fund flow row: main, small, medium, large, super-large, their shares, close, change."""
    return f"{day},{huge + large},2345678.0,9999999.0,{large},{huge},-1.62,0.31,1.31,-0.31,-1.31,9.50,0.85,0.00,0.00"


def valuation(code: str, day: str, pe: float | None) -> Row:
    return {
        "SECURITY_CODE": code, "TRADE_DATE": f"{day} 00:00:00", "CLOSE_PRICE": 9.5, "CHANGE_RATE": 0.85,
        "TOTAL_MARKET_CAP": 184_356_222_881, "NOTLIMITED_MARKETCAP_A": 184_352_696_025,
        "TOTAL_SHARES": 19_405_918_198, "FREE_SHARES_A": 19_405_546_950, "PE_TTM": pe, "PE_LAR": 3.96,
        "PB_MRQ": 0.43, "PEG_CAR": None, "PCF_OCF_TTM": -2.1, "PS_TTM": 1.1,
    }  # fmt: skip


def pledge(code: str, name: str, day: str) -> Row:
    named = {
        1: ("SECURITY_CODE", code), 2: ("SECURITY_NAME_ABBR", name), 3: ("TRADE_DATE", f"{day} 00:00:00"),
        4: ("PLEDGE_RATIO", 12.34), 5: ("REPURCHASE_BALANCE", 5678.9), 6: ("PLEDGE_DEAL_NUM", 12),
        7: ("UNLIMITED", 5000.0), 8: ("LIMITED", 678.9), 9: ("PLEDGE_MARKET_CAP", 53949.6), 10: ("INDUSTRY", "银行"),
        11: ("Y1_CLOSE_ADJCHRATE", -3.2), 12: ("INDUSTRY_CODE", "BK0475"),
    }  # fmt: skip
    return keyed(14, named)


def holder_trade(code: str, name: str, day: str) -> Row:
    named = {
        0: ("CHANGE_NUM", -120.5), 1: ("NOTICE_DATE", f"{day} 00:00:00"), 2: ("SECURITY_CODE", code),
        3: ("HOLDER_NAME", "某控股（测试）"), 4: ("CHANGE_RATIO", 0.5), 7: ("END_DATE", f"{day} 00:00:00"),
        9: ("AFTER_HOLDER_NUM", 9000.0), 10: ("HOLD_RATIO", 7.1), 12: ("FREE_RATIO", 7.2), 13: ("FREE_NUM", 9000.0),
        15: ("SECURITY_NAME_ABBR", name), 16: ("DIRECTION", "减持"), 18: ("CHANGE_FREE_RATIO", 0.6),
        19: ("START_DATE", f"{day[:8]}01 00:00:00"), 21: ("NEWEST_PRICE", 9.5), 22: ("CHANGE_RATE_QUOTES", 0.85),
    }  # fmt: skip
    return keyed(24, named)


def top_list(code: str, name: str, day: str, reason: str = "日涨幅偏离值达到7%的前5只证券") -> Row:
    return {
        "SECURITY_CODE": code, "SECUCODE": code, "SECURITY_NAME_ABBR": name, "TRADE_DATE": f"{day} 00:00:00",
        "EXPLAIN": "主力做T", "CLOSE_PRICE": 9.5, "CHANGE_RATE": 9.99, "BILLBOARD_NET_AMT": 1.5e7,
        "BILLBOARD_BUY_AMT": 8e7, "BILLBOARD_SELL_AMT": 6.5e7, "BILLBOARD_DEAL_AMT": 1.45e8,
        "ACCUM_AMOUNT": 761_172_300, "DEAL_NET_RATIO": 1.97, "DEAL_AMOUNT_RATIO": 19.05, "TURNOVERRATE": 0.41,
        "FREE_MARKET_CAP": 1.84e11, "EXPLANATION": reason, "D1_CLOSE_ADJCHRATE": None, "D2_CLOSE_ADJCHRATE": None,
        "D5_CLOSE_ADJCHRATE": None, "D10_CLOSE_ADJCHRATE": None, "SECURITY_TYPE_CODE": "058001001",
    }  # fmt: skip


def forecast(code: str, name: str, day: str, quarter: str) -> Row:
    named = {
        1: ("SECURITY_CODE", code), 2: ("SECURITY_NAME_ABBR", name), 4: ("NOTICE_DATE", f"{day} 00:00:00"),
        5: ("REPORT_DATE", f"{quarter} 00:00:00"), 7: ("PREDICT_FINANCE", "归属于上市公司股东的净利润"),
        12: ("PREDICT_CONTENT", "预计净利润同比增长（测试）"), 13: ("CHANGE_REASON", "主营业务增长（测试）"),
        14: ("PREDICT_TYPE", "预增"), 15: ("PREYEAR_SAME_PERIOD", 1.2e8), 20: ("CHANGE_RATE", 55.5),
        21: ("PREDICT_AMT", 1.9e8),
    }  # fmt: skip
    return keyed(27, named)


def suspension(code: str, name: str, day: str) -> Row:
    named = {
        0: ("SECURITY_CODE", code), 1: ("SECURITY_NAME_ABBR", name), 2: ("SUSPEND_START_TIME", f"{day} 09:30:00"),
        3: ("SUSPEND_END_TIME", None), 4: ("SUSPEND_EXPIRE", "连续停牌"), 5: ("SUSPEND_REASON", "重大事项（测试）"),
        6: ("TRADE_MARKET", "深交所主板"), 7: ("SUSPEND_START_DATE", f"{day} 00:00:00"), 8: ("PREDICT_RESUME", None),
    }  # fmt: skip
    return keyed(12, named)


def financial(symbol: str, name: str, notice: str, quarter: str) -> Row:
    return {
        "SECUCODE": symbol, "SECURITY_CODE": symbol[:6], "SECURITY_NAME_ABBR": name,
        "REPORT_DATE": f"{quarter} 00:00:00", "REPORT_TYPE": "一季报", "REPORT_DATE_NAME": "一季报",
        "NOTICE_DATE": f"{notice} 00:00:00", "UPDATE_DATE": f"{notice} 00:00:00", "CURRENCY": "CNY", "EPSJB": 0.66,
        "BPS": 21.6, "ROEJQ": 3.37, "ZCFZL": 91.2, "TOTALOPERATEREVE": 3.877e10, "TOTALOPERATEREVETZ": -14.0,
        "PARENTNETPROFIT": 1.4932e10, "PARENTNETPROFITTZ": 2.3, "KCFJCXSYJLR": 1.49e10, "XSMLL": None,
        "XSJLL": 38.5, "NETCASH_OPERATE_PK": 5.4e10,
    }  # fmt: skip


def dividend(code: str, name: str, ex_date: str, notice: str) -> Row:
    named = {
        1: ("SECURITY_CODE", code), 4: ("SECURITY_NAME_ABBR", name), 5: ("BONUS_IT_RATIO", 3.0),
        6: ("BONUS_RATIO", 1.0), 7: ("IT_RATIO", 2.0), 8: ("PRETAX_BONUS_RMB", 7.19),
        9: ("PUBLISH_DATE", f"{notice} 00:00:00"), 10: ("EQUITY_RECORD_DATE", f"{notice} 00:00:00"),
        11: ("EX_DIVIDEND_DATE", f"{ex_date} 00:00:00"), 12: ("REPORT_DATE", "2023-12-31 00:00:00"),
        13: ("ASSIGN_PROGRESS", "实施分配"), 14: ("IMPL_PLAN_PROFILE", "10送1转2派7.19元(含税)"),
        15: ("NOTICE_DATE", f"{notice} 00:00:00"), 19: ("BASIC_EPS", 2.25), 20: ("BVPS", 20.7),
        21: ("PER_CAPITAL_RESERVE", 4.2), 22: ("PER_UNASSIGN_PROFIT", 10.9), 23: ("PNP_YOY_RATIO", 2.1),
        24: ("TOTAL_SHARES", 19_405_918_198), 25: ("PLAN_NOTICE_DATE", f"{notice} 00:00:00"),
        26: ("DIVIDENT_RATIO", 0.07),
    }  # fmt: skip
    return keyed(30, named)


def unlock(code: str, name: str, day: str) -> Row:
    """One batch in units of ten thousand shares; TOTAL_RATIO is a fraction."""
    return {
        "SECURITY_CODE": code, "SECURITY_NAME_ABBR": name, "FREE_DATE": f"{day} 00:00:00",
        "CURRENT_FREE_SHARES": 1200.0, "ABLE_FREE_SHARES": 1500.0, "LIFT_MARKET_CAP": 11400.0, "FREE_RATIO": 0.02,
        "NEW": 9.5, "B20_ADJCHRATE": 1.0, "A20_ADJCHRATE": None, "FREE_SHARES_TYPE": "定向增发机构配售股份",
        "TOTAL_RATIO": 0.018, "NON_FREE_SHARES": 0.0, "BATCH_HOLDER_NUM": 3,
    }  # fmt: skip


def peer(of_symbol: str, code: str, name: str, rank: int) -> Row:
    numbers = (
        "PB", "PB_MRQ", "PCE", "PCE_TTM", "PCF", "PCF_TTM", "PEG", "PE_1Y", "PE_2Y", "PE_3Y", "PE_TTM", "PS", "PS_1Y",
        "PS_2Y", "PS_3Y", "PS_TTM", "QYBS", "PE",
    )  # fmt: skip
    return {
        **dict.fromkeys(numbers, 5.5), "CORRE_SECUCODE": code, "CORRE_SECURITY_CODE": code,
        "CORRE_SECURITY_NAME": name, "REPORT_DATE": "2024-03-31 00:00:00", "SECUCODE": of_symbol,
        "SECURITY_CODE": of_symbol[:6], "TOTAL_COUNT": 42, "PAIMING": rank,
    }  # fmt: skip


def research(code: str, name: str, day: str) -> Row:
    return {
        "title": "季报点评（测试）", "stockName": name, "stockCode": code, "orgCode": "1",
        "orgName": "某证券股份有限公司", "orgSName": "某证券", "publishDate": f"{day} 00:00:00.000",
        "infoCode": "AP202404211630000001", "column": "x", "predictNextTwoYearEps": "2.6",
        "predictNextTwoYearPe": "3.9", "predictNextYearEps": "2.4", "predictNextYearPe": "4.2",
        "predictThisYearEps": "2.3", "predictThisYearPe": "4.4", "indvInduName": "银行", "emRatingName": "买入",
        "count": 7,
    }  # fmt: skip


def news(number: str, title: str, moment: str, content: str = "正文（测试）") -> Row:
    return {
        "date": moment, "image": "", "code": number, "title": title, "content": content, "mediaName": "测试时报",
        "url": f"http://finance.eastmoney.com/a/{number}.html",
    }  # fmt: skip


def quote(code: str, name: str, industry: str = "银行") -> Row:
    return {
        "f43": 11.7, "f57": code, "f58": name, "f84": 19_405_918_198.0, "f85": 19_405_546_950.0,
        "f116": 227_049_242_916.6, "f117": 227_044_899_315.0, "f127": industry, "f189": 19_910_403,
    }  # fmt: skip


def macro() -> dict[str, list[Row]]:
    """PMI, CPI and LPR of one month."""
    month = {"REPORT_DATE": "2024-05-01 00:00:00", "TIME": "2024年05月份"}
    cpi = ("NATIONAL", "CITY", "RURAL")
    parts = {"SAME": 0.3, "BASE": 100.3, "SEQUENTIAL": -0.1, "ACCUMULATE": 100.1}
    return {
        "RPT_ECONOMY_PMI": [{**month, "MAKE_INDEX": 49.5, "MAKE_SAME": 1.4, "NMAKE_INDEX": 51.1, "NMAKE_SAME": -6.2}],
        "RPT_ECONOMY_CPI": [{**month, **{f"{who}_{what}": value for who in cpi for what, value in parts.items()}}],
        "RPTA_WEB_RATE": [
            {"TRADE_DATE": "2024-05-20 00:00:00", "LPR1Y": 3.45, "LPR5Y": 3.95, "RATE_1": 4.35, "RATE_2": 4.75}
        ],
    }
