"""The envelope matrix: every live function against every fault, and the status each must land in.

``python -m tests.upstream.matrix`` runs it and prints the table. A cell holds the status the real client's answer
came to; ``n/a`` stands where a fault does not exist for a function, and the reason is printed below. Faults of
content are small edits of the sound answer (``matrix_rows``); faults of the wire are the same for all.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date, datetime
from types import SimpleNamespace
from unittest import mock

from flows.contracts.envelope import Envelope, Status
from flows.sources.asking import Fetcher
from tests.upstream import baostock_server, web
from tests.upstream.asking import EVENING, FIRST, LAST, request, vendors
from tests.upstream.edits import Edit
from tests.upstream.world import BANK, small_world

CONTENT = ("no record", "not yet published", "schema drift", "swapped columns", "wrong unit", "wrong entity")
WIRE = ("throttled", "blocked page", "5xx", "timeout", "disconnect", "truncated")
FAULTS = ("OK", *CONTENT, *WIRE)
_ERROR = Status.UPSTREAM_ERROR
_HTTP: Mapping[str, tuple[Callable[[web.Call, web.Reply], web.Reply], Status]] = {
    "throttled": (web.throttled, Status.RATE_LIMITED),
    "blocked page": (web.blocked, Status.RATE_LIMITED),
    "5xx": (web.bad_gateway, _ERROR),
    "timeout": (web.silent, _ERROR),
    "disconnect": (web.disconnected, _ERROR),
    "truncated": (web.cut, _ERROR),
}
_TCP: Mapping[str, tuple[baostock_server.Fault, Status]] = {
    "throttled": (baostock_server.failing("10001005", "账号登陆数达到上限"), Status.RATE_LIMITED),
    "blocked page": (baostock_server.failing("10001011", "黑名单用户"), Status.PERMISSION_DENIED),
    "5xx": (baostock_server.failing("10005001", "系统级别错误"), _ERROR),
    "timeout": (baostock_server.silent, _ERROR),
    "disconnect": (baostock_server.resetting, _ERROR),
    "truncated": (baostock_server.half, _ERROR),
}
_DEFAULT = {"OK": Status.OK, "no record": Status.NO_DATA, "not yet published": Status.NOT_READY}


@dataclass(frozen=True)
class Row:
    """One live function and what the content faults are for it.

    Attributes:
        function: The client's function, for the table and for baostock's faults.
        edits: Fault → edit of the sound answer.
        early: A clock before the asked data was public.
        absent: Fault → why it does not exist for this function.
        expected: Fault → status where it is not the usual one.
    """

    vendor: str
    kind: str
    function: str
    edits: Mapping[str, Edit]
    early: datetime
    absent: Mapping[str, str] = field(default_factory=dict)
    expected: Mapping[str, Status] = field(default_factory=dict)
    symbol: str | None = BANK
    start: date = FIRST
    only_last_day_is_early: bool = False

    @property
    def name(self) -> str:
        return f"{self.vendor}.{self.kind} {self.function}"

    def wanted(self, fault: str) -> Status | None:
        """The status the cell must show; None where the fault does not exist."""
        if fault in self.absent:
            return None
        usual = (
            (_TCP if self.vendor == "baostock" else _HTTP)[fault][1] if fault in WIRE else _DEFAULT.get(fault, _ERROR)
        )
        return self.expected.get(fault, usual)

    def ask(self, fault: str) -> Envelope:
        """The real client's answer in a fresh world with *fault* in it."""
        import akshare.request

        world = small_world()
        if fault in self.edits:
            self.edits[fault](world)
        if fault in WIRE and self.vendor == "baostock":
            world.server.fault[self.function] = _TCP[fault][0]
        elif fault in WIRE:
            world.upstream.fault["*"] = _HTTP[fault][0]
        is_early = fault == "not yet published"
        start = LAST if is_early and self.only_last_day_is_early else self.start
        question = request(self.kind, self.symbol, start=start, now=self.early if is_early else EVENING)
        with ExitStack() as stack:
            stack.enter_context(mock.patch.object(akshare.request, "time", SimpleNamespace(sleep=lambda _: None)))
            stack.enter_context(world.reached())
            return self._fetcher(0.5 if fault == "timeout" else 5.0)(question)

    def _fetcher(self, deadline_s: float) -> Fetcher:
        return vendors(deadline_s=deadline_s)[self.vendor][self.kind]


def cells(rows: tuple[Row, ...]) -> dict[tuple[str, str], tuple[Status | None, Status | None, str]]:
    """(function, fault) → (wanted, got, message)."""
    table = {}
    for row in rows:
        for fault in FAULTS:
            wanted = row.wanted(fault)
            envelope = row.ask(fault) if wanted is not None else None
            table[(row.name, fault)] = (
                wanted,
                envelope.status if envelope else None,
                envelope.message if envelope else "",
            )
    return table


def main() -> None:
    """Run the matrix, print it, and exit with 1 if a cell is wrong."""
    from tests.upstream.matrix_rows import ROWS

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="functions whose name contains this")
    parser.add_argument("--messages", action="store_true", help="print each cell's message too")
    options = parser.parse_args()
    rows = tuple(row for row in ROWS if options.only in row.name)
    table = cells(rows)
    width = max(len(row.name) for row in rows)
    short = {status: str(status).replace("UPSTREAM_ERROR", "ERROR").replace("PERMISSION_", "") for status in Status}
    print(f"{'function':{width}} | " + " | ".join(f"{fault:^12.12}" for fault in FAULTS))
    for row in rows:
        shown = []
        for fault in FAULTS:
            wanted, got, _ = table[(row.name, fault)]
            text = short[got] if got else "n/a"
            shown.append(f"{text if wanted == got else f'{text} (!)':^12}")
        print(f"{row.name:{width}} | " + " | ".join(shown))
    for row in rows:
        for fault, reason in row.absent.items():
            print(f"n/a {row.name} × {fault}: {reason}")
    if options.messages:
        for (name, fault), (_, got, message) in table.items():
            print(f"{name} × {fault}: {got} {message}")
    wrong = [(key, wanted, got) for key, (wanted, got, _) in table.items() if wanted != got]
    absent = sum(len(row.absent) for row in rows)
    print(f"{len(rows)} functions × {len(FAULTS)} faults = {len(table)} cells")
    print(f"{len(table) - absent} tried, {absent} n/a, {len(wrong)} wrong")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
