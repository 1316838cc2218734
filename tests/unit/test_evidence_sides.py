"""Which side a fact speaks for: by the table of its kind alone, and a plus only where nothing denies it."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from flows.contracts.packs import Fact, Missing, Pack, Polarity
from flows.evidence.drafts import Origin, measured, quote
from flows.evidence.facts_comparisons import comparison_facts, inflow_side
from flows.evidence.rules import RULES
from flows.evidence.sides import TITLE_RULES, contract_share, sentence_side, title_side
from flows.evidence.text_sides import TEXT_RULES, text_side
from flows.evidence.wording import neutralise, typeset
from flows.market.filing_classes import classify, shown_class
from tests.unit.evidence_store import AS_OF, CUTOFF, SYMBOL, at, filing, full_stock, headline, percentile_row, staged
from tests.unit.test_evidence_packs import Rows, build, one

ORIGIN = Origin(AS_OF, CUTOFF, "测试", industry="通用设备")
#: Fields whose rule is the same distance on both sides of zero.
SYMMETRIC = sorted(
    field
    for field, rule in RULES.items()
    if rule.positive_from is not None and rule.negative_to is not None and rule.positive_from == -rule.negative_to
)
OPPOSITE = {
    Polarity.POSITIVE: Polarity.NEGATIVE, Polarity.NEGATIVE: Polarity.POSITIVE, Polarity.NEUTRAL: Polarity.NEUTRAL,
}  # fmt: skip


def replaced(kind: str, **values: Any) -> Rows:
    """The full stock with *values* in every row of one kind."""
    return [(n, r | values) if n == f"staging.{kind}" else (n, r) for n, r in full_stock()]


def without(kind: str, *added: tuple[str, dict[str, Any]]) -> Rows:
    """The full stock without one kind, *added* in its place."""
    return [*((n, r) for n, r in full_stock() if n != f"staging.{kind}"), *added]


@given(st.sampled_from(sorted(RULES)), st.floats(-1e6, 1e6))
def test_side_of_a_measured_value_is_that_of_the_table(field: str, value: float) -> None:
    fact = measured(field, value, "测试", ORIGIN)
    assert fact.polarity is RULES[field].polarity(value, ORIGIN.industry)


@given(st.sampled_from(SYMMETRIC), st.floats(-1e6, 1e6))
def test_turning_the_sign_turns_the_side(field: str, value: float) -> None:
    rule = RULES[field]
    assert rule.polarity(-value) is OPPOSITE[rule.polarity(value)]


def test_changes_and_balances_are_the_symmetric_rules() -> None:
    expected = {
        "revenue_yoy_pct", "net_profit_yoy_pct", "return_20d_pct", "operating_cash_flow_cny",
        "financial_indicators.operating_cash_flow_yoy_pct", "financial_indicators.quarter_net_profit_yoy_pct",
        "earnings_forecasts.change_low_pct", "fund_flows.main_net_5d_share_pct", "news.balance",
        "research_reports.eps_revision_cny", "top_list.net_buy_cny", "margins.balance_change_5d_pct",
    }  # fmt: skip
    assert expected <= set(SYMMETRIC)


def _report(period: date, **values: float | None) -> dict[str, Any]:
    row = staged("financial_indicators", at(AS_OF), report_period=period, notice_date=AS_OF)[1]
    return row | values


@settings(max_examples=200)
@given(
    st.floats(-1e9, 1e9).filter(lambda v: abs(v) > 1),
    st.floats(-1e9, 1e9).filter(lambda v: abs(v) > 1),
    st.sampled_from(["net_profit_cny", "operating_cash_flow_cny", "deducted_net_profit_cny"]),
)
def test_what_is_still_a_loss_or_an_outflow_is_never_a_plus(now: float, before: float, column: str) -> None:
    reports = {day: _report(day, **{column: value}) for day, value in
               ((date(2026, 9, 30), now), (date(2025, 9, 30), before))}  # fmt: skip
    facts = comparison_facts(reports, ORIGIN, SYMBOL)
    assert now >= 0 or Polarity.POSITIVE not in {fact.polarity for fact in facts}
    assert now < before or Polarity.NEGATIVE not in {fact.polarity for fact in facts}


@given(st.floats(1, 1e9), st.floats(1, 1e9))
def test_an_inflow_that_fell_by_more_than_a_fifth_is_no_plus(now: float, before: float) -> None:
    assume(abs(now / before - 0.8) > 1e-6)
    assert inflow_side(now, before) is (Polarity.POSITIVE if now > 0.8 * before else Polarity.NEUTRAL)


def _filed(rule_class: str, text: str, **more: Any) -> str:
    return title_side(rule_class, quote(text), **more).value


@pytest.mark.parametrize(
    ("share", "sign"), [(None, "0"), (2.6, "0"), (4.99, "0"), (5.0, "+"), (31.2, "+")],
)  # fmt: skip
def test_a_contract_speaks_by_its_size(share: float | None, sign: str) -> None:
    assert _filed("重大合同", "关于签订重大合同的公告", share_pct=share) == sign
    assert _filed("重大合同", "关于重大合同终止的公告", share_pct=share) == "-"
    assert _filed("重大合同", "关于药品集中带量采购中标结果的公告", share_pct=share) == "0"


@pytest.mark.parametrize(
    ("text", "revenue", "share"),
    [
        ("合同金额为人民币1.79亿元（含税），占公司2025年度营业收入的2.60%", 1e9, 2.6),
        ("签订重大销售合同 合同金额占上年营收比重不足3%", None, 3.0),
        ("中标金额为人民币1.86亿元", 2.1e9, 8.857142857),
        ("合同金额为6,200万元", 6.2e8, 10.0),
        ("上述产品2025年度销售收入占公司营业收入的23.70%", 1e9, None),
        ("合同履行期限为12个月", 1e9, None),
        ("中标金额为1.86亿元", None, None),
    ],
)
def test_size_of_a_contract_is_stated_or_computed_or_unknown(
    text: str, revenue: float | None, share: float | None
) -> None:
    assert contract_share([text], revenue) == (None if share is None else pytest.approx(share))


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("本次收购资金中5.00亿元来自并购贷款，公司资产负债率将相应上升", "-"),
        ("关于申请并购贷款的公告", "-"),
        ("公司以自有资金8.65亿元收购标的公司51%股权", "0"),
        ("资产负债率升至66.77% 融资成本受关注", "-"),
        ("公司资产负债率由58%降至52%", "+"),
        ("本次交易不会导致公司资产负债率上升", "0"),
        ("标的公司2025年度净利润为1.12亿元，资产负债率为58.30%", "0"),
        ("公司应收账款账面余额占前三季度营业收入的46.80%", "-"),
        ("公司应收账款账面余额占前三季度营业收入的12.10%", "0"),
        ("公司应收账款账面余额占一季度营业收入的90.00%", "0"),
        ("公司应收账款账面余额占2025年度营业收入的33.00%", "-"),
        ("公司对外担保余额占最近一期经审计净资产的120%", "-"),
        ("公司为控股子公司提供担保，担保余额占最近一期净资产的35%", "0"),
        ("关于为控股股东提供担保的公告", "-"),
        ("关于为控股子公司提供担保的公告", "0"),
        ("公司逾期担保金额为0元", "0"),
        ("公司逾期担保金额为10.50万元", "-"),
        ("公司逾期债务本金合计4.37亿元", "-"),
        ("中标集采 中选价较原价下降52%", "-"),
        ("约定采购量约为公司2025年销量的1.6倍", "0"),
        ("员工持股计划完成购买", "+"),
        ("第一期员工持股计划（草案）", "0"),
        ("产能利用率降至55%", "-"),
        ("产能利用率升至95%", "+"),
        ("产能利用率升至95%，但价格能否维持仍不确定", "0"),
        ("控股股东所持股份被司法冻结", "-"),
        ("实际控制人被采取强制措施", "-"),
        ("获得药品注册证书", "+"),
        ("可转债提前赎回", "0"),
    ],
)
def test_a_matter_any_reader_takes_as_good_or_bad_is_signed_and_its_plain_sister_is_not(text: str, sign: str) -> None:
    assert text_side(text).value == sign


def test_every_text_rule_says_why_and_the_first_one_decides() -> None:
    assert all(rule.why.endswith(".") for rule in TEXT_RULES)
    assert len({rule.pattern for rule in TEXT_RULES}) == len(TEXT_RULES)


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("新品流片成功", "+"), ("控股股东继续增持", "+"), ("前三季度净利润同比增长47.77%", "+"),
        ("扭亏为盈", "+"), ("净利润同比下降8.74%", "-"), ("收到监管工作函", "-"),
        ("亏损收窄51.48%", "0"), ("业绩减亏明显", "0"), ("企业亏损面收窄", "0"),
        ("上涨4.82% 公司称无应披露未披露事项", "0"), ("股价小幅走高", "0"),
        ("出货量增长，但产品价格同比回落", "-"), ("订单增长，然而应收账款增加", "0"),
        ("公司资产负债率将相应上升", "-"), ("签署战略合作框架协议", "0"), ("中标大型设备项目", "0"),
        ("合同履行期限为12个月", "0"), ("本次增持后，控股股东持有公司股份比例为46.73%", "0"),
        ("增速放缓，现金流承压", "-"), ("订单能见度提升，提示经营现金流为负", "0"), ("冷却系统获批", "+"),
    ],
)  # fmt: skip
def test_side_of_a_headline_or_sentence(text: str, sign: str) -> None:
    assert text_side(text).value == sign


@pytest.mark.parametrize(
    ("filing_class", "title", "sentence", "sign"),
    [
        ("风险提示", "可能被终止上市的风险提示公告", "前三季度净利润为-1764.36万元，亏损收窄51.48%", "0"),
        ("风险提示", "可能被终止上市的风险提示公告", "截至2026年9月30日，公司逾期债务本金合计4.37亿元", "-"),
        ("风险提示", "股票交易风险提示公告", "公司股票滚动市盈率为61.08倍", "-"),
        ("诉讼", "关于重大诉讼的公告", "请求赔偿经济损失人民币1.20亿元", "-"),
        ("重大合同", "关于重大合同终止的公告", "投入约1150万元，能否全额收回存在不确定性", "-"),
        ("增减持", "关于控股股东增持公司股份进展的公告", "累计增持公司股份584.00万股", "+"),
        ("解禁", "关于限售股份上市流通的公告", "上市流通日期为2026年12月2日，涉及股东3名", "0"),
        ("重大合同", "关于签订重大合同的公告", "合同金额为人民币1.79亿元", "0"),
    ],
)
def test_a_sentence_speaks_inside_what_its_filing_stands_for(
    filing_class: str, title: str, sentence: str, sign: str
) -> None:
    assert sentence_side(quote(sentence), quote(title), filing_class).value == sign


@pytest.mark.parametrize("filing_class", ["风险提示", "诉讼", "解禁", "质押", "问询监管"])
@given(text=st.text(alphabet="增长获批中标预增盈利改善提升公司订单，。", max_size=20))
def test_no_sentence_of_an_adverse_filing_is_a_plus(filing_class: str, text: str) -> None:
    assert sentence_side(quote(text), quote("公告"), filing_class) is not Polarity.POSITIVE


def test_every_title_rule_compiles_and_says_why() -> None:
    assert all(re.compile(rule.pattern) and rule.why.endswith(".") for rule in TITLE_RULES)


def forecast(
    forecast_type: str, low: float | None, change: float | None, prior: float | None = None, **more: Any
) -> Pack:
    values = {"forecast_type": forecast_type, "value_low_cny": low, "value_high_cny": None, "change_low_pct": change,
              "change_high_pct": None, "prior_value_cny": prior, "reason": None}  # fmt: skip
    return build(replaced("earnings_forecasts", **(values | more)))


@pytest.mark.parametrize(
    ("told", "signs", "value_said", "change_said"),
    [
        (("减亏", -2.5e7, 49.97, -5e7), "-0", "净利润亏损2500.00万元", "亏损同比收窄49.97%"),
        (("增亏", -5e7, -25.18, -4e7), "--", "净利润亏损5000.00万元", "亏损同比扩大25.18%"),
        (("首亏", -1e7, -120.0, 5e7), "--", "净利润亏损1000.00万元", "同比下降120.00%（由盈转亏）"),
        (("扭亏", 3e7, 160.0, -5e7), "++", "净利润为3000.00万元", "同比增长160.00%（扭亏为盈"),
        (("略增", 7.6e8, 27.85, 6e8), "++", "净利润为7.60亿元", "同比增长27.85%"),
        (("预减", 2e8, -15.43, 2.4e8), "--", "净利润为2.00亿元", "同比下降15.43%"),
        (("续盈", 2e8, 1.5, 1.97e8), "0+", "净利润为2.00亿元", "同比增长1.50%"),
    ],
)
def test_a_forecast_says_loss_for_loss_and_is_signed_by_its_change(
    told: tuple[str, float, float, float], signs: str, value_said: str, change_said: str
) -> None:
    pack = forecast(*told)
    value, moved = (one(pack, f"earnings_forecasts.{name}") for name in ("value_low_cny", "change_low_pct"))
    assert value.polarity.value + moved.polarity.value == signs
    assert value.sentence.startswith(f"2026年度业绩预告（{told[0]}）：预计")
    assert value_said in value.sentence
    assert change_said in moved.sentence


@pytest.mark.parametrize(
    ("earlier", "said", "sign"), [(2.5e8, "下修3000.00万元", "-"), (2.0e8, "上修2000.00万元", "+"), (2.2e8, "", "")]
)
def test_a_revised_forecast_is_set_beside_the_one_before(earlier: float, said: str, sign: str) -> None:
    day = date(2026, 11, 3)
    first = staged("earnings_forecasts", at(day, 19), report_period=date(2026, 12, 31), notice_date=day,
                   metric="归属于上市公司股东的净利润", forecast_type="预增", value_low_cny=earlier)  # fmt: skip
    rows = replaced("earnings_forecasts", value_low_cny=2.1e8, value_high_cny=2.3e8)
    found = [f for f in build([*rows, first]).facts if f.field == "earnings_forecasts.revision_cny"]
    assert [f.polarity.value for f in found] == list(sign)
    assert all(f"较2026-11-03公告的预告{said}（按区间中值）" in f.sentence for f in found)


def test_a_forecast_range_around_zero_is_no_side() -> None:
    pack = forecast("不确定", 1e7, -10.0, 1e7, change_high_pct=15.0)
    signs = {one(pack, f"earnings_forecasts.change_{end}_pct").polarity for end in ("low", "high")}
    assert signs == {Polarity.NEUTRAL}


@pytest.mark.parametrize(
    ("reason", "sign"), [("订单增长", "+"), ("出货量增加，但产品价格同比回落", "0"), ("项目集中交付", "0")]
)
def test_a_reason_speaks_only_with_its_forecast(reason: str, sign: str) -> None:
    assert one(forecast("预增", 2e8, 20.0, reason=reason), "earnings_forecasts.reason").polarity.value == sign


def test_fall_of_the_cash_flow_is_a_fact_and_its_level_no_support() -> None:
    rows = [(n, r | {"operating_cash_flow_cny": 1.62e9 if r["report_period"].year == 2025 else 1.168e9})
            if n == "staging.financial_indicators" else (n, r) for n, r in full_stock()]  # fmt: skip
    pack = build(rows)
    change = one(pack, "financial_indicators.operating_cash_flow_yoy_pct")
    assert change.value == pytest.approx(-27.901234)
    assert change.sentence.startswith("2026年前三季度经营活动现金流净额同比下降27.90%（2026-10-28披露")
    assert change.polarity is Polarity.NEGATIVE
    assert one(pack, "operating_cash_flow_cny", "2026Q3").polarity is Polarity.NEUTRAL


def test_cash_flow_without_a_base_is_told_as_an_amount() -> None:
    rows = [(n, r | {"operating_cash_flow_cny": -1.57e8 if r["report_period"].year == 2025 else -1.58e8})
            if n == "staging.financial_indicators" else (n, r) for n, r in full_stock()]  # fmt: skip
    fact = one(build(rows), "financial_indicators.operating_cash_flow_change_cny")
    assert "较上年同期减少100.00万元（两期均为净流出）" in fact.sentence
    assert fact.polarity is Polarity.NEUTRAL


def test_the_last_quarter_is_told_by_itself() -> None:
    halves = [
        staged("financial_indicators", at(date(year, 8, 20)), report_period=date(year, 6, 30),
               notice_date=date(year, 8, 20), revenue_cny=revenue, net_profit_cny=profit)
        for year, revenue, profit in ((2026, 8e8, 1.1e8), (2025, 8e8, 0.9e8))
    ]  # fmt: skip
    rows = [(n, r | {"revenue_cny": 1.2e9, "net_profit_cny": 1.5e8}) if n == "staging.financial_indicators" else (n, r)
            for n, r in full_stock()]  # fmt: skip
    pack = build([*rows, *halves])
    profit = one(pack, "financial_indicators.quarter_net_profit_cny")
    assert (profit.value, profit.period) == (pytest.approx(4e7), "2026Q3单季")
    assert profit.sentence.startswith("2026年第三季度单季归母净利润为4000.00万元")
    change = one(pack, "financial_indicators.quarter_net_profit_yoy_pct")
    assert change.value == pytest.approx(-100 / 3)
    assert one(pack, "financial_indicators.quarter_revenue_yoy_pct").polarity is Polarity.NEUTRAL


def test_without_the_half_year_no_quarter_is_made_up() -> None:
    assert not [f for f in build(full_stock()).facts if f.field.startswith("financial_indicators.quarter")]


def research(number: int, day: date, broker: str, eps: float, title: str = "点评") -> tuple[str, dict[str, Any]]:
    return staged("research_reports", at(day, 8), report_id=f"x{number}", report_date=day, title=title,
                  organisation=broker, rating="买入", forecast_year=2026, eps_year_0_cny=eps)  # fmt: skip


def test_only_a_change_of_one_brokers_forecast_is_signed() -> None:
    rows = without(
        "research_reports",
        research(1, date(2026, 11, 5), "甲证券", 0.85), research(2, date(2026, 8, 20), "甲证券", 0.88),
        research(3, date(2026, 9, 1), "乙证券", 0.99),
    )  # fmt: skip
    pack = build(rows)
    (revision,) = [fact for fact in pack.facts if fact.field == "research_reports.eps_revision_cny"]
    assert revision.value == pytest.approx(-0.03)
    assert "甲证券对2026年每股收益的预测较其上一次下调0.03元" in revision.sentence
    assert revision.polarity is Polarity.NEGATIVE
    levels = [fact for fact in pack.facts if fact.field == "research_reports.eps_year_0_cny"]
    assert {fact.polarity for fact in levels} == {Polarity.NEUTRAL}


def test_consensus_stands_beside_the_last_actual_year() -> None:
    annual = staged("financial_indicators", at(date(2026, 3, 20)), report_period=date(2025, 12, 31),
                    notice_date=date(2026, 3, 20), eps_cny=0.80)  # fmt: skip
    rows = without("research_reports", research(1, date(2026, 11, 5), "甲证券", 0.9),
                   research(2, date(2026, 11, 6), "乙证券", 0.86), annual)  # fmt: skip
    fact = one(build(rows), "research_reports.eps_consensus_growth_pct")
    assert fact.value == pytest.approx(10.0)
    assert "2家机构对2026年每股收益预测的均值较2025年实际值高10.00%" in fact.sentence
    split = staged("corporate_actions", at(date(2026, 6, 10)), ex_date=date(2026, 6, 11), bonus_ratio=0.4)
    assert not [f for f in build([*rows, split]).facts if f.field == "research_reports.eps_consensus_growth_pct"]


def test_a_report_overtaken_by_results_and_a_bare_rating_speak_for_nobody() -> None:
    praise = "订单增长，盈利改善"
    rows = without(
        "research_reports",
        research(1, date(2026, 8, 20), "甲证券", 0.85, praise), research(2, date(2026, 11, 5), "乙证券", 0.85),
        research(3, date(2026, 11, 6), "丙证券", 0.85, praise),
    )  # fmt: skip
    pack = build(rows)
    said = {fact.sentence[5:8]: fact.polarity.value for fact in pack.facts if fact.field == "research_reports.title"}
    assert said == {"甲证券": "0", "乙证券": "0", "丙证券": "+"}
    assert {f.id for f in pack.facts if f.field == "research_reports.title"} <= set(pack.roles["bull"])


@pytest.mark.parametrize(
    ("industry", "level", "sign"),
    [
        ("通用设备", 50.9, "+"),
        ("通用设备", 49.1, "-"),
        ("通用设备", 50.0, "0"),
        ("食品饮料", 50.9, "0"),
        (None, 49.1, "0"),
    ],
)
def test_a_manufacturing_index_speaks_only_for_makers_of_capital_goods(
    industry: str | None, level: float, sign: str
) -> None:
    assert RULES["macro.PMI"].polarity(level, industry).value == sign


@pytest.mark.parametrize(
    ("titles", "good", "bad"),
    [
        (["浦江精工扭亏为盈", "浦江精工研发成功"], "+", "0"),
        (["浦江精工扭亏为盈", "浦江精工研发成功", "浦江精工被处罚", "浦江精工停产"], "0", "0"),
        (["浦江精工被处罚", "浦江精工停产"], "0", "-"),
    ],
)
def test_good_and_bad_news_are_signed_by_their_difference(titles: list[str], good: str, bad: str) -> None:
    news = [headline(90 + place, date(2026, 11, 25), title) for place, title in enumerate(titles)]
    pack = build(without("news", *news))
    assert one(pack, "news.positive_items").polarity.value == good
    assert one(pack, "news.negative_items").polarity.value == bad


def test_a_filing_that_was_not_read_says_so_and_speaks_by_its_class() -> None:
    day = date(2026, 11, 26)
    rows = [
        *full_stock(), filing(60, day, "关于问询函回复的公告"), filing(61, day, "2026年第三季度报告"),
        filing(62, day, "关于涉及诉讼的公告"),
        staged("filing_texts", at(day, 19), announcement_id="a60", readability="encrypted"),
    ]  # fmt: skip
    titles = {f.value: f for f in build(rows).facts if f.field == "announcements.title"}
    reply, report, suit = (titles[t] for t in ("关于问询函回复的公告", "2026年第三季度报告", "关于涉及诉讼的公告"))
    assert "（未读正文）" in reply.sentence
    assert reply.polarity is Polarity.NEUTRAL
    assert "未读正文" not in report.sentence
    assert "（未读正文）" in suit.sentence
    assert suit.polarity is Polarity.NEGATIVE


def test_size_of_a_contract_is_computed_where_the_filer_gives_no_share() -> None:
    day = date(2026, 11, 26)
    annual = staged("financial_indicators", at(date(2026, 3, 20)), report_period=date(2025, 12, 31),
                    notice_date=date(2026, 3, 20), revenue_cny=2.1e9)  # fmt: skip
    text = {"announcement_id": "a70", "sentence_no": 1, "page": 1, "readability": "readable"}
    rows = [*full_stock(), annual, filing(70, day, "关于收到中标通知书的公告"),
            staged("filing_texts", at(day, 19), sentence="公司中标金额为人民币1.86亿元。", **text)]  # fmt: skip
    pack = build(rows)
    size = one(pack, "announcements.contract_share_pct")
    assert size.value == pytest.approx(8.857142857)
    assert "相当于2025年度营业收入的8.86%（程序计算）" in size.sentence
    assert next(f for f in pack.facts if f.value == "关于收到中标通知书的公告").polarity is Polarity.POSITIVE


def test_a_heading_read_from_a_document_is_no_sentence_of_it() -> None:
    text = {"announcement_id": "a1", "sentence_no": 1, "page": 1, "readability": "readable"}
    rows = [*full_stock(), staged("filing_texts", at(date(2026, 11, 25), 19),
                                  sentence="浦江精工:关于股东减持股份计划的公告。", **text)]  # fmt: skip
    assert not [f for f in build(rows).facts if f.field == "filing_texts.sentence" and "浦江精工" in str(f.value)]


def test_an_average_that_cannot_be_given_is_said() -> None:
    losses = [(n, r | {"pe_ttm": -5.0}) if n == "staging.peers" and r["peer_symbol"] != "600010.SH" else (n, r)
              for n, r in full_stock()]  # fmt: skip
    pack = build(losses)
    assert "4家中市盈率(TTM)为正的仅1家，不足3家" in one(pack, "peers.obs").sentence
    average = next(f for f in pack.facts if f.subject == "行业平均" and f.field == "pb")
    assert "不计" not in average.sentence


def test_peers_left_out_of_an_average_are_counted() -> None:
    rows = [(n, r | {"pe_ttm": -5.0}) if n == "staging.peers" and r["peer_symbol"] == "600010.SH" else (n, r)
            for n, r in full_stock()]  # fmt: skip
    average = next(f for f in build(rows).facts if f.subject == "行业平均" and f.field == "pe_ttm")
    assert "可比公司3家的均值，另有1家亏损或缺数不计" in average.sentence


def _window(fact_rows: Rows, field: str) -> Fact:
    return one(build(fact_rows), field)


def test_an_extreme_window_beside_a_contrary_one_is_no_side_and_both_are_shown() -> None:
    rows = [(n, r) for n, r in full_stock() if n != "marts.valuation_percentiles"]
    odd = percentile_row(AS_OF, pb_pct_1y=8.0, pb_pct_3y=52.0, pb_pct_5y=63.0)
    assert _window([*rows, odd], "pb_pct_1y").polarity is Polarity.NEUTRAL
    assert _window([*rows, odd], "pb_pct_5y").value == 63.0
    agreed = percentile_row(AS_OF, pb_pct_1y=8.0, pb_pct_3y=42.0, pb_pct_5y=33.0, pb_pct_10y=49.0)
    assert _window([*rows, agreed], "pb_pct_1y").polarity is Polarity.POSITIVE


def test_a_window_the_history_does_not_fill_says_its_real_span() -> None:
    rows = [(n, r) for n, r in full_stock() if n != "marts.valuation_percentiles"]
    fact = _window([*rows, percentile_row(AS_OF, pb_obs_5y=945)], "pb_pct_5y")
    assert "（有效观测945个，实际仅约3.9年）" in fact.sentence


def test_a_halt_of_one_day_is_said_with_one_date() -> None:
    day = date(2026, 4, 29)
    halt = staged("suspensions", at(day, 8), start_date=day, end_date=day, reason="实施风险警示")
    fact = one(build([*full_stock(), halt]), "suspensions.days")
    assert fact.sentence == "停牌一天（实施风险警示）（2026-04-29，演示停复牌）。"


@pytest.mark.parametrize(
    ("title", "filing_class", "shown"),
    [
        ("2025年度业绩快报公告", "业绩预告", "业绩快报"),
        ("2024年度业绩快报暨2025年第一季度业绩预告", "业绩预告", "业绩预告"),
        ("关于控股股东股份被司法冻结的公告", "质押", "股份冻结"),
        ("关于股东股份质押及司法冻结的公告", "质押", "质押"),
        ("关于公司主要银行账户被冻结的风险提示公告", "风险提示", "风险提示"),
        ("关于延期披露2025年年度报告的公告", "定期报告", "定期报告"),
        ("关于延期披露问询函回复的公告", "问询监管", "问询监管"),
        ("关于变更2025年年度报告披露时间的公告", "其他", "其他"),
    ],
)
def test_class_of_a_filing_and_what_a_reader_is_shown(title: str, filing_class: str, shown: str) -> None:
    assert classify(title) == filing_class
    assert shown_class(filing_class, title) == shown


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("截至11月11日,累计增持584.00万股,占0.73%", "截至11月11日，累计增持584.00万股，占0.73%"),
        ("冻结金额为2,140.60万元", "冻结金额为2140.60万元"),
        ("金额12,345,678元(含税);为期3年", "金额12345678元（含税）；为期3年"),
        ("PE(TTM)为12倍", "PE(TTM)为12倍"),
        ("代码600519,000001", "代码600519,000001"),
    ],
)
def test_quoted_text_is_set_in_one_way(raw: str, shown: str) -> None:
    assert typeset(raw) == shown
    assert typeset(shown) == shown


def test_a_dropped_word_never_joins_two_numbers() -> None:
    assert neutralise("净利12.5%疯狂3亿元").text == "净利12.5%3亿元" or " " in neutralise("净利12.5%疯狂3亿元").text
    assert neutralise("12疯狂34").text == "12 34"


@pytest.mark.parametrize(
    ("headline_text", "neutral"),
    [
        ("突发！镜花医药涉仲裁股价崩盘式下跌", "镜花医药涉仲裁股价下跌"),
        ("惊天大雷？经营现金流断崖式下滑引发市场恐慌", "经营现金流下滑引发市场关注"),
        ("血洗散户？公司再发终止上市风险提示", "公司再发终止上市风险提示"),
    ],
)
def test_the_cry_in_front_of_a_headline_goes(headline_text: str, neutral: str) -> None:
    assert neutralise(headline_text).text == neutral


def test_an_ex_date_is_said_once_and_a_coming_one_as_coming() -> None:
    coming = staged("corporate_actions", at(AS_OF, 16), ex_date=date(2026, 12, 10), cash_cny=0.2)
    sentences = {f.sentence for f in build([*full_stock(), coming]).facts if f.field == "corporate_actions.cash_cny"}
    assert sentences == {
        "除权除息，每股派发现金红利（税前）0.35元（2026-06-11，演示分红送配）。",
        "将于2026-12-10除权除息，每股派发现金红利（税前）0.20元（2026-11-27，演示分红送配）。",
    }


def test_news_that_names_us_only_in_its_body_is_of_the_industry() -> None:
    rows = [*full_stock(), headline(95, date(2026, 11, 25), "设备需求旺盛", "浦江精工等公司受关注"),
            headline(96, date(2026, 11, 25), "浦江精工被诉专利侵权")]  # fmt: skip
    found = {f.value: f.dimension.value for f in build(rows).facts if f.field == "news.title"}
    assert (found["设备需求旺盛"], found["浦江精工被诉专利侵权"]) == ("行业", "风险")


def test_a_stock_that_never_went_ex_lacks_nothing() -> None:
    none = Missing(kind="adjust_factors", status="NO_DATA", message="m")
    (said,) = [m.message for m in build(full_stock(), unavailable=(none,)).missing if m.kind == "adjust_factors"]
    assert said == "复权因子：已查询，没有记录。没有除权除息的股票没有复权因子，这不是缺口。"


def test_no_record_names_the_window_it_was_looked_for_in() -> None:
    none = Missing(kind="unlocks", status="NO_DATA", message="m")
    pack = build(without("unlocks"), unavailable=(none,))
    (said,) = [m.message for m in pack.missing if m.kind == "unlocks"]
    assert said == "限售解禁：已查询，窗口（近90天至未来180天）内没有记录。"
    old = staged("unlocks", at(date(2026, 5, 1)), unlock_date=date(2026, 7, 22), share_type="首发", unlocked_shares=1e6)
    (said,) = [m.message for m in build(without("unlocks", old), unavailable=(none,)).missing if m.kind == "unlocks"]
    assert said == "限售解禁：窗口（近90天至未来180天）内没有记录；窗口外最近的一条日期为2026-07-22。"


@pytest.mark.parametrize(
    ("title", "sign"),
    [
        ("2026年半年度业绩预增公告", "0"),
        ("2026年前三季度业绩预增公告", "0"),
        ("2026年度业绩预增公告", "+"),
        ("2026年度业绩预亏公告", "-"),
        ("业绩预增公告", "+"),
    ],
)
def test_a_forecast_of_a_period_reported_since_speaks_for_nobody(title: str, sign: str) -> None:
    pack = build([*full_stock(), filing(80, AS_OF, title)])
    told = [fact for fact in pack.facts if fact.field == "announcements.title" and f"《{title}》" in fact.sentence]
    assert [fact.polarity.value for fact in told] == [sign]
