"""Errors planted at random into a Markdown report, for anybody who must show that ``verify`` finds them.

A number is eligible if it stands in the report as the rounded value of some fact of the pack, found here with plain
arithmetic and not with the checker. Kinds: digits, unit, sign, period, company.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flows.contracts.packs import Fact

_SCALES = {"": 1.0, "万": 1e4, "亿": 1e8, "万亿": 1e12}
_NUMBER = re.compile(
    r"(?<![\d.A-Za-z])(?P<sign>-?)(?P<digits>\d[\d,]*(?:\.\d+)?)(?P<scale>万亿|亿|万|)(?P<unit>元|%|倍|股|个百分点)"
)
_PERIOD = re.compile(r"(20\d\d)Q([1-4])")
_SWAPS = {"元": "%", "%": "倍", "倍": "%", "股": "元", "个百分点": "倍"}
KINDS = ("digits", "unit", "sign", "period", "company")


@dataclass(frozen=True)
class PlantedError:
    """One planted error: kind, line number from 1, what stood there and what stands there now."""

    kind: str
    line: int
    before: str
    after: str


def plant_errors(
    report: str,
    facts: Sequence[Fact],
    *,
    seed: int,
    count: int = 10,
    company: str,
    others: Sequence[str] = ("海市蜃楼科技", "黄粱食品"),
) -> tuple[str, list[PlantedError]]:
    """*report* with *count* errors on as many lines, and the list of them in line order."""
    rng = random.Random(seed)
    lines = report.split("\n")
    skipped = _expectation_rows(lines)
    places = [
        (n, m)
        for n, line in enumerate(lines)
        if n not in skipped and _is_eligible(line)
        for m in _NUMBER.finditer(line)
        if _is_fact(m, facts)
    ]
    rng.shuffle(places)
    planted: list[PlantedError] = []
    for number, match in places:
        if len(planted) == count:
            break
        if any(p.line == number + 1 for p in planted):
            continue
        kinds = list(KINDS)
        rng.shuffle(kinds)
        for kind in kinds:
            changed = _PLANTERS[kind](lines[number], match, rng, company, tuple(others))
            if changed is not None and changed != lines[number]:
                planted.append(PlantedError(kind, number + 1, lines[number], changed))
                lines[number] = changed
                break
    return "\n".join(lines), sorted(planted, key=lambda p: p.line)


def _expectation_rows(lines: list[str]) -> set[int]:
    """Rows of the table of disagreements: what a side expects is no claim about what is."""
    rows: set[int] = set()
    inside = False
    for number, line in enumerate(lines):
        inside = line.startswith("|") and (inside or "预期" in line)
        if inside:
            rows.add(number)
    return rows


def _is_eligible(line: str) -> bool:
    """Thresholds, expectations and process numbers are no claims; headings and rules carry none."""
    return not re.search(r"预期|回撤（|则“|不成立|门槛|阈值|知识：|^#|^\|\s*[-:]", line)


def _is_fact(match: re.Match[str], facts: Sequence[Fact]) -> bool:
    digits = match["digits"].replace(",", "")
    places = len(digits.partition(".")[2])
    scale = _SCALES[match["scale"]]
    value, half = float(digits) * scale, 0.5 * 10**-places * scale
    return (
        places > 0
        and value > 0
        and any(isinstance(f.value, float) and abs(abs(f.value) - value) <= half * 1.000001 for f in facts)
    )


def _replaced(line: str, match: re.Match[str], text: str) -> str:
    return line[: match.start()] + text + line[match.end() :]


def _digits(line: str, match: re.Match[str], rng: random.Random, _company: str, _others: tuple[str, ...]) -> str:
    digits = match["digits"]
    at = rng.choice([i for i, c in enumerate(digits) if c.isdigit()][:3])
    new = rng.choice([c for c in "123456789" if c != digits[at]])
    changed = digits[:at] + new + digits[at + 1 :]
    return _replaced(line, match, f"{match['sign']}{changed}{match['scale']}{match['unit']}")


def _unit(line: str, match: re.Match[str], rng: random.Random, _company: str, _others: tuple[str, ...]) -> str:
    if match["scale"] and rng.random() < 0.6:
        scale = {"亿": "万", "万": "亿", "万亿": "亿"}[match["scale"]]
        return _replaced(line, match, f"{match['sign']}{match['digits']}{scale}{match['unit']}")
    return _replaced(line, match, f"{match['sign']}{match['digits']}{match['scale']}{_SWAPS[match['unit']]}")


_FLIPS = {
    "增长": "下降",
    "下降": "增长",
    "上涨": "下跌",
    "下跌": "上涨",
    "上升": "下降",
    "净流入": "净流出",
    "净流出": "净流入",
}


def _sign(line: str, match: re.Match[str], _rng: random.Random, _company: str, _others: tuple[str, ...]) -> str | None:
    before = line[: match.start()]
    word = next((w for w in _FLIPS if before.endswith(w)), None)
    if word is not None:
        return before[: -len(word)] + _FLIPS[word] + line[match.start() :]
    if before.endswith(("低", "高", "跌", "涨", "降", "增", "升", "减", "少", "幅", "滑", "落", "加", "长", "撤")):
        return None
    text = match[0].removeprefix("-") if match["sign"] else f"-{match[0]}"
    return _replaced(line, match, text)


def _period(
    line: str, match: re.Match[str], _rng: random.Random, _company: str, _others: tuple[str, ...]
) -> str | None:
    """The last period before the number, if it is this number's own clause."""
    found = [
        m for m in _PERIOD.finditer(line[: match.start()]) if not re.search(r"[，。；|]", line[m.end() : match.start()])
    ]
    if not found:
        return None
    last = found[-1]
    words = (
        line[last.end() : match.start()]
        .replace("（前三季度累计）", "")
        .replace("（上半年累计）", "")
        .replace("（一季度累计）", "")
        .replace("（全年累计）", "")
    )
    return f"{line[: last.start()]}{int(last[1]) - 2}Q{last[2]}{words}{line[match.start() :]}"


def _company(line: str, match: re.Match[str], rng: random.Random, company: str, others: tuple[str, ...]) -> str:
    """Another company's name put before the clause of the number, or in place of ours."""
    other = rng.choice([name for name in others if name != company])
    head = line[: match.start()]
    start = max((head.rfind(c) for c in "，。；：:|、-> ）"), default=-1) + 1
    return f"{line[:start]}{other}的{line[start:]}"


_PLANTERS: dict[str, Callable[[str, re.Match[str], random.Random, str, tuple[str, ...]], str | None]] = {
    "digits": _digits, "unit": _unit, "sign": _sign, "period": _period, "company": _company,
}  # fmt: skip
