"""Facts of news and sell-side reports, and the mood computed from them (PRODUCT E5, E9).

News is found by keyword, so it may concern somebody else: an item that names another company in its
headline and not ours is quarantined; one that names neither company nor industry is quarantined too.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from flows.contracts.packs import Dimension, Fact, FactKind, Polarity
from flows.contracts.raw import KIND_RULES
from flows.contracts.units import Unit
from flows.evidence.drafts import Origin, measured, origin_of, quote, quoted
from flows.evidence.identity import bare_name
from flows.evidence.phrasing import say
from flows.evidence.reading import Row, Scope
from flows.evidence.sentiment import read_sentiment
from flows.evidence.untrusted import TITLE_LIMIT, clean
from flows.market.sessions import SHANGHAI

NEWS_DAYS = KIND_RULES["news"].look_back_days

#: First list whose word occurs in a headline gives its dimension; none means 基本面.
_DIMENSION_WORDS: tuple[tuple[Dimension, re.Pattern[str]], ...] = (
    (Dimension.RISK, re.compile("立案|处罚|诉讼|违约|退市|风险|质押|冻结|监管|问询|警示|事故|调查")),
    (Dimension.CAPITAL, re.compile("主力|资金|北向|融资|龙虎榜|增持|减持|回购|解禁|大宗交易|净买入|净流")),
    (Dimension.POLICY, re.compile("央行|证监会|国务院|发改委|工信部|财政部|政策|补贴|关税|降准|降息|新规")),
    (Dimension.VALUATION, re.compile("估值|市盈率|市净率|破净|目标价")),
    (Dimension.TECHNICAL, re.compile("涨停|跌停|新高|新低|均线|放量|缩量|涨超|跌超|盘中|收涨|收跌")),
    (Dimension.INDUSTRY, re.compile("行业|板块|产业|赛道|概念")),
)
_PRAISING = re.compile("买入|推荐|强推|增持|跑赢行业|优于大市")
_WARNING = re.compile("减持|卖出|回避|跑输行业|弱于大市")


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
    facts = [_news_fact(row, scope, subject) for row, subject in reversed(subjects) if subject is not None]
    recent = [fact for fact in facts if (scope.as_of - fact.as_of).days <= NEWS_DAYS]
    return News(recent, facts[len(recent) :], sum(subject is None for _, subject in subjects))


def _subject(row: Row, scope: Scope) -> str | None:
    """Whom an item is about: our symbol, our industry, or None (somebody else)."""
    title, body = clean(row["title"], TITLE_LIMIT).text, clean(row["content"], 1_000).text
    own = {scope.symbol.partition(".")[0], *scope.names}
    folded, folded_body = bare_name(title), bare_name(body) if body else ""
    if any(word in folded for word in own):
        return scope.symbol
    if any(name in folded for name in scope.others):
        return None
    if any(word in folded_body for word in own):
        return scope.symbol
    industry = scope.identity.industry
    return industry if industry and industry in title + body else None


def _news_fact(row: Row, scope: Scope, subject: str) -> Fact:
    title = quote(row["title"], TITLE_LIMIT)
    media = _name(row["media"], row["vendor"])
    moment = row["published_at"].astimezone(SHANGHAI)
    origin = Origin(moment.date(), row["published_at"], media, url=origin_of(row, "", moment.date()).url)
    sentiment = read_sentiment(title.original or title.text).polarity
    dimension = Dimension.INDUSTRY if subject != scope.symbol else dimension_of(title.text)
    return quoted(
        "news.title",
        f"新闻：{title.text}",
        title,
        origin,
        polarity=Polarity.NEUTRAL if title.is_suspect else sentiment,
        dimension=dimension,
        kind=FactKind.NEWS,
        subject=subject,
    )


def dimension_of(headline: str) -> Dimension:
    """Dimension of a headline by its words."""
    found = (dimension for dimension, words in _DIMENSION_WORDS if words.search(headline))
    return next(found, Dimension.FUNDAMENTALS)


def mood_facts(recent: list[Fact], scope: Scope) -> list[Fact]:
    """Counts over the pre-fetched items of seven days; with no item there is no mood (PRODUCT E9)."""
    items = [fact for fact in recent if fact.subject == scope.symbol and "injection" not in fact.flags]
    if not items:
        return []
    count = Counter(fact.polarity for fact in items)
    origin = Origin(scope.as_of, max(fact.published_at for fact in items), "新闻标题词典统计")
    period = f"近{NEWS_DAYS}日"
    counted = (
        ("news.items", len(items), "提及本公司的新闻"),
        ("news.positive_items", count[Polarity.POSITIVE], "标题偏正面的新闻"),
        ("news.negative_items", count[Polarity.NEGATIVE], "标题偏负面的新闻"),
    )
    return [
        measured(field, number, f"{period}{words}为{number}条", origin, subject=scope.symbol, period=period)
        for field, number, words in counted
    ]


def research_facts(scope: Scope) -> list[Fact]:
    """Sell-side reports of a year, newest first; each is flagged as biased, EPS forecasts beside it."""
    return [fact for row in reversed(scope.visible("research_reports", days=365)) for fact in _research(row, scope)]


def _rating_side(rating: str) -> Polarity:
    if _WARNING.search(rating):
        return Polarity.NEGATIVE
    return Polarity.POSITIVE if _PRAISING.search(rating) else Polarity.NEUTRAL


def _name(raw: str | None, otherwise: str) -> str:
    """A short name as given, or *otherwise* where there is none or it tries to instruct."""
    cleaned = clean(raw, 20)
    return otherwise if "injection" in cleaned.flags or not cleaned.text else cleaned.text


def _research(row: Row, scope: Scope) -> list[Fact]:
    title = quote(f"{row['title']}。{row['abstract'] or ''}".rstrip("。"), 160)
    broker, rating = _name(row["organisation"], "机构未署名"), _name(row["rating"], "未给评级")
    origin = origin_of(row, "研报", row["report_date"])
    side = Polarity.NEUTRAL if title.is_suspect else _rating_side(rating)
    common = {"kind": FactKind.RESEARCH, "subject": scope.symbol, "dimension": Dimension.FUNDAMENTALS}
    words = f"卖方研报（{broker}，评级原文“{rating}”，立场偏多需打折）：{title.text}"
    facts = [quoted("research_reports.title", words, title, origin, flags=("biased",), polarity=side, **common)]
    year = row["forecast_year"]
    for offset, column in enumerate(("eps_year_0_cny", "eps_year_1_cny")):
        value = row[column]
        if year is None or value is None:
            continue
        said = f"{broker}预测{year + offset}年每股收益为{say(value, Unit.CNY_PER_SHARE)}（卖方预测，非实际值）"
        forecast = {"period": f"{year + offset}E", "polarity": Polarity.NEGATIVE if value < 0 else side, **common}
        facts.append(measured(f"research_reports.{column}", value, said, origin, flags=("biased",), **forecast))
    return facts
