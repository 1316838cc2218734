"""Which references a number may be of, and the other quantity of its sentence where its own word is incidental."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from flows.contracts.units import Unit
from flows.truth.claims.apposition import named_behind
from flows.truth.claims.forms import as_of_mention
from flows.truth.claims.naming import without_common
from flows.truth.claims.statement import Place, Statement
from flows.truth.facts.ledger import Ledger, Reference
from flows.truth.grammar.lexicon import CHANGE, Mention
from flows.truth.grammar.reading import Reading
from flows.truth.judging.matching import Match, compare

#: Words that often stand in a sentence without being what its number measures.
_INCIDENTAL = frozenset({
    "price", "market_cap", "day_high", "day_low", "open", "support", "resistance", "holder_change", "dividend",
    "contract", "",
})  # fmt: skip

_PRICE_VERBS = (
    "上涨", "下跌", "涨", "跌", "收涨", "收跌", "大涨", "大跌", "累计上涨", "累计下跌",
    "回调", "反弹", "下挫", "走高", "走低",
)  # fmt: skip


def _as_price_move(s: Statement, ledger: Ledger) -> Statement | None:
    """成交清淡，公司上涨1.2%: a price verb without a quantity of its own clause moves the price."""
    borrowed = s.mention is None or s.mention.start < s.clause[0] or s.concept not in ledger.by_concept
    if s.quantity.unit != Unit.PCT or not borrowed or not s.quantity.direction_word.startswith(_PRICE_VERBS):
        return None
    return replace(s, concept="price", form=CHANGE, mention=None)


def _high_fallen_from(reading: Reading, s: Statement) -> Mention | None:
    """自52周最高点算起，股价下跌2.5%: the high that a fall of the price is measured from, named before it."""
    if s.form != CHANGE or s.concept not in {"price", "high", "day_high"} or s.quantity.direction > 0:
        return None
    start = reading.sentence(s.quantity.number_start)[0]
    spoken = [m for m in reading.mentions if start <= m.start < s.quantity.start]
    return next((m for m in reversed(spoken) if m.concept in {"high", "drawdown", "day_high"}), None)


def _window_before(reading: Reading, s: Statement) -> str:
    start = reading.sentence(s.quantity.number_start)[0]
    said = [w.window for w in reading.windows if start <= w.start < s.quantity.start and w.window != "1d"]
    return said[-1] if said else ""


def by_other_name(reading: Reading, s: Statement, ledger: Ledger) -> list[Match]:
    """A number under no word, or an incidental one, may be of the quantity its sentence names without a number."""
    price = _price_near_an_end(reading, s)
    if price is not None:
        return _held(price, ledger)
    high = _high_fallen_from(reading, s)
    if high is not None:
        fallen = replace(s, concept="drawdown", window=high.window or s.window or _window_before(reading, s))
        found = [
            m
            for r in ledger.by_concept.get("drawdown", ())
            if (m := compare(fallen, r, ledger)) is not None and not m.failed
        ]
        if found:
            return found
    moved = _as_price_move(s, ledger)
    if moved is not None:
        found = [
            m
            for r in ledger.by_concept.get("price", ())
            if (m := compare(moved, r, ledger)) is not None and not m.failed
        ]
        if found:
            return found
    if _is_named_by_its_own_word(reading, s):
        return []
    start, stop = reading.sentence(s.quantity.number_start)
    named = [
        m
        for m in reading.mentions
        if start <= m.start < stop and m.concept != s.concept and m.concept not in _INCIDENTAL
    ]
    if (
        len({m.concept for m in named}) != 1
        or sum(start <= q.number_start < stop and q.is_quantity for q in reading.quantities) != 1
    ):
        return []
    return _held(as_of_mention(reading, s, named[-1]), ledger)


def _held(s: Statement, ledger: Ledger) -> list[Match]:
    return [m for r in candidates(s, ledger) if (m := compare(s, r, ledger)) is not None and not m.failed]


_NEAR = re.compile(r"(?:接近|逼近|靠近|邻近|临近|徘徊[于在]|贴近|触及|处于|位于|回到|来到)(?:了|其|自身)?(?:近|过去)?$")
_ADDED = re.compile(r"\s*(?:\(|:|，|——)\s*(?:现?报|现?为|最新为?|收[于在]?|目前)?\s*")


def _price_near_an_end(reading: Reading, s: Statement) -> Statement | None:
    """收盘接近52周低点（43.32元）: what is added behind may be the low or the price that only comes near to it."""
    end = s.mention
    if end is None or end.concept not in {"high", "low"} or end.end > s.quantity.number_start:
        return None
    plain, start = reading.plain, reading.sentence(end.start)[0]
    if not (_NEAR.search(plain, start, end.start) and _ADDED.fullmatch(plain, end.end, s.quantity.number_start)):
        return None
    prices = [m for m in reading.mentions if start <= m.start < end.start and m.concept == "price"]
    return replace(as_of_mention(reading, s, prices[-1]), window="") if prices else None


def _is_named_by_its_own_word(reading: Reading, s: Statement) -> bool:
    """Whether a word before the number names it: a telling one, or an incidental one with nothing told in between."""
    if named_behind(Place(reading, s.quantity)) is not None:
        return True
    if s.mention is None or s.mention.end > s.quantity.number_start:
        return False
    if s.concept not in _INCIDENTAL:
        return True
    gap = reading.plain[s.mention.end : s.quantity.start]
    if s.concept == "market_cap" and s.clause[0] <= s.mention.start:
        return True
    in_clause = s.concept == "price" and (s.clause[0] <= s.mention.start or not gap.strip("，,:： "))
    return in_clause and not without_common(reading, s.mention.end, s.quantity.start)


def candidates(s: Statement, ledger: Ledger) -> Sequence[Reference]:
    """References of the statement's quantity; a forecast one may hold a profit."""
    if not s.concept:
        return ledger.references
    found = ledger.by_concept.get(s.concept, [])
    if s.concept not in _FORECAST_OF:
        return found
    return [*found, *ledger.by_concept.get(_FORECAST_OF[s.concept], [])]


_FORECAST_OF = {"net_profit": "forecast_profit", "eps": "forecast_eps"}
