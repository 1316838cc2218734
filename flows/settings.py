"""One frozen Settings; the only reader of the environment.

Order of precedence: command-line options, environment (``ZHENGMING_…``), ``.env``,
``zhengming.toml``, defaults. With nothing configured the sample market and the offline model run.
"""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

#: Only the vendors listed here are ever asked, in this order (PRODUCT M4).
DEFAULT_CHAINS: dict[str, tuple[str, ...]] = {
    "instruments": ("baostock", "exchanges"),
    "trade_dates": ("baostock", "sina"),
    "daily_bars": ("baostock", "eastmoney", "sina"),
    "adjust_factors": ("baostock", "sina"),
    "corporate_actions": ("cninfo", "eastmoney"),
    "valuations": ("baostock", "eastmoney"),
    "announcements": ("cninfo",),
    "filing_texts": ("cninfo",),
    "earnings_forecasts": ("eastmoney", "baostock"),
    "financial_indicators": ("eastmoney",),
    "news": ("eastmoney",),
    "research_reports": ("eastmoney",),
    "pledges": ("eastmoney",),
    "holder_trades": ("eastmoney",),
    "unlocks": ("eastmoney",),
    "top_list": ("eastmoney",),
    "margins": ("exchanges",),
    "fund_flows": ("eastmoney",),
    "attention": ("eastmoney",),
    "suspensions": ("eastmoney",),
    "macro": ("eastmoney",),
    "peers": ("eastmoney",),
}


class RoleSettings(BaseModel):
    """Model options of one role; unset fields fall back to the common ones.

    A role with its own ``base_url`` uses its own ``api_key``, never the common one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    base_url: str | None = None
    api_key: SecretStr | None = None


class ModelPrice(BaseModel):
    """Price of one model, CNY per million tokens; *cached_in* is that of a repeated prefix, if there is one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tokens_in: float
    tokens_out: float
    cached_in: float | None = None


_PREFIX = "ZHENGMING_"


class Settings(BaseSettings):
    """Everything a run may be told.

    Prices are CNY per million tokens; ``None`` means unknown, and a cost is then reported as unknown.
    """

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX,
        env_file=".env",
        env_nested_delimiter="__",
        toml_file="zhengming.toml",
        frozen=True,
        extra="forbid",
    )

    data_dir: Path = Path("data")
    watchlist: Path | None = None
    sources: Literal["sample", "live"] = "sample"
    chains: dict[str, tuple[str, ...]] = Field(default_factory=lambda: dict(DEFAULT_CHAINS))
    user_sql: dict[str, str] = Field(default_factory=dict)
    user_sql_database: Path | None = None
    tushare_token: SecretStr | None = None
    tushare_url: str = "http://api.tushare.pro"

    model: str = "offline"
    base_url: str | None = None
    api_key: SecretStr | None = None
    roles: dict[str, RoleSettings] = Field(default_factory=dict)
    temperature: float = 0.7
    max_tokens_argument: int = 1_000
    max_tokens_question: int = 500
    price_in_cny_per_million: float | None = None
    price_out_cny_per_million: float | None = None
    model_prices: dict[str, ModelPrice] = Field(default_factory=dict)
    run_token_budget: int | None = None
    day_token_budget: int | None = None
    run_cost_budget_cny: float | None = None
    day_cost_budget_cny: float | None = None
    model_concurrency: int = 8
    model_calls_per_minute: int | None = None
    model_timeout_s: float = 120.0
    model_connect_timeout_s: float = 30.0
    model_attempts: int = 3

    stock_concurrency: int = 4
    fetch_deadline_s: float = 60.0
    fetch_attempts: int = 4
    vendor_calls_per_minute: dict[str, int] = Field(default_factory=dict)
    vendor_daily_cap: dict[str, int] = Field(default_factory=dict)
    completeness_threshold: float = 50.0
    cache_hours: int = 24
    review_deadline: str = "21:00"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment before ``.env`` before ``zhengming.toml``."""
        toml = TomlConfigSettingsSource(settings_cls)
        return init_settings, env_settings, dotenv_settings, toml

    @property
    def database(self) -> Path:
        """The DuckDB file."""
        return self.data_dir / "zhengming.duckdb"


def unknown_variables() -> list[str]:
    """Variables of the environment that look like settings and are none; a misspelt budget bounds nothing."""
    ours = (name for name in os.environ if name.upper().startswith(_PREFIX))
    return sorted(name for name in ours if _field(name) not in Settings.model_fields)


def nearest_variable(name: str) -> str | None:
    """The setting that a misspelt variable *name* most likely means, as a variable."""
    near = get_close_matches(_field(name), Settings.model_fields, n=1)
    return f"{_PREFIX}{near[0].upper()}" if near else None


def _field(variable: str) -> str:
    return variable[len(_PREFIX) :].lower().split("__")[0]
