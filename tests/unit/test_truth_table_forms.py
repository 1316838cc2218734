"""Tables read by what their cells are: long, wide, transposed, headless, with captions and sources (PRODUCT T1, T2)."""

from __future__ import annotations

import pytest

from flows.contracts.packs import Pack
from flows.truth.pages.cells import METRIC, NAME, TIME, TOLD, VALUE, is_head, sort_of
from tests.sample_pack import holds


def table(*rows: str) -> str:
    width = rows[0].count("|") + 1
    return "\n".join(f"| {line} |" for line in (rows[0], "|".join(["---"] * width), *rows[1:]))


def lines(*rows: str) -> str:
    return "\n".join(f"| {line} |" for line in rows)


LONG = [
    (table("代码/简称|估值指标|倍数", "公司|市净率|3.42倍"), True),
    (table("代码/简称|估值指标|倍数", "公司|市净率|6.33倍"), False),
    (table("代码/简称|估值指标|倍数", "瑶池饮品|市盈率|23.12倍"), True),
    (table("代码/简称|估值指标|倍数", "瑶池饮品|市盈率|19.42倍"), False),
    (table("公司|分位指标|读数", "公司|市盈率(TTM)近3年分位|14.37%"), True),
    (table("公司|分位指标|读数", "公司|市盈率(TTM)近1年分位|14.37%"), False),
    (table("名称|技术指标|价位（元）", "公司|20日均线|54.12"), True),
    (table("名称|技术指标|价位（元）", "公司|60日均线|54.12"), False),
    (table("倍数|估值方法|所指公司", "3.42倍|市净率|公司"), True),
    (table("倍数|估值方法|所指公司", "3.42倍|市净率|瑶池饮品"), False),
    (table("序号|公司|科目|期间|金额", "1|公司|营业收入|2026Q3|52.85亿元"), True),
    (table("序号|公司|科目|期间|金额", "1|公司|营业收入|2025Q3|52.85亿元"), False),
    (table("标的|统计窗口|指标|结果", "公司|最近60个交易日|上涨天数|24天"), True),
    (table("标的|统计窗口|指标|结果", "公司|最近120个交易日|上涨天数|24天"), False),
    (table("公司|科目|2026Q3|2025Q3|增减额", "公司|归母净利润|17.17亿元|17.51亿元|减少0.34亿元"), True),
    (table("公司|科目|2026Q3|2025Q3|增减额", "公司|归母净利润|17.17亿元|17.51亿元|增加0.34亿元"), False),
    (table("公司|指标|倍数|相对行业平均", "公司|市净率|3.42倍|高于"), True),
    (table("公司|指标|倍数|相对行业平均", "公司|市净率|3.42倍|低于"), False),
]

HEADLESS = [
    (lines("公司|ATR(14)|0.98元"), True),
    (lines("公司|20日均线|0.98元"), False),
    (lines("瑶池饮品|ATR(14)|0.98元"), False),
    (lines("2026Q3|营业收入|52.85亿元"), True),
    (lines("2025Q3|营业收入|52.85亿元"), False),
    (lines("营业收入|52.85亿元|归母净利润|17.17亿元"), True),
    (lines("营业收入|17.17亿元|归母净利润|52.85亿元"), False),
    (lines("公司|市盈率|19.42倍", "瑶池饮品|市盈率|23.12倍"), True),
    (lines("公司|市盈率|23.12倍", "瑶池饮品|市盈率|19.42倍"), False),
]

RECORDS = [
    (table("人气名次|第511名", "所指公司|公司"), True),
    (table("人气名次|第511名", "所指公司|瑶池饮品"), False),
    (table("字段|内容", "公司|公司", "报告期|2026Q3", "指标|毛利率", "数值|74.28%"), True),
    (table("字段|内容", "公司|公司", "报告期|2025Q3", "指标|毛利率", "数值|74.28%"), False),
    (table("字段|内容", "公司|公司", "报告期|2026Q3", "指标|净利率", "数值|74.28%"), False),
    (table("公司|公司|瑶池饮品", "指标|市盈率|市盈率", "数值|19.42倍|23.12倍"), True),
    (table("公司|公司|瑶池饮品", "指标|市盈率|市盈率", "数值|23.12倍|19.42倍"), False),
    (table("公司|公司|报告期|2026Q3", "指标|毛利率|数值|74.28%"), True),
    (table("公司|公司|报告期|2025Q3", "指标|毛利率|数值|74.28%"), False),
    (table("公司|瑶池饮品|日期|最新", "指标|市盈率|数值|19.42倍"), False),
    (table("分位窗口|近三年", "公司市盈率|14.37%"), True),
    (table("分位窗口|近一年", "公司市盈率|14.37%"), False),
]

MOVES = [
    (table("均线|价格", "20日均线|54.12元"), True),
    (table("均线|价格", "股价|54.12元"), False),
    (table("归母净利润|数值", "2026Q3|17.17亿元", "上年同期|17.51亿元"), True),
    (table("归母净利润|数值", "2026Q3|17.17亿元", "上年同期|17.15亿元"), False),
    (table("市净率比较|读数", "公司|3.42倍", "行业平均|2.40倍") + "\n\n公司高于行业平均。", True),
    (table("市净率比较|读数", "公司|3.42倍", "行业平均|2.40倍") + "\n\n公司低于行业平均。", False),
    (table("指标|值|说明", "毛利率|74.28%|公司，2026Q3"), True),
    (table("指标|值|说明", "毛利率|74.28%|公司，2025Q3"), False),
    (table("报告期|归母净利润|同比", "2026Q3|17.17亿元|下降1.96%", "2025Q3|17.51亿元|—"), True),
    (table("报告期|归母净利润|同比", "2026Q3|17.17亿元|增长1.96%", "2025Q3|17.51亿元|—"), False),
    (table("标的|市净率|相当于行业平均的", "公司|3.42倍|1.42倍"), True),
    (table("标的|市净率|相当于行业平均的", "公司|3.42倍|2.41倍"), False),
    (table("主体|期间|同比下限|同比上限", "公司|2026Q3|3.00%|5.00%"), False),
]

AROUND = [
    (table("报告期|归母净利润", "2026Q3|17.17亿元") + "\n数据主体：公司", True),
    (table("报告期|归母净利润", "2026Q3|17.17亿元") + "\n数据主体：瑶池饮品", False),
    (table("科目|金额", "归母净利润|17.17亿元") + "\n\n注：以上数据来自公司2026年三季报。", True),
    (table("科目|金额", "归母净利润|17.17亿元") + "\n\n注：以上数据来自公司2025年三季报。", False),
    (table("归母净利润|数值", "2026Q3|17.17亿元", "2025Q3|17.51亿元") + "\n可见公司2026Q3低于2025Q3。", True),
    (table("归母净利润|数值", "2026Q3|17.17亿元", "2025Q3|17.51亿元") + "\n可见公司2026Q3高于2025Q3。", False),
    (table("瑶池饮品业绩|市盈率", "最新|23.12倍"), True),
    (table("瑶池饮品|市盈率", "最新|19.42倍"), False),
    (table("对照项|市净率|结论", "公司|3.42倍|高于行业平均"), True),
    (table("对照项|市净率|结论", "公司|3.42倍|低于行业平均"), False),
    (table("比较对象|公司的市净率", "行业平均|高于之"), True),
    (table("比较对象|公司的市净率", "行业平均|不及之"), False),
]


@pytest.mark.parametrize(("text", "is_right"), LONG)
def test_a_cell_of_the_row_may_name_the_quantity_whatever_its_head(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), HEADLESS)
def test_a_row_without_a_head_speaks_for_itself(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), RECORDS)
def test_rows_may_be_the_fields_of_a_record(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), MOVES)
def test_a_column_may_tell_how_the_one_before_it_moved(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), AROUND)
def test_corner_source_and_conclusion_belong_to_the_table(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(
    ("cell", "sort"),
    [
        ("7.20倍", VALUE), ("第51名", VALUE), ("8天", VALUE), ("约12亿元", VALUE), ("增长12.3%", VALUE),
        ("近三年", TIME), ("最近120个交易日", TIME), ("2025年1-9月", TIME), ("同比", TIME),
        ("市盈率(TTM)近1年分位", METRIC), ("250日均线", METRIC), ("ATR(14)", METRIC),
        ("乌有酒业", NAME), ("688987.SH", NAME), ("低于行业平均", TOLD), ("增持1亿股，占比1%", TOLD),
    ],
)  # fmt: skip
def test_a_cell_is_sorted_by_its_content(cell: str, sort: str) -> None:
    assert sort_of(cell) == sort


def test_a_corner_that_only_heads_its_column_is_no_company() -> None:
    assert all(is_head(text) for text in ("代码/简称", "统计区间", "比较对象", "估值项", "所指公司"))
    assert not any(is_head(text) for text in ("长江证券", "乌有酒业", "毛利率"))
