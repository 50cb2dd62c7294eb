"""Would a person who reads this page see this element?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from ankare.errors import DocumentError
from ankare.messages.remarks import remark

MAX_FITTINGS = 3_000_000
"""How often a rule of the page may be held against an element; a page of a newspaper has some ten thousand."""

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_MARK = re.compile(r"[{};]")
_TELLING = frozenset(
    ("display", "visibility", "opacity", "font-size", "left", "top", "text-indent", "margin-left", "color")
)
"""The properties that can hide an element."""

_SIMPLE = re.compile(r"^(?P<tag>[a-z][a-z0-9]*)?(?P<rest>(?:[.#][\w-]+)*)$", re.IGNORECASE)
_WHITE = frozenset(("white", "#fff", "#ffffff", "#fffffe", "rgb(255,255,255)", "rgba(255,255,255,1)", "transparent"))
_ZERO = re.compile(r"^0*\.?0+(px|pt|em|rem|%|cm|mm)?$")
_FAR = re.compile(r"^-\d{4,}px$|^-\d{3,}(em|rem|%)$")


class Visibility:
    """Knows the page's own style rules: those with one simple selector (tag, class, id, or these together)."""

    def __init__(self, root: Any) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        found = (rule for style in root.iter("style") for rule in _rules(style.text or ""))
        for order, (tag, marks, declared) in enumerate(found):
            self._rules.setdefault(marks[0] if marks else tag, []).append((order, tag, marks, declared))
        self._fittings = 0
        self._behind: dict[Any, bool] = {}

    def hidden(self, node: Any) -> bool:
        """Is this element hidden by an attribute, its own style or a rule of the page?

        Raises DocumentError where a page has far too many rules for its elements.
        """
        if not isinstance(node.tag, str):
            return True
        if node.get("hidden") is not None or node.get("aria-hidden", "").lower() == "true":
            return True
        if node.tag == "dialog" and node.get("open") is None:
            return True
        style = self._by_rules(node) if self._rules else {}
        style.update(_declarations(node.get("style", "")))
        return bool(style) and (_hides(style) or (_is_white(style) and not self._coloured(node)))

    def _coloured(self, node: Any) -> bool:
        """Has it, or anything around it, a colour behind it? What stands around many elements is looked at once."""
        way = []
        found = False
        for step in chain((node,), node.iterancestors()):
            known = self._behind.get(step)
            found = _has_colour(step) if known is None else known
            if found or known is not None:
                break
            way.append(step)
        self._behind.update(dict.fromkeys(way[1:], found))
        return found

    def _by_rules(self, node: Any) -> dict[str, str]:
        """What the page's rules say of an element; of two that say it, the later one."""
        classes = node.get("class", "").split()
        keys = {"", node.tag, f"#{node.get('id')}", *(f".{name}" for name in classes)}
        near = [rule for key in keys for rule in self._rules.get(key, ())]
        self._fittings += len(near)
        if self._fittings > MAX_FITTINGS:
            raise DocumentError(remark("page_styles"), remark("do_text_or_pdf"))
        style: dict[str, str] = {}
        for _order, tag, marks, declared in sorted(near, key=lambda rule: rule[0]):
            if _fits(node, tag, marks, classes):
                style.update(declared)
        return style


_Rule = tuple[int, str, tuple[str, ...], dict[str, str]]
"""Its place among all rules, the tag and the classes and id that it asks for, and what it declares."""


def _hides(style: dict[str, str]) -> bool:
    if style.get("display") == "none" or style.get("visibility") in ("hidden", "collapse"):
        return True
    if _ZERO.match(style.get("opacity", "1")) or _ZERO.match(style.get("font-size", "1px")):
        return True
    return any(_FAR.match(style.get(side, "")) for side in ("left", "top", "text-indent", "margin-left"))


def _is_white(style: dict[str, str]) -> bool:
    """White text counts as hidden only where neither it nor anything around it has a colour behind it."""
    return style.get("color", "").replace(" ", "") in _WHITE


def _has_colour(node: Any) -> bool:
    style = _declarations(node.get("style", ""))
    behind = style.get("background-color", "") or style.get("background", "")
    behind = behind.replace(" ", "") or node.get("bgcolor", "").lower()
    return (bool(behind) and behind not in _WHITE) or bool(node.get("class"))


def _rules(sheet: str) -> Iterator[tuple[str, tuple[str, ...], dict[str, str]]]:
    for selectors, body in _blocks(_COMMENT.sub("", sheet)):
        declared = {name: value for name, value in _declarations(body).items() if name in _TELLING}
        for selector in selectors.split(",") if declared else ():
            simple = _SIMPLE.match(selector.strip())
            if simple and selector.strip():
                yield (simple["tag"] or "").lower(), tuple(re.findall(r"[.#][\w-]+", simple["rest"])), declared


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """Selectors and body of each rule that holds on every medium; what begins with @ is passed over, whatever is in it."""
    depth, begin, opened = 0, 0, 0
    for mark in _MARK.finditer(sheet):
        if mark[0] == "{":
            opened = mark.start() if depth == 0 else opened
            depth += 1
        elif mark[0] == "}":
            depth = max(0, depth - 1)
            selectors = sheet[begin:opened].strip()
            if depth == 0 and selectors and not selectors.startswith("@"):
                yield selectors, sheet[opened + 1 : mark.start()]
        begin = mark.end() if depth == 0 else begin


def _fits(node: Any, tag: str, marks: tuple[str, ...], classes: list[str]) -> bool:
    if tag and node.tag != tag:
        return False
    return all(mark[1:] in classes if mark[0] == "." else mark[1:] == node.get("id") for mark in marks)


def _declarations(text: str) -> dict[str, str]:
    pairs = (part.split(":", 1) for part in text.lower().split(";") if ":" in part)
    return {name.strip(): value.replace("!important", "").strip() for name, value in pairs}
