"""Flow ``backfill``: load the history of many stocks (PRODUCT O1)."""

from __future__ import annotations

from prefect import flow

from flows.desk.backfilling import Backfill
from flows.tasks import BackfillResult, check_days_task, load_history_task, rebuild_task


@flow(name="backfill", validate_parameters=False)
def backfill(order: Backfill) -> BackfillResult:
    """Load what is still open, rebuild the marts, and name the half-loaded days."""
    loaded = load_history_task(order)
    rebuild_task(order)
    return check_days_task(order, loaded)
