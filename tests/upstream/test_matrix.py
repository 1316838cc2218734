"""Every cell of the envelope matrix, and that no live function and no fault is missing from it."""

import pytest

from flows.contracts.envelope import Status
from tests.upstream.asking import vendors
from tests.upstream.matrix import FAULTS, Row
from tests.upstream.matrix_rows import ROWS


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_each_fault_lands_in_its_status(row: Row):
    table = {}
    for fault in FAULTS:
        wanted = row.wanted(fault)
        if wanted is None:
            continue
        envelope = row.ask(fault)
        table[fault] = (wanted, envelope.status, envelope.message)
        assert (envelope.data is None) == (envelope.status is not Status.OK)
    assert {fault: cell for fault, cell in table.items() if cell[0] is not cell[1]} == {}


def test_no_live_function_is_missing():
    live = {(vendor, kind) for vendor, fetchers in vendors().items() for kind in fetchers}
    assert {(row.vendor, row.kind) for row in ROWS} == live


def test_every_cell_has_a_status_or_a_reason():
    for row in ROWS:
        for fault in FAULTS:
            assert (row.wanted(fault) is None) == bool(row.absent.get(fault))
            needs_edit = fault in {"no record", "schema drift", "swapped columns", "wrong unit", "wrong entity"}
            assert not needs_edit or fault in row.edits or fault in row.absent, f"{row.name}: {fault}"
