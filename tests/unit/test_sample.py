"""The embedded market: complete, internally consistent, and blind to everything after the clock."""

from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

from flows.contracts.columns import SYSTEM
from flows.contracts.envelope import DateStatus, Request, Status
from flows.contracts.raw import FILING_CLASSES, KIND_RULES, RAW_TABLES
from flows.evidence.filings import classify
from flows.market.sessions import SHANGHAI, load_calendar
from flows.market.symbols import parse_stock
from flows.sources.sample import ROOT, fetchers, sample_names, sample_now, sample_watchlist

ASK = fetchers()
NOW = sample_now()
DEBATED = ("605901.SH", "003901.SZ", "605902.SH", "003902.SZ", "688996.SH", "301901.SZ", "302903.SZ", "920991.BJ",
           "605903.SH", "001991.SZ")  # fmt: skip
STALE, NEW = "605904.SH", "301902.SZ"
ALL = (*DEBATED, STALE, NEW)
WIDE = {"trade_dates", "macro"}
KINDS = sorted(RAW_TABLES)


def ask(kind, symbol, now=NOW, days=None):
    end = now.date()
    start = end - timedelta(days=days or KIND_RULES[kind].look_back_days)
    return ASK[kind](Request(kind, None if kind in WIDE else symbol, start, end, now))


def rows(kind, symbol, now=NOW, days=None):
    envelope = ask(kind, symbol, now, days)
    return [] if envelope.data is None else envelope.data.rows(named=True)


def cents(value):
    return int(Decimal(str(round(value, 8))).scaleb(2).quantize(Decimal(1), ROUND_HALF_UP))


def test_watchlist_names_twelve_stocks_with_comments_and_a_name():
    lines = sample_watchlist().read_text(encoding="utf-8").splitlines()
    entries = [line.split("#")[0].strip() for line in lines if line.split("#")[0].strip()]
    symbols = [parse_stock(entry, sample_names()).canonical for entry in entries]
    assert sorted(symbols) == sorted(ALL)
    assert any(not entry.isascii() for entry in entries)


def test_files_are_small_and_not_empty():
    sizes = [path.stat().st_size for path in ROOT.rglob("*") if path.is_file()]
    assert max(sizes) < 1_400_000
    assert sum(sizes) < 2_500_000
    assert min(sizes) > 0


def data_files(root):
    return [p for p in root.rglob("*") if p.suffix in {".csv", ".gz", ".pdf"}]


def test_generator_writes_the_committed_bytes_again(tmp_path, monkeypatch):
    import runpy
    import shutil

    copy = tmp_path / "data" / "sample"
    shutil.copytree(
        ROOT, copy, ignore=shutil.ignore_patterns("akshare", "baostock", "cninfo", "exchanges", "__pycache__")
    )
    monkeypatch.syspath_prepend(str(ROOT.parents[1]))
    runpy.run_path(str(copy / "generate.py"), run_name="__main__")
    written = {p.relative_to(copy) for p in data_files(copy)}
    committed = {p.relative_to(ROOT) for p in data_files(ROOT)}
    assert written == committed
    assert [p for p in sorted(committed) if (copy / p).read_bytes() != (ROOT / p).read_bytes()] == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_rows_for_somebody_in_the_contracts_shape(kind):
    frames = [ask(kind, symbol).data for symbol in ALL]
    found = [frame for frame in frames if frame is not None]
    assert found
    expected = RAW_TABLES[kind].without([c.name for c in SYSTEM]).schema
    assert all(frame.schema == expected for frame in found)


@pytest.mark.parametrize("as_of", [None, datetime(2026, 11, 24, 20, 30, tzinfo=SHANGHAI),
                                   datetime(2026, 7, 1, 20, 30, tzinfo=SHANGHAI),
                                   datetime(2025, 2, 10, 15, 0, tzinfo=SHANGHAI)])  # fmt: skip
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_published_after_the_clock_is_returned(kind, as_of):
    now = as_of or NOW
    for symbol in ALL:
        frame = ask(kind, symbol, now).data
        assert frame is None or frame["published_at"].max() <= now


def test_two_evenings_differ_in_filings_and_news():
    earlier = datetime(2026, 11, 25, 20, 30, tzinfo=SHANGHAI)
    for kind in ("announcements", "news"):
        changed = [s for s in DEBATED if len(rows(kind, s)) != len(rows(kind, s, earlier))]
        assert len(changed) >= 3


def test_morning_after_filings_and_news_exist_but_stay_unseen():
    later = datetime(2026, 11, 28, 9, 0, tzinfo=SHANGHAI)
    for kind in ("announcements", "news"):
        seen = {row["title"] for row in rows(kind, "605901.SH")}
        assert {row["title"] for row in rows(kind, "605901.SH", later)} - seen


def test_old_news_sold_as_new_is_cut_by_its_publication_time():
    assert all(row["published_at"].year == 2026 for row in rows("news", "003902.SZ"))
    assert any(row["published_at"].year == 2022 for row in rows("news", "003902.SZ", days=2000))


def test_stale_stock_is_stale_and_has_no_suspension_to_excuse_it():
    envelope = ask("daily_bars", STALE)
    assert (envelope.status, envelope.date_status) == (Status.OK, DateStatus.STALE)
    assert envelope.actual_trade_date == date(2026, 11, 13)
    assert ask("suspensions", STALE).status is Status.NO_DATA
    before = datetime(2026, 11, 13, 20, 30, tzinfo=SHANGHAI)
    assert ask("daily_bars", STALE, before).date_status is DateStatus.CURRENT


def test_new_listing_has_little_to_say():
    assert ask("daily_bars", NEW).rows == 8
    silent = ("financial_indicators", "news", "research_reports", "peers", "pledges")
    assert {ask(kind, NEW).status for kind in silent} == {Status.NO_DATA}


def test_statuses_tell_no_record_not_yet_and_never_apart():
    assert ask("fund_flows", "920991.BJ").status is Status.NOT_SUPPORTED
    assert ask("pledges", "605902.SH").status is Status.NO_DATA
    afternoon = datetime(2026, 11, 27, 15, 0, tzinfo=SHANGHAI)
    today = Request("daily_bars", "605901.SH", afternoon.date(), afternoon.date(), afternoon)
    assert ASK["daily_bars"](today).status is Status.NOT_READY
    assert ask("margins", "001991.SZ").status is Status.NO_DATA
    nobody = Request("daily_bars", None, afternoon.date(), afternoon.date(), afternoon)
    assert ASK["daily_bars"](nobody).status is Status.INVALID_ARGUMENTS


@pytest.mark.parametrize("symbol", ALL)
def test_bars_stand_on_every_session_and_are_coherent(symbol):
    bars = ask("daily_bars", symbol).data
    days = bars["trade_date"].to_list()
    assert days == load_calendar().sessions(days[0], days[-1])
    coherent = (pl.col("low_cny") <= pl.min_horizontal("open_cny", "close_cny")) & (
        pl.col("high_cny") >= pl.max_horizontal("open_cny", "close_cny")
    )
    traded = bars.filter(pl.col("volume_shares") > 0)
    average = pl.col("amount_cny") / pl.col("volume_shares")
    assert bars.select(coherent.all()).item()
    assert traded.select(average.is_between(pl.col("low_cny") - 1e-4, pl.col("high_cny") + 1e-4).all()).item()


@pytest.mark.parametrize("symbol", [s for s in ALL if not s.endswith("BJ")])
def test_previous_close_is_the_last_close_or_the_ex_right_reference_price(symbol):
    bars = rows("daily_bars", symbol)
    actions = {row["ex_date"]: row for row in rows("corporate_actions", symbol)}
    for before, after in pairwise(bars):
        expected = before["close_cny"]
        if action := actions.get(after["trade_date"]):
            raw = expected - action["cash_cny"] + action["rights_ratio"] * (action["rights_price_cny"] or 0)
            expected = raw / (1 + action["bonus_ratio"] + action["rights_ratio"])
        assert cents(after["previous_close_cny"]) == cents(expected), (symbol, after["trade_date"])
    assert len([d for d in actions if d >= bars[0]["trade_date"]]) == len(rows("adjust_factors", symbol))


@pytest.mark.parametrize("symbol", [s for s in ALL if not s.endswith("BJ")])
def test_factors_follow_from_previous_closes_to_six_decimals(symbol):
    factors = {row["ex_date"]: row["backward_factor"] for row in rows("adjust_factors", symbol)}
    product = 1.0
    for before, after in pairwise(rows("daily_bars", symbol)):
        if after["trade_date"] in factors:
            product *= before["close_cny"] / after["previous_close_cny"]
            assert factors[after["trade_date"]] == pytest.approx(product, abs=6e-7)


def limit_pct(symbol, day, is_st):
    if symbol.endswith("BJ"):
        return 30
    if symbol.startswith(("688", "30")):
        return 20
    return 5 if is_st and day < date(2026, 7, 6) else 10


@pytest.mark.parametrize("symbol", [s for s in ALL if not s.endswith("BJ")])
def test_closes_respect_the_limit_price_of_board_and_day(symbol):
    bars = rows("daily_bars", symbol)
    free = 5 if symbol == NEW else 0
    for row in bars[free:]:
        base, pct = cents(row["previous_close_cny"]), limit_pct(symbol, row["trade_date"], row["is_st"])
        down, up = (base * (100 - pct) + 50) // 100, (base * (100 + pct) + 50) // 100
        assert down <= cents(row["low_cny"]) <= cents(row["high_cny"]) <= up


def test_limit_days_are_there():
    def ends_at(symbol, day, sign):
        row = next(r for r in rows("daily_bars", symbol) if r["trade_date"] == day)
        pct = limit_pct(symbol, day, row["is_st"])
        return cents(row["close_cny"]) == (cents(row["previous_close_cny"]) * (100 + sign * pct) + 50) // 100

    assert ends_at("003902.SZ", date(2026, 11, 19), 1)
    assert ends_at("301901.SZ", date(2026, 10, 28), 1)
    assert ends_at("001991.SZ", date(2026, 4, 30), -1)
    assert ends_at("001991.SZ", date(2026, 11, 10), -1)
    first = rows("daily_bars", NEW)[0]
    assert first["close_cny"] > first["previous_close_cny"] * 2.5


def test_suspended_days_are_flat_with_the_halt_recorded():
    halts = {row["start_date"]: row["end_date"] for row in rows("suspensions", "605903.SH") if row["end_date"]}
    assert halts == {date(2026, 3, 9): date(2026, 3, 20)}
    inside = [r for r in rows("daily_bars", "605903.SH") if date(2026, 3, 9) <= r["trade_date"] <= date(2026, 3, 20)]
    assert len(inside) == 10
    assert all(r["open_cny"] == r["close_cny"] == r["previous_close_cny"] and not r["is_trading"] for r in inside)


def test_an_open_halt_shows_no_end_before_it_is_over():
    during = datetime(2026, 3, 12, 20, 0, tzinfo=SHANGHAI)
    assert [row["end_date"] for row in rows("suspensions", "605903.SH", during)] == [None]


def trailing(symbol, day, column):
    reports = [r for r in rows("financial_indicators", symbol, days=2000) if r["notice_date"] <= day]
    by_period = {r["report_period"]: r[column] for r in reports}
    last = max(by_period)
    if last.month == 12:
        return by_period[last]
    return by_period[last] + by_period[date(last.year - 1, 12, 31)] - by_period[last.replace(year=last.year - 1)]


@pytest.mark.parametrize("symbol", DEBATED)
@pytest.mark.parametrize("day", [date(2024, 8, 15), date(2026, 4, 3), date(2026, 10, 26), date(2026, 11, 27)])
def test_multiples_follow_from_price_and_the_reports_published_by_then(symbol, day):
    value = next(r for r in rows("valuations", symbol) if r["trade_date"] == day)
    by_profit = value["pe_ttm"] * trailing(symbol, day, "net_profit_cny")
    by_revenue = value["ps_ttm"] * trailing(symbol, day, "revenue_cny")
    assert by_profit == pytest.approx(by_revenue, rel=1e-5)
    close = next(r["close_cny"] for r in rows("daily_bars", symbol) if r["trade_date"] == day)
    shares = by_profit / close
    assert shares == pytest.approx(round(shares), rel=1e-5)
    if value["market_cap_cny"] is not None:
        assert by_profit == pytest.approx(value["market_cap_cny"], rel=1e-5)


def test_the_loss_maker_has_negative_multiples_and_the_story_turns_for_st():
    assert all(row["pe_ttm"] < 0 for row in rows("valuations", "688996.SH"))
    signs = {row["pe_ttm"] > 0 for row in rows("valuations", "001991.SZ")}
    assert signs == {True, False}


def test_reports_have_ten_quarters_with_later_publication():
    for symbol in DEBATED:
        reports = rows("financial_indicators", symbol)
        assert len(reports) >= 10
        assert all(row["notice_date"] > row["report_period"] for row in reports)


def test_every_filing_class_occurs():
    found = {classify(row["title"], row["category"]) for symbol in ALL for row in rows("announcements", symbol)}
    assert found == set(FILING_CLASSES)


def test_strangers_filing_is_quarantined():
    assert not any("灵台生物" in row["title"] for row in rows("announcements", "605903.SH"))
    stored = (ROOT / "akshare/stock_zh_a_disclosure_report_cninfo/605903.csv").read_text(encoding="utf-8")
    assert "灵台生物" in stored


def test_hostile_and_loud_headlines_are_in_the_news():
    titles = " ".join(row["title"] for symbol in DEBATED for row in rows("news", symbol, days=30))
    for needle in ("忽略以上所有指令", "<script>", "暴跌", "惊天大雷", "崩盘"):
        assert needle in titles


def test_renumbered_company_is_one_instrument_with_overlapping_histories():
    row = rows("instruments", "302903.SZ")[0]
    assert (row["former_symbol"], row["symbol_since"]) == ("301903.SZ", date(2025, 3, 17))
    old, new = (ask("daily_bars", s).data.drop("symbol") for s in ("301903.SZ", "302903.SZ"))
    assert old["trade_date"].max() < row["symbol_since"]
    assert new.filter(pl.col("trade_date") <= old["trade_date"].max()).equals(old)
    assert parse_stock("301903", sample_names()).canonical == "302903.SZ"


def test_st_name_and_flag_have_their_date():
    before = datetime(2026, 4, 28, 20, 0, tzinfo=SHANGHAI)
    assert [(r["name"], r["is_st"]) for r in rows("instruments", "001991.SZ", before)] == [("蜃楼化工", False)]
    versions = [(r["name"], r["is_st"]) for r in rows("instruments", "001991.SZ")]
    assert sorted(versions) == [("*ST蜃楼", True), ("蜃楼化工", False)]
    flags = {r["trade_date"]: r["is_st"] for r in rows("daily_bars", "001991.SZ")}
    assert (flags[date(2026, 4, 28)], flags[date(2026, 4, 30)]) == (False, True)


def test_one_day_and_three_day_top_list_rows_of_one_date_are_both_kept():
    windows = [r["window_sessions"] for r in rows("top_list", "003902.SZ") if r["trade_date"] == date(2026, 11, 20)]
    assert sorted(windows) == [1, 3]


def test_margin_of_the_last_session_appears_next_morning():
    assert ask("margins", "605901.SH").actual_trade_date == date(2026, 11, 26)
    monday = datetime(2026, 11, 30, 9, 30, tzinfo=SHANGHAI)
    assert max(r["trade_date"] for r in rows("margins", "605901.SH", monday)) == date(2026, 11, 27)


def test_unlock_is_seen_three_sessions_ahead_and_not_before():
    def dates(now):
        return {row["unlock_date"] for row in rows("unlocks", "301901.SZ", now)}

    assert date(2026, 12, 2) in dates(NOW)
    assert date(2026, 12, 2) not in dates(datetime(2026, 11, 26, 20, 30, tzinfo=SHANGHAI))


def test_filing_documents_are_read_or_named_unreadable():
    found = [row for symbol in ALL for row in rows("filing_texts", symbol, days=365)]
    assert {row["readability"] for row in found} == {"readable", "scanned", "encrypted"}
    assert all((row["sentence"] is None) == (row["readability"] != "readable") for row in found)
    contract = next(r for r in rows("filing_texts", "003902.SZ") if r["sentence"] and "预付款比例" in r["sentence"])
    assert contract["page"] == 1
    revenue = next(
        r["revenue_cny"] for r in rows("financial_indicators", "003902.SZ") if r["report_period"] == date(2025, 12, 31)
    )
    amount = next(r["sentence"] for r in rows("filing_texts", "003902.SZ") if "31.20%" in (r["sentence"] or ""))
    assert f"{revenue * 0.312 / 1e8:.2f}亿元" in amount


def test_no_machine_path_or_real_link_in_the_sample():
    text = "".join(p.read_text(encoding="utf-8") for p in Path(ROOT).rglob("*.csv"))
    assert "http://demo.invalid" in text
    assert "eastmoney.com" not in text
    assert "cninfo.com.cn" not in text
