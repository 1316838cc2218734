"""The one DuckDB file: open, create what the contracts declare, append raw rows, close at once.

DuckDB lets one process in at a time, so nothing holds the file while models think: a caller opens,
reads or writes, and closes. A busy file is awaited briefly, then the error names who holds it.

The point in time of a connection is its DuckDB variable ``cutoff``; ``staging.*`` reads it. A cursor
of the connection would see NULL there, hence latest-known data, silently: never call ``.cursor()``.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import duckdb

from flows.contracts.debates import DEBATE_TABLES
from flows.contracts.envelope import Envelope
from flows.contracts.raw import FETCHES, RAW_TABLES
from flows.contracts.table import Table
from flows.errors import ConfigurationError, StoreBusy
from flows.warehouse.rows import append, insert_rows, transaction
from flows.warehouse.run_lock import run_lock
from flows.warehouse.upgrading import bring_up_to_date, is_outdated

__all__ = [
    "Connection", "append", "is_built", "open_reader", "open_writer", "record_fetches", "run_lock", "transaction",
]  # fmt: skip

Connection = duckdb.DuckDBPyConnection

SESSION_TIME_ZONE = "Asia/Shanghai"
TABLES: tuple[Table, ...] = (*RAW_TABLES.values(), FETCHES, *DEBATE_TABLES)

_HOLDER = re.compile(r"lock is held in (?P<command>.*?) \(PID (?P<pid>\d+)\)")
_POLL_S = 0.05
#: One writer at a time inside this process, too: appending is read-compare-insert.
_writers: defaultdict[Path, threading.RLock] = defaultdict(threading.RLock)


@contextmanager
def open_writer(path: Path, cutoff: datetime | None = None, wait_s: float = 10.0) -> Iterator[Connection]:
    """A connection that may write, with every schema and table of the contracts in place.

    Creates the file and its folder if absent. Raises StoreBusy after *wait_s* seconds, and
    ConfigurationError if the file is no DuckDB database.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = _writers[path.resolve()]
    if not lock.acquire(timeout=wait_s):
        raise StoreBusy(f"数据库 {path} 正被本进程的另一个线程写入，等了 {wait_s:.0f} 秒仍未释放；请稍后重试。")
    try:
        con = _connect(path, read_only=False, wait_s=wait_s)
        try:
            _prepare(con, cutoff)
            bring_up_to_date(con, TABLES, path)
            yield con
        finally:
            con.close()
    finally:
        lock.release()


@contextmanager
def open_reader(path: Path, cutoff: datetime | None = None, wait_s: float = 10.0) -> Iterator[Connection]:
    """A read-only connection; several processes may read at once while nobody writes.

    A file of an older version is brought up to date first, so that a question means the same on every file.
    Raises ConfigurationError if there is no database yet or the file is none, and StoreBusy if a
    writer still holds it after *wait_s* seconds.
    """
    if not path.exists():
        raise ConfigurationError(f"还没有数据库 {path}。请先运行 zhengming review，或用 --data 指向已有的数据目录。")
    con = _connect_current(path, wait_s)
    try:
        _prepare(con, cutoff)
        yield con
    finally:
        con.close()


def is_built(con: Connection) -> bool:
    """Whether the models have been built here: not so between the first rows stored and the first build."""
    [(count,)] = con.execute("select count(*) from duckdb_views() where schema_name = 'staging'").fetchall()
    return bool(count)


def record_fetches(con: Connection, batch_id: str, envelopes: Iterable[Envelope]) -> int:
    """Append one row of ``raw.fetches`` per envelope; returns the number of rows."""
    rows = [
        {
            "batch_id": batch_id,
            "kind": envelope.kind,
            "symbol": envelope.symbol,
            "vendor": envelope.vendor,
            "source": envelope.source,
            "status": str(envelope.status),
            "query_date": envelope.query_date,
            "actual_trade_date": envelope.actual_trade_date,
            "date_status": str(envelope.date_status),
            "retryable": envelope.retryable,
            "attempts": envelope.attempts,
            "rows": envelope.rows,
            "message": envelope.message,
            "fetched_at": envelope.fetched_at,
        }
        for envelope in envelopes
    ]
    return insert_rows(con, FETCHES, rows)


def _connect_current(path: Path, wait_s: float) -> Connection:
    con = _connect(path, read_only=True, wait_s=wait_s)
    if not is_outdated(con, TABLES):
        return con
    con.close()
    if not os.access(path, os.W_OK):
        raise ConfigurationError(
            f"数据库 {path} 由旧版本写成，读之前要升级一次，但没有写入权限：请改权限，或复制到可写处。"
        )
    with open_writer(path, wait_s=wait_s):
        pass
    return _connect(path, read_only=True, wait_s=wait_s)


def _connect(path: Path, *, read_only: bool, wait_s: float) -> Connection:
    """Open *path*, waiting while another process (or an other-mode connection of ours) holds it."""
    return _patiently(lambda: duckdb.connect(str(path), read_only=read_only), path, wait_s)


def _patiently(connect: Callable[[], Connection], path: Path, wait_s: float) -> Connection:
    deadline = time.monotonic() + wait_s
    while True:
        try:
            return connect()
        except duckdb.Error as error:
            reason = str(error)
            if not _is_busy(reason):
                raise ConfigurationError(_unreadable(path, reason)) from error
            if time.monotonic() >= deadline:
                raise StoreBusy(_busy(path, reason, wait_s)) from error
            time.sleep(_POLL_S)


def _is_busy(reason: str) -> bool:
    return "Could not set lock" in reason or "different configuration" in reason


def _busy(path: Path, reason: str, wait_s: float) -> str:
    if "different configuration" in reason:
        holder, advice = "本进程的另一个连接", "等它结束后重试"
    elif found := _HOLDER.search(reason):
        pid = found["pid"]
        holder = f"进程 {pid}（{found['command']}）"
        advice = f"等它结束后重试；若它不该还在运行，先结束它：kill {pid}"
    else:
        holder, advice = "另一个进程", "关闭其他打开此文件的程序后重试"
    return f"数据库 {path} 正被{holder}占用，等了 {wait_s:.0f} 秒仍未释放。{advice}。"


def _unreadable(path: Path, reason: str) -> str:
    if "not a valid DuckDB database file" in reason:
        return f"{path} 不是 DuckDB 数据库。请把它移走或改名后重试（会新建一个），或用 --data 指向别的目录。"
    if "version number" in reason:
        return f"{path} 由更新版本的 DuckDB 写成，当前版本 {duckdb.__version__} 读不了。请升级 duckdb 后重试。"
    return f"打不开数据库 {path}：{reason}。请检查路径、权限和磁盘，或用 --data 指向别的目录。"


def _prepare(con: Connection, cutoff: datetime | None) -> None:
    con.execute(f"set timezone = '{SESSION_TIME_ZONE}'")
    if cutoff is None:
        return
    if cutoff.tzinfo is None:
        raise ValueError("cutoff must carry a time zone")
    con.execute("set variable cutoff = cast(? as timestamptz)", [cutoff])
    [(stored,)] = con.execute("select getvariable('cutoff')").fetchall()
    if stored != cutoff:
        raise RuntimeError(f"the connection's cutoff is {stored}, not {cutoff}")
