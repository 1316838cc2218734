"""Which matters bear on which, so that nothing is answered with something that has nothing to do with it.

Groups are those of :class:`~flows.debate.offline.phrasebook.Topic`. A fact about one group answers a claim
about another only where a reader can see the link without help.
"""

from __future__ import annotations

_RESULTS = frozenset({"result", "revenue", "margin", "cash", "loss"})
_BUSINESS = _RESULTS | {"order", "told", "macro", "dividend", "debt"}
_TRADING = frozenset({"price", "flows", "holders", "told"})

#: Group of a fact → groups of the claims it can answer.
ANSWERS: dict[str, frozenset[str]] = {
    "result": _BUSINESS | {"value", "price"},
    "loss": _BUSINESS | {"value", "price"},
    "revenue": _BUSINESS | {"value"},
    "margin": _RESULTS | {"value", "order"},
    "cash": _BUSINESS | {"value"},
    "debt": frozenset({"cash", "dividend", "debt", "legal", "loss", "value"}),
    "value": _RESULTS | {"value", "price", "order", "told"},
    "price": _TRADING | {"value"},
    "flows": _TRADING,
    "holders": _TRADING | {"value"},
    "legal": _BUSINESS | {"legal", "value", "holders", "price"},
    "order": _RESULTS | {"order", "told"},
    "dividend": frozenset({"cash", "loss", "dividend", "value"}),
    "told": frozenset({"told", "price"}),
    "macro": frozenset({"macro"}),
    "other": frozenset({"other"}),
}


def bears_on(mine: str, theirs: str) -> bool:
    """Whether a fact of group *mine* answers a claim of group *theirs*."""
    return theirs in ANSWERS.get(mine, frozenset())
