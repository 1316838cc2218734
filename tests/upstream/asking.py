"""How tests ask: one policy, one clock, no throttle; every vendor wired as in a run."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

from pydantic import SecretStr

from flows.contracts.envelope import Envelope, Request
from flows.market.sessions import SHANGHAI, load_calendar
from flows.sources.akshare_client import Akshare
from flows.sources.asking import Asker, Fetcher, Policy
from flows.sources.baostock import Baostock
from flows.sources.cninfo import Cninfo
from flows.sources.eastmoney import EastMoney
from flows.sources.exchanges import Exchanges
from flows.sources.filing_text import FilingTexts
from flows.sources.sina import Sina
from flows.sources.tencent import Tencent
from flows.sources.tushare import Tushare
from tests.upstream.world import BANK

EVENING = datetime(2024, 6, 14, 21, 30, tzinfo=SHANGHAI)
FIRST, LAST = date(2024, 6, 3), date(2024, 6, 14)
SECRET = "t0ken-that-must-not-show"


class Free:
    """No throttle."""

    def acquire(self, patience_s: float) -> None:
        """Let everything pass."""


def asker(vendor: str, attempts: int = 1, deadline_s: float = 5.0, **more: object) -> Asker:
    policy = Policy(deadline_s, attempts, pause_s=0.0, longest_pause_s=0.0)
    return Asker(vendor, load_calendar(), lambda: EVENING, Free(), policy, **more)  # type: ignore[arg-type]


def vendors(attempts: int = 1, deadline_s: float = 5.0) -> dict[str, Mapping[str, Fetcher]]:
    """Every live vendor, fresh, as at the start of a run."""
    akshare = Akshare()
    cninfo = Cninfo(asker("cninfo", attempts, deadline_s), akshare)

    def of(name: str, **more: object) -> Asker:
        return asker(name, attempts, deadline_s, **more)

    return {
        "baostock": Baostock(of("baostock", shares_one_line=True)).fetchers(),
        "eastmoney": EastMoney(of("eastmoney"), akshare).fetchers(),
        "cninfo": {**cninfo.fetchers(), **FilingTexts(of("cninfo"), cninfo.filings).fetchers()},
        "sina": Sina(of("sina"), akshare).fetchers(),
        "tencent": Tencent(of("tencent"), akshare).fetchers(),
        "exchanges": Exchanges(of("exchanges"), akshare).fetchers(),
        "tushare": Tushare(of("tushare"), "http://api.tushare.pro", SecretStr(SECRET)).fetchers(),
    }


def request(
    kind: str, symbol: str | None = BANK, start: date = FIRST, end: date = LAST, now: datetime = EVENING
) -> Request:
    return Request(kind, symbol, start, end, now)


def ask(vendor: str, kind: str, symbol: str | None = BANK, **window: object) -> Envelope:
    """One question to one fresh vendor."""
    return vendors()[vendor][kind](request(kind, symbol, **window))  # type: ignore[arg-type]
