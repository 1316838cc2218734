"""Write one report as Markdown, self-contained HTML and JSON (PRODUCT R2).

HTML is escaped by the template engine; Markdown escapes what a renderer would read as markup. File names
are built from the symbol's canonical form and the date only, never from a title.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, select_autoescape
from markupsafe import Markup

from flows.errors import UsageError
from flows.market.sessions import SHANGHAI
from flows.market.symbols import parse_symbol
from flows.reports import charts
from flows.reports.chart_data import ChartData
from flows.reports.coverage import ASIDE, OWN_MARKS, PLACE, SENTENCE, with_coverage
from flows.reports.view import ReportView, as_json
from flows.reports.words import DISCLAIMER, MISSING_ZH, PROTOCOL_ZH
from flows.truth.consequences import to_markdown

_MARKUP = re.compile(r"([\\`*_\[\]|#~])")
_REFERENCE = re.compile(r"\b(?:(E\d+)|(r\d+-[a-z]+-\d+))\b")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


@dataclass(frozen=True)
class ReportFiles:
    """Where one report was written."""

    markdown: Path
    html: Path
    json: Path


def escape_markdown(words: object) -> str:
    """*words* on one line with every character escaped that Markdown would read as markup or HTML."""
    return _MARKUP.sub(r"\\\1", escape(_CONTROL.sub(" ", str(words).translate(OWN_MARKS)), quote=False))


def link_references(words: object) -> Markup:
    """*words* escaped, with fact ids (E12) and claim ids (r1-bull-2) linked to where they stand on the page."""

    def link(match: re.Match[str]) -> str:
        target = match[1] or f"c-{match[2]}"
        return f'<a class="id" href="#{target}">{match[0]}</a>'

    return Markup(_REFERENCE.sub(link, escape(str(words).translate(OWN_MARKS))))  # noqa: S704 - escaped just here


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
    template = _environment().get_template("report.html")
    style = Markup(_environment().get_template("style.css").render())  # noqa: S704 - our own file
    return with_coverage(template.render(**_names(view), charts=safe, style=style), view.pack)[0]


def render_markdown(view: ReportView) -> str:
    """The same content as Markdown."""
    body = _environment().get_template("report.md").render(**_names(view)).strip() + "\n"
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
    _write(files.markdown, render_markdown(view))
    _write(files.html, render_html(view, data))
    _write(files.json, json.dumps(as_json(view), ensure_ascii=False, indent=1, default=str))
    return files


def _write(path: Path, body: str) -> None:
    draft = path.with_suffix(path.suffix + ".tmp")
    draft.write_text(body, encoding="utf-8")
    os.replace(draft, path)  # noqa: PTH105 - atomic over an older report


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("flows.reports", "templates"),
        autoescape=select_autoescape(["html"], default=False),
        keep_trailing_newline=True,
    )
    environment.filters["md"] = escape_markdown
    environment.filters["linked"] = link_references
    return environment


def _names(view: ReportView) -> dict[str, Any]:
    return {
        "view": view,
        "t": view.transcript,
        "pack": view.pack,
        "disclaimer": DISCLAIMER,
        "protocol": PROTOCOL_ZH.get(view.transcript.protocol, view.transcript.protocol),
        "missing": MISSING_ZH,
        "cutoff": _minute(view.pack.cutoff),
        "generated": _minute(view.generated_at),
        "sentence": SENTENCE,
        "aside": ASIDE,
        "place": PLACE,
    }


def _minute(moment: datetime) -> str:
    return f"{moment.astimezone(SHANGHAI):%Y-%m-%d %H:%M}"


def render_layer(view: ReportView, layer: str) -> str:
    """The report as Markdown down to one of its layers: ``warning``, ``summary`` or ``full`` (PRODUCT R1)."""
    if layer == "full":
        return render_markdown(view)
    lines = [view.title, DISCLAIMER, *view.notes, "", f"避雷提醒：{to_markdown(view.warning)}"]
    if layer == "summary":
        lines += ["", "五点摘要：", *(f"{i}. {to_markdown(point)}" for i, point in enumerate(view.points, start=1))]
        lines += ["", f"核心结论：{to_markdown(view.core)}"]
    return "\n".join(lines)
