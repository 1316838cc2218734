"""Facts of news, and the mood computed from them (PRODUCT E5, E9).

News is found by keyword, so it may concern somebody else: an item that names another company in its
headline and not ours is quarantined; one that names neither company nor industry is quarantined too.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from flows.contracts.packs import Dimension, Fact, FactKind, Polarity
from flows.contracts.raw import KIND_RULES
from flows.evidence.drafts import Origin, measured, origin_of, quote, quoted, short_name
from flows.evidence.facts_fundamentals import annual_revenue
from flows.evidence.identity import bare_name
from flows.evidence.reading import Row, Scope
from flows.evidence.rules import rule_for, without_minus, without_plus
from flows.evidence.sides import contract_share
from flows.evidence.text_sides import text_side
from flows.evidence.untrusted import TITLE_LIMIT, clean
from flows.market.sessions import SHANGHAI

NEWS_DAYS = KIND_RULES["news"].look_back_days

#: First list whose word occurs in a headline gives its dimension; none means 基本面.
_DIMENSION_WORDS: tuple[tuple[Dimension, re.Pattern[str]], ...] = (
    (
        Dimension.RISK,
        re.compile("立案|处罚|诉讼|被诉|仲裁|侵权|违约|逾期|退市|风险|质押|冻结|监管|问询|关注函|警示|事故|停产|调查"),
    ),
    (Dimension.CAPITAL, re.compile("主力|资金|北向|融资|龙虎榜|增持|减持|回购|解禁|大宗交易|净买入|净流")),
    (Dimension.POLICY, re.compile("央行|证监会|国务院|发改委|工信部|财政部|政策|补贴|关税|降准|降息|新规")),
    (Dimension.VALUATION, re.compile("估值|市盈率|市净率|破净|目标价")),
    (Dimension.TECHNICAL, re.compile("涨停|跌停|新高|新低|均线|放量|缩量|涨超|跌超|盘中|收涨|收跌")),
    (Dimension.INDUSTRY, re.compile("行业|板块|产业|赛道|概念")),
)


@dataclass(frozen=True)
class News:
    """News facts, newest first, the rest by age, and how many items were quarantined."""

    recent: list[Fact]
    older: list[Fact]
    quarantined: int


def news_facts(scope: Scope, archive_days: int) -> News:
    """Items of the last seven days, older ones up to *archive_days* for the appendix."""
    rows = scope.visible("news", days=archive_days)
    subjects = [(row, _subject(row, scope)) for row in rows]
    annual = annual_revenue(scope)
    revenue = annual.value_cny if annual else None
    facts = [_news_fact(row, scope, subject, revenue) for row, subject in reversed(subjects) if subject is not None]
    recent = [fact for fact in facts if (scope.as_of - fact.as_of).days <= NEWS_DAYS]
    return News(recent, facts[len(recent) :], sum(subject is None for _, subject in subjects))


def _subject(row: Row, scope: Scope) -> str | None:
    """Whom an item is about: our symbol, our industry, or None (somebody else)."""
    title, body = clean(row["title"], TITLE_LIMIT).text, clean(row["content"], 1_000).text
    folded, folded_body = bare_name(title), bare_name(body) if body else ""
    if _names_us(folded, scope):
        return scope.symbol
    if any(name in folded for name in scope.others):
        return None
    if _names_us(folded_body, scope):
        return scope.symbol
    industry = scope.identity.industry
    return industry if industry and industry in title + body else None


def _names_us(folded: str, scope: Scope) -> bool:
    """Whether a folded text names the company by code or by a name it has or had."""
    return any(word in folded for word in (scope.symbol.partition(".")[0], *scope.names))


def _news_fact(row: Row, scope: Scope, subject: str, revenue: float | None) -> Fact:
    title = quote(row["title"], TITLE_LIMIT)
    media = short_name(row["media"], row["vendor"])
    moment = row["published_at"].astimezone(SHANGHAI)
    origin = Origin(moment.date(), row["published_at"], media, url=origin_of(row, "", moment.date()).url)
    said = title.original or title.text
    side = text_side(said, contract_share([said], revenue))
    is_ours = subject == scope.symbol and _names_us(bare_name(title.text), scope)
    return quoted(
        "news.title",
        f"新闻：{title.text}",
        title,
        origin,
        polarity=Polarity.NEUTRAL if title.is_suspect else side,
        dimension=dimension_of(title.text) if is_ours else Dimension.INDUSTRY,
        kind=FactKind.NEWS,
        subject=subject,
    )


def dimension_of(headline: str) -> Dimension:
    """Dimension of a headline by its words."""
    found = (dimension for dimension, words in _DIMENSION_WORDS if words.search(headline))
    return next(found, Dimension.FUNDAMENTALS)


def mood_facts(recent: list[Fact], scope: Scope) -> list[Fact]:
    """Counts over the pre-fetched items of seven days; with no item there is no mood (PRODUCT E9).

    Good and bad items are signed by their difference: neither count is cited without what stands against it.
    """
    items = [fact for fact in recent if fact.subject == scope.symbol and "injection" not in fact.flags]
    if not items:
        return []
    count = Counter(fact.polarity for fact in items)
    good, bad = count[Polarity.POSITIVE], count[Polarity.NEGATIVE]
    balance = rule_for("news.balance").polarity(good - bad)
    origin = Origin(scope.as_of, max(fact.published_at for fact in items), "新闻标题词典统计")
    period = f"近{NEWS_DAYS}日"
    counted = (
        ("news.items", len(items), "提及本公司的新闻", Polarity.NEUTRAL),
        ("news.positive_items", good, "标题偏正面的新闻", without_minus(balance)),
        ("news.negative_items", bad, "标题偏负面的新闻", without_plus(balance)),
    )
    shown = {"subject": scope.symbol, "period": period}
    return [
        measured(field, number, f"{period}{words}为{number}条", origin, polarity=side, **shown)
        for field, number, words, side in counted
    ]
