"""Numeric tokens that are no quantities: dates, periods, windows, codes, list numbers, ordinals, scores.

Order matters: the first alternative that fits at a place wins.
"""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What a number is."""

    QUANTITY = "quantity"
    DATE = "date"
    TIME = "time"
    PERIOD = "period"
    WINDOW = "window"
    LIST_NUMBER = "list_number"
    ORDINAL = "ordinal"
    CODE = "code"
    FACT_ID = "fact_id"
    SCORE = "score"


_ZH = "零〇一二三四五六七八九十百两"
_N = rf"(?:\d{{1,3}}(?!\d)|[{_ZH}]{{1,4}})"
_REPORT = (
    r"(?:第?[一1]季报|第?[三3]季报|前[一二三1-3]季度?|前三季|首季|第?[一二三四1-4]季度|[上下]半年度?|半年报|中报|中期"
    r"|年度报告|年报|年度|全年"
    r"|[Qq][1-4](?![0-9])|[Hh][12](?![0-9])|[1-9]\s*[-~至—]\s*\d{1,2}月|单[一二三四]季度?)"
)
_YEAR = r"(?:19|20)\d{2}"
_ZHYEAR = r"[二一][〇零九][〇零一二三四五六七八九]{2}"
_AFTER_YEAR_WORD = "|".join(
    rf"(?<={word}{link})" for word in ("年份", "年度", "财年", "会计年") for link in ("", "为", "是", ":", "=", "取")
)
#: 1、688934.SH公布…, 3、13.4亿元，这是…: a number at the head of a line counts it, whatever number follows.
_LISTED = r"(?!\d)|(?=\d{6}(?!\d))|(?=[\d,]+(?:\.\d+)?\s*(?:[万亿]|个百分点))|(?=\d+\.\d+\s*[%元倍])"
_LENGTH = r"(?:个?交易日|日|天|周|个月|月|个季度|季度|季|年|期|根)"
_AFTER_WINDOW = (
    r"(?:均线|线|新高|新低|高点|低点|高位|低位|最高|最低|区间|分位|百分位|涨(?!停)|跌(?!停)|收益|波动|累计|以来|以内|之内|内|期"
    r"|均价|均量|均|平均|前|后|间|回报|动量|低谷|高峰|复合)"
)

#: (kind, pattern) in the order they are tried.
TOKENS: tuple[tuple[Kind, str], ...] = (
    (Kind.CODE, r"https?://[^\s)\]>]+|[\w.+-]+@[\w.-]+|[0-9a-f]{12,64}(?![0-9a-z])"),
    (Kind.CODE, r"(?<![A-Za-z0-9])r\d+-[a-z]+-\d+"),
    (Kind.FACT_ID, r"(?<![A-Za-z0-9])[EA]\d{1,4}(?:\s*(?:、|,|/|-|~|和|与)\s*[EA]\d{1,4})*(?![A-Za-z0-9])"),
    (Kind.DATE, (
        rf"{_YEAR}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?:日)?(?:[T ]\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:\.\d+)?"
        rf"(?:[+-]\d{{2}}:?\d{{2}}|Z)?)?(?!\d)"
    )),
    (Kind.DATE, (
        rf"{_YEAR}年\d{{1,2}}月(?:\d{{1,2}}[日号])?(?![-~至—]\d{{1,2}}月)(?!\d)"
        rf"|{_ZHYEAR}年[一二三四五六七八九十]{{1,3}}月(?:[一二三四五六七八九十]{{1,3}}[日号])?"
    )),
    (Kind.TIME, r"\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?!\d)"),
    (Kind.PERIOD, rf"(?:{_YEAR}|{_ZHYEAR})\s*年?\s*(?:的)?{_REPORT}(?:报告?)?"),
    (Kind.PERIOD, r"(?<!\d)\d{2}\s*年?\s*(?:[QqHh][1-4]|年报|中报|[一三]季报|半年报|上半年|前三季度)(?![0-9])"),
    (Kind.PERIOD, rf"(?:{_YEAR}|{_ZHYEAR})\s*[Qq][1-4]|(?<![A-Za-z0-9.])[1-4]?[QqHh][1-4]\d{{0,2}}(?![A-Za-z0-9])"),
    # 年份为2025, 财年：2024: a bare year behind the word for it
    (Kind.PERIOD, rf"(?:{_AFTER_YEAR_WORD}){_YEAR}(?![\d.%年])"),
    (Kind.PERIOD, (
        rf"(?:{_YEAR})\s*(?:年|财年|(?:财政|会计)年度|[EeAa](?![A-Za-z]))|{_ZHYEAR}(?:财?年|(?:财政|会计)年度)"
        r"|(?<!\d)2\d年(?=[一二三四上下前全年度报的净营])"
    )),
    (Kind.PERIOD, (
        r"(?:第[一二三四1-4]季度?|[一三]季报|[一二三四]季度|前[一二三]季度?|[上下]半年|单[一二三四]季度?"
        r"|[1-9]\s*[-~至—]\s*\d{1,2}月(?:份)?)"
    )),
    (Kind.DATE, (
        r"\d{1,2}月\d{1,2}[日号]|(?<![\d.])(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d.]"
        r"|\s*[%元倍亿万个])(?:\s*\([一二三四五六日天]\))?"
    )),
    (Kind.DATE, (
        r"(?<!\d)20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)"
        r"|(?<!\d)20\d{2}[-/](?:0[1-9]|1[0-2])(?!\d)"
    )),
    (Kind.DATE, (
        r"(?<!\d)(?:0?[1-9]|1[0-2])月份?(?!\d)|[一二三四五六七八九十]{1,2}月(?:[一二三四五六七八九十]{1,3}[日号])?"
        r"(?=[，。、的份上中下初末底至到]|\s)"
    )),
    (Kind.SCORE, (
        r"(?:置信度|可信度|信心|完整度|完备度|坚持度|评分|得分|打分|分数|综合分|趋势强度|权重|强度|概率)(?:\s|为|是|:"
        r"|约|从|由|\*|`|\(|（)*\d+(?:\.\d+)?(?:\s*/\s*\d+)?(?:\s*[%分])?(?:\s*(?:→|->|至|到|升至|降至"
        r"|变为)\s*\d+(?:\.\d+)?(?:\s*[%分])?)?"
    )),
    # 单看27日: a day of the month; 5, 10, 20 and 30 sessions are customary windows
    (Kind.DATE, rf"(?<![\d.近去最前后第续来每月满])(?:[1-46-9]|1[1-9]|2[1-9]|31)日(?!\s*(?:{_AFTER_WINDOW[3:-1]}|常))"),
    (Kind.WINDOW, rf"(?:\d{{1,3}}\s*[/、])+\d{{1,3}}\s*{_LENGTH}"),
    (Kind.WINDOW, r"(?<![为达共有仅约])(?:上|前|最近|最新|单|过去|下)?(?:一|1)个?交易日"),
    (Kind.WINDOW, (
        rf"(?:近|过去|最近|未来|此前|前|后|滚动|往后|今后|之后|接下来|连续|持续|每|逾"
        rf"|长达)(?:的)?\s*{_N}(?:\s*[-~至—]\s*{_N})?\s*(?:多|余)?{_LENGTH}"
    )),
    (Kind.WINDOW, rf"{_N}(?:\s*[-~至—]\s*{_N})?\s*{_LENGTH}(?={_AFTER_WINDOW})"),
    (Kind.WINDOW, (
        rf"(?:\d{{1,2}}|[{_ZH}]{{1,3}})(?:\s*[-~至—]\s*(?:\d{{1,2}}|[{_ZH}]{{1,3}}))?\s*(?:个月|个季度|年期|周年"
        rf"|年内)"
    )),
    (Kind.CODE, (
        r"(?<![\d.])\d{6}\.(?:SH|SZ|BJ)(?:-(?:20\d{6}|[A-Za-z]\w*))*|[〔\[(（]\d{4}[〕\])）]\s*第?\d+号|第\s*\d+\s*号"
        r"|(?<=[A-Za-z])[-_]20\d{6}(?!\d)|(?<![\d.])(?:[sS][hHzZ]|[bB][jJ])?[0-9]{6}(?:\.(?:SH|SZ|BJ|sh|sz|bj"
        r"|SS))?(?![\d.%]|\s*[元倍股亿万%手个家次吨台名人户])|(?<![\d.])\d{5}\.HK"
    )),
    (Kind.CODE, r"(?<![A-Za-z0-9])K\d+(?:-K?\d+)?(?![A-Za-z0-9])|[A-Za-z]\+\d+(?!\d)"),
    (Kind.CODE, (
        r"(?<![A-Za-z0-9])(?!(?:PE|PB|PS|PCF|ROE|ROA|EPS|BPS|PEG|CPI|PPI|PMI|LPR|RSI|ATR|CAGR|TTM|MA|DIF|DEA|VOL|GDP"
        r"|EBITDA|FCF|MRQ|CNY|RMB)[-_]?\d)[A-Za-z][A-Za-z]*[-_]?\d+(?:[-.]?[A-Za-z0-9]+)*"
    )),
    (Kind.CODE, (
        r"(?<![A-Za-z0-9.])\d+(?:\.\d+)?[A-WYZa-wyz](?:股|板|级|芯片|网络|技术|通信|打印)?(?![A-Za-z])|\d+(?:nm|mm|cm"
        r"|Hz|GB|TB)(?![A-Za-z])"
    )),
    (Kind.LIST_NUMBER, (
        rf"(?m:^[ \t]*(?:[-*>•#]+[ \t]*)*(?:\*\*)?\(?\d{{1,2}}(?:[、)](?:{_LISTED})|\.(?!\d)"
        r"|[.、)](?=(?:19|20)\d{2}\s*(?:年|[QqHh]\d))"
        r"|\.\d{1,2}(?=[ \t]+[^\d\s%万亿元倍股千x个天名])))"
    )),
    (Kind.LIST_NUMBER, (
        r"(?m:^[ \t]*\(\d{1,2}\))"
        r"|(?<=[\s:;。,，：；（(])\(?\d{1,2}(?:[、)](?:(?!\d)|(?=\d{6}(?!\d)|(?:19|20)\d{2}\s*(?:年|[QqHh]\d)))|\.(?=\s|\*|[一-鿿]))"
    )),
    (Kind.LIST_NUMBER, rf"(?m:^[ \t]*(?:[-*>•#]+[ \t]*)*(?:\*\*)?[（(]?[{_ZH}]{{1,3}}[、)）.])|[①-⑳]"),
    (Kind.ORDINAL, r"(?:图表?|附?表|附[件录图注])\s*\d{1,2}(?=[:：\s、)）]|$)"),
    (Kind.ORDINAL, r"(?:一两|一二|两三|二三|三四|三五|四五|五六|六七|七八|八九)(?=[个期年天次家季月周日条名])"),
    (Kind.ORDINAL, (
        r"每(?:投入?|花|付|卖|收入?|赚)?(?:一百|[一百]|100|1)?(?:块钱?|元)|每\s*(?:10|十)\s*股|(?<!\d)10(?=\s*[派转送])"
    )),
    (Kind.ORDINAL, (
        rf"第\s*{_N}\s*(?:轮|步|点|条|项|章|节|层|段|次|个|种|类|部分|阶段|页|号|版|方面|大|一|家|批|期|款"
        rf"|[，。:、])?(?!名|位|\d)"
    )),
    (Kind.SCORE, r"(?<![\d.])\d{1,3}(?:\.\d+)?\s*/\s*(?:5|10|100)(?![\d.])(?:\s*分)?|(?<![\d.])50\s*为中性"),
)  # fmt: skip

MASTER = "|".join(f"(?P<t{i}>{pattern})" for i, (_, pattern) in enumerate(TOKENS))
