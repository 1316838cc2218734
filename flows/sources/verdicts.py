"""What the raw answer says, where the client library's exception or empty frame does not tell (U1).

One judge per upstream host reads the captured body: "no record" is only ever concluded from an upstream's own
words for it, never from a TypeError. Everything else that is not data is an error.
"""

from __future__ import annotations

import html
import io
import json
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

from flows.sources.faults import SourceFault, broken, limited, no_data, outage
from flows.sources.http import Exchange

#: East Money: "返回数据为空".
_EM_EMPTY = 9201
#: East Money quotes: rc 0 and 100 with null data mean an unknown or empty security.
_EM_QUOTE_EMPTY = (0, 100)
_BUSY_WORDS = ("频繁", "验证", "稍后再试", "captcha", "too many", "rate limit")
#: 456 is Sina's answer to a banned address.
_REFUSED = (401, 403, 418, 456)


def wire_fault(exchange: Exchange) -> SourceFault | None:
    """A fault that the HTTP status or a page in place of data shows by itself."""
    where = f"{exchange.host} 返回 HTTP {exchange.status}"
    if exchange.status == 429 or (exchange.status == 503 and exchange.retry_after_s is not None):
        return limited(f"{where}，请求过于频繁", exchange.retry_after_s)
    if exchange.status in _REFUSED:
        return limited(f"{where}，拒绝访问（可能被限流或封锁）")
    if exchange.status >= 500:
        return outage(f"{where}，上游故障")
    if exchange.is_html:
        text = exchange.text.lower()
        if any(word in text for word in _BUSY_WORDS):
            return limited(f"{exchange.host} 返回验证或限流页面而非数据")
        return broken(f"{exchange.host} 返回网页而非数据（可能被拦截）")
    return broken(f"{where}") if exchange.status >= 400 and exchange.status != 404 else None


def said(exchange: Exchange) -> SourceFault | None:
    """What the body itself says if it is no data: no record, or an error of the upstream."""
    if (fault := wire_fault(exchange)) is not None:
        return fault
    judge = _JUDGES.get(exchange.host)
    return judge(exchange) if judge else None


def incomplete(exchanges: Sequence[Exchange]) -> SourceFault | None:
    """A fault if a pager's own total says that rows are missing."""
    counted = _COUNTERS.get(exchanges[-1].host) if exchanges else None
    found = counted(exchanges) if counted else None
    if found is None or found[0] >= found[1]:
        return None
    fault = broken(f"上游称共 {found[1]} 条，只收到 {found[0]} 条，数据不完整，不采用")
    fault.again = True
    return fault


def parsed(exchange: Exchange) -> Any:
    """The body as JSON (JSONP and ``var x=`` wrappers taken off), or None if it is none."""
    text = exchange.text.strip()
    starts = [i for i in (text.find("{"), text.find("[")) if i >= 0]
    if not starts:
        return None
    end = max(text.rfind("}"), text.rfind("]")) + 1
    try:
        return json.loads(text[min(starts) : end])
    except ValueError:
        return None


def _em_datacenter(exchange: Exchange) -> SourceFault | None:
    answer = parsed(exchange)
    if not isinstance(answer, dict):
        return broken("东方财富数据中心的回答不是 JSON（可能被截断）")
    if answer.get("code") == _EM_EMPTY:
        return no_data("东方财富：返回数据为空（9201）")
    if answer.get("code") not in (0, None) or answer.get("result") is None:
        return broken(f"东方财富数据中心报错 {answer.get('code')}：{answer.get('message')}")
    return None


def _em_quote(exchange: Exchange) -> SourceFault | None:
    answer = parsed(exchange)
    if not isinstance(answer, dict) or "data" not in answer:
        return broken("东方财富行情的回答不是约定的 JSON（可能被截断或改版）")
    data = answer["data"]
    if data is None and answer.get("rc") in _EM_QUOTE_EMPTY:
        return no_data("东方财富行情：没有该证券或区间内没有数据")
    if data is None:
        return broken(f"东方财富行情报错 rc={answer.get('rc')}")
    if isinstance(data, dict) and data.get("klines") == []:
        return no_data("东方财富行情：区间内没有数据")
    return None


def _em_news(exchange: Exchange) -> SourceFault | None:
    answer = parsed(exchange)
    result = answer.get("result") if isinstance(answer, dict) else None
    if not isinstance(result, dict) or "cmsArticleWebOld" not in result:
        return broken("东方财富新闻搜索的回答不是约定的结构（可能被截断或改版）")
    return no_data("东方财富新闻搜索：没有命中") if result["cmsArticleWebOld"] == [] else None


def _em_reports(exchange: Exchange) -> SourceFault | None:
    answer = parsed(exchange)
    if not isinstance(answer, dict) or "data" not in answer:
        return broken("东方财富研报的回答不是约定的结构（可能被截断或改版）")
    return no_data("东方财富研报：没有记录") if answer["data"] == [] else None


def _em_rank(exchange: Exchange) -> SourceFault | None:
    answer = parsed(exchange)
    if not isinstance(answer, dict) or "data" not in answer:
        return broken("东方财富人气榜的回答不是约定的结构（可能被截断或改版）")
    return no_data("东方财富人气榜：没有记录") if not answer["data"] else None


def _cninfo(exchange: Exchange) -> SourceFault | None:
    answer = parsed(exchange)
    if not isinstance(answer, dict):
        return broken("巨潮资讯的回答不是 JSON（可能被截断）")
    if answer.get("totalAnnouncement") == 0:
        return no_data("巨潮资讯：区间内没有公告")
    return None


def _cninfo_data(exchange: Exchange) -> SourceFault | None:
    answer = parsed(exchange)
    if not isinstance(answer, dict) or "records" not in answer:
        detail = answer.get("resultmsg") if isinstance(answer, dict) else "不是 JSON"
        return broken(f"巨潮数据接口报错：{detail}")
    return no_data("巨潮数据接口：没有记录") if not answer["records"] else None


def _sina(exchange: Exchange) -> SourceFault | None:
    body = exchange.text.strip()
    if exchange.status == 404 or body.endswith(('=""', '="";')) or '"data":[]' in body.replace(" ", ""):
        return no_data("新浪：没有该证券的数据")
    return None


def _tencent(exchange: Exchange) -> SourceFault | None:
    answer = parsed(exchange)
    if not isinstance(answer, dict):
        return broken("腾讯行情的回答不是 JSON（可能被截断）")
    if answer.get("code") not in (0, None):
        return broken(f"腾讯行情报错 {answer.get('code')}：{answer.get('msg')}")
    return no_data("腾讯行情：没有该证券的数据") if not answer.get("data") else None


def _sse(exchange: Exchange) -> SourceFault | None:
    answer = parsed(exchange)
    if not isinstance(answer, dict) or "result" not in answer:
        return broken("上交所的回答不是约定的结构（可能被截断或改版）")
    return no_data("上交所：没有记录") if answer["result"] in ([], None) else None


def _szse(exchange: Exchange) -> SourceFault | None:
    try:
        with zipfile.ZipFile(io.BytesIO(exchange.body)) as book:
            text = b"".join(book.read(name) for name in book.namelist() if name.endswith(".xml")).decode("utf-8")
        text = html.unescape(text)
    except (zipfile.BadZipFile, ValueError):
        return broken("深交所的回答不是完整的 xlsx 文件")
    return no_data("深交所：没有符合条件的数据") if "没有找到符合条件的数据" in text else None


def _bse(exchange: Exchange) -> SourceFault | None:
    text = "".join(exchange.text.split())
    if '"content":[' not in text or not text.endswith(")"):
        return broken("北交所的回答不是约定的结构（可能被截断或改版）")
    return no_data("北交所：没有记录") if '"content":[]' in text else None


def _count_datacenter(exchanges: Sequence[Exchange]) -> tuple[int, int] | None:
    """Rows received and announced; None while the client library did not ask for every page."""
    pages: dict[str, int] = {}
    total = page_count = 0
    for exchange in exchanges:
        answer = parsed(exchange)
        result = answer.get("result") if isinstance(answer, dict) else None
        if not isinstance(result, dict) or not isinstance(result.get("data"), list):
            return None
        page = exchange.query.get("pageNumber") or exchange.query.get("p") or "1"
        pages[page] = len(result["data"])
        total, page_count = int(result.get("count") or 0), int(result.get("pages") or 1)
    return (sum(pages.values()), total) if len(pages) >= page_count else None


def _count_cninfo(exchanges: Sequence[Exchange]) -> tuple[int, int] | None:
    """Filings received and announced; the first query only probes the total."""
    answers = [parsed(exchange) for exchange in exchanges if exchange.path.endswith("/hisAnnouncement/query")]
    if len(answers) < 2:
        return None
    got = sum(len(answer.get("announcements") or []) for answer in answers[1:])
    return got, int(answers[0].get("totalAnnouncement") or 0)


_JUDGES: dict[str, Callable[[Exchange], SourceFault | None]] = {
    "datacenter-web.eastmoney.com": _em_datacenter,
    "datacenter.eastmoney.com": _em_datacenter,
    "push2his.eastmoney.com": _em_quote,
    "push2.eastmoney.com": _em_quote,
    "search-api-web.eastmoney.com": _em_news,
    "reportapi.eastmoney.com": _em_reports,
    "emappdata.eastmoney.com": _em_rank,
    "www.cninfo.com.cn": _cninfo,
    "webapi.cninfo.com.cn": _cninfo_data,
    "finance.sina.com.cn": _sina,
    "stock.finance.sina.com.cn": _sina,
    "proxy.finance.qq.com": _tencent,
    "web.ifzq.gtimg.cn": _tencent,
    "query.sse.com.cn": _sse,
    "www.szse.cn": _szse,
    "www.bse.cn": _bse,
}
_COUNTERS: dict[str, Callable[[Sequence[Exchange]], tuple[int, int] | None]] = {
    "datacenter-web.eastmoney.com": _count_datacenter,
    "datacenter.eastmoney.com": _count_datacenter,
    "www.cninfo.com.cn": _count_cninfo,
}
