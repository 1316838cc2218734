"""What a report says at its top about a debate that is not a stock's standing one.

Read from the transcript and the pack alone, so a stored debate says the same whenever it is shown again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from flows.contracts.packs import FactKind, Pack
from flows.contracts.transcripts import Transcript
from flows.evidence.missing import KIND_ZH
from flows.reports.words import CLAIM_STATUS_ZH, VERDICT_ZH

#: Key of ``Transcript.record`` under which a `targeted` debate names the claim on trial.
TARGET = "target"
NEEDED_KINDS = "needed_kinds"


def told(pack: Pack, transcript: Transcript) -> Pack:
    """*pack* with the notices a reader of this debate needs: its proposition, the claim on trial, what was reversed."""
    return pack.model_copy(update={"notices": (*pack.notices, *notices_of(pack, transcript))})


def notices_of(pack: Pack, transcript: Transcript) -> tuple[str, ...]:
    """The sentences :func:`told` adds."""
    return (*_topic(pack, transcript), *_target(transcript), *_reversals(pack, transcript))


def _topic(pack: Pack, transcript: Transcript) -> Iterator[str]:
    made = transcript.proposition
    if transcript.topic is None or made is None or TARGET in transcript.record:
        return
    premises = "；".join(made.assumptions)
    yield f"本场命题（由话题拟定）：{made.text}。期限：{made.window}。范围：{made.scope}。前提：{premises}。"
    absent = {item.kind for item in pack.missing}
    needed = transcript.record.get(NEEDED_KINDS, ())
    lacking = [KIND_ZH.get(kind, kind) for kind in needed if kind in absent]
    if lacking:
        yield f"命题所需的资料中，以下没有取得或没有记录：{'、'.join(lacking)}。"


def _target(transcript: Transcript) -> Iterator[str]:
    target = transcript.record.get(TARGET)
    if target:
        yield f"本场只审辩论 {target['debate_id']} 的论点 {target['claim_id']}，由两个新角色重新立论。"


def _reversals(pack: Pack, transcript: Transcript) -> Iterator[str]:
    """The reversal log in words (PRODUCT D9)."""
    new = transcript.record.get("new_facts", ())
    if not new:
        return
    users = {fact.id for fact in pack.facts if fact.kind is FactKind.USER}
    origin = "用户提供，未经核实" if users.issuperset(new) else "含用户提供、未经核实的内容"
    yield f"加入 {'、'.join(new)}（{origin}）后重审辩论 {transcript.previous_debate_id}。"
    log = reversal_lines(transcript.record.get("reversals", ()))
    yield "改判记录：" + ("；".join(log) if log else "没有任何判断因此改变") + "。"


def reversal_lines(log: Iterable[Mapping[str, Any]]) -> list[str]:
    """One line per changed judgement: what changed, from what to what, because of which facts."""
    return [_line(entry) for entry in log]


def _line(entry: Mapping[str, Any]) -> str:
    because = "、".join(entry["causes"])
    if entry["what"] == "confidence":
        return f"倾向 {entry['from']:.1f}/100 → {entry['to']:.1f}/100（因 {because}）"
    if entry["what"] == "verdict":
        old, new = (VERDICT_ZH.get(entry[key], entry[key]) for key in ("from", "to"))
        return f"裁决 {old} → {new}（因 {because}）"
    old, new = (CLAIM_STATUS_ZH.get(entry[key], entry[key]) for key in ("from", "to"))
    return f"论点 {entry['what']} {old} → {new}（因 {because}）"
