"""What is argued about (PRODUCT D5): a stock, a sector or a rumour becomes a sharp proposition.

A stock needs no model: its standing proposition is the same for every protocol and day but for its
dates, which makes re-debates comparable. A topic is rewritten by the proposer; which companies it
concerns is decided by the program from the names it is given, never by the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from flows.contracts.packs import Pack
from flows.contracts.raw import KIND_RULES
from flows.contracts.transcripts import Claim, LlmCall, Proposition, Side
from flows.debate.answers import SharpProposition
from flows.debate.gateway_types import Abstained, Ask
from flows.debate.metrics import MARKET_HORIZON
from flows.debate.prompting import (
    DISCIPLINE,
    FACTS,
    FENCE_CLOSE,
    FENCE_OPEN,
    OPEN,
    RECORD,
    ROLE,
    TASK,
    due_hint,
    filled,
    prompt_text,
)
from flows.debate.run import Gate, Limits
from flows.errors import ModelAnswerInvalid, UsageError
from flows.evidence.untrusted import clean
from flows.truth.compliance import find_advice

TOPIC_LIMIT = 200

#: Words by which people name a sector → parts of industry names that mean it.
SECTOR_WORDS: dict[str, tuple[str, ...]] = {
    "新能源车": ("汽车", "电池", "锂"),
    "新能源": ("电力设备", "电池", "光伏", "风电"),
    "光伏": ("光伏", "电力设备", "电源"),
    "芯片": ("半导体", "电子"),
    "半导体": ("半导体", "电子"),
    "白酒": ("酒", "饮料"),
    "消费": ("食品", "饮料", "家电", "商业"),
    "医药": ("医药", "生物", "医疗"),
    "创新药": ("医药", "生物"),
    "券商": ("证券", "资本市场"),
    "银行": ("银行", "货币金融"),
    "地产": ("房地产",),
    "军工": ("国防", "航空", "航天", "军工"),
    "人工智能": ("软件", "计算机", "信息"),
    "煤炭": ("煤",),
    "钢铁": ("钢铁", "黑色"),
    "有色": ("有色",),
    "化工": ("化工", "化学"),
    "养殖": ("畜牧", "农"),
}


def stock_proposition(pack: Pack) -> Proposition:
    """The standing proposition of a scheduled review: the published state carries the present price."""
    name = pack.identity.name or pack.symbol
    return Proposition(
        text=f"{name}已公开的业绩、估值与资金状况，足以支撑其当前股价",
        window=_window(pack.trade_date),
        scope=f"{pack.symbol}，只限本资料包内的公开信息",
        assumptions=("窗口内没有未公开的重大事件", "已披露的财务口径不变"),
        pack_version=pack.pack_version,
    )


def target_proposition(pack: Pack, target: Claim, argued: Proposition | None = None) -> Proposition:
    """Whether one claim of an earlier debate does what it was made for to what was argued there (PRODUCT D3).

    *argued* is None for the standing proposition. The claim itself may be a stated fact, about which there
    is nothing to argue.
    """
    does = "支持" if target.side is Side.FOR else "反驳"
    about = argued or stock_proposition(pack)
    return Proposition(
        text=f"论点“{target.conclusion.rstrip('。')}”能否{does}“{about.text}”",
        window=_window(pack.trade_date),
        scope=f"{pack.symbol}，只审 {target.claim_id} 这一条论点",
        assumptions=("沿用原论点所引的事实", "新增资料与原资料同等核对"),
        pack_version=pack.pack_version,
    )


def _window(start: date) -> str:
    return f"{start.isoformat()} 至 {(start + MARKET_HORIZON).isoformat()}"


@dataclass(frozen=True)
class Directory:
    """Who exists: names or codes → symbol, industries → symbols of their companies."""

    names: Mapping[str, str] = field(default_factory=dict)
    industries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Proposed:
    """A topic made sharp.

    Attributes:
        proposition: Without a fact-base version until it is pinned to a pack.
        symbols: Companies it concerns, as far as the directory knows them.
        kinds: Kinds of raw data it needs.
        unresolved: What it names and the directory does not know.
    """

    proposition: Proposition
    symbols: tuple[str, ...]
    kinds: tuple[str, ...]
    unresolved: tuple[str, ...]
    call: LlmCall | None

    def pinned_to(self, pack: Pack) -> Proposition:
        """The proposition on one pack: its fact-base version, its company."""
        scope = f"{pack.symbol}：{self.proposition.scope}"
        return self.proposition.model_copy(update={"pack_version": pack.pack_version, "scope": scope})


async def propose(
    topic: str, gateway: Gate, directory: Directory, *, trade_date: date, limits: Limits | None = None
) -> Proposed:  # fmt: skip
    """Make a topic sharp and find the companies it concerns.

    Raises UsageError if the topic is empty, ModelAnswerInvalid if the proposer gave no usable answer.
    """
    said = clean(topic, TOPIC_LIMIT).text.strip()
    if not said:
        raise UsageError("话题是空的：请写一只股票、一个板块或一条传闻")
    bounds = limits or Limits()
    messages = _messages(said, trade_date)
    outcome = await gateway.ask(
        Ask(
            role="proposer",
            messages=messages,
            answer=SharpProposition,
            max_tokens=bounds.question_tokens,
            temperature=bounds.temperature,
            stable_prefix_chars=len(messages[0]["content"]),
            validate=lambda answer: list(_faults(answer)),
            is_shape_told=True,
        )
    )
    if isinstance(outcome, Abstained) or not isinstance(outcome.value, SharpProposition):
        reason = outcome.reason if isinstance(outcome, Abstained) else "回答不是命题"
        raise ModelAnswerInvalid(f"没有得到可用的命题：{reason}")
    return _proposed(said, outcome.value, directory, outcome.call)


def _messages(topic: str, trade_date: date) -> list[dict[str, str]]:
    discipline = filled("discipline", due_hint=due_hint(trade_date))
    day = f"交易日：{trade_date.isoformat()}"
    system = "\n".join((ROLE, prompt_text("role_proposer"), DISCIPLINE, discipline, day, FACTS, "（命题不用事实）"))
    task = filled("task_propose", kinds="、".join(sorted(KIND_RULES)))
    fenced = (FENCE_OPEN, topic.replace("<", "＜").replace(">", "＞"), FENCE_CLOSE)
    lines = (RECORD, *fenced, OPEN, "（无）", TASK, "命题员（proposer/propose）", task)
    return [{"role": "system", "content": system}, {"role": "user", "content": "\n".join(lines)}]


def _faults(answer: SharpProposition) -> Iterator[str]:
    whole = "。".join((answer.text, answer.scope, *answer.assumptions))
    if advice := find_advice(whole):
        yield f"“{advice[0].word}”是操作建议，改写为对现价支撑的判断"
    if strange := [kind for kind in answer.kinds if kind not in KIND_RULES]:
        yield f"没有这些资料种类：{'、'.join(strange)}"


def _proposed(topic: str, answer: SharpProposition, directory: Directory, call: LlmCall) -> Proposed:
    symbols: dict[str, None] = {}
    unresolved = []
    for subject in dict.fromkeys((topic, *answer.subjects)):
        found = resolve(subject, directory)
        symbols |= dict.fromkeys(found)
        if not found and subject in answer.subjects:
            unresolved.append(subject)
    proposition = Proposition(
        text=answer.text,
        window=answer.window,
        scope=answer.scope,
        assumptions=answer.assumptions,
        pack_version="",
    )
    return Proposed(proposition, tuple(symbols), tuple(answer.kinds), tuple(unresolved), call)


def resolve(text: str, directory: Directory) -> tuple[str, ...]:
    """Symbols a text concerns: companies it names, else those of the sector it names."""
    named = [name for name in sorted(directory.names, key=len, reverse=True) if len(name) >= 2 and name in text]
    if named:
        return tuple(dict.fromkeys(directory.names[name] for name in named))
    meant = [part for word, parts in SECTOR_WORDS.items() if word in text for part in parts]
    return tuple(
        dict.fromkeys(
            symbol
            for industry, symbols in directory.industries.items()
            if industry in text or any(part in industry for part in meant)
            for symbol in symbols
        )
    )
