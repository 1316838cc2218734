"""Cells and lines that relate two others: a difference, a quotient, a comparison in a table or a list (PRODUCT T3)."""

from __future__ import annotations

import pytest

from flows.contracts.packs import Pack
from tests.sample_pack import holds


def table(*rows: str) -> str:
    width = rows[0].count("|") + 1
    lines = [rows[0], "|".join(["---"] * width), *rows[1:]]
    return "\n".join(f"| {line} |" for line in lines)


ACROSS = [
    (table("公司|净利润|营业收入|前者/后者", "公司|17.17亿元|52.85亿元|32.48%"), True),
    (table("公司|净利润|营业收入|前者/后者", "公司|17.17亿元|52.85亿元|23.48%"), False),
    (table("公司|净利润|营业收入|前者占后者", "公司|17.17亿元|52.85亿元|32.5%"), True),
    (table("公司|营业收入|净利润|前者占后者", "公司|52.85亿元|17.17亿元|32.5%"), False),
    (table("比较项|公司|行业平均|前者相对后者", "市净率|3.42倍|2.40倍|高于"), True),
    (table("比较项|公司|行业平均|前者相对后者", "市净率|3.42倍|2.40倍|低于"), False),
    (table("指标|公司|瑶池饮品|高低", "市盈率|19.42倍|23.12倍|低于"), True),
    (table("指标|公司|瑶池饮品|高低", "市盈率|19.42倍|23.12倍|超过"), False),
    (table("比较项|2026Q3|2025Q3|关系", "毛利率|74.28%|75.97%|前者不及后者"), True),
    (table("比较项|2026Q3|2025Q3|关系", "毛利率|74.28%|75.97%|前者高于后者"), False),
    (table("指标|2025Q3|2026Q3|后者/前者", "归母净利润|17.51亿元|17.17亿元|0.98倍"), True),
    (table("指标|2025Q3|2026Q3|后者/前者", "归母净利润|17.51亿元|17.17亿元|1.02倍"), False),
    (table("指标|2026Q3|2025Q3|对比", "毛利率|74.28%|75.97%|不及"), True),
    (table("指标|2026Q3|2025Q3|对比", "毛利率|74.28%|75.97%|超过"), False),
    (table("指标|公司|行业平均|差额", "市净率|3.42倍|2.40倍|1.01倍"), True),
    (table("指标|公司|行业平均|差额", "市净率|3.42倍|2.40倍|1.10倍"), False),
]

DOWN = [
    (table("项目|金额", "营收（2026Q3）|52.85亿元", "营收（2025Q3）|52.70亿元", "变动额|增加0.16亿元"), True),
    (table("项目|金额", "营收（2026Q3）|52.85亿元", "营收（2025Q3）|52.70亿元", "变动额|减少0.16亿元"), False),
    (table("项目|金额", "净利润（2025Q3）|17.51亿元", "净利润（2026Q3）|17.17亿元", "变动额|减少0.34亿元"), True),
    (table("项目|金额", "净利润（2025Q3）|17.51亿元", "净利润（2026Q3）|17.17亿元", "变动额|减少0.43亿元"), False),
    (table("公司|市净率|两者之差", "公司|3.42倍|1.01倍", "行业平均|2.40倍|—"), True),
    (table("公司|市净率|两者之差", "公司|3.42倍|1.11倍", "行业平均|2.40倍|—"), False),
]

LINES = [
    ("- 2026Q3净利润：17.17亿元\n- 2025Q3净利润：17.51亿元\n- 差额：0.34亿元", True),
    ("- 2026Q3净利润：17.17亿元\n- 2025Q3净利润：17.51亿元\n- 差额：0.43亿元", False),
    ("1. 2026Q3毛利率：74.28%\n2. 2025Q3毛利率：75.97%\n3. 两期之差：1.69个百分点", True),
    ("1. 2026Q3毛利率：74.28%\n2. 2025Q3毛利率：75.97%\n3. 两期之差：1.96个百分点", False),
]


@pytest.mark.parametrize(("text", "is_right"), ACROSS)
def test_a_column_may_relate_the_two_before_it(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), DOWN)
def test_a_row_or_cell_may_relate_the_two_rows_of_its_table(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), LINES)
def test_the_last_line_of_a_list_may_relate_the_two_above_it(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right
