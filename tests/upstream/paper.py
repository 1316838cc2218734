"""Small PDF files with Chinese text, made on the spot."""

from __future__ import annotations

import io
from functools import cache

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas


@cache
def pdf(*lines: str) -> bytes:
    """One page of *lines*."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    buffer = io.BytesIO()
    sheet = canvas.Canvas(buffer)
    sheet.setFont("STSong-Light", 11)
    for number, line in enumerate(lines):
        sheet.drawString(60, 780 - 18 * number, line)
    sheet.save()
    return buffer.getvalue()
