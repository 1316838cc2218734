"""Who is said to have said what (PRODUCT T4): an attribution holds only against a recorded claim of that role.

Also what models leave behind instead of an argument: placeholders, loops, copies, ids that do not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flows.contracts.transcripts import Check, CheckVerdict, Claim, ClaimStatus, Side
from flows.truth.directions import directions_in
from flows.truth.numbers import Kind, find_quantities, normalise

#: Written role → role codes it may mean and the side it speaks for.
_ROLES: dict[str, tuple[tuple[str, ...], Side | None]] = {
    "多方": (("bull", "pro"), Side.FOR), "看多方": (("bull", "pro"), Side.FOR), "正方": (("bull", "pro"), Side.FOR),
    "支持方": (("bull", "pro"), Side.FOR), "多头": (("bull", "pro"), Side.FOR), "空方": (("bear", "con"), Side.AGAINST), "空头": (("bear", "con"), Side.AGAINST),
    "看空方": (("bear", "con"), Side.AGAINST), "反方": (("bear", "con"), Side.AGAINST), "反对方": (("bear", "con"), Side.AGAINST),
    "价值方": (("value",), None), "风险方": (("risk",), None), "数据方": (("data",), None), "筹码方": (("chips",), None), "裁判": (("judge",), None),
    "主持人": (("moderator",), None), "审计员": (("auditor",), None),
}  # fmt: skip
_VERB = r"承认|认可|同意|默认|让步|接受|认为|指出|提出|主张|坚持|强调|表示|声称|宣称|断言|称|说|质疑|反驳|回应|回避|未能回应|没有回应|辩称|相信|预期|判断|所称|所说|提到|援引|引用|给出|押注|担心|担忧|看好|看空|写道|写下|讲|断定|点出|抛出|提醒|列出|论证|论述|澄清|补充|重申"
_CONCEDING = frozenset({"承认", "认可", "同意", "默认", "让步", "接受"})
_SILENT = frozenset({"回避", "未能回应", "没有回应"})
_WHO = r"看多方|看空方|支持方|反对方|价值方|风险方|数据方|筹码方|多方|空方|正方|反方|对方|对手|裁判|主持人|审计员"
_WHEN = r"(?:在|于)?(?:首轮|第[一二三1-3]轮|上一轮|本轮|前一轮|此前|之前|刚才|已经|已|曾|曾经|早就|早已|一开始就|也|自己|仍|一再|反复|多次|，|都|并|的|明确|公开|直接|主动|当场|发言中|发言里|陈述中|中|里)*"
_PATTERN = re.compile(
    rf"(?P<role>{_WHO}|多头(?=(?:自己|也|已|曾|仍)*(?:{_VERB}))|空头(?=(?:自己|也|已|曾|仍)*(?:{_VERB})))"
    rf"{_WHEN}(?P<verb>{_VERB})(?:了|道|过|到|是)?[，,:：“\"「]*(?P<what>[^。；！？\n”\"」]*)"
)
#: 多方的论点是…, 按空方的说法，…, 用空方的话说，…
_NOUN_PATTERN = re.compile(
    rf"(?:(?P<lead>按|按照|据|依|照|用|以)(?:着)?)?(?P<role>{_WHO})(?:在|于)?(?:首轮|第[一二三1-3]轮|上一轮|本轮|前一轮|此前)?的?(?:核心|主要|最强|第一条|原|一贯|基本)?(?P<verb>说法|论点|观点|看法|主张|判断|结论|立场|论据|理由|意见|话|表述|逻辑)"
    rf"(?:来说|来讲|说|讲)?(?:是|为|即|就是|在于|[，,:：])[，,:：“\"「]*(?P<what>[^。；！？\n”\"」]*)"
)
#: …——这是空方自己承认的
_POST_PATTERN = re.compile(
    rf"(?P<what>[^。；！？\n“”\"]{{6,80}}?)[”\"」]?(?:——|—|，|,)(?:这|此)(?:一点|话|正|也|恰恰)?(?:是|正是|由)?(?P<role>{_WHO})(?:自己|也|曾|已|亲口|首轮|此前)*(?P<verb>{_VERB})(?:过|了)?的"
)
_CUE = r"[说称讲言写谈指认论点提示调张持述答辩诉证断识罗]|观点|看来|看法|立场|理由|依据|论据|判断|结论|原话|原文|表态|回应|退让|让步|意见|逻辑|主线|承认|认账"
_NO_SPEECH = r"(?!力量|占优|占据|排列|市场|趋势|氛围|情绪|阵营|预期|期望|目标|得分|证伪|信心|(?:与|和|、)(?:空方|多方|反方|正方))"
#: 在多方看来，…; 连空方都不得不承认…; 多方给出的理由：…; 多方：“…”
_CUE_PATTERN = re.compile(
    rf"(?!对方|对手)(?P<role>{_WHO}){_NO_SPEECH}(?P<verb>(?:[^。；！？\n，,:：“\"「]{{0,14}}?(?:{_CUE})[^。；！？\n，,:：“\"「]{{0,6}})?)(?:——|—|[，,:：“\"「])+(?P<what>[^。；！？\n”\"」]{{4,}})"
)
#: “…”，多方如是说; …（多方首轮）
_TAIL_PATTERN = re.compile(
    rf"[“\"「]?(?P<what>[^。；！？\n“”\"「」]{{6,80}}?)[”\"」]?(?:——|—|，|,|\(|（)(?:引自|出自|来自|语出|见)?(?P<role>{_WHO})(?P<verb>[^。；！？\n，,]{{0,8}}?(?:{_CUE}|首轮|发言)[^。；！？\n，,]{{0,4}})(?=[。；！？\n)）]|$)"
)
_FRAGMENTS = re.compile(r"[^。！？!?；;\n]+")
_ROLE = re.compile(rf"(?!对方|对手)(?:{_WHO}){_NO_SPEECH}")
_OUTSIDER = re.compile(
    r"(?P<who>管理层|公司管理层|董事长|总经理|券商|机构普遍|机构|分析师|业内人士|业内|市场普遍|多家机构|研究机构|专家|知情人士|投资者普遍|监管层)(?:普遍|一致|均|也|曾|已|公开)*(?P<verb>认为|指出|表示|预计|预期|预测|强调|透露|称|判断|看好|承认)(?P<what>[^。；！？\n]*)"
)


@dataclass(frozen=True, slots=True)
class Attribution:
    """One 某方认为… of a text."""

    start: int
    end: int
    text: str
    role: str
    verb: str
    what: str


def find_attributions(text: str) -> list[Attribution]:
    """Every attribution to a role of the debate in *text*."""
    plain = normalise(text)
    found: list[Attribution] = []
    for pattern in (_POST_PATTERN, _NOUN_PATTERN, _PATTERN, _TAIL_PATTERN, _CUE_PATTERN):
        for m in pattern.finditer(plain):
            if not any(a.start < m.end() and m.start() < a.end for a in found):
                found.append(
                    Attribution(
                        m.start(), m.end(), text[m.start() : m.end()], m["role"], m["verb"], m["what"].strip('，,: “”"')
                    )
                )
    for sentence in _FRAGMENTS.finditer(plain):
        roles = list(_ROLE.finditer(sentence[0]))
        if len(roles) == 1 and not any(a.start < sentence.end() and sentence.start() < a.end for a in found):
            what = sentence[0].replace(roles[0][0], "").strip('，,: “”"')
            found.append(
                Attribution(
                    sentence.start(), sentence.end(), text[sentence.start() : sentence.end()], roles[0][0], "", what
                )
            )
    return sorted(found, key=lambda a: a.start)


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
    return tuple(_checked(found, claims, speaker, claim_id) for found in find_attributions(text))


def _checked(found: Attribution, claims: Sequence[Claim], speaker: Side | None, claim_id: str) -> Check:
    own = [claim for claim in claims if _is_by(claim, found.role, speaker)]
    if not found.verb and not re.search(r"[:：—]", found.text):
        return _loose(found, claims, own, claim_id)
    if found.verb in _SILENT:
        return _verdict(found, claim_id, CheckVerdict.NOT_A_QUANTITY, None, "说的是没有回应")
    if not own:
        return _verdict(found, claim_id, CheckVerdict.UNSUPPORTED, None, f"{found.role}还没有记录在案的论点")
    if not found.what:
        return _verdict(found, claim_id, CheckVerdict.SUPPORTED, own[-1], "只提到发言，没有转述内容")
    best = max(own, key=lambda claim: _overlap(found.what, claim.text))
    reason = _unlike(found, best)
    if reason:
        return _verdict(found, claim_id, CheckVerdict.UNSUPPORTED, None, f"{found.role}没有这样的论点：{reason}")
    return _verdict(found, claim_id, CheckVerdict.SUPPORTED, best, "与记录的论点一致")


def _loose(found: Attribution, claims: Sequence[Claim], own: Sequence[Claim], claim_id: str) -> Check:
    """A role merely named in a sentence: wrong only if the sentence repeats another role's claim, or an own one altered."""
    others = [claim for claim in claims if claim not in own]
    mine = max((_overlap(claim.conclusion, found.what) for claim in own), default=0.0)
    theirs = max((_overlap(claim.conclusion, found.what) for claim in others), default=0.0)
    if theirs >= 0.8 and theirs > mine:
        return _verdict(found, claim_id, CheckVerdict.UNSUPPORTED, None, f"这是对方的论点，不是{found.role}的")
    twin = max(own, key=lambda claim: _overlap(claim.conclusion, found.what), default=None)
    if twin is not None and mine >= 0.6 and not _numbers(twin.conclusion) <= _numbers(found.what):
        return _verdict(found, claim_id, CheckVerdict.UNSUPPORTED, None, f"{found.role}没有这样的论点：数字与记录不同")
    if mine < 0.6 and _LOOSE_CUE.search(found.what) and len(found.what) >= 10:
        return _verdict(found, claim_id, CheckVerdict.UNSUPPORTED, None, f"{found.role}没有这样的论点")
    return _verdict(found, claim_id, CheckVerdict.NOT_A_QUANTITY, None, "没有转述内容")


_LOOSE_CUE = re.compile(
    r"回应|支撑|异议|论据|主线|发言|论证|立论|押注|强调|坚持|主张|否认|辩护|自圆|依仗|寄望|寄托|搬出|拿出|抛出|提法|措辞|口径|讲法|说过|说到|表过态"
)


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
    if _overlap(found.what, claim.text) < 0.5:
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
    return _overlap(what, claim.text) >= 0.6


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
    twin = max(recorded, key=lambda r: _overlap(part, r))
    if _overlap(part, twin) < 0.5:
        return False
    first, second = {d for *_, d in directions_in(part)}, {d for *_, d in directions_in(twin)}
    if len(first) == 1 and len(second) == 1 and first != second:
        return True
    return bool(_NOT.search(part)) != bool(_NOT.search(twin))


_NOT = re.compile(r"不(?!但|仅|断|过|同|确定)|没有|并非|未(?!来)|无(?!论)")


def _overlap(what: str, text: str) -> float:
    """Share of the attributed words' pairs that occur in *text*."""
    clean = [re.sub(r"[\s，。；、：:,.()（）“”\"]", "", normalise(t)) for t in (what, text)]
    pairs = [clean[0][i : i + 2] for i in range(len(clean[0]) - 1)]
    known = {clean[1][i : i + 2] for i in range(len(clean[1]) - 1)}
    return sum(pair in known for pair in pairs) / len(pairs) if pairs else 1.0


def check_sources(text: str, cited_sentences: Iterable[str], *, claim_id: str = "") -> tuple[Check, ...]:
    """机构普遍认为…, 管理层表示… need a cited fact that says so."""
    known = list(cited_sentences)
    found = []
    for match in _OUTSIDER.finditer(normalise(text)):
        what = match["what"].strip("，, ")
        held = any(_overlap(what, sentence) >= 0.5 for sentence in known) if what else False
        found.append(
            Check(
                claim_id=claim_id, text=text[match.start() : match.end()], start=match.start(), end=match.end(),
                verdict=CheckVerdict.SUPPORTED if held else CheckVerdict.UNSUPPORTED,
                reason="与引用的材料一致" if held else f"没有引用的材料说明{match['who']}有此看法",
            )
        )  # fmt: skip
    return tuple(found)


_PLACEHOLDERS = frozenset({
    "结论", "依据", "推演", "推理", "论点", "内容", "事实", "理由", "...", "…", "……", "无", "暂无", "略", "todo", "string", "text", "n/a", "none", "null", "xxx",
    "示例", "你的结论", "此处填写", "论据", "结论。", "依据。", "推演。", "待补充", "placeholder", "conclusion", "basis", "reasoning", "观点", "标题",
})  # fmt: skip
_BRACKETED = re.compile(r"^[<【\[{（(]\s*[^<>]{0,20}(?:结论|依据|推演|填写|内容|事实)[^<>]{0,10}\s*[>】\]})）]$")


@dataclass(frozen=True, slots=True)
class FormFault:
    """What an argument's form shows: kind ``placeholder``, ``loop``, ``copy``, ``unknown_id`` or ``empty``, and where."""

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
    repeated = _repeated(text)
    return [FormFault("loop", name, f"{name}反复出现同一句：“{repeated}”")] if repeated else []


def _repeated(text: str) -> str:
    """A sentence that occurs twice, or a run of six characters that occurs four times."""
    seen: set[str] = set()
    for match in _FRAGMENTS.finditer(text):
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
    return a == b or (a in b and len(a) > 0.8 * len(b)) or (_overlap(a, b) >= 0.9 and len(a) <= 1.2 * len(b))
