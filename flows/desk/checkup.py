"""Can a review run here, and if not, what to change (PRODUCT O7)."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

from flows.desk import plan
from flows.desk.calendar import stored_calendar
from flows.errors import ZhengmingError
from flows.market.sessions import SHANGHAI
from flows.settings import Settings
from flows.warehouse.database import open_reader, run_lock

_LOW_DISK_BYTES = 2 * 1024**3
_FEW_DAYS = 45


@dataclass(frozen=True)
class Finding:
    """One thing looked at."""

    subject: str
    is_fine: bool
    message: str


def checkup(settings: Settings, as_of: date | None, now: datetime) -> list[Finding]:
    """Look at calendar, folder, disk, lock, database, vendors and model; nothing is changed or bought."""
    return [
        _look("交易日历", lambda: _calendar(settings, as_of, now)),
        _look("数据目录", lambda: _folder(settings)),
        _look("运行锁", lambda: _lock(settings)),
        _look("数据库", lambda: _database(settings)),
        *_vendors(settings, now),
        _look("模型", lambda: _model(settings, now)),
    ]


def _look(subject: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(subject, True, check())
    except (ZhengmingError, OSError) as error:
        return Finding(subject, False, str(error))


def _calendar(settings: Settings, as_of: date | None, now: datetime) -> str:
    calendar = stored_calendar(settings)
    today = now.astimezone(SHANGHAI).date()
    day = as_of or today
    state = "交易日" if calendar.is_session(day) else f"休市（最近交易日 {calendar.latest_on_or_before(day)}）"
    left = (calendar.last - today).days
    few = f"；只剩 {left} 天，次年安排一般 12 月下旬公布：届时联网运行一次，或升级 exchange-calendars"
    return f"已知到 {calendar.last}；{day} 是{state}{few if left < _FEW_DAYS else ''}"


def _folder(settings: Settings) -> str:
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    probe = settings.data_dir / ".write-probe"
    probe.write_text("", encoding="utf-8")
    probe.unlink()
    free = shutil.disk_usage(settings.data_dir).free
    if free < _LOW_DISK_BYTES:
        raise OSError(f"{settings.data_dir} 所在磁盘只剩 {free / 1024**3:.1f} GiB：清理磁盘，或用 --data 换一个目录。")
    return f"{settings.data_dir} 可写，剩余 {free / 1024**3:.0f} GiB"


def _lock(settings: Settings) -> str:
    with run_lock(settings.data_dir, "doctor"):
        return "没有别的运行占用"


def _database(settings: Settings) -> str:
    if not settings.database.exists():
        return f"还没有 {settings.database}，第一次复盘时创建"
    with open_reader(settings.database, wait_s=2.0) as con:
        [(count, last)] = con.execute("select count(*), max(trade_date) from debates.runs").fetchall()
    return f"{settings.database}：{count} 场辩论，最近一场 {last or '无'}"


def _vendors(settings: Settings, now: datetime) -> Iterator[Finding]:
    from flows.sources.registry import probe  # noqa: PLC0415 - the client libraries load slowly

    for vendor, message, is_fine in probe(settings, now):
        yield Finding(f"数据源 {vendor}", is_fine, message)


def _model(settings: Settings, now: datetime) -> str:
    if settings.model == "offline":
        return "offline：内置规则模型，不需要密钥"
    plan.check_model(settings)
    from flows.desk.debating import describe_model  # noqa: PLC0415 - the openai client loads slowly

    return describe_model(settings, lambda: now)
