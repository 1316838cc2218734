"""Filing text through the real client and a real HTTP server: chosen, fetched, read or named unreadable."""

import io
from datetime import datetime

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas

from flows.contracts.envelope import Status
from flows.market.filing_classes import MAX_READ
from flows.market.sessions import SHANGHAI
from flows.sources.akshare_client import Akshare
from flows.sources.cninfo import Cninfo
from flows.sources.filing_text import FilingTexts
from tests.upstream.asking import asker, request
from tests.upstream.others import filing
from tests.upstream.world import BANK

CODE = BANK[:6]
pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))


def document(*lines):
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer)
    sheet.setFont("STSong-Light", 11)
    for number, line in enumerate(lines):
        sheet.drawString(60, 780 - 18 * number, line)
    sheet.save()
    return buffer.getvalue()


TEXT = document("关于股东减持股份的公告", "股东减持1,205,000股,占公司总股本的1.25%。")


def at(day, hour=18, minute=0):
    return datetime(2024, 6, day, hour, minute, tzinfo=SHANGHAI)


@pytest.fixture
def cninfo(world):
    """The world's cninfo with filings of our own; documents are added by the tests."""
    name = world.cninfo.filings[CODE][0]["secName"]
    titles = {1: "关于股东减持股份的公告", 2: "董事会会议决议公告", 3: "关于重大合同的公告"}
    world.cninfo.filings[CODE] = [
        filing(CODE, name, 1220000000 + n, title, at(10 + n), "x") for n, title in titles.items()
    ]
    world.cninfo.pdfs = {}
    return world.cninfo


def path(number, day):
    return f"/finalpage/2024-06-{day}/{1220000000 + number}.PDF"


def ask_texts():
    one = asker("cninfo", attempts=1)
    return FilingTexts(one, Cninfo(one, Akshare()).filings).fetch_filing_texts(request("filing_texts"))


def test_sentences_of_listed_classes_arrive_with_page_and_publication_time(world, cninfo):
    cninfo.pdfs = {path(1, 11): TEXT, path(3, 13): b"%PDF-1.4 broken"}
    envelope = ask_texts()
    assert envelope.status is Status.OK, envelope.message
    rows = {row["announcement_id"]: row for row in envelope.data.rows(named=True)}
    assert rows["1220000001"]["sentence"].endswith("股东减持1,205,000股,占公司总股本的1.25%。")
    assert (rows["1220000001"]["page"], rows["1220000001"]["sentence_no"]) == (1, 1)
    assert (rows["1220000003"]["readability"], rows["1220000003"]["sentence_no"]) == ("broken", 0)
    assert rows["1220000001"]["published_at"].hour == 18
    assert "1220000002" not in rows
    assert not any("1220000002" in call.path for call in world.upstream.calls)


def test_a_document_told_to_be_too_large_is_not_fetched(world, cninfo):
    for row in cninfo.filings[CODE]:
        row["adjunctSize"] = 90_000
    envelope = ask_texts()
    assert set(envelope.data["readability"]) == {"too_large"}
    assert not any(call.host == "static.cninfo.com.cn" for call in world.upstream.calls)


def test_a_path_of_another_form_is_never_followed(world, cninfo):
    for row in cninfo.filings[CODE]:
        row["adjunctUrl"] = "../../etc/passwd"
    assert ask_texts().status is Status.NO_DATA
    assert not any(call.host == "static.cninfo.com.cn" for call in world.upstream.calls)


def test_a_missing_document_leaves_the_others(world, cninfo):
    cninfo.pdfs = {path(1, 11): TEXT}
    assert set(ask_texts().data["announcement_id"]) == {"1220000001"}


def test_an_upstream_failure_is_no_empty_text(world, cninfo):
    cninfo.pdfs = {path(1, 11): TEXT}
    world.upstream.fault["static.cninfo.com.cn"] = lambda call, reply: type(reply)(b"", 502, "text/html")
    assert ask_texts().status is Status.UPSTREAM_ERROR


def test_at_most_the_newest_filings_are_read(world, cninfo):
    name = cninfo.filings[CODE][0]["secName"]
    cninfo.filings[CODE] = [
        filing(CODE, name, 1220000000 + n, "关于股东减持股份的公告", at(13, 9, n), "x") for n in range(20)
    ]
    cninfo.pdfs = {path(n, 13): TEXT for n in range(20)}
    read = set(ask_texts().data["announcement_id"])
    assert read == {str(1220000000 + n) for n in range(20 - MAX_READ, 20)}
