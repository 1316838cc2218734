"""Facts of filings: titles by class, the sentences with figures read from their text, the size of a contract.

A filing tagged with our code but bearing another company's name is quarantined, not quoted; one whose
text was not read says so in the fact of its title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from flows.contracts.packs import Dimension, Fact, FactKind, Polarity
from flows.contracts.units import Unit
from flows.evidence.drafts import Origin, Quote, measured, origin_of, quote, quoted
from flows.evidence.facts_fundamentals import AnnualRevenue, annual_revenue
from flows.evidence.filings import classify, shown_class
from flows.evidence.identity import bare_name
from flows.evidence.phrasing import say
from flows.evidence.reading import Row, Scope
from flows.evidence.sides import (
    CLASS_RULES,
    CONTRACT,
    FORECAST,
    OTHER,
    contract_share,
    sentence_side,
    stated_share,
    title_side,
)
from flows.evidence.untrusted import TITLE_LIMIT
from flows.market.sessions import SHANGHAI

#: Flag of the filing a debate was started by, and of the sentences of its document.
FOCUS = "focus"

_FORECAST_PERIOD = re.compile(r"(\d{4})年?(一季度|第一季度|半年度|上半年|前三季度|三季度|第三季度|年度)")
_PERIOD_ENDS = {
    "一季度": (3, 31), "第一季度": (3, 31), "半年度": (6, 30), "上半年": (6, 30), "前三季度": (9, 30),
    "三季度": (9, 30), "第三季度": (9, 30), "年度": (12, 31),
}  # fmt: skip
_STATED_NAME = re.compile(r"^([^：:《》（）()，,。\s]{3,8})[：:]")
_UNREADABLE = {
    "scanned": "为扫描件",
    "broken": "文件损坏",
    "encrypted": "文件加密",
    "too_large": "超过大小或页数上限",
}


#: Classes whose documents nobody fetches: that their text was not read says nothing.
_NEVER_READ = frozenset({OTHER, "定期报告"})
#: A sentence that long beyond the title it repeats is more than a heading.
_HEADING_CHARS = 24


@dataclass(frozen=True)
class Filing:
    """One filing of ours and what was read of it.

    Attributes:
        row: Its row of ``staging.announcements``.
        texts: Its rows of ``staging.filing_texts`` in reading order, headings left out.
        revenue: The last full year's, to size a contract by.
        in_focus: Whether the debate is about it.
        reported: End of the newest period a periodic report is out for.
    """

    row: Row
    texts: tuple[Row, ...]
    revenue: AnnualRevenue | None
    in_focus: bool
    reported: date

    @cached_property
    def filing_class(self) -> str:
        """Class by title and category."""
        return classify(self.row["title"], self.row["category"])

    @cached_property
    def title(self) -> Quote:
        """The title, safe and neutral."""
        return quote(self.row["title"], TITLE_LIMIT)

    @cached_property
    def share_pct(self) -> float | None:
        """Size of a contract, percent of the last full year's revenue; None for other classes or if unknown."""
        if self.filing_class != CONTRACT:
            return None
        return contract_share([self.said], self.revenue.value_cny if self.revenue else None)

    @property
    def is_overtaken(self) -> bool:
        """Whether it forecast a period whose report is out by now: the report speaks, the forecast no longer does."""
        forecast = _FORECAST_PERIOD.search(self.row["title"]) if self.filing_class == FORECAST else None
        return forecast is not None and date(int(forecast[1]), *_PERIOD_ENDS[forecast[2]]) <= self.reported

    @property
    def said(self) -> str:
        """Title and sentences as one text."""
        return self.title.text + "".join(row["sentence"] for row in self.texts if row["sentence"])

    @property
    def is_unread(self) -> bool:
        """Whether a document that is worth reading gave no sentence."""
        return self.filing_class not in _NEVER_READ and not any(row["sentence"] for row in self.texts)

    @property
    def marks(self) -> tuple[str, ...]:
        """What a reader must know: only its date is known; the debate is about it."""
        marks = {"date_only": self.row["is_date_only"], FOCUS: self.in_focus}
        return tuple(name for name, is_set in marks.items() if is_set)


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
    texts = scope.visible("filing_texts", days=days)
    revenue = annual_revenue(scope)
    reported = max((row["report_period"] for row in scope.visible("financial_indicators")), default=date.min)
    ours = [row for row in rows if not _is_foreign(row, scope)]
    ours.sort(key=lambda row: (row["announcement_id"] == scope.focus, row["published_at"], row["announcement_id"]))
    filings = [_filing(row, texts, revenue, reported, scope) for row in reversed(ours)]
    return Disclosures(
        titles=[_title_fact(filing, scope) for filing in filings],
        sentences=[fact for filing in filings for fact in _text_facts(filing, scope)],
        unreadable=[
            _unreadable_fact(row, filing, scope) for filing in filings for row in filing.texts if not row["sentence"]
        ],
        quarantined=len(rows) - len(ours),
    )


def _filing(row: Row, texts: Sequence[Row], revenue: AnnualRevenue | None, reported: date, scope: Scope) -> Filing:
    own = [text for text in texts if text["announcement_id"] == row["announcement_id"]]
    own.sort(key=lambda text: text["sentence_no"])
    kept = tuple(text for text in own if not _is_heading(text["sentence"], row["title"]))
    return Filing(row, kept, revenue, row["announcement_id"] == scope.focus, reported)


def _is_heading(sentence: str | None, title: str) -> bool:
    """Whether a sentence only repeats the title of its filing (公司名：标题)."""
    return sentence is not None and title in sentence and len(sentence) <= len(title) + _HEADING_CHARS


def _is_foreign(row: Row, scope: Scope) -> bool:
    """Code, name and title must agree; an old name of ours is no other company's name."""
    if not scope.names:
        return False
    stated = _STATED_NAME.match(quote(row["title"], TITLE_LIMIT).text)
    named = {bare_name(row["name"])} | ({bare_name(stated.group(1))} if stated else set())
    return bool((named - scope.names) & scope.others)


def _title_fact(filing: Filing, scope: Scope) -> Fact:
    unread = "（未读正文）" if filing.is_unread else ""
    return quoted(
        "announcements.title",
        f"公告（{shown_class(filing.filing_class, filing.row['title'])}）《{filing.title.text}》{unread}",
        filing.title,
        origin_of(filing.row, "公告", filing.row["published_at"].astimezone(SHANGHAI).date()),
        polarity=Polarity.NEUTRAL
        if filing.is_overtaken
        else title_side(filing.filing_class, filing.title, filing.share_pct),
        dimension=CLASS_RULES[filing.filing_class].dimension,
        kind=FactKind.ANNOUNCEMENT,
        subject=scope.symbol,
        flags=filing.marks,
    )


def _text_facts(filing: Filing, scope: Scope) -> Iterator[Fact]:
    """The sentences of a filing in reading order, then the size of a contract the filer gave no share for."""
    read = [row for row in filing.texts if row["sentence"]]
    yield from (_sentence_fact(row, filing, scope) for row in read)
    if filing.share_pct is not None and filing.revenue and stated_share(filing.said) is None:
        yield _size_fact(read[0] if read else filing.row, filing, filing.revenue, filing.share_pct, scope)


def _sentence_fact(row: Row, filing: Filing, scope: Scope) -> Fact:
    sentence = quote(row["sentence"])
    title = quote(filing.row["title"], 40)
    page = f"第{row['page']}页" if row["page"] is not None else "页码未知"
    return quoted(
        "filing_texts.sentence",
        f"公告《{title.text}》{page}：{sentence.text.rstrip('。；')}",
        sentence,
        _filing_origin(row, filing),
        polarity=sentence_side(sentence, title, filing.filing_class, filing.share_pct),
        dimension=CLASS_RULES[filing.filing_class].dimension,
        kind=FactKind.ANNOUNCEMENT,
        subject=scope.symbol,
        flags=(*title.flags, *filing.marks),
    )


def _size_fact(row: Row, filing: Filing, revenue: AnnualRevenue, share_pct: float, scope: Scope) -> Fact:
    title = quote(filing.row["title"], 40)
    return measured(
        "announcements.contract_share_pct",
        share_pct,
        f"公告《{title.text}》所述金额（总额，未按年限分摊）"
        f"相当于{revenue.year}年度营业收入的{say(share_pct, Unit.PCT)}（程序计算）",
        _filing_origin(row, filing),
        kind=FactKind.ANNOUNCEMENT,
        subject=scope.symbol,
        flags=filing.marks,
    )


def _filing_origin(row: Row, filing: Filing) -> Origin:
    merged = {**row, "url": filing.row["url"]}
    return origin_of(merged, "公告正文", row["published_at"].astimezone(SHANGHAI).date())


def _unreadable_fact(row: Row, filing: Filing, scope: Scope) -> Fact:
    title = quote(filing.row["title"], 60)
    why = _UNREADABLE.get(row["readability"], "未读出含数字的句子")
    return quoted(
        "filing_texts.readability",
        f"公告《{title.text}》正文{why}，未读取文字，不据此推断内容",
        title,
        _filing_origin(row, filing),
        polarity=Polarity.NEUTRAL,
        dimension=Dimension.RISK,
        kind=FactKind.ANNOUNCEMENT,
        subject=scope.symbol,
        flags=("unreadable",),
    )


def important(facts: list[Fact]) -> list[Fact]:
    """Filing titles, the one in focus first and the plain ones (其他, 定期报告) last, else in the given order."""

    def rank(fact: Fact) -> int:
        is_plain = fact.sentence.startswith(("公告（其他）", "公告（定期报告）")) and fact.polarity is Polarity.NEUTRAL
        return 0 if FOCUS in fact.flags else 2 if is_plain else 1

    return sorted(facts, key=rank)
