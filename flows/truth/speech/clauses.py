"""Which clauses of a text say something of the company, and which only say who speaks, listens or writes down."""

from __future__ import annotations

import re

from flows.truth.grammar.directions import directions_in
from flows.truth.grammar.lexicon import mentions
from flows.truth.grammar.numbers import find_quantities
from flows.truth.speech.roles import ROLE

#: Shorter than this a clause says nothing that could be held against a record.
SHORTEST_STATEMENT = 8
_CLAUSE = re.compile(r"(?:(?!——|—|->)[^，,：:。；;！？!?\n“”\"「」『』（）()【】〖〗\[\]〔〕|→⇒>…])+")
#: 这句话，不加评论，未经删改，首轮发言，如果我没记错，是谁说的
_ABOUT_SPEECH = re.compile(
    r"说(?!明|服)|讲(?!究)|[言发评]论|发言|开场|收尾|补充|陈述|陈词|转述|复述|引述|引用|引一|引这|照录|抄|摘|原[话文样]|原封|[这那此该][句条段番]?话"
    r"|的话|句话|传话|[一个半]字|措辞|观点|论[点据断]|看法|意见|主张|立论|立场|判断(?!力)|结论|理由|态度|表述|评价|评判|点评|改动|删改|添|曲解"
    r"|记[录下在错得]|在案|纪要|速记|首轮|本轮|第[一二三]轮|辩|裁判|主持人|审计员|本席|书记员|记者|我|你|您|各位|大家|读者|听众"
    r"|[别旁]人|谁|什么|怎[么样]|如何|[这那]样|[这那]么|如此|如下|以下|以上|[上前]述|上面|下面|下文|上文|在此|不论|不管|无论|对错|真假"
    r"|信不信|同不同意|照单|姑且|暂且|出自|来自|提出|提到|写|表态|回[答应]|答|问|听|来看|看这|一句|[一两三]条|其[一中]|之一|楼[上下]|转发"
    r"|转贴|划重点|归[属在]|署名|主人|凭什么|看好|看空|转达|引号|属实|争议|争论|[双各]方|标的|^关于|^围绕|^针对|^就|^至于|^谈到"
)
_FILLS = re.compile(r"[的了过是就也都不没在从和与其只仅还再又把被为到对着得一先来]")
_LONGEST_FRAME, _LONGEST_REST = 18, 6
#: Words that bind a quantity to its number, and nothing more.
_BINDS = re.compile(
    r"[是为的在于达至了就已仅只有约与和及较比到由从自归属对]|目前|现在|当前|最新|处|录得|合计|确|高于|低于|超过|不及|超出|落后|领先|优于|逊于|等于"
    r"|相差|之差|差距|差额|差|属实|数值|水平|公司|该股|期末|全年|同期|可以采用|可采用|事实包|一致|相符|正确|无误|按|取|报|记|写|看|一项|方面|而言|来说"
)
_RELATES = re.compile(r"高于|低于|超过|不及|连续|处于|接近|扭亏|转亏|转盈")


def clauses(text: str) -> list[re.Match[str]]:
    """Clauses of *text*, cut at every mark, quotation marks and brackets included."""
    return [m for m in _CLAUSE.finditer(text) if han(m[0])]


def is_frame(clause: str) -> bool:
    """Whether a clause only speaks of the speaking (不加评论, 这是原话), or is too short to say anything."""
    if len(clause) > _LONGEST_FRAME or mentions(clause) or is_numbered(clause):
        return False
    return len(han(clause)) < SHORTEST_STATEMENT - 3 or is_of_speech(clause)


def is_of_speech(clause: str) -> bool:
    """Whether the words of a clause are words of speaking and little else: 我不同意, 未经删改."""
    left = _ABOUT_SPEECH.sub("", ROLE.sub("", clause))
    return left != clause and len(han(_FILLS.sub("", left))) <= _LONGEST_REST


def statement_in(text: str) -> str:
    """What *text* says of the company, its frame (不加评论：) left out; empty if it is all frame."""
    said = [m for m in clauses(text) if not is_frame(m[0])]
    whole = text[said[0].start() : said[-1].end()] if said else ""
    return whole.strip() if len(han(whole)) >= SHORTEST_STATEMENT - 1 else ""


def is_plain_fact(text: str) -> bool:
    """Whether *text* only gives quantities their numbers (净利润为12.3亿元) and argues nothing from them."""
    return _only(text, relates=False)


def is_finding(text: str) -> bool:
    """Whether *text* only gives numbers or holds quantities against each other: 毛利率高于行业平均."""
    return _only(text, relates=True)


def _only(text: str, *, relates: bool) -> bool:
    told = [m[0] for m in clauses(text) if is_numbered(m[0]) or (relates and _relates(m[0]))]
    return bool(told) and all(len(_residue(clause)) < SHORTEST_STATEMENT - 2 for clause in told)


def is_numbered(text: str) -> bool:
    """Whether a number stands in *text*; 一字, 一半 are words."""
    return any(q.is_quantity and (len(q.text) > len("一字") or q.text[0].isdigit()) for q in find_quantities(text))


def _relates(clause: str) -> bool:
    return _RELATES.search(clause) is not None and bool(mentions(clause))


def _residue(clause: str) -> str:
    """The words of a clause behind its first quantity that neither name nor measure anything."""
    spans = [(m.start, m.end) for m in mentions(clause)]
    spans += [(q.start, q.end) for q in find_quantities(clause)] + [(a, b) for a, b, _ in directions_in(clause)]
    left = "".join(c for i, c in enumerate(clause) if not any(a <= i < b for a, b in spans) and i >= min(spans)[0])
    return han(_BINDS.sub("", left))


def han(text: str) -> str:
    """The Chinese characters of *text*."""
    return "".join(re.findall(r"[一-鿿]", text))
