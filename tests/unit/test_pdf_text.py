"""Filing documents: readable ones give sentences with pages, all others say what they are."""

import io

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas

from flows.sources.pdf_text import MAX_BYTES, MAX_PAGES, MAX_SENTENCES, read_pdf

pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))


def pdf(pages, *, encrypt=None, draw=None):
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer, encrypt=encrypt)
    for lines in pages:
        sheet.setFont("STSong-Light", 11)
        for number, line in enumerate(lines):
            sheet.drawString(60, 780 - 18 * number, line)
        if draw:
            draw(sheet)
        sheet.showPage()
    sheet.save()
    return buffer.getvalue()


FIRST = [
    "关于签订重大合同的公告",
    "公司与某客户签订组件销售合同,合同金额为人民币12.35亿元(含税),约占公司",
    "2025年度经审计营业收入的31.20%。本合同不构成关联交易。",
]
SECOND = ["二、合同主要条款", "合同期限为3年;预付款比例为合同金额的10%。双方应当本着诚信原则履行。"]


def test_sentences_with_figures_carry_their_page_and_wrapped_lines_are_joined():
    reading = read_pdf(pdf([FIRST, SECOND]))
    assert reading.readability == "readable"
    texts = {s.text: s.page for s in reading.sentences}
    joined = next(text for text in texts if "12.35亿元" in text)
    assert "约占公司2025年度经审计营业收入的31.20%。" in joined
    assert texts[joined] == 1
    assert texts[next(text for text in texts if "预付款比例" in text)] == 2
    assert not any("关联交易" in text or "诚信" in text for text in texts)


def test_a_sentence_cut_by_a_page_break_is_whole_and_belongs_to_its_first_page():
    reading = read_pdf(pdf([["本次回购资金总额不低于人民币1.00亿元且"], ["不超过2.00亿元。回购期限为12个月。"]]))
    assert [(s.page, s.text) for s in reading.sentences] == [
        (1, "本次回购资金总额不低于人民币1.00亿元且不超过2.00亿元。"), (2, "回购期限为12个月。"),
    ]  # fmt: skip


def test_table_debris_is_no_sentence():
    rows = [
        "营业收入 1,234,567.00元 1,111,111.00元 11.11% 987,654.00元 12.00%",
        "报告期内营业收入为1,234,567.00元,同比增长11.11%。",
    ]
    texts = [s.text for s in read_pdf(pdf([[rows[0] + "。"], [rows[1]]])).sentences]
    assert texts == [rows[1]]


def test_picture_only_document_is_a_scan():
    def picture(sheet):
        sheet.rect(50, 50, 400, 600, fill=1)

    assert read_pdf(pdf([[], [], []], draw=picture)).readability == "scanned"


def test_nine_hundred_pages_are_refused_before_any_is_read():
    reading = read_pdf(pdf([["第1页 金额1万元。"]] * 900))
    assert MAX_PAGES < 900
    assert (reading.readability, reading.sentences) == ("too_large", ())


def test_too_many_bytes_are_refused_unparsed():
    assert read_pdf(b"%PDF-" + b"x" * MAX_BYTES).readability == "too_large"


def test_reading_that_takes_too_long_is_given_up_whole():
    clock = iter(range(0, 1000, 15))
    reading = read_pdf(pdf([FIRST] * 5), deadline_s=20.0, ticks=lambda: float(next(clock)))
    assert (reading.readability, reading.sentences) == ("too_large", ())


def test_a_file_that_needs_a_password_is_encrypted():
    locked = pdf([FIRST], encrypt=StandardEncryption("secret", ownerPassword="owner", strength=128))
    assert read_pdf(locked).readability == "encrypted"


def test_a_file_that_only_forbids_copying_is_read():
    open_to_all = pdf([FIRST], encrypt=StandardEncryption("", ownerPassword="owner", canCopy=0, strength=128))
    assert read_pdf(open_to_all).readability == "readable"


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>404</html>", b"%PDF-1.4\n", pdf([FIRST])[:600], pdf([FIRST]).replace(b"/Page", b"/Pxge")],
    ids=["empty", "web page", "header only", "cut off", "damaged"],
)
def test_broken_files_are_said_to_be_broken(body):
    assert read_pdf(body).readability == "broken"


def test_repeated_header_counts_once_and_the_number_of_sentences_is_capped():
    assert len(read_pdf(pdf([["本公告金额单位为人民币万元,精确到1元。"]] * 3)).sentences) == 1
    many = [[f"第{n}项投资金额为{n}万元,用于设备购置。"] for n in range(MAX_SENTENCES + 20)]
    assert len(read_pdf(pdf(many)).sentences) == MAX_SENTENCES
