"""The auditor (PRODUCT D8): outside the debate, looks for ways of arguing that prove nothing.

A model reads the claims; what structure alone shows (a reasoning that restates its conclusion, claims
that lean on each other, an appeal to what everybody thinks) is found by rule, with or without a model.
Each claim found loses 30 % of its strength, once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from flows.contracts.transcripts import Audit, Claim
from flows.debate.answers import AuditReport, Fallacy
from flows.debate.breach import Breach, Part
from flows.debate.draining import clip
from flows.debate.prompting import OPEN, RECORD, TASK, Prompt, prompt_text, system_text
from flows.debate.protocol import Act, Role, Sees
from flows.debate.state import Record

AUDITOR = Role("auditor", "审计员")
AUDIT = Act("audit", "审计", "task_audit", AuditReport, (Sees.NOTHING,))

_CONSENSUS = re.compile(
    r"众所周知|人人都|大家都|毫无疑问|市场普遍|普遍认为|公认|共识(?:就|早|已)|一致(?:看好|看空|认为)"
)  # fmt: skip
_SLOPE = re.compile(
    r"(?:一旦|只要).{2,40}(?:必然|必定|一定会|注定).{2,40}(?:进而|从而|最终|接着|继而)|(?:最终|终将)(?:必然|必定)"
)
#: Longest piece of a claim's reasoning the auditor is shown, in characters.
REASONING_LIMIT = 40


def audit_prompt(record: Record) -> Prompt:
    """The auditor's prompt: conclusions with their reasoning and ids; no facts, it judges form."""
    system = system_text(record, AUDITOR, with_facts=False)
    claims = list(record.claims.values())
    heading = "审计员（auditor/audit）"
    lines = [_line(claim) for claim in claims]
    user = "\n".join((RECORD, *lines, OPEN, "（无）", TASK, heading, prompt_text("task_audit")))
    messages = ({"role": "system", "content": system}, {"role": "user", "content": user})
    return Prompt(messages, len(system), (), tuple(claim.claim_id for claim in claims))


def _line(claim: Claim) -> str:
    reply = f"→{claim.replies_to}" if claim.replies_to else ""
    reasoning = clip(claim.reasoning, REASONING_LIMIT)
    return (
        f"{claim.claim_id}{reply} {claim.conclusion.rstrip('。')}｜{' '.join(claim.fact_ids) or '无来源'}｜{reasoning}"
    )


def audit_faults(record: Record, report: AuditReport) -> Iterator[Breach]:
    """Findings about claims that do not exist."""
    for place, finding in enumerate(report.findings):
        if finding.claim not in record.claims:
            yield Breach(f"没有论点 {finding.claim}", Part("findings", place))


def merged_findings(record: Record, report: AuditReport | None) -> list[Audit]:
    """The model's findings and those of structure, one per claim and fallacy."""
    found: dict[tuple[str, str], Audit] = {}
    for finding in report.findings if report else ():
        audit = Audit(claim_id=finding.claim, fallacy=finding.fallacy, explanation=finding.explanation)
        found.setdefault((audit.claim_id, audit.fallacy), audit)
    for audit in structural_findings(record):
        found.setdefault((audit.claim_id, audit.fallacy), audit)
    return list(found.values())


def structural_findings(record: Record) -> Iterator[Audit]:
    """What form alone shows, claim by claim."""
    for claim in record.claims.values():
        if _leans_in_a_circle(record, claim):
            yield _audit(claim, Fallacy.CIRCULAR, f"与 {claim.replies_to} 互相引为依据，没有各自的事实")
        if found := _CONSENSUS.search(claim.text):
            yield _audit(claim, Fallacy.CONSENSUS, f"以“{found.group()}”代替证据")
        if found := _SLOPE.search(claim.text):
            yield _audit(claim, Fallacy.SLIPPERY_SLOPE, f"“{clip(found.group(), 30)}”把可能当作必然的连锁")


def _leans_in_a_circle(record: Record, claim: Claim) -> bool:
    """Two claims of one side that point at each other and cite nothing beyond each other's facts."""
    other = record.claims.get(claim.replies_to or "")
    return (
        other is not None
        and other.side is claim.side
        and other.replies_to == claim.claim_id
        and set(claim.fact_ids) == set(other.fact_ids)
    )


def _audit(claim: Claim, fallacy: Fallacy, explanation: str) -> Audit:
    return Audit(claim_id=claim.claim_id, fallacy=fallacy.value, explanation=explanation)


def fallacies_by_claim(audits: list[Audit]) -> dict[str, str]:
    """Claim id → its first fallacy: a claim pays once however much was found."""
    by_claim: dict[str, str] = {}
    for audit in audits:
        by_claim.setdefault(audit.claim_id, audit.fallacy)
    return by_claim
