"""What a run is about, settled and checked before anything is written."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from flows.contracts.transcripts import LlmCall, Proposition
from flows.errors import ConfigurationError, UsageError
from flows.market.sessions import SHANGHAI, Calendar, due_session
from flows.market.symbols import parse_stock
from flows.settings import Settings

#: What ``--protocol`` may say → protocols held on every stock. A `targeted` debate needs a claim: see ``following``.
PROTOCOLS = {
    "bull_bear": ("bull_bear",), "four_stance": ("four_stance",), "direct": ("direct",),
    "both": ("bull_bear", "four_stance"),
}  # fmt: skip


class Topic(BaseModel):
    """What a person asked, made sharp before the run; the standing proposition of each stock otherwise.

    Attributes:
        text: The topic as it was typed, cleaned.
        proposition: Without a fact-base version until it is pinned to a pack.
        kinds: Kinds of data the question needs.
        call: The proposer's call.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    proposition: Proposition
    kinds: tuple[str, ...] = ()
    call: LlmCall | None = None


class Review(BaseModel):
    """One run over a watchlist; JSON-able and free of secrets, so that Prefect may store it.

    Attributes:
        now: The frozen data clock: nothing published later is visible, Asia/Shanghai.
        trade_date: The target session.
        options: Settings given on the command line; secrets come from the environment only.
    """

    model_config = ConfigDict(frozen=True)

    batch_id: str
    flow: str
    symbols: tuple[str, ...]
    as_of: date
    trade_date: date
    now: datetime
    protocols: tuple[str, ...]
    options: dict[str, Any]
    topic: Topic | None = None

    def settings(self) -> Settings:
        """The settings of this run."""
        return Settings(**self.options)


def plan_review(
    settings: Settings,
    symbols: Sequence[str],
    *,
    as_of: date | None,
    now: datetime,
    calendar: Calendar,
    protocol: str = "bull_bear",
    options: Mapping[str, Any] | None = None,
) -> Review:
    """Settle the session, the cutoff and the symbols.

    Raises:
        UsageError: Empty list, unknown protocol, future date or a date without a session.
        CalendarUnknown: The date lies outside the known calendar.
    """
    if not symbols:
        raise UsageError(
            "自选股列表是空的：在文件里每行写一个代码（# 之后是注释），或用 --symbols 600519.SH,000001.SZ。"
        )
    if protocol not in PROTOCOLS:
        raise UsageError(f"未知的辩论协议 {protocol!r}，可选：{'、'.join(PROTOCOLS)}。")
    trade_date = session_of(as_of, now, calendar)
    return Review(
        batch_id=new_batch_id(),
        flow="post_close",
        symbols=tuple(dict.fromkeys(symbols)),
        as_of=as_of or trade_date,
        trade_date=trade_date,
        now=_cutoff(as_of, now),
        protocols=PROTOCOLS[protocol],
        options={"data_dir": str(settings.data_dir), **(options or {})},
    )


def new_batch_id() -> str:
    """A fresh run id; random, because two runs may start in one second."""
    return f"b{secrets.token_hex(6)}"


def debate_id(
    symbol: str, trade_date: date, protocol: str, settings: Settings, pack_version: str, about: str = ""
) -> str:
    """The id of one debate: the same question on the same facts to the same models is the same debate.

    *about* is what is argued where that is not the stock's standing proposition. The digest stands behind a letter,
    so that no id ends in what reads like a number.
    """
    parts = (protocol, models_key(settings), pack_version, *([about] if about else ()))
    key = hashlib.sha256("|".join(parts).encode()).hexdigest()[:8]
    return f"{symbol}-{trade_date:%Y%m%d}-{protocol}-d{key}"


def models_key(settings: Settings) -> str:
    """The common model, and those of roles that have one of their own."""
    own = [f"{role}={options.model}" for role, options in sorted(settings.roles.items()) if options.model]
    return ",".join((settings.model, *own))


def read_watchlist(path: Path, names: Mapping[str, str]) -> list[str]:
    """Canonical symbols of a watchlist file: one code or name per line, ``#`` starts a comment.

    Text after the code on its line is taken as a remark. Raises UsageError that names every bad line with its number.
    """
    if path.is_dir():
        raise UsageError(f"{path} 是目录，不是自选股文件；请给出其中一个文件。")
    if not path.is_file():
        raise UsageError(f"找不到自选股文件 {path}：检查路径，或用 --symbols 600519.SH,000001.SZ。")
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise UsageError(f"自选股文件 {path} 不是 UTF-8 文本：另存为 UTF-8 后再试。") from error
    entries = ((number, line.partition("#")[0].strip().rstrip(",;，；")) for number, line in enumerate(lines, start=1))
    return _entries([(f"{path} 第 {number} 行", entry) for number, entry in entries if entry], names)


def parse_symbols(text: str, names: Mapping[str, str]) -> list[str]:
    """Canonical symbols of a comma separated list."""
    parts = [part.strip() for part in text.replace("，", ",").split(",")]
    return _entries([("--symbols", part) for part in parts if part], names)


def _entries(written: Sequence[tuple[str, str]], names: Mapping[str, str]) -> list[str]:
    """The symbols of (where, entry) pairs; all that cannot be read are told at once."""
    symbols, wrong = [], []
    for where, entry in written:
        try:
            symbols.append(_entry(entry, where, names))
        except UsageError as error:
            wrong.append(str(error))
    if wrong:
        raise UsageError("\n".join(wrong))
    return symbols


def _entry(entry: str, where: str, names: Mapping[str, str]) -> str:
    """The whole entry may be a name with spaces (万  科Ａ); else its first word is the code."""
    try:
        return parse_stock(entry, names).canonical
    except UsageError as whole:
        first = entry.split(maxsplit=1)[0]
        if first == entry:
            raise UsageError(f"{where}：{whole}") from whole
        try:
            return parse_stock(first, names).canonical
        except UsageError as error:
            raise UsageError(f"{where}：{error}") from error


def session_of(as_of: date | None, now: datetime, calendar: Calendar) -> date:
    """The session a run is about: *as_of*, else the newest whose bars are out; UsageError says which to take."""
    today = now.astimezone(SHANGHAI).date()
    if as_of is None:
        return due_session("daily_bars", now, calendar)
    if not calendar.is_session(as_of):
        nearest = calendar.latest_on_or_before(as_of)
        raise UsageError(f"{as_of} 休市，没有行情。最近的交易日是 {nearest}：用 --as-of {nearest}。")
    if as_of > today:
        raise UsageError(f"{as_of} 还没有到（现在是 {today}）：--as-of 只能是今天或以前的交易日。")
    due = due_session("daily_bars", _cutoff(as_of, now), calendar)
    if due < as_of:
        raise UsageError(f"{as_of} 的收盘数据还没有公布：收盘数据约 17:30 后可用，稍后再试，或用 --as-of {due}。")
    return as_of


def _cutoff(as_of: date | None, now: datetime) -> datetime:
    local = now.astimezone(SHANGHAI)
    if as_of is None:
        return local
    return min(local, datetime.combine(as_of, time(23, 59, 59), SHANGHAI))


def check_model(settings: Settings) -> None:
    """Refuse a model name without an endpoint or key before anything is fetched or written."""
    if settings.model == "offline":
        return
    if settings.base_url is None:
        raise ConfigurationError(
            "已指定模型但没有服务地址：设置 ZHENGMING_BASE_URL（例如 http://127.0.0.1:8081/v1），"
            "或写入 .env / zhengming.toml 的 base_url；不配置模型时用 --model offline。"
        )
    if settings.api_key is None:
        raise ConfigurationError("没有模型密钥：设置 ZHENGMING_API_KEY（本地服务可填任意非空值）。")
