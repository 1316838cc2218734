"""Which model at which server answers for which role, from the settings."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import httpx2
from pydantic import SecretStr

from flows.debate.endpoint import Address, Endpoint
from flows.debate.endpoint_capability import Capabilities
from flows.debate.gateway_line import LONGEST_WAIT_S, OUTAGE_REST_S, Line
from flows.debate.limits import CallRate, Outage, Pace, Pause, Slots
from flows.debate.offline.transport import OFFLINE, offline_transport
from flows.debate.usage import Budgets, Price
from flows.debate.usage_ledger import Ledger, Times
from flows.errors import ConfigurationError
from flows.settings import RoleSettings, Settings

#: Roles of DESIGN; a role without settings of its own uses the common model.
_NO_ROLE = RoleSettings()
_MORE_TRIES = 2


@dataclass(frozen=True)
class RoleModel:
    """What answers for one role: model, the line to its server, its price, overridden limits."""

    model: str
    line: Line
    price: Price | None
    temperature: float | None = None
    max_tokens: int | None = None


@dataclass(frozen=True)
class Surroundings:
    """Where a gateway keeps its files, and the world it lives in."""

    folder: Path
    clock: Callable[[], datetime]
    pace: Pace
    transport: httpx2.AsyncBaseTransport | None
    random: Random

    def ledger(self, settings: Settings, run_id: str) -> Ledger:
        """The ledger of *run_id* with the budgets of *settings*."""
        budgets = Budgets(
            run_tokens=settings.run_token_budget,
            day_tokens=settings.day_token_budget,
            run_cost_cny=settings.run_cost_budget_cny,
            day_cost_cny=settings.day_cost_budget_cny,
        )
        times = Times(self.clock, self.pace.wall, settings.model_timeout_s + settings.model_connect_timeout_s + 60.0)
        return Ledger(self.folder / "ledger.sqlite3", run_id=run_id, budgets=budgets, times=times)


class Models:
    """The models of one run; a server used by several roles is one line."""

    def __init__(self, settings: Settings, around: Surroundings, ledger: Ledger) -> None:
        self._settings = settings
        self._around = around
        self._ledger = ledger
        self._capabilities = Capabilities(around.folder / "capabilities.json")
        self._slots = Slots(around.folder / "slots", max(1, settings.model_concurrency), pace=around.pace)
        self._lines: dict[tuple[str, str], Line] = {}
        self._roles: dict[str, RoleModel] = {}
        for role in ("", *settings.roles):
            self.of(role)

    def of(self, role: str) -> RoleModel:
        """What answers for *role*."""
        if role not in self._roles:
            self._roles[role] = self._build(self._settings.roles.get(role, _NO_ROLE))
        return self._roles[role]

    def in_use(self) -> dict[str, RoleModel]:
        """Every different server and model once, by one of the roles it answers for ("" is any other role)."""
        seen: dict[tuple[str, str], str] = {}
        for role, found in self._roles.items():
            seen.setdefault((found.line.endpoint.address.name, found.model), role)
        return {role: self._roles[role] for role in seen.values()}

    async def aclose(self) -> None:
        """Close all connections of the running loop."""
        for line in self._lines.values():
            await line.endpoint.aclose()
            line.rate.close()

    def _build(self, options: RoleSettings) -> RoleModel:
        model = options.model or self._settings.model
        line = self._line(model, options)
        price = self._price(model, is_free=line.endpoint.address.is_free)
        return RoleModel(model, line, price, options.temperature, options.max_tokens)

    def _line(self, model: str, options: RoleSettings) -> Line:
        address = self._address(model, options)
        name = (address.name, address.key)
        if name not in self._lines:
            self._lines[name] = self._open(address)
        return self._lines[name]

    def _open(self, address: Address) -> Line:
        around = self._around
        per_minute = None if address.is_free else self._settings.model_calls_per_minute
        server = around.folder / "servers" / _file_name(address.name)
        return Line(
            endpoint=Endpoint(address, self._capabilities, around.clock),
            ledger=self._ledger,
            slots=self._slots,
            rate=CallRate(server / "rate.sqlite3", per_minute, pace=around.pace),
            pause=Pause(server / "pause", longest_s=LONGEST_WAIT_S, pace=around.pace),
            outage=Outage(server / "down", self._ledger.run_id, rest_s=OUTAGE_REST_S, pace=around.pace),
            tries=max(1, self._settings.model_attempts) + _MORE_TRIES,
            pace=around.pace,
            random=around.random,
        )

    def _address(self, model: str, options: RoleSettings) -> Address:
        if model == OFFLINE:
            identity, transport = offline_transport()
            return Address(
                "http://offline.invalid/v1", identity=identity, pool=OFFLINE, is_free=True, transport=transport
            )
        base_url = options.base_url or self._settings.base_url
        if not base_url:
            raise ConfigurationError(
                f"要用模型 {model}，还缺服务地址：请设置 ZHENGMING_BASE_URL（OpenAI 兼容接口，通常以 /v1 结尾）"
                "和 ZHENGMING_API_KEY；没有模型时用 --model offline。"
            )
        if not base_url.startswith(("http://", "https://")) or "@" in urlsplit(base_url).netloc:
            raise ConfigurationError(
                "ZHENGMING_BASE_URL 必须以 http:// 或 https:// 开头，不带用户名和密码；密钥放在 ZHENGMING_API_KEY。"
            )
        return Address(
            base_url=base_url,
            key=_plain(options.api_key if options.base_url else options.api_key or self._settings.api_key),
            read_timeout_s=self._settings.model_timeout_s,
            connect_timeout_s=self._settings.model_connect_timeout_s,
            transport=self._around.transport,
        )

    def _price(self, model: str, *, is_free: bool) -> Price | None:
        if is_free:
            return Price(0.0, 0.0)
        listed = self._settings.model_prices.get(model)
        if listed is not None:
            return Price(listed.tokens_in, listed.tokens_out, listed.cached_in)
        common = (self._settings.price_in_cny_per_million, self._settings.price_out_cny_per_million)
        if common[0] is not None and common[1] is not None:
            return Price(common[0], common[1])
        if self._settings.run_cost_budget_cny is not None or self._settings.day_cost_budget_cny is not None:
            raise ConfigurationError(
                f"设置了费用预算，但不知道模型 {model} 的价格：请设置 ZHENGMING_PRICE_IN_CNY_PER_MILLION 与"
                " ZHENGMING_PRICE_OUT_CNY_PER_MILLION，或改用 token 预算。"
            )
        return None


def _file_name(server: str) -> str:
    return hashlib.sha256(server.encode()).hexdigest()[:16]


def _plain(key: SecretStr | None) -> str:
    return key.get_secret_value() if key is not None else ""
