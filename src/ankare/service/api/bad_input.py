"""What is a caller told of a field that is not as it must be? What to write instead, in the language of the request.

pydantic names each fault by a type. Those that a request can have stand in the catalogues (table `bad_input`) under that type;
a form that one field asks for has a text of its own, under type and field. A fault of any other type keeps pydantic's text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from fastapi import Request
from pydantic import BaseModel
from pydantic_core import PydanticCustomError

from ankare.messages import FALLBACK, languages, messages, preferred_language

TABLE = "bad_input"
JSON_FAULT = "json_invalid"
SAME: Mapping[str, str] = {
    "bool_parsing": "bool_type",
    "int_parsing": "int_type",
    "int_from_float": "int_type",
    "int_parsing_size": "int_type",
    "enum": "literal_error",
    "model_type": "object_type",
    "model_attributes_type": "object_type",
    "dict_type": "object_type",
    "date_parsing": "date_form",
    "date_type": "date_form",
    "date_from_datetime_parsing": "date_form",
    "date_from_datetime_inexact": "date_form",
}
"""Types of pydantic that ask for the same as another one."""


def date_fault(*, form: bool) -> PydanticCustomError:
    """The fault of a date that is none (`form`), or of a year that nothing is held of."""
    if form:
        return PydanticCustomError("date_form", "a date like 2025-05-20 is needed")
    return PydanticCustomError("date_year", "a year from 1950 to 2150 is needed")


def fault_text(fault: Mapping[str, Any], language: str) -> tuple[str, str]:
    """The sentence for one of pydantic's faults, and the field that it is about, "" for the whole body."""
    texts = messages(language)
    field = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == JSON_FAULT:
        return texts[f"{TABLE}.{JSON_FAULT}"].format(error=fault.get("ctx", {}).get("error", fault["msg"])), ""
    named = field or texts[f"{TABLE}.body"]
    return texts[f"{TABLE}.named"].format(field=named, what=_what(fault, texts)), field


def _what(fault: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    kind = SAME.get(fault["type"], fault["type"])
    name = str(fault["loc"][-1]) if fault["loc"] else ""
    with suppress(KeyError, IndexError):
        text = texts.get(f"{TABLE}.{kind}_{name}") or texts[f"{TABLE}.{kind}"]
        return text.format(**{key: _plain(value) for key, value in fault.get("ctx", {}).items()})
    return str(fault["msg"])


def _plain(value: object) -> object:
    """Choices stand in pydantic's English as "'up' or 'down'"."""
    return value.replace(" or ", ", ") if isinstance(value, str) else value


def language_of(request: Request, body: bytes | BaseModel = b"") -> str:
    """The language of a request: what its body or its URL says, Accept-Language, English."""
    said = (_said_in(body), request.query_params.get("language"))
    known = [code for code in said if isinstance(code, str) and code in languages()]
    asked = preferred_language(request.headers.get("accept-language", ""), languages())
    return known[0] if known else asked or FALLBACK


def _said_in(body: bytes | BaseModel) -> object:
    if isinstance(body, BaseModel):
        return getattr(body, "language", None)
    with suppress(ValueError, RecursionError):
        read = json.loads(body)
        return read.get("language") if isinstance(read, dict) else None
    return None
