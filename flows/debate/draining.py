"""Speeches drained to claim, evidence and logic before they enter a context (PRODUCT D14).

Text is cut at the end of a clause, never inside a number: half a number is a wrong number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from flows.contracts.checks import Check, CheckVerdict
from flows.contracts.transcripts import Claim, ClaimStatus
from flows.debate.answers import Expectation

BASIS_LIMIT = 70
REASONING_LIMIT = 50

NO_SOURCE = "无来源"

_CLAUSE_END = re.compile(r"[。；，！？;,!?]")
_STATUS_ZH = {
    ClaimStatus.STANDING: "成立",
    ClaimStatus.PENDING: "待验证",
    ClaimStatus.CONCEDED: "已让步",
    ClaimStatus.REFUTED: "被驳倒",
    ClaimStatus.UNSUPPORTED: "核对不符，计零",
}


def clip(text: str, limit: int) -> str:
    """*text* in at most *limit* characters, cut after a whole clause; an ellipsis marks the cut."""
    if len(text) <= limit:
        return text
    ends = [m.start() for m in _CLAUSE_END.finditer(text[:limit]) if not _inside_number(text, m.start())]
    if ends and ends[-1] >= limit // 3:
        return text[: ends[-1]] + "…"
    cut = limit - 1
    while cut > 0 and _is_numeric(text[cut - 1]) and _is_numeric(text[cut]):
        cut -= 1
    return text[:cut] + "…"


def _is_numeric(char: str) -> bool:
    return (char.isalnum() and char.isascii()) or char in "..,%%-+万亿"


def _inside_number(text: str, position: int) -> bool:
    return 0 < position < len(text) - 1 and text[position - 1].isdigit() and text[position + 1].isdigit()


def expectation_text(expect: Expectation | None, present: float | None = None) -> str:
    """An expectation as it stands on the record, with today's value; its form is fixed."""
    if expect is None:
        return ""
    now = "" if present is None else f"（现{present:.6g}）"
    return f"｜预期 {expect.metric}={expect.value:.6g}{now}@{expect.due.isoformat()}"


def checks_text(checks: Iterable[Check]) -> str:
    """What opponents are told about a claim's numbers: failures only, with the right value if known."""
    told = []
    for check in checks:
        if not check.verdict.is_failure:
            continue
        right = f"，应为{check.expected:g}" if check.expected is not None else ""
        word = "不符" if check.verdict is CheckVerdict.MISMATCH else "无据"
        told.append(f"“{check.text}”{word}{right}")
    return "；".join(told)


def headline(claim: Claim, expected: str = "", failed: str = "") -> str:
    """A claim on one line without its evidence and logic: for what is remembered, not argued now."""
    reply = f"→{claim.replies_to}" if claim.replies_to else ""
    status = _STATUS_ZH[claim.status]
    head = f"{claim.claim_id}{reply}[{claim.dimension}·{status}]{claim.conclusion.rstrip('。')}"
    return f"{head}（{' '.join(claim.fact_ids) or NO_SOURCE}）{expected}" + (f"｜核对：{failed}" if failed else "")


def drained(claim: Claim, expected: str = "", failed: str = "") -> str:
    """A claim on one line with its evidence and logic, cut to need: for what is answered now."""
    body = f"｜据：{clip(claim.basis, BASIS_LIMIT)}｜推：{clip(claim.reasoning, REASONING_LIMIT)}"
    return headline(claim, body + expected, failed)
