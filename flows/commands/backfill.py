"""``backfill``: load history, resumable."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from flows.commands.console import Bars, given_settings, parse_day, print_json, say, settings_from, table
from flows.commands.review import calendar_of, clock_of, configure_prefect, known_names, wanted_symbols
from flows.desk.backfilling import Backfill, plan_units
from flows.desk.plan import new_batch_id
from flows.errors import UsageError
from flows.market.sessions import SHANGHAI
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
        now=clock_of(settings, None).astimezone(SHANGHAI),
        options={"data_dir": str(settings.data_dir), **given_settings(options)},
    )  # fmt: skip
    plan_units(order, calendar_of(settings, None, order.now))
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
        print_json(asdict(result))
        return
    rows = [(i.symbol, i.rows, i.skipped, "；".join(i.failures) or "完成") for i in result.loaded]
    table("补历史", ("代码", "新增行", "已有种类", "结果"), rows)
    for reason in sorted({reason for item in result.loaded for reason in item.refused}):
        say(f"补不了的种类，{reason}")
    for day in result.half_loaded:
        absent = "、".join(day.absent)
        say(f"{day.session} 只有 {day.present}/{day.expected} 只股票有行情，视为半载，不可用；缺 {absent}")
    if result.half_loaded:
        say("半载的股票已重新列入待取：再次运行本命令补齐，复盘遇到这些日子会停下。")
