"""One regular expression for many words, shared prefixes written once, the longest word first.

A plain alternation of hundreds of words tries each of them at every character; this does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_Node = dict[str, "_Node"]
_END = ""


def word_pattern(words: Iterable[str]) -> str:
    """Pattern that matches the longest of *words* at a place."""
    root: _Node = {}
    for word in words:
        node = root
        for char in word:
            node = node.setdefault(char, {})
        node[_END] = {}
    return _written(root)


def _written(node: _Node) -> str:
    branches = [re.escape(char) + _written(child) for char, child in sorted(node.items()) if char != _END]
    if not branches:
        return ""
    body = branches[0] if len(branches) == 1 and _END not in node else f"(?:{'|'.join(branches)})"
    return f"{body}?" if _END in node else body
