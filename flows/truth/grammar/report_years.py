"""Years that only say where a report lies: 2025年这一期, 最近一期（2025年内）, 归2025财年, 2024年同期."""

from __future__ import annotations

import re

from flows.truth.grammar.periods import Period

_SHEET = r"(?:定期报告|财务报告|财务报表|财务数据|业绩报告|报告期?|财报|报表|披露|业绩|数据|成绩单)"
_GIVEN = r"(?:已经?|刚|所|最终)?(?:披露|公布|发布|公告|出炉|交出|报出|录得|列示)"
_AMONG = r"(?:的?(?:各|几|历次|数)个?(?:报告期|期报告|定期报告|财报|期)(?:之)?)"
_LINK = rf"\s*(?:度)?{_AMONG}?(?:里|内|中(?!报|期)|之内|当中|范围内|当年)?(?:{_GIVEN})?的?"
_ONE = r"(?:一|1)?(?:个)?(?:报告期|期(?!间|货|望|限|权|末)|份|张|次|版|回|页)"
#: 2025年这一期, 2025年的这张报表, 2025年里最近一次披露, 2025年最新财报, 2025年末次披露
_POINTS_AT_ONE = re.compile(
    rf"{_LINK}(?:(?:这|那|该|此|同|某)(?:上)?{_ONE}|(?:该期|这期|那期)"
    rf"|(?:最近|最新|最后|最末|末|新近)的?(?:这|那)?(?:{_ONE}|(?={_GIVEN}|可得|可查|可比|一期|{_SHEET}))"
    rf")(?:{_GIVEN})?(?:的)?{_SHEET}?"
)
#: 2024年同期, 2024年的同一报告期
_SAME = (
    r"(?:同期|同季度?|同一(?:报告期|时期|期间?|季度?|阶段|区间|口径)|同时期|同样(?:期间|时期)|相同(?:报告期|期间|时期)"
    r"|对应(?:期间?|报告期))"
)
_POINTS_AT_SAME = re.compile(rf"\s*(?:的)?{_SAME}")
#: 报告期在2025年, 期间属于2025年, 归入2025年度序列, 归2025财年
_LIES_IN = re.compile(
    r"(?:(?:报告期|所属期|财报期|会计期间?|期间|截止日|期末|时点|归属期|账期)(?:末|日|所)?"
    r"(?:在|落在|落于|落入|处于|处在|位于|属于?|归于?|归属于?|算在|对应)|归入|归在|归于|归属于?|归|计入|列入|纳入|编入|算在|算作|并入)\s*$"
)
_LIES_AFTER = re.compile(
    r"\s*(?:财年|会计年度|财政年度|年度|年|度)?(?:的)?(?:序列|口径|名下|项下|档案|之内|范围内|范围|内|里)?"
)
#: 最近一期（2025年内）, 最近一期财报（2025年）
_LATEST_BEFORE = re.compile(
    rf"(?:最近|最新|最后|新近)的?(?:{_ONE})?(?:{_GIVEN})?的?{_SHEET}?\s*[(,，]\s*(?:报告期)?(?:在|为|属于?|是)?\s*$"
)
_INSIDE = re.compile(r"\s*(?:度)?(?:之?内|里|当中|范围内)?\s*[),，]")
#: 2025财年项下, （2025财年口径）
_BOOKED = re.compile(r"\s*(?:财年|会计年度|财政年度)?(?:的)?(?:项下|口径|名下)")
_FISCAL = re.compile(r"(?:财年|会计年度|财政年度)$")
_BARE = re.compile(
    r"\s*(?:(?:19|20)\d{2}|[二一][〇零九][〇零一二三四五六七八九]{2})\s*(?:年度?|财年|会计年度|财政年度)?\s*"
)


def report_in_year(plain: str, start: int, end: int, period: Period) -> tuple[Period, int]:
    """(period, end) of the year written at *start*: one report of it where the words around say so, else as it stands.

    The quarter stays open until facts are known; :attr:`Period.relative` says how it is found: ``latest``, ``same``
    (2024年同期) or ``booked`` (2025Q3，归2025财年).
    """
    which, last = _said(plain, start, end) if _BARE.fullmatch(plain, start, end) else ("", end)
    return (Period(period.year, None, relative=which) if which else period), last


def _said(plain: str, start: int, end: int) -> tuple[str, int]:
    if same := _POINTS_AT_SAME.match(plain, end):
        return "same", same.end()
    if one := _POINTS_AT_ONE.match(plain, end):
        return "latest", one.end()
    if _LATEST_BEFORE.search(plain, max(0, start - 20), start) and _INSIDE.match(plain, end):
        return "latest", end
    if _LIES_IN.search(plain, max(0, start - 10), start):
        behind = _LIES_AFTER.match(plain, end)
        return "booked", behind.end() if behind else end
    is_fiscal = _FISCAL.search(plain, start, end) and (_BOOKED.match(plain, end) or plain[end : end + 1] == ")")
    return ("booked" if is_fiscal else ""), end
