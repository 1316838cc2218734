"""Who is said to have said what (PRODUCT T4): an attribution holds only against a recorded claim of that role."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from flows.contracts.checks import Check, CheckVerdict
from flows.contracts.transcripts import Claim, ClaimStatus, Side
from flows.truth.grammar.directions import directions_in
from flows.truth.grammar.numbers import Kind, find_quantities, normalise
from flows.truth.speech.argument_form import FormFault, form_faults
from flows.truth.speech.clauses import SHORTEST_STATEMENT
from flows.truth.speech.speakers import Attribution, find_attributions, pair_overlap

__all__ = ["Attribution", "FormFault", "check_attribution", "check_sources", "find_attributions", "form_faults"]


#: Written role → role codes it may mean and the side it speaks for.
_ROLES: dict[str, tuple[tuple[str, ...], Side | None]] = {
    "多方": (("bull", "pro"), Side.FOR), "看多方": (("bull", "pro"), Side.FOR), "正方": (("bull", "pro"), Side.FOR),
    "支持方": (("bull", "pro"), Side.FOR), "多头": (("bull", "pro"), Side.FOR), "空方": (("bear", "con"),
    Side.AGAINST), "空头": (("bear", "con"), Side.AGAINST),
    "看空方": (("bear", "con"), Side.AGAINST), "反方": (("bear", "con"), Side.AGAINST), "反对方": (("bear", "con"),
    Side.AGAINST),
    "价值方": (("value",), None), "风险方": (("risk",), None), "数据方": (("data",), None), "筹码方": (("chips",),
    None), "裁判": (("judge",), None),
    "主持人": (("moderator",), None), "审计员": (("auditor",), None),
}  # fmt: skip

_CONCEDING = frozenset({"承认", "认可", "同意", "默认", "让步", "接受"})

_SILENT = frozenset({"回避", "未能回应", "没有回应"})

_OUTSIDER = re.compile(
    r"(?P<who>管理层|公司管理层|董事长|总经理|券商|机构普遍|机构|分析师|业内人士|业内|市场普遍|多家机构|研究机构|专家"
    r"|知情人士|投资者普遍|监管层)(?:普遍|一致|均|也|曾|已|公开)*(?P<verb>认为|指出|表示|预计|预期|预测|强调|透露|称"
    r"|判断|看好|承认)(?P<what>[^。；！？\n]*)"
)


def check_attribution(
    text: str, claims: Sequence[Claim], *, speaker: Side | None = None, claim_id: str = ""
) -> tuple[Check, ...]:
    """Attributions of *text* against the claims recorded so far.

    Args:
        text: A speech, question, judgement or report text.
        claims: Claims recorded before *text* was said.
        speaker: Side of the speaker, so that 对方 can be resolved.
        claim_id: Claim the text belongs to.

    Returns:
        ``supported`` with the claim's id as ``fact_id``, or ``unsupported`` with the reason.
    """
    checks = (_checked(found, claims, speaker, claim_id) for found in find_attributions(text))
    return tuple(check for check in checks if check is not None)


def _checked(found: Attribution, claims: Sequence[Claim], speaker: Side | None, claim_id: str) -> Check | None:
    own = [claim for claim in claims if _is_by(claim, found.role, speaker)]
    if not found.verb and "—" not in found.text and not (found.is_told and re.search(r"[:：]", found.text)):
        return _loose(found, claims, own, claim_id)
    if found.verb in _SILENT:
        return _verdict(found, claim_id, CheckVerdict.NOT_A_QUANTITY, None, "说的是没有回应")
    if not own:
        return _verdict(found, claim_id, CheckVerdict.UNSUPPORTED, None, f"{found.role}还没有记录在案的论点")
    if not found.what:
        return _verdict(found, claim_id, CheckVerdict.SUPPORTED, own[-1], "只提到发言，没有转述内容")
    best = max(own, key=lambda claim: pair_overlap(found.what, claim.text))
    reason = _unlike(found, best)
    if reason:
        return _verdict(found, claim_id, CheckVerdict.UNSUPPORTED, None, f"{found.role}没有这样的论点：{reason}")
    return _verdict(found, claim_id, CheckVerdict.SUPPORTED, best, "与记录的论点一致")


def _loose(found: Attribution, claims: Sequence[Claim], own: Sequence[Claim], claim_id: str) -> Check | None:
    """A role without a word of speaking: the sentence may still repeat a claim, or pass one on by its build."""
    others = [claim for claim in claims if claim not in own]
    mine = max((pair_overlap(claim.conclusion, found.what) for claim in own), default=0.0)
    theirs = max((pair_overlap(claim.conclusion, found.what) for claim in others), default=0.0)
    if theirs >= 0.8 and theirs > mine:
        return _verdict(found, claim_id, CheckVerdict.UNSUPPORTED, None, f"这是对方的论点，不是{found.role}的")
    twin = max(own, key=lambda claim: pair_overlap(claim.conclusion, found.what), default=None)
    if twin is not None and mine >= 0.6:
        if not _numbers(twin.conclusion) <= _numbers(found.what):
            reason = f"{found.role}没有这样的论点：数字与记录不同"
            return _verdict(found, claim_id, CheckVerdict.UNSUPPORTED, None, reason)
        return _verdict(found, claim_id, CheckVerdict.SUPPORTED, twin, "与记录的论点一致")
    if found.is_told and len(found.what) >= SHORTEST_STATEMENT:
        retold = next((claim for claim in own if _retells(found.what, claim)), None)
        if retold is None:
            return _verdict(found, claim_id, CheckVerdict.UNSUPPORTED, None, f"{found.role}没有这样的论点")
        return _verdict(found, claim_id, CheckVerdict.SUPPORTED, retold, "与记录的论点一致")
    return None


def _retells(what: str, claim: Claim) -> bool:
    """Whether a clause says a recorded clause in other words, with its numbers and its direction."""
    near = [part for part in _parts(what) if pair_overlap(part, claim.text) >= 0.5]
    return bool(near) and all(_numbers(p) <= _numbers(claim.text) and not _turned(p, claim) for p in near)


def _verdict(found: Attribution, claim_id: str, verdict: CheckVerdict, claim: Claim | None, reason: str) -> Check:
    return Check(
        claim_id=claim_id, text=found.text, start=found.start, end=found.end, verdict=verdict,
        fact_id=claim.claim_id if claim else None, reason=reason,
    )  # fmt: skip


def _is_by(claim: Claim, role: str, speaker: Side | None) -> bool:
    if role in {"对方", "对手"}:
        return speaker is None or claim.side is not speaker
    codes, side = _ROLES[role]
    return claim.role in codes or (
        side is not None and claim.role not in {"value", "risk", "data", "chips"} and claim.side is side
    )


def _unlike(found: Attribution, claim: Claim) -> str:
    """Why the recorded claim is not what is attributed; empty if it is."""
    if pair_overlap(found.what, claim.text) < 0.5:
        return "内容对不上"
    if not _numbers(found.what) <= _numbers(claim.text):
        return "数字与记录不同"
    if any(_turned(part, claim) for part in _parts(found.what)):
        return "方向与记录相反"
    if found.verb in _CONCEDING and claim.status is not ClaimStatus.CONCEDED and not _was_their_own(found.what, claim):
        return "记录中没有这样的让步"
    return ""


def _was_their_own(what: str, claim: Claim) -> bool:
    """A role may be said to admit what it asserted itself."""
    return pair_overlap(what, claim.text) >= 0.6


def _numbers(text: str) -> set[tuple[str, float, str]]:
    """Numbers of *text*: quantities by value, periods and windows by their wording."""
    return {
        ("", round(abs(q.value), 6), q.unit) if q.is_quantity else (normalise(q.text), 0.0, "")
        for q in find_quantities(text)
        if q.kind in _TELLING
    }


_TELLING = frozenset({Kind.QUANTITY, Kind.PERIOD, Kind.WINDOW})


def _parts(text: str) -> list[str]:
    return [part for part in re.split(r"[，,；;。]|——|—", text) if len(part) >= 4]


def _turned(part: str, claim: Claim) -> bool:
    """Whether a clause says a recorded clause with the direction or the negation turned."""
    recorded = _parts(claim.text)
    if not recorded:
        return False
    twin = max(recorded, key=lambda r: pair_overlap(part, r))
    if pair_overlap(part, twin) < 0.5:
        return False
    first, second = {d for *_, d in directions_in(part)}, {d for *_, d in directions_in(twin)}
    if len(first) == 1 and len(second) == 1 and first != second:
        return True
    return bool(_NOT.search(part)) != bool(_NOT.search(twin))


_NOT = re.compile(r"不(?!但|仅|断|过|同|确定|外乎|止|只|论|管|讳)|没有|并非|未(?!来)|无(?!论|非|疑)")


def check_sources(text: str, cited_sentences: Iterable[str], *, claim_id: str = "") -> tuple[Check, ...]:
    """机构普遍认为…, 管理层表示… need a cited fact that says so."""
    known = list(cited_sentences)
    found = []
    for match in _OUTSIDER.finditer(normalise(text)):
        what = match["what"].strip("，, ")
        held = any(pair_overlap(what, sentence) >= 0.5 for sentence in known) if what else False
        found.append(
            Check(
                claim_id=claim_id, text=text[match.start() : match.end()], start=match.start(), end=match.end(),
                verdict=CheckVerdict.SUPPORTED if held else CheckVerdict.UNSUPPORTED,
                reason="与引用的材料一致" if held else f"没有引用的材料说明{match['who']}有此看法",
            )
        )  # fmt: skip
    return tuple(found)
