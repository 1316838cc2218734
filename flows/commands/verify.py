"""``verify``: the number check for any text against any pack or table of facts (PRODUCT T8)."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from flows.commands.console import note, print_json, say, timed_bar
from flows.errors import UsageError
from flows.truth.own_stock import other_stock
from flows.truth.pages.text_files import decoded, read_text_file
from flows.truth.verify import LoadedFacts, VerifyResult, load_facts, verify_document

#: From here on (in characters) a check takes long enough that silence looks like a fault.
LONG = 100_000
#: More than this is refused. Measured on one core: 24 to 84 s of prose and 380 MB at this length, the time growing
#: with the length; a text of nothing but numbers without an end of sentence takes up to 20 min.
MOST_CHARACTERS = 2_000_000
#: No encoding that is read takes more bytes for a character.
_BYTES_PER_CHARACTER = 4
#: Characters checked beforehand to see how long this text takes on this machine.
_SAMPLE = 20_000


def verify(options: argparse.Namespace) -> int:
    """Check every number of a text; exit code 1 if one is unsupported or wrong."""
    facts = load_facts(Path(options.pack))
    text, encoding = _read(options.text)
    _refuse_what_is_no_text(text, options.text)
    subject = options.subject or facts.subject
    notices = [*_encoding_notice(encoding, options.text), *_stock_notice(text, subject)]
    if notices:
        (note if options.json else say)(*notices)
    result = _check(text, facts, subject)
    if options.json:
        print_json(result.as_json())
    else:
        say(result.as_text())
    return 1 if result.failures else 0


def _check(text: str, facts: LoadedFacts, subject: str | None) -> VerifyResult:
    """The check, with the time it will take told beforehand where it is long."""

    def check(part: str) -> VerifyResult:
        return verify_document(part, facts.facts, subject=subject, names=facts.names)

    if len(text) < LONG:
        return check(text)
    note(f"文本有 {len(text) // 10_000} 万字，通常每 10 万字核对 1 到 5 秒，请稍候。")
    if not sys.stderr.isatty():
        return check(text)
    started = time.perf_counter()
    check(text[:_SAMPLE])
    seconds = (time.perf_counter() - started) * len(text) / _SAMPLE
    with timed_bar(f"核对（按开头两万字估计 {seconds:.0f} 秒）", seconds):
        return check(text)


def _read(path: str) -> tuple[str, str]:
    where = "标准输入" if path == "-" else path
    most = MOST_CHARACTERS * _BYTES_PER_CHARACTER
    if path == "-":
        data = sys.stdin.buffer.read(most + 1)
        _refuse_if_too_long(len(data) > most, where)
        text, encoding = decoded(data, where)
    else:
        _refuse_if_too_long(Path(path).is_file() and Path(path).stat().st_size > most, where)
        text, encoding = read_text_file(Path(path), "要核对的文件")
    _refuse_if_too_long(len(text) > MOST_CHARACTERS, where)
    return text, encoding


def _refuse_if_too_long(is_too_long: bool, where: str) -> None:
    if is_too_long:
        raise UsageError(
            f"{where} 超过 {MOST_CHARACTERS // 10_000} 万字，一次核对不了：请按章节拆成几个文件，分别核对。"
        )


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
