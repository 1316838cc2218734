"""Which stock a text is about, by the codes it writes."""

from __future__ import annotations

import re
from collections import Counter

from flows.errors import UsageError
from flows.market.symbols import parse_stock

_WRITTEN = re.compile(
    r"(?<![\w.])(?:(?P<suffixed>\d{6}\.(?:SH|SZ|BJ))|(?P<prefixed>(?:SH|SZ|BJ)\d{6}))(?!\w)|[(（](?P<bare>\d{6})[)）]",
    re.IGNORECASE | re.ASCII,
)


def other_stock(text: str, subject: str) -> str:
    """Symbol of the stock that *text* writes most often; empty if it writes none, or *subject*'s as often."""
    written = Counter(filter(None, (_stock(match[match.lastgroup or 0]) for match in _WRITTEN.finditer(text))))
    ours = _stock(subject)
    if not written or not ours:
        return ""
    symbol, count = written.most_common(1)[0]
    return symbol if written[ours] < count else ""


def _stock(code: str) -> str:
    try:
        return parse_stock(code).canonical
    except UsageError:
        return ""
