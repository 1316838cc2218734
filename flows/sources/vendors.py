"""The vendors of a run: each one's limits, patience and fetchers, wired from the settings."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from datetime import datetime

from flows.market.sessions import Calendar
from flows.settings import Settings
from flows.sources.akshare_client import Akshare
from flows.sources.asking import Asker, Fetcher, Policy
from flows.sources.baostock import Baostock
from flows.sources.cninfo import Cninfo
from flows.sources.eastmoney import EastMoney
from flows.sources.exchanges import Exchanges
from flows.sources.filing_text import FilingTexts
from flows.sources.limits import CALLS_PER_MINUTE, DAILY_CAP, Throttle
from flows.sources.sina import Sina
from flows.sources.tencent import Tencent
from flows.sources.tushare import Tushare
from flows.sources.user_sql import RunQuery, UserSql

Vendors = Mapping[str, Mapping[str, Fetcher]]
_FILE = "vendor_calls.sqlite"


def live_vendors(
    settings: Settings,
    calendar: Calendar,
    clock: Callable[[], datetime],
    run_query: RunQuery | None = None,
) -> tuple[Vendors, Callable[[], None]]:
    """Vendor → kind → fetcher, and a function that drops what the run remembers of earlier answers."""

    def asker(vendor: str, *, shares_one_line: bool = False) -> Asker:
        return Asker(
            vendor=vendor,
            calendar=calendar,
            clock=clock,
            gate=_LateThrottle(settings, vendor),
            policy=Policy(settings.fetch_deadline_s, settings.fetch_attempts),
            shares_one_line=shares_one_line,
        )

    akshare = Akshare()
    baostock = Baostock(asker("baostock", shares_one_line=True), settings.data_dir / "baostock.lock")
    cninfo = Cninfo(asker("cninfo"), akshare)
    texts = FilingTexts(asker("cninfo"), cninfo.filings)
    vendors: Vendors = {
        "baostock": baostock.fetchers(),
        "eastmoney": EastMoney(asker("eastmoney"), akshare).fetchers(),
        "cninfo": {**cninfo.fetchers(), **texts.fetchers()},
        "sina": Sina(asker("sina"), akshare).fetchers(),
        "tencent": Tencent(asker("tencent"), akshare).fetchers(),
        "exchanges": Exchanges(asker("exchanges"), akshare).fetchers(),
        "tushare": Tushare(asker("tushare"), settings.tushare_url, settings.tushare_token).fetchers(),
        "sql": UserSql(asker("sql"), settings.user_sql, run_query).fetchers(),
    }
    return vendors, baostock.forget


def sample_vendors(calendar: Calendar) -> Vendors:
    """The embedded market as the only vendor."""
    from flows.sources import sample  # noqa: PLC0415  reads the embedded files

    return {"sample": sample.fetchers(calendar)}


class _LateThrottle:
    """A vendor's throttle, opened at its first call, so that a run touches no file of vendors it never asks."""

    def __init__(self, settings: Settings, vendor: str) -> None:
        self._settings = settings
        self._vendor = vendor
        self._lock = threading.Lock()
        self._opened: Throttle | None = None

    def acquire(self, patience_s: float) -> None:
        with self._lock:
            if self._opened is None:
                self._opened = Throttle(
                    self._settings.data_dir / _FILE,
                    self._vendor,
                    self._limit(self._settings.vendor_calls_per_minute, CALLS_PER_MINUTE, 60),
                    self._limit(self._settings.vendor_daily_cap, DAILY_CAP, 10_000),
                )
        self._opened.acquire(patience_s)

    def _limit(self, set_by_user: Mapping[str, int], ours: Mapping[str, int], otherwise: int) -> int:
        return set_by_user.get(self._vendor) or ours.get(self._vendor, otherwise)
