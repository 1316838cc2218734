"""The table of ``tests/README.md`` names, for every case of the catalogue, tests that exist."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
CASES = {
    *(f"P{n}" for n in range(1, 13)), *(f"V{n}" for n in range(1, 7)), *(f"S{n}" for n in range(1, 5)),
    *(f"D{n}" for n in range(1, 8)), *(f"U{n}" for n in range(1, 9)), "R3",
}  # fmt: skip


def table() -> dict[str, list[str]]:
    rows = re.findall(r"^\| ([A-Z]\d+) \|[^|]*\| (.*) \|$", (TESTS / "README.md").read_text("utf-8"), re.MULTILINE)
    return {case: re.findall(r"`([^`]+)`", tests) for case, tests in rows}


def functions(path: Path) -> set[str]:
    return {node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)}


def test_every_case_has_a_row_with_tests():
    assert set(table()) >= CASES
    assert all(table()[case] for case in CASES)


def test_every_test_named_exists():
    missing = [
        name
        for names in table().values()
        for name in names
        if name.split("::")[1] not in functions(TESTS / name.split("::")[0])
    ]
    assert missing == []
