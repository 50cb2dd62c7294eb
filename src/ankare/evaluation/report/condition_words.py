"""What is a condition of a run called, and how is its value said? The name that files and settings have stands beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ankare.evaluation.captured import Conditions
from ankare.evaluation.report.words import MINUTES, Words

DIGEST = 16
_SWITCHES = {"True": "value_true", "False": "value_false"}


class Told(NamedTuple):
    """One condition. `name`: in words, "" where there are none for it; `code`: as files and settings have it, "" for a heading
    of the report's own."""

    name: str
    code: str
    value: str


def conditions_of(held: Conditions, words: Words) -> Iterator[Told]:
    """What a run was made under, those that say something: its note, its path, its suite, then settings and machine."""
    times = [moment[MINUTES].replace("T", " ") for moment in (held.started, held.finished) if moment]
    heads = (
        ("note", held.note),
        ("path", words.coded("path", held.path)),
        ("suite_of", f"{held.suite_name} ({held.suite_digest[:DIGEST]})".strip()),
        ("time", " – ".join(dict.fromkeys(times))),
        ("repeats", words.number(held.repeats, 0)),
        ("base_url", held.base_url),
    )
    yield from (Told(words(name), "", value) for name, value in heads if value)
    yield Told("ankare", "", ", ".join(filter(None, (held.ankare_version, *held.revisions))))
    yield Told(words("index"), "", ", ".join(held.index_versions))
    for part, values in (("settings", held.settings), ("environment", held.environment)):
        for name, value in sorted(values.items()):
            yield from _valued(f"{part}.{name}", value, words)


def named(code: str, words: Words) -> str:
    """A condition's name in words with its code beside it, the code alone where there are none."""
    name = name_of(code, words)
    return words("as_written", name=name, code=code) if name else code


def name_of(code: str, words: Words) -> str:
    """A condition's name in words, "" where there are none. `code`: such as "settings.semantic"."""
    last = code.rpartition(".")[2]
    for kind in ("condition", "agent"):
        if (name := words.coded(kind, last)) != last:
            return name
    return ""


def value_of(code: str, value: str, words: Words) -> str:
    """A value as it is said: switches are on or off, paths have names."""
    if value in _SWITCHES:
        return words(_SWITCHES[value])
    return words.coded("path", value) if code == "path" else value


def _valued(code: str, value: Any, words: Words) -> Iterator[Told]:
    """A row for each value; of what holds values of its own a row for each part."""
    if isinstance(value, Mapping) and any(isinstance(one, Mapping) for one in value.values()):
        for name, one in sorted(value.items()):
            yield from _valued(f"{code}.{name}", one, words)
        return
    if isinstance(value, Mapping):
        value = " · ".join(f"{name} {one}" for name, one in value.items())
    if str(value):
        yield Told(name_of(code, words), code, value_of(code, str(value), words))
