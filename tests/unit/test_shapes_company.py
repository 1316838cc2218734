"""Shapes of reports, forecasts, dividends, sell-side reports and peers."""

from datetime import date, datetime

import polars as pl
import pytest

from flows.errors import DataRejected
from flows.market.sessions import SHANGHAI
from flows.sources.shapes import baostock, cninfo, eastmoney, exchanges
from tests.unit.shape_asks import NOW, ask


def at(year, month, day, hour=0, minute=0):
    return datetime(year, month, day, hour, minute, tzinfo=SHANGHAI)


def report(**changes):
    row = {
        "SECUCODE": "000001.SZ",
        "REPORT_DATE": "2024-03-31 00:00:00",
        "NOTICE_DATE": "2024-04-20 00:00:00",
        "UPDATE_DATE": "2024-04-20 00:00:00",
        "TOTALOPERATEREVE": 3.9e10,
        "TOTALOPERATEREVETZ": -14.0,
        "PARENTNETPROFIT": 1.49e10,
        "PARENTNETPROFITTZ": 2.3,
        "KCFJCXSYJLR": 1.48e10,
        "EPSJB": 0.66,
        "BPS": 21.6,
        "ROEJQ": 3.37,
        "XSMLL": None,
        "XSJLL": 38.2,
        "ZCFZL": 91.5,
        "NETCASH_OPERATE_PK": 5e9,
        "ANOTHER": 1,
    }
    return {**row, **changes}


def test_report_is_visible_from_its_notice_and_absent_values_stay_null():
    got = eastmoney.financial_indicators(pl.DataFrame([report()]), ask("financial_indicators")).row(0, named=True)
    assert (got["report_period"], got["notice_date"]) == (date(2024, 3, 31), date(2024, 4, 20))
    assert got["published_at"] == at(2024, 4, 20)
    assert (got["net_profit_cny"], got["gross_margin_pct"], got["revenue_yoy_pct"]) == (1.49e10, None, -14.0)


def test_book_value_is_not_visible_before_the_report_is_published():
    july = at(2024, 7, 15, 20)
    half_year = report(
        REPORT_DATE="2024-06-30 00:00:00", NOTICE_DATE="2024-08-16 00:00:00", UPDATE_DATE="2024-08-16 00:00:00"
    )
    frame = pl.DataFrame([report(), half_year])
    seen = eastmoney.financial_indicators(frame, ask("financial_indicators", now=july))
    assert seen["report_period"].to_list() == [date(2024, 3, 31)]


def test_restated_values_are_visible_from_the_restatement_on():
    restated = report(UPDATE_DATE="2024-08-16 00:00:00")
    before, after = at(2024, 8, 1), at(2024, 8, 16, 9)
    frame = pl.DataFrame([restated])
    assert eastmoney.financial_indicators(frame, ask("financial_indicators", now=before)).is_empty()
    assert eastmoney.financial_indicators(frame, ask("financial_indicators", now=after)).height == 1


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"SECUCODE": "600000.SH"}, "600000.SH"),
        ({"REPORT_DATE": "2024-03-30 00:00:00"}, "季度末"),
        ({"NOTICE_DATE": "2024-03-30 00:00:00"}, "早于报告期末"),
        ({"XSMLL": 3.9e10}, "毛利率"),
        ({"ZCFZL": -3.0}, "资产负债率"),
        ({"PARENTNETPROFIT": "一亿"}, "不是数字"),
    ],
)
def test_reports_refuse(changes, says):
    with pytest.raises(DataRejected, match=says):
        eastmoney.financial_indicators(pl.DataFrame([report(**changes)]), ask("financial_indicators"))


def test_report_without_its_profit_column_is_schema_drift():
    with pytest.raises(DataRejected, match="PARENTNETPROFIT"):
        eastmoney.financial_indicators(pl.DataFrame([report()]).drop("PARENTNETPROFIT"), ask("financial_indicators"))


def forecast(**changes):
    row = {
        "序号": 1,
        "股票代码": "000001",
        "股票简称": "平安银行",
        "预测指标": "归属于上市公司股东的净利润",
        "业绩变动": "预计...",
        "预测数值": 1.9e8,
        "业绩变动幅度": 55.5,
        "业绩变动原因": "...",
        "预告类型": "预增",
        "上年同期值": 1.2e8,
        "公告日期": date(2024, 7, 10),
        "查询日期": "20240630",
    }
    return {**row, **changes}


def test_forecast_takes_its_period_from_the_question_and_drops_the_rest_of_the_market():
    frame = pl.DataFrame([forecast(), forecast(序号=2, 股票代码="600000")])
    got = eastmoney.earnings_forecasts(frame, ask("earnings_forecasts")).rows(named=True)
    assert [(r["report_period"], r["value_low_cny"], r["prior_value_cny"]) for r in got] == [
        (date(2024, 6, 30), 1.9e8, 1.2e8)
    ]


def test_a_revision_is_a_further_notice():
    frame = pl.DataFrame([forecast(), forecast(序号=2, 预测数值=1.5e8, 公告日期=date(2024, 7, 20))])
    assert eastmoney.earnings_forecasts(frame, ask("earnings_forecasts"))["value_low_cny"].to_list() == [1.9e8, 1.5e8]


def test_forecast_without_the_asked_period_is_refused():
    with pytest.raises(DataRejected, match="查询日期"):
        eastmoney.earnings_forecasts(pl.DataFrame([forecast()]).drop("查询日期"), ask("earnings_forecasts"))


def test_baostock_forecast_bounds_are_checked():
    row = {
        "code": "sz.000001",
        "profitForcastExpPubDate": "2024-07-10",
        "profitForcastExpStatDate": "2024-06-30",
        "profitForcastType": "预增",
        "profitForcastAbstract": "预计…",
        "profitForcastChgPctUp": "60.0",
        "profitForcastChgPctDwn": "50.0",
    }
    got = baostock.earnings_forecasts(pl.DataFrame([row]), ask("earnings_forecasts")).row(0, named=True)
    assert (got["change_low_pct"], got["change_high_pct"], got["value_low_cny"]) == (50.0, 60.0, None)
    swapped = {**row, "profitForcastChgPctUp": "50.0", "profitForcastChgPctDwn": "60.0"}
    with pytest.raises(DataRejected, match="下限大于上限"):
        baostock.earnings_forecasts(pl.DataFrame([swapped]), ask("earnings_forecasts"))


def sell_side(year, **changes):
    row = {
        "序号": 1,
        "股票代码": "000001",
        "股票简称": "平安银行",
        "报告名称": "一季报点评",
        "东财评级": "买入",
        "机构": "某证券",
        "近一月个股研报数": 7,
        f"{year}-盈利预测-收益": 2.3,
        f"{year}-盈利预测-市盈率": 4.5,
        f"{year + 1}-盈利预测-收益": 2.4,
        f"{year + 1}-盈利预测-市盈率": 4.2,
        f"{year + 2}-盈利预测-收益": 2.6,
        f"{year + 2}-盈利预测-市盈率": 3.9,
        "行业": "银行",
        "日期": date(2024, 4, 21),
        "报告PDF链接": "https://pdf.dfcfw.com/pdf/H3_AP202404211630000001_1.pdf",
    }
    return {**row, **changes}


def test_forecast_years_follow_from_the_report_not_from_todays_label():
    old = sell_side(2026, 日期=date(2023, 4, 21), 报告PDF链接="https://x/H3_AP202304211630000001_1.pdf")
    got = eastmoney.research_reports(pl.DataFrame([sell_side(2026), old]), ask("research_reports"))
    years = dict(got.select("report_date", "forecast_year").rows())
    assert years == {date(2024, 4, 21): 2024, date(2023, 4, 21): 2023}
    assert got["eps_year_0_cny"].to_list() == [2.3, 2.3]
    assert got["abstract"].null_count() == 2


def test_report_without_forecast_has_no_year_and_repeats_count_once():
    frame = pl.DataFrame([sell_side(2024, **{"2024-盈利预测-收益": None})] * 2)
    got = eastmoney.research_reports(frame, ask("research_reports")).rows(named=True)
    assert [(r["report_id"], r["forecast_year"]) for r in got] == [("AP202404211630000001", None)]


def test_research_refuses_another_stock_and_missing_year_columns():
    with pytest.raises(DataRejected, match="600000"):
        eastmoney.research_reports(pl.DataFrame([sell_side(2024, 股票代码="600000")]), ask("research_reports"))
    with pytest.raises(DataRejected, match="盈利预测"):
        eastmoney.research_reports(pl.DataFrame([{"股票代码": "000001"}]), ask("research_reports"))


def plan(**changes):
    row = {
        "实施方案公告日期": date(2024, 6, 6),
        "分红类型": "年度分红",
        "送股比例": None,
        "转增比例": 2.0,
        "派息比例": 7.19,
        "股权登记日": date(2024, 6, 13),
        "除权日": date(2024, 6, 14),
        "派息日": date(2024, 6, 14),
        "股份到账日": None,
        "实施方案分红说明": "10转增2股派7.19元(含税)",
        "报告时间": "2023年报",
    }
    return {**row, **changes}


def test_cninfo_dividends_are_per_share_and_two_plans_of_one_day_add_up():
    special = plan(转增比例=None, 派息比例=1.0, 实施方案分红说明="特别分红10派1元")
    got = cninfo.corporate_actions(pl.DataFrame([plan(), special]), ask("corporate_actions")).row(0, named=True)
    assert (got["ex_date"], got["bonus_ratio"], got["rights_ratio"]) == (date(2024, 6, 14), 0.2, 0.0)
    assert got["cash_cny"] == pytest.approx(0.819)
    assert got["published_at"] == at(2024, 6, 6)


def test_plan_without_ex_date_is_no_action_yet():
    assert cninfo.corporate_actions(pl.DataFrame([plan(), plan(除权日=None)]), ask("corporate_actions")).height == 1


def test_cninfo_rights_issue():
    row = {
        "证券代码": "000001",
        "除权基准日": date(2024, 3, 6),
        "配股比例": 3.0,
        "配股价格": 8.0,
        "公告日期": date(2024, 2, 20),
    }
    got = cninfo.corporate_actions(pl.DataFrame([row]), ask("corporate_actions")).row(0, named=True)
    assert (got["rights_ratio"], got["rights_price_cny"], got["cash_cny"]) == (0.3, 8.0, 0.0)


@pytest.mark.parametrize(
    "changes", [{"派息比例": -1.0}, {"实施方案公告日期": date(2024, 7, 6)}, {"实施方案公告日期": None}]
)
def test_dividends_refuse(changes):
    with pytest.raises(DataRejected):
        cninfo.corporate_actions(pl.DataFrame([plan(**changes)]), ask("corporate_actions"))


def east_money_plan(**changes):
    row = dict.fromkeys(
        (
            "报告期",
            "业绩披露日期",
            "现金分红-股息率",
            "每股收益",
            "每股净资产",
            "每股公积金",
            "每股未分配利润",
            "净利润同比增长",
            "总股本",
            "预案公告日",
            "股权登记日",
            "送转股份-送股比例",
        ),
        None,
    )
    row |= {
        "送转股份-送转总比例": 2.0,
        "送转股份-转股比例": 2.0,
        "现金分红-现金分红比例": 7.19,
        "方案进度": "实施分配",
        "现金分红-现金分红比例描述": "10转2派7.19元",
        "除权除息日": date(2024, 6, 14),
        "最新公告日期": date(2024, 6, 6),
    }
    return {**row, **changes}


def test_east_money_dividends_keep_carried_out_plans_only_and_check_the_sum():
    frame = pl.DataFrame([east_money_plan(), east_money_plan(方案进度="预案")])
    got = eastmoney.corporate_actions(frame, ask("corporate_actions")).row(0, named=True)
    assert (got["bonus_ratio"], got["cash_cny"]) == (0.2, pytest.approx(0.719))
    with pytest.raises(DataRejected, match="送转总比例"):
        eastmoney.corporate_actions(
            pl.DataFrame([east_money_plan(**{"送转股份-送转总比例": 7.19})]), ask("corporate_actions")
        )


def peer(code, name, pe, pb):
    return {"排名": "1", "代码": code, "简称": name, "市盈率-TTM": pe, "市净率-MRQ": pb, "PEG": None}


def test_peers_leave_out_the_company_and_the_averages_and_are_of_the_due_session():
    frame = pl.DataFrame(
        [
            peer("000001", "平安银行", 4.1, 0.43),
            peer("600000", "浦发银行", 6.0, 0.4),
            peer("920002", "万达轴承", -8.0, 2.2),
            peer("行业平均", "行业平均", 5.0, 0.5),
        ]
    )
    got = eastmoney.peers(frame, ask("peers"))
    assert dict(got.select("peer_symbol", "pe_ttm").rows()) == {"600000.SH": 6.0, "920002.BJ": -8.0}
    assert set(got["trade_date"]) == {date(2024, 9, 30)}
    morning = NOW.replace(hour=10)
    assert set(eastmoney.peers(frame, ask("peers", now=morning))["trade_date"]) == {date(2024, 9, 27)}


def test_peers_of_another_company_are_refused():
    with pytest.raises(DataRejected, match="没有该公司"):
        eastmoney.peers(pl.DataFrame([peer("600000", "浦发银行", 6.0, 0.4)]), ask("peers"))


def test_exchange_lists_give_board_industry_and_clean_names():
    szse = pl.DataFrame(
        {
            "板块": ["主板"],
            "A股代码": ["000002"],
            "A股简称": ["万  科Ａ"],
            "A股上市日期": ["1991-01-29"],
            "A股总股本": ["9,724,196,533"],
            "A股流通股本": ["9,717,000,000"],
            "所属行业": ["K 房地产"],
        }
    )
    got = exchanges.instruments(szse, ask("instruments", symbol=None)).row(0, named=True)
    assert (got["symbol"], got["name"], got["board"], got["industry"]) == ("000002.SZ", "万科A", "main", "房地产")
    bse = pl.DataFrame(
        {
            "证券代码": ["920002"],
            "证券简称": ["万达轴承"],
            "总股本": [1.0],
            "流通股本": [1.0],
            "上市日期": [date(2024, 5, 30)],
            "所属行业": ["通用设备"],
            "地区": ["江苏"],
            "报告日期": [None],
        }
    )
    assert exchanges.instruments(bse, ask("instruments", symbol=None))["board"].to_list() == ["bse"]
    with pytest.raises(DataRejected, match="认不出"):
        exchanges.instruments(pl.DataFrame({"code": ["1"]}), ask("instruments", symbol=None))
