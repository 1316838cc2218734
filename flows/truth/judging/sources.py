"""A statement of a named broker or medium answers to what the facts report of that source (PRODUCT T4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from flows.contracts.checks import Check, CheckVerdict
from flows.truth.claims.statement import Statement
from flows.truth.facts.ledger import Ledger
from flows.truth.grammar.reading import Reading
from flows.truth.judging.judge import judge
from flows.truth.speech.speakers import pair_overlap

_RATING = r"买入|增持|强烈推荐|推荐|审慎推荐|谨慎推荐|持有|中性|减持|卖出|跑赢行业|跑输行业|优于大市|同步大市"
_RATED = re.compile(rf"评级[^，。；“”]{{0,6}}[“\"]?(?P<behind>{_RATING})|[“\"]?(?P<before>{_RATING})[”\"]?(?:的)?评级")
_VERB = re.compile(
    r"认为|指出|强调|报道|表示|声称|称|判断|提示|警告|写道|写着|说|提到|点评|给出|给予|维持|披露|标题|题为|看法|观点|预计|预测"
)
_QUOTED = re.compile(r"[“\"「](?P<what>[^”\"」]{2,60})[”\"」]")
#: Shares of two-character pairs from which words are the source's, another's, or nobody's.
_VERBATIM, _ITS_OWN, _ANOTHERS, _NOBODYS = 0.8, 0.6, 0.7, 0.15
_SHORTEST = 6


@dataclass(frozen=True, slots=True)
class Told:
    """What one source is said to have said: its name and the rest of the sentence, up to the next source."""

    start: int
    end: int
    name: str


def told_by(reading: Reading, ledger: Ledger) -> list[Told]:
    """Every source *reading* names, with the part of its sentence that is put into its mouth."""
    places = sorted(
        (m.start(), m.end(), name)
        for name in ledger.sources
        if name not in ledger.names
        for m in re.finditer(re.escape(name), reading.plain)
    )
    found = []
    for n, (start, end, name) in enumerate(places):
        sentence = reading.sentence(start)
        following = min([sentence[1], *(later for later, _, other in places[n + 1 :] if other != name)])
        is_behind = reading.plain[end : end + 1] in {")", "）"} or end >= sentence[1]
        found.append(Told(reading.clause(start)[0] if is_behind else start, following, name))
    return found


def of_source(
    check: Check, s: Statement, reading: Reading, ledger: Ledger, cited: frozenset[str] | None, told: Iterable[Told]
) -> Check:
    """*check* of a number a source is said to have given: it must be in that source's reports, or in no source's."""
    teller = next((t for t in told if t.start <= s.quantity.start < t.end), None)
    if teller is None:
        return check
    own = ledger.sources[teller.name]
    foreign = frozenset().union(*ledger.sources.values()) - own
    if not check.verdict.is_failure and check.fact_id not in foreign:
        return check
    allowed = frozenset(f.id for f in ledger.facts if cited is None or f.id in cited)
    for held in (
        judge(reading, s, ledger, allowed - foreign, check.claim_id),
        _forecast(reading, s, ledger, allowed & own),
    ):
        if not held.verdict.is_failure:
            return held
    if check.verdict.is_failure:
        return check
    teller_of = next(name for name, ids in ledger.sources.items() if check.fact_id in ids)
    return _failed(check, f"{teller.name}没有这样的说法，{teller_of}才有（{check.fact_id}）")


def _forecast(reading: Reading, s: Statement, ledger: Ledger, own: frozenset[str]) -> Check:
    """The check of a number as the source's forecast of what the sentence is about: 每股收益…：演示证券2.90元."""
    start = reading.sentence(s.quantity.start)[0]
    named = [m for m in reading.mentions if start <= m.start < s.quantity.start]
    concept = s.concept or (named[-1].concept if named else "")
    return judge(reading, replace(s, is_forecast=True, concept=concept), ledger, own, "")


def as_source_says(check: Check, reading: Reading, ledger: Ledger, told: Iterable[Told]) -> Check:
    """A failed claim without a number that the named source itself makes word for word holds as its statement."""
    teller = next((t for t in told if t.start <= check.start < t.end), None)
    if teller is None or check.value is not None or not check.verdict.is_failure:
        return check
    start, end = reading.clause(check.start)
    clause = reading.plain[max(start, teller.start) : end].replace(teller.name, "")
    source = next(
        (
            f
            for f in ledger.facts
            if f.id in ledger.sources[teller.name] and pair_overlap(clause, f.sentence) >= _VERBATIM
        ),
        None,
    )
    if source is None:
        return check
    held = {"verdict": CheckVerdict.SUPPORTED, "fact_id": source.id, "expected": None, "formula": None}
    return check.model_copy(update={**held, "reason": "引用的材料如此表述"})


def _failed(check: Check, reason: str) -> Check:
    changed = {"verdict": CheckVerdict.UNSUPPORTED, "fact_id": None, "expected": None, "formula": None}
    return check.model_copy(update={**changed, "reason": reason})


def misattributed(reading: Reading, ledger: Ledger, told: Iterable[Told], claim_id: str) -> Iterator[Check]:
    """A failed check per rating, quotation or clause put into the mouth of a source that did not say it."""
    for teller in told:
        for start, end in _statements(reading, teller):
            numbered = any(start <= q.start < end and q.is_quantity for q in reading.quantities)
            reason = _unlike(reading.plain[start:end], teller.name, ledger, numbered=numbered)
            if reason:
                yield Check(
                    claim_id=claim_id, text=reading.text[start:end], start=start, end=end,
                    verdict=CheckVerdict.UNSUPPORTED, reason=reason,
                )  # fmt: skip


def _statements(reading: Reading, teller: Told) -> Iterator[tuple[int, int]]:
    """Spans of a rating, of quotations, else of the clauses behind the word of speaking."""
    plain = reading.plain
    rating = _RATED.search(plain, teller.start, teller.end)
    if rating:
        yield rating.span("behind" if rating["behind"] else "before")
        return
    verb = _VERB.search(plain, teller.start + len(teller.name), teller.end)
    if verb is None:
        return
    quoted = [m.span("what") for m in _QUOTED.finditer(plain, teller.start, teller.end)]
    yield from quoted or _clauses(reading, verb.end(), teller.end)


def _clauses(reading: Reading, start: int, end: int) -> Iterator[tuple[int, int]]:
    for part in re.finditer(r"[^，,:：；;“”（）()]+", reading.plain[start:end]):
        if len(part[0].strip()) >= _SHORTEST:
            yield start + part.start(), start + part.end()


def _unlike(what: str, name: str, ledger: Ledger, *, numbered: bool) -> str:
    """Why the facts of a source do not say *what*; empty if they do, if it is only worded otherwise, or a number's."""
    own, (likest, other, fact_id) = _likeness(what, ledger, ledger.sources[name])
    if own >= _ITS_OWN:
        return ""
    if likest >= (_VERBATIM if numbered else _ANOTHERS) and likest > own + 0.2:
        return f"{name}没有这样的说法，{other}的材料才有（{fact_id}）"
    return f"没有引用的材料说明{name}有此说法" if own < _NOBODYS and not numbered else ""


def _likeness(what: str, ledger: Ledger, own: frozenset[str]) -> tuple[float, tuple[float, str, str]]:
    """How like the source's own facts *what* is, and (how like another source's, that source, its fact)."""
    sentence = {fact.id: fact.sentence for fact in ledger.facts}
    mine = max((pair_overlap(what, sentence[i]) for i in own), default=0.0)
    rest = [
        (pair_overlap(what, sentence[i]), name, i) for name, ids in ledger.sources.items() for i in sorted(ids - own)
    ]
    return mine, max(rest, default=(0.0, "", ""))
