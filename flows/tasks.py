"""The only place where Prefect's ``@task`` is put around plain functions: retries, timeouts, results.

A debate's result is persisted under its debate id, so a killed run resumes at the stock; the journal
resumes inside the stock at the turn. An incomplete debate is a failed task and is never persisted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.futures import PrefectFuture
from prefect.task_runners import ThreadPoolTaskRunner

from flows.contracts.transcripts import Transcript
from flows.desk import backfilling, debating, ingest, loaded_days, packing, publish, reviewing
from flows.desk.calendar import stored_calendar
from flows.desk.plan import Review
from flows.market.sessions import SHANGHAI
from flows.quality.gate import warm_up
from flows.warehouse.database import open_reader


class Reporter(Protocol):
    """Told how a run goes on, so that a terminal can show it."""

    def stage(self, title: str, total: int) -> None:
        """A stage of *total* steps begins."""

    def step(self, note: str) -> None:
        """One step of the stage is done."""


class Silent:
    """Reports nothing: scheduled runs and tests."""

    def stage(self, title: str, total: int) -> None:
        """Nothing."""

    def step(self, note: str) -> None:
        """Nothing."""


@dataclass
class Relay:
    """Passes on to whoever listens now; task threads share it, which a context variable would not."""

    listener: Reporter

    def stage(self, title: str, total: int) -> None:
        """A stage of *total* steps begins."""
        self.listener.stage(title, total)

    def step(self, note: str) -> None:
        """One step of the stage is done."""
        self.listener.step(note)


reporter = Relay(Silent())


def report_to(listener: Reporter) -> None:
    """Report to *listener* from now on."""
    reporter.listener = listener


def wall_clock() -> datetime:
    """The real time, for stamps only; what is visible is decided by ``Review.now``."""
    return datetime.now(UTC).astimezone(SHANGHAI)


@task(name="ingest", cache_policy=NO_CACHE)
def ingest_task(review: Review) -> ingest.Ingested:
    """Fetch and store."""
    reporter.stage("取数", len(review.symbols))
    warm_up()
    return ingest.ingest(review, reporter.step, wall_clock)


@task(name="gate and pack", cache_policy=NO_CACHE)
def prepare_task(review: Review, ingested: ingest.Ingested) -> reviewing.Prepared:
    """Rebuild the marts, run the gate, freeze packs, find cached debates."""
    reporter.stage("校验与取证", 3)
    return reviewing.prepare(review, ingested, wall_clock(), reporter.step)


@task(
    name="debate",
    task_run_name="debate {brief[debate_id]}",
    persist_result=True,
    result_storage_key="debates/{parameters[brief][debate_id]}.json",
    result_serializer="json",
)
def debate_task(pack: dict[str, Any], brief: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Hold one debate; JSON in, JSON out, so that any worker can do it."""
    return debating.debate_with(pack, brief, options, wall_clock).model_dump(mode="json")


@task(name="publish", cache_policy=NO_CACHE)
def publish_task(review: Review, prepared: reviewing.Prepared, held: Mapping[str, Any]) -> list[publish.Account]:
    """Write reports and tables and account for every symbol."""
    reporter.stage("成稿入库", 1)
    return reviewing.close(review, prepared, held, wall_clock())


def fan_out(review: Review, prepared: reviewing.Prepared) -> dict[str, Transcript | BaseException]:
    """Hold every open debate, one task per stock and protocol; debate id → transcript or what stopped it."""
    orders = prepared.orders
    reporter.stage("辩论", len(orders))
    futures = {
        order.debate_id: debate_task.submit(
            order.pack.model_dump(mode="json"), order.brief.model_dump(mode="json"), review.options
        )
        for order in orders
    }
    return {debate_id: _outcome(future, debate_id, reporter.step) for debate_id, future in futures.items()}


def _outcome(
    future: PrefectFuture[dict[str, Any]], debate_id: str, step: Callable[[str], None]
) -> Transcript | BaseException:
    result = future.result(raise_on_failure=False)
    step(debate_id)
    if isinstance(result, debating.IncompleteDebate):
        return result.transcript
    return result if isinstance(result, BaseException) else Transcript.model_validate(result)


def stock_runner(concurrency: int) -> ThreadPoolTaskRunner[Any]:
    """Threads of this process; a Dask runner takes its place on more machines."""
    return ThreadPoolTaskRunner(max_workers=max(concurrency, 1))


@dataclass(frozen=True)
class BackfillResult:
    """What a backfill came to."""

    loaded: list[backfilling.Loaded]
    half_loaded: list[loaded_days.HalfLoaded]


@task(name="load history", cache_policy=NO_CACHE)
def load_history_task(order: backfilling.Backfill) -> list[backfilling.Loaded]:
    """Load every symbol and kind that is still open."""
    units = backfilling.plan_units(order, stored_calendar(order.settings()))
    reporter.stage("补历史", len(units))
    return backfilling.load(order, units, reporter.step, wall_clock)


@task(name="rebuild", cache_policy=NO_CACHE)
def rebuild_task(order: backfilling.Backfill) -> None:
    """Bring the marts up to date."""
    reporter.stage("重算复权价与估值分位", 1)
    packing.rebuild(order.settings().database, stored_calendar(order.settings()), order.now)
    reporter.step("")


@task(name="check days", cache_policy=NO_CACHE)
def check_days_task(order: backfilling.Backfill, loaded: list[backfilling.Loaded]) -> BackfillResult:
    """Name the days on which far too few stocks have a bar; the next run asks for those bars again."""
    calendar = stored_calendar(order.settings())
    with open_reader(order.settings().database) as con:
        days = loaded_days.half_loaded_days(con, order.symbols, order.start, order.end, calendar)
    backfilling.reopen(order, days)
    return BackfillResult(loaded, days)
