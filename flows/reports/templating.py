"""The templates of this package and how their results reach the disk."""

from __future__ import annotations

import os
import re
from datetime import datetime
from html import escape
from pathlib import Path

from jinja2 import Environment, PackageLoader, Template, select_autoescape
from markupsafe import Markup

from flows.market.sessions import SHANGHAI
from flows.reports.coverage import OWN_MARKS

_MARKUP = re.compile(r"([\\`*_\[\]|#~])")
_REFERENCE = re.compile(r"\b(?:(E\d+)|(r\d+-[a-z]+-\d+))\b")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


def template_of(name: str) -> Template:
    """One template; HTML is escaped by the engine, Markdown by its ``md`` filter."""
    environment = Environment(
        loader=PackageLoader("flows.reports", "templates"),
        autoescape=select_autoescape(["html"], default=False),
        keep_trailing_newline=True,
    )
    environment.filters["md"] = escape_markdown
    environment.filters["linked"] = link_references
    environment.globals["style"] = Markup(environment.get_template("style.css").render())  # noqa: S704 - our own file
    return environment.get_template(name)


def escape_markdown(words: object) -> str:
    """*words* on one line with every character escaped that Markdown would read as markup or HTML."""
    return _MARKUP.sub(r"\\\1", escape(_CONTROL.sub(" ", str(words).translate(OWN_MARKS)), quote=False))


def link_references(words: object) -> Markup:
    """*words* escaped, with fact ids (E12) and claim ids (r1-bull-1) linked to where they stand on the page."""

    def link(match: re.Match[str]) -> str:
        target = match[1] or f"c-{match[2]}"
        return f'<a class="id" href="#{target}">{match[0]}</a>'

    return Markup(_REFERENCE.sub(link, escape(str(words).translate(OWN_MARKS))))  # noqa: S704 - escaped just here


def minute(moment: datetime) -> str:
    """*moment* to the minute, Asia/Shanghai."""
    return f"{moment.astimezone(SHANGHAI):%Y-%m-%d %H:%M}"


def write_text(path: Path, body: str) -> None:
    """Write *body* so that a reader sees the old file or the new one, never half of it."""
    draft = path.with_suffix(path.suffix + ".tmp")
    draft.write_text(body, encoding="utf-8")
    os.replace(draft, path)  # noqa: PTH105 - atomic over an older file
