"""Who is said to have reported, forecast, rated, bought or signed, against whom the facts name (PRODUCT T4)."""

# ruff: noqa: E501 -- one case, one line

from __future__ import annotations

import pytest

from flows.contracts.packs import Pack
from flows.truth.verify import verify_document
from tests.sample_pack import holds

BROKERS = [
    ("演示证券预测2027年每股收益3.17元。", True), ("演示证券预测2027年每股收益3.28元。", False), ("2027年每股收益预计为3.28元（演示证券）。", False),
    ("2027年每股收益预计为3.17元（演示证券）。", True), ("样例证券给出“增持”评级。", True), ("样例证券给出“买入”评级。", False), ("样例证券的评级是买入。", False),
    ("演示证券给予买入评级。", True), ("虚拟投资维持买入评级。", False), ("据虚拟投资8月21日中报点评，乌有酒业上半年营收37.48亿元，同比增长2.45%。", True),
    ("据演示证券的研报，乌有酒业上半年营收37.48亿元，同比增长2.45%。", False), ("演示证券认为估值已反映增速放缓。", True), ("虚拟投资认为估值已反映增速放缓。", False),
    ("样例证券指出渠道投入增加。", True), ("演示证券指出渠道投入增加。", False), ("虚拟投资认为公司渠道库存高企。", False),
    ("样例证券预计2026年EPS为3.00元，高于演示证券的2.90元。", True), ("样例证券预计2026年EPS为2.90元，低于演示证券的3.00元。", False),
    ("两家券商对2026年EPS的看法不同：演示证券2.90元，样例证券3.00元。", True), ("演示证券认为前三季度营收52.85亿元，同比增长0.30%。", True),
]  # fmt: skip
MEDIA = [
    ("演示快报报道了“大雷？乌有酒业经营现金流下滑引发市场恐慌”的消息。", True), ("样例财经报道了“大雷？经营现金流下滑引发市场恐慌”的消息。", False),
    ("样例财经25日的标题说，乌有酒业估值处于近三年低位。", True), ("演示财经25日的标题说，乌有酒业估值处于近三年低位。", False),
    ("演示财经11月27日报道称，合同金额占上年营收比重不足3%。", True), ("样例财经11月27日报道称，合同金额占上年营收比重不足3%。", False),
    ("演示财经报道，乌有酒业控股股东继续增持。", True), ("样例财经称乌有酒业控股股东继续增持。", False),
]  # fmt: skip
ACTORS = [
    ("公告称，控股股东累计增持584万股，占总股本0.73%。", True), ("公告称，公司董事长累计增持584万股，占总股本0.73%。", False), ("高管合计增持584万股，占总股本0.73%。", False),
    ("公告显示，增持人是控股股东乌有集团有限公司。", True), ("公告显示，增持人是公司董事长。", False), ("公司总经理增持248万股。", False),
    ("这份1.79亿元的销售合同由控股股东乌有集团签订。", False), ("这份1.79亿元的销售合同由全资子公司签订。", True),
    ("公司董事长未参与增持，增持584万股的是控股股东。", True), ("控股股东未参与增持，增持584万股的是公司董事长。", False),
    ("控股股东持有公司股份比例为46.73%。", True), ("董事长持有公司股份比例为46.73%。", False), ("大股东截至11月11日增持248.00万股。", True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_right"), [*BROKERS, *MEDIA])
def test_a_named_source_answers_to_its_own_reports(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


@pytest.mark.parametrize(("text", "is_right"), ACTORS)
def test_a_deed_belongs_to_whom_the_fact_names(pack: Pack, text: str, is_right: bool) -> None:
    assert holds(pack, text) is is_right


def test_the_reason_names_the_source_that_does_say_it(pack: Pack) -> None:
    (found,) = verify_document(
        "演示证券预测2027年每股收益3.28元。", (*pack.facts, *pack.appendix), subject=pack.symbol
    ).failures
    assert "样例证券才有（E122）" in found.reason or "虚拟投资才有（E125）" in found.reason
