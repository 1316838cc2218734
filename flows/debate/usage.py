"""What calls cost, and the ledger that holds budgets per run and per day across processes.

The ledger is a SQLite file beside the journal. Before a call is sent its largest possible use is
reserved; afterwards the reservation becomes what the server reported. A call that may have been billed
without an answer (timeout, cancelled, killed process) keeps its estimate, since a budget that forgets
money is worse than one that stops a little early.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from flows.errors import BudgetSpent

_SHANGHAI = ZoneInfo("Asia/Shanghai")
_SCHEMA = """
create table if not exists entries (
    id integer primary key,
    run_id text not null, day text not null, pool text not null,
    call_hash text not null, role text not null, model text not null,
    tokens_in integer not null, tokens_out integer not null, cost_cny real,
    status text not null, booked_at text not null
);
create index if not exists entries_run on entries (run_id, pool);
create index if not exists entries_day on entries (day, pool);
"""


@dataclass(frozen=True)
class Usage:
    """Tokens of one or several answers; estimated if any server reported none."""

    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached_prefix: int = 0
    is_estimated: bool = False

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.tokens_cached_prefix + other.tokens_cached_prefix,
            self.is_estimated or other.is_estimated,
        )


@dataclass(frozen=True)
class Price:
    """CNY per million tokens; *cached_in* is the server's price of a repeated prefix, if it has one."""

    tokens_in: float
    tokens_out: float
    cached_in: float | None = None

    def cost(self, usage: Usage) -> float:
        """Cost of *usage* in CNY."""
        cached = usage.tokens_cached_prefix if self.cached_in is not None else 0
        plain = usage.tokens_in - cached
        total = plain * self.tokens_in + cached * (self.cached_in or 0.0) + usage.tokens_out * self.tokens_out
        return total / 1_000_000


@dataclass(frozen=True)
class Budgets:
    """What may be spent; None means no limit. Token budgets count prompt and completion together."""

    run_tokens: int | None = None
    day_tokens: int | None = None
    run_cost_cny: float | None = None
    day_cost_cny: float | None = None

    @property
    def counts_cost(self) -> bool:
        """Whether a cost budget is set, so that a price must be known."""
        return self.run_cost_cny is not None or self.day_cost_cny is not None

    @property
    def is_unlimited(self) -> bool:
        """Whether nothing is limited and nothing needs to be estimated."""
        return not self.counts_cost and self.run_tokens is None and self.day_tokens is None


@dataclass(frozen=True)
class Purchase:
    """One call about to be bought: who asks, and the most it can use."""

    call_hash: str
    role: str
    model: str
    most: Usage
    most_cost_cny: float | None


class Ledger:
    """What was spent, kept in *path* and shared by every process that opens it.

    *pool* keeps the free offline model apart from paid ones in the day's sums.
    """

    def __init__(self, path: Path, *, run_id: str, budgets: Budgets, clock: Callable[[], datetime]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._budgets = budgets
        self._run_id = run_id
        self._clock = clock
        self._thread_lock = threading.Lock()
        self._connection = sqlite3.connect(path, timeout=60.0, isolation_level=None, check_same_thread=False)
        self._connection.execute("pragma journal_mode=wal")
        self._connection.execute("pragma synchronous=normal")
        self._connection.executescript(_SCHEMA)

    def reserve(self, purchase: Purchase, pool: str) -> int:
        """Set aside the most *purchase* can use; returns the entry to settle. Raises BudgetSpent."""
        with self._transaction() as connection:
            reason = self._exceeded(purchase, pool)
            if reason:
                raise BudgetSpent(reason)
            row = connection.execute(
                "insert into entries (run_id, day, pool, call_hash, role, model, tokens_in, tokens_out, cost_cny,"
                " status, booked_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'reserved', ?)",
                (self._run_id, self._day(), pool, purchase.call_hash, purchase.role, purchase.model,
                 purchase.most.tokens_in, purchase.most.tokens_out, purchase.most_cost_cny,
                 self._clock().isoformat()),
            )  # fmt: skip
            return int(row.lastrowid or 0)

    def settle(self, entry: int, usage: Usage, cost_cny: float | None) -> None:
        """Replace the reservation by what was used."""
        with self._transaction() as connection:
            connection.execute(
                "update entries set tokens_in = ?, tokens_out = ?, cost_cny = ?, status = 'paid' where id = ?",
                (usage.tokens_in, usage.tokens_out, cost_cny, entry),
            )

    def abandon(self, entry: int) -> None:
        """The call may have been billed although no answer came: keep the estimate."""
        with self._transaction() as connection:
            connection.execute("update entries set status = 'unknown' where id = ?", (entry,))

    def cancel(self, entry: int) -> None:
        """Nothing was bought: drop the reservation."""
        with self._transaction() as connection:
            connection.execute("delete from entries where id = ?", (entry,))

    def spent(self, pool: str) -> tuple[int, float, int, float]:
        """Tokens and CNY of this run, then of this day, reservations included."""
        return (*self._sum("run_id", self._run_id, pool), *self._sum("day", self._day(), pool))

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _exceeded(self, purchase: Purchase, pool: str) -> str:
        run_tokens, run_cost, day_tokens, day_cost = self.spent(pool)
        tokens = purchase.most.tokens_in + purchase.most.tokens_out
        cost = purchase.most_cost_cny or 0.0
        limits = self._budgets
        checks: tuple[tuple[str, float, float, float | None, str], ...] = (
            ("本次运行的 token", run_tokens, tokens, limits.run_tokens, "ZHENGMING_RUN_TOKEN_BUDGET"),
            ("今天的 token", day_tokens, tokens, limits.day_tokens, "ZHENGMING_DAY_TOKEN_BUDGET"),
            ("本次运行的费用（元）", run_cost, cost, limits.run_cost_cny, "ZHENGMING_RUN_COST_BUDGET_CNY"),
            ("今天的费用（元）", day_cost, cost, limits.day_cost_cny, "ZHENGMING_DAY_COST_BUDGET_CNY"),
        )
        for what, spent, wanted, limit, setting in checks:
            if limit is not None and spent + wanted > limit:
                return (
                    f"{what}预算用完：已用 {spent:g}，这次调用最多还要 {wanted:g}，上限 {limit:g}。"
                    f"已买到的回答都已保存，重跑不会重复付费；需要继续请调高 {setting}。"
                )
        return ""

    def _sum(self, column: str, value: str, pool: str) -> tuple[int, float]:
        query = f"select sum(tokens_in + tokens_out), sum(cost_cny) from entries where {column} = ? and pool = ?"
        tokens, cost = self._connection.execute(query, (value, pool)).fetchone()
        return int(tokens or 0), float(cost or 0.0)

    def _day(self) -> str:
        return self._clock().astimezone(_SHANGHAI).date().isoformat()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._thread_lock:
            self._connection.execute("begin immediate")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("rollback")
                raise
            self._connection.execute("commit")
