"""Answers read with their questions, records in lines and in one, and what stands over or under them (PRODUCT T1)."""

from __future__ import annotations

import pytest

from flows.contracts.packs import Pack
from tests.sample_pack import holds

ANSWERS = [
    ("问：公司的PB是行业平均的几倍？答：1.42倍。", True),
    ("问：公司的PB是行业平均的几倍？答：3.42倍。", False),
    ("问：公司的PB是行业平均的多少？\n答：142.16%。", True),
    ("问：公司的PB是行业平均的多少？\n答：124.16%。", False),
    ("问：瑶池饮品市盈率是多少？答：23.12倍。", True),
    ("问：瑶池饮品市盈率是多少？答：19.42倍。", False),
    ("问：公司近60日走势如何？\n答：股价下跌13.96%。", True),
    ("问：公司近20日走势如何？\n答：股价下跌13.96%。", False),
    ("问：放到近三年里，公司的市盈率处在什么分位？答：14.37%。", True),
    ("问：放到近五年里，公司的市盈率处在什么分位？答：14.37%。", False),
    ("问：公司近60日涨了几天？\n答：24天。", True),
    ("问：公司近60日涨了几天？\n答：42天。", False),
    ("问：公司近20日涨了几天？\n答：24天。", False),
    ("近60个交易日里公司有几天是涨的？24天。", True),
    ("近60个交易日里公司有几天是涨的？27天。", False),
    ("问：公司近60日有几天收在跌停板？\n答：0天。", True),
    ("问：公司近60日有几天收在跌停板？\n答：2天。", False),
    ("问：公司2026Q3净利润同比变动多少？答：下降1.96%，基数17.51亿元。", True),
    ("问：公司2026Q3净利润同比变动多少？答：下降1.96%，基数17.17亿元。", False),
    ("主持人：公司2026Q3的毛利率，报个数。\n研究员：74.28%。", True),
    ("主持人：公司2025Q3的毛利率，报个数。\n研究员：74.28%。", False),
    ("查询条件：公司、2026Q3、毛利率。查询结果：74.28%。", True),
    ("查询条件：公司、2026Q3、净利率。查询结果：74.28%。", False),
]

RECORDS = [
    ("统计口径：最近60个交易日；对象：公司；上涨天数：24天。", True),
    ("统计口径：最近20个交易日；对象：公司；上涨天数：24天。", False),
    ("分位：14.37%；窗口：近三年；指标：市盈率；公司：公司。", True),
    ("分位：14.37%；窗口：近一年；指标：市盈率；公司：公司。", False),
    ("分位：14.37%；窗口：近三年；指标：市盈率；公司：瑶池饮品。", False),
    ("历史分位：14.37%（标的：公司；指标：市盈率；窗口：近三年）", True),
    ("历史分位：14.37%（标的：瑶池饮品；指标：市盈率；窗口：近三年）", False),
    ("备查数据如下。科目：归母净利润。主体：公司。数额：17.17亿元。", True),
    ("备查数据如下。科目：营业收入。主体：公司。数额：17.17亿元。", False),
    ("* 公司 → 公司\n* 期间 → 2026Q3\n* 毛利率 → 74.28%", True),
    ("* 公司 → 公司\n* 期间 → 2025Q3\n* 毛利率 → 74.28%", False),
    ("市盈率：23.12倍；公司：瑶池饮品", True),
    ("市盈率：19.42倍；公司：瑶池饮品", False),
]

LISTS = [
    ("市净率\n公司：3.42倍\n行业平均：2.40倍\n前者/后者：1.42倍", True),
    ("市净率\n公司：3.42倍\n行业平均：2.40倍\n前者/后者：2.41倍", False),
    ("市净率\n公司：3.42倍\n行业平均：2.40倍\n结论：前者高于后者", True),
    ("市净率\n公司：3.42倍\n行业平均：2.40倍\n结论：前者低于后者", False),
    ("公司\n    2026Q3\n        毛利率    74.28%", True),
    ("公司\n    2025Q3\n        毛利率    74.28%", False),
    ("✓ 毛利率：74.28%（2026Q3）\n✓ 公司：公司", True),
    ("✓ 市盈率：19.42倍\n✓ 公司：瑶池饮品", False),
    ("市盈率分位\n近三年：14.37%\n（公司）", True),
    ("市盈率分位\n近一年：14.37%\n（公司）", False),
    ("- 2026Q3\n  - 公司\n    - 毛利率：74.28%", True),
    ("- 2025Q3\n  - 公司\n    - 毛利率：74.28%", False),
    ("- 2026Q3\n  - 公司\n    - 毛利率：74.28%\n- 2025Q3\n  - 公司\n    - 毛利率：75.97%", True),
    ("· 公司\n· 52周最高价\n· 64.17元", True),
    ("· 瑶池饮品\n· 52周最高价\n· 64.17元", False),
    ("2026Q3\n公司\n毛利率：74.28%", True),
    ("2025Q3\n公司\n毛利率：74.28%", False),
    ("区间表现（近60日）\n- 公司：下跌13.96%", True),
    ("区间表现（近20日）\n- 公司：下跌13.96%", False),
    ("- 毛利率（2026Q3）：74.28%\n- 净利率（同期）：32.48%", True),
    ("- 毛利率（2025Q3）：75.97%\n- 净利率（同期）：32.48%", False),
    ("- 毛利率：74.28%\n- 净利率：32.48%\n以上均为公司2026Q3口径。", True),
    ("毛利率：74.28%；净利率：32.48%。以上均为公司2025Q3口径。", False),
    ("毛利率：75.97%。以上均为公司2025Q3口径。", True),
    ("公司净利润\n2026Q3：17.17亿元\n2025Q3：17.51亿元\n同比：下降1.96%", True),
    ("公司净利润\n2026Q3：17.51亿元\n2025Q3：17.17亿元\n同比：下降1.96%", False),
]


@pytest.mark.parametrize(("text", "is_right"), ANSWERS)
def test_an_answer_is_the_statement_it_makes_of_its_question(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), RECORDS)
def test_a_record_in_one_line_is_read_as_a_whole(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), LISTS)
def test_titles_parents_and_footers_say_of_what_the_items_are(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


OWNERS = [
    ("- 增持方：股东；对象：公司；变动：2,480,000股", True),
    ("- 增持方：股东；对象：公司；变动：4,280,000股", False),
    ("统计窗口近60日，对象公司，上涨天数24天。", True),
    ("统计窗口近20日，对象公司，上涨天数24天。", False),
    ("公司公告显示，市盈率为23.12倍，主体为瑶池饮品。", True),
    ("公司公告显示，市盈率为19.42倍，主体为瑶池饮品。", False),
]


@pytest.mark.parametrize(("text", "is_right"), OWNERS)
def test_what_announces_its_owner_or_window_is_of_it(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right
