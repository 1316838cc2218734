"""Companies and aggregates a text speaks of, and names that no fact knows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

SUBJECT = "@subject"
INDUSTRY = "@industry"
MARKET = "@market"


@dataclass(frozen=True, slots=True)
class CompanyMention:
    """A company word: canonical key (symbol, ``@subject``, ``@industry``, ``@foreign:NAME``) and its place."""

    start: int
    end: int
    key: str
    statistic: str = ""


_AGGREGATE = (
    r"(?P<industry>(?:申万|中信)?(?:所属|所在|全|同|整个|细分)?(?:行业|同业|同行|可比公司|同类公司|板块|赛道|同行业"
    r"|白酒|银行业)(?:\([^()]{1,8}\))?(?:公司|企业|个股)?(?:整体|内|的|可比公司|PE|PB|PS|ROE|市盈率|市净率|市销率"
    r"|\(TTM\)|估值|毛利率)*"
    r"(?P<stat>平均(?:值|水平|数)?|均值|均数|中位数?|中位值|中位水平|中值|中枢|水平|整体水平|均线(?!多|空)))"
    r"|(?P<industry2>(?:(?<=[与和跟较比于])(?:同业|同行(?!业)|可比公司)|(?:同业|同行(?!业)|可比公司)"
    r"(?!(?:估值|数据)?(?:对比|比较|对照|对标|横比)\s*[:，|—])))"
    r"|(?P<market>大盘|沪深300|上证指数|上证综指|沪指|创业板指|深证成指|全市场|市场平均|全A)"
)
_PRONOUN = (
    r"(?P<subject>(?<![子母股总分他类板资托险金])(?<!可比)(?<!有限)(?:该公司|本公司|上市公司|(?<!的)公司|该股|本股|标的|该标的"
    r"|自身))(?!债)"
)


@lru_cache(maxsize=256)
def _scanner(names: tuple[str, ...]) -> re.Pattern[str]:
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
    known = f"(?P<name>{known})|" if known else ""
    return re.compile(f"{known}{_AGGREGATE}|{_PRONOUN}")


def find_companies(plain: str, names: tuple[tuple[str, str], ...]) -> list[CompanyMention]:
    """Company words of *plain*; *names* maps written names (and codes) to canonical keys."""
    keys = dict(names)
    found = []
    for match in _scanner(tuple(keys)).finditer(plain):
        start, end = match.span()
        if match.groupdict().get("name"):
            found.append(CompanyMention(start, end, keys[match["name"]]))
        elif match["industry"] or match["industry2"]:
            found.append(CompanyMention(start, end, INDUSTRY, _statistic(match["stat"] or "")))
        elif match["market"]:
            found.append(CompanyMention(start, end, MARKET))
        else:
            found.append(CompanyMention(start, end, _taken_up(plain, match, found)))
    return found


#: 与某公司相比，该公司…: what the other is held against is not taken up.
_HELD_AGAINST = re.compile(r"[与和跟较比同于]\s*$|不及\s*$|超过\s*$")
_ENDS = "。！？!?\n"


def _taken_up(plain: str, match: re.Match[str], before: list[CompanyMention]) -> str:
    """某公司披露的数据显示，该公司…: 该公司 is the company its sentence names before it, else the subject."""
    if match[0] not in {"该公司", "自身"}:
        return SUBJECT
    begin = max(plain.rfind(end, 0, match.start()) for end in _ENDS)
    inside = takewhile(lambda c: c.start > begin, reversed(before))
    named = [c for c in inside if c.key not in {INDUSTRY, MARKET}]
    if len({c.key for c in named}) != 1 or _HELD_AGAINST.search(plain, max(0, named[0].start - 4), named[0].start):
        return SUBJECT
    return named[0].key


def _statistic(word: str) -> str:
    if "中" in word:
        return "median"
    return "mean" if "均" in word else ""


def canonical(name: str, names: Mapping[str, str]) -> str:
    """Canonical key of a written company name or symbol."""
    return names.get(name, name)
