"""Filing classes on titles that were written before the rules, and on real ones."""

import csv
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from flows.contracts.raw import FILING_CLASSES
from flows.evidence.filings import CATEGORIES, MAX_READ, classify, explain, worth_reading
from tests.real_data import REAL, needs_real

TITLES = Path(__file__).resolve().parents[1] / "fixtures" / "filing_titles.csv"


def labelled():
    with TITLES.open(encoding="utf-8", newline="") as handle:
        return [(row["filing_class"], row["title"]) for row in csv.DictReader(handle)]


def scores(pairs):
    """Class → (titles, recall, precision) of (label, predicted) pairs."""
    right = Counter(label for label, got in pairs if label == got)
    labels, gots = Counter(label for label, _ in pairs), Counter(got for _, got in pairs)
    return {c: (labels[c], right[c] / labels[c], right[c] / max(gots[c], 1)) for c in labels}


def test_every_class_has_at_least_twenty_written_titles():
    counts = Counter(label for label, _ in labelled())
    assert set(counts) == set(FILING_CLASSES)
    assert min(counts.values()) >= 20


def test_recall_and_precision_per_class_on_the_written_titles():
    table = scores([(label, classify(title)) for label, title in labelled()])
    for name, (count, recall, precision) in table.items():
        print(f"{name}\t{count}\trecall {recall:.3f}\tprecision {precision:.3f}")
    assert min(recall for _, recall, _ in table.values()) >= 0.9
    assert min(precision for _, _, precision in table.values()) >= 0.9


@pytest.mark.real
@needs_real
def test_real_titles_of_letters_and_measures_are_all_found():
    with (REAL / "filings" / "cninfo_titles_2026.csv").open(encoding="utf-8", newline="") as handle:
        titles = [row["title"] for row in csv.DictReader(handle)]
    assert len(titles) == 17
    assert {title: classify(title) for title in titles if classify(title) != "问询监管"} == {}


@pytest.mark.parametrize(
    ("title", "category", "expected"),
    [
        ("关于有关事项的公告", "category_gqbd_szsh", "增减持"),
        ("关于有关事项的公告", "日常经营", "其他"),
        ("关于签订募集资金三方监管协议的公告", "日常经营", "其他"),
        ("关于控股股东减持股份的公告", "日常经营", "增减持"),
        ("", None, "其他"),
        ("某某股份：股价异动公告", None, "风险提示"),
        ("关于分配2024年度现金股利的实施公告", None, "权益分派"),
        ("某某股份：2017年度股东大会的法律意见书", None, "其他"),
        ("某某银行：2025年度内部控制审计报告", None, "其他"),
        ("回购注销业绩补偿股份的债权人暨减资公告", None, "回购"),
        ("关于控股股东暨实际控制人部分质押股份面临平仓风险的提示性公告", None, "质押"),
    ],
)
def test_the_title_decides_and_the_category_breaks_silence(title, category, expected):
    assert classify(title, category) == expected


def test_the_deciding_rule_is_named():
    assert "质押式回购" in explain("关于股票质押式回购交易的公告").reason
    assert explain("关于有关事项的公告", "解禁").reason == "cninfo category 解禁"


def test_categories_name_known_classes():
    assert set(CATEGORIES.values()) <= set(FILING_CLASSES)


def test_documents_are_read_of_the_newest_listed_filings_only():
    titles = ["关于股东减持股份的公告"] * 10 + ["2025年年度报告", "董事会会议决议公告"]
    frame = pl.DataFrame({
        "announcement_id": [f"{n:02d}" for n in range(12)], "title": titles, "category": [None] * 12,
        "published_at": range(12),
    }, schema_overrides={"category": pl.String})  # fmt: skip
    assert worth_reading(frame)["announcement_id"].to_list() == [f"{n:02d}" for n in range(9, 9 - MAX_READ, -1)]


def test_a_string_of_routine_notices_does_not_keep_other_classes_unread():
    titles = ["关于债务逾期的公告", "关于重大诉讼的公告", *["关于回购股份进展的公告"] * 10]
    frame = pl.DataFrame({
        "announcement_id": [f"{n:02d}" for n in range(12)], "title": titles, "category": [None] * 12,
        "published_at": range(12),
    }, schema_overrides={"category": pl.String})  # fmt: skip
    chosen = worth_reading(frame)
    assert chosen["announcement_id"].to_list() == ["11", "10", "09", "08", "07", "06", "01", "00"]
    assert chosen.columns == frame.columns
