"""Answer types on the wire: what strict servers demand of a schema, and the same in words."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from flows.debate.endpoint_schema import answer_schema
from tests.upstream.scripted_answers import fill


class Kind(StrEnum):
    NEWS = "新闻"
    FILING = "公告"


class Inner(BaseModel):
    kind: Kind
    value: float | None = None
    due: date


class Outer(BaseModel):
    """Outer."""

    name: str = Field(min_length=1, max_length=40, description="名称")
    side: Literal["支持", "反对"]
    only: Literal["是"]
    items: list[Inner] = Field(min_length=1, max_length=3)
    best: Inner | None = None
    score: float = Field(ge=0, le=100)
    note: str = ""


class Free(BaseModel):
    notes: dict[str, float]


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for name, value in node.items():
            yield from (n for child in value.values() for n in nodes(child)) if name in {
                "properties", "$defs"} else nodes(value)  # fmt: skip
    elif isinstance(node, list):
        for item in node:
            yield from nodes(item)


def answer_types() -> list[type[BaseModel]]:
    """Every answer the debate asks for, found in its module."""
    module = importlib.import_module("flows.debate.answers")
    found = inspect.getmembers(module, lambda member: inspect.isclass(member) and issubclass(member, BaseModel))
    return [kind for name, kind in found if kind.__module__ == module.__name__ and name != "Answer"]


@pytest.mark.parametrize("answer", [Outer, *answer_types()])
def test_every_object_is_closed_and_requires_all_its_fields(answer: type[BaseModel]) -> None:
    prepared = answer_schema(answer)
    assert prepared.is_strict
    for node in nodes(prepared.schema):
        if "properties" in node:
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])
        assert not {"default", "title", "minLength", "maxLength", "oneOf", "const"} & node.keys()
        assert "$ref" not in node or list(node) == ["$ref"]


def test_a_free_map_is_not_called_strict() -> None:
    assert not answer_schema(Free).is_strict


def test_the_answer_is_recognised_by_the_fields_that_must_be_there() -> None:
    assert answer_schema(Outer).required == {"name", "side", "only", "items", "score"}


def test_the_words_name_every_field_choice_bound_and_date() -> None:
    words = answer_schema(Outer).words
    for piece in (
        '"name": 字符串（名称）', '"side": "支持"|"反对"', '"only": "是"', '"kind": "新闻"|"公告"',
        '"value": 数值|null', '"due": "YYYY-MM-DD"', "（1～3）", "（0～100）", "JSON",
    ):  # fmt: skip
        assert piece in words


PROMPT = "E1+ 营业收入同比增长12.3% {revenue_yoy_pct=12.3}\nr1-bull-1 A1 B1 r1-q1 2026-03-02"


def test_an_answer_made_from_the_schema_as_sent_is_valid() -> None:
    assert Outer.model_validate(fill(answer_schema(Outer).schema, PROMPT))


@pytest.mark.parametrize("answer", answer_types())
def test_an_answer_made_from_the_schema_as_sent_has_all_fields(answer: type[BaseModel]) -> None:
    assert fill(answer_schema(answer).schema, PROMPT).keys() == set(answer.model_fields)


def test_the_identity_changes_with_the_type() -> None:
    assert answer_schema(Outer).identity != answer_schema(Inner).identity
