"""Holders, money, attention, peers and macro in the vendors' shapes."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np

from .companies import LAST, PEERS, Company
from .facts import World
from .reports import latest, shares_on

Row = dict[str, object]
#: symbol → (pledge ratio in percent at the start and the end of the half year, number of pledges).
PLEDGED = {"003902.SZ": (31.5, 43.8, 27), "001991.SZ": (38.2, 38.2, 12), "301901.SZ": (6.1, 5.2, 4),
           "003901.SZ": (12.4, 11.6, 7), "688996.SH": (2.3, 2.3, 2), "605901.SH": (1.2, 1.1, 1)}  # fmt: skip

#: symbol → (holder, direction, percent of capital, holding afterwards, first day, last day, notice day).
TRADES: dict[str, tuple[tuple[str, str, float, float, str, str, str], ...]] = {
    "605901.SH": (("乌有集团有限公司", "增持", 0.42, 46.42, "2026-09-22", "2026-10-15", "2026-10-16"),
                  ("乌有集团有限公司", "增持", 0.31, 46.73, "2026-10-20", "2026-11-11", "2026-11-12")),
    "003901.SZ": (("黄粱投资合伙企业(有限合伙)", "减持", 1.0, 7.2, "2026-09-15", "2026-10-15", "2026-10-16"),
                  ("黄粱投资合伙企业(有限合伙)", "减持", 0.98, 6.22, "2026-10-19", "2026-11-24", "2026-11-25")),
    "688996.SH": (("水月一号基金", "减持", 1.6, 8.9, "2026-09-28", "2026-11-24", "2026-11-26"),),
    "301901.SZ": (("南柯控股有限公司", "减持", 0.85, 33.4, "2026-10-30", "2026-11-13", "2026-11-16"),),
    "920991.BJ": (("海某某等三名高管", "减持", 0.6, 4.1, "2026-11-02", "2026-11-23", "2026-11-25"),),
    "302903.SZ": (("瀛某某", "增持", 0.12, 2.62, "2026-10-12", "2026-10-12", "2026-10-14"),),
    "605902.SH": (("桃源能源集团", "增持", 0.5, 51.2, "2026-08-17", "2026-09-11", "2026-09-14"),),
}

#: symbol → (unlock day, kind, percent of capital).
UNLOCKS: dict[str, tuple[tuple[str, str, float], ...]] = {
    "688996.SH": (("2026-07-22", "首发战略配售股份", 2.1), ("2026-12-22", "定向增发机构配售股份", 3.4)),
    "301901.SZ": (("2024-12-10", "首发原股东限售股份", 12.6), ("2026-12-02", "首发原股东限售股份", 21.3)),
    "003902.SZ": (("2026-05-15", "股权激励限售股份", 0.7),),
    "301902.SZ": (("2027-05-18", "首发机构配售股份", 4.2),),
}

_DAY_RULE = "日涨幅偏离值达到7%的前5只证券"
_THREE_DAYS = "连续三个交易日内，涨幅偏离值累计达到20%的证券"
#: symbol → (day, reason, net buying in CNY, buying in CNY).
TOP_LIST: dict[str, tuple[tuple[str, str, float, float], ...]] = {
    "003902.SZ": (("2026-11-19", _DAY_RULE, 8.64e7, 4.12e8), ("2026-11-20", _DAY_RULE, -2.31e7, 5.38e8),
                  ("2026-11-20", _THREE_DAYS, 6.9e7, 1.214e9)),
    "301901.SZ": (("2026-10-28", "日涨幅达到15%的前5只证券", 5.17e7, 3.06e8),),
    "920991.BJ": (("2026-09-16", "当日收盘价涨幅达到20%的前5只股票", 6.2e6, 3.9e7),),
    "605903.SH": (("2026-03-23", _DAY_RULE, 1.2e7, 6.6e7),),
    "001991.SZ": (("2026-11-10", "日跌幅偏离值达到7%的前5只证券", -1.87e7, 2.4e7),),
    "301902.SZ": (("2026-11-18", "无价格涨跌幅限制的证券", -3.1e7, 9.4e7),),
}
#: Margin balance as a share of floating value, percent; companies not listed here are no margin securities.
MARGIN = {"605901.SH": 2.1, "003901.SZ": 1.4, "605902.SH": 1.1, "003902.SZ": 5.6, "688996.SH": 4.3, "301901.SZ": 5.1,
          "302903.SZ": 2.9, "605903.SH": 2.2, "920991.BJ": 1.8, "605904.SH": 1.9}  # fmt: skip
RANKS = {"605901.SH": 620, "003901.SZ": 1480, "605902.SH": 2210, "003902.SZ": 35, "688996.SH": 260, "301901.SZ": 88,
         "302903.SZ": 1900, "920991.BJ": 2600, "605903.SH": 940, "001991.SZ": 410, "605904.SH": 3100}  # fmt: skip


def generator(company: Company, part: int) -> np.random.Generator:
    """The company's own stream for one part, so that changing one part moves no other."""
    return np.random.default_rng([20261127, int(company.code), part])


def pledges(worlds: list[World], weeks: list[date]) -> list[Row]:
    """Whole-market rows of every weekly date, 万股 and 万元."""
    rows = []
    for step, day in enumerate(weeks):
        for world in worlds:
            if world.company.symbol in PLEDGED:
                rows.append(_pledge(world, day, step / max(len(weeks) - 1, 1)))
    return [{"序号": i + 1, **row} for i, row in enumerate(rows)]


def _pledge(world: World, day: date, progress: float) -> Row:
    first, last, count = PLEDGED[world.company.symbol]
    ratio = round(first + (last - first) * progress, 2)
    pledged = round(shares_on(world.company, day) * ratio / 100 / 1e4, 2)
    free = round(pledged * 0.85, 2)
    year_ago = world.bar(day - timedelta(days=365)).close
    return {"股票代码": world.company.code, "股票简称": world.company.name_on(day), "交易日期": day.isoformat(),
            "所属行业": world.company.industry, "质押比例": ratio, "质押股数": pledged,
            "质押市值": round(pledged * world.bar(day).close, 2), "质押笔数": count, "无限售股质押数": free,
            "限售股质押数": round(pledged - free, 2), "近一年涨跌幅": round(100 * (world.bar(day).close / year_ago - 1), 2),
            "所属行业代码": "DEMO"}  # fmt: skip


def holder_trades(worlds: list[World]) -> list[Row]:
    """Whole-market rows, 万股; reductions carry a negative number as the vendor prints them."""
    rows = []
    for world in worlds:
        for holder, way, pct, after, first, last, notice in TRADES.get(world.company.symbol, ()):
            total = shares_on(world.company, date.fromisoformat(last)) / 1e4
            changed = round(total * pct / 100, 2)
            rows.append({"代码": world.company.code, "名称": world.company.name, "最新价": world.bars[-1].close, "涨跌幅": 0.0,
                         "股东名称": holder, "持股变动信息-增减": way,
                         "持股变动信息-变动数量": changed if way == "增持" else -changed,
                         "持股变动信息-占总股本比例": pct, "持股变动信息-占流通股比例": round(pct / world.company.floating, 2),
                         "变动后持股情况-持股总数": round(total * after / 100, 2), "变动后持股情况-占总股本比例": after,
                         "变动后持股情况-持流通股数": round(total * after / 100, 2),
                         "变动后持股情况-占流通股比例": round(after / world.company.floating, 2), "变动开始日": first,
                         "变动截止日": last, "公告日": notice})  # fmt: skip
    return rows


def unlocks(world: World) -> list[Row]:
    """Batches of one company, shares and fractions."""
    rows = []
    for number, (day, kind, pct) in enumerate(UNLOCKS.get(world.company.symbol, ())):
        shares = round(shares_on(world.company, date.fromisoformat(day)) * pct / 100)
        price = world.bar(min(date.fromisoformat(day), LAST)).close
        rows.append({"序号": number + 1, "解禁时间": day, "解禁股东数": 3, "解禁数量": shares, "实际解禁数量": shares,
                     "未解禁数量": 0, "实际解禁数量市值": round(shares * price, 2), "占总市值比例": pct / 100,
                     "占流通市值比例": round(pct / 100 / world.company.floating, 6), "解禁前一交易日收盘价": price,
                     "限售股类型": kind, "解禁前20日涨跌幅": None, "解禁后20日涨跌幅": None})  # fmt: skip
    return rows


def top_list(worlds: list[World]) -> list[Row]:
    """Whole-market rows, one per reason."""
    rows = []
    for world in worlds:
        for day, reason, net, buy in TOP_LIST.get(world.company.symbol, ()):
            bar = world.bar(date.fromisoformat(day))
            rows.append({"代码": world.company.code, "名称": world.company.name_on(bar.day), "上榜日": day, "解读": None,
                         "收盘价": bar.close, "涨跌幅": round(100 * (bar.close / bar.previous - 1), 4), "龙虎榜净买额": net,
                         "龙虎榜买入额": buy, "龙虎榜卖出额": round(buy - net, 2), "龙虎榜成交额": round(2 * buy - net, 2),
                         "市场总成交额": bar.amount, "换手率": round(bar.turn or 0, 4), "上榜原因": reason})  # fmt: skip
    return [{"序号": i + 1, **row} for i, row in enumerate(rows)]


def margins(world: World, days: int = 130) -> list[Row]:
    """Rows of the last sessions in the exchange's own columns."""
    company = world.company
    if company.symbol not in MARGIN:
        return []
    rng, level, rows = generator(company, 5), MARGIN[company.symbol], []
    drift = {"003902.SZ": 0.011, "301901.SZ": 0.006, "003901.SZ": -0.006}.get(company.symbol, 0.0)
    for bar in world.bars[-days:]:
        level *= float(np.exp(drift + rng.normal(0, 0.012)))
        balance = round(bar.cap * company.floating * level / 100)
        bought, short = round(bar.amount * rng.uniform(0.05, 0.11)), int(rng.integers(20, 900)) * 100
        rows.append(_margin_row(company, bar.day, balance, bought, short, bar.close))
    return rows


def _margin_row(company: Company, day: date, balance: int, bought: int, short: int, close: float) -> Row:
    name = company.name_on(day)
    if company.exchange == "SH":
        return {"信用交易日期": day.strftime("%Y%m%d"), "标的证券代码": company.code, "标的证券简称": name, "融资余额": balance,
                "融资买入额": bought, "融资偿还额": round(bought * 0.97), "融券余量": short, "融券卖出量": short // 10,
                "融券偿还量": short // 12}  # fmt: skip
    value = round(short * close)
    return {"证券代码": company.code, "证券简称": name, "融资买入额": bought, "融资余额": balance, "融券卖出量": short // 10,
            "融券余量": short, "融券余额": value, "融资融券余额": balance + value, "查询日期": day.strftime("%Y%m%d")}  # fmt: skip


def fund_flows(world: World, days: int = 130) -> list[Row]:
    """Net flow by order size of the last trading sessions."""
    rng, rows = generator(world.company, 6), []
    for bar in [b for b in world.bars[-days:] if b.trading]:
        move = bar.close / bar.previous - 1
        share = float(np.clip(1.6 * move + rng.normal(0, 0.025), -0.35, 0.35))
        main = round(bar.amount * share, 2)
        huge = round(main * rng.uniform(0.35, 0.75), 2)
        middle = round(-main * rng.uniform(0.2, 0.6), 2)
        pct = {k: round(100 * v / bar.amount, 2) for k, v in (("main", main), ("huge", huge), ("mid", middle))}
        rows.append({"日期": bar.day.isoformat(), "收盘价": bar.close, "涨跌幅": round(100 * move, 2),
                     "主力净流入-净额": main, "主力净流入-净占比": pct["main"], "超大单净流入-净额": huge,
                     "超大单净流入-净占比": pct["huge"], "大单净流入-净额": round(main - huge, 2),
                     "大单净流入-净占比": round(pct["main"] - pct["huge"], 2), "中单净流入-净额": middle,
                     "中单净流入-净占比": pct["mid"], "小单净流入-净额": round(-main - middle, 2),
                     "小单净流入-净占比": round(-pct["main"] - pct["mid"], 2)})  # fmt: skip
    return rows


def attention(world: World, days: int = 130) -> list[Row]:
    """Popularity rank of every calendar day, weekends included."""
    company = world.company
    if company.symbol not in RANKS:
        return []
    rng, rows, rank = generator(company, 7), [], float(RANKS[company.symbol] * 1.4)
    for step in range(days):
        day = LAST - timedelta(days=days - 1 - step)
        aim = RANKS[company.symbol] * (1.4 - 0.4 * step / days)
        rank = max(1.0, rank + 0.3 * (aim - rank) + 0.06 * aim * rng.normal())
        rows.append({"时间": day.isoformat(), "排名": round(rank), "证券代码": f"{company.exchange}{company.code}",
                     "新晋粉丝": round(rng.uniform(0.3, 0.6), 4), "铁杆粉丝": round(rng.uniform(0.4, 0.7), 4)})  # fmt: skip
    return rows


def suspensions(worlds: list[World]) -> list[Row]:
    """Whole-market rows of all halts."""
    rows = [
        {"代码": w.company.code, "名称": w.company.name_on(start), "停牌时间": start.isoformat(), "停牌截止时间": end.isoformat(),
         "停牌期限": "连续停牌", "停牌原因": reason, "所属市场": "演示市场", "预计复牌时间": None}
        for w in worlds for start, end, reason in w.company.halts
    ]  # fmt: skip
    return [{"序号": i, **row} for i, row in enumerate(rows)]


def peers(worlds: list[World], days: list[date]) -> dict[str, list[Row]]:
    """Symbol → rows of its industry on every day: the sample's own companies and peers that exist only here."""
    tables: dict[str, list[Row]] = {}
    for world in worlds:
        rows = tables.setdefault(world.company.code, [])
        for day in days:
            if world.bars[0].day <= day:
                rows += _group(world, worlds, day)
    return tables


def _group(world: World, worlds: list[World], day: date) -> list[Row]:
    industry = world.company.industry
    rows = [
        (w.company.code, w.company.name_on(day), w.bar(day).pe, w.bar(day).pb)
        for w in worlds if w.company.industry == industry and w.bars[0].day <= day
    ]  # fmt: skip
    wave = 1 + 0.004 * ((day - LAST).days % 7 - 3)
    rows += [(code, name, pe * wave, pb * wave) for code, _, name, group, pe, pb in PEERS if group == industry]
    return [{"排名": str(i + 1), "代码": code, "简称": name, "市盈率-TTM": round(pe, 4), "市净率-MRQ": round(pb, 4),
             "行业": industry, "查询日期": day.strftime("%Y%m%d")} for i, (code, name, pe, pb) in enumerate(rows)]  # fmt: skip


def macro() -> dict[str, list[Row]]:
    """Invented macro series in the three functions' columns."""
    rng = np.random.default_rng([20261127, 9])
    months = [date(2025 + m // 12, m % 12 + 1, 1) for m in range(22)]
    pmi = [round(49.2 + 0.06 * i + float(rng.normal(0, 0.25)), 1) for i in range(len(months))]
    services = [round(50.1 + 0.03 * i + float(rng.normal(0, 0.2)), 1) for i in range(len(months))]
    cpi = [round(0.1 + 0.02 * i + float(rng.normal(0, 0.12)), 1) for i in range(len(months))]
    return {
        "macro_china_pmi": [{"月份": f"{d.year}年{d.month:02d}月份", "制造业-指数": a, "制造业-同比增长": None, "非制造业-指数": b,
                             "非制造业-同比增长": None} for d, a, b in zip(months, pmi, services, strict=True)],
        "macro_china_cpi": [{"月份": f"{d.year}年{d.month:02d}月份", "全国-当月": round(100 + c, 1), "全国-同比增长": c}
                            for d, c in zip(months, cpi, strict=True)],
        "macro_china_lpr": [{"TRADE_DATE": d.replace(day=20).isoformat(), "LPR1Y": 3.1 if d < date(2026, 3, 1) else 3.0,
                             "LPR5Y": 3.6 if d < date(2026, 3, 1) else 3.5, "RATE_1": 4.35, "RATE_2": 4.9} for d in
                            [*months, date(2026, 11, 1)]],
    }  # fmt: skip


def book(world: World, day: date) -> float:
    """Book value per share of the newest visible report."""
    report = latest(world.reports, day)
    return report.equity / report.shares
