"""Filings in the shape of cninfo's list, forecasts and sell-side reports in East Money's."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from .facts import World, moved, yi

_PERIOD_TITLES = {3: "第一季度报告", 6: "半年度报告", 9: "第三季度报告", 12: "年度报告"}
_Q3, _H1, _A25, _A26 = date(2026, 9, 30), date(2026, 6, 30), date(2025, 12, 31), date(2026, 12, 31)
#: Filings are kept from here on; the desk looks back one year.
_SINCE = date(2025, 10, 1)

#: symbol → (publication "date[ time]", title, cninfo category).
EVENTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "605901.SH": (
        ("2026-01-12 18:05:00", "关于以集中竞价交易方式回购公司股份方案的公告", "日常经营"),
        ("2026-02-03 17:40:00", "关于首次回购公司股份的公告", "日常经营"),
        ("2026-03-27 19:02:11", "关于2025年度利润分配方案的公告", "权益分派"),
        ("2026-05-08", "2025年年度股东大会决议公告", "股东大会"),
        ("2026-07-03 17:20:00", "关于股份回购实施结果暨股份变动的公告", "日常经营"),
        ("2026-09-18 18:31:00", "关于控股股东增持公司股份计划的公告", "股权变动"),
        ("2026-11-12 17:55:00", "关于控股股东增持公司股份进展的公告", "股权变动"),
        ("2026-11-24 18:10:00", "关于召开2026年第三季度业绩说明会的公告", ""),
        ("2026-11-26 18:22:00", "关于全资子公司签订重大销售合同的公告", "日常经营"),
    ),
    "003901.SZ": (
        ("2026-01-30 18:40:00", "2025年度业绩预减公告", "业绩预告"),
        ("2026-06-25", "2025年年度权益分派实施公告", "权益分派"),
        ("2026-08-21 18:15:00", "关于持股5%以上股东减持股份的预披露公告", "股权变动"),
        ("2026-10-16 17:32:00", "关于持股5%以上股东减持股份比例达到1%的公告", "股权变动"),
        ("2026-11-18 18:00:00", "关于收到《民事判决书》暨诉讼进展的公告", "日常经营"),
        ("2026-11-25 19:10:00", "关于股东减持计划实施完毕的公告", "股权变动"),
        ("2026-11-27 18:45:00", "关于以集中竞价交易方式回购公司股份方案的公告", "日常经营"),
    ),
    "605902.SH": (
        ("2026-02-26 17:30:00", "关于签订特高压配套电源项目合同的公告", "日常经营"),
        ("2026-06-05", "2025年年度权益分派实施公告", "权益分派"),
        ("2026-07-17 18:02:00", "2026年半年度业绩预增公告", "业绩预告"),
        ("2026-09-29 17:45:00", "关于为控股子公司提供担保的公告", ""),
        ("2026-10-22 18:30:00", "关于公司公开发行公司债券获得注册批复的公告", "公司债"),
        ("2026-11-20 18:05:00", "关于收购某水电公司51%股权的公告", "日常经营"),
        ("2026-11-26 17:28:00", "关于股权收购完成工商变更登记的公告", "日常经营"),
    ),
    "003902.SZ": (
        ("2026-01-22 18:20:00", "关于控股股东部分股份质押的公告", "股权变动"),
        ("2026-03-19 17:50:00", "2026年限制性股票激励计划（草案）", "股权激励"),
        ("2026-05-14 18:11:00", "关于向激励对象首次授予限制性股票的公告", "股权激励"),
        ("2026-07-14 19:00:00", "2026年半年度业绩预告", "业绩预告"),
        ("2026-08-06 18:25:00", "关于控股股东部分股份解除质押及再质押的公告", "股权变动"),
        ("2026-10-13 18:40:00", "2026年前三季度业绩预告", "业绩预告"),
        ("2026-11-18 20:05:00", "关于签订光伏组件重大销售合同的公告", "日常经营"),
        ("2026-11-20 19:12:00", "股票交易异常波动公告", "风险提示"),
        ("2026-11-23 18:33:00", "关于收到深圳证券交易所关注函的公告", ""),
        ("2026-11-24 18:15:00", "2026年度业绩预告", "业绩预告"),
        ("2026-11-26 19:40:00", "关于对深圳证券交易所关注函回复的公告", ""),
        ("2026-11-27 18:50:00", "关于控股股东股份补充质押的公告", "股权变动"),
    ),
    "688996.SH": (
        ("2026-02-27 18:00:00", "2025年度业绩快报公告", "业绩预告"),
        ("2026-04-09 17:41:00", "2023年限制性股票激励计划第二个归属期归属结果暨股份上市的公告", "股权激励"),
        ("2026-07-16", "首次公开发行战略配售限售股上市流通公告", "解禁"),
        ("2026-09-10 18:36:00", "股东询价转让计划书", "股权变动"),
        ("2026-11-05 18:20:00", "关于获得客户定点通知的自愿性披露公告", "日常经营"),
        ("2026-11-24 18:12:00", "关于涉及专利诉讼的公告", "日常经营"),
        ("2026-11-26 18:30:00", "关于大股东减持计划时间过半的进展公告", "股权变动"),
    ),
    "301901.SZ": (
        ("2026-01-20 18:15:00", "2025年度业绩预告", "业绩预告"),
        ("2026-05-14", "2025年年度权益分派实施公告", "权益分派"),
        ("2026-07-13 18:08:00", "2026年半年度业绩预增公告", "业绩预告"),
        ("2026-09-22 18:45:00", "关于控股股东减持股份的预披露公告", "股权变动"),
        ("2026-10-29 18:52:00", "股票交易异常波动公告", "风险提示"),
        ("2026-11-17 18:00:00", "关于签署战略合作框架协议的公告", "日常经营"),
        ("2026-11-20 18:06:00", "2026年度业绩预告的自愿性披露公告", "业绩预告"),
        ("2026-11-25 18:18:00", "关于部分限售股份解除限售上市流通的提示性公告", "解禁"),
        ("2026-11-27 19:05:00", "股票交易风险提示公告", "风险提示"),
    ),
    "302903.SZ": (
        ("2026-03-06 17:35:00", "关于项目中标的公告", "日常经营"),
        ("2026-06-18", "2025年年度权益分派实施公告", "权益分派"),
        ("2026-08-12 18:00:00", "第一期员工持股计划（草案）", "股权激励"),
        ("2026-10-09 18:26:00", "关于员工持股计划完成股票购买的公告", "股权激励"),
        ("2026-11-13 18:10:00", "关于收到中标通知书的公告", "日常经营"),
        ("2026-11-19 18:24:00", "关于持股5%以上股东减持股份的预披露公告", "股权变动"),
        ("2026-11-24 18:30:00", "关于重大合同终止的公告", "日常经营"),
        ("2026-11-26 18:05:00", "关于使用闲置自有资金进行现金管理的公告", ""),
    ),
    "920991.BJ": (
        ("2026-02-26 17:22:00", "2025年年度业绩快报公告", "业绩预告"),
        ("2026-06-17", "2025年年度权益分派实施公告", "权益分派"),
        ("2026-09-16 18:30:00", "股票交易异常波动公告", "风险提示"),
        ("2026-11-10 17:48:00", "关于公司签订重大合同的公告", "日常经营"),
        ("2026-11-25 18:20:00", "股东及董监高减持股份结果公告", "股权变动"),
    ),
    "605903.SH": (
        ("2026-03-06 20:10:00", "关于筹划发行股份购买资产事项的停牌公告", ""),
        ("2026-03-20 21:15:00", "发行股份及支付现金购买资产并募集配套资金暨关联交易预案", ""),
        ("2026-07-02", "2025年年度权益分派实施公告", "权益分派"),
        ("2026-08-05 18:44:00", "关于发行股份购买资产申请的审核问询函之回复报告", ""),
        ("2026-10-20 18:30:00", "关于终止重大资产重组的公告", ""),
        ("2026-11-19 19:30:00", "关于公司涉及仲裁的公告", "日常经营"),
        ("2026-11-25 18:36:00", "关于收到上海证券交易所监管工作函的公告", ""),
        ("2026-11-26 17:58:00", "关于药品集中带量采购中标结果的公告", "日常经营"),
    ),
    "001991.SZ": (
        ("2026-01-28 19:20:00", "2025年度业绩预亏公告", "业绩预告"),
        ("2026-04-28 21:40:00", "关于公司股票被实施退市风险警示暨停牌的公告", "特别处理和退市"),
        ("2026-05-19 18:30:00", "关于收到行政处罚事先告知书的公告", ""),
        ("2026-06-12 18:00:00", "关于债务逾期的公告", "风险提示"),
        ("2026-07-14 18:55:00", "2026年半年度业绩预告", "业绩预告"),
        ("2026-08-27 18:20:00", "关于控股股东股份被司法冻结的公告", "股权变动"),
        ("2026-10-14 18:35:00", "关于公司股票可能被终止上市的第三次风险提示公告", "风险提示"),
        ("2026-11-11 18:40:00", "关于重大诉讼的公告", "日常经营"),
        ("2026-11-20 18:40:00", "2026年度业绩预亏的提示性公告", "业绩预告"),
        ("2026-11-25 19:15:00", "关于公司股票可能被终止上市的第四次风险提示公告", "风险提示"),
        ("2026-11-27 19:30:00", "关于深圳证券交易所问询函回复的公告", ""),
    ),
    "605904.SH": (
        ("2026-06-16", "2025年年度权益分派实施公告", "权益分派"),
        ("2026-11-03 18:00:00", "关于高炉检修停产的提示性公告", "日常经营"),
    ),
    "301902.SZ": (("2026-11-17", "首次公开发行股票并在创业板上市之上市公告书", "首发"),),
}
#: A filing of the morning after: nothing may see it on the sample's last evening.
FUTURE = {"605901.SH": ("2026-11-28", "关于董事长辞职的公告", ""), "003902.SZ": ("2026-11-28", "关于重大合同进展的公告", "")}
#: A stranger's filing tagged with our code (it must be quarantined).
STRANGER = ("605903.SH", "2026-11-18 18:00:00", "灵台生物：关于收到立案告知书的公告", "灵台生物")


def announcements(world: World, first_id: int) -> list[dict[str, str]]:
    """The company's filings, newest first."""
    company = world.company
    rows = [(at, title, category) for at, title, category in EVENTS.get(company.symbol, ())]
    rows += [(r.notice.isoformat(), _report_title(r.period), _report_category(r.period))
             for r in world.reports if r.notice >= _SINCE and company.code != "301902"]  # fmt: skip
    if company.symbol in FUTURE:
        rows.append(FUTURE[company.symbol])
    listed = [_filing(world, first_id + i, at, title, category) for i, (at, title, category) in enumerate(sorted(rows))]
    if company.symbol == STRANGER[0]:
        listed.append({**_filing(world, first_id + 90, STRANGER[1], STRANGER[2], ""), "简称": STRANGER[3]})
    return sorted(listed, key=lambda row: row["公告时间"], reverse=True)


def _report_title(period: date) -> str:
    return f"{period.year}年{_PERIOD_TITLES[period.month]}"


def _report_category(period: date) -> str:
    return {3: "一季报", 6: "半年报", 9: "三季报", 12: "年报"}[period.month]


def _filing(world: World, number: int, at: str, title: str, category: str) -> dict[str, str]:
    at = at if " " in at else f"{at} 00:00:00"
    day = datetime.fromisoformat(at).date()
    link = f"http://demo.invalid/new/disclosure/detail?stockCode={world.company.code}&announcementId={number}"
    return {"代码": world.company.code, "简称": world.company.name_on(day), "公告标题": title, "公告时间": at,
            "公告链接": f"{link}&orgId=demo{world.company.code}", "公告类别": category}  # fmt: skip


#: symbol → (period, notice day, type): forecasts that were made, checked against the report that followed.
FORECASTS: dict[str, tuple[tuple[date, str, str], ...]] = {
    "003901.SZ": ((_A25, "2026-01-30", "预减"),),
    "605902.SH": ((_H1, "2026-07-17", "预增"),),
    "003902.SZ": ((_H1, "2026-07-14", "略增"), (_Q3, "2026-10-13", "略增"), (_A26, "2026-11-24", "略增")),
    "301901.SZ": ((_A25, "2026-01-20", "预增"), (_H1, "2026-07-13", "预增"), (_A26, "2026-11-20", "预增")),
    "688996.SH": ((_A25, "2026-02-27", "减亏"),),
    "001991.SZ": ((_A25, "2026-01-28", "增亏"), (_H1, "2026-07-14", "减亏"), (_A26, "2026-11-20", "减亏")),
}
_REASONS = {
    "预减": "终端需求偏弱、原料成本上升，产品售价下调。", "预增": "在手项目集中交付，规模效应显现。", "略增": "出货量增加，但产品价格同比回落。",
    "减亏": "收入规模扩大，费用率下降，但研发投入仍处高位。", "增亏": "主要产品价格下跌，并计提资产减值准备。",
}  # fmt: skip
#: Reasons of a company whose story differs from its forecast type's usual one.
_OWN_REASONS = {("001991.SZ", "减亏"): "主要产品价差小幅修复、费用压降，资产减值损失同比减少；收入仍同比下降。"}


def forecasts(world: World) -> list[dict[str, object]]:
    """Forecast rows; the stated value is the later figure rounded to half a million."""
    rows = []
    for period, notice, kind in FORECASTS.get(world.company.symbol, ()):
        prior = world.flow("profit", period.replace(year=period.year - 1))
        value = round(_expected(world, period) / 5e5) * 5e5
        change = 100 * (value - prior) / abs(prior)
        reason = _OWN_REASONS.get((world.company.symbol, kind), _REASONS[kind])
        words = f"预计{_period_words(period)}归属于上市公司股东的净利润{_profit_words(value)},{_change_words(value, prior)}。"
        rows.append({"股票代码": world.company.code, "股票简称": world.company.name_on(date.fromisoformat(notice)),
                     "预测指标": "归属于上市公司股东的净利润", "业绩变动": words, "预测数值": value,
                     "业绩变动幅度": round(change, 2), "业绩变动原因": reason, "预告类型": kind, "上年同期值": prior,
                     "公告日期": notice, "查询日期": period.strftime("%Y%m%d")})  # fmt: skip
    return rows


def _expected(world: World, period: date) -> float:
    """The later figure; for a year not yet over, three quarters plus last year's fourth at their growth."""
    if period != _A26:
        return world.flow("profit", period)
    done, before = world.flow("profit", _Q3), world.flow("profit", date(2025, 9, 30))
    fourth = world.reports[world.report(_A25)].profit
    return done + fourth + abs(fourth) * (done - before) / abs(before) * 0.9


def _period_words(period: date) -> str:
    return f"{period.year}年" + {3: "1-3月", 6: "1-6月", 9: "1-9月", 12: "1-12月"}[period.month]


def _change_words(value: float, prior: float) -> str:
    percent = 100 * (value - prior) / abs(prior)
    if value < 0 and prior < 0:
        return f"亏损{'收窄' if percent >= 0 else '扩大'}{abs(percent):.2f}%"
    return f"同比{moved(percent)}"


def _profit_words(value: float) -> str:
    return f"盈利{yi(value)}" if value >= 0 else f"亏损{yi(-value)}"


#: symbol → (report day, broker, rating, title, abstract template).
REPORTS: dict[str, tuple[tuple[str, str, str, str, str], ...]] = {
    "605901.SH": (
        ("2026-11-02", "演示证券", "买入", "三季报点评：增速放缓，现金流承压", "前三季度营收{revenue}，同比{revenue_g}；归母净利润{profit_g}。预计{y0}年EPS为{e0:.2f}元、{y1}年{e1:.2f}元，认为估值已反映增速放缓。"),
        ("2026-09-01", "样例证券", "增持", "中报点评：费用投放加大", "渠道投入增加，预计{y0}年EPS为{e0:.2f}元。"),
    ),
    "003901.SZ": (("2026-11-03", "样例证券", "中性", "三季报点评：需求仍在探底", "前三季度归母净利润{profit_g}，毛利率继续下行；经营现金流好于利润。预计{y0}年EPS为{e0:.2f}元。"),),
    "605902.SH": (
        ("2026-11-04", "演示证券", "增持", "三季报点评：来水偏丰，利润超预期", "前三季度归母净利润{profit_g}，预计{y0}年EPS为{e0:.2f}元、{y1}年{e1:.2f}元。"),
        ("2026-11-23", "虚拟投资", "买入", "收购水电资产点评", "收购完成后权益装机增加，但资产负债率仍在上行。预计{y0}年EPS为{e0:.2f}元。"),
    ),
    "003902.SZ": (
        ("2026-11-19", "虚拟投资", "买入", "重大合同点评：订单能见度提升", "公司公告重大销售合同，{y1}年EPS预计{e1:.2f}元；提示经营现金流为负。"),
        ("2026-11-02", "演示证券", "中性", "三季报点评：盈利修复但质量一般", "前三季度归母净利润{profit_g}，经营现金流{cash}。预计{y0}年EPS为{e0:.2f}元。"),
    ),
    "688996.SH": (("2026-11-02", "样例证券", "增持", "三季报点评：亏损收窄", "前三季度营收{revenue}，同比{revenue_g}；仍处亏损。预计{y0}年EPS为{e0:.2f}元。"),),
    "301901.SZ": (
        ("2026-10-30", "演示证券", "买入", "三季报点评：高增长延续", "前三季度营收同比{revenue_g}，归母净利润{profit_g}。预计{y0}年EPS为{e0:.2f}元、{y1}年{e1:.2f}元。"),
        ("2026-11-20", "样例证券", "增持", "回款放缓需要跟踪", "经营现金流{cash}，明显低于净利润；预计{y0}年EPS为{e0:.2f}元。"),
    ),
    "302903.SZ": (("2026-11-16", "虚拟投资", "增持", "中标点评", "中标项目金额占上年营收比重有限；预计{y0}年EPS为{e0:.2f}元。"),),
    "605903.SH": (("2026-11-03", "样例证券", "中性", "三季报点评：集采影响持续", "前三季度归母净利润{profit_g}，毛利率下行。预计{y0}年EPS为{e0:.2f}元。"),),
}  # fmt: skip


def research(world: World) -> list[dict[str, object]]:
    """Sell-side reports with forecasts spun from the trailing profit."""
    rows = []
    listed = [*REPORTS.get(world.company.symbol, ()), *_half_year_report(world)]
    for number, (day, broker, rating, title, words) in enumerate(listed):
        last = date.fromisoformat(day)
        seen = [r for r in world.reports if r.notice <= last]
        eps = sum(r.profit for r in seen[-4:]) / seen[-1].shares
        period = seen[-1].period
        this, following = round(eps * 1.03 + 0.01, 2), round(eps * 1.12 + 0.03, 2)
        text = words.format(
            revenue=yi(world.flow("revenue", period)), revenue_g=moved(world.growth("revenue", period)),
            profit_g=world.profit_change(period), cash=yi(world.flow("operating_cash", period)),
            y0=last.year, y1=last.year + 1, e0=this, e1=following,
        )  # fmt: skip
        code = f"AP2026{last:%m%d}{world.company.code}{number}"
        rows.append({"序号": number + 1, "股票代码": world.company.code, "股票简称": world.company.name, "报告名称": title,
                     "东财评级": rating, "机构": broker, "近一月个股研报数": 1, "2026-盈利预测-收益": this,
                     "2026-盈利预测-市盈率": None, "2027-盈利预测-收益": following, "2027-盈利预测-市盈率": None,
                     "2028-盈利预测-收益": None, "2028-盈利预测-市盈率": None, "行业": world.company.industry, "日期": day,
                     "报告PDF链接": f"https://demo.invalid/pdf/H3_{code}_1.pdf", "摘要": text})  # fmt: skip
    return rows


def _half_year_report(world: World) -> list[tuple[str, str, str, str, str]]:
    """One report after the half-year figures for companies that brokers follow."""
    if world.company.symbol not in REPORTS:
        return []
    notice = world.reports[world.report(_H1)].notice
    words = "上半年营收{revenue}，同比{revenue_g}；归母净利润{profit_g}。预计{y0}年EPS为{e0:.2f}元。"
    return [(str(notice + timedelta(days=3)), "虚拟投资", "增持", "中报点评", words)]
