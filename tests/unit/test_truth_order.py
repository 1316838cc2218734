"""Numbers told after the two names they are of: their order decides, what is held against comes last (PRODUCT T2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.contracts.packs import Pack
from flows.truth.verify import verify_document

PACK = Path(__file__).resolve().parents[1] / "fixtures" / "sample_pack_605901.json"

QUANTITIES = [
    ("两项比率之中，毛利率高于净利率，74.28%与32.48%。", True),
    ("两项比率之中，毛利率高于净利率，32.48%与74.28%。", False),
    ("毛利率和净利率，2026年三季报前者74.28%、后者32.48%。", True),
    ("毛利率和净利率，2026年三季报后者32.48%、前者74.28%。", True),
    ("毛利率和净利率，2026年三季报前者32.48%、后者74.28%。", False),
    ("净利率低于毛利率：32.48%、74.28%，顺序就是先净利率后毛利率。", True),
    ("净利率低于毛利率：74.28%、32.48%，顺序就是先净利率后毛利率。", False),
    ("前者为净利率，后者为毛利率：32.48%、74.28%，均取自2026年三季报。", True),
    ("前者为净利率，后者为毛利率：74.28%、32.48%，均取自2026年三季报。", False),
    ("毛利率74.28%，净利率32.48%……乌有酒业2026年三季报的底子就这些。", True),
    ("毛利率74.28%，净利率32.48%……乌有酒业2025年三季报的底子就这些。", False),
]  # fmt: skip

PERIODS = [
    ("归母净利润在2026年三季报不及上年同期，17.17亿元对17.51亿元。", True),
    ("归母净利润在2026年三季报不及上年同期，17.51亿元对17.17亿元。", False),
    ("归母净利润不及2025年三季报（17.17亿元对17.51亿元）。", True),
    ("归母净利润不及2025年三季报（17.51亿元对17.17亿元）。", False),
    ("2026年三季报归母净利润低于2025年前三季度水平（17.51亿元），为17.17亿元。", True),
    ("2026年三季报归母净利润低于2025年前三季度水平（17.17亿元），为17.51亿元。", False),
    ("归母净利润比上年同期减少3425万元，现为17.17亿元。", True),
    ("归母净利润比上年同期减少3425万元，现为17.51亿元。", False),
    ("毛利率较上年同期降低1.69个百分点，从75.97%来，到74.28%去。", True),
    ("毛利率较上年同期降低1.69个百分点，从74.28%来，到75.97%去。", False),
    ("归母净利润同比减少1.96%，17.17亿元除以上年同期17.51亿元再减一。", True),
    ("归母净利润同比减少1.96%，17.51亿元除以上年同期17.17亿元再减一。", False),
    ("上年同期归母净利润17.51亿元，这次17.17亿元。", True),
    ("上年同期归母净利润17.17亿元，这次17.51亿元。", False),
    ("2026年的账本里，2026年三季报归母净利润低于2025年三季报，前者17.17亿元、后者17.51亿元。", True),
    ("2026年的账本里，2026年三季报归母净利润低于2025年三季报，前者17.51亿元、后者17.17亿元。", False),
    ("问：乌有酒业2025年三季报的归母净利润是多少？\n答：17.51亿元。", True),
    ("问：乌有酒业2025年三季报的归母净利润是多少？\n答：17.17亿元。", False),
    ("2026年三季报与2025年三季报，乌有酒业的归母净利润分别为17.17亿元和17.51亿元。", True),
    ("2026年三季报与2025年三季报，乌有酒业的归母净利润分别为17.51亿元和17.51亿元。", False),
    ("从17.51亿元到17.17亿元，归母净利润走完了2025年三季报至2026年三季报的这段路。", True),
    ("从17.17亿元到17.51亿元，归母净利润走完了2025年三季报至2026年三季报的这段路。", False),
]  # fmt: skip

COMPANIES = [
    ("与黄粱食品相比，乌有酒业市盈率高于对方，19.42倍对10.79倍。", True),
    ("与黄粱食品相比，乌有酒业市盈率高于对方，10.79倍对19.42倍。", False),
    ("19.42倍对10.79倍，前面是乌有酒业的PE，后面是黄粱食品的。", True),
    ("10.79倍对19.42倍，前面是乌有酒业的PE，后面是黄粱食品的。", False),
    ("乌有酒业与黄粱食品的市盈率，19.42倍对10.79倍。", True),
    ("乌有酒业与黄粱食品的市盈率，10.79倍对19.42倍。", False),
]  # fmt: skip


@pytest.fixture(scope="module")
def pack() -> Pack:
    return Pack.model_validate_json(PACK.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "is_right"), [*QUANTITIES, *PERIODS, *COMPANIES])
def test_numbers_behind_two_names_hold_only_in_the_order_of_the_names(pack: Pack, text: str, is_right: bool) -> None:
    failures = verify_document(text, (*pack.facts, *pack.appendix), subject=pack.symbol).failures
    assert (not failures) is is_right, [(c.text, c.reason) for c in failures]
