"""The number check for any text against any facts (PRODUCT T8), with the text annotated where it fails."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flows.contracts.checks import Check, CheckVerdict
from flows.contracts.packs import Fact
from flows.truth.consequences import correction
from flows.truth.facts.ledger import Ledger
from flows.truth.facts.loaders import LoadedFacts, load_facts
from flows.truth.pages.documents import is_html
from flows.truth.piecewise import check_pieces

__all__ = ["LoadedFacts", "VerifyResult", "load_facts", "verify_document"]

_TAGS = re.compile(r"(<[^>]*>)")
VERDICT_ZH = {
    CheckVerdict.SUPPORTED: "有据", CheckVerdict.ROUNDED: "有据（四舍五入）", CheckVerdict.DERIVED: "可由事实推出",
    CheckVerdict.UNSUPPORTED: "无据", CheckVerdict.MISMATCH: "不符", CheckVerdict.NOT_A_QUANTITY: "不是数量",
}  # fmt: skip


@dataclass(frozen=True)
class VerifyResult:
    """Checks of one document, offsets in characters of :attr:`text`."""

    text: str
    checks: tuple[Check, ...]

    @property
    def failures(self) -> tuple[Check, ...]:
        """Checks that are unsupported or wrong, in text order."""
        return tuple(check for check in self.checks if check.verdict.is_failure)

    @property
    def counts(self) -> dict[str, int]:
        """Verdict → number of spans."""
        found = Counter(check.verdict for check in self.checks)
        return {verdict.value: found[verdict] for verdict in CheckVerdict}

    @property
    def exit_code(self) -> int:
        """0 if everything holds, 1 if something is unsupported or wrong."""
        return 1 if self.failures else 0

    @property
    def annotated(self) -> str:
        """The text with failing spans struck through and the right value beside them (Markdown, or HTML for HTML)."""
        pieces_, position = [], 0
        as_html = is_html(self.text)
        for check in self.failures:
            if check.start < position:
                continue
            pieces_.append(self.text[position : check.start])
            span, right = self.text[check.start : check.end], correction(check)
            pieces_.append(f"{_deleted(span)}<ins>（{right}）</ins>" if as_html else f"~~{span}~~（{right}）")
            position = check.end
        return "".join((*pieces_, self.text[position:]))

    def as_json(self) -> dict[str, Any]:
        """JSON shape: counts, exit_code, checks with line and column, annotated text."""
        return {
            "exit_code": self.exit_code,
            "counts": self.counts,
            "checks": [{**c.model_dump(mode="json"), **self._place(c)} for c in self.checks],
            "annotated": self.annotated,
        }

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def _place(self, check: Check) -> dict[str, int]:
        line = bisect_right(self._line_starts, check.start)
        return {"line": line, "column": check.start - self._line_starts[line - 1] + 1}

    def as_text(self) -> str:
        """One line per failure and a summary, for a person."""
        counts = self.counts
        held = counts["supported"] + counts["rounded"] + counts["derived"]
        summary = (
            f"数字 {held + len(self.failures)} 处：有据 {held}，无据 {counts['unsupported']}，"
            f"不符 {counts['mismatch']}；另有日期、序号等 {counts['not_a_quantity']} 处。"
        )
        return "\n".join([*map(self._line, self.failures), summary])

    def _line(self, check: Check) -> str:
        place, said = self._place(check), f"{VERDICT_ZH[check.verdict]}　{check.text}"
        return f"第 {place['line']} 行 第 {place['column']} 列　{said}　→　{correction(check)}　{check.reason}"


def _deleted(span: str) -> str:
    """*span* struck through without wrapping the tags inside it."""
    return "".join(run if run.startswith("<") or not run else f"<del>{run}</del>" for run in _TAGS.split(span))


def verify_document(
    text: str, facts: Sequence[Fact], *, subject: str | None = None, names: Mapping[str, str] | None = None
) -> VerifyResult:
    """Check every number, cell by cell in tables, of a Markdown, HTML or plain text.

    Args:
        text: The document.
        facts: What it may rely on; every fact counts as cited.
        subject: Symbol or name the text is about; the most frequent subject of the facts if not given.
        names: Written company names → symbol.
    """
    ledger = Ledger(facts, subject or _subject(facts), names or {})
    return VerifyResult(text, check_pieces(ledger, text, None))


def _subject(facts: Sequence[Fact]) -> str:
    found = Counter(fact.subject for fact in facts if fact.subject)
    return found.most_common(1)[0][0] if found else ""
