"""The twelve fictional companies: who they are, what happens to them, what their reports say.

Every name is invented and every code is unassigned. The stories are drawn so that each stock gives both
sides of a debate something to say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

FIRST = date(2023, 1, 3)
LAST = date(2026, 11, 27)


@dataclass(frozen=True)
class Action:
    """One ex-date, amounts per share; a rights issue carries its price."""

    ex_date: date
    cash: float = 0.0
    bonus: float = 0.0
    rights: float = 0.0
    rights_price: float = 0.0


@dataclass(frozen=True)
class Company:
    """One company.

    Attributes:
        code: Six digits; *exchange* SH, SZ or BJ.
        shares: Total shares at the start; *floating* the part that trades.
        multiple: ``pe``, ``pb`` or ``ps``: what *path* (date → multiple) steers the price by.
        revenue: Quarterly revenue at the start of 2022, CNY; *growth* and *margin* are per year, with
            single quarters of 2026 in *growth_2026* and *margin_2026*.
        shocks: Session → return in percent, or "up"/"down" for a limit price.
        halts: Closed ranges of suspended days with the reason.
    """

    code: str
    exchange: str
    name: str
    board: str
    industry: str
    listed: date
    shares: float
    floating: float
    multiple: str
    path: dict[str, float]
    revenue: float
    growth: dict[int, float]
    growth_2026: tuple[float, float, float]
    margin: dict[int, float]
    margin_2026: tuple[float, float, float]
    gross: dict[int, float]
    cash_ratio: dict[int, float]
    equity: float
    debt: dict[int, float]
    season: tuple[float, float, float, float] = (0.22, 0.25, 0.25, 0.28)
    beta: float = 0.9
    sigma: float = 0.017
    turnover: float = 0.012
    actions: tuple[Action, ...] = ()
    shocks: dict[str, float | str] = field(default_factory=dict)
    halts: tuple[tuple[date, date, str], ...] = ()
    st_from: date | None = None
    st_name: str = ""
    former_code: str = ""
    code_since: date | None = None
    last_bar: date = LAST
    issue_price: float = 0.0

    @property
    def symbol(self) -> str:
        """Canonical symbol."""
        return f"{self.code}.{self.exchange}"

    @property
    def vendor_code(self) -> str:
        """baostock's form."""
        return f"{self.exchange.lower()}.{self.code}"

    def name_on(self, day: date) -> str:
        """Short name on *day*."""
        return self.st_name if self.st_from and day >= self.st_from else self.name


def _cash(*pairs: tuple[date, float]) -> tuple[Action, ...]:
    return tuple(Action(day, cash=amount) for day, amount in pairs)


COMPANIES: tuple[Company, ...] = (
    Company(
        "605901", "SH", "乌有酒业", "main", "食品饮料", date(2017, 3, 16), 8.0e8, 0.98, "pe",
        {"2023-01-03": 34, "2024-01-15": 25, "2024-09-20": 19, "2025-06-30": 24, "2026-03-31": 21, "2026-10-20": 19.5, "2026-11-27": 17},
        revenue=1.15e9, growth={2022: 14, 2023: 12, 2024: 9, 2025: 7}, growth_2026=(5.2, -1.4, -4.6),
        margin={2022: 31, 2023: 32, 2024: 33, 2025: 33.5}, margin_2026=(33.6, 32.2, 30.4),
        gross={2022: 74, 2023: 75, 2024: 75.6, 2025: 76.1, 2026: 74.8},
        cash_ratio={2022: 1.12, 2023: 1.08, 2024: 1.02, 2025: 0.95, 2026: 0.71}, equity=6.2e9,
        debt={2022: 24, 2023: 23, 2024: 22, 2025: 21, 2026: 22}, season=(0.31, 0.22, 0.23, 0.24), beta=0.8, sigma=0.013,
        turnover=0.006,
        actions=_cash((date(2023, 6, 15), 1.20), (date(2024, 6, 20), 1.40), (date(2025, 6, 19), 1.60),
                      (date(2026, 6, 18), 1.50)),
        shocks={"2026-10-30": -4.6, "2026-11-24": 2.1},
    ),
    Company(
        "003901", "SZ", "黄粱食品", "main", "食品饮料", date(2018, 9, 20), 5.2e8, 0.85, "pe",
        {"2023-01-03": 24, "2024-02-05": 14, "2025-03-20": 15, "2026-05-15": 12, "2026-11-27": 11.2},
        revenue=6.4e8, growth={2022: 5, 2023: 1.5, 2024: -4, 2025: -6}, growth_2026=(-5.1, -7.8, -9.4),
        margin={2022: 11, 2023: 10.2, 2024: 9.1, 2025: 8.2}, margin_2026=(7.9, 7.1, 6.8),
        gross={2022: 33, 2023: 31.5, 2024: 30.2, 2025: 28.8, 2026: 27.1},
        cash_ratio={2022: 1.1, 2023: 1.2, 2024: 1.31, 2025: 1.35, 2026: 1.42}, equity=2.4e9,
        debt={2022: 36, 2023: 34, 2024: 33, 2025: 31, 2026: 29}, beta=0.7, sigma=0.015, turnover=0.008,
        actions=_cash((date(2023, 7, 6), 0.30), (date(2024, 7, 4), 0.30), (date(2025, 7, 3), 0.28),
                      (date(2026, 7, 2), 0.26)),
        shocks={"2026-10-29": -5.8, "2026-11-26": -3.4},
    ),
    Company(
        "605902", "SH", "桃源电力", "main", "公用事业", date(2016, 5, 12), 1.4e9, 0.95, "pe",
        {"2023-01-03": 15, "2024-03-15": 17, "2025-04-10": 19, "2026-06-10": 18, "2026-11-27": 20.5},
        revenue=1.9e9, growth={2022: 6, 2023: 7, 2024: 8, 2025: 5}, growth_2026=(6.0, 7.4, 8.9),
        margin={2022: 12.6, 2023: 13.4, 2024: 14.1, 2025: 14.6}, margin_2026=(15.2, 15.6, 16.1),
        gross={2022: 27, 2023: 28, 2024: 29, 2025: 29.6, 2026: 30.9},
        cash_ratio={2022: 2.1, 2023: 2.2, 2024: 2.1, 2025: 2.3, 2026: 2.2}, equity=9.6e9,
        debt={2022: 61, 2023: 62, 2024: 63.5, 2025: 64.8, 2026: 66.9}, season=(0.2, 0.25, 0.31, 0.24), beta=0.5,
        sigma=0.011, turnover=0.005,
        actions=(Action(date(2023, 6, 8), cash=0.22), Action(date(2024, 6, 6), cash=0.20, bonus=0.30),
                 Action(date(2025, 6, 12), cash=0.21), Action(date(2026, 6, 11), cash=0.23)),
    ),
    Company(
        "003902", "SZ", "蓬莱光伏", "main", "电力设备", date(2017, 11, 9), 9.0e8, 0.8, "pe",
        {"2023-01-03": 38, "2023-10-20": 22, "2024-08-28": 17, "2025-05-20": 27, "2026-08-14": 34, "2026-11-27": 46},
        revenue=2.3e9, growth={2022: 38, 2023: 21, 2024: -8, 2025: 4}, growth_2026=(9.5, 14.2, 22.7),
        margin={2022: 8.6, 2023: 7.4, 2024: 3.9, 2025: 4.1}, margin_2026=(4.0, 4.4, 4.9),
        gross={2022: 21, 2023: 19, 2024: 13.4, 2025: 13.9, 2026: 15.1},
        cash_ratio={2022: 0.8, 2023: 0.55, 2024: 0.2, 2025: 0.35, 2026: -0.42}, equity=5.1e9,
        debt={2022: 63, 2023: 66, 2024: 68, 2025: 70.5, 2026: 73.8}, beta=1.3, sigma=0.022, turnover=0.021,
        actions=(Action(date(2023, 7, 20), cash=0.10), Action(date(2024, 9, 12), rights=0.30, rights_price=6.20)),
        halts=((date(2024, 9, 4), date(2024, 9, 11), "配股缴款期间停牌"),),
        shocks={"2026-11-18": 3.6, "2026-11-19": "up", "2026-11-20": "up", "2026-11-23": -4.2, "2026-11-27": -2.7},
    ),
    Company(
        "688996", "SH", "水月芯片", "star", "电子", date(2021, 7, 22), 4.1e8, 0.72, "ps",
        {"2023-01-03": 14, "2024-01-30": 8, "2024-10-10": 13, "2025-09-15": 19, "2026-06-30": 15, "2026-11-27": 17},
        revenue=1.7e8, growth={2022: 22, 2023: 12, 2024: 28, 2025: 34}, growth_2026=(31.0, 27.5, 24.2),
        margin={2022: -18, 2023: -34, 2024: -30, 2025: -21}, margin_2026=(-16.5, -12.8, -9.4),
        gross={2022: 38, 2023: 31, 2024: 33, 2025: 35.5, 2026: 36.8},
        cash_ratio={2022: 1.0, 2023: 1.1, 2024: 1.2, 2025: 1.15, 2026: 1.6}, equity=3.6e9,
        debt={2022: 14, 2023: 17, 2024: 21, 2025: 24, 2026: 27}, beta=1.4, sigma=0.027, turnover=0.018,
        shocks={"2026-10-29": 6.8, "2026-11-25": -5.1},
    ),
    Company(
        "301901", "SZ", "南柯软件", "chinext", "计算机", date(2021, 12, 10), 2.2e8, 0.55, "pe",
        {"2023-01-03": 46, "2024-02-05": 30, "2025-02-20": 52, "2026-04-15": 44, "2026-11-27": 58},
        revenue=1.25e8, growth={2022: 24, 2023: 26, 2024: 29, 2025: 33}, growth_2026=(36.4, 41.2, 45.8),
        margin={2022: 17, 2023: 17.6, 2024: 18.1, 2025: 18.9}, margin_2026=(17.4, 19.8, 21.3),
        gross={2022: 61, 2023: 62, 2024: 62.5, 2025: 63.4, 2026: 64.2},
        cash_ratio={2022: 0.9, 2023: 0.8, 2024: 0.7, 2025: 0.62, 2026: 0.31}, equity=1.25e9,
        debt={2022: 18, 2023: 19, 2024: 21, 2025: 23, 2026: 25}, season=(0.14, 0.22, 0.24, 0.40), beta=1.3, sigma=0.026,
        turnover=0.032, actions=(Action(date(2025, 5, 22), cash=0.10, bonus=0.40), Action(date(2026, 5, 21), cash=0.12)),
        shocks={"2026-10-28": "up", "2026-10-29": 4.4, "2026-11-26": -6.3},
    ),
    Company(
        "302903", "SZ", "瀛洲智造", "chinext", "电力设备", date(2020, 10, 15), 3.3e8, 0.7, "pe",
        {"2023-01-03": 30, "2024-05-10": 22, "2025-08-15": 33, "2026-10-20": 31, "2026-11-27": 24},
        revenue=3.1e8, growth={2022: 15, 2023: 11, 2024: 13, 2025: 16}, growth_2026=(14.1, 12.6, 11.9),
        margin={2022: 12.5, 2023: 12.1, 2024: 12.6, 2025: 13.2}, margin_2026=(12.6, 11.4, 10.2),
        gross={2022: 34, 2023: 33, 2024: 33.6, 2025: 34.2, 2026: 31.4},
        cash_ratio={2022: 0.9, 2023: 0.95, 2024: 0.88, 2025: 0.92, 2026: 0.38}, equity=1.9e9,
        debt={2022: 33, 2023: 34, 2024: 35, 2025: 36, 2026: 41}, beta=1.1, sigma=0.021, turnover=0.017,
        actions=_cash((date(2023, 6, 29), 0.15), (date(2024, 6, 27), 0.16), (date(2025, 6, 26), 0.18),
                      (date(2026, 6, 25), 0.20)),
        former_code="301903", code_since=date(2025, 3, 17),
    ),
    Company(
        "920991", "BJ", "海市材料", "bse", "基础化工", date(2022, 4, 20), 1.1e8, 0.6, "pe",
        {"2023-01-03": 17, "2024-06-20": 12, "2025-04-15": 24, "2026-09-15": 29, "2026-11-27": 27},
        revenue=1.4e8, growth={2022: 12, 2023: 8, 2024: 3, 2025: 11}, growth_2026=(16.2, 18.8, 13.5),
        margin={2022: 10.8, 2023: 10.1, 2024: 8.9, 2025: 9.6}, margin_2026=(10.2, 10.9, 10.4),
        gross={2022: 25, 2023: 24, 2024: 22.4, 2025: 23.3, 2026: 24.6},
        cash_ratio={2022: 0.8, 2023: 0.85, 2024: 0.9, 2025: 0.75, 2026: 0.82}, equity=5.2e8,
        debt={2022: 38, 2023: 37, 2024: 39, 2025: 36, 2026: 35}, beta=1.1, sigma=0.026, turnover=0.022,
        actions=(Action(date(2023, 6, 29), cash=0.25), Action(date(2024, 6, 27), cash=0.25),
                 Action(date(2025, 6, 26), cash=0.15, bonus=0.20), Action(date(2026, 6, 25), cash=0.20)),
        shocks={"2026-09-16": "up", "2026-09-17": -8.5},
    ),
    Company(
        "605903", "SH", "镜花医药", "main", "医药生物", date(2015, 6, 26), 6.6e8, 0.97, "pe",
        {"2023-01-03": 28, "2024-01-31": 20, "2025-03-03": 23, "2026-03-05": 25, "2026-11-27": 22},
        revenue=9.8e8, growth={2022: 8, 2023: 5, 2024: 3, 2025: 4}, growth_2026=(2.2, 1.4, -1.8),
        margin={2022: 12.8, 2023: 12.0, 2024: 11.4, 2025: 11.1}, margin_2026=(11.2, 10.6, 9.2),
        gross={2022: 58, 2023: 56.5, 2024: 54, 2025: 52.8, 2026: 51.1},
        cash_ratio={2022: 1.0, 2023: 1.05, 2024: 0.98, 2025: 1.02, 2026: 0.9}, equity=5.6e9,
        debt={2022: 32, 2023: 33, 2024: 33, 2025: 34, 2026: 36}, beta=0.7, sigma=0.015, turnover=0.009,
        actions=_cash((date(2023, 6, 21), 0.18), (date(2024, 6, 19), 0.18), (date(2025, 6, 18), 0.17),
                      (date(2026, 7, 9), 0.17)),
        halts=((date(2026, 3, 9), date(2026, 3, 20), "筹划发行股份购买资产事项"),),
        shocks={"2026-03-23": "up", "2026-03-24": 5.7, "2026-11-20": -6.1},
    ),
    Company(
        "001991", "SZ", "蜃楼化工", "main", "基础化工", date(2010, 8, 18), 2.2e8, 0.99, "pb",
        {"2023-01-03": 2.4, "2024-02-07": 1.5, "2025-06-10": 1.9, "2026-04-28": 1.7, "2026-07-20": 1.25, "2026-11-27": 1.5},
        revenue=1.2e8, growth={2022: 2, 2023: -12, 2024: -18, 2025: -24}, growth_2026=(-19.0, -12.0, -6.5),
        margin={2022: 3.1, 2023: -2.8, 2024: -11.5, 2025: -19.0}, margin_2026=(-14.2, -10.8, -7.9),
        gross={2022: 17, 2023: 13, 2024: 8.2, 2025: 4.1, 2026: 6.9},
        cash_ratio={2022: 0.6, 2023: -0.4, 2024: 0.5, 2025: 0.6, 2026: 0.3}, equity=6.5e8,
        debt={2022: 55, 2023: 59, 2024: 66, 2025: 74, 2026: 77.5}, beta=0.9, sigma=0.019, turnover=0.014,
        actions=_cash((date(2023, 7, 13), 0.03),),
        halts=((date(2026, 4, 29), date(2026, 4, 29), "股票被实施退市风险警示停牌一天"),),
        st_from=date(2026, 4, 30), st_name="*ST蜃楼",
        shocks={"2026-04-30": "down", "2026-05-06": "down", "2026-05-07": "down", "2026-07-07": 7.6, "2026-11-10": "down",
                "2026-11-11": -3.2, "2026-11-25": 4.8},
    ),
    Company(
        "605904", "SH", "子虚钢铁", "main", "钢铁", date(2012, 2, 24), 2.6e9, 0.9, "pb",
        {"2023-01-03": 0.85, "2024-06-14": 0.62, "2025-10-15": 0.78, "2026-11-27": 0.66},
        revenue=6.8e9, growth={2022: -3, 2023: -5, 2024: -7, 2025: -2}, growth_2026=(1.2, -0.8, -2.6),
        margin={2022: 2.4, 2023: 1.6, 2024: 0.6, 2025: 1.1}, margin_2026=(1.3, 1.0, 0.7),
        gross={2022: 9.1, 2023: 7.8, 2024: 6.2, 2025: 6.9, 2026: 7.0},
        cash_ratio={2022: 1.6, 2023: 1.9, 2024: 2.4, 2025: 2.0, 2026: 1.8}, equity=1.35e10,
        debt={2022: 58, 2023: 58, 2024: 60, 2025: 60, 2026: 61}, beta=0.9, sigma=0.014, turnover=0.008,
        actions=_cash((date(2023, 6, 20), 0.06), (date(2024, 6, 25), 0.03), (date(2026, 6, 23), 0.02)),
        last_bar=date(2026, 11, 13),
    ),
    Company(
        "301902", "SZ", "画饼新材", "chinext", "基础化工", date(2026, 11, 18), 1.6e8, 0.22, "pe",
        {"2023-01-03": 60, "2026-11-27": 72},
        revenue=9.0e7, growth={2022: 18, 2023: 20, 2024: 22, 2025: 19}, growth_2026=(15.0, 14.0, 13.0),
        margin={2022: 13, 2023: 13.4, 2024: 13.8, 2025: 14.0}, margin_2026=(13.9, 13.8, 13.6),
        gross={2022: 29, 2023: 29, 2024: 30, 2025: 30, 2026: 30},
        cash_ratio={2022: 0.8, 2023: 0.8, 2024: 0.8, 2025: 0.8, 2026: 0.8}, equity=1.1e9,
        debt={2022: 30, 2023: 30, 2024: 30, 2025: 30, 2026: 20}, beta=1.2, sigma=0.06, turnover=0.45,
        shocks={"2026-11-18": 182.6, "2026-11-19": -24.3, "2026-11-20": 9.8, "2026-11-23": -11.2, "2026-11-24": 6.1},
        issue_price=18.60,
    ),
)  # fmt: skip

#: Companies that exist only as peers: code, exchange, name, industry, PE TTM, PB at the last session.
PEERS: tuple[tuple[str, str, str, str, float, float], ...] = (
    ("605911", "SH", "瑶池饮品", "食品饮料", 23.4, 4.1),
    ("003911", "SZ", "广寒乳业", "食品饮料", 19.8, 2.6),
    ("605912", "SH", "昆仑电气", "电力设备", 28.6, 3.0),
    ("301911", "SZ", "方壶储能", "电力设备", 35.2, 3.8),
    ("605913", "SH", "武陵水电", "公用事业", 18.9, 2.2),
    ("003912", "SZ", "沧浪热电", "公用事业", 16.2, 1.4),
    ("688991", "SH", "浮光半导", "电子", 88.5, 6.9),
    ("301912", "SZ", "掠影封测", "电子", 52.3, 4.4),
    ("301913", "SZ", "庄周信息", "计算机", 49.7, 5.2),
    ("605914", "SH", "蕉鹿数据", "计算机", 41.3, 4.0),
    ("605915", "SH", "虹桥化学", "基础化工", 21.7, 1.9),
    ("003913", "SZ", "泡影树脂", "基础化工", 24.8, 2.1),
    ("605916", "SH", "姑射制药", "医药生物", 26.4, 2.8),
    ("301914", "SZ", "灵台生物", "医药生物", 33.9, 3.7),
    ("605918", "SH", "若水燃气", "公用事业", 14.7, 1.6),
    ("003915", "SZ", "扶桑核能", "公用事业", 22.1, 2.0),
    ("688992", "SH", "流萤光电", "电子", 64.0, 5.1),
    ("605919", "SH", "烛龙显示", "电子", 38.7, 2.9),
    ("688993", "SH", "太虚智能", "计算机", 71.6, 7.3),
    ("003916", "SZ", "须弥信科", "计算机", 36.8, 3.3),
    ("003917", "SZ", "不周制药", "医药生物", 21.8, 2.2),
    ("688994", "SH", "杏林基因", "医药生物", 47.5, 5.0),
    ("605917", "SH", "乌托钢管", "钢铁", 17.5, 0.8),
    ("003914", "SZ", "华胥特钢", "钢铁", 15.1, 0.9),
)
