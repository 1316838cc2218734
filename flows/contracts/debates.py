"""Time-series tables of debates, quality and operation (PRODUCT S1, DESIGN "Tables")."""

from __future__ import annotations

from flows.contracts.columns import BATCH_ID, CLAIM_ID, DEBATE_ID, SYMBOL, TRADE_DATE
from flows.contracts.table import Column, Table, day, flag, moment, number, text, texts, whole


def _debate(name: str, meaning: str, grain: tuple[str, ...], *columns: Column) -> Table:
    return Table(f"debates.{name}", meaning, ("debate_id", *grain), (DEBATE_ID, *columns))


RUNS = _debate(
    "runs", "One debate.", (),
    BATCH_ID, SYMBOL, TRADE_DATE,
    text("protocol", "bull_bear, four_stance, targeted or direct."),
    text("model", "Model or models that spoke."),
    text("pack_version", "Fact-base version (事实基准版本)."),
    text("status", "How it ended.", values=("complete", "partial", "gated", "failed")),
    text("title", "Title.", nullable=True),
    text("conclusion", "Core conclusion.", nullable=True),
    number("confidence", "0–100, neutral 50.", nullable=True, minimum=0, maximum=100),
    number("swap_agreement", "1 if both judge orders agree, 0 if not.", nullable=True, minimum=0, maximum=1),
    number("completeness", "Evidence completeness, 0–100.", nullable=True, minimum=0, maximum=100),
    whole("calls", "Model calls, cached ones included.", minimum=0),
    whole("cached_calls", "Calls answered from the journal.", minimum=0),
    whole("tokens_in", "Prompt tokens paid.", minimum=0),
    whole("tokens_out", "Completion tokens paid.", minimum=0),
    number("cost_cny", "Cost paid, CNY; null if no price is configured.", nullable=True, minimum=0),
    text("previous_debate_id", "Debate of the same stock and protocol before.", nullable=True),
    moment("started_at", "Start."),
    moment("finished_at", "End."),
    text("verdict", "for, against or undecided, on the proposition, as adjudicated.", nullable=True),
    flag("is_standing", "Whether it is its stock's ordinary debate of the day: not on a topic, one claim or new "
         "material.", nullable=True),
    text("topic", "Topic it was made from, as asked; null if it is about the stock itself.", nullable=True),
    text("proposition", "What was argued.", nullable=True),
)  # fmt: skip

TURNS = _debate(
    "turns", "One turn.", ("turn_no",),
    whole("turn_no", "Running number.", minimum=0),
    whole("round_no", "Round.", minimum=0),
    text("role", "Role."),
    text("act", "What the turn does."),
    text("side", "Side spoken for.", nullable=True),
    text("status", "ok or failed."),
    text("speech", "The speech as text."),
    text("answer", "Validated answer, JSON.", nullable=True),
    text("error", "Why it failed.", nullable=True),
    text("call_hash", "Journal key.", nullable=True),
)  # fmt: skip

CLAIMS = _debate(
    "claims", "One argument.", ("claim_id",),
    CLAIM_ID,
    whole("turn_no", "Turn it was said in.", minimum=0),
    text("role", "Role."),
    text("side", "Side.", values=("for", "against")),
    text("dimension", "Dimension."),
    text("conclusion", "结论."), text("basis", "依据."), text("reasoning", "推演."),
    texts("fact_ids", "Facts cited."),
    text("evidence_type", "Stated source type."),
    text("status", "What became of it.",
         values=("standing", "pending", "conceded", "refuted", "unsupported")),
    number("score", "Checked strength, 0–1.", minimum=0),
)  # fmt: skip

CLAIM_CHECKS = _debate(
    "claim_checks", "One checked span of one claim or of the report (claim_id empty).", ("claim_id", "start"),
    text("claim_id", "Claim, empty for report text."),
    whole("start", "Offset of the span.", minimum=0),
    text("text", "The span as written."),
    number("value", "Value read.", nullable=True),
    text("unit", "Unit read.", nullable=True),
    text("verdict", "What the check found.",
         values=("supported", "rounded", "derived", "unsupported", "mismatch", "not_a_quantity")),
    text("fact_id", "Fact it was bound to.", nullable=True),
    number("expected", "Right value.", nullable=True),
    text("formula", "Recomputation.", nullable=True),
    text("reason", "Why."),
)  # fmt: skip

QUESTIONS = _debate(
    "questions", "One cross-examination question.", ("question_id",),
    text("question_id", "Question."), whole("round_no", "Round.", minimum=0),
    text("asker", "Role."), text("target", "Role."), text("claim_id", "Attacked claim.", nullable=True),
    text("text", "Question."), flag("is_answered", "Whether it was answered."), text("answer", "Answer."),
    flag("is_effective", "Whether the attack was effective.", nullable=True),
)  # fmt: skip

JUDGEMENTS = _debate(
    "judgements", "One reading of the judge.", ("order",),
    text("order", "Order in which the sides were shown."),
    text("verdict", "for, against or undecided, sides mapped back."),
    number("for_score", "Score of the for-side.", nullable=True),
    number("against_score", "Score of the against-side.", nullable=True),
    text("dimensions", "Dimension → finding, JSON."),
    texts("reasons", "Reasons."), texts("cited_claim_ids", "Claims cited."),
)  # fmt: skip

DISAGREEMENTS = _debate(
    "disagreements", "One metric on which the sides differ.", ("disagreement_id",),
    text("disagreement_id", "Disagreement."),
    text("metric", "Metric of the registry."),
    number("for_value", "Value the for-side expects.", nullable=True),
    number("against_value", "Value the against-side expects.", nullable=True),
    number("for_probability", "Adjudicator's probability that for is nearer.", nullable=True, minimum=0,
           maximum=1),
    text("unit", "Unit of the values."),
    day("due_date", "When it can be settled.", nullable=True),
    text("assumption", "Assumption at its root."),
)  # fmt: skip

INDICATORS = _debate(
    "indicators", "One number to watch.", ("indicator_id",),
    text("indicator_id", "Indicator."), text("metric", "Metric."), text("description", "In words."),
    number("threshold", "Threshold.", nullable=True), text("unit", "Unit."), text("direction", "Direction."),
    day("due_date", "When.", nullable=True),
)  # fmt: skip

FALSIFIERS = _debate(
    "falsifiers", "What would prove a side wrong.", ("falsifier_id",),
    text("falsifier_id", "Falsifier."), text("side", "Side it would prove wrong."),
    text("description", "In words."),
    text("metric", "Metric.", nullable=True), text("operator", "< or >.", nullable=True),
    number("threshold", "Threshold.", nullable=True), text("unit", "Unit.", nullable=True),
    day("due_date", "When.", nullable=True), text("claim_id", "Claim.", nullable=True),
)  # fmt: skip

CONFIDENCE_CHANGES = _debate(
    "confidence_changes", "One step of the adjudicator's confidence.", ("seq",),
    whole("seq", "Step.", minimum=0), text("cause", "Cause."),
    text("claim_id", "Claim.", nullable=True),
    number("confidence_from", "Before."), number("confidence_to", "After."),
    text("detail", "Arithmetic in words."),
)  # fmt: skip

AUDITS = _debate(
    "audits", "One finding of the auditor.", ("claim_id", "fallacy"),
    CLAIM_ID, text("fallacy", "Kind of fallacy."), text("explanation", "Why."),
)  # fmt: skip

REFUSALS = _debate(
    "refusals", "One part of an answer that failed every try and was left out of its turn.",
    ("turn_no", "part", "place"),
    whole("turn_no", "Turn it was said in.", minimum=0), text("role", "Role."),
    text("part", "Field of the answer: claims, pro, con, findings, preempt, title …"),
    whole("place", "Place in that list as written, from 1; 0 for a field that is no list.", minimum=0),
    text("cause", "Why it was left out."), text("text", "What it said, cut; empty if it held advice."),
)  # fmt: skip

LLM_CALLS = _debate(
    "llm_calls", "One call of the gateway.", ("call_hash", "started_at"),
    text("call_hash", "Journal key."), text("role", "Role."), text("model", "Model."),
    whole("tokens_in", "Prompt tokens.", minimum=0), whole("tokens_out", "Completion tokens.", minimum=0),
    whole("tokens_cached_prefix", "Prompt tokens the server had cached.", nullable=True, minimum=0),
    flag("tokens_estimated", "Counted here, because the server reported none.", nullable=True),
    number("cost_cny", "Cost, CNY.", nullable=True, minimum=0),
    flag("cached", "Answered from the journal."), whole("attempts", "Attempts.", minimum=0),
    text("status", "ok or failed."), moment("started_at", "Start."), number("elapsed_ms", "Milliseconds."),
)  # fmt: skip

PACKS = Table(
    "debates.packs", "One frozen pack.", ("pack_version", "symbol"),
    (text("pack_version", "Fact-base version."), SYMBOL, TRADE_DATE,
     number("completeness", "0–100.", minimum=0, maximum=100), text("body", "Pack JSON."),
     moment("created_at", "When it was frozen.")),
)  # fmt: skip

REPORTS = _debate(
    "reports", "One written report.", (),
    SYMBOL, TRADE_DATE, text("warning", "避雷提醒, one sentence."), texts("points", "五点摘要."),
    text("markdown_path", "Path below the data folder."), text("html_path", "Path below the data folder."),
    text("json_path", "Path below the data folder."), text("transcript", "Transcript JSON."),
    moment("written_at", "When."),
)  # fmt: skip

TRANSCRIPTS = _debate(
    "transcripts", "One debate as it was handed back, so that it can be read and judged again.", (),
    text("body", "Transcript JSON."),
)  # fmt: skip

OUTCOMES = Table(
    "debates.outcomes", "One settled item.", ("item_kind", "item_id", "settled_at"),
    (text("item_kind", "Kind.", values=("disagreement", "indicator", "falsifier")), text("item_id", "Item."),
     moment("settled_at", "When."), number("actual_value", "Actual value.", nullable=True),
     text("fact_source", "Table and key of the fact.", nullable=True),
     text("settled_for", "Result.", values=("for", "against", "neither", "not_yet", "impossible")),
     number("brier", "Brier score.", nullable=True, minimum=0, maximum=1)),
)  # fmt: skip

VALIDATIONS = Table(
    "quality.validations", "One expectation's result for one run and subject.",
    ("batch_id", "suite", "expectation", "subject"),
    (BATCH_ID, text("suite", "Suite."), text("expectation", "Expectation."),
     text("subject", "Symbol, kind or * for the run."), flag("success", "Whether it held."),
     whole("unexpected_count", "Rows that broke it.", minimum=0), text("sample", "Some of them, JSON."),
     moment("checked_at", "When.")),
)  # fmt: skip

BATCHES = Table(
    "ops.batches", "One run.", ("batch_id",),
    (BATCH_ID, text("flow", "Flow."), day("as_of", "As-of date."), TRADE_DATE, moment("cutoff", "Data cutoff."),
     text("sources", "sample or live."), text("model", "Model."), text("status", "Status."),
     whole("symbols", "Symbols in.", minimum=0), moment("started_at", "Start."),
     moment("finished_at", "End.", nullable=True)),
)  # fmt: skip

ACCOUNTS = Table(
    "ops.accounts", "One row per run and symbol: N in, N out.", ("batch_id", "symbol", "protocol"),
    (BATCH_ID, SYMBOL, text("protocol", "Protocol."),
     text("outcome", "What became of it.", values=("debated", "cached", "gated", "failed")),
     text("reason", "Why."), text("debate_id", "Debate.", nullable=True)),
)  # fmt: skip

TRIGGERS = Table(
    "ops.triggers", "One announcement that started a debate.", ("announcement_id",),
    (text("announcement_id", "Announcement."), SYMBOL, text("filing_class", "Class."), BATCH_ID,
     moment("handled_at", "When.")),
)  # fmt: skip

BACKFILLS = Table(
    "ops.backfills", "One symbol and kind whose history of a range was loaded; a re-run skips it.",
    ("symbol", "kind", "start_date", "end_date"),
    (SYMBOL, text("kind", "Kind."), day("start_date", "First date loaded."), day("end_date", "Last date loaded."),
     text("status", "Envelope status."), whole("rows", "Rows delivered.", minimum=0), BATCH_ID,
     moment("loaded_at", "When.")),
)  # fmt: skip

DEBATE_TABLES = (
    RUNS, TURNS, CLAIMS, CLAIM_CHECKS, QUESTIONS, JUDGEMENTS, DISAGREEMENTS, INDICATORS, FALSIFIERS,
    CONFIDENCE_CHANGES, AUDITS, REFUSALS, LLM_CALLS, PACKS, REPORTS, TRANSCRIPTS, OUTCOMES, VALIDATIONS, BATCHES,
    ACCOUNTS, TRIGGERS, BACKFILLS,
)  # fmt: skip
