"""Which marker would Word set before this paragraph?"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from ankare.ingest.docx_styles import ParagraphStyle, w

_PLACE = re.compile(r"%([1-9])")
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"))
_ROMAN_SMALL = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_BULLET = "•"
_LEVELS = 9
_MOST_TEXT = 100
_MOST_SPELT = 32_767
"""ECMA-376, part 1, 17.9: levels of a list, and the largest number that Word counts to. Beyond, figures are plain."""


@dataclass(frozen=True, slots=True)
class Number:
    """A paragraph's place in a list. `indent`: how far in its text stands, in twentieths of a point."""

    list_id: str
    level: int
    marker: str
    indent: int = 0


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    style: str
    text: str
    indent: int = 0


class Numbering:
    """The lists of one document and how far each has counted."""

    def __init__(self, document: Any) -> None:
        self._levels: dict[str, dict[int, _Level]] = {}
        self._counters: dict[str, dict[int, int]] = {}
        self._abstract: dict[str, str] = {}
        root = _numbering_root(document)
        if root is not None:
            self._read(root)

    def next(self, paragraph: Any, style: ParagraphStyle) -> Number | None:
        """Count this paragraph; None where it is in no list."""
        number_id, level = _place(paragraph.find(w("pPr")), style)
        levels = self._levels.get(number_id)
        if not levels or level not in levels:
            return None
        counters = self._counters.setdefault(self._abstract[number_id], {})
        if number_id not in self._started:
            self._start(number_id, counters)
        counters[level] = counters.get(level, levels[level].start - 1) + 1
        for deeper in [step for step in counters if step > level]:
            del counters[deeper]
        properties = (paragraph.find(w("pPr")), *(step.find(w("pPr")) for step in style.chain))
        indents = (_indent(step) for step in properties if step is not None)
        indent = next((found for found in indents if found is not None), levels[level].indent)
        return Number(number_id, level, _marker(levels, counters, level), indent)

    _started: set[str]

    def _start(self, number_id: str, counters: dict[int, int]) -> None:
        """A list with a start of its own begins anew, although it shares its definition with others."""
        self._started.add(number_id)
        for level in self._restarts.get(number_id, ()):
            counters.pop(level, None)

    def _read(self, root: Any) -> None:
        self._restarts: dict[str, tuple[int, ...]] = {}
        self._started = set()
        definitions = {
            node.get(w("abstractNumId")): {
                int(level.get(w("ilvl"), "0")): _level(level)
                for level in node.iterchildren(w("lvl"))
                if int(level.get(w("ilvl"), "0")) < _LEVELS
            }
            for node in root.iterchildren(w("abstractNum"))
        }
        for node in root.iterchildren(w("num")):
            number_id = node.get(w("numId"), "")
            abstract = node.find(w("abstractNumId"))
            key = abstract.get(w("val"), "") if abstract is not None else ""
            levels = dict(definitions.get(key, {}))
            restarts = []
            for override in node.iterchildren(w("lvlOverride")):
                place = int(override.get(w("ilvl"), "0"))
                begin = override.find(w("startOverride"))
                if begin is not None and place in levels:
                    old = levels[place]
                    levels[place] = replace(old, start=int(begin.get(w("val"), "1")))
                    restarts.append(place)
            self._levels[number_id] = levels
            self._abstract[number_id] = key
            self._restarts[number_id] = tuple(restarts)


def _numbering_root(document: Any) -> Any:
    try:
        return document.part.numbering_part.element
    except (KeyError, NotImplementedError):
        return None


def _place(properties: Any, style: ParagraphStyle) -> tuple[str, int]:
    """The list and level of a paragraph: its own say, else its style's. List 0 means none."""
    number_id, level = "", 0
    for step in (properties, *(entry.find(w("pPr")) for entry in style.chain)):
        found = step.find(w("numPr")) if step is not None else None
        if found is None:
            continue
        named, depth = found.find(w("numId")), found.find(w("ilvl"))
        if depth is not None and not level:
            level = int(depth.get(w("val"), "0"))
        if named is not None:
            number_id = named.get(w("val"), "")
            break
    if style.outline and not level and number_id:
        level = style.outline - 1
    return number_id, level


def _level(node: Any) -> _Level:
    def value(name: str, default: str) -> str:
        found = node.find(w(name))
        return str(found.get(w("val"), default)) if found is not None else default

    start = value("start", "1")
    number = int(start) if start.isdigit() else 1
    text = value("lvlText", "")[:_MOST_TEXT]
    return _Level(number, value("numFmt", "decimal"), text, _indent(node.find(w("pPr"))) or 0)


def _indent(properties: Any) -> int | None:
    found = properties.find(w("ind")) if properties is not None else None
    value = (found.get(w("left")) or found.get(w("start")) or "") if found is not None else ""
    return int(value) if value.lstrip("-").isdigit() else None


def _marker(levels: dict[int, _Level], counters: dict[int, int], level: int) -> str:
    own = levels[level]
    if own.style in ("bullet", "none"):
        return _BULLET if own.style == "bullet" else ""

    def number(match: re.Match[str]) -> str:
        place = int(match[1]) - 1
        step = levels.get(place)
        return _counted(counters.get(place, step.start if step else 1), step.style if step else "decimal")

    return _PLACE.sub(number, own.text).strip()


def _counted(number: int, style: str) -> str:
    spelt = 0 < number <= _MOST_SPELT
    if style in ("lowerLetter", "upperLetter") and spelt:
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letter if style == "lowerLetter" else letter.upper()
    if style in ("lowerRoman", "upperRoman") and spelt:
        text = ""
        for value, sign in (*_ROMAN, *_ROMAN_SMALL):
            text += sign * (number // value)
            number %= value
        return text if style == "lowerRoman" else text.upper()
    return f"{number:02d}" if style == "decimalZero" else str(number)
