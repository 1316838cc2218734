"""Reads a prompt the way a model does: from its text, section by section.

Nothing but the request's text is used, so the offline model knows exactly what a real model would.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from flows.debate.offline.request import OfflineRequest, UnreadablePrompt
from flows.debate.prompting import DISCIPLINE, FACTS, OPEN, RECORD, TASK
from flows.debate.views import TARGET

_HEADING = re.compile(r"^\[(\S+?)·(\S+?) (\d{4}-\d{2}-\d{2})\]$")
_FACT = re.compile(r"^(E\d+)(?:\(([+-])\))? (.*?)(?: \{(\w+)(?:=([-+\d.e]+))?\})?$")
_NUMBER = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
_CLAIM = re.compile(
    r"(?:^\S+?\((?P<stance>支持|反对)\)·(?P<doubt>被质询|未质询) )?"
    r"(?P<id>r\d+-(?P<role>[a-z]+)-\d+)(?:→(?P<to>r\d+-[a-z]+-\d+))?\[(?P<dimension>[^·\]]+)·(?P<status>[^\]]+)\]"
    r"(?P<conclusion>.*?)（(?P<facts>E\d+(?: E\d+)*|无来源)）(?=｜|$)(?:｜据：(?P<basis>.*?)｜推：(?P<reasoning>.*?))?"
    rf"(?:｜预期 (?P<metric>\w+)=(?P<value>{_NUMBER})(?:（现(?P<present>{_NUMBER})）)?@(?P<due>\d{{4}}-\d\d-\d\d))?"
    r"(?:｜核对：(?P<failed>.*))?$"
)
_TASK = re.compile(r"^第(\d+)轮·(\S+?)·(\S+?)（([a-z]+)/([a-z_]+)）$|^(\S+?)（([a-z]+)/([a-z_]+)）$", re.MULTILINE)


@dataclass(frozen=True)
class Seen:
    """One fact as shown."""

    id: str
    polarity: str
    sentence: str
    dimension: str
    kind: str
    as_of: date
    metric: str | None
    value: float | None

    @property
    def is_suspect(self) -> bool:
        """Whether the text was marked as containing instructions: data, but nothing to argue with."""
        return "疑含指令" in self.sentence


@dataclass(frozen=True)
class Heard:
    """One claim on the record as shown."""

    id: str
    role: str
    to: str | None
    dimension: str
    status: str
    conclusion: str
    basis: str
    facts: tuple[str, ...]
    reasoning: str
    metric: str | None
    expected: float | None
    present: float | None
    due: date | None
    failed: str
    stance: str | None
    is_challenged: bool


@dataclass(frozen=True)
class Scene:
    """A whole prompt."""

    role: str
    role_zh: str
    act: str
    round_no: int
    who: str
    trade_date: date
    proposition: str
    facts: tuple[Seen, ...]
    claims: tuple[Heard, ...]
    target: Heard | None
    record: str
    open: str
    task: str

    @property
    def new_facts(self) -> tuple[str, ...]:
        """Ids of new material the task names."""
        found = re.search(r"^有新增材料：(E\d+(?:、E\d+)*)", self.task, re.MULTILINE)
        return tuple(found[1].split("、")) if found else ()

    def fact(self, fact_id: str) -> Seen | None:
        """A shown fact by id."""
        return next((fact for fact in self.facts if fact.id == fact_id), None)


def read_scene(request: OfflineRequest) -> Scene:
    """Read a request. Raises UnreadablePrompt if it is none of this project's prompts."""
    system = request.system
    user = next((str(m.get("content") or "") for m in request.messages if m.get("role") == "user"), "")
    task = _section(user, TASK, None)
    found = _TASK.search(task)
    if not found:
        raise UnreadablePrompt("the prompt names no task this model knows")
    role = found[4] or found[7]
    identity = _section(system, DISCIPLINE, FACTS)
    who = re.search(r"^标的：(\S+) (.+?)(?:（|$)", identity, re.MULTILINE)
    day = re.search(r"^交易日：(\d{4}-\d\d-\d\d)", identity, re.MULTILINE)
    proposition = re.search(r"^命题：(.+)$", identity, re.MULTILINE)
    record = _section(user, RECORD, OPEN)
    return Scene(
        role=role,
        role_zh=found[2] or found[6],
        act=found[5] or found[8],
        round_no=int(found[1] or 0),
        who=who[2] if who else "该标的",
        trade_date=date.fromisoformat(day[1]) if day else date(1970, 1, 1),
        proposition=proposition[1] if proposition else "",
        facts=(*_facts(_section(system, FACTS, None)), *_facts(record)),
        claims=tuple(_claims(line for line in record.splitlines() if not line.startswith(TARGET))),
        target=next(_claims(line for line in record.splitlines() if line.startswith(TARGET)), None),
        record=record,
        open=_section(user, OPEN, TASK),
        task=task,
    )


def _section(text: str, heading: str, following: str | None) -> str:
    start = text.find(heading)
    if start < 0:
        return ""
    start += len(heading)
    end = text.find(following, start) if following else -1
    return text[start : end if end >= 0 else len(text)].strip("\n")


def _facts(text: str) -> Iterator[Seen]:
    place: tuple[str, str, date] | None = None
    for line in text.splitlines():
        if heading := _HEADING.match(line):
            place = (heading[1], heading[2], date.fromisoformat(heading[3]))
        elif place and (fact := _FACT.match(line)):
            value = float(fact[5]) if fact[5] else None
            yield Seen(fact[1], fact[2] or "0", fact[3], place[0], place[1], place[2], fact[4], value)


def _claims(lines: Iterable[str]) -> Iterator[Heard]:
    for line in lines:
        if found := _CLAIM.search(line):
            parts = found.groupdict()
            yield Heard(
                id=parts["id"],
                role=parts["role"],
                to=parts["to"],
                dimension=parts["dimension"],
                status=parts["status"],
                conclusion=parts["conclusion"],
                basis=parts["basis"] or "",
                facts=tuple(re.findall(r"E\d+", parts["facts"])),
                reasoning=parts["reasoning"] or "",
                metric=parts["metric"],
                expected=float(parts["value"]) if parts["value"] else None,
                present=float(parts["present"]) if parts["present"] else None,
                due=date.fromisoformat(parts["due"]) if parts["due"] else None,
                failed=parts["failed"] or "",
                stance=parts["stance"],
                is_challenged=parts["doubt"] == "被质询",
            )


_AMOUNT = re.compile(r"为(-?[\d,]+(?:\.\d+)?)(万亿|亿|万)?(?:元|股)")
_SCALE = {"万亿": 1e12, "亿": 1e8, "万": 1e4, None: 1.0}


def amount_in(sentence: str) -> float | None:
    """The amount a sentence states, in CNY; None if it states none."""
    found = _AMOUNT.search(sentence)
    return float(found[1].replace(",", "")) * _SCALE[found[2]] if found else None
