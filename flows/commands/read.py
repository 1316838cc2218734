"""``query``, ``report``, ``snapshot`` and ``pack``: reading what is stored."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path

from flows.commands.console import note, parse_day, print_json, say, settings_from, table, wall_now
from flows.commands.labels import in_chinese, plain
from flows.commands.review import clock_of, known_names
from flows.errors import UsageError
from flows.market.sessions import SHANGHAI
from flows.market.symbols import parse_stock
from flows.settings import Settings
from flows.warehouse import questions


def query(options: argparse.Namespace) -> int:
    """Answer a named question or the user's own read-only select; without either, list the catalogue."""
    settings = settings_from(options)
    if options.question and options.sql is not None:
        raise UsageError("名称和 --sql 只能给一个。")
    if options.param and not options.question:
        raise UsageError("--param 是现成问题的参数，要和问题的名称一起写；自己写的 SQL 请把条件写在 where 里。")
    if options.sql is not None:
        _answer(options, *_own_select(settings.database, options.sql))
    elif options.question:
        given = _canonical(_parameters(options.param), settings)
        _answer(options, *questions.run(settings.database, options.question, given))
    else:
        _catalogue(options)
    return 0


def _canonical(given: dict[str, str], settings: Settings) -> dict[str, str]:
    """A stock may be written in any form a watchlist takes; one that does not exist is refused."""
    if "symbol" not in given:
        return given
    return given | {"symbol": parse_stock(given["symbol"], known_names(settings)).canonical}


def _own_select(database: Path, sql: str) -> questions.Answer:
    if not sql.strip():
        raise UsageError("--sql 是空的：写一条 SELECT，或去掉 --sql 看现成的问题。")
    headers, rows = questions.run_sql(database, sql)
    if len(rows) > questions.MOST_ROWS:
        note(f"结果超过 {questions.MOST_ROWS:,} 行，只给出前 {questions.MOST_ROWS:,} 行：加 where 或 limit，或先聚合。")
    return headers, rows


def _catalogue(options: argparse.Namespace) -> None:
    catalogue = questions.catalogue()
    if _wants_json(options):
        print_json({"questions": [asdict(question) for question in catalogue]})
        return
    rows = [(q.name, q.title, "，".join(map(str, q.parameters))) for q in catalogue]
    table("现成的问题：zhengming query 名称 --param 键=值", ("名称", "问什么", "参数"), rows)


def _wants_json(options: argparse.Namespace) -> bool:
    return bool(options.json) or options.format == "json"


def _answer(options: argparse.Namespace, headers: Sequence[str], found: Sequence[Sequence[object]]) -> None:
    """JSON and CSV keep codes and exact values; a table is written for a person."""
    rows = found[: questions.MOST_ROWS]
    if _wants_json(options):
        print_json(_document(options.question, headers, rows, is_complete=len(rows) == len(found)))
    elif options.format == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(headers)
        writer.writerows(rows)
        if not rows:
            note("没有符合条件的行。")
    elif options.question:
        titles = {question.name: question.title for question in questions.catalogue()}
        table(titles[options.question], *in_chinese(headers, rows))
        say(f"{len(rows)} 行")
    else:
        table("查询结果", headers, [[plain(value) for value in row] for row in rows])
        say(f"{len(rows)} 行")


def _document(
    question: str | None, headers: Sequence[str], rows: Sequence[Sequence[object]], *, is_complete: bool
) -> dict[str, object]:
    """An answer as one object; a name that stands for two columns would lose one of them."""
    if twice := sorted({name for name in headers if headers.count(name) > 1}):
        raise UsageError(f"列名重复：{'、'.join(twice)}。输出 JSON 时每列要有自己的名字，请用 as 另起。")
    return {
        "question": question,
        "columns": headers,
        "rows": [dict(zip(headers, row, strict=True)) for row in rows],
        "row_count": len(rows),
        "is_complete": is_complete,
    }


def _parameters(pairs: Sequence[str]) -> dict[str, str]:
    wrong = [pair for pair in pairs if "=" not in pair]
    if wrong:
        raise UsageError(f"参数写成 键=值：{'、'.join(wrong)}")
    return dict(pair.split("=", 1) for pair in pairs)


def report(options: argparse.Namespace) -> int:
    """Print one stored report up to the wanted layer."""
    from flows.desk.reading import stored_debate  # noqa: PLC0415
    from flows.desk.telling import told  # noqa: PLC0415
    from flows.reports.render import render_layer  # noqa: PLC0415
    from flows.reports.view import as_json, build_view  # noqa: PLC0415

    stored = stored_debate(settings_from(options), options.debate_id)
    view = build_view(
        stored.transcript, told(stored.pack, stored.transcript), stored.transcript.finished_at
    )  # fmt: skip
    if options.json:
        print_json(as_json(view))
    else:
        say(render_layer(view, options.layer))
    return 0


def snapshot(options: argparse.Namespace) -> int:
    """Print the verified snapshot of one stock as JSON."""
    from flows.desk.reading import snapshot_of  # noqa: PLC0415

    settings = settings_from(options)
    symbol = parse_stock(options.symbol, known_names(settings)).canonical
    print_json(snapshot_of(settings, symbol, _past_day(settings, options.as_of)).model_dump(mode="json"))
    return 0


def pack(options: argparse.Namespace) -> int:
    """Print the fact pack of one stock as JSON."""
    from flows.desk.reading import pack_of  # noqa: PLC0415

    settings = settings_from(options)
    symbol = parse_stock(options.symbol, known_names(settings)).canonical
    print_json(pack_of(settings, symbol, _past_day(settings, options.as_of)).model_dump(mode="json"))
    return 0


def _past_day(settings: Settings, text: str | None) -> date | None:
    """The day asked for, not later than the clock or the sample's own evening."""
    day = parse_day(text)
    today = max(wall_now(), clock_of(settings, None)).astimezone(SHANGHAI).date()
    if day is not None and day > today:
        raise UsageError(f"{day} 还没有到（现在是 {today}）：--as-of 只能是今天或以前的日期。")
    return day
