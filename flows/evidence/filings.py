"""Filing classes as the evidence rooms read them; the rules live in :mod:`flows.market.filing_classes`.

They stand lower because sources need them too: only filings of the listed classes have their text fetched.
"""

from flows.market.filing_classes import (
    CATEGORIES,
    MAX_READ,
    OTHER,
    RULES,
    Classification,
    Rule,
    classify,
    explain,
    normalised,
    shown_class,
    worth_reading,
)

__all__ = [
    "CATEGORIES", "MAX_READ", "OTHER", "RULES", "Classification", "Rule", "classify", "explain", "normalised",
    "shown_class", "worth_reading",
]  # fmt: skip
