"""Real clients against the local upstream; nothing leaves the machine and nothing is unexpected."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from tests.upstream.world import World, small_world


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A small market that the clients of this process reach; unknown routes fail the test."""
    monkeypatch.setattr("akshare.request.time", SimpleNamespace(sleep=lambda _: None))
    with small_world().reached() as reached:
        yield reached
    assert reached.upstream.unexpected == []
