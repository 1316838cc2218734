"""What a verdict is called: codes on the record and in tables, words for a reader."""

from __future__ import annotations

from flows.contracts.transcripts import UNDECIDED

_WORDS = {"for": "倾向命题成立", "against": "倾向命题不成立", UNDECIDED: "未决"}
#: A trial is about one claim, the bear's or the bull's, so its verdict must not read as one on the stock.
_TRIAL_WORDS = {"for": "倾向受审论点够分量", "against": "倾向受审论点不够分量", UNDECIDED: "未决"}


def verdict_words(*, is_trial: bool = False) -> dict[str, str]:
    """Verdict → its words, of a trial of one claim or of a debate about a proposition."""
    return _TRIAL_WORDS if is_trial else _WORDS
