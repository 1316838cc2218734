"""The SQL runner: what is a model, in which order they are built, and what a broken file says."""

from pathlib import Path

import duckdb
import pytest

from flows.errors import ConfigurationError
from flows.warehouse.models import SQL_ROOT, load_models, run_order, upstream


def write(root: Path, **files: str) -> Path:
    for name, query in files.items():
        schema, table = name.split("__")
        (root / schema).mkdir(exist_ok=True, parents=True)
        (root / schema / f"{table}.sql").write_text(query, encoding="utf-8")
    return root


def test_folder_is_the_schema_and_decides_view_or_table(tmp_path: Path) -> None:
    models = load_models(write(tmp_path, staging__a="select 1 as x", marts__b="select x from staging.a"))
    assert {name: model.built_as for name, model in models.items()} == {"staging.a": "view", "marts.b": "table"}


def test_header_overrules_the_schema(tmp_path: Path) -> None:
    root = write(tmp_path, staging__a="-- Built as: table\nselect 1 as x", marts__b="-- Built as: view\nselect 1 as x")
    assert {name: model.built_as for name, model in load_models(root).items()} == {
        "staging.a": "table",
        "marts.b": "view",
    }


def test_header_makes_a_macro_and_names_its_parameters(tmp_path: Path) -> None:
    models = load_models(write(tmp_path, marts__a_asof="-- Parameters: as_of, kind\nselect as_of as x, kind as y"))
    with duckdb.connect() as con:
        con.execute("create schema marts")
        con.execute(models["marts.a_asof"].statement)
        assert con.execute("select * from marts.a_asof(1, 'k')").fetchall() == [(1, "k")]


def test_reads_are_qualified_tables_and_macros_wherever_they_stand(tmp_path: Path) -> None:
    query = """
        with daily_bars as (select * from staging.a), unqualified as (select 1 as x)
        select (select max(x) from marts.m(date '2025-01-01')) as y
        from daily_bars
        where exists (select 1 from raw.news) and x in (select x from unqualified)
    """
    root = write(tmp_path, marts__b=query, staging__a="select 1 as x", marts__m="-- Parameters: as_of\nselect 1 as x")
    assert load_models(root)["marts.b"].reads == {"staging.a", "marts.m", "raw.news"}


def test_upstream_comes_first_through_macros_too(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        marts__a="-- Built as: view\nselect * from marts.z(1)",
        marts__z="-- Parameters: as_of\nselect * from staging.k where x = as_of",
        staging__k="select 1 as x",
    )
    assert [model.name for model in run_order(load_models(root))] == ["staging.k", "marts.z", "marts.a"]


def test_upstream_of_one_model_leaves_the_others_out() -> None:
    models = load_models()
    assert set(upstream(models, "marts.adjusted_bars_asof")) == {
        "marts.adjusted_bars_asof",
        "staging.daily_bars",
        "staging.adjust_factors",
        "staging.visible",
        "staging.renumberings",
    }


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("selec 1", "syntax error"),
        ("select 1; select 2", "exactly one select"),
        ("create table x as select 1", "Only SELECT"),
        ("", "exactly one select"),
        ("-- Built as: stone\nselect 1", "stone"),
    ],
)
def test_file_that_is_not_one_select_is_named(tmp_path: Path, query: str, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"marts/broken\.sql.*{reason}"):
        load_models(write(tmp_path, marts__broken=query))


def test_table_that_nobody_makes_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"marts\.a .*staging\.missing"):
        load_models(write(tmp_path, marts__a="select * from staging.missing"))


def test_cycle_is_named(tmp_path: Path) -> None:
    root = write(tmp_path, marts__a="select * from marts.b", marts__b="select * from marts.a")
    with pytest.raises(ConfigurationError, match=r"marts\.a.*marts\.b"):
        run_order(load_models(root))


def test_parsing_needs_no_tables(tmp_path: Path) -> None:
    """get_table_names would bind, and fail on ``using`` in an empty database."""
    query = "select a.symbol from staging.a as a inner join raw.news as b using (symbol)"
    models = load_models(write(tmp_path, marts__x=query, staging__a="select 1 as symbol"))
    assert models["marts.x"].reads == {"staging.a", "raw.news"}


def test_every_model_says_its_grain_first() -> None:
    for path in [*(SQL_ROOT / "staging").glob("*.sql"), *(SQL_ROOT / "marts").glob("*.sql")]:
        comments = [
            line for line in path.read_text(encoding="utf-8").splitlines()[:3] if line.startswith("-- One row per")
        ]
        assert comments, path.name
