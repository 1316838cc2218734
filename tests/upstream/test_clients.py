"""What stands between akshare and us: packed texts, frames, silence."""

from __future__ import annotations

from datetime import date

import akshare
import pandas as pd
import polars as pl

from flows.market.sessions import load_calendar
from flows.sources.akshare_client import Akshare, to_polars
from flows.sources.http import Recording, recorded
from tests.upstream import sina_codec


def test_the_packed_calendar_survives_sinas_own_decoder(world):
    calendar = load_calendar()
    world.sina.sessions = list(calendar.days)
    decoded = akshare.tool_trade_date_hist_sina()["trade_date"].tolist()
    assert set(decoded) == {*calendar.days, date(1992, 5, 4)}


def test_packed_bars_survive_sinas_own_decoder(world):
    days = load_calendar().sessions(date(2023, 1, 3), date(2024, 6, 14))
    bars = [
        sina_codec.Bar(day, 8 + i / 100, 9 + i / 100, 7.5 + i / 100, 8.2 + i / 100, 10_000_000 + 7 * i, 82_000_000 + i)
        for i, day in enumerate(days)
    ]  # fmt: skip
    world.sina.bars["sh600000"] = bars
    decoded = akshare.stock_zh_a_daily("sh600000", "20230101", "20240614")
    assert decoded["date"].tolist() == days
    assert decoded["volume"].tolist() == [bar.volume for bar in bars]
    assert decoded["amount"].tolist() == [bar.amount for bar in bars]
    assert decoded["close"].tolist() == [round(bar.close, 2) for bar in bars]


def test_frames_are_converted_without_guessing():
    frame = pd.DataFrame(
        {
            "day": [date(2024, 6, 14), pd.NaT],
            "mixed": [1, "两"],
            "number": [1, 2.5],
            "text": ["a", None],
            "nothing": [None, float("nan")],
            "moment": pd.to_datetime(["2024-06-14", None]),
        }
    )
    converted = to_polars(frame)
    assert dict(converted.schema) == {
        "day": pl.Date(), "mixed": pl.String(), "number": pl.Float64(), "text": pl.String(), "nothing": pl.Null(),
        "moment": pl.Datetime("us"),
    }  # fmt: skip
    assert converted["mixed"].to_list() == ["1", "两"]
    assert converted["day"].to_list() == [date(2024, 6, 14), None]


def test_akshare_prints_no_progress_bars(world, capsys):
    with recorded(Recording(10.0)):
        Akshare().call(
            "stock_zh_a_disclosure_report_cninfo", symbol="000001", start_date="20240601", end_date="20240614"
        )
        Akshare().call("stock_yjyg_em", date="20240630")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_a_shared_answer_cannot_be_changed_by_its_reader(world):
    library = Akshare()
    with recorded(Recording(10.0)):
        first = library.shared("stock_info_sz_name_code", symbol="A股列表")
        first = first.with_columns(pl.lit("x").alias("A股简称"))
        second = library.shared("stock_info_sz_name_code", symbol="A股列表")
    assert second["A股简称"][0] == "平安银行"
    assert first["A股简称"][0] == "x"
