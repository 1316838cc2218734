"""Puts the adjudicator's result into words: title, warning, core, exactly five points (PRODUCT R1).

Every number in these texts comes out of a claim that passed its check; expectations and scores stay in
their tables, where they cannot be mistaken for facts.
"""

from __future__ import annotations

from flows.contracts.metrics import METRICS
from flows.contracts.transcripts import Claim, Conclusion, Disagreement, Side
from flows.debate.draining import clip
from flows.debate.judge import short
from flows.debate.prompting import without_source
from flows.debate.severity import gravest
from flows.debate.state import Record
from flows.evidence.missing import KIND_ZH

_SIDE_ZH = {"for": "倾向命题成立", "against": "倾向命题不成立", "未决": "未决"}
_UNDECIDED = {
    0.0: "裁判换序后结论不一致",
    1.0: "裁判两次都认为证据不足以分出胜负",
    None: "没有取得两次有效裁决",
}
#: Longest piece of evidence in the warning, in characters.
WARNING_BASIS = 150
_UNDECIDED_ALONE = "单次研判认为证据不足以分出胜负，没有裁判复核"
_UNOPPOSED = {True: "各方立场一致，没有经过对立质询，结论应从严看待：", False: "单次研判，没有裁判复核："}


def conclude(
    record: Record,
    standing: list[Claim],
    disagreements: tuple[Disagreement, ...],
    ruling: tuple[str, float, float | None],
) -> Conclusion:
    """The conclusion from standing claims (strongest first) and (verdict, confidence, agreement)."""
    verdict, confidence, agreed = ruling
    pro = [claim for claim in standing if claim.side is Side.FOR]
    con = [claim for claim in standing if claim.side is Side.AGAINST]
    rests_on = _rests_on(verdict, pro, con)
    return Conclusion(
        title=record.title or _title(record, disagreements),
        warning=_warning(record, con),
        core=_core(record, ruling, pro, con),
        points=_points(record, (pro, con), disagreements, ruling),
        verdict=verdict,
        confidence=confidence,
        swap_agreement=agreed,
        rests_on=tuple(claim.claim_id for claim in rests_on),
    )


def _rests_on(verdict: str, pro: list[Claim], con: list[Claim]) -> list[Claim]:
    leading = {"for": pro, "against": con}.get(verdict)
    return leading[:3] if leading is not None else [*pro[:1], *con[:1]]


def _cited(claim: Claim) -> str:
    return f"{short(claim)}（{claim.claim_id}）"


def _title(record: Record, disagreements: tuple[Disagreement, ...]) -> str:
    topics = "、".join(METRICS[d.metric].zh for d in disagreements[:2])
    if topics:
        return f"争点：{topics}"
    sides = {claim.side for claim in record.claims.values()}
    if len(sides) == 1:
        return f"各方一致{'支持' if Side.FOR in sides else '反对'}命题，没有形成交锋"
    return "双方没有在同一指标上交锋"


def _warning(record: Record, con: list[Claim]) -> str:
    """One sentence: the gravest adverse fact of the pack, and the standing claim that cites it."""
    fact = gravest(record.pack)
    if fact is None:
        return "资料里没有方向为负的本公司事实，这不等于没有风险。"
    citing = next((claim for claim in con if fact.id in claim.fact_ids), None)
    whose = citing.claim_id if citing else "双方都没有在站住的论点里引用"
    said = without_source(fact, record.pack.trade_date).removesuffix("。")
    return f"最需留意：{clip(said.replace('。', '；'), WARNING_BASIS)}（{fact.id}，{whose}）。"


def _core(record: Record, ruling: tuple[str, float, float | None], pro: list[Claim], con: list[Claim]) -> str:
    verdict, confidence, agreed = ruling
    if verdict == "未决":
        why = _UNDECIDED[agreed] if record.protocol.is_judged else _UNDECIDED_ALONE
        head = f"未决：{why}"
    elif agreed is None:
        head = f"{_UNOPPOSED[record.protocol.has_stances]}{_SIDE_ZH[verdict]}"
    else:
        head = f"裁判两次读卷（正反两种次序）一致{_SIDE_ZH[verdict]}"
    leans = "for" if confidence > 52 else "against" if confidence < 48 else "未决"
    if verdict != "未决" and leans not in {verdict, "未决"}:
        head += "，但程序按证据计算的置信度偏向另一侧，结论应从严看待"
    sides = [f"正方最强依据：{_cited(pro[0])}" if pro else "正方没有论点通过核对"]
    sides.append(f"反方最强依据：{_cited(con[0])}" if con else "反方没有论点通过核对")
    return f"{head}。{'；'.join(sides)}。"


def _points(
    record: Record,
    sides: tuple[list[Claim], list[Claim]],
    disagreements: tuple[Disagreement, ...],
    ruling: tuple[str, float, float | None],
) -> tuple[str, ...]:
    pro, con = sides
    return (
        f"命题：{record.proposition.text.rstrip('。')}。裁决：{_SIDE_ZH[ruling[0]]}。",
        f"正方：{pro[0].conclusion}{pro[0].basis}" if pro else "正方：没有论点通过数字核对。",
        f"反方：{con[0].conclusion}{con[0].basis}" if con else "反方：没有论点通过数字核对。",
        _dispute(disagreements),
        _gaps(record),
    )


def _dispute(disagreements: tuple[Disagreement, ...]) -> str:
    if not disagreements:
        return "分歧：双方没有在同一指标上给出不同预期，暂无可用数据了结的分歧。"
    first = disagreements[0]
    due = f"，{first.due_date.isoformat()} 前后可用数据了结" if first.due_date else ""
    return f"分歧：主要争在{METRICS[first.metric].zh}{due}，双方预期值见分歧表。"


def _gaps(record: Record) -> str:
    failed = sum(check.verdict.is_failure for check in record.all_checks())
    missing = "、".join(KIND_ZH.get(item.kind, item.kind) for item in record.pack.missing[:4])
    gap = f"缺少{missing}，相关判断留空。" if missing else "所需资料齐备。"
    wrong = (
        f"发言里{failed}处表述未通过核对，其中论点里的已划去不计分。" if failed else "发言里可核对的表述没有发现不符。"
    )
    return f"可信度：{wrong}{gap}"
