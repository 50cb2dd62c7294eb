"""What do the styles of a Word document say of a paragraph or run: heading, list, hidden?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_OFF = ("0", "false", "off", "none")
_BODY_OUTLINE = 9
_TINY_HALF_POINTS = 3
_MOST_BASES = 20
"""Word allows ten styles that are based on each other; no longer chain is followed."""

_CONTENTS_STYLE = re.compile(r"^(toc|innehåll)\s*\d*$|^(toc heading|innehållsförteckningsrubrik)$", re.IGNORECASE)
_HEADING_STYLE = re.compile(r"^(?:heading|rubrik|überschrift|titre)\s*([1-9])$", re.IGNORECASE)
_PLAIN_TABLES = ("", "tablenormal", "tablegrid", "normaltabell", "tabellrutnt")


def w(name: str) -> str:
    """A name in WordprocessingML's namespace."""
    return _W + name


def flag(properties: Any, name: str) -> bool:
    """Is an on/off property set?"""
    node = properties.find(w(name)) if properties is not None else None
    return node is not None and node.get(w("val"), "1").lower() not in _OFF


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """`outline`: heading level from 1, 0 for body text. `chain`: the style and those it is based on, nearest first."""

    outline: int
    is_title: bool
    is_contents: bool
    chain: tuple[Any, ...]


class Styles:
    """The styles of one document by id."""

    def __init__(self, document: Any) -> None:
        root = document.styles.element
        self._by_id = {style.get(w("styleId")): style for style in root.iter(w("style"))}
        default = [s for s in root.iter(w("style")) if s.get(w("default")) == "1" and s.get(w("type")) == "paragraph"]
        self._default = default[0].get(w("styleId")) if default else ""
        self._known: dict[str, ParagraphStyle] = {}

    def of_paragraph(self, paragraph: Any) -> ParagraphStyle:
        """What a paragraph's style says, with its own outline level on top."""
        properties = paragraph.find(w("pPr"))
        named = properties.find(w("pStyle")) if properties is not None else None
        style_id = named.get(w("val")) if named is not None else self._default
        style = self._known.get(style_id)
        if style is None:
            style = self._known[style_id] = self._read(style_id)
        own = _outline(properties)
        if own is None:
            return style
        return ParagraphStyle(own, style.is_title, style.is_contents, style.chain)

    def hides(self, run: Any, style: ParagraphStyle) -> bool:
        """Is this run hidden, too small to see, or white on white?"""
        return any(self._settings(run, style, "vanish")) or self._tiny(run, style) or self._white(run, style)

    def _settings(self, run: Any, style: ParagraphStyle, name: str) -> Iterator[bool]:
        for properties in self._run_properties(run, style):
            if properties.find(w(name)) is not None:
                yield flag(properties, name)
                return

    def _run_properties(self, run: Any, style: ParagraphStyle) -> Iterator[Any]:
        """Run properties from the nearest to the farthest: the run's own, its character style, its paragraph's style."""
        own = run.find(w("rPr"))
        chain: list[Any] = []
        if own is not None:
            yield own
            named = own.find(w("rStyle"))
            chain = list(self._chain(named.get(w("val")))) if named is not None else []
        for step in (*chain, *style.chain):
            properties = step.find(w("rPr"))
            if properties is not None:
                yield properties

    def _value(self, run: Any, style: ParagraphStyle, name: str) -> str:
        for properties in self._run_properties(run, style):
            node = properties.find(w(name))
            if node is not None:
                return str(node.get(w("val"), ""))
        return ""

    def _tiny(self, run: Any, style: ParagraphStyle) -> bool:
        size = self._value(run, style, "sz")
        return size.isdigit() and int(size) <= _TINY_HALF_POINTS

    def _white(self, run: Any, style: ParagraphStyle) -> bool:
        """White text counts as hidden only where nothing around it can have a colour behind it."""
        if self._value(run, style, "color").upper() != "FFFFFF":
            return False
        for properties in self._run_properties(run, style):
            if properties.find(w("shd")) is not None or properties.find(w("highlight")) is not None:
                return False
        if any(step.find(f"{w('pPr')}/{w('shd')}") is not None for step in style.chain):
            return False
        return not any(_may_colour(step) for step in run.iterancestors())

    def _read(self, style_id: str) -> ParagraphStyle:
        chain = tuple(self._chain(style_id))
        names = [_name(step) for step in chain]
        outline = 0
        for step, name in zip(chain, names, strict=True):
            level = _outline(step.find(w("pPr")))
            heading = _HEADING_STYLE.match(name)
            if level is None and heading:
                level = int(heading[1])
            if level is not None:
                outline = level
                break
        return ParagraphStyle(
            outline=outline,
            is_title=bool(names) and names[0].lower() in ("title", "rubrik", "titel"),
            is_contents=any(_CONTENTS_STYLE.match(name) for name in names),
            chain=chain,
        )

    def _chain(self, style_id: str) -> Iterator[Any]:
        seen: set[str] = set()
        while style_id in self._by_id and style_id not in seen and len(seen) < _MOST_BASES:
            seen.add(style_id)
            style = self._by_id[style_id]
            yield style
            base = style.find(w("basedOn"))
            style_id = base.get(w("val")) if base is not None else ""


def _name(style: Any) -> str:
    node = style.find(w("name"))
    return str(node.get(w("val"), "")) if node is not None else ""


def _outline(properties: Any) -> int | None:
    node = properties.find(w("outlineLvl")) if properties is not None else None
    if node is None or not node.get(w("val"), "").isdigit():
        return None
    level = int(node.get(w("val")))
    return 0 if level >= _BODY_OUTLINE else level + 1


def _may_colour(step: Any) -> bool:
    if step.tag == w("txbxContent"):
        return True
    if step.tag == w("p"):
        return step.find(f"{w('pPr')}/{w('shd')}") is not None
    if step.tag == w("tc"):
        return step.find(f"{w('tcPr')}/{w('shd')}") is not None
    if step.tag == w("tbl"):
        style = step.find(f"{w('tblPr')}/{w('tblStyle')}")
        return style is not None and style.get(w("val"), "").lower() not in _PLAIN_TABLES
    return False
