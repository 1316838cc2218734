"""A small warehouse for evidence tests: contract tables under the names evidence reads, and row builders."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import duckdb
import polars as pl

from flows.contracts.marts import ADJUSTED_BARS, MULTIPLES, PRICE_FACTS, VALUATION_PERCENTILES, WINDOW_YEARS
from flows.contracts.raw import FETCHES, KIND_RULES, RAW_TABLES
from flows.contracts.table import Table

TZ = ZoneInfo("Asia/Shanghai")
SYMBOL = "600001.SH"
AS_OF = date(2026, 11, 27)
CUTOFF = datetime(2026, 11, 27, 21, 0, tzinfo=TZ)
SESSIONS = [d for d in (AS_OF - timedelta(days=n) for n in range(120, -4, -1)) if d.weekday() < 5]

_MARTS = (ADJUSTED_BARS, VALUATION_PERCENTILES, PRICE_FACTS)
_STAGING = {
    kind: Table(f"staging.{kind}", table.meaning, table.grain, table.columns) for kind, table in RAW_TABLES.items()
}
_RAW = (RAW_TABLES["instruments"], FETCHES)
TABLES: dict[str, Table] = {t.name: t for t in (*_MARTS, *_STAGING.values(), *_RAW)}


def at(day: date, hour: int = 18, minute: int = 0) -> datetime:
    return datetime.combine(day, time(hour, minute), TZ)


@contextmanager
def warehouse(*rows: tuple[str, dict[str, Any]]) -> Iterator[duckdb.DuckDBPyConnection]:
    """An in-memory database holding *rows* as (table name, row) pairs."""
    con = duckdb.connect()
    con.execute("set timezone = 'Asia/Shanghai'")
    for schema in ("raw", "staging", "marts"):
        con.execute(f"create schema {schema}")
    for table in TABLES.values():
        con.execute(table.ddl)
    con.execute(
        "create macro marts.adjusted_bars_asof(as_of) as table "
        "select * from marts.adjusted_bars where trade_date <= as_of"
    )
    _load(con, rows)
    try:
        yield con
    finally:
        con.close()


def _load(con: duckdb.DuckDBPyConnection, rows: tuple[tuple[str, dict[str, Any]], ...]) -> None:
    """Whole frames per table: row-by-row inserts would dominate the property tests."""
    by_table: dict[str, list[dict[str, Any]]] = {}
    for name, row in rows:
        by_table.setdefault(name, []).append(row)
    for name, group in by_table.items():
        con.register("incoming", pl.DataFrame(group, schema=TABLES[name].schema).to_arrow())
        con.execute(f"insert into {name} by name select * from incoming")
        con.unregister("incoming")


def staged(kind: str, published_at: datetime | None = None, **values: Any) -> tuple[str, dict[str, Any]]:
    """A staging row; columns not given are null, system columns are filled."""
    table = RAW_TABLES[kind]
    row: dict[str, Any] = dict.fromkeys(table.schema)
    if "symbol" in row:
        row["symbol"] = SYMBOL
    for column in table.columns:
        if not column.nullable and row[column.name] is None:
            row[column.name] = _blank(column.dtype)
    row |= {"vendor": "sample", "fetched_at": CUTOFF, "batch_id": "b1"} | values
    day = values.get(KIND_RULES[kind].date_column or "", AS_OF)
    row["published_at"] = published_at or at(day)
    return f"staging.{kind}", row


def _blank(dtype: pl.DataType) -> Any:
    blanks: dict[type[pl.DataType], Any] = {
        pl.String: "", pl.Float64: 0.0, pl.Int64: 0, pl.Boolean: False, pl.Date: AS_OF, pl.Datetime: at(AS_OF),
    }  # fmt: skip
    return blanks[type(dtype)]


def bar(day: date, close: float = 10.0, *, factor: float = 1.0, volume: float = 1e6) -> tuple[str, dict[str, Any]]:
    adjusted = close * factor
    return "marts.adjusted_bars", {
        "symbol": SYMBOL, "trade_date": day, "open_cny": adjusted, "high_cny": adjusted, "low_cny": adjusted,
        "close_cny": adjusted, "raw_close_cny": close, "volume_shares": volume, "amount_cny": close * volume,
        "forward_factor": factor,
    }  # fmt: skip


def price_row(day: date, **values: Any) -> tuple[str, dict[str, Any]]:
    return "marts.price_facts", dict.fromkeys(PRICE_FACTS.schema) | {
        "symbol": SYMBOL, "trade_date": day, "close_cny": 10.0, **values,
    }  # fmt: skip


def percentile_row(day: date, status: str = "ok", **values: Any) -> tuple[str, dict[str, Any]]:
    row: dict[str, Any] = {"symbol": SYMBOL, "trade_date": day}
    for multiple in MULTIPLES:
        row |= {multiple: 12.0, f"{multiple}_status": status}
        for years in WINDOW_YEARS:
            row |= {
                f"{multiple}_pct_{years}y": 55.5 if status == "ok" else None,
                f"{multiple}_obs_{years}y": 240 * years,
            }
    return "marts.valuation_percentiles", row | values


def calendar() -> list[tuple[str, dict[str, Any]]]:
    return [staged("trade_dates", at(day, 0), trade_date=day, is_session=True) for day in SESSIONS if day <= AS_OF]


def filing(number: int, day: date, title: str, name: str = "浦江精工") -> tuple[str, dict[str, Any]]:
    """One filing of the stock."""
    url = f"https://example.com/a{number}"
    return staged("announcements", at(day, 19), announcement_id=f"a{number}", name=name, title=title, url=url)


def headline(number: int, day: date, title: str, content: str | None = None) -> tuple[str, dict[str, Any]]:
    """One news item found for the stock."""
    url = f"https://example.com/n{number}"
    return staged(
        "news", at(day, 10, number % 60), news_id=f"n{number}", title=title, content=content, media="某财经", url=url
    )


def full_stock() -> list[tuple[str, dict[str, Any]]]:
    """Rows of every kind for one stock on one evening."""
    days = SESSIONS[-10:]
    days = [day for day in days if day <= AS_OF]
    report = {
        "revenue_cny": 1.2345e9, "revenue_yoy_pct": -6.8, "net_profit_cny": 1.5e8, "net_profit_yoy_pct": 12.3,
        "deducted_net_profit_cny": 1.2e8, "eps_cny": 0.52, "bvps_cny": 6.1, "roe_pct": 8.4, "gross_margin_pct": 31.2,
        "net_margin_pct": 12.1, "debt_ratio_pct": 71.0, "operating_cash_flow_cny": 0.6e8,
    }  # fmt: skip
    return [
        *calendar(),
        staged(
            "instruments",
            at(date(2026, 1, 5)),
            name="浦江精工",
            board="main",
            industry="通用设备",
            listed_date=date(2015, 3, 2),
        ),
        staged("instruments", at(date(2026, 1, 5)), symbol="600002.SH", name="远山科技", board="main", industry="软件"),
        *(bar(day, 10 + place / 10) for place, day in enumerate(days)),
        price_row(
            AS_OF,
            change_pct=-1.2,
            high_52w_cny=14.0,
            low_52w_cny=8.0,
            position_52w_pct=48.0,
            drawdown_52w_pct=-31.0,
            return_5d_pct=3.0,
            return_20d_pct=-6.5,
            return_60d_pct=12.0,
            up_days_60d=31,
            volatility_60d_pct=28.0,
            atr_14_cny=0.4,
            ma_5_cny=10.6,
            ma_20_cny=10.9,
            ma_60_cny=10.2,
            rsi_14=52.0,
            volume_ratio_5d=1.3,
            limit_up_days_60d=1,
            limit_down_days_60d=0,
            limit_pct=10.0,
        ),
        percentile_row(AS_OF, pe_ttm_pct_3y=86.5, pb_pct_10y=12.0),
        staged(
            "financial_indicators",
            at(date(2026, 10, 28)),
            report_period=date(2026, 9, 30),
            notice_date=date(2026, 10, 28),
            **report,
        ),
        staged(
            "financial_indicators",
            at(date(2025, 10, 28)),
            report_period=date(2025, 9, 30),
            notice_date=date(2025, 10, 28),
            **{**report, "gross_margin_pct": 33.0, "deducted_net_profit_cny": 1.0e8},
        ),
        staged(
            "earnings_forecasts",
            at(date(2026, 11, 20)),
            report_period=date(2026, 12, 31),
            notice_date=date(2026, 11, 20),
            metric="归属于上市公司股东的净利润",
            forecast_type="预增",
            value_low_cny=2.1e8,
            value_high_cny=2.4e8,
            change_low_pct=20.0,
            change_high_pct=35.0,
            reason="订单增长",
        ),
        staged("corporate_actions", at(date(2026, 6, 10)), ex_date=date(2026, 6, 11), cash_cny=0.35),
        filing(1, date(2026, 11, 25), "关于股东减持股份计划的公告"),
        filing(2, date(2026, 11, 20), "2026年度业绩预告"),
        staged(
            "filing_texts",
            at(date(2026, 11, 20), 19),
            announcement_id="a2",
            sentence_no=1,
            page=1,
            readability="readable",
            sentence="预计净利润为21000万元至24000万元。",
        ),
        staged(
            "holder_trades",
            at(date(2026, 11, 2)),
            holder="甲投资",
            direction="减持",
            changed_shares=3.2e6,
            changed_pct=0.8,
            end_date=date(2026, 10, 30),
            notice_date=date(2026, 11, 2),
        ),
        staged("pledges", trade_date=date(2026, 11, 20), pledge_ratio_pct=24.5, pledged_shares=9e7),
        staged(
            "unlocks",
            at(date(2026, 9, 1)),
            unlock_date=date(2026, 12, 18),
            share_type="首发原股东限售股份",
            unlocked_shares=5e7,
            unlocked_pct=12.5,
        ),
        staged(
            "top_list",
            at(AS_OF, 20),
            trade_date=AS_OF,
            reason="日涨幅偏离值达到7%的证券",
            window_sessions=1,
            net_buy_cny=-2.3e7,
        ),
        *(
            staged(
                "margins",
                at(SESSIONS[SESSIONS.index(day) + 1], 9),
                trade_date=day,
                margin_balance_cny=5e8 + place * 1e7,
            )
            for place, day in enumerate(days)
        ),
        *(staged("fund_flows", at(day, 17), trade_date=day, main_net_cny=-1e7) for day in days),
        staged("attention", trade_date=AS_OF, popularity_rank=35),
        *(
            staged(
                "peers",
                trade_date=AS_OF,
                peer_symbol=f"60001{place}.SH",
                peer_name=f"同业{place}",
                industry="通用设备",
                pe_ttm=20.0 + place,
                pb=2.0,
            )
            for place in range(4)
        ),
        staged(
            "macro", at(date(2026, 10, 31), 9), indicator="PMI", period=date(2026, 10, 31), value=50.3, unit="index"
        ),
        staged("macro", at(date(2026, 11, 9), 9), indicator="CPI", period=date(2026, 10, 31), value=0.4, unit="pct"),
        headline(0, date(2026, 11, 24), "浦江精工中标大型设备项目"),
        headline(1, date(2026, 11, 24), "浦江精工盘中暴跌9%"),
        headline(2, date(2026, 11, 24), "浦江精工股东大会召开"),
        staged(
            "research_reports",
            at(date(2026, 11, 3)),
            report_id="r1",
            report_date=date(2026, 11, 3),
            title="订单饱满，维持增速",
            organisation="某某证券",
            rating="买入",
            forecast_year=2026,
            eps_year_0_cny=0.75,
            eps_year_1_cny=0.9,
        ),
    ]
