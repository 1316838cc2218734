"""Security codes of the mainland exchanges: what a prefix means, and one :class:`Symbol` with every vendor's spelling.

A code's exchange, kind and board follow from its prefix alone; the longest prefix decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from flows.errors import UsageError

EXCHANGE_ZH = {"SH": "上海", "SZ": "深圳", "BJ": "北京", "HK": "香港", "CSI": "中证指数公司", "NEEQ": "退市板块"}
KIND_ZH = {
    "stock": "A股", "cdr": "存托凭证", "b_share": "B股", "fund": "基金", "bond": "可转债", "repo": "国债回购",
    "index": "指数", "delisted": "退市板块股票", "hk_stock": "港股",
}  # fmt: skip

#: (exchange, kind, board, prefixes); the longest prefix decides.
_MARKETS: tuple[tuple[str, str, str | None, str], ...] = (
    ("SH", "stock", "main", "600 601 603 605"),
    ("SH", "stock", "star", "688"),
    ("SH", "cdr", "star", "689"),
    ("SH", "b_share", None, "900"),
    ("SH", "fund", None, "50 51 52 53 55 56 58"),
    ("SH", "bond", None, "110 111 113 118"),
    ("SH", "repo", None, "204"),
    ("SZ", "stock", "main", "000 001 002 003"),
    ("SZ", "stock", "chinext", "300 301 302"),
    ("SZ", "b_share", None, "200 201"),
    ("SZ", "fund", None, "159 16 18"),
    ("SZ", "bond", None, "123 127 128"),
    ("SZ", "repo", None, "131"),
    ("SZ", "index", None, "399 98"),
    ("BJ", "stock", "bse", "920 43 83 87 88"),
    ("BJ", "index", None, "899"),
    ("NEEQ", "delisted", None, "400 420"),
    ("CSI", "index", None, "93"),
)
_BY_PREFIX = {prefix: market[:3] for market in _MARKETS for prefix in market[3].split()}


@dataclass(frozen=True, order=True)
class Symbol:
    """One security: six-digit code (five in Hong Kong), exchange and kind.

    Attributes:
        code: The bare digits, leading zeros kept.
        exchange: SH, SZ, BJ, HK, CSI or NEEQ.
        kind: stock, cdr, b_share, fund, bond, repo, index, delisted or hk_stock.
    """

    code: str
    exchange: str
    kind: str

    def __str__(self) -> str:
        return self.canonical

    @property
    def canonical(self) -> str:
        """``600519.SH``, the only form stored."""
        return f"{self.code}.{self.exchange}"

    @property
    def bare(self) -> str:
        """``600519`` (East Money history, cninfo, news)."""
        return self.code

    @property
    def sina(self) -> str:
        """``sh600519`` (Sina, Tencent)."""
        return f"{self._listed_exchange('新浪').lower()}{self.code}"

    @property
    def prefixed_upper(self) -> str:
        """``SH600519`` (East Money report pages, Xueqiu)."""
        return f"{self._listed_exchange('东方财富')}{self.code}"

    @property
    def em_secid(self) -> str:
        """``1.600519``: East Money's market number is 1 for Shanghai, 0 for Shenzhen and Beijing."""
        return f"{1 if self._listed_exchange('东方财富') == 'SH' else 0}.{self.code}"

    @property
    def baostock(self) -> str:
        """``sh.600519``; UsageError outside Shanghai and Shenzhen, which baostock does not have."""
        if self.exchange not in {"SH", "SZ"}:
            raise UsageError(f"{self.canonical}：baostock 没有{EXCHANGE_ZH[self.exchange]}市场的数据，请换用其他数据源")
        return f"{self.exchange.lower()}.{self.code}"

    @property
    def board(self) -> str | None:
        """Listing board ``main``, ``star``, ``chinext`` or ``bse``; None unless :attr:`is_stock`."""
        market = market_of(self.code) if self.is_stock else None
        return market[2] if market else None

    @property
    def is_stock(self) -> bool:
        """Whether it is an A-share (or a depositary receipt traded like one)."""
        return self.kind in {"stock", "cdr"}

    def _listed_exchange(self, vendor: str) -> str:
        if self.exchange not in {"SH", "SZ", "BJ"}:
            raise UsageError(f"{self.canonical}：{vendor}的代码写法只适用于沪、深、北交易所的证券")
        return self.exchange


def market_of(code: str) -> tuple[str, str, str | None] | None:
    """Exchange, kind and board of a six-digit code; None if no market has that prefix."""
    return _BY_PREFIX.get(code[:3]) or _BY_PREFIX.get(code[:2])
