"""``verify``: the number check for any text against any pack or table of facts (PRODUCT T8)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from flows.commands.console import print_json, say
from flows.errors import UsageError
from flows.truth.verify import load_facts, verify_document


def verify(options: argparse.Namespace) -> int:
    """Check every number of a text; exit code 1 if one is unsupported or wrong."""
    facts = load_facts(Path(options.pack))
    result = verify_document(
        _read(options.text), facts.facts, subject=options.subject or facts.subject, names=facts.names
    )
    if options.json:
        print_json(result.as_json())
    else:
        say(result.as_text())
    return 1 if result.failures else 0


def _read(path: str) -> str:
    if path == "-":
        return sys.stdin.read()
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UsageError(f"找不到要核对的文件 {path}。") from None
    except (UnicodeDecodeError, IsADirectoryError):
        raise UsageError(f"{path} 不是 UTF-8 文本文件。") from None
