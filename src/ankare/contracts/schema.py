"""How does a model class become the JSON Schema that is published, or sent along with a call?

Written flat: no references, no titles but the outermost, so that it reads as the contract does and every service takes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_ORDER = ("type", "enum", "additionalProperties", "required", "properties")
_LEFT_OUT = ("$defs", "title", "description", "default")


class Contract(BaseModel):
    """A contract's object: closed, frozen, strict in its types."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def published_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a contract (JSON Schema 2020-12), with the class name as its title."""
    return {"$schema": DIALECT, "title": model.__name__, **_schema(model)}


def wire_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a reply as strict services take it: every property required, lists with an end, no other limits.

    A text has none: one that is stopped by force ends inside a word and looks whole. Several services refuse the ends of lists;
    `ankare.llm.structured_output` asks those again without."""
    return _schema(model)


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    raw = model.model_json_schema()
    flat: dict[str, Any] = _flat(raw, raw.get("$defs", {}))
    return flat


def _flat(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_flat(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _flat(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions)
    kinds = [kind.get("type") if set(kind) == {"type"} else None for kind in node.get("anyOf", ())]
    if kinds and all(kinds):
        return {"type": kinds}
    return {
        key: {name: _flat(part, definitions) for name, part in node[key].items()}
        if key == "properties"
        else _flat(node[key], definitions)
        for key in sorted(node, key=_place)
        if key not in _LEFT_OUT
    }


def _place(key: str) -> tuple[int, str]:
    return (_ORDER.index(key) if key in _ORDER else len(_ORDER), key)
