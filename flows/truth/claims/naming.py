"""Which quantity a number is of: the word that names it, else its own label."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from flows.contracts.units import Unit
from flows.truth.claims.statement import Place, Statement, has_number
from flows.truth.grammar.lexicon import Mention, concepts
from flows.truth.grammar.numbers import Quantity
from flows.truth.grammar.reading import Reading
from flows.truth.grammar.wording import alternatives

#: Words of the day's bar that also mean the ends of any range (最高, 最低, 压力).
_DAY_WORDS = frozenset({"day_high", "day_low", "open", "support", "resistance"})
_RANGE_ENDS = {"day_high": "high", "day_low": "low"}
#: Quantities that 亏损 may be of where the clause names them; otherwise it is the net profit's.
_PROFITS = frozenset({
    "net_profit", "deducted_net_profit", "forecast_profit", "eps", "forecast_eps", "operating_profit", "total_profit",
})  # fmt: skip
#: A blank parts the statements of a headline: 下跌6.30% 主力资金净流出.
_AFTER_MENTION = re.compile(r"^(?:左右|上下|以上|以下)?(?:的|之)?$")
#: 有3天录得涨停, 2天收于跌停: what a number of days counts stands behind it.
_AFTER_COUNT = re.compile(r"^(?:里|中)?(?:的|之|是|为|都|均|以|收盘?|报收?|于|在|出现了?|录得|触及|封[住死于]?|处于)*$")
_DIRECT = re.compile(r"^[\s:|(=*`_]*(?:\([^)]*\))?[\s:|(=*`_]*$")
_PUNCTUATION = r"[\s\d.,:;|()\[\]{}*`_#>~+\-=/<%（）【】「」“”\"'‘’《》•·。、]"
_COMMON = re.compile(f"{_PUNCTUATION}|{alternatives('labels.common')}")


def mention_of(place: Place) -> Mention | None:
    """The word in the number's own clause that names its quantity."""
    reading, q = place.reading, place.quantity
    before = _ranked([m for m in place.own(reading.mentions) if can_measure(m, q)], place)
    near = (m for m in reading.mentions if q.end <= m.start < min(place.clause[1], q.end + 6))
    after = next((m for m in near if can_measure(m, q)), None)
    if after is not None and _names_behind(reading.plain[q.end : after.start], q):
        before = [m for m in before if not _stands_behind_a_number(reading, m)]
        gap = reading.plain[before[-1].end : q.number_start] if before else ""
        if not before or "的" in reading.plain[q.end : after.start] or len(gap) > 6:
            return after
    return _qualified(reading, before) if before else None


def _ranked(before: list[Mention], place: Place) -> list[Mention]:
    """市销率在近三年区间里处于51.4%分位: a percentile is of the multiple, whatever else its clause names."""
    multiples = [m for m in before if concepts()[m.concept].unit == Unit.MULTIPLE]
    return multiples if multiples and place.after.lstrip(" 的").startswith(("分位", "百分位")) else before


def _stands_behind_a_number(reading: Reading, mention: Mention) -> bool:
    """1.50元红利对54.49元股价: the word directly behind a number is of that number."""
    near = [q for q in reading.quantities if q.is_quantity and q.end <= mention.start <= q.end + 6]
    gaps = [(q, reading.plain[q.end : mention.start]) for q in near]
    return any(gap in {"", "的"} or (q.unit in _DAYS and _names_behind(gap, q)) for q, gap in gaps)


def _names_behind(gap: str, q: Quantity) -> bool:
    """Whether a word that stands *gap* behind a number is what it is of."""
    return bool((_AFTER_COUNT if q.unit in _DAYS else _AFTER_MENTION).match(gap))


_DAYS = frozenset({Unit.SESSIONS.value, "次"})


_COUNTED = frozenset({Unit.SESSIONS.value, Unit.COUNT.value, "次", ""})
_RANKED = frozenset({Unit.RANK.value, Unit.COUNT.value, ""})


def can_measure(mention: Mention, q: Quantity) -> bool:
    """Whether a number in this unit can be of what the word names."""
    unit = concepts()[mention.concept].unit
    if unit == Unit.SESSIONS:
        return q.unit in _COUNTED
    if unit == Unit.RANK:
        return q.unit in _RANKED
    if unit == Unit.CNY_PER_SHARE and q.unit == Unit.SESSIONS:
        return False
    if concepts()[mention.concept].unit == Unit.CNY_PER_SHARE and q.is_scaled:
        return False
    return mention.concept not in _DAY_WORDS or (q.unit in {Unit.CNY, Unit.CNY_PER_SHARE, ""} and not q.is_scaled)


def _qualified(reading: Reading, before: Sequence[Mention]) -> Mention:
    """乖离率(MA5): a name in brackets right after another only says which."""
    last = before[-1]
    if len(before) < 2 or not last.window:
        return last
    owner = before[-2]
    bracketed = reading.plain[owner.end : last.start].strip() == "(" and reading.plain[last.end : last.end + 1] == ")"
    return replace(owner, end=last.end + 1, window=owner.window or last.window) if bracketed else last


def of_range(mention: Mention, previous: Statement | None, place: Place) -> Mention:
    """52周最高价64元，最低52元; 近一年的最低价: a bare 最低 of a window, or after a range's high, ends a range."""
    end = _RANGE_ENDS.get(mention.concept)
    windows = [w.window for w in place.reading.windows if place.clause[0] <= w.start < mention.start]
    if end is not None and mention.start > place.clause[0] and windows and windows[-1] != "1d":
        return replace(mention, concept=end, window=windows[-1])
    if (
        end is None
        or previous is None
        or previous.concept not in {"high", "low"}
        or previous.quantity.start < place.sentence[0]
    ):
        return mention
    return replace(mention, concept=end, window=previous.window)


def of_loss(mention: Mention | None, q: Quantity) -> Mention | None:
    """亏损1.86亿元 is of the net profit unless its clause names another profit."""
    if not q.of_loss or (mention is not None and mention.concept in _PROFITS):
        return mention
    return Mention(q.start, q.start, "net_profit")


def borrowed(place: Place, before: Sequence[Statement], *, topics_only: bool) -> Mention | None:
    """What a clause that names no known quantity speaks of: the one before it in the sentence, else the next one.

    A clause with words of its own (*topics_only*) borrows only what still waits for a number (就毛利率而言，…).
    """
    reading = place.reading
    able = [m for m in reading.mentions if can_measure(m, place.quantity)]
    behind = place.behind(able)
    if behind is not None:
        return behind
    previous = before[-1] if before and place.sentence[0] <= before[-1].quantity.start else None
    carried = place.carried(able)
    earlier = [m for m in carried if not _is_base(reading, m)] or carried
    if not topics_only and previous is not None and previous.mention is not None:
        newer = [m for m in earlier if m.start >= previous.quantity.end]
        return newer[-1] if newer else previous.mention
    later = [m for m in able if place.clause[1] <= m.start < place.sentence[1]][:1]
    waiting = [m for m in (*reversed(earlier), *later) if not has_number(reading, m.start)]
    if waiting or topics_only:
        return waiting[0] if waiting else None
    if earlier or later:
        return earlier[-1] if earlier else later[0]
    framed = place.framed(able)
    if len({m.concept for m in framed}) == 1:
        return framed[-1]
    return _topic_of_sentence_before(place)


#: 股价高于该均线，最新23.17元: what something is held against is not what the next number is of.
_BASE = re.compile(
    r"(?:[高低大小多少强弱优劣]于|超过|超出|不及|站上|跌破|突破|失守|接近|逼近|靠近|临近|触及|回到)(?:该|这条|这根)?\s*$"
)


def _is_base(reading: Reading, mention: Mention) -> bool:
    return bool(_BASE.search(reading.plain, max(0, mention.start - 6), mention.start))


def _topic_of_sentence_before(place: Place) -> Mention | None:
    """有人关心负债率。某公司报的是13.7%: the one quantity the sentence before names."""
    start, stop = place.reading.sentence(max(0, place.sentence[0] - 2))
    if place.sentence[0] == 0 or stop > place.sentence[0]:
        return None
    named = [m for m in place.reading.mentions if start <= m.start < stop and can_measure(m, place.quantity)]
    return named[-1] if len({m.concept for m in named}) == 1 else None


def labels_directly(gap: str) -> bool:
    """Whether nothing but punctuation stands between a word and its number."""
    return len(gap) < 12 and bool(_DIRECT.match(gap))


def label_of(reading: Reading, start: int, q: Quantity) -> str:
    """Words before the number (back to *start* or the number before) that no table knows: its own label."""
    before = (other for other in reading.quantities if start < other.end <= q.start)
    floor = max((other.end for other in before if not _is_in_period(reading, other)), default=start)
    return _label(reading, floor, q.start)


def _is_in_period(reading: Reading, q: Quantity) -> bool:
    """上一年同一时期: a number that is only the beginning of a period's name."""
    return any(p.start <= q.start and q.end < p.end for p in reading.periods)


def wide_label(reading: Reading, q: Quantity) -> str:
    """Such words of the whole sentence before the number: 某产品定点，生命周期5年、总金额6.8亿元."""
    return _label(reading, reading.sentence(q.number_start)[0], q.start)


def _label(reading: Reading, floor: int, end: int) -> str:
    rest = without_common(reading, floor, end)
    return rest if len(rest) >= 2 else ""


def without_common(reading: Reading, floor: int, end: int) -> str:
    """What is left of a stretch of text without its companies, times, numbers and words that tell nothing."""
    groups = (reading.companies, reading.periods, reading.windows, reading.days, reading.quantities)
    known = sorted((s.start, s.end) for group in groups for s in group if floor <= s.start and s.end <= end)
    pieces, position = [], floor
    for start, stop in known:
        if start >= position:
            pieces.append(reading.plain[position:start])
            position = stop
    pieces.append(reading.plain[position:end])
    return _COMMON.sub("", "".join(pieces))
