"""Text written by strangers: filings, news, abstracts, user notes are data, never instructions.

What leaves :func:`clean` is plain text of bounded length without control, invisible or bidirectional
characters. A suspected instruction is kept, because a headline stays quotable, and flagged. Detection
runs on a folded copy (NFKC, no spacing), so that spaced-out or full-width attempts are seen as well.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass

TITLE_LIMIT = 120
SENTENCE_LIMIT = 240
NOTE_LIMIT = 2_000

_TAGS = (
    "a|abbr|article|audio|b|base|body|br|button|center|div|em|embed|font|form|h[1-6]|head|html|hr|i|iframe|img|input|"
    "li|link|main|marquee|math|meta|noscript|object|ol|p|pre|script|section|select|source|span|strong|style|sub|sup|"
    "svg|table|tbody|td|template|textarea|tfoot|th|thead|title|tr|u|ul|video"
)
_TAG = re.compile(rf"</?(?:{_TAGS})(?=[\s/>])[^>]*>?", re.IGNORECASE)
_HIDDEN_BLOCK = re.compile(r"<(script|style|template|noscript)\b.*?(?:</\1\s*>|$)", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|$)", re.DOTALL)
_INVISIBLE = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5") | frozenset(
    chr(code) for block in (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0)) for code in block
)
_HIDDEN_CATEGORIES = frozenset({"Cf", "Cs", "Co", "Cn"})

_TARGET = (
    r"(?:以上|上述|上面|前述|之前|此前|前面|先前|前文|所有|一切|任何|全部|你的|您的|系统|原有|既有|已有|既定|当前)"
)
_CHINESE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:忽略|无视|忽视|忘记|忘掉|抛开|抛弃|跳过|覆盖|推翻|不要理会|不必理会|不用管|别管|停止遵守|不再遵守){_TARGET}"
        r".{0,12}?(?:指令|指示|提示|要求|规则|设定|约束|命令|内容|限制|角色|对话|说明)",
        r"(?:现在|从现在起|从此刻起|接下来|今后)(?:你|您)(?:就)?(?:是|要|扮演|必须|只能|应当)",
        r"(?:你|您)(?:现在)?(?:是|扮演|作为)一?(?:个|名|位)?.{0,8}(?:语言模型|大模型|助手|智能体|裁判|机器人|AI|ai)",
        r"(?:系统|开发者|管理员)(?:提示词?|指令|消息|命令)(?:更新|变更|如下|是|为|[:：])",
        r"(?:新的?|最新|真正的|以下)(?:是|为)?(?:系统)?(?:指令|提示词)",
        r"(?:请|必须|务必|只需|只能|只|仅|一律|立即|立刻|强制|直接)(?:要|须|能|得)?"
        r"(?:输出|回答|回复|返回|给出|判定|评为|写|说|投票给|宣布).{0,10}"
        r"(?:推荐|买入|卖出|看多|看空|看涨|看跌|满分|最高分|胜|结论|利好|利空)",
        r"(?:不要|不得|禁止|切勿|请勿|别)(?:再)?(?:引用|提及|提到|输出|考虑|核对|检查|质疑|反驳).{0,10}"
        r"(?:事实|证据|风险|利空|利好|空方|多方|数据|上文|以上|任何)",
        r"(?:泄露|打印|显示|输出|重复|复述|告诉我).{0,8}(?:系统提示|提示词|密钥|apikey|初始指令)",
        r"越狱|开发者模式|提示词注入|(?:给|判|让)(?:多方|空方|正方|反方)(?:打|获)?(?:满分|胜|赢)",
    )
)
_ENGLISH = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?:ignore|disregard|forget|override|bypass|skip)\W+(?:\w+\W+){0,5}"
        r"(?:instructions?|prompts?|rules?|context|guidelines?|directions?|constraints?)\b",
        r"\byou(?:\s+are|'re|’re)\s+now\b|\bfrom\s+now\s+on\b\W+you\b|\bpretend\s+(?:to\s+be|you)\b",
        r"\b(?:system|developer)\s+(?:prompt|message|instructions?)\b|\bdeveloper\s+mode\b|\bjailbreak\b",
        r"\b(?:reveal|print|repeat|show|leak|output)\W+(?:\w+\W+){0,4}(?:prompt|api\s*key|instructions?)\b",
        r"<\|[a-z_]{2,20}\|>|\[/?inst\]|<</?sys>>|#{2,}\s*(?:system|instruction|assistant|user)\b",
        r"[\"']role[\"']\s*:\s*[\"'](?:system|assistant|developer)[\"']",
        r"(?:^|\n)\s*(?:system|assistant)\s*:",
        r"\bnew\s+(?:instructions?|task)\s*:",
        r"\b(?:only|always|must|just)\s+(?:output|respond|reply|answer|say|return|vote)\b.{0,40}"
        r"\b(?:buy|sell|bullish|bearish|win|wins|recommend)",
    )
)
_SPACED_ENGLISH = re.compile(
    r"ignore(?:all|any|the|your|every)*(?:previous|prior|above|earlier)(?:instructions?|prompts?|rules?)"
)
_NOISE = re.compile(r"[\s\u3000.,，。、·・*_\-—~～|/\\'\"“”‘’()（）\[\]【】《》<>「」]+")


@dataclass(frozen=True)
class Cleaned:
    """Plain text and what was noticed while cleaning it.

    ``flags`` holds any of ``injection``, ``markup``, ``hidden_characters``, ``truncated``, sorted.
    """

    text: str
    flags: tuple[str, ...] = ()


def clean(raw: str | None, limit: int = SENTENCE_LIMIT) -> Cleaned:
    """Untrusted *raw* as one line of plain text of at most *limit* characters, with flags."""
    visible, had_hidden = _strip_hidden(raw or "")
    text, had_markup = _strip_markup(visible)
    text, hidden_again = _strip_hidden(text)
    text = " ".join(text.split())
    flags = {
        "injection": looks_like_instruction(visible) or looks_like_instruction(text),
        "markup": had_markup,
        "hidden_characters": had_hidden or hidden_again,
        "truncated": len(text) > limit,
    }
    if len(text) > limit:
        text = text[: limit - 1].rstrip() + "…"
    return Cleaned(text, tuple(sorted(name for name, is_set in flags.items() if is_set)))


def looks_like_instruction(text: str) -> bool:
    """Whether *text* reads like an instruction to a language model (Chinese or English)."""
    folded = unicodedata.normalize("NFKC", html.unescape(text)).lower()
    compact = _NOISE.sub("", folded)
    return (
        any(pattern.search(compact) for pattern in _CHINESE)
        or any(pattern.search(folded) for pattern in _ENGLISH)
        or _SPACED_ENGLISH.search(compact) is not None
    )


def fence(text: str, label: str = "资料") -> str:
    """*text* between markers that it cannot close, for use inside a prompt."""
    inner = text.replace("⟦", "[").replace("⟧", "]")
    return f"⟦{label}⟧{inner}⟦/{label}⟧"


def safe_url(url: str | None) -> str | None:
    """*url* if it is a plain web address, else None: scripts and local paths are never linked."""
    if url is None:
        return None
    stripped, had_hidden = _strip_hidden(url.strip())
    if had_hidden or not re.fullmatch(r"https?://[^\s<>\"'`\\]{1,500}", stripped, re.IGNORECASE):
        return None
    return stripped


def _strip_hidden(text: str) -> tuple[str, bool]:
    kept = "".join(_visible(character) for character in text)
    return kept, len(kept) != len(text)


def _visible(character: str) -> str:
    if character in _INVISIBLE or unicodedata.category(character) in _HIDDEN_CATEGORIES:
        return ""
    if unicodedata.category(character) == "Cc":
        return " " if character in "\t\n\r\x0b\x0c\x85" else ""
    return character


def _strip_markup(text: str) -> tuple[str, bool]:
    """Text without comments, scripts and tags; entities are decoded, at most three layers deep."""
    original = text
    for _ in range(3):
        stripped = _TAG.sub(" ", _HIDDEN_BLOCK.sub(" ", _COMMENT.sub(" ", text)))
        decoded = html.unescape(stripped)
        if decoded == text:
            break
        text = decoded
    return text, text != original
