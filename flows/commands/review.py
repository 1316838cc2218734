"""``review`` and ``debate``: the main job, once, now."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from flows.commands.console import (
    Bars,
    given_settings,
    note,
    parse_day,
    print_json,
    say,
    settings_from,
    table,
    wall_now,
)
from flows.desk import plan
from flows.desk.calendar import stored_calendar
from flows.errors import UsageError
from flows.market.sessions import SHANGHAI, Calendar
from flows.market.symbols import parse_stock
from flows.reports.words import OUTCOME_ZH
from flows.settings import Settings
from flows.sources.sample import sample_names, sample_now, sample_watchlist
from flows.warehouse.database import run_lock

if TYPE_CHECKING:
    from flows.debate.proposition import Directory
    from flows.desk.publish import Account


def review(options: argparse.Namespace) -> int:
    """Review the watchlist; exit code 1 if any stock failed."""
    settings = settings_from(options)
    names = known_names(settings)
    return _run(options, settings, wanted_symbols(options, settings, names))


def debate(options: argparse.Namespace) -> int:
    """Debate one stock, or the stocks a topic concerns on the proposition made of it."""
    settings = settings_from(options)
    names = known_names(settings)
    try:
        symbol = parse_stock(options.topic, names).canonical
    except UsageError as error:
        if options.topic.isascii() and " " not in options.topic.strip():
            raise
        return _debate_topic(options, settings, names, error)
    return _run(options, settings, [symbol])


def _debate_topic(
    options: argparse.Namespace, settings: Settings, names: Mapping[str, str], unknown: UsageError
) -> int:  # fmt: skip
    """Nothing is bought or written before the topic has found its stocks."""
    from flows.desk import topics  # noqa: PLC0415 - the openai client loads slowly

    as_of = parse_day(options.as_of)
    now = clock_of(settings, as_of)
    day = plan.session_of(as_of, now, calendar_of(settings, as_of, now))
    directory = topics.read_directory(settings, names, day, now)
    try:
        concerned = topics.whom_it_concerns(options.topic, directory, _watched(settings, names))
        asked = topics.worded(options.topic, directory)
    except UsageError as error:
        meant = f"{unknown}\n" if "是否指" in str(unknown) else ""
        raise UsageError(f"{meant}{error}") from error
    note(*asked.notices, *(f"辩论对象：{_why(options.topic, symbol, directory)}" for symbol in concerned.symbols))
    if concerned.left_out:
        note(f"话题涉及 {len(concerned.symbols) + len(concerned.left_out)} 只股票，只辩论前 {topics.MOST_STOCKS} 只"
             f"（自选股优先，其余按代码）；未辩论：{'、'.join(concerned.left_out)}")  # fmt: skip

    def sharpen(order: plan.Review) -> plan.Review:
        made = topics.make_topic(
            settings, asked.text, directory, order.trade_date, run_id=order.batch_id, clock=wall_now
        )  # fmt: skip
        note(f"命题：{made.proposition.text}（{made.proposition.window}；{made.proposition.scope}）")
        return order.model_copy(update={"topic": made, "flow": "debate"})

    return _run(options, settings, list(concerned.symbols), sharpen)


def _why(topic: str, symbol: str, directory: Directory) -> str:
    """A stock of a topic and why it was taken: the topic names it, or its industry."""
    names = [name for name, named in directory.names.items() if named == symbol]
    shown = f"{next((name for name in names if not name[:1].isdigit()), symbol)}（{symbol}）"
    if any(len(name) > 1 and name in topic for name in names):
        return f"{shown}，话题里点了名"
    industry = next((name for name, held in directory.industries.items() if symbol in held), "")
    return f"{shown}，属话题所说的行业（{industry}）" if industry else shown


def _watched(settings: Settings, names: Mapping[str, str]) -> list[str]:
    """The configured watchlist, or the sample's; empty if there is none."""
    path = settings.watchlist or (sample_watchlist() if settings.sources == "sample" else None)
    return plan.read_watchlist(path, names) if path else []


def known_names(settings: Settings) -> Mapping[str, str]:
    """Name → symbol of the instruments known so far."""
    if settings.sources == "sample":
        return sample_names()
    from flows.desk.reading import stored_names  # noqa: PLC0415

    return stored_names(settings)


def clock_of(settings: Settings, as_of: object) -> datetime:
    """The data clock: the sample has its own evening, live data the real one."""
    return sample_now() if settings.sources == "sample" and as_of is None else wall_now()


def calendar_of(settings: Settings, as_of: date | None, now: datetime) -> Calendar:
    """The calendar of this run; live vendors are asked first if it does not reach the day in question (PRODUCT M2)."""
    today = now.astimezone(SHANGHAI).date()
    calendar = stored_calendar(settings)
    day = min(as_of or today, today)
    if settings.sources != "live" or day <= calendar.last:
        return calendar
    from flows.desk.sourcing import calendar_reaching  # noqa: PLC0415 - the client libraries load slowly

    return calendar_reaching(settings, day, now, plan.new_batch_id())


def wanted_symbols(options: argparse.Namespace, settings: Settings, names: Mapping[str, str]) -> list[str]:
    """Symbols of --symbols, --watchlist, the configured watchlist or the sample's."""
    if options.symbols is not None and options.watchlist:
        raise UsageError("--symbols 和 --watchlist 只能给一个。")
    if options.symbols is not None:
        return plan.parse_symbols(options.symbols, names)
    path = Path(options.watchlist) if options.watchlist else settings.watchlist
    if path is None:
        if settings.sources == "live":
            raise UsageError("没有自选股：用 --watchlist 文件、--symbols 600519.SH，或 zhengming.toml 的 watchlist。")
        path = sample_watchlist()
    return plan.read_watchlist(path, names)


def _run(
    options: argparse.Namespace,
    settings: Settings,
    symbols: list[str],
    sharpen: Callable[[plan.Review], plan.Review] = lambda order: order,
) -> int:
    """Plan, check the model, then run alone; *sharpen* may buy a proposition once the run has the folder."""
    as_of = parse_day(options.as_of)
    now = clock_of(settings, as_of)
    order = plan.plan_review(
        settings, symbols, as_of=as_of, now=now, calendar=calendar_of(settings, as_of, now),
        protocol=options.protocol, options=given_settings(options),
    )  # fmt: skip
    ready_model(settings)
    with run_lock(settings.data_dir, "review"), Bars() as bars:
        order = sharpen(order)
        accounts = _held(order, settings, bars)
    show_accounts(options, order, accounts)
    return 1 if any(account.outcome == "failed" for account in accounts) else 0


def ready_model(settings: Settings) -> None:
    """Refuse a model that is not configured, not reachable or not open to the key, before anything is written."""
    plan.check_model(settings)
    if settings.model != "offline":
        from flows.desk.debating import require_model  # noqa: PLC0415 - the openai client loads slowly

        require_model(settings, wall_now)


def _held(order: plan.Review, settings: Settings, bars: Bars) -> list[Account]:
    """Prefect is configured before its first import; its own temporary server starts and stops with the run."""
    bars.stage("启动流程引擎", 1)
    configure_prefect(settings.data_dir)
    from flows import tasks  # noqa: PLC0415
    from flows.post_close import post_close  # noqa: PLC0415

    tasks.report_to(bars)
    bars.step("")
    runner = tasks.stock_runner(settings.stock_concurrency)
    return post_close.with_options(task_runner=runner)(order)  # type: ignore[arg-type]


def configure_prefect(data_dir: Path) -> None:
    """Defaults for Prefect's temporary server; anything the user has set stays."""
    defaults = {
        "PREFECT_HOME": str(data_dir.resolve() / "prefect"),
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "240",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "PREFECT_SERVER_DATABASE_TIMEOUT": "60",
        "PREFECT_LOGGING_LEVEL": "CRITICAL",
        "PREFECT_CLI_COLORS": "false",
    }
    for name, value in defaults.items():
        os.environ.setdefault(name, value)


def show_accounts(options: argparse.Namespace, order: plan.Review, accounts: list[Account]) -> None:
    """What became of every stock, as a table or as JSON."""
    if options.json:
        print_json({"batch_id": order.batch_id, "trade_date": order.trade_date, "accounts": accounts_json(accounts)})
        return
    rows = [(a.symbol, a.name, OUTCOME_ZH[a.outcome], a.reason) for a in accounts]
    table(f"{order.trade_date} 复盘：{len(order.symbols)} 只，全部有交代", ("代码", "名称", "结果", "说明"), rows)
    counts = "，".join(f"{zh} {n}" for key, zh in OUTCOME_ZH.items() if (n := sum(a.outcome == key for a in accounts)))
    say(f"合计：{counts}")
    if folders := report_folders(order, accounts):
        say(*(f"报告：{_page(folder)}" for folder in folders), "查询：zhengming query（列出现成的问题）")


def _page(folder: Path) -> str:
    """The page to open: that of the day where there is one, else the only report."""
    pages = sorted(folder.glob("*.html"))
    day = folder / "index.html"
    return str(day) if day in pages else str(pages[0]) if len(pages) == 1 else f"{folder}/"


def report_folders(order: plan.Review, accounts: list[Account]) -> list[Path]:
    """Where the reports of *accounts* stand, reused ones included: a debate on a topic has a folder of its own."""
    reports = order.settings().data_dir / "reports"
    folders = []
    for account in accounts:
        if account.report:
            folders.append(Path(account.report).parent)
        elif account.outcome == "cached":
            base = reports / "other" / str(account.debate_id) if order.topic else reports
            folders.append(base / f"{order.trade_date:%Y-%m-%d}")
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]


def accounts_json(accounts: list[Account]) -> list[dict[str, object]]:
    """Accounts as plain dictionaries."""
    return [account.model_dump() for account in accounts]
