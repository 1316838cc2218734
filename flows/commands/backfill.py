"""``backfill``: load history, resumable."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from flows.commands.console import Bars, given_settings, parse_day, print_json, say, settings_from, table
from flows.commands.review import clock_of, configure_prefect, known_names, wanted_symbols
from flows.desk.backfilling import Backfill, plan_units
from flows.desk.plan import new_batch_id
from flows.errors import UsageError
from flows.market.sessions import load_calendar
from flows.warehouse.database import run_lock

if TYPE_CHECKING:
    from flows.tasks import BackfillResult


def backfill(options: argparse.Namespace) -> int:
    """Load the history of the watchlist; exit code 1 if a kind failed or a day is half-loaded."""
    settings = settings_from(options)
    start, end = parse_day(options.start), parse_day(options.end)
    if start is None or end is None:
        raise UsageError("--from 和 --to 都要给。")
    symbols = wanted_symbols(options, settings, known_names(settings))
    order = Backfill(
        batch_id=new_batch_id(), symbols=tuple(dict.fromkeys(symbols)), start=start, end=end,
        now=clock_of(settings, None), options={"data_dir": str(settings.data_dir), **given_settings(options)},
    )  # fmt: skip
    plan_units(order, load_calendar())
    with run_lock(settings.data_dir, "backfill"), Bars() as bars:
        configure_prefect(settings.data_dir)
        from flows import tasks  # noqa: PLC0415 - Prefect reads its settings at import
        from flows.backfill import backfill as flow  # noqa: PLC0415

        tasks.report_to(bars)
        result = flow(order)
    _show(options, result)
    return 1 if result.half_loaded or any(item.failures for item in result.loaded) else 0


def _show(options: argparse.Namespace, result: BackfillResult) -> None:
    if options.json:
        print_json({"loaded": [item.__dict__ for item in result.loaded], "half_loaded": result.half_loaded})
        return
    rows = [(i.symbol, i.rows, i.skipped, "；".join(i.failures) or "完成") for i in result.loaded]
    table("补历史", ("代码", "新增行", "已有种类", "结果"), rows)
    for session, present, expected in result.half_loaded:
        say(f"{session} 只有 {present}/{expected} 只股票有行情，视为半载，复盘时会被拦下：重新运行本命令补齐。")
