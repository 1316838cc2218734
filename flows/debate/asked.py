"""What a person asks, worded as something that can be debated, before a token is spent.

The desk gives no advice, so neither an order to act nor the question whether to act can be argued. An order is
refused; a question about acting is really one about what the price rests on, and is asked so; what else stands
in the topic is kept word for word. Every change is said: a topic is never quietly made another.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from flows.debate.proposition import SECTOR_WORDS, TOPIC_LIMIT, Directory, resolve
from flows.errors import UsageError
from flows.evidence.untrusted import clean
from flows.truth.compliance import find_advice


@dataclass(frozen=True)
class Asked:
    """A topic that can be debated, and what was changed to make it one, in Chinese."""

    text: str
    notices: tuple[str, ...] = ()


#: A label before the topic that says no more than that it is one.
_LABEL = re.compile(
    r"^\s*[\[【「『(（<《](?:命题|话题|议题|问题|辩题|topic)[\]】」』)）>》]\s*[:：]?\s*", re.IGNORECASE
)
_CLAUSE = re.compile(r"[^，。；！？!?;,\n]+[？?]?")
#: What a person does with a share; not what a company buys, sells or wins.
_ACT = (
    r"(?:买(?![到得方家断下单]|多少)入?|卖(?![到得给座点方家]|多少)[出掉]?|拿(?![到下出回])[着住]?|追(?![责溯偿究])[高涨]?"
    r"|抛[售掉]?|抄底|上车|入手|进场|入场|加仓|减仓|建仓|补仓|清仓|满仓|持有|割肉|止损|止盈|观望|梭哈|跑(?![赢道])路?|低吸)"
)
#: Somebody else who acts: what holders and institutions do is a fact about the stock.
_HOLDER = re.compile(
    r"股东|高管|董事|监事|实控人|控制人|机构|基金|外资|北向|主力|游资|险资|社保|国家队|汇金|公司|管理层|资金|员工|评级"
    r"|研报|券商"
)
_WHETHER = (
    r"还?能不能|能否|还能|该不该|要不要|可不可以|值不值得|应不应该|是不是该|是否(?:应该?|可以|值得|适合)?|可以|应该|适合"
    r"|值得"
)
_QUESTION = re.compile(
    rf"(?:{_WHETHER})(?:继续|马上|立即|再|去|现在|长期)*{_ACT}"
    r"|(买|卖|拿|抛|追|跑|走|割)[入出]?不\1"
    rf"|{_ACT}[了的好]?(?:吗|么|呢|[？?])"
    rf"|{_ACT}好?还是(?:继续)?{_ACT}"
    r"|(?:被套|套牢|解套)了?(?:怎么办|该?怎么|吗|[？?])|(?:怎么|如何)操作"
    r"|(?:止损|止盈|(?:目标|买|卖)[价位点])[价位点]?(?:在哪|是?多少|怎么定)"
)
#: An order in plain words, the company's name taken out: urged, or nothing but the act.
_ORDER = re.compile(
    rf"^(?:(?:建议|推荐|赶紧|赶快|快|马上|立即|立刻|必须|务必|一定要|全仓|都去|大家|千万别|不要|别)+{_ACT}|{_ACT}$)"
)
_ASKS = re.compile(r"吗|呢|[？?]|是不是|是否|怎么|如何|多少|哪| or ")
#: Words round a question about acting that ask nothing themselves.
_FILLER = re.compile(r"(?:现在|目前|今天|明天|请问|大家|我|你|觉得|看|说|的|股票|这只|此时|还|了|吗|呢|吧|么)*")


def debatable(topic: str, directory: Directory) -> Asked:
    """*topic* as it can be debated.

    Raises UsageError, saying what to ask instead, if it is empty, too long, written to a model, or an order to act.
    """
    cleaned = clean(topic, TOPIC_LIMIT)
    text = _LABEL.sub("", cleaned.text).strip()
    if not text:
        raise UsageError("话题是空的：请写一只股票、一个板块或一条传闻。")
    if "truncated" in cleaned.flags:
        raise UsageError(f"话题超过 {TOPIC_LIMIT} 字：请写成一句话，如“光伏的需求在回升吗”。没有花费任何模型调用。")
    if "injection" in cleaned.flags:
        raise UsageError("话题里有写给模型的指令，不能作为辩题：请只写要辩论的事。没有花费任何模型调用。")
    return _worded(text, directory)


def _worded(text: str, directory: Directory) -> Asked:
    clauses = [found[0].strip() for found in _CLAUSE.finditer(text)]
    questions = [clause for clause in clauses if _is_question(clause)]
    orders = [clause for clause in clauses if clause not in questions and _is_order(clause, directory)]
    if not questions and not orders:
        return Asked(text)
    about = subject_of(text, directory)
    rest = [clause for clause in clauses if clause not in questions and clause not in orders]
    if _says_something("".join(rest), about):
        return _without(rest, questions + orders, about, directory)
    if questions:
        return Asked(about, (f"话题问的是操作（“{text}”），本工具不给操作建议；改为辩论：{about}的现价有没有支撑。",))
    raise UsageError(
        f"话题“{text}”是操作建议，不能辩论，也没有花费任何模型调用。"
        f"请写成能用数据了结的问题，如“{about}的业绩撑得住现价吗”，或只写“{about}”。"
    )


def _without(rest: list[str], dropped: list[str], about: str, directory: Directory) -> Asked:
    """What is left of a topic beside the clauses about acting; it still says whom it is about."""
    left = "，".join(rest)
    named = left if resolve(left, directory) else f"{about}：{left}"
    return Asked(named, (f"话题里的操作建议或操作问题不辩论，已略去：{'；'.join(dropped)}。辩论的是：{named}",))


def _is_question(clause: str) -> bool:
    if find_advice(clause) and _ASKS.search(clause):
        return True
    return _QUESTION.search(clause) is not None and _HOLDER.search(clause) is None


def _is_order(clause: str, directory: Directory) -> bool:
    return bool(find_advice(clause)) or (
        _ORDER.search(_without_names(clause, directory)) is not None and _HOLDER.search(clause) is None
    )


def _without_names(clause: str, directory: Directory) -> str:
    for name in sorted(directory.names, key=len, reverse=True):
        clause = clause.replace(name, "")
    return clause.strip(" []【】「」『』()（）")


def _says_something(rest: str, about: str) -> bool:
    for name in about.split("、"):
        rest = rest.replace(name, "")
    return _FILLER.fullmatch(re.sub(r"[\W\d]", "", rest)) is None


def subject_of(text: str, directory: Directory) -> str:
    """Whom a topic is about, in its own words where it can be: names (of a code its name), else the sector."""
    named = [name for name in directory.names if len(name) >= 2 and name in text]
    if not named:
        sectors = [word for word in (*SECTOR_WORDS, *directory.industries) if word in text]
        return max(sectors, key=len, default="") or "该标的"
    longest = [name for name in named if not any(name != other and name in other for other in named)]
    titles = {symbol: name for name, symbol in directory.names.items() if not name[:1].isdigit()}
    called = (titles.get(name, name) for name in sorted(longest, key=text.index))
    return "、".join(dict.fromkeys(called))
