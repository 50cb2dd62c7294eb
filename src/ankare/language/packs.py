"""Where are a language's words kept, and how are they read?

A pack is a folder of UTF-8 data files: `*.txt` holds one entry a line (`#` starts a comment), `*.tsv` two columns or
more, `*.toml` named lists.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from ankare.errors import PackError


@cache
def word_set(code: str, name: str) -> frozenset[str]:
    """The entries of `packs/<code>/<name>.txt`, case-folded; several may stand on one line, divided by white space."""
    words: list[str] = []
    for line in pack_lines(code, f"{name}.txt"):
        words.extend(line.casefold().split())
    return frozenset(words)


@cache
def word_map(code: str, name: str) -> dict[str, tuple[str, ...]]:
    """The rows of `packs/<code>/<name>.tsv`: first column -> the words of the second."""
    rows: dict[str, tuple[str, ...]] = {}
    for line in pack_lines(code, f"{name}.tsv"):
        key, _, values = line.partition("\t")
        rows[key.strip()] = tuple(values.split())
    return rows


@cache
def named_lists(code: str, name: str) -> dict[str, tuple[str, ...]]:
    """The lists of `packs/<code>/<name>.toml`, case-folded."""
    content = tomllib.loads(_file(code, f"{name}.toml").read_text(encoding="utf-8"))
    return {key: tuple(str(value).casefold() for value in values) for key, values in content.items()}


def pack_lines(code: str, name: str) -> list[str]:
    """The lines of a data file of a pack, without comments and blank lines. Raises PackError where there is no such file."""
    text = _file(code, name).read_text(encoding="utf-8")
    stripped = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in stripped if line]


def _file(code: str, name: str) -> Traversable:
    file = files("ankare.language").joinpath("packs", code, name)
    if not file.is_file():
        raise PackError(f"The language pack '{code}' has no file {name}.", "Reinstall ankare.")
    return file
