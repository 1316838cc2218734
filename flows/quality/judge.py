"""Great Expectations at work: small pandas frames in, failing subjects out, Data Docs beside them.

The library costs many CPU seconds to import, so it is imported inside functions; :func:`warm_up` lets a caller
overlap that with waiting for data. Its own DuckDB route is broken and Polars is refused, hence pandas.
"""

from __future__ import annotations

import importlib
import shutil
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from flows.quality.checks import Check

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Page:
    """One frame to judge.

    Attributes:
        name: Name of the Great Expectations suite and of its page.
        checks: The expectations, each on the column of its measure.
        frame: ``suite``, ``subject`` and a column per measure; null where a check is not for the subject.
    """

    name: str
    checks: tuple[Check, ...]
    frame: pl.DataFrame


_SITE = "gate"
_INDEX = ("suite", "subject")
_SITE_PARTS = ("expectations", "validations", "static")


def warm_up() -> threading.Thread:
    """Start importing Great Expectations in the background; joining the thread is optional."""
    thread = threading.Thread(target=importlib.import_module, args=("great_expectations",), daemon=True)
    thread.start()
    return thread


def judge(
    pages: Sequence[Page], *, run_name: str, run_time: datetime, data_docs: Path | None
) -> frozenset[tuple[str, str, str]]:
    """Validate every page's frame; the (suite, measure, subject) that failed.

    With *data_docs* the pages of this run replace those of the run before there.

    Raises:
        ValueError: A frame is empty, so that every expectation would hold.
    """
    context = _context(data_docs)
    source = context.data_sources.add_pandas(_SITE)
    failures: set[tuple[str, str, str]] = set()
    for page in pages:
        if page.frame.is_empty():
            raise ValueError(f"{page.name}: an empty frame would pass every expectation")
        result = _definition(context, source, page).run(
            batch_parameters={"dataframe": _pandas(page.frame)},
            result_format={"result_format": "COMPLETE", "unexpected_index_column_names": list(_INDEX)},
            run_id=_run_id(run_name, run_time),
        )
        for one in result.results:
            failures |= _failed(one, page.frame)
    if data_docs is not None:
        context.build_data_docs()
    return frozenset(failures)


def _failed(one: Any, frame: pl.DataFrame) -> set[tuple[str, str, str]]:
    """What a result names; every row of the frame if it failed without naming any (an exception inside)."""
    if one.success:
        return set()
    measure = str(one.expectation_config.kwargs["column"])
    named = one.result.get("unexpected_index_list") or frame.select(_INDEX).to_dicts()
    return {(str(entry["suite"]), measure, str(entry["subject"])) for entry in named}


def _definition(context: Any, source: Any, page: Page) -> Any:
    import great_expectations as gx  # noqa: PLC0415  slow import

    expectations = [{**check.expectation, "meta": {"zh": check.zh}} for check in page.checks]
    suite = context.suites.add(gx.ExpectationSuite(name=page.name, expectations=expectations))
    batch = source.add_dataframe_asset(page.name).add_batch_definition_whole_dataframe(page.name)
    return context.validation_definitions.add(gx.ValidationDefinition(name=page.name, data=batch, suite=suite))


def _context(data_docs: Path | None) -> Any:
    import great_expectations as gx  # noqa: PLC0415  slow import
    from great_expectations.data_context.types.base import (  # noqa: PLC0415  slow import
        DataContextConfig,
        InMemoryStoreBackendDefaults,
        ProgressBarsConfig,
    )

    config = DataContextConfig(
        store_backend_defaults=InMemoryStoreBackendDefaults(init_temp_docs_sites=False),
        data_docs_sites=_site(data_docs) if data_docs else {},
        analytics_enabled=False,
        progress_bars=ProgressBarsConfig(globally=False),
    )
    return gx.get_context(project_config=config, mode="ephemeral")


def _site(folder: Path) -> dict[str, Any]:
    for part in _SITE_PARTS:
        shutil.rmtree(folder / part, ignore_errors=True)
    backend = {"class_name": "TupleFilesystemStoreBackend", "base_directory": str(folder.resolve())}
    index = {"class_name": "DefaultSiteIndexBuilder"}
    return {_SITE: {"class_name": "SiteBuilder", "store_backend": backend, "site_index_builder": index}}


def _run_id(run_name: str, run_time: datetime) -> Any:
    from great_expectations.core.run_identifier import RunIdentifier  # noqa: PLC0415  slow import

    return RunIdentifier(run_name=run_name, run_time=run_time)


def _pandas(frame: pl.DataFrame) -> pd.DataFrame:
    """Plain NumPy columns: whole numbers, NaN where a check does not apply."""
    import pandas as pd  # noqa: PLC0415  comes with Great Expectations

    return pd.DataFrame({name: frame[name].to_list() for name in frame.columns})
