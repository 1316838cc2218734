"""Great Expectations at work: small pandas frames in, failing subjects out, Data Docs beside them.

The library costs many CPU seconds to import, so it is imported inside functions; :func:`warm_up` lets a caller
overlap that with waiting for data. Its own DuckDB route is broken and Polars is refused, hence pandas.
"""

from __future__ import annotations

import importlib
import shutil
import threading
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from flows.quality.checks import Suite

if TYPE_CHECKING:
    import pandas as pd

Failures = dict[tuple[str, str], frozenset[str]]

_SITE = "gate"
_SITE_PARTS = ("expectations", "validations", "static")


def warm_up() -> threading.Thread:
    """Start importing Great Expectations in the background; joining the thread is optional."""
    thread = threading.Thread(target=importlib.import_module, args=("great_expectations",), daemon=True)
    thread.start()
    return thread


def judge(
    suites: Mapping[Suite, pl.DataFrame], *, run_name: str, run_time: datetime, data_docs: Path | None
) -> Failures:
    """Validate each suite's frame; (suite name, measure) → subjects that failed, empty where all held.

    A frame has the column ``subject`` and one column per check's measure; null means the check does not apply
    to the subject. With *data_docs* the pages of this run replace those of the run before there.
    """
    context = _context(data_docs)
    source = context.data_sources.add_pandas(_SITE)
    failures: Failures = {}
    for suite, frame in suites.items():
        if frame.is_empty():
            raise ValueError(f"{suite.name}: an empty frame would pass every expectation")
        definition = _definition(context, source, suite)
        result = definition.run(
            batch_parameters={"dataframe": _pandas(frame)},
            result_format={"result_format": "COMPLETE", "unexpected_index_column_names": ["subject"]},
            run_id=_run_id(run_name, run_time),
        )
        failures |= {
            (suite.name, one.expectation_config.kwargs["column"]): _failed(one, frame) for one in result.results
        }
    if data_docs is not None:
        context.build_data_docs()
    return failures


def _failed(one: Any, frame: pl.DataFrame) -> frozenset[str]:
    """Subjects named by a result; every subject if it failed without naming any (an exception inside)."""
    if one.success:
        return frozenset()
    named = one.result.get("unexpected_index_list") or []
    return frozenset(str(entry["subject"]) for entry in named) or frozenset(frame["subject"])


def _definition(context: Any, source: Any, suite: Suite) -> Any:
    import great_expectations as gx  # noqa: PLC0415  slow import

    expectations = [{**check.expectation, "meta": {"blocks": check.blocks, "zh": check.zh}} for check in suite.checks]
    stored = context.suites.add(gx.ExpectationSuite(name=suite.name, expectations=expectations))
    batch = source.add_dataframe_asset(suite.name).add_batch_definition_whole_dataframe(suite.name)
    return context.validation_definitions.add(gx.ValidationDefinition(name=suite.name, data=batch, suite=stored))


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
