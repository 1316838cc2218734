"""Fixtures that several unit tests share."""

from __future__ import annotations

import pytest

from flows.contracts.packs import Pack
from tests.sample_pack import sample_pack


@pytest.fixture(scope="session")
def pack() -> Pack:
    """The sample pack of 605901.SH; a test file with another pack declares its own."""
    return sample_pack()
