"""Facts of filings: titles by class, and the sentences with figures read from their text.

A filing tagged with our code but bearing another company's name is quarantined, not quoted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from flows.contracts.packs import Dimension, Fact, FactKind, Polarity
from flows.evidence.drafts import Origin, Quote, origin_of, quote, quoted
from flows.evidence.filings import classify
from flows.evidence.identity import bare_name
from flows.evidence.reading import Row, Scope
from flows.evidence.sentiment import read_sentiment
from flows.evidence.untrusted import TITLE_LIMIT
from flows.market.sessions import SHANGHAI


@dataclass(frozen=True)
class ClassRule:
    """Dimension and usual side of one filing class; *by_title* lets the headline decide instead."""

    dimension: Dimension
    polarity: Polarity
    by_title: bool = False


#: Flag of the filing a debate was started by, and of the sentences of its document.
FOCUS = "focus"

_POSITIVE, _NEGATIVE, _NEUTRAL = Polarity.POSITIVE, Polarity.NEGATIVE, Polarity.NEUTRAL

#: Usual side of each filing class; a title that ends or undoes the matter turns it (``_UNDONE``).
CLASS_RULES: dict[str, ClassRule] = {
    "业绩预告": ClassRule(Dimension.FUNDAMENTALS, _NEUTRAL, by_title=True),
    "重大合同": ClassRule(Dimension.FUNDAMENTALS, _POSITIVE),
    "增减持": ClassRule(Dimension.CAPITAL, _NEUTRAL, by_title=True),
    "权益分派": ClassRule(Dimension.FUNDAMENTALS, _POSITIVE),
    "风险提示": ClassRule(Dimension.RISK, _NEGATIVE),
    "问询监管": ClassRule(Dimension.RISK, _NEGATIVE),
    "诉讼": ClassRule(Dimension.RISK, _NEGATIVE),
    "重组": ClassRule(Dimension.FUNDAMENTALS, _NEUTRAL),
    "解禁": ClassRule(Dimension.CAPITAL, _NEGATIVE),
    "质押": ClassRule(Dimension.RISK, _NEGATIVE),
    "回购": ClassRule(Dimension.CAPITAL, _POSITIVE),
    "股权激励": ClassRule(Dimension.FUNDAMENTALS, _NEUTRAL),
    "定期报告": ClassRule(Dimension.FUNDAMENTALS, _NEUTRAL),
    "其他": ClassRule(Dimension.FUNDAMENTALS, _NEUTRAL, by_title=True),
}
#: Words by which a filing ends or undoes what its class stands for.
_UNDONE = re.compile(r"终止(?!上市)|取消|撤回|撤销|失败|未通过|不予|解除|解质押|撤诉|驳回|不减持|提前终止")
_TURNED = {_POSITIVE: _NEGATIVE, _NEGATIVE: _POSITIVE, _NEUTRAL: _NEUTRAL}
_STATED_NAME = re.compile(r"^([^：:《》（）()，,。\s]{3,8})[：:]")
_UNREADABLE = {
    "scanned": "为扫描件",
    "broken": "文件损坏",
    "encrypted": "文件加密",
    "too_large": "超过大小或页数上限",
}


@dataclass(frozen=True)
class Disclosures:
    """Facts of filings, newest first, and how many filings were quarantined as another company's."""

    titles: list[Fact]
    sentences: list[Fact]
    unreadable: list[Fact]
    quarantined: int


def disclosure_facts(scope: Scope, days: int) -> Disclosures:
    """Filings of the last *days* days and the sentences of their documents; the filing in focus first."""
    rows = scope.visible("announcements", days=days)
    ours = [row for row in rows if not _is_foreign(row, scope)]
    ours.sort(key=lambda row: row["announcement_id"] == scope.focus)
    by_id = {row["announcement_id"]: row for row in ours}
    texts = [row for row in scope.visible("filing_texts", days=days) if row["announcement_id"] in by_id]
    return Disclosures(
        titles=[_title_fact(row, scope) for row in reversed(ours)],
        sentences=[_sentence_fact(row, by_id[row["announcement_id"]], scope) for row in _by_filing(texts, scope.focus)],
        unreadable=[
            _unreadable_fact(row, by_id[row["announcement_id"]], scope) for row in texts if not row["sentence"]
        ],
        quarantined=len(rows) - len(ours),
    )


def _by_filing(texts: list[Row], focus: str | None) -> list[Row]:
    """Sentences of the filing in focus, then of the newest first; inside a filing in reading order."""
    readable = [row for row in texts if row["sentence"]]
    readable.sort(key=lambda row: row["sentence_no"])
    readable.sort(key=lambda row: (row["published_at"], row["announcement_id"]), reverse=True)
    return sorted(readable, key=lambda row: row["announcement_id"] != focus)


def _is_foreign(row: Row, scope: Scope) -> bool:
    """Code, name and title must agree; an old name of ours is no other company's name."""
    if not scope.names:
        return False
    stated = _STATED_NAME.match(quote(row["title"], TITLE_LIMIT).text)
    named = {bare_name(row["name"])} | ({bare_name(stated.group(1))} if stated else set())
    return bool((named - scope.names) & scope.others)


def _title_fact(row: Row, scope: Scope) -> Fact:
    filing_class = classify(row["title"], row["category"])
    title = quote(row["title"], TITLE_LIMIT)
    day = row["published_at"].astimezone(SHANGHAI).date()
    rule = CLASS_RULES[filing_class]
    return quoted(
        "announcements.title",
        f"公告（{filing_class}）《{title.text}》",
        title,
        origin_of(row, "公告", day),
        polarity=filing_polarity(filing_class, title),
        dimension=rule.dimension,
        kind=FactKind.ANNOUNCEMENT,
        subject=scope.symbol,
        flags=_marks(row, scope),
    )


def _marks(filing: Row, scope: Scope) -> tuple[str, ...]:
    """What a reader must know of a filing: only its date is known; the debate is about it."""
    marks = {"date_only": filing["is_date_only"], FOCUS: filing["announcement_id"] == scope.focus}
    return tuple(name for name, is_set in marks.items() if is_set)


def filing_polarity(filing_class: str, title: Quote) -> Polarity:
    """Side a filing speaks for: usual side of its class, turned by an undoing title."""
    rule = CLASS_RULES[filing_class]
    if title.is_suspect:
        return _NEUTRAL
    if rule.by_title:
        return read_sentiment(title.text).polarity
    return _TURNED[rule.polarity] if _UNDONE.search(title.text) else rule.polarity


def _sentence_fact(row: Row, filing: Row, scope: Scope) -> Fact:
    sentence = quote(row["sentence"])
    title = quote(filing["title"], 40)
    filing_class = classify(filing["title"], filing["category"])
    page = f"第{row['page']}页" if row["page"] is not None else "页码未知"
    return quoted(
        "filing_texts.sentence",
        f"公告《{title.text}》{page}：{sentence.text.rstrip('。；')}",
        sentence,
        _filing_origin(row, filing),
        polarity=_sentence_side(sentence, title, filing_class),
        dimension=CLASS_RULES[filing_class].dimension,
        kind=FactKind.ANNOUNCEMENT,
        subject=scope.symbol,
        flags=(*title.flags, *_marks(filing, scope)),
    )


def _sentence_side(sentence: Quote, title: Quote, filing_class: str) -> Polarity:
    """The sentence's own words decide; where they say nothing, the filing's side does."""
    if sentence.is_suspect or title.is_suspect:
        return _NEUTRAL
    own = read_sentiment(sentence.text).polarity
    return filing_polarity(filing_class, title) if own is _NEUTRAL else own


def _filing_origin(row: Row, filing: Row) -> Origin:
    merged = {**row, "url": filing["url"]}
    return origin_of(merged, "公告正文", row["published_at"].astimezone(SHANGHAI).date())


def _unreadable_fact(row: Row, filing: Row, scope: Scope) -> Fact:
    title = quote(filing["title"], 60)
    why = _UNREADABLE.get(row["readability"], "未读出含数字的句子")
    return quoted(
        "filing_texts.readability",
        f"公告《{title.text}》正文{why}，未读取文字，不据此推断内容",
        title,
        _filing_origin(row, filing),
        polarity=_NEUTRAL,
        dimension=Dimension.RISK,
        kind=FactKind.ANNOUNCEMENT,
        subject=scope.symbol,
        flags=("unreadable",),
    )


def important(facts: list[Fact]) -> list[Fact]:
    """Filing titles, the one in focus first and the plain ones (其他, 定期报告) last, else in the given order."""

    def rank(fact: Fact) -> int:
        is_plain = fact.sentence.startswith(("公告（其他）", "公告（定期报告）")) and fact.polarity is _NEUTRAL
        return 0 if FOCUS in fact.flags else 2 if is_plain else 1

    return sorted(facts, key=rank)
