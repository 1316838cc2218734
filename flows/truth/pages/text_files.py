"""Text files as people have them: UTF-8, UTF-16 with its mark, or the GBK of a Chinese Windows."""

from __future__ import annotations

import codecs
from pathlib import Path

from flows.errors import UsageError

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SAVE_AS = "请另存为 UTF-8 再试"


def read_text_file(path: Path, what: str) -> tuple[str, str]:
    """(text, encoding) of *path*, which a message calls *what*.

    Raises:
        UsageError: there is no such file, it is a directory, or not text in a known encoding.
    """
    try:
        return decoded(path.read_bytes(), str(path))
    except FileNotFoundError:
        raise UsageError(f"找不到{what} {path}。") from None
    except IsADirectoryError:
        raise UsageError(f"{path} 是目录，不是文件；请给出其中一个文件。") from None


def decoded(data: bytes, where: str) -> tuple[str, str]:
    """(text, encoding) of *data*: what its mark says, else UTF-8, else GB 18030 where every byte fits it."""
    encodings = ("utf-16",) if data.startswith(_UTF16_MARKS) else ("utf-8-sig", "gb18030")
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            raise UsageError(f"{where} 不是文本文件，或是不带 BOM 的 UTF-16；{_SAVE_AS}。")
        return text.replace("\r\n", "\n").replace("\r", "\n"), encoding
    raise UsageError(f"{where} 不是 UTF-8、带 BOM 的 UTF-16 或 GB18030 编码的文本；{_SAVE_AS}。")
