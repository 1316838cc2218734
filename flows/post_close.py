"""Flow ``post_close``: review a watchlist after the close (PRODUCT O1)."""

from __future__ import annotations

from prefect import flow

from flows.desk.plan import Review
from flows.desk.publish import Account
from flows.tasks import fan_out, ingest_task, prepare_task, publish_task


@flow(name="post-close", flow_run_name="post-close {review.trade_date}", validate_parameters=False)
def post_close(review: Review) -> list[Account]:
    """Fetch, check, freeze, debate and publish one session; N symbols in, N accounted for."""
    ingested = ingest_task(review)
    prepared = prepare_task(review, ingested)
    held = fan_out(review, prepared)
    return publish_task(review, prepared, held)
