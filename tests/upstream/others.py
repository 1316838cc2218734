"""cninfo, Sina, Tencent, the exchanges and tushare in their recorded shape."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

import openpyxl

from tests.upstream import sina_codec
from tests.upstream.east_money import keyed
from tests.upstream.web import Call, Reply, Upstream, json_reply, text_reply

Row = dict[str, Any]
_SHANGHAI = ZoneInfo("Asia/Shanghai")
_XLSX = "application/vnd.ms-excel"


def filing(code: str, name: str, number: int, title: str, moment: datetime, category: str = "010301") -> Row:
    """One filing as cninfo lists it; midnight means that only the date is known."""
    day = f"{moment:%Y-%m-%d}"
    return {
        "id": None, "secCode": code, "secName": name, "orgId": f"gssx0{code}", "announcementId": str(number),
        "announcementTitle": title, "announcementTime": int(moment.replace(tzinfo=_SHANGHAI).timestamp() * 1000),
        "adjunctUrl": f"finalpage/{day}/{number}.PDF", "adjunctSize": 155, "adjunctType": "PDF", "storageTime": None,
        "columnId": "09020202||250101", "pageColumn": "SZZB", "announcementType": f"01010503||{category}",
        "associateAnnouncement": None, "important": None, "batchNum": None, "announcementContent": "",
        "orgName": None, "tileSecName": name, "shortTitle": "x", "announcementTypeName": None, "secNameList": None,
    }  # fmt: skip


def cninfo_dividend(ex_date: str, notice: str) -> Row:
    return {
        "F006D": notice, "F044V": "年度分红", "F011N": 2.0, "F010N": 1.0, "F012N": 7.19, "F018D": notice,
        "F020D": ex_date, "F023D": ex_date, "F025D": None, "F007V": "10送1转增2派7.19元(含税)", "F001V": "2023年报",
    }  # fmt: skip


def cninfo_rights(code: str, ex_date: str, notice: str) -> Row:
    """One rights issue of 3 per 10 at 8.00, in the order of akshare's 57 columns."""
    named = {
        1: ("SECNAME", "名称"), 8: ("F008N", 8.0), 9: ("F009N", 3.0), 18: ("F018D", ex_date), 21: ("SECCODE", code),
        45: ("DECLAREDATE", notice),
    }  # fmt: skip
    return keyed(57, named)


@dataclass
class Cninfo:
    """``filings``: code → rows, newest first; ``dividends``, ``rights``: code → records; ``pdfs``: path → bytes."""

    filings: dict[str, list[Row]] = field(default_factory=dict)
    dividends: dict[str, list[Row]] = field(default_factory=dict)
    rights: dict[str, list[Row]] = field(default_factory=dict)
    pdfs: dict[str, bytes] = field(default_factory=dict)

    def register(self, upstream: Upstream) -> None:
        upstream.route("www.cninfo.com.cn", "/new/data/szse_stock.json", self._stocks)
        upstream.route("www.cninfo.com.cn", "/new/hisAnnouncement/query", self._query)
        upstream.route("webapi.cninfo.com.cn", "/api/sysapi/p_sysapi1139", self._dividends)
        upstream.route("webapi.cninfo.com.cn", "/api/stock/p_stock2232", self._rights)
        upstream.route("static.cninfo.com.cn", "*", self._pdf)

    def _stocks(self, _: Call) -> Reply:
        return json_reply({"stockList": [{"code": code, "orgId": f"gssx0{code}"} for code in self.filings]})

    def _query(self, call: Call) -> Reply:
        code = call.form["stock"].partition(",")[0]
        first, _, last = call.form["seDate"].partition("~")
        rows = [row for row in self.filings[code] if first <= _day(row) <= last]
        page, size = int(call.form["pageNum"]), int(call.form["pageSize"])
        part = rows[(page - 1) * size : page * size]
        return json_reply(
            {"totalAnnouncement": len(rows), "totalRecordNum": len(rows), "announcements": part or None,
             "hasMore": page * size < len(rows), "totalpages": len(rows) // size}
        )  # fmt: skip

    def _dividends(self, call: Call) -> Reply:
        records = self.dividends.get(call.query["scode"], [])
        return json_reply({"resultcode": 200, "resultmsg": "success", "total": len(records), "records": records})

    def _rights(self, call: Call) -> Reply:
        records = self.rights.get(call.query["scode"], [])
        return json_reply({"resultcode": 200, "resultmsg": "success", "total": len(records), "records": records})

    def _pdf(self, call: Call) -> Reply:
        found = self.pdfs.get(call.path)
        return Reply(found, content_type="application/pdf") if found else Reply(b"", 404, "text/html")


def _day(row: Row) -> str:
    return _day_of(row["announcementTime"])


@cache
def _day_of(milliseconds: int) -> str:
    return f"{datetime.fromtimestamp(milliseconds / 1000, _SHANGHAI):%Y-%m-%d}"


@dataclass
class Sina:
    """``bars``: sh600000 → bars; ``factors``: sh600000 → [(date, factor text)]; ``sessions``: the calendar."""

    bars: dict[str, list[sina_codec.Bar]] = field(default_factory=dict)
    factors: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    sessions: list[date] = field(default_factory=list)
    factor_text: str | None = None

    def register(self, upstream: Upstream) -> None:
        upstream.route("finance.sina.com.cn", "/realstock/company/klc_td_sh.txt", self._calendar)
        upstream.route("finance.sina.com.cn", "*", self._company)
        upstream.route("stock.finance.sina.com.cn", "*", self._shares)

    def _calendar(self, _: Call) -> Reply:
        return text_reply(sina_codec.calendar_text(self.sessions))

    def _company(self, call: Call) -> Reply:
        symbol = call.path.split("/")[3]
        if call.path.endswith("klc_kl.js"):
            found = self.bars.get(symbol)
            return text_reply(sina_codec.bars_text(found, symbol)) if found else Reply(b"", 404, "text/html")
        kind = call.path.rpartition("/")[2].removesuffix(".js")
        if self.factor_text is not None:
            return text_reply(self.factor_text)
        data = [{"d": day, "f": factor} for day, factor in self.factors.get(symbol, [])]
        body = json.dumps({"total": len(data), "data": data}, separators=(",", ":"))
        return text_reply(f"var {symbol}{kind}={body}\n/* note */")

    def _shares(self, call: Call) -> Reply:
        shares = '[{"date":"1999-11-12","amount":"2935217.5"}]'
        return text_reply(f"/*<script></script>*/\nvar KKE_ShareAmount_x=({shares})")


@dataclass
class Tencent:
    """``days``: sz000001 → rows [date, open, close, high, low, volume, {}, turnover %, amount in 万元, '']."""

    days: dict[str, list[list[Any]]] = field(default_factory=dict)

    def register(self, upstream: Upstream) -> None:
        upstream.route("web.ifzq.gtimg.cn", "/other/klineweb/klineWeb/weekTrends", self._weeks)
        upstream.route("proxy.finance.qq.com", "/ifzqgtimg/appstock/app/newfqkline/get", self._days)

    def _weeks(self, _: Call) -> Reply:
        return text_reply('trend_qfq={"code":0,"msg":"","data":[["2015-06-10","1"]]}')

    def _days(self, call: Call) -> Reply:
        symbol, _, first, last, *_ = call.query["param"].split(",")
        rows = self.days.get(symbol)
        data = {symbol: {"day": [row for row in rows if first <= row[0] <= last]}} if rows else []
        return text_reply(f"{call.query['_var']}=" + json.dumps({"code": 0, "msg": "", "data": data}))


def sse_margin(code: str, name: str, day: str) -> Row:
    named = {
        1: ("opDate", day), 2: ("rqchl", "100"), 3: ("rqmcl", "200"), 4: ("rqyl", "3000"), 7: ("rzche", "111"),
        8: ("rzmre", "222"), 10: ("rzye", "5000000"), 11: ("securityAbbr", name), 12: ("stockCode", code),
    }  # fmt: skip
    return keyed(13, named)


SZSE_MARGIN_HEAD = (
    "证券代码", "证券简称", "融资买入额(元)", "融资余额(元)", "融券卖出量(股/份)", "融券余量(股/份)", "融券余额(元)",
    "融资融券余额(元)",
)  # fmt: skip
SZSE_LIST_HEAD = (
    "板块", "公司全称", "英文名称", "注册地址", "A股代码", "A股简称", "A股上市日期", "A股总股本", "A股流通股本",
    "B股代码", "所属行业",
)  # fmt: skip


@dataclass
class Exchanges:
    """Company lists and margin rows; the margin dictionaries are keyed by day (YYYYMMDD or YYYY-MM-DD)."""

    sse_list: list[Row] = field(default_factory=list)
    szse_list: list[Sequence[Any]] = field(default_factory=list)
    bse_list: list[Row] = field(default_factory=list)
    sse_margins: dict[str, list[Row]] = field(default_factory=dict)
    szse_margins: dict[str, list[Sequence[Any]]] = field(default_factory=dict)
    bse_margins: dict[str, list[Row]] = field(default_factory=dict)

    def register(self, upstream: Upstream) -> None:
        upstream.route("query.sse.com.cn", "/sseQuery/commonQuery.do", self._sse_list)
        upstream.route("query.sse.com.cn", "/marketdata/tradedata/queryMargin.do", self._sse_margin)
        upstream.route("www.szse.cn", "/api/report/ShowReport", self._szse)
        upstream.route("www.bse.cn", "/nqxxController/nqxxCnzq.do", self._bse_list)
        upstream.route("www.bse.cn", "/rzrqjyyexxController/detailInfoResult.do", self._bse_margin)

    def _sse_list(self, call: Call) -> Reply:
        is_star = call.query["STOCK_TYPE"] == "8"
        rows = [row for row in self.sse_list if row["A_STOCK_CODE"].startswith("688") == is_star]
        return json_reply({"result": rows, "pageHelp": {"total": len(rows)}})

    def _sse_margin(self, call: Call) -> Reply:
        rows = self.sse_margins.get(call.query["detailsDate"], [])
        return json_reply({"result": rows, "pageHelp": {"data": None, "pageCount": 0, "total": len(rows)}})

    def _szse(self, call: Call) -> Reply:
        if call.query["CATALOGID"] == "1110":
            return workbook([SZSE_LIST_HEAD, *self.szse_list])
        rows = self.szse_margins.get(call.query["txtDate"])
        return workbook([SZSE_MARGIN_HEAD, *rows] if rows else [["没有找到符合条件的数据！"]])

    def _bse_list(self, call: Call) -> Reply:
        page = {"totalPages": 1, "totalElements": len(self.bse_list), "content": self.bse_list}
        return text_reply(f"null([{json.dumps(page, ensure_ascii=False)}])", "text/html;charset=UTF-8")

    def _bse_margin(self, call: Call) -> Reply:
        rows = self.bse_margins.get(call.form["transDate"], [])
        page = json.dumps({"totalPages": 1, "content": rows}, ensure_ascii=False)
        return text_reply(f"cb([[{page}],'{call.form['transDate']}'])")


def sse_company(code: str, name: str, listed: str) -> Row:
    return {
        "A_STOCK_CODE": code, "B_STOCK_CODE": "-", "SEC_NAME_CN": name, "SEC_NAME_FULL": name, "COMPANY_ABBR": name,
        "FULL_NAME": f"{name}股份有限公司", "LIST_DATE": listed,
    }  # fmt: skip


def szse_company(code: str, name: str, listed: str) -> Sequence[Any]:
    return ["主板", "x", "x", "x", code, name, listed, "9,724,196,533", "9,717,000,000", None, "K 房地产"]


def bse_company(code: str, name: str, listed: str) -> Row:
    named = {
        0: ("fxssrq", listed), 11: ("xxltgb", 1000), 17: ("xxhyzl", "软件服务业"), 22: ("xxjsrq", "2024-06-14"),
        29: ("xxssdq", "北京市"), 35: ("xxzbqs", "某证券"), 36: ("xxzgb", 2000), 38: ("xxzqdm", code),
        40: ("xxzqjc", name),
    }  # fmt: skip
    return keyed(48, named)


def bse_margin(code: str, name: str) -> Row:
    return {
        "zqdm": code, "zqjc": name, "rzmre": "1234", "rzye": "56789", "rqmcl": "10", "rqyl": "200", "rqye": "1900",
        "rzrqye": "58689",
    }  # fmt: skip


def workbook(rows: Sequence[Sequence[Any]]) -> Reply:
    """Rows as an xlsx file."""
    book = openpyxl.Workbook()
    sheet = book.active
    for row in rows:
        sheet.append(list(row))
    data = io.BytesIO()
    book.save(data)
    return Reply(data.getvalue(), content_type=_XLSX)


@dataclass
class Tushare:
    """``tables``: api name → (fields, items); one error for all if *error* is set."""

    tables: dict[str, tuple[list[str], list[list[Any]]]] = field(default_factory=dict)
    error: tuple[int, str] | None = None
    host: str = "api.tushare.pro"

    def register(self, upstream: Upstream) -> None:
        upstream.route(self.host, "/", self._answer)

    def _answer(self, call: Call) -> Reply:
        if self.error:
            return json_reply({"request_id": "x", "code": self.error[0], "msg": self.error[1], "data": None})
        fields, items = self.tables.get(call.json["api_name"], ([], []))
        wanted = [name for name in call.json["fields"].split(",") if name in fields] or fields
        offset, limit = int(call.json["params"].get("offset", 0)), int(call.json["params"].get("limit", 5000))
        picked = [[item[fields.index(name)] for name in wanted] for item in items]
        part = picked[offset : offset + limit]
        data = {"fields": wanted or call.json["fields"].split(","), "items": part,
                "has_more": offset + limit < len(picked)}  # fmt: skip
        return json_reply({"request_id": "x", "code": 0, "msg": "", "data": data})
