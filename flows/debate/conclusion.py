"""Puts the adjudicator's result into words: title, warning, core, exactly five points (PRODUCT R1).

Every number in these texts comes out of a claim that passed its check; expectations and scores stay in
their tables, where they cannot be mistaken for facts.
"""

from __future__ import annotations

from dataclasses import dataclass

from flows.contracts.metrics import METRICS
from flows.contracts.packs import Fact
from flows.contracts.transcripts import UNDECIDED, Claim, Conclusion, Disagreement, Side
from flows.debate.blind import side_names
from flows.debate.confidence import NEUTRAL
from flows.debate.draining import clip
from flows.debate.judge import short
from flows.debate.prompting import without_source
from flows.debate.severity import gravest
from flows.debate.state import Record
from flows.debate.verdicts import verdict_words
from flows.evidence.missing import KIND_ZH

#: Confidence within this distance of the neutral 50 leans nowhere.
BAND = 2.0
_UNDECIDED = {
    0.0: "裁判换序后结论不一致",
    1.0: "裁判两次都认为证据不足以分出胜负",
    None: "没有取得两次有效裁决",
}
#: Longest claim of one side in the title, in characters.
TITLE_SIDE = 24
#: Longest piece of evidence in the warning, in characters.
WARNING_BASIS = 150
_UNDECIDED_ALONE = "单次研判认为证据不足以分出胜负，没有裁判复核"
_UNOPPOSED = {True: "各方立场一致，没有经过对立质询，结论应从严看待：", False: "单次研判，没有裁判复核："}


@dataclass(frozen=True)
class Ruling:
    """What the judge decided and what the program computed.

    Attributes:
        judged: The verdict both readings agree on, else undecided.
        agreed: Agreement of the two readings, None if there were not two.
        confidence: 0–100, neutral 50.
    """

    judged: str
    agreed: float | None
    confidence: float

    @property
    def leans(self) -> str:
        """The side the confidence leans to."""
        off = self.confidence - NEUTRAL
        return UNDECIDED if abs(off) <= BAND else "for" if off > 0 else "against"

    @property
    def is_split(self) -> bool:
        """Whether the judge and the program lean to different sides."""
        return {self.judged, self.leans} == {"for", "against"}

    @property
    def verdict(self) -> str:
        """The judge's verdict, undecided where the program leans to the other side of one.

        A verdict nobody judged stands, with what the program computed said beside it.
        """
        return UNDECIDED if self.is_split and self.agreed is not None else self.judged


def conclude(
    record: Record, standing: list[Claim], disagreements: tuple[Disagreement, ...], ruling: Ruling
) -> Conclusion:
    """The conclusion from standing claims (strongest first) and the ruling."""
    pro = [claim for claim in standing if claim.side is Side.FOR]
    con = [claim for claim in standing if claim.side is Side.AGAINST]
    rests_on = _rests_on(ruling.verdict, pro, con)
    return Conclusion(
        title=_title(record, (pro, con), disagreements),
        warning=_warning(record, standing),
        core=_core(record, ruling, pro, con),
        points=_points(record, (pro, con), disagreements, ruling),
        verdict=ruling.verdict,
        confidence=ruling.confidence,
        swap_agreement=ruling.agreed,
        rests_on=tuple(claim.claim_id for claim in rests_on),
    )


def _rests_on(verdict: str, pro: list[Claim], con: list[Claim]) -> list[Claim]:
    leading = {"for": pro, "against": con}.get(verdict)
    return leading[:3] if leading is not None else [*pro[:1], *con[:1]]


def _cited(claim: Claim) -> str:
    return f"{short(claim)}（{claim.claim_id}）"


def _title(record: Record, sides: tuple[list[Claim], list[Claim]], disagreements: tuple[Disagreement, ...]) -> str:
    """What each side rests on at the end, where a speaker has named the dispute; else what it is about."""
    if record.title and all(sides):
        pro, con = (clip(short(own[0]), TITLE_SIDE) for own in sides)
        return f"一边是{pro}，一边是{con}"
    topics = "、".join(METRICS[d.metric].zh for d in disagreements[:2])
    if topics:
        return f"争点：{topics}"
    spoke = {claim.side for claim in record.claims.values()}
    if len(spoke) == 1:
        return f"各方都{'支持' if Side.FOR in spoke else '反对'}命题，没有形成交锋"
    return "双方没有在同一指标上交锋"


def _warning(record: Record, standing: list[Claim]) -> str:
    """One sentence: the gravest adverse fact of the pack, and who cites it."""
    fact = gravest(record.pack)
    if fact is None:
        return "资料里没有方向为负的本公司事实，这不等于没有风险。"
    said = without_source(fact, record.pack.trade_date).removesuffix("。")
    return (
        f"最需留意：{clip(said.replace('。', '；'), WARNING_BASIS)}（{fact.id}，{_cited_by(record, standing, fact)}）。"
    )


def _cited_by(record: Record, standing: list[Claim], fact: Fact) -> str:
    """The standing claim that cites a fact, else the one that did and does not stand, else that there is none."""
    if claim := next((claim for claim in standing if fact.id in claim.fact_ids), None):
        return claim.claim_id
    fallen = next((claim for claim in record.claims.values() if fact.id in claim.fact_ids), None)
    return f"{fallen.claim_id}引用过，该论点未列入站住的论点" if fallen else "没有论点引用"


def _core(record: Record, ruling: Ruling, pro: list[Claim], con: list[Claim]) -> str:
    names = side_names(record.protocol)
    sides = [
        f"{names[side]}最强依据：{_cited(own[0])}" if own else f"{names[side]}没有论点站住"
        for side, own in ((Side.FOR, pro), (Side.AGAINST, con))
    ]
    return f"{_head(record, ruling)}。{'；'.join(sides)}。"


def _head(record: Record, ruling: Ruling) -> str:
    """The verdict, how it came about, and whether the program's confidence bears it out."""
    said = verdict_words(is_trial=record.protocol.has_target)[ruling.judged]
    if ruling.is_split and ruling.agreed is not None:
        return f"未决：裁判{said}，程序按证据计算的置信度却偏向另一侧，两者不一致时不下结论"
    if ruling.judged == UNDECIDED:
        why = _UNDECIDED[ruling.agreed] if record.protocol.is_judged else _UNDECIDED_ALONE
        return f"未决：{why}"
    if ruling.agreed is None:
        head = f"{_UNOPPOSED[record.protocol.has_stances]}{said}"
    else:
        head = f"裁判两次读卷（正反两种次序）都{said}"
    if ruling.is_split:
        return f"{head}；程序按证据计算的置信度却偏向另一侧，结论应从严看待"
    return head + ("；程序按证据计算的置信度接近中性，差距不大" if ruling.leans == UNDECIDED else "")


def _points(
    record: Record,
    sides: tuple[list[Claim], list[Claim]],
    disagreements: tuple[Disagreement, ...],
    ruling: Ruling,
) -> tuple[str, ...]:
    names = side_names(record.protocol)
    verdict = verdict_words(is_trial=record.protocol.has_target)[ruling.verdict]
    strongest = [
        f"{names[side]}：{own[0].conclusion}{own[0].basis}" if own else f"{names[side]}：没有论点站住。"
        for side, own in zip(Side, sides, strict=True)
    ]
    return (
        f"命题：{record.proposition.text.rstrip('。')}。裁决：{verdict}。",
        *strongest,
        _dispute(disagreements),
        _gaps(record),
    )


def _dispute(disagreements: tuple[Disagreement, ...]) -> str:
    if not disagreements:
        return "分歧：双方没有在同一指标上给出不同预期，暂无可用数据了结的分歧。"
    first = disagreements[0]
    due = f"，最晚 {first.due_date.isoformat()} 可用数据了结" if first.due_date else ""
    return f"分歧：主要争在{METRICS[first.metric].zh}{due}，双方预期值见分歧表。"


def _gaps(record: Record) -> str:
    failed = sum(check.verdict.is_failure for check in record.all_checks())
    missing = "、".join(KIND_ZH.get(item.kind, item.kind) for item in record.pack.missing[:4])
    gap = f"缺少{missing}，相关判断留空。" if missing else "所需资料齐备。"
    wrong = (
        f"发言里{failed}处表述未通过核对，其中论点里的已划去不计分。" if failed else "发言里可核对的表述没有发现不符。"
    )
    return f"可信度：{wrong}{gap}"
