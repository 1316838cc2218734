"""Tushare's HTTP interface: JSON in, columns and rows out; off until a token is configured.

The token travels in the request body only and appears in no message, log or recording.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import polars as pl
from pydantic import SecretStr

from flows.contracts.envelope import Envelope, Request
from flows.sources.asking import Asker, Fetcher, Question, Shape
from flows.sources.faults import SourceFault, broken, denied, invalid, limited, no_data, outage
from flows.sources.http import current
from flows.sources.shapes import tushare as shapes
from flows.sources.verdicts import parsed, wire_fault

_PAGE = 5_000
_LISTED = "19901219"
_FREQUENCY_WORDS = ("每分钟", "每小时", "每天", "频次", "频率")
_RIGHT_WORDS = ("权限", "积分", "token", "TOKEN")


@dataclass(frozen=True)
class _Api:
    """One interface: its name, the columns asked for, and how a request becomes its parameters."""

    name: str
    fields: str
    shape: Shape
    parameters: Callable[[Request], dict[str, str]]


def _window(request: Request) -> dict[str, str]:
    return {
        "ts_code": request.symbol or "",
        "start_date": f"{request.start:%Y%m%d}",
        "end_date": f"{request.end:%Y%m%d}",
    }


def _whole_life(request: Request) -> dict[str, str]:
    return {**_window(request), "start_date": _LISTED}


def _days(request: Request) -> dict[str, str]:
    return {"exchange": "SSE", "start_date": f"{request.start:%Y%m%d}", "end_date": f"{request.end:%Y%m%d}"}


def _company(request: Request) -> dict[str, str]:
    return {"ts_code": request.symbol or ""}


_APIS: dict[str, _Api] = {
    "daily_bars": _Api(
        "daily", "ts_code,trade_date,open,high,low,close,pre_close,vol,amount", shapes.daily_bars, _window
    ),
    "adjust_factors": _Api("adj_factor", "ts_code,trade_date,adj_factor", shapes.adjust_factors, _whole_life),
    "valuations": _Api(
        "daily_basic", "ts_code,trade_date,close,pe_ttm,pb,ps_ttm,total_share,total_mv", shapes.valuations, _window
    ),
    "trade_dates": _Api("trade_cal", "exchange,cal_date,is_open", shapes.trade_dates, _days),
    "instruments": _Api(
        "stock_basic", "ts_code,name,industry,list_date,delist_date", shapes.instruments, _company
    ),
    "earnings_forecasts": _Api(
        "forecast",
        "ts_code,ann_date,end_date,type,p_change_min,p_change_max,net_profit_min,net_profit_max,last_parent_net,"
        "summary,change_reason",
        shapes.earnings_forecasts,
        _company,
    ),
}  # fmt: skip


@dataclass
class Tushare:
    """Tushare for one run."""

    asker: Asker
    url: str
    token: SecretStr | None = field(default=None, repr=False)

    def fetchers(self) -> dict[str, Fetcher]:
        """Kind → fetcher."""
        return dict.fromkeys(_APIS, self.fetch)

    def fetch(self, request: Request) -> Envelope:
        """The rows of *request*'s kind."""
        api = _APIS[request.kind]
        if self.token is None:
            return self.asker.refusal(request, api.name, denied("未配置 tushare：请设置 ZHENGMING_TUSHARE_TOKEN"))
        if request.symbol is None and api.parameters in (_window, _whole_life):
            return self.asker.refusal(request, api.name, invalid(f"{request.kind} 须指明股票代码"))
        return self.asker.ask(request, Question(api.name, lambda: [self._rows(api, request)], api.shape))

    def _rows(self, api: _Api, request: Request) -> pl.DataFrame:
        pages: list[list[Any]] = []
        names: list[str] = []
        has_more = True
        while has_more:
            data = self._page(api, {**api.parameters(request), "limit": str(_PAGE), "offset": str(len(pages))})
            names = data["fields"]
            pages.extend(data["items"])
            has_more = bool(data.get("has_more")) and bool(data["items"])
        if not pages:
            raise no_data("tushare：没有记录")
        return _frame(names, pages)

    def _page(self, api: _Api, parameters: dict[str, str]) -> dict[str, Any]:
        import requests  # noqa: PLC0415  slow, and only needed here

        token = self.token.get_secret_value() if self.token else ""
        body: dict[str, Any] = {"api_name": api.name, "token": token, "params": parameters, "fields": api.fields}
        try:
            requests.post(self.url, json=body, timeout=current().remaining_s())
        except requests.RequestException as error:
            raise outage(f"连接 tushare 失败：{type(error).__name__}") from None
        exchange = current().exchanges[-1]
        if (fault := wire_fault(exchange)) is not None:
            raise fault
        return _data(parsed(exchange), api)


def _data(answer: Any, api: _Api) -> dict[str, Any]:
    if not isinstance(answer, dict) or "code" not in answer:
        raise broken(f"tushare.{api.name} 的回答不是约定的 JSON（可能被截断）")
    if answer["code"] != 0:
        raise _refused(int(answer["code"]), str(answer.get("msg") or ""))
    data = answer.get("data")
    if not isinstance(data, dict) or not {"fields", "items"} <= set(data):
        raise broken(f"tushare.{api.name} 的回答缺少 fields 或 items")
    missing = [name for name in api.fields.split(",") if name not in data["fields"]]
    if missing or any(len(item) != len(data["fields"]) for item in data["items"]):
        raise broken(f"tushare.{api.name} 的字段与约定不符，缺少 {missing}")
    return data


def _refused(code: int, message: str) -> SourceFault:
    """An error of the interface; its message is not repeated where it could quote the token."""
    if any(word in message for word in _FREQUENCY_WORDS):
        return limited(f"tushare {code}：超过访问频次")
    if any(word in message for word in _RIGHT_WORDS):
        return denied(f"tushare {code}：token 无效或没有该接口的权限（积分不足）")
    return broken(f"tushare {code}：接口报错")


def _frame(names: list[str], items: list[list[Any]]) -> pl.DataFrame:
    columns = {name: [item[i] for item in items] for i, name in enumerate(names)}
    return pl.DataFrame({name: _column(values) for name, values in columns.items()})


def _column(values: list[Any]) -> pl.Series:
    if all(value is None or isinstance(value, int | float) for value in values):
        return pl.Series([None if value is None else float(value) for value in values], dtype=pl.Float64)
    return pl.Series([None if value is None else str(value) for value in values], dtype=pl.String)
