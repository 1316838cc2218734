"""Shapes of holders, money, attention, halts and macro: units, swapped columns, publication."""

from datetime import date, datetime

import polars as pl
import pytest

from flows.errors import DataRejected
from flows.market.sessions import SHANGHAI
from flows.sources.shapes import eastmoney, exchanges
from flows.sources.shapes.eastmoney.capital import window_sessions
from tests.unit.shape_asks import ask


def at(*parts):
    return datetime(*parts, tzinfo=SHANGHAI)


def pledge(**changes):
    row = {
        "序号": 1,
        "股票代码": "000001",
        "股票简称": "平安银行",
        "交易日期": date(2024, 9, 6),
        "所属行业": "银行",
        "质押比例": 12.34,
        "质押股数": 5678.9,
        "质押市值": 53949.6,
        "质押笔数": 12,
        "无限售股质押数": 5000.0,
        "限售股质押数": 678.9,
        "近一年涨跌幅": -3.2,
        "所属行业代码": "BK0475",
    }
    return {**row, **changes}


def test_pledged_ten_thousands_become_shares():
    frame = pl.DataFrame([pledge(), pledge(序号=2, 股票代码="600000")])
    got = eastmoney.pledges(frame, ask("pledges")).row(0, named=True)
    assert (got["pledge_ratio_pct"], got["pledged_shares"], got["pledge_count"]) == (12.34, 56_789_000.0, 12)
    assert got["published_at"] == at(2024, 9, 6, 18, 0)


def test_swapped_pledge_ratio_and_shares_are_refused():
    with pytest.raises(DataRejected, match=r"5678\.9"):
        eastmoney.pledges(pl.DataFrame([pledge(质押比例=5678.9, 质押股数=12.34)]), ask("pledges"))
    with pytest.raises(DataRejected, match="之和"):
        eastmoney.pledges(pl.DataFrame([pledge(质押股数=53949.6, 质押市值=5678.9)]), ask("pledges"))


def trade(**changes):
    row = {
        "代码": "000001",
        "名称": "某某股份",
        "最新价": 9.5,
        "涨跌幅": 0.85,
        "股东名称": "某控股",
        "持股变动信息-增减": "减持",
        "持股变动信息-变动数量": -120.5,
        "持股变动信息-占总股本比例": 1.0,
        "持股变动信息-占流通股比例": 1.1,
        "变动后持股情况-持股总数": 9000.0,
        "变动后持股情况-占总股本比例": 7.1,
        "变动后持股情况-持流通股数": 9000.0,
        "变动后持股情况-占流通股比例": 7.2,
        "变动开始日": date(2024, 5, 20),
        "变动截止日": date(2024, 6, 13),
        "公告日": date(2024, 6, 14),
    }
    return {**row, **changes}


def test_reduction_is_a_positive_number_of_shares_visible_from_its_notice():
    got = eastmoney.holder_trades(pl.DataFrame([trade(), trade(代码="600000")]), ask("holder_trades"))
    row = got.row(0, named=True)
    assert got.height == 1
    assert (row["direction"], row["changed_shares"], row["holding_after_pct"]) == ("减持", 1_205_000.0, 7.1)
    assert row["published_at"] == at(2024, 6, 14)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"持股变动信息-增减": "转让"}, "方向"),
        ({"持股变动信息-增减": "增持"}, "增持数量为负"),
        ({"持股变动信息-占总股本比例": -120.5, "持股变动信息-变动数量": 1.0}, "超过 100%"),
        ({"变动后持股情况-占总股本比例": 9000.0}, "不在 0–100%"),
    ],
)
def test_holder_trades_refuse(changes, says):
    with pytest.raises(DataRejected, match=says):
        eastmoney.holder_trades(pl.DataFrame([trade(**changes)]), ask("holder_trades"))


def batch(day, **changes):
    row = {"序号": 1, "解禁时间": day, "解禁数量": 4.686e7, "占总市值比例": 0.213, "限售股类型": "首发原股东限售股份"}
    return {**row, **changes}


def test_unlock_fraction_becomes_percent_and_is_public_three_sessions_ahead():
    frame = pl.DataFrame([batch(date(2024, 9, 26))])
    row = eastmoney.unlocks(frame, ask("unlocks")).row(0, named=True)
    assert row["unlocked_pct"] == pytest.approx(21.3)
    assert row["published_at"] == at(2024, 9, 23)
    assert eastmoney.unlocks(frame, ask("unlocks", now=at(2024, 9, 20, 20, 0))).is_empty()


def test_unlock_percent_in_place_of_the_fraction_is_refused():
    with pytest.raises(DataRejected, match="0–1"):
        eastmoney.unlocks(pl.DataFrame([batch(date(2024, 9, 26), 占总市值比例=21.3)]), ask("unlocks"))


def test_unlock_beyond_the_known_calendar_is_not_public_yet():
    assert eastmoney.unlocks(pl.DataFrame([batch(date(2027, 5, 18))]), ask("unlocks")).is_empty()


def listed(reason, **changes):
    row = {
        "代码": "000001",
        "上榜日": date(2024, 6, 14),
        "上榜原因": reason,
        "龙虎榜净买额": 1.5e7,
        "龙虎榜买入额": 8e7,
        "龙虎榜卖出额": 6.5e7,
        "涨跌幅": 10.01,
        "上榜后1日": None,
    }
    return {**row, **changes}


def test_one_day_and_three_day_rows_of_one_date_are_two_rows():
    frame = pl.DataFrame(
        [
            listed("日涨幅偏离值达到7%的前5只证券"),
            listed("连续三个交易日内,涨幅偏离值累计达到20%的证券", 龙虎榜净买额=2e7, 龙虎榜卖出额=6e7),
        ]
    )
    got = eastmoney.top_list(frame, ask("top_list"))
    assert sorted(got["window_sessions"]) == [1, 3]
    assert got["published_at"][0] == at(2024, 6, 14, 20, 0)


def test_top_list_net_must_be_buy_minus_sell():
    with pytest.raises(DataRejected, match="净买额"):
        eastmoney.top_list(pl.DataFrame([listed("x", 龙虎榜净买额=8e7, 龙虎榜买入额=1.5e7)]), ask("top_list"))


@pytest.mark.parametrize(
    ("reason", "window"),
    [
        ("日涨幅偏离值达到7%的前5只证券", 1),
        ("连续三个交易日内,涨幅偏离值累计达到20%的证券", 3),
        ("连续3个交易日内日均换手率与前5个交易日的日均换手率的比值达到30倍", 3),
        ("连续10个交易日内收盘价格涨跌幅偏离值累计达到+100%", 10),
        ("连续三十个交易日内涨幅偏离值累计达到+200%", 30),
        ("无价格涨跌幅限制的证券", 1),
    ],
)
def test_window_of_a_reason(reason, window):
    assert pl.DataFrame({"r": [reason]}).select(window_sessions("r")).item() == window


def flow(**changes):
    row = {
        "日期": "2024-06-14",
        "收盘价": 9.5,
        "涨跌幅": 0.85,
        "主力净流入-净额": -12345678.0,
        "主力净流入-净占比": -1.62,
        "超大单净流入-净额": -10000000.0,
        "超大单净流入-净占比": -1.31,
        "大单净流入-净额": -2345678.0,
    }
    return {**row, **changes}


def test_fund_flow_keeps_sign_and_checks_its_parts():
    got = eastmoney.fund_flows(pl.DataFrame([flow()]), ask("fund_flows")).row(0, named=True)
    assert (got["main_net_cny"], got["main_net_pct"]) == (-12345678.0, -1.62)
    with pytest.raises(DataRejected, match="主力净额"):
        eastmoney.fund_flows(pl.DataFrame([flow(**{"主力净流入-净额": -2345678.0})]), ask("fund_flows"))
    with pytest.raises(DataRejected, match="净占比"):
        eastmoney.fund_flows(pl.DataFrame([flow(**{"主力净流入-净占比": -12345678.0})]), ask("fund_flows"))


def test_attention_keeps_sessions_and_gains_only_against_the_day_before():
    days = ["2024-06-13", "2024-06-14", "2024-06-15", "2024-06-17"]
    frame = pl.DataFrame({"时间": days, "排名": [50, 40, 45, 30], "证券代码": ["SZ000001"] * 4})
    got = eastmoney.attention(frame, ask("attention"))
    assert got["trade_date"].to_list() == [date(2024, 6, 13), date(2024, 6, 14), date(2024, 6, 17)]
    assert got["rank_change"].to_list() == [None, 10, None]
    with pytest.raises(DataRejected, match="SH600000"):
        eastmoney.attention(frame.with_columns(证券代码=pl.lit("SH600000")), ask("attention"))


def halt(**changes):
    row = {"序号": 0, "代码": "000001", "停牌时间": date(2024, 4, 26), "停牌截止时间": None, "停牌原因": "重大事项"}
    return {**row, **changes}


def test_halt_is_open_while_it_lasts_and_closed_from_the_day_after():
    frame = pl.DataFrame([halt(停牌截止时间=date(2024, 5, 9))])
    during = eastmoney.suspensions(frame, ask("suspensions", now=at(2024, 5, 6, 20, 0)))
    assert during.select("end_date", "published_at").rows() == [(None, at(2024, 4, 26, 9, 0))]
    later = eastmoney.suspensions(frame, ask("suspensions")).sort("published_at")
    assert later["end_date"].to_list() == [None, date(2024, 5, 9)]
    assert later["published_at"][1] == at(2024, 5, 10)


def test_halt_that_ends_before_it_starts_is_refused():
    with pytest.raises(DataRejected, match="早于"):
        eastmoney.suspensions(pl.DataFrame([halt(停牌截止时间=date(2024, 4, 1))]), ask("suspensions"))


def test_margin_lists_of_all_exchanges_are_public_next_morning():
    sse = pl.DataFrame(
        [
            {
                "信用交易日期": "20240614",
                "标的证券代码": "600000",
                "标的证券简称": "浦发银行",
                "融资余额": 5e6,
                "融资买入额": 222.0,
                "融资偿还额": 111.0,
                "融券余量": 3000.0,
                "融券卖出量": 200.0,
                "融券偿还量": 100.0,
            }
        ]
    )
    row = exchanges.margins(sse, ask("margins", symbol="600000.SH")).row(0, named=True)
    assert (row["margin_balance_cny"], row["short_volume_shares"]) == (5e6, 3000.0)
    assert row["published_at"] == at(2024, 6, 17, 9, 0)
    szse = pl.DataFrame(
        [
            {
                "证券代码": "000001",
                "证券简称": "平安银行",
                "融资买入额": 1234567.0,
                "融资余额": 5678901.0,
                "融券卖出量": 100.0,
                "融券余量": 2000.0,
                "融券余额": 19000.0,
                "融资融券余额": 5697901.0,
                "查询日期": "20240614",
            }
        ]
    )
    assert exchanges.margins(szse, ask("margins")).row(0, named=True)["margin_buy_cny"] == 1234567.0
    with pytest.raises(DataRejected, match="查询日期"):
        exchanges.margins(szse.drop("查询日期"), ask("margins"))
    with pytest.raises(DataRejected, match="为负"):
        exchanges.margins(szse.with_columns(融资余额=pl.lit(-1.0)), ask("margins"))


def test_stock_without_margin_trading_has_no_row():
    szse = pl.DataFrame(
        [{"证券代码": "000002", "融资买入额": 1.0, "融资余额": 1.0, "融券余量": 0.0, "查询日期": "20240614"}]
    )
    assert exchanges.margins(szse, ask("margins")).is_empty()


def test_macro_values_are_visible_only_when_they_surely_were_published():
    pmi = pl.DataFrame([{"月份": "2024年08月份", "制造业-指数": 49.1, "制造业-同比增长": -0.6, "非制造业-指数": 50.3}])
    cpi = pl.DataFrame([{"月份": "2024年08月份", "全国-当月": 100.6, "全国-同比增长": 0.6}])
    lpr = pl.DataFrame(
        {
            "TRADE_DATE": [date(2024, 9, 20), date(2013, 10, 25)],
            "LPR1Y": [3.35, 5.71],
            "LPR5Y": [3.85, None],
            "RATE_1": [4.35, 6.0],
            "RATE_2": [4.9, 6.55],
        }
    )
    got = {
        (r["indicator"], r["period"]): (r["value"], r["published_at"])
        for frame in (pmi, cpi, lpr)
        for r in eastmoney.macro(frame, ask("macro", symbol=None)).rows(named=True)
    }
    august, september = date(2024, 8, 31), date(2024, 9, 30)
    assert got == {
        ("PMI", august): (49.1, at(2024, 9, 2)),
        ("PMI_NON_MANUFACTURING", august): (50.3, at(2024, 9, 2)),
        ("CPI", august): (0.6, at(2024, 9, 17)),
        ("LPR1Y", september): (3.35, at(2024, 9, 20, 9, 30)),
        ("LPR5Y", september): (3.85, at(2024, 9, 20, 9, 30)),
    }


def test_macro_refuses_unknown_columns_unreadable_months_and_swapped_indices():
    with pytest.raises(DataRejected, match="认不出"):
        eastmoney.macro(pl.DataFrame({"月份": ["2024年08月份"]}), ask("macro", symbol=None))
    with pytest.raises(DataRejected, match="period"):
        eastmoney.macro(pl.DataFrame([{"月份": "2024Q3", "全国-同比增长": 0.6}]), ask("macro", symbol=None))
    with pytest.raises(DataRejected, match="合理范围"):
        eastmoney.macro(pl.DataFrame([{"月份": "2024年08月份", "全国-同比增长": 100.6}]), ask("macro", symbol=None))
