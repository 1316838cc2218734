"""PDFs behind some filings: text with figures that agree with the rest of the sample, one scan, one locked file."""

from __future__ import annotations

import io
from datetime import date

from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas

from .capital import PLEDGED, TRADES, UNLOCKS
from .facts import World, yi
from .reports import shares_on

_FONT = "STSong-Light"
_WIDTH = 40
_A25, _Q3 = date(2025, 12, 31), date(2026, 9, 30)
SCAN, LOCKED = "scan", "locked"

#: (symbol, title) → sentences; braces are filled from the company's own numbers.
DOCUMENTS: dict[tuple[str, str], tuple[str, ...] | str] = {
    ("605901.SH", "关于以集中竞价交易方式回购公司股份方案的公告"): (
        "本次回购资金总额不低于人民币1.00亿元且不超过人民币2.00亿元。", "回购价格上限为{cap150:.2f}元/股,未超过董事会决议前30个交易日均价的150%。",
        "回购期限为自董事会审议通过之日起12个月。", "本次回购的股份将用于员工持股计划。"),
    ("605901.SH", "关于控股股东增持公司股份进展的公告"): (
        "截至2026年11月11日,控股股东乌有集团有限公司累计增持公司股份{trade_shares:.2f}万股,占公司总股本的{trade_pct:.2f}%。",
        "本次增持后,控股股东持有公司股份比例为{trade_after:.2f}%。", "增持计划尚未实施完毕,存在因市场变化无法继续实施的风险。"),
    ("605901.SH", "关于全资子公司签订重大销售合同的公告"): (
        "全资子公司与某经销商签订2027年度销售合同,合同金额为人民币{contract26}(含税),占公司2025年度营业收入的2.60%。",
        "合同履行期限为12个月。", "合同履行对公司当期利润影响有限,回款进度取决于渠道动销情况。"),
    ("003901.SZ", "关于收到《民事判决书》暨诉讼进展的公告"): (
        "法院一审判决公司向供应商支付货款3,280.50万元及相应利息。", "上述金额占公司2025年度归属于上市公司股东的净利润的{suit_pct:.2f}%。",
        "公司拟在法定期限内提起上诉,最终影响以终审判决为准。"),
    ("003901.SZ", "关于股东减持计划实施完毕的公告"): (
        "本次减持期间,股东黄粱投资合伙企业(有限合伙)累计减持公司股份{trade_shares:.2f}万股,占公司总股本的{trade_pct:.2f}%。",
        "减持后该股东持股比例降至{trade_after:.2f}%。"),
    ("003901.SZ", "关于以集中竞价交易方式回购公司股份方案的公告"): (
        "本次回购资金总额不低于人民币3,000万元且不超过人民币6,000万元。", "回购价格上限为{cap150:.2f}元/股,回购期限为6个月。"),
    ("605902.SH", "关于收购某水电公司51%股权的公告"): (
        "公司以现金8.65亿元收购标的公司51%股权,交易完成后合并报表装机容量增加42万千瓦。",
        "标的公司2025年度净利润为1.12亿元,资产负债率为58.30%。", "本次收购资金中5.00亿元来自并购贷款,公司资产负债率将相应上升。"),
    ("605902.SH", "2026年半年度业绩预增公告"): (
        "主要原因为来水偏丰,水电发电量同比增长11.6%。", "上网电价同比下降1.8%,部分抵消电量增长。"),
    ("003902.SZ", "关于签订光伏组件重大销售合同的公告"): (
        "公司与境外客户签订组件销售合同,合同金额为人民币{contract312}(含税),占公司2025年度经审计营业收入的31.20%。",
        "合同分3年执行,预付款比例为合同金额的5%。", "合同采用浮动定价,若组件价格下跌10%,合同毛利率预计下降约4个百分点。"),
    ("003902.SZ", "关于对深圳证券交易所关注函回复的公告"): (
        "合同对手方成立于2019年,2025年末净资产约为2.10亿美元。", "截至2026年9月30日,公司应收账款账面余额占前三季度营业收入的46.80%。",
        "前三季度经营活动产生的现金流量净额为{cash},主要因备货增加和回款放缓。"),
    ("003902.SZ", "关于控股股东股份补充质押的公告"): (
        "控股股东本次补充质押股份占公司总股本的1.10%。", "补充质押后,公司累计质押股份占总股本的{pledged:.2f}%,质押笔数为{pledges}笔。",
        "控股股东资信状况良好,目前不存在平仓风险。"),
    ("688996.SH", "关于涉及专利诉讼的公告"): (
        "原告主张公司三款产品侵犯其专利权,请求赔偿经济损失人民币1.20亿元。", "涉诉产品2025年度收入占公司营业收入的18.40%。",
        "案件已受理尚未开庭,暂无法判断对公司利润的影响。"),
    ("688996.SH", "关于获得客户定点通知的自愿性披露公告"): (
        "公司获得某终端客户新一代产品定点,预计生命周期5年、总金额约6.80亿元。", "定点不构成订单,实际金额以后续订单为准。"),
    ("301901.SZ", "关于部分限售股份解除限售上市流通的提示性公告"): (
        "本次解除限售股份数量为{unlock_shares:.2f}万股,占公司总股本的{unlock_pct:.2f}%。", "上市流通日期为2026年12月2日,涉及股东3名。"),
    ("301901.SZ", "股票交易风险提示公告"): (
        "截至2026年11月27日,公司股票滚动市盈率为{pe:.2f}倍。", "前三季度经营活动产生的现金流量净额为{cash},低于同期净利润。",
        "敬请投资者注意二级市场交易风险。"),
    ("302903.SZ", "关于收到中标通知书的公告"): (
        "公司中标智能产线项目,中标金额为人民币1.86亿元。", "项目计划工期为14个月,预计2027年交付。"),
    ("302903.SZ", "关于重大合同终止的公告"): (
        "因客户产线规划调整,双方协商终止合同,终止部分金额为7,400万元。", "公司已发生的项目投入约1,150万元,能否全额收回存在不确定性。"),
    ("302903.SZ", "关于持股5%以上股东减持股份的预披露公告"): (
        "股东拟在未来3个月内减持公司股份不超过公司总股本的2.00%。", "拟减持股份来源于首次公开发行前取得的股份。"),
    ("920991.BJ", "关于公司签订重大合同的公告"): (
        "公司与某客户签订树脂材料供货合同,合同金额为人民币6,200万元(含税),占公司2025年度营业收入的{contract6200:.2f}%。", "合同履行期限为24个月。"),
    ("605903.SH", "关于公司涉及仲裁的公告"): (
        "合作方请求裁决公司支付研发里程碑款项9,460万元。", "公司已就该事项计提预计负债2,300万元。"),
    ("605903.SH", "关于药品集中带量采购中标结果的公告"): (
        "公司两个产品中选本次集采,中选价格较原挂网价下降52%。", "上述产品2025年度销售收入占公司营业收入的23.70%。", "约定采购量约为公司2025年销量的1.6倍。"),
    ("605903.SH", "关于收到上海证券交易所监管工作函的公告"): SCAN,
    ("001991.SZ", "关于深圳证券交易所问询函回复的公告"): LOCKED,
    ("001991.SZ", "关于公司股票可能被终止上市的第四次风险提示公告"): (
        "公司前三季度归属于上市公司股东的净利润为{profit},{profit_g}。", "若2026年度经审计的净利润继续为负且营业收入低于3亿元,公司股票将被终止上市。",
        "截至2026年9月30日,公司逾期债务本金合计4.37亿元。"),
    ("001991.SZ", "关于重大诉讼的公告"): (
        "银行起诉公司偿还借款本金1.58亿元及利息。", "公司主要银行账户被冻结金额为2,140.60万元。"),
}  # fmt: skip


def documents(world: World, filings: list[dict[str, str]]) -> dict[str, bytes]:
    """Announcement id → PDF of the filings that have one."""
    found = {}
    for filing in filings:
        body = DOCUMENTS.get((world.company.symbol, filing["公告标题"]))
        if body is not None:
            number = filing["公告链接"].split("announcementId=")[1].split("&")[0]
            found[number] = _pdf(filing, body, _numbers(world, filing["公告时间"][:10]))
    return found


def _numbers(world: World, day: str) -> dict[str, object]:
    company, shares = world.company, shares_on(world.company, date.fromisoformat(day))
    trades, locked = TRADES.get(company.symbol, ()), UNLOCKS.get(company.symbol, ())
    revenue, suit = world.flow("revenue", _A25), 3.2805e7
    pct = sum(trade[2] for trade in trades)
    return {
        "cap150": round(world.bar(date.fromisoformat(day)).close * 1.45, 2), "trade_pct": pct,
        "trade_shares": shares * pct / 1e6, "trade_after": trades[-1][3] if trades else 0.0,
        "contract26": yi(revenue * 0.026), "contract312": yi(revenue * 0.312), "contract6200": 6.2e9 / revenue,
        "suit_pct": 100 * suit / abs(world.flow("profit", _A25)), "cash": yi(world.flow("operating_cash", _Q3)),
        "profit": yi(world.flow("profit", _Q3)), "profit_g": world.profit_change(_Q3),
        "pledged": PLEDGED.get(company.symbol, (0, 0, 0))[1], "pledges": PLEDGED.get(company.symbol, (0, 0, 0))[2],
        "unlock_pct": locked[-1][2] if locked else 0.0, "unlock_shares": shares * (locked[-1][2] if locked else 0) / 1e6,
        "pe": world.bars[-1].pe,
    }  # fmt: skip


def _pdf(filing: dict[str, str], body: tuple[str, ...] | str, numbers: dict[str, object]) -> bytes:
    pdfmetrics.registerFont(UnicodeCIDFont(_FONT))
    buffer = io.BytesIO()
    encryption = StandardEncryption("demo", ownerPassword="demo-owner", strength=40) if body == LOCKED else None
    sheet = canvas.Canvas(buffer, pageCompression=1, invariant=1, encrypt=encryption)
    if body == SCAN:
        sheet.rect(60, 120, 460, 640, fill=1)
        sheet.showPage()
    else:
        heading = f"{filing['简称']}:{filing['公告标题']}(演示数据)。"
        sentences = () if body == LOCKED else body
        _page(sheet, (heading, "本公司及董事会全体成员保证公告内容真实、准确、完整。", *sentences[:2]), numbers)
        _page(sheet, (*sentences[2:], "特此公告。"), numbers)
    sheet.save()
    return buffer.getvalue()


def _page(sheet: canvas.Canvas, sentences: tuple[str, ...], numbers: dict[str, object]) -> None:
    sheet.setFont(_FONT, 11)
    text = "".join(sentence.format(**numbers) for sentence in sentences)
    for row, start in enumerate(range(0, len(text), _WIDTH)):
        sheet.drawString(60, 780 - 20 * row, text[start : start + _WIDTH])
    sheet.showPage()
