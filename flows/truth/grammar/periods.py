"""Reporting periods, windows and dates as written, in one comparable form."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from flows.truth.grammar.numerals import read_number

_ZH = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}


def _small(text: str) -> int:
    return int(read_number(text)[0])


@dataclass(frozen=True, slots=True)
class Period:
    """A reporting period (quarter 1–4, cumulative unless *single*), or a relative one still to be resolved.

    Attributes:
        year: None while relative or unsaid.
        quarter: None if only the year is said; a year alone means the full year.
        relative: ``prior_year``, ``same``, ``previous``, ``this_year``, ``last_year``, ``latest``, ``booked`` or empty.
    """

    year: int | None = None
    quarter: int | None = None
    is_single: bool = False
    relative: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether year and quarter are known."""
        return self.year is not None and self.quarter is not None

    def shifted(self, years: int) -> Period:
        """The same quarter *years* later."""
        return Period(None if self.year is None else self.year + years, self.quarter, self.is_single)

    @property
    def order(self) -> int:
        """Position in time, comparable among complete periods."""
        return (self.year or 0) * 4 + (self.quarter or 4)

    @property
    def name(self) -> str:
        """Field name, e.g. ``2025Q3``."""
        return f"{self.year}Q{self.quarter}" if self.is_complete else str(self.year or self.relative)


_YEAR = re.compile(
    r"(?P<y4>(?:19|20)\d{2})|(?P<zh>[二一][〇零九][〇零一二三四五六七八九]{2})|(?<!\d)(?P<y2>\d{2})(?=\s*年"
    r"|\s*[QqHh])|(?<=[QqHh]\d)(?P<y2b>\d{2})$"
)
_PARTS: tuple[tuple[re.Pattern[str], int, bool], ...] = tuple(
    (re.compile(pattern), quarter, single)
    for pattern, quarter, single in (
        (r"(?:第[一1]|单[一1])季度?|[Qq]1单季", 1, False),
        (r"(?:第[二2]|单[二2])季度?|[Qq]2单季|下半年度?|[Hh]2", 0, True),
        (r"(?:第[三3]|单[三3])季度?(?!报)|[Qq]3单季", 3, True),
        (r"(?:第[四4]|单[四4])季度?|[Qq]4单季", 4, True),
        (r"(?<!前)[一1]季报?度?|[Qq]1|首季|1\s*[-~至—]\s*3月|前[一1]季度?", 1, False),
        (r"半年|中报|中期|[Hh]1|[Qq]2|1\s*[-~至—]\s*6月|前[二2两]季度?|[二2]季度", 2, False),
        (r"[三3]季报?度?|[Qq]3|1\s*[-~至—]\s*9月|前[三3]季度?", 3, False),
        (r"年报|年度|全年|[Qq]4|1\s*[-~至—]\s*12月|[四4]季度", 4, False),
    )
)


def parse_period(text: str) -> Period | None:
    """The reporting period written in *text* (``2025Q3``, ``2025年前三季度``, ``三季报``, ``2025年``), or None."""
    year = _year(text)
    for pattern, quarter, single in _PARTS:
        match = pattern.search(text)
        if match:
            number = 2 if quarter == 0 else quarter
            is_half = "半年" in match[0] or match[0].upper() == "H2"
            return Period(year, 4 if is_half and quarter == 0 else number, single)
    if year is None or "月" in text or re.search(r"\d{4}[-/.]\d{1,2}", text):
        return None
    return Period(year, 4)


def _year(text: str) -> int | None:
    match = _YEAR.search(text)
    if match is None:
        return None
    if match["y4"]:
        return int(match["y4"])
    if match["zh"]:
        return int("".join(str(_ZH[c]) for c in match["zh"]))
    return 2000 + int(match["y2"] or match["y2b"])


RELATIVE = re.compile(
    r"(?P<prior_year>(?:去年度?|上年度?|上一年度?|前一年度?)(?:的)?(?:同期|同季|此时|这时|这个时候|同一(?:报告期|时期|期间?|季度?|阶段|区间)|同时期|相同(?:报告期|期间|时期)|对应(?:期间?|报告期))"
    r"|前一年度?(?!内)|(?:倒退|往前|上溯|退回|回退|前推|倒推)(?:一|1)年|(?:同比|上年|去年)基数(?=(?:为|是|系|有|取|约|:)*\s*[-\d一二三四五六七八九十])|同期基数|上年同季|(?<=[、，,])同期(?=\s*(?:为|是|对比|比较|可比|数|值|水平)*\s*[-\d一二三四五六七八九十])|一年(?:之|以)?前)|(?P<earlier>基期|(?<!低)(?<!高)(?:比较|对比|对照|计算)?基数(?=(?:为|是|仅为?|只有|约|近|有|:|\s)*[-\d一二两三四五六七八九十])|此前(?!的(?:预期|判断|观点))"
    r"|(?<![一-鿿])(?:之前|原先|原来|先前|早先|上次|上回|上一次|早前)|(?<=[较比与和跟从由])(?:之前|原先|原来|先前"
    r"|早先|上次|上回|上一次|早前)|往期|前次|比较期|对比期)|(?P<previous>上一个?报告期|前一个?报告期|上个报告期"
    r"|上一财季|上一个季度|前一季度?|前一个季度|上一期|上期|前一期|前期值|上个季度|上季度?|上一季度?|此前一期)"
    r"|(?P<next_year>一年(?:之|以)?后|次年同期|次年|翌年|第二年)|(?P<same>(?<=\()同期(?=\))|该(?:报告)?期|本期|当期|这(?:一(?:报告)?|个?报告)?期(?!间|限|货|权|待|望)|(?:这次|这回)(?=(?:是|为|只有|仅有?|约|近)?\s*[-+]?[\d零一二三四五六七八九十百]))"
    r"|(?P<last_year>去年|上年度?|上一年度?)"
    r"|(?P<this_year>今年|本年度?)|(?P<latest>最[近新]的?一?[次份期]?的?(?:定期报告|财务报告|财报)|本报告期内?"
    r"|(?<![个该述一年季])报告期内|最近一期|最新一期|(?<=\d年)(?:的)?[这该]一?(?:期|份|次)的?(?:财报|报告|报表|成绩单|业绩)?"
    r"|最新报告期|目前|当前|最新|(?:如今|现在|现)(?=(?:是|为|只有|仅有?|约|近)?\s*[-+]?[\d零一二三四五六七八九十百]))"
)


def parse_relative(match: re.Match[str], tail: str) -> Period:
    """A relative period; *tail* is the text after it (去年 + 三季报)."""
    kind = match.lastgroup or ""
    quarter: int | None = None
    if kind in {"last_year", "this_year"}:
        inner = parse_period("2000年" + tail[:5]) if _starts_with_part(tail) else None
        quarter = inner.quarter if inner else None
    return Period(None, quarter, False, kind)


def _starts_with_part(tail: str) -> bool:
    return any(pattern.match(tail) for pattern, _, _ in _PARTS)


#: Customary sessions of a month, a quarter and a year's half: what 近一个月 means beside a 20-session return.
_MONTHS = {1: "20d", 3: "60d"}
_WINDOW = re.compile(
    r"(?P<low>\d{1,3}|[零一二三四五六七八九十百两]{1,5}|半)\s*(?:[-~至—]\s*(?:\d{1,3}"
    r"|[一二三四五六七八九十]{1,3}))?\s*(?:多|余)?(?P<unit>个?交易日|日|天|根|周|个月|月|个季度|季度|季|年|期)"
)


def parse_window(text: str) -> str:
    """Window code of *text*: ``20d`` (sessions), ``1y``, ``6m``, ``3q``; empty if there is none."""
    match = _WINDOW.search(text)
    if match is None:
        return ""
    unit = match["unit"].removeprefix("个")
    if match["low"] == "半":
        return "6m" if unit == "年" else ""
    return _window_code(_small(match["low"]), unit)


def _window_code(number: int, unit: str) -> str:
    if unit in _SESSION_UNITS:
        return f"{number}d"
    if unit == "周":
        return "1y" if number == 52 else f"{5 * number}d"
    if unit == "月":
        return _MONTHS.get(number) or (f"{number // 12}y" if number % 12 == 0 else f"{number}m")
    if unit == "年":
        return f"{number}y"
    return "60d" if number == 1 and unit != "期" else f"{number}q"


_SESSION_UNITS = frozenset({"日", "天", "交易日", "根"})


ONE_DAY = re.compile(r"当日|今日|单日|今天|昨日|当天|本日|最近一个交易日|最新交易日")
WORD_WINDOW = re.compile(
    r"(?P<w1>本周|一周|近一周)|(?P<m1>本月|近一月|一个月)|(?P<q1>近一季度?|一个季度)|(?P<y1>(?<![一二两三五十\d])年内"
    r"|年初以来|今年以来)|(?P<m6>近半年|半年来)"
)


@dataclass(frozen=True, slots=True)
class Day:
    """A date as written; the year may be unsaid, the day too, and the month of a day of the current one."""

    year: int | None
    month: int | None
    day: int | None

    def is_day(self, other: date) -> bool:
        """Whether *other* is this date as far as it is said."""
        return (
            (self.year is None or self.year == other.year)
            and self.month in {None, other.month}
            and (self.day is None or self.day == other.day)
        )

    def meets(self, other: Day) -> bool:
        """Whether both can be one date as far as each is said."""
        same_year = self.year is None or other.year is None or self.year == other.year
        same_month = self.month is None or other.month is None or self.month == other.month
        return same_year and same_month and (other.day is None or self.day == other.day)


_DATE = re.compile(
    r"(?P<y>(?:19|20)\d{2})[-/.年](?P<m>\d{1,2})(?:[-/.月](?P<d>\d{1,2}))?|(?P<y3>20\d{2})(?P<m3>\d{2})(?P<d3>\d{2})"
    r"|(?P<m2>\d{1,2})\s*(?:月份?|[-/])(?P<d2>\d{1,2})?"
)


_DAY_OF_MONTH = re.compile(r"(\d{1,2})日")


def parse_day(text: str) -> Day | None:
    """The date written in *text*, or None if it cannot be one."""
    match = _DATE.search(text)
    if match is None:
        alone = _DAY_OF_MONTH.fullmatch(text.strip())
        return Day(None, None, int(alone[1])) if alone else None
    year = match["y"] or match["y3"]
    month, day = match["m"] or match["m2"] or match["m3"], match["d"] or match["d2"] or match["d3"]
    if not 1 <= int(month) <= 12 or (day and not 1 <= int(day) <= 31):
        return None
    return Day(int(year) if year else None, int(month), int(day) if day else None)


def quarter_end(period: Period) -> date | None:
    """Last day of a complete period."""
    if not period.is_complete:
        return None
    month = (period.quarter or 4) * 3
    return date(period.year or 1, month, 31 if month in {3, 12} else 30)
