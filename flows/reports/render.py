"""Write one report as Markdown, self-contained HTML and JSON (PRODUCT R2).

File names are built from the symbol's canonical form and the date only, never from a title.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from flows.errors import UsageError
from flows.market.symbols import parse_symbol
from flows.reports import charts
from flows.reports.chart_data import ChartData
from flows.reports.coverage import ASIDE, PLACE, SENTENCE, with_coverage
from flows.reports.templating import minute, template_of, write_text
from flows.reports.view import ReportView, as_json
from flows.reports.words import DISCLAIMER, MISSING_ZH, PROTOCOL_ZH
from flows.truth.consequences import to_markdown


@dataclass(frozen=True)
class ReportFiles:
    """Where one report was written."""

    markdown: Path
    html: Path
    json: Path


def render_html(view: ReportView, data: ChartData) -> str:
    """The self-contained page: no script, no outside resource; its numbers are checked, what fails is struck."""
    name = view.pack.identity.name or view.pack.symbol
    pictures = {
        "candles": charts.candles(data, name),
        "candles_narrow": charts.candles(data, name, charts.NARROW),
        "distribution": charts.distribution(data.daily_returns_pct),
        "balance": charts.evidence_balance(view.pack.facts),
        "confidence": charts.confidence(view.transcript.confidence_changes),
    }
    safe = {key: Markup(picture) for key, picture in pictures.items()}  # noqa: S704 - svg.py escapes every text
    return with_coverage(template_of("report.html").render(**_names(view), charts=safe), view.pack)[0]


def render_markdown(view: ReportView) -> str:
    """The same content as Markdown."""
    body = template_of("report.md").render(**_names(view)).strip() + "\n"
    return with_coverage(body, view.pack)[0]


def write_report(view: ReportView, data: ChartData, folder: Path) -> ReportFiles:
    """Write the three files below *folder*/DATE/ atomically and say where they are."""
    transcript = view.transcript
    symbol = parse_symbol(transcript.symbol).canonical
    if not re.fullmatch(r"[a-z_]+", transcript.protocol):
        raise UsageError(f"协议名不能用作文件名：{transcript.protocol!r}")
    target = folder / f"{transcript.trade_date:%Y-%m-%d}"
    target.mkdir(parents=True, exist_ok=True)
    stem = f"{symbol}-{transcript.protocol}"
    files = ReportFiles(*(target / f"{stem}.{ending}" for ending in ("md", "html", "json")))
    write_text(files.markdown, render_markdown(view))
    write_text(files.html, render_html(view, data))
    write_text(files.json, json.dumps(as_json(view), ensure_ascii=False, indent=1, default=str))
    return files


def _names(view: ReportView) -> dict[str, Any]:
    return {
        "view": view,
        "t": view.transcript,
        "pack": view.pack,
        "disclaimer": DISCLAIMER,
        "protocol": PROTOCOL_ZH.get(view.transcript.protocol, view.transcript.protocol),
        "missing": MISSING_ZH,
        "cutoff": minute(view.pack.cutoff),
        "generated": minute(view.generated_at),
        "sentence": SENTENCE,
        "aside": ASIDE,
        "place": PLACE,
    }


def render_layer(view: ReportView, layer: str) -> str:
    """The report as Markdown down to one of its layers: ``warning``, ``summary`` or ``full`` (PRODUCT R1)."""
    if layer == "full":
        return render_markdown(view)
    lines = [view.title, DISCLAIMER, *view.notes, "", f"避雷提醒：{to_markdown(view.warning)}"]
    if layer == "summary":
        lines += ["", "五点摘要：", *(f"{i}. {to_markdown(point)}" for i, point in enumerate(view.points, start=1))]
        lines += ["", f"核心结论：{to_markdown(view.core)}"]
    return "\n".join(lines)
