"""Who is said to have bought, sold, signed or held, against whom the fact names (PRODUCT T4)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flows.contracts.checks import Check, CheckVerdict
from flows.contracts.packs import Fact, FactKind
from flows.truth.facts.ledger import Ledger
from flows.truth.grammar.reading import Reading

#: Groups nobody is in two of unless a fact says so.
_GROUPS = {
    "management": (
        "董事长|副董事长|总经理|总裁|财务总监|财务负责人|董事会秘书|董秘|高级管理人员|高管|董监高|管理层|监事"
    ),
    "plan": "员工持股计划|核心员工|激励对象",
    "subsidiary": "(?:全资|控股)?子公司",
    "holder": (
        r"控股股东|第[一二三]大股东|大股东|实际控制人|实控人|一致行动人"
        r"|(?<!上市公司)股东(?=[“\"]|[^，。；]{2,16}(?:公司|集团|合伙|基金))"
    ),
}
_ACTOR = re.compile("|".join(f"(?P<{name}>{words})" for name, words in _GROUPS.items()))
_DEED = re.compile(r"增持|减持|买入|卖出|签订|签署|中标|持有|持股|受让|转让|质押")
_DOER = re.compile(
    r"(?P<deed>增持|减持|签订|签约|质押|回购)(?:人|方|主体|者)(?:就)?(?:是|为|系)(?:公司|上市公司)?(?P<who>[^，。；]{2,20})"
)
#: 由…签订, 增持…的是….
_BY = re.compile(r"(?:由|的(?:正|就)?是)(?:公司|其|旗下|上市公司)?$")
#: The deed stands within so many characters behind its doer.
_NEAR = 24


def of_actor(check: Check, reading: Reading, ledger: Ledger) -> Check:
    """*check* of a number that a fact holds: wrong where the text gives the deed to another group than the fact."""
    fact = _spoken_fact(check, ledger)
    if fact is None:
        return check
    said, known = _doer(reading, check.start), _groups(fact.sentence)
    if not said or not known or said in known:
        return check
    return check.model_copy(
        update={
            "verdict": CheckVerdict.UNSUPPORTED, "fact_id": None, "expected": None, "formula": None,
            "reason": f"事实里是{_names(fact.sentence)}（{fact.id}）",
        }
    )  # fmt: skip


def misnamed_doers(reading: Reading, ledger: Ledger, claim_id: str) -> Iterator[Check]:
    """A failed check per 增持人是… that names another group than every fact of that deed."""
    for match in _DOER.finditer(reading.plain):
        said = _groups(match["who"])
        facts = [f for f in ledger.facts if f.kind is not FactKind.KNOWLEDGE and match["deed"] in f.sentence]
        known = set().union(*(_groups(f.sentence) for f in facts))
        if said and known and not said & known:
            start, end = match.span()
            yield Check(
                claim_id=claim_id, text=reading.text[start:end], start=start, end=end,
                verdict=CheckVerdict.UNSUPPORTED, reason=f"事实里{match['deed']}的是{_names(facts[0].sentence)}",
            )  # fmt: skip


def _spoken_fact(check: Check, ledger: Ledger) -> Fact | None:
    """The fact of a filing or headline that holds a number."""
    if check.verdict.is_failure or check.fact_id is None:
        return None
    fact = next((f for f in ledger.facts if f.id == check.fact_id), None)
    return fact if fact is not None and fact.kind in {FactKind.ANNOUNCEMENT, FactKind.NEWS} else None


def _doer(reading: Reading, at: int) -> str:
    """Group of the last actor before *at* in its sentence that a deed follows, or of the one behind it (由…签订)."""
    start, end = reading.sentence(at)
    found = [m for m in _ACTOR.finditer(reading.plain, start, at) if _does(reading.plain, m.end(), at)]
    found = found or [m for m in _ACTOR.finditer(reading.plain, at, end) if _BY.search(reading.plain, at, m.start())]
    return found[-1].lastgroup or "" if found else ""


def _does(plain: str, start: int, at: int) -> bool:
    """Whether a deed follows an actor, and is not denied of it: 董事长未参与增持."""
    deed = _DEED.search(plain, start, max(at, start + _NEAR))
    return (
        deed is not None and deed.start() - start <= _NEAR and not re.search(r"[未没非不]", plain[start : deed.start()])
    )


def _groups(text: str) -> set[str]:
    return {m.lastgroup or "" for m in _ACTOR.finditer(text)}


def _names(text: str) -> str:
    return "、".join(dict.fromkeys(m[0] for m in _ACTOR.finditer(text)))
