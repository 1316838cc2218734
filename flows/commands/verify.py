"""``verify``: the number check for any text against any pack or table of facts (PRODUCT T8)."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from flows.commands.console import note, print_json, say
from flows.errors import UsageError
from flows.truth.own_stock import other_stock
from flows.truth.pages.text_files import decoded, read_text_file
from flows.truth.verify import load_facts, verify_document

#: From here on (in characters) a check takes long enough that silence looks like a fault.
_LONG = 300_000


def verify(options: argparse.Namespace) -> int:
    """Check every number of a text; exit code 1 if one is unsupported or wrong."""
    facts = load_facts(Path(options.pack))
    text, encoding = _read(options.text)
    _refuse_what_is_no_text(text, options.text)
    subject = options.subject or facts.subject
    notices = [*_encoding_notice(encoding, options.text), *_stock_notice(text, subject)]
    if notices:
        (note if options.json else say)(*notices)
    if len(text) >= _LONG:
        note(f"文本有 {len(text) // 10_000} 万字，核对需要几分钟，请稍候。")
    result = verify_document(text, facts.facts, subject=subject, names=facts.names)
    if options.json:
        print_json(result.as_json())
    else:
        say(result.as_text())
    return 1 if result.failures else 0


def _read(path: str) -> tuple[str, str]:
    if path == "-":
        return decoded(sys.stdin.buffer.read(), "标准输入")
    return read_text_file(Path(path), "要核对的文件")


def _refuse_what_is_no_text(text: str, path: str) -> None:
    where = "标准输入" if path == "-" else path
    if not text.strip():
        raise UsageError(f"{where} 是空的，没有可核对的文字。")
    if not text.lstrip().startswith(("{", "[")):
        return
    try:
        json.loads(text)
    except json.JSONDecodeError:
        return
    raise UsageError(f"{where} 是 JSON 数据，不是文章；报告请核对同名的 .md 或 .html，事实包用 --pack 给出。")


def _encoding_notice(encoding: str, path: str) -> list[str]:
    if encoding == "utf-8-sig":
        return []
    return [f"注意：{'标准输入' if path == '-' else path} 不是 UTF-8，已按 {encoding.upper()} 读取。"]


def _stock_notice(text: str, subject: str | None) -> list[str]:
    other = other_stock(text, subject or "")
    if not other:
        return []
    return [f"注意：文本讲的是 {other}，所给事实是 {subject} 的；请换用 zhengming pack {other} 写出的事实包。"]
