"""What models leave behind instead of an argument: placeholders, loops, copies, ids that do not exist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flows.truth.grammar.numbers import normalise
from flows.truth.speech.passages import FRAGMENTS
from flows.truth.speech.speakers import pair_overlap

_PLACEHOLDERS = frozenset({
    "结论", "依据", "推演", "推理", "论点", "内容", "事实", "理由", "...", "…", "……", "无", "暂无", "略", "todo",
    "string", "text", "n/a", "none", "null", "xxx",
    "示例", "你的结论", "此处填写", "论据", "结论。", "依据。", "推演。", "待补充", "placeholder", "conclusion",
    "basis", "reasoning", "观点", "标题",
})  # fmt: skip

_BRACKETED = re.compile(r"^[<【\[{（(]\s*[^<>]{0,20}(?:结论|依据|推演|填写|内容|事实)[^<>]{0,10}\s*[>】\]})）]$")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class FormFault:
    """A fault of form: kind ``placeholder``, ``loop``, ``copy``, ``unknown_id`` or ``empty``, and where it stands."""

    kind: str
    part: str
    message: str


def form_faults(
    conclusion: str, basis: str, reasoning: str, fact_ids: Sequence[str] = (), known_ids: Iterable[str] = ()
) -> list[FormFault]:
    """Faults of form of one argument; an empty list if it is one."""
    parts = {"结论": conclusion, "依据": basis, "推演": reasoning}
    faults = [fault for name, text in parts.items() for fault in _part_faults(name, text)]
    for one, other in (("推演", "结论"), ("依据", "结论"), ("推演", "依据")):
        if _is_copy(parts[one], parts[other]):
            faults.append(FormFault("copy", one, f"{one}只是重复{other}，没有给出理由"))
    known = set(known_ids)
    faults += [FormFault("unknown_id", "依据", f"引用的事实 {i} 不存在") for i in fact_ids if i not in known]
    written = {i for text in parts.values() for i in re.findall(r"(?<![A-Za-z0-9])E\d{1,4}(?![A-Za-z0-9])", text)}
    faults += [FormFault("unknown_id", "正文", f"正文提到的 {i} 不存在") for i in sorted(written - known) if known]
    return faults


def _part_faults(name: str, text: str) -> list[FormFault]:
    plain = text.strip().strip('*#`"“” ').lower()
    if not plain:
        return [FormFault("empty", name, f"{name}为空")]
    if plain in _PLACEHOLDERS or _BRACKETED.match(plain):
        return [FormFault("placeholder", name, f"{name}是占位文字“{text.strip()}”")]
    if not _CHINESE.search(plain):
        return [FormFault("placeholder", name, f"{name}没有写成中文句子：“{text.strip()[:30]}”")]
    repeated = _repeated(text)
    return [FormFault("loop", name, f"{name}反复出现同一句：“{repeated}”")] if repeated else []


def _repeated(text: str) -> str:
    """A sentence that occurs twice, or a run of six characters that occurs four times."""
    seen: set[str] = set()
    for match in FRAGMENTS.finditer(text):
        sentence = re.sub(r"\s", "", match[0])
        if len(sentence) >= 6 and sentence in seen:
            return sentence[:30]
        seen.add(sentence)
    loop = re.search(r"(.{6,40}?)(?:[，、。；\s]?\1){3,}", text, re.DOTALL)
    return loop[1][:30] if loop else ""


def _is_copy(one: str, other: str) -> bool:
    a, b = (re.sub(r"[\s，。；、：:,.!！()（）因此所以故]", "", normalise(t)) for t in (one, other))
    if len(a) < 6 or len(b) < 6:
        return a == b and bool(a)
    return a == b or (a in b and len(a) > 0.8 * len(b)) or (pair_overlap(a, b) >= 0.9 and len(a) <= 1.2 * len(b))
