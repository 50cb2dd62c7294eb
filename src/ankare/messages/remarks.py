"""How is something told about a file that is loaded, so that each reader is told it in their own language?

A remark is an English sentence that remembers what it is made of: the code of a text in the catalogues (table `load`) and
the values that stand in it, which may be remarks themselves. On the command line and in errors it is that sentence.

    remark("csv_nul", row="4")                      -> "Row 4 holds a NUL byte."
    said(remark("csv_nul", row="4"), "sv")          -> "Rad 4 innehåller ett NUL-tecken."
    said("a text without a code", "sv")             -> "a text without a code"

Two endings of a code are chosen by themselves where the catalogue has them: `_one` where the value `count` is 1, and `_page`
for a reader of the page, who has no use for advice about commands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ankare.messages import FALLBACK, messages
from ankare.messages.places import said_locator

Value: TypeAlias = "str | int | tuple[str, ...]"
"""What stands in a remark: a text or a remark, a number that is counted, or several texts."""

TABLE = "load"
PLACES = ("place",)
"""Values that name a place in a table."""
_GROUPS = {"sv": "\u00a0"}
_BOTH, _LIST = "both", "list"
_DEEPEST = 50
"""Remarks within remarks that are read; those of ingest have a handful."""


class Remark(str):
    """A sentence with its code and its values. It is made by `remark`."""

    code: str
    values: Mapping[str, Value]

    def __new__(cls, text: str, code: str = "", values: Mapping[str, Value] | None = None) -> Remark:
        """`text`: the sentence in English."""
        made = super().__new__(cls, text)
        made.code = code
        made.values = dict(values or {})
        return made


def remark(code: str, /, **values: Value) -> Remark:
    """The remark of a code. Raises KeyError for a code or a value that the English text does not have."""
    return Remark(_worded(code, values, FALLBACK, page=False), code, values)


def both(first: str, second: str) -> str:
    """Two sentences, one after the other; either may be empty."""
    return remark(_BOTH, first=first, second=second) if first and second else first or second


def listed(parts: Sequence[str]) -> str:
    """Several remarks as one; "" for none."""
    held = tuple(filter(None, parts))
    if len(held) > 1:
        return remark(_LIST, parts=held)
    return held[0] if held else ""


def some(texts: Sequence[str], most: int) -> str | tuple[str, ...]:
    """The first of several texts, for a value, and how many more there are."""
    shown = tuple(texts[:most])
    return shown if len(texts) <= most else remark("and_more", shown=shown, more=len(texts) - most)


def parts_of(text: str) -> Iterator[str]:
    """The remarks that `both` and `listed` put together, each by itself."""
    inner = text.values.values() if isinstance(text, Remark) and text.code in (_BOTH, _LIST) else None
    if inner is None:
        yield from [text] if text else []
        return
    for value in inner:
        for part in value if isinstance(value, tuple) else (value,):
            yield from parts_of(part) if isinstance(part, str) else ()


def said(text: str, language: str, *, page: bool = False) -> str:
    """A remark in a language (for a reader of the page: `page`). The text as it is where it is no remark, or one of a code
    that this ankare does not know."""
    told = translated(text, language, page=page)
    return str(text) if told is None else told


def translated(text: str, language: str, *, page: bool = False) -> str | None:
    """As `said`, None where there is but the English text."""
    if not isinstance(text, Remark):
        return None
    try:
        return _worded(text.code, text.values, language, page=page)
    except (KeyError, IndexError, ValueError):  # the code, or what the text asks for, is of another ankare
        return None


def remark_to_json(text: str) -> dict[str, Any]:
    """A remark as plain JSON values: its code, its values, and the English text for whoever does not know the code."""
    inner = _json(text) if isinstance(text, Remark) else {"code": "", "values": {}}
    return {**inner, "text": str(text)}


def remark_from_json(raw: object) -> str:
    """What `remark_to_json` gave, also where an earlier ankare wrote but the text. Raises ValueError, KeyError or TypeError
    for anything else."""
    if isinstance(raw, str):
        return raw
    if not isinstance(raw, dict):
        raise TypeError("a remark is a text or an object")
    try:
        text, code = str(raw["text"]), str(raw["code"])
        return Remark(text, code, {name: _value(value) for name, value in raw["values"].items()}) if code else text
    except (AttributeError, RecursionError) as error:
        raise ValueError("it is no remark") from error


def _json(found: Remark) -> dict[str, Any]:
    return {"code": found.code, "values": {name: _json_value(value) for name, value in found.values.items()}}


def _json_value(value: Value) -> Any:
    if isinstance(value, Remark):
        return _json(value)
    return [_json_value(item) for item in value] if isinstance(value, tuple) else value


def _value(raw: Any, deep: int = 0) -> Any:
    if deep > _DEEPEST:
        raise ValueError("it is nested too deeply for a remark")
    if isinstance(raw, dict):
        return Remark("", str(raw["code"]), {name: _value(value, deep + 1) for name, value in raw["values"].items()})
    return tuple(_value(item, deep + 1) for item in raw) if isinstance(raw, list) else raw


def _worded(code: str, values: Mapping[str, Value], language: str, *, page: bool) -> str:
    texts = messages(language)
    key = f"{TABLE}.{code}"
    if values.get("count") == 1 and f"{key}_one" in texts:
        key += "_one"
    if page and f"{key}_page" in texts:
        key += "_page"
    shown = {name: _shown(name, value, language, page=page) for name, value in values.items()}
    return texts[key].format(**shown)


def _shown(name: str, value: Value, language: str, *, page: bool) -> str:
    if isinstance(value, Remark):
        return _worded(value.code, value.values, language, page=page)
    if isinstance(value, tuple):
        joint = "; " if any(isinstance(item, Remark) for item in value) else ", "
        return joint.join(_shown(name, item, language, page=page) for item in value)
    if isinstance(value, int):
        return f"{value:,}".replace(",", _GROUPS.get(language, ","))
    return said_locator(value, messages(language)) if name in PLACES else value
