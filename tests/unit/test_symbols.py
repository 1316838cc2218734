"""Symbols: every spelling people and vendors use, and every refusal (PRODUCT M1, faults S1 and S2)."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.errors import UsageError
from flows.market.successions import former_symbols, successions, successor
from flows.market.symbols import Symbol, normalise_name, parse_stock, parse_symbol

NAMES = {
    "贵州茅台": "600519.SH",
    "万  科Ａ": "000002.SZ",
    "五 粮 液": "000858.SZ",
    "京东方Ａ": "000725.SZ",
    "*ST某某": "600001.SH",
    "百济神州-U": "688235.SH",
    "平安银行": "000001.SZ",
    "中国平安": "601318.SH",
    "中航成飞": "302132.SZ",
    "中航电测": "300114.SZ",
}


@pytest.mark.parametrize(
    "text",
    [
        "600519", "600519.SH", "sh600519", "SH600519", "sh.600519", "sh:600519", "600519.sh", "600519SH",
        "600519.SS", "600519.XSHG", "600519.SSE", "1.600519", " 600519 ", "600 519",
        "６００５１９", "６００５１９．ＳＨ",
        "600519\u200b", "\ufeff600519", "贵州茅台", "XD贵州茅", "贵州茅台\u3000",
    ],
)  # fmt: skip
def test_every_spelling_of_one_stock_is_one_symbol(text):
    assert parse_symbol(text, NAMES) == Symbol("600519", "SH", "stock")


@pytest.mark.parametrize(
    ("text", "canonical", "kind", "board"),
    [
        ("601318", "601318.SH", "stock", "main"),
        ("605499", "605499.SH", "stock", "main"),
        ("688981", "688981.SH", "stock", "star"),
        ("689009", "689009.SH", "cdr", "star"),
        ("900901", "900901.SH", "b_share", None),
        ("510300", "510300.SH", "fund", None),
        ("588000", "588000.SH", "fund", None),
        ("113050", "113050.SH", "bond", None),
        ("204001", "204001.SH", "repo", None),
        ("sh000001", "000001.SH", "index", None),
        ("1.000001", "000001.SH", "index", None),
        ("000300.SH", "000300.SH", "index", None),
        ("000300.CSI", "000300.SH", "index", None),
        ("000001", "000001.SZ", "stock", "main"),
        ("sz000001", "000001.SZ", "stock", "main"),
        ("000016", "000016.SZ", "stock", "main"),
        ("001872", "001872.SZ", "stock", "main"),
        ("003816", "003816.SZ", "stock", "main"),
        ("300750", "300750.SZ", "stock", "chinext"),
        ("301236", "301236.SZ", "stock", "chinext"),
        ("302132", "302132.SZ", "stock", "chinext"),
        ("200002", "200002.SZ", "b_share", None),
        ("159915", "159915.SZ", "fund", None),
        ("128044", "128044.SZ", "bond", None),
        ("131810", "131810.SZ", "repo", None),
        ("399001", "399001.SZ", "index", None),
        ("920002", "920002.BJ", "stock", "bse"),
        ("bj920002", "920002.BJ", "stock", "bse"),
        ("0.920002", "920002.BJ", "stock", "bse"),
        ("899050", "899050.BJ", "index", None),
        ("400001", "400001.NEEQ", "delisted", None),
        ("930955", "930955.CSI", "index", None),
        ("930955.CSI", "930955.CSI", "index", None),
        ("00700.HK", "00700.HK", "hk_stock", None),
        ("HK00700", "00700.HK", "hk_stock", None),
        ("700.hk", "00700.HK", "hk_stock", None),
    ],
)
def test_prefix_decides_exchange_kind_and_board(text, canonical, kind, board):
    symbol = parse_symbol(text)
    assert (symbol.canonical, symbol.kind, symbol.board) == (canonical, kind, board)
    assert symbol.is_stock == (kind in {"stock", "cdr"})


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("600519.SZ", "600519.SH"),
        ("sz600519", "600519.SH"),
        ("0.600519", "600519.SH"),
        ("920002.SZ", "920002.BJ"),
        ("900901.BJ", "900901.SH"),
        ("sh300750", "300750.SZ"),
        ("600519.BJ", "600519.SH"),
    ],
)
def test_contradiction_is_refused_and_the_right_form_named(text, advice):
    with pytest.raises(UsageError, match="矛盾") as caught:
        parse_symbol(text)
    assert f"请写 {advice}" in str(caught.value)


@pytest.mark.parametrize("text", ["000300", "000300.SZ", "sz000300"])
def test_a_stock_that_does_not_exist_suggests_the_index_of_that_code(text):
    with pytest.raises(UsageError, match="sh000300"):
        parse_symbol(text)


def test_bare_000905_is_refused_with_both_readings_unless_the_table_knows_the_stock():
    with pytest.raises(UsageError, match=r"sh000905.*000905\.SZ"):
        parse_symbol("000905")
    assert parse_symbol("000905.SZ").kind == "stock"
    assert parse_symbol("000905", {"厦门港务": "000905.SZ"}).canonical == "000905.SZ"


@pytest.mark.parametrize("number", [1, 600519, 1.0, None, b"600519"])
def test_numbers_and_other_types_are_refused_because_leading_zeros_are_lost(number):
    with pytest.raises(UsageError, match="文字"):
        parse_symbol(number)


@pytest.mark.parametrize("text", ["", "   ", "\u200b"])
def test_empty_text_is_refused(text):
    with pytest.raises(UsageError, match="为空"):
        parse_symbol(text)


@pytest.mark.parametrize("text", ["1", "60051", "6005190", "00700"])
def test_wrong_number_of_digits_is_named(text):
    with pytest.raises(UsageError, match=f"有 {len(text)} 位"):
        parse_symbol(text)


def test_unassigned_prefix_is_refused():
    with pytest.raises(UsageError, match="没有以 700 开头"):
        parse_symbol("700001")


@pytest.mark.parametrize("text", ["٦٠٠٥١٩", "６００５1x", "600519;drop table", "../600519", "<b>600519</b>"])
def test_what_only_looks_like_a_code_is_refused(text):
    with pytest.raises(UsageError):
        parse_symbol(text)


def test_pilot_and_later_beijing_codes_lead_to_the_new_code():
    assert parse_symbol("833819").canonical == "920819.BJ"
    assert parse_symbol("430489.BJ").canonical == "920489.BJ"
    assert parse_symbol("835185").canonical == "920185.BJ"
    assert parse_symbol("838163.BJ").canonical == "920163.BJ"


def test_every_beijing_company_of_the_switch_has_one_new_code():
    moved = [row for row in successions() if row.current.endswith(".BJ")]
    assert len(moved) == 248
    assert len({row.current for row in moved}) == 248
    assert all(parse_symbol(row.former[:6]).canonical == row.current for row in moved)


def test_new_beijing_code_is_bumped_only_where_another_company_had_it():
    new_codes = {row.current for row in successions()}
    bumped = [row for row in successions() if row.current.endswith(".BJ") and row.former[3:] != row.current[3:]]
    assert ("835892.BJ", "920992.BJ") in {(row.former, row.current) for row in bumped}
    assert all("920" + row.former[3:] in new_codes for row in bumped)


@pytest.mark.parametrize("text", ["888888", "430001", "839999.BJ", "bj873999"])
def test_old_beijing_code_outside_the_table_is_refused_and_never_computed(text):
    with pytest.raises(UsageError, match="248 家北交所公司里没有"):
        parse_symbol(text)


def test_instruments_table_may_know_more_renumberings():
    assert parse_symbol("888888", {"888888.BJ": "920888.BJ"}).canonical == "920888.BJ"


def test_renumbered_company_is_one_instrument_under_both_codes():
    assert parse_symbol("300114") == parse_symbol("302132") == Symbol("302132", "SZ", "stock")
    assert parse_symbol("中航电测", NAMES) == parse_symbol("中航成飞", NAMES)


def test_successions_know_the_first_session_of_the_new_code():
    (step,) = former_symbols("302132.SZ")
    assert (step.former, step.since) == ("300114.SZ", date(2025, 2, 17))
    assert successor("600519.SH") is None


def test_no_succession_leads_in_a_circle_or_to_two_companies():
    formers = [row.former for row in successions()]
    assert len(set(formers)) == len(formers)
    assert not {row.current for row in successions()} & set(formers)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("万科A", "000002.SZ"), ("万 科Ａ", "000002.SZ"), ("五粮液", "000858.SZ"), ("京东方a", "000725.SZ"),
        ("*ST某某", "600001.SH"), ("＊ＳＴ某某", "600001.SH"), ("ST某某", "600001.SH"), ("某某", "600001.SH"),
        ("N贵州茅台", "600519.SH"), ("C贵州茅台", "600519.SH"), ("DR贵州茅", "600519.SH"), ("XR贵州茅台", "600519.SH"),
        ("百济神州", "688235.SH"), ("百济神州-U", "688235.SH"), ("XD万科A", "000002.SZ"),
    ],
)  # fmt: skip
def test_names_are_found_whatever_their_spacing_width_and_marks(text, canonical):
    assert parse_symbol(text, NAMES).canonical == canonical


def test_exact_name_wins_over_a_name_that_differs_by_a_mark():
    names = {"某某": "600001.SH", "*ST某某": "600002.SH"}
    assert parse_symbol("某某", names).canonical == "600001.SH"
    assert parse_symbol("*ST某某", names).canonical == "600002.SH"


def test_ambiguous_name_lists_the_candidates():
    names = {"某某": "600001.SH", "*ST某某": "600002.SH"}
    with pytest.raises(UsageError, match=r"600001\.SH、600002\.SH"):
        parse_symbol("ST某某", names)


def test_old_and_new_name_of_one_company_are_not_ambiguous():
    assert parse_symbol("ST某某", {"某某": "600001.SH", "*ST某某": "600001.SH"}).canonical == "600001.SH"


def test_misspelt_name_suggests_the_nearest():
    with pytest.raises(UsageError, match=r"贵州茅台（600519\.SH）"):
        parse_symbol("贵州茅苔", NAMES)


def test_name_without_a_table_is_unknown():
    with pytest.raises(UsageError, match="不认识"):
        parse_symbol("贵州茅台")


def test_company_names_that_begin_with_a_mark_letter_keep_it():
    assert normalise_name("TCL科技") == "TCL科技"
    assert normalise_name("Ｎ日联") == "日联"
    assert normalise_name("S*ST昌鱼") == "昌鱼"


def test_adapters_spell_the_symbol_as_each_vendor_wants_it():
    symbol = parse_symbol("600519")
    assert (symbol.bare, symbol.sina, symbol.prefixed_upper) == ("600519", "sh600519", "SH600519")
    assert (symbol.em_secid, symbol.baostock, str(symbol)) == ("1.600519", "sh.600519", "600519.SH")
    assert parse_symbol("920002").em_secid == "0.920002"
    assert parse_symbol("000001").em_secid == "0.000001"


def test_baostock_has_no_beijing_stock():
    with pytest.raises(UsageError, match="baostock 没有北京"):
        _ = parse_symbol("920002").baostock


@pytest.mark.parametrize("adapter", ["sina", "em_secid", "prefixed_upper", "baostock"])
def test_vendor_spellings_do_not_exist_outside_the_mainland_exchanges(adapter):
    with pytest.raises(UsageError):
        getattr(parse_symbol("00700.HK"), adapter)


@pytest.mark.parametrize("text", ["sh000001", "510300", "900901", "00700.HK", "113050"])
def test_only_a_shares_can_be_reviewed(text):
    with pytest.raises(UsageError, match="只处理沪深北 A 股"):
        parse_stock(text)


def test_index_refusal_names_the_stock_of_the_same_code():
    with pytest.raises(UsageError, match=r"请写 000001\.SZ"):
        parse_stock("sh000001")
    assert parse_stock("000001").canonical == "000001.SZ"


_PREFIXES = ["600", "601", "603", "605", "688", "000", "001", "002", "003", "300", "301", "302", "920"]
_CODES = st.builds(str.__add__, st.sampled_from(_PREFIXES), st.from_regex(r"[0-9]{3}", fullmatch=True)).filter(
    lambda code: code not in {"000300", "000905", "300114", "000022"}
)


@given(code=_CODES)
def test_every_form_we_write_parses_back_to_the_same_symbol(code):
    symbol = parse_symbol(code)
    forms = [symbol.canonical, symbol.sina, symbol.prefixed_upper, symbol.em_secid, symbol.canonical.lower()]
    forms += [symbol.baostock] if symbol.exchange != "BJ" else []
    assert {parse_symbol(form) for form in forms} == {symbol}


@given(code=_CODES, space=st.sampled_from(["", " ", "\u3000", "\u200b", "\t"]), at=st.integers(0, 6))
def test_spaces_and_width_never_change_the_symbol(code, space, at):
    wide = "".join(chr(ord(digit) + 0xFEE0) for digit in code)
    assert parse_symbol(wide[:at] + space + wide[at:]) == parse_symbol(code)


@given(code=_CODES, exchange=st.sampled_from(["SH", "SZ", "BJ"]))
def test_a_suffix_confirms_or_is_refused_and_never_redirects(code, exchange):
    symbol = parse_symbol(code)
    text = f"{code}.{exchange}"
    if exchange == symbol.exchange:
        assert parse_symbol(text) == symbol
    elif exchange == "SH" and code.startswith("000"):
        assert parse_symbol(text).kind == "index"
    else:
        with pytest.raises(UsageError, match="矛盾"):
            parse_symbol(text)


@given(text=st.text(max_size=12))
def test_any_text_gives_a_stable_symbol_or_a_refusal(text):
    try:
        symbol = parse_symbol(text)
    except UsageError:
        return
    assert parse_symbol(symbol.canonical) == symbol
