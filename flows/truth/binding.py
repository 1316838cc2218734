"""Numbers bound to facts (PRODUCT T2): one company, quantity, form, unit, period, direction, and the rounding written.

Digits that merely occur somewhere prove nothing: a number without a word that names it holds against nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from flows.contracts.checks import Check
from flows.contracts.packs import Fact, Pack
from flows.contracts.transcripts import Claim
from flows.truth.checking import check_plain
from flows.truth.facts.ledger import Ledger
from flows.truth.piecewise import check_pieces, has_structure


def check_text(
    text: str,
    facts: Sequence[Fact],
    *,
    cited: Sequence[str] | None,
    subject: str,
    names: Mapping[str, str] | None = None,
    claim_id: str = "",
) -> tuple[Check, ...]:
    """Every number and numberless comparison of *text* against the cited facts.

    Args:
        text: Plain text, any length.
        facts: All facts of the pack; those not cited only help to say what is wrong.
        cited: Ids the text cites; None counts every fact as cited.
        subject: Symbol or name the text is about unless it names another company.
        names: Written company names → symbol, so that 公司, name and code are one.
        claim_id: Written into every check.

    Returns:
        Checks in text order, offsets in characters of *text*; values in the units of ``contracts.units``.
    """
    ledger = _cached(tuple(_Same(fact) for fact in facts), subject, tuple(sorted((names or {}).items())))
    return check_with(ledger, text, cited, claim_id)


class _Same:
    """A fact as a cache key: the same object is the same fact, hashed without reading it."""

    __slots__ = ("fact",)

    def __init__(self, fact: Fact) -> None:
        self.fact = fact

    def __hash__(self) -> int:
        return id(self.fact)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.fact is other.fact


@lru_cache(maxsize=128)
def _cached(facts: tuple[_Same, ...], subject: str, names: tuple[tuple[str, str], ...]) -> Ledger:
    return Ledger((held.fact for held in facts), subject, dict(names))


def check_with(ledger: Ledger, text: str, cited: Sequence[str] | None, claim_id: str = "") -> tuple[Check, ...]:
    """:func:`check_text` against a ledger built once; tables are read cell by cell."""
    if has_structure(text):
        return check_pieces(ledger, text, cited, claim_id)
    return check_plain(ledger, text, cited, claim_id)


def ledger_of(pack: Pack) -> Ledger:
    """The ledger of a pack and its appendix, kept while the same facts are asked about."""
    names = ((pack.identity.name, pack.symbol),) if pack.identity.name else ()
    return _cached(tuple(_Same(fact) for fact in (*pack.facts, *pack.appendix)), pack.symbol, names)


def check_claim(claim: Claim, pack: Pack) -> tuple[Check, ...]:
    """One claim against the facts it cites; offsets run through ``Claim.text``."""
    ledger = ledger_of(pack)
    checks: list[Check] = []
    start = 0
    for part in (claim.conclusion, claim.basis, claim.reasoning):
        found = check_with(ledger, part, claim.fact_ids, claim.claim_id)
        checks += [c.model_copy(update={"start": c.start + start, "end": c.end + start}) for c in found]
        start += len(part)
    return tuple(checks)
