"""What an answer must look like, for servers that enforce a schema and in words for those that do not."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

#: Keywords that strict servers refuse; pydantic checks them on the answer all the same.
_REFUSED = frozenset({"default", "title", "examples", "minLength", "maxLength", "uniqueItems", "discriminator"})
_MAX_DEPTH = 12
_PLAIN_TYPES = {"string": "字符串", "integer": "整数", "number": "数值", "boolean": "true/false", "null": "null"}


@dataclass(frozen=True)
class AnswerSchema:
    """One answer type prepared for the wire.

    Attributes:
        name: Name of the answer type, part of the wire format.
        schema: JSON Schema in which every object is closed and names all its fields as required.
        is_strict: False if the type holds free-form maps, which strict servers refuse.
        required: Names the answer itself must carry (fields without a default).
        words: The same in Chinese, for a prompt.
    """

    name: str
    schema: dict[str, Any]
    is_strict: bool
    required: frozenset[str]
    words: str

    @property
    def identity(self) -> str:
        """The schema as canonical text, part of the journal key."""
        return json.dumps([self.name, self.schema], ensure_ascii=False, sort_keys=True)


@lru_cache(maxsize=128)
def answer_schema(answer: type[BaseModel]) -> AnswerSchema:
    """Prepare *answer* for the wire."""
    raw = answer.model_json_schema()
    closed = _closed(raw)
    required = frozenset(_wire_name(answer, name) for name, f in answer.model_fields.items() if f.is_required())
    return AnswerSchema(
        name=answer.__name__,
        schema=closed,
        is_strict=not _has_free_map(closed),
        required=required,
        words=_words(closed),
    )


def _wire_name(answer: type[BaseModel], name: str) -> str:
    return answer.model_fields[name].alias or name


def _closed(node: Any, *, is_names: bool = False) -> Any:
    """Close every object of a schema; *is_names* marks a mapping of field names, not of keywords."""
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    if is_names:
        return {name: _closed(value) for name, value in node.items()}
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    kept = {
        ("anyOf" if name == "oneOf" else name): _closed(value, is_names=name in {"properties", "$defs"})
        for name, value in node.items()
        if name not in _REFUSED
    }
    if "const" in kept:
        kept["enum"] = [kept.pop("const")]
    if "properties" in kept:
        kept["additionalProperties"] = False
        kept["required"] = list(kept["properties"])
    return kept


def _has_free_map(node: Any) -> bool:
    if isinstance(node, list):
        return any(_has_free_map(item) for item in node)
    if not isinstance(node, dict):
        return False
    is_open = node.get("type") == "object" and node.get("additionalProperties") is not False
    return is_open or "prefixItems" in node or any(_has_free_map(value) for value in node.values())


def _words(schema: dict[str, Any]) -> str:
    shape = _shape(schema, schema.get("$defs", {}), depth=0)
    return (
        "请只输出一个 JSON 对象：不要代码块，不要解释，不要在 JSON 前后写任何文字；"
        f"字段一个不少、一个不多，没有的写 null。JSON 格式：\n{shape}"
    )


def _shape(node: dict[str, Any], definitions: dict[str, Any], depth: int) -> str:
    """One schema node in the short notation of the prompt."""
    if depth > _MAX_DEPTH:
        return "…"
    if "$ref" in node:
        return _shape(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions, depth + 1)
    if "enum" in node:
        return "|".join(json.dumps(value, ensure_ascii=False) for value in node["enum"])
    if "anyOf" in node:
        return "|".join(_shape(choice, definitions, depth + 1) for choice in node["anyOf"])
    if node.get("type") in {"array", "object"}:
        return _container(node, definitions, depth)
    return _plain(node)


def _container(node: dict[str, Any], definitions: dict[str, Any], depth: int) -> str:
    if node["type"] == "array":
        return f"[{_shape(node.get('items', {}), definitions, depth + 1)}, …]{_bounds(node)}"
    fields = [_field(name, value, definitions, depth) for name, value in node.get("properties", {}).items()]
    if isinstance(node.get("additionalProperties"), dict):
        fields.append(f'"…": {_shape(node["additionalProperties"], definitions, depth + 1)}')
    return "{" + ", ".join(fields) + "}"


def _plain(node: dict[str, Any]) -> str:
    if node.get("format") == "date":
        return '"YYYY-MM-DD"'
    pattern = f"（形如 {node['pattern']}）" if "pattern" in node else ""
    return _PLAIN_TYPES.get(str(node.get("type")), "任意值") + pattern + _bounds(node)


def _field(name: str, node: dict[str, Any], definitions: dict[str, Any], depth: int) -> str:
    note = f"（{node['description']}）" if node.get("description") else ""
    return f'"{name}": {_shape(node, definitions, depth + 1)}{note}'


def _bounds(node: dict[str, Any]) -> str:
    low = node.get("minItems", node.get("minimum", node.get("exclusiveMinimum")))
    high = node.get("maxItems", node.get("maximum", node.get("exclusiveMaximum")))
    if low is None and high is None:
        return ""
    return f"（{'' if low is None else low}～{'' if high is None else high}）"
