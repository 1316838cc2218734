"""How numbers are written: with sign, scale, unit and range; as a fold (翻番)."""

from __future__ import annotations

from flows.truth.grammar.numerals import ARABIC, CHINESE, SCALES
from flows.truth.grammar.units import UNITS

#: 用百分点说, 百分位: the name of a unit is no number.
_CN_UNIT = rf"(?!百分[点比位数制]){CHINESE}(?=\s*(?:{SCALES}(?![分])|{UNITS}))"

_ONE = (
    rf"(?:(?:{ARABIC}|{CHINESE})\s*亿零?(?:{ARABIC}|{CHINESE})\s*万(?!亿)"
    rf"|{CHINESE}[万亿][零〇一二三四五六七八九十百千两]+(?=\s*{UNITS})"
    rf"|(?:{ARABIC})(?:\s*{SCALES}(?![分]))?|{_CN_UNIT}(?:\s*{SCALES}(?![分]))?|{CHINESE}点[零一二三四五六七八九]+)"
)

QUANTITY = (
    rf"(?P<sign>(?:(?<![\d%元倍股万亿])|(?<=[QqHh][1-4]))(?:[-+±](?!(?:19|20)\d{{2}}\s*(?:年|[QqHh]\d))(?=\d|[零一二三四五六七八九十百千两]+(?:点|万|亿|倍|%|元))"
    rf"|负(?=[\d零一二三四五六七八九十百千两])))?(?:(?<![_.\d])(?=\d)"
    rf"|(?=\D))(?P<nth>第\s*)?(?P<low>{_ONE})\s*(?:(?P<more>[余多](?=\s*(?:{SCALES}"
    rf"|{UNITS})))(?P<scale2>{SCALES})?)?\s*(?P<unit>{UNITS})?"
    rf"(?:\s*(?:-(?!\s*{_ONE}\s*(?:{UNITS})?\s*(?:=|\)\s*(?:[÷/]|除以)))|~|—|至|到|[与和](?=[^，。；]{{1,16}}之间))\s*(?P<sign2>[-+](?=\d))?(?P<high>{_ONE})\s*"
    rf"(?P<unit2>{UNITS})?)?"
)

FOLD = r"(?P<fold>翻了?(?P<times>[一两二三四]?)番|翻了?[一]?倍|腰斩|减半)"
