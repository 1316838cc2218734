"""Facts from a file: a pack, a list of facts, or a table anybody can type (PRODUCT T8)."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Dimension, Fact, FactKind
from flows.contracts.units import UNIT_ZH, Unit
from flows.errors import UsageError
from flows.truth.grammar.lexicon import CHANGE, concepts, mentions
from flows.truth.grammar.numerals import read_number
from flows.truth.grammar.units import read_unit
from flows.truth.pages.text_files import read_text_file

COLUMNS = ("id", "field", "value", "unit", "as_of", "period", "subject", "sentence")
_HELP = (
    "事实表需要这些列：id,field,value,unit,as_of,period,subject,sentence；"
    "field 写指标名（如 net_profit_cny 或 净利润），value 写数，unit 写单位（如 CNY、元、亿元、%、倍），"
    "as_of 写日期（2026-03-13）。"
)


@dataclass(frozen=True)
class LoadedFacts:
    """Facts of a file with whom they are about."""

    facts: tuple[Fact, ...]
    subject: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)


def load_facts(path: Path) -> LoadedFacts:
    """Facts of *path*: pack JSON, ``{"facts": [...]}``, a JSON list, or CSV with the columns ``COLUMNS``.

    Raises:
        UsageError: the file is missing or cannot be read as facts; the message says what to do.
    """
    text, _ = read_text_file(path, "事实文件")
    if text.lstrip().startswith(("{", "[")):
        return _from_json(text, path)
    return _from_csv(text, path)


def _from_json(text: str, path: Path) -> LoadedFacts:
    try:
        body = json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"{path} 第 {error.lineno} 行不是合法的 JSON：{error.msg}。") from None
    if isinstance(body, list):
        body = {"facts": body}
    if not isinstance(body.get("facts"), list):
        raise UsageError(f"{path} 里没有 facts 列表；请用 `zhengming pack SYMBOL` 写出的文件，或 CSV。{_HELP}")
    rows = [*body["facts"], *body.get("appendix", [])]
    facts = tuple(_json_fact(row, number, path) for number, row in enumerate(rows, 1))
    identity = body.get("identity") or {}
    symbol, name = body.get("symbol"), identity.get("name")
    return LoadedFacts(facts, symbol or _most_common(facts), {name: symbol} if name and symbol else {})


def _json_fact(row: Any, number: int, path: Path) -> Fact:
    if not isinstance(row, dict):
        raise UsageError(f"{path} 的第 {number} 条事实不是对象。{_HELP}")
    try:
        return Fact.model_validate(row)
    except ValidationError:
        return _row_fact({k: "" if v is None else str(v) for k, v in row.items()}, f"{path} 的第 {number} 条事实")


def _from_csv(text: str, path: Path) -> LoadedFacts:
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter)
    missing = {"field", "value"} - set(reader.fieldnames or ())
    if missing:
        raise UsageError(f"{path} 的表头缺少 {'、'.join(sorted(missing))}。{_HELP}")
    facts: list[Fact] = []
    for row in reader:
        filled = {
            key: (value or "").strip()
            for key, value in row.items()
            if isinstance(key, str) and not isinstance(value, list)
        }
        filled["id"] = filled.get("id") or f"E{len(facts) + 1}"
        facts.append(_row_fact(filled, f"{path} 第 {reader.line_num} 行"))
    if not facts:
        raise UsageError(f"{path} 没有一行事实。{_HELP}")
    return LoadedFacts(tuple(facts), _most_common(tuple(facts)))


def _row_fact(row: Mapping[str, str], where: str) -> Fact:
    as_of = _date(row.get("as_of", ""), where)
    field_name = _field(row.get("field", ""), row.get("unit", ""))
    value, unit = _value(row.get("value", ""), row.get("unit", ""), field_name, where)
    subject, period = row.get("subject", ""), row.get("period", "")
    words = METRICS[field_name].zh if field_name in METRICS else row.get("field", "")
    shown = value if isinstance(value, str) else f"{value:g}{UNIT_ZH.get(unit, '')}"
    sentence = row.get("sentence") or f"{subject}{period}{words}为{shown}"
    return Fact(
        id=row.get("id") or "E1", sentence=sentence, field=field_name or "text", value=value, unit=unit,
        as_of=as_of, published_at=datetime.combine(as_of, datetime.min.time(), UTC), source=row.get("source") or where,
        dimension=Dimension.FUNDAMENTALS, kind=_kind(row.get("kind", ""), where), subject=subject, period=period,
    )  # fmt: skip


def _kind(text: str, where: str) -> FactKind:
    try:
        return FactKind(text or FactKind.DATA)
    except ValueError:
        raise UsageError(f"{where}：kind 是“{text}”；可用：{'、'.join(FactKind)}。") from None


def _date(text: str, where: str) -> date:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        raise UsageError(f"{where}：as_of 是“{text}”，应为 2026-03-13 这样的日期。") from None


def _field(text: str, unit: str) -> str:
    """A metric name as it is; Chinese or English words through the registry's words."""
    if text in METRICS or not text:
        return text
    found = mentions(text)
    if len(found) != 1 or found[0].end - found[0].start < len(text.strip()):
        return text
    mention = found[0]
    code = read_unit(unit.lstrip("万亿千百")).code
    for name, (form, window) in concepts()[mention.concept].fields.items():
        is_change = mention.form == CHANGE or (code == Unit.PCT and concepts()[mention.concept].unit != Unit.PCT)
        if (form == CHANGE) == is_change and (not mention.window or mention.window == window):
            return name
    return text


_SCALED = re.compile(r"^(万亿|亿|千万|百万|万|千)?(.*)$")


def _value(text: str, unit: str, field_name: str, where: str) -> tuple[float | str | None, Unit]:
    if not text:
        return None, Unit.TEXT
    scale, word = _SCALED.match(unit.strip()).groups()  # type: ignore[union-attr]
    known = METRICS[field_name].unit if field_name in METRICS else None
    code = _unit_code(word, known, where)
    if code in {Unit.TEXT, Unit.DATE}:
        return text, code
    try:
        number = float(text.replace(",", "").rstrip("%"))
    except ValueError:
        raise UsageError(f"{where}：value 是“{text}”，不是数；文字请把 unit 写成 text。") from None
    factor = (read_number(f"1{scale}")[0] if scale else 1.0) * (read_unit(word).factor if word else 1.0)
    return number * factor, code


def _unit_code(word: str, known: Unit | None, where: str) -> Unit:
    if not word:
        return known or Unit.TEXT
    if word in set(Unit):
        return Unit(word)
    code = read_unit(word).code
    if code not in set(Unit):
        raise UsageError(f"{where}：不认识单位“{word}”；可用：{'、'.join(Unit)}，或 元、%、倍、股。")
    return known if known is not None and Unit(code) is Unit.CNY and known is Unit.CNY_PER_SHARE else Unit(code)


def _most_common(facts: tuple[Fact, ...]) -> str | None:
    subjects = [fact.subject for fact in facts if fact.subject]
    return max(set(subjects), key=subjects.count, default=None)
