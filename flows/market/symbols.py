"""One canonical form for every way people and vendors write a Chinese security code (PRODUCT M1).

Decision: a code's exchange and board follow from its prefix, so a suffix can only confirm or contradict it;
a contradiction is refused, never resolved by guessing. The one exception is ``000xxx``: bare it is a Shenzhen
stock, with an explicit Shanghai mark it is a Shanghai index. Renumbered codes come from a table of known
successions (``successions.csv``), never from arithmetic, because collisions were renumbered freely.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches

from flows.errors import UsageError
from flows.market.codes import EXCHANGE_ZH, KIND_ZH, Symbol, market_of
from flows.market.successions import successor

__all__ = ["Symbol", "normalise_name", "parse_stock", "parse_symbol"]

_SUFFIXES = {
    "SH": "SH", "SS": "SH", "XSHG": "SH", "SSE": "SH", "SZ": "SZ", "XSHE": "SZ", "SZSE": "SZ",
    "BJ": "BJ", "BSE": "BJ", "XBSE": "BJ", "CSI": "CSI", "NEEQ": "NEEQ",
}  # fmt: skip
_PREFIXED = re.compile(r"(SH|SZ|BJ)[.:]?([0-9]{6})")
_SUFFIXED = re.compile(rf"([0-9]{{6}})[.:]?({'|'.join(_SUFFIXES)})")
_SECID = re.compile(r"([01])\.([0-9]{6})")
_HONG_KONG = re.compile(r"(?:HK[.:]?)?([0-9]{1,5})[.:]?HK|HK[.:]?([0-9]{4,5})")
_INVISIBLE = re.compile(r"[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_NAME_MARK = re.compile(r"^(?:XD|XR|DR|N|C)?(?:S?\*?ST|S)?(?=[\u4e00-\u9fff])")
_NAME_TAIL = re.compile(r"-[UWVD]{1,3}$")
_EX_DAY_NAME = re.compile(r"(?:XD|XR|DR)[\u4e00-\u9fff]{2,}[AB]?")

#: Index codes that people write bare; as a bare Shenzhen code they are missing or somebody else.
_INDEX_ZH = {"000300": "沪深300", "000905": "中证500"}
_NO_SUCH_STOCK = frozenset({"000300"})
_LEGACY_BEIJING = ("43", "83", "87", "88")
_EXAMPLES = "可写 600519、600519.SH、sh600519、sh.600519 或股票名称"


def parse_symbol(text: str, names: Mapping[str, str] | None = None) -> Symbol:
    """The security *text* means; a renumbered code gives its successor.

    Args:
        text: A code in any usual spelling, or a company name if *names* is given.
        names: Company name → code, as in the instruments table (one company may have several names).

    Raises:
        UsageError: Contradictory, ambiguous or unknown; the message says what to write instead.
    """
    if not isinstance(text, str):
        raise UsageError(f'证券代码必须是文字，不能是 {type(text).__name__}（数字会丢掉开头的 0）：请写成 "000001.SZ"')
    cleaned = _clean(text)
    if not cleaned:
        raise UsageError(f"证券代码为空：{_EXAMPLES}")
    found = _hong_kong(cleaned) or _by_code(cleaned, text.strip(), names or {})
    return found or _by_name(cleaned, text.strip(), names or {})


def parse_stock(text: str, names: Mapping[str, str] | None = None) -> Symbol:
    """Like :func:`parse_symbol`, but refuses everything that is not an A-share."""
    symbol = parse_symbol(text, names)
    if not symbol.is_stock:
        advice = f"；若指同号的深市股票请写 {symbol.code}.SZ" if _is_shanghai_index(symbol) else ""
        raise UsageError(f"{symbol.canonical} 是{KIND_ZH[symbol.kind]}，本工具只处理沪深北 A 股{advice}")
    return symbol


def normalise_name(name: str) -> str:
    """A company name without width, spacing, case and status-mark differences (``*ST 万  科Ａ`` → ``万科A``)."""
    return _NAME_TAIL.sub("", _NAME_MARK.sub("", _clean(name)))


def _clean(text: str) -> str:
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).upper()


def _hong_kong(cleaned: str) -> Symbol | None:
    match = _HONG_KONG.fullmatch(cleaned)
    return Symbol((match[1] or match[2]).zfill(5), "HK", "hk_stock") if match else None


def _split(cleaned: str) -> tuple[str, str | None] | None:
    """Code and the exchange written with it, None where none was written."""
    if match := _PREFIXED.fullmatch(cleaned):
        return match[2], match[1]
    if match := _SUFFIXED.fullmatch(cleaned):
        return match[1], _SUFFIXES[match[2]]
    if match := _SECID.fullmatch(cleaned):
        is_beijing = (market_of(match[2]) or ("",))[0] == "BJ"
        return match[2], "SH" if match[1] == "1" else ("BJ" if is_beijing else "SZ")
    return (cleaned, None) if re.fullmatch(r"[0-9]{6}", cleaned) else None


def _by_code(cleaned: str, text: str, names: Mapping[str, str]) -> Symbol | None:
    parts = _split(cleaned)
    if parts is None:
        return None
    code, exchange = parts
    if exchange in {"SH", "CSI"} and code.startswith("000"):
        return Symbol(code, "SH", "index")
    market = market_of(code)
    if market is None:
        raise UsageError(f"{text}：没有以 {code[:3]} 开头的沪深北证券代码，请核对；{_EXAMPLES}")
    if exchange and exchange != market[0]:
        raise UsageError(_contradiction(text, code, exchange, market))
    symbol = Symbol(code, market[0], market[1])
    _refuse_bare_index(symbol, exchange, text, names)
    return _follow(symbol, text, names)


def _contradiction(text: str, code: str, exchange: str, market: tuple[str, str, str | None]) -> str:
    right, kind, _ = market
    return (
        f"{text}：代码与交易所矛盾，{code} 属于{EXCHANGE_ZH[right]}（{KIND_ZH[kind]}），"
        f"不属于{EXCHANGE_ZH[exchange]}；请写 {code}.{right}"
    )


def _refuse_bare_index(symbol: Symbol, exchange: str | None, text: str, names: Mapping[str, str]) -> None:
    title = _INDEX_ZH.get(symbol.code)
    if title is None or symbol.canonical in names.values():
        return
    if symbol.code in _NO_SUCH_STOCK:
        raise UsageError(f"{text}：没有代码为 {symbol.code} 的股票；是否指{title}指数？请写 sh{symbol.code}")
    if exchange is None:
        raise UsageError(
            f"{text}：不带交易所时无法确定；是否指{title}指数？请写 sh{symbol.code}；"
            f"若指深市股票请写 {symbol.canonical}"
        )


def _follow(symbol: Symbol, text: str, names: Mapping[str, str]) -> Symbol:
    """The successor of a renumbered code; the instruments table may know more than ours."""
    later = successor(symbol.canonical) or names.get(symbol.canonical)
    if later and later != symbol.canonical:
        return parse_symbol(later)
    if symbol.exchange == "BJ" and symbol.code.startswith(_LEGACY_BEIJING):
        raise UsageError(
            f"{text}：2025-10-09 改用 920 代码的 248 家北交所公司里没有 {symbol.code}，"
            "它是新三板公司，或那时已不在北交所；若是北交所股票，请写 920 开头的新代码"
        )
    return symbol


def _by_name(cleaned: str, text: str, names: Mapping[str, str]) -> Symbol:
    hits = _named(cleaned, names)
    symbols = {parse_symbol(code) for code in hits}
    if len(symbols) == 1:
        return symbols.pop()
    if symbols:
        listed = "、".join(sorted(symbol.canonical for symbol in symbols))
        raise UsageError(f"名称“{text}”对应多只证券（{listed}），请直接写代码")
    raise UsageError(_unknown(cleaned, text, names))


def _named(cleaned: str, names: Mapping[str, str]) -> set[str]:
    """Codes of the first rule that finds any: same name, same without marks, cut short on an ex-date."""
    wanted = normalise_name(cleaned)
    exact = {code for name, code in names.items() if _clean(name) == cleaned}
    same = exact or {code for name, code in names.items() if normalise_name(name) == wanted}
    if same or not _EX_DAY_NAME.fullmatch(cleaned):
        return same
    return {code for name, code in names.items() if normalise_name(name).startswith(wanted)}


def _unknown(cleaned: str, text: str, names: Mapping[str, str]) -> str:
    if cleaned.isdigit():
        return f"{text}：A 股代码是 6 位数字，这里有 {len(cleaned)} 位；{_EXAMPLES}，港股请写 00700.HK"
    by_name = {normalise_name(name): (name, code) for name, code in names.items()}
    close = get_close_matches(normalise_name(cleaned), by_name, n=3, cutoff=0.5)
    if close:
        listed = "、".join(f"{by_name[key][0]}（{by_name[key][1]}）" for key in close)
        return f"没有找到“{text}”；是否指 {listed}？"
    return f"不认识的证券“{text}”；{_EXAMPLES}"


def _is_shanghai_index(symbol: Symbol) -> bool:
    return symbol.exchange == "SH" and symbol.kind == "index" and symbol.code not in _NO_SUCH_STOCK
