"""Reads ids out of what a model wrote where ids belong: repairing form, never making an id up.

Anything that is neither text nor a list is left to pydantic.
"""

from __future__ import annotations

import re

FACT_ID = r"E\d{1,4}"
CLAIM_ID = r"r\d{1,2}-[a-z]+-\d{1,3}"


def fact_ids(value: object) -> object:
    """All fact ids, in order: ``["E3, E4", "E5 净利润"]`` names three."""
    return _found(FACT_ID, value)


def claim_ids(value: object) -> object:
    """All claim ids, in order; text that names none names none."""
    return _found(CLAIM_ID, value)


def one_claim_id(value: object) -> object:
    """The one claim id in a text; a text without one, or with several, answers nothing in particular."""
    if not isinstance(value, str):
        return value
    found = re.findall(CLAIM_ID, value)
    return found[0] if len(found) == 1 else None


def _found(pattern: str, value: object) -> object:
    if isinstance(value, str):
        return re.findall(pattern, value)
    if isinstance(value, list | tuple):
        return [found for item in value if isinstance(item, str) for found in re.findall(pattern, item)]
    return value
