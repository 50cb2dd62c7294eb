"""Would a person who reads this page see this element?"""

from __future__ import annotations

import re
from typing import Any

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_AT_BLOCK = re.compile(r"@[^{};]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}|@[^{};]+;")
_SIMPLE = re.compile(r"^(?P<tag>[a-z][a-z0-9]*)?(?P<rest>(?:[.#][\w-]+)*)$", re.IGNORECASE)
_WHITE = frozenset(("white", "#fff", "#ffffff", "#fffffe", "rgb(255,255,255)", "rgba(255,255,255,1)", "transparent"))
_ZERO = re.compile(r"^0*\.?0+(px|pt|em|rem|%|cm|mm)?$")
_FAR = re.compile(r"^-\d{4,}px$|^-\d{3,}(em|rem|%)$")


class Visibility:
    """Knows the page's own style rules: those with one simple selector (tag, class, id, or these together)."""

    def __init__(self, root: Any) -> None:
        self._rules = [rule for style in root.iter("style") for rule in _rules(style.text or "")]

    def hidden(self, node: Any) -> bool:
        """Is this element hidden by an attribute, its own style or a rule of the page?"""
        if not isinstance(node.tag, str):
            return True
        if node.get("hidden") is not None or node.get("aria-hidden", "").lower() == "true":
            return True
        if node.tag == "dialog" and node.get("open") is None:
            return True
        style: dict[str, str] = {}
        for tag, marks, declared in self._rules:
            if _fits(node, tag, marks):
                style.update(declared)
        style.update(_declarations(node.get("style", "")))
        return bool(style) and _hides(style, node)


def _hides(style: dict[str, str], node: Any) -> bool:
    if style.get("display") == "none" or style.get("visibility") in ("hidden", "collapse"):
        return True
    if _ZERO.match(style.get("opacity", "1")) or _ZERO.match(style.get("font-size", "1px")):
        return True
    if any(_FAR.match(style.get(side, "")) for side in ("left", "top", "text-indent", "margin-left")):
        return True
    if style.get("color", "").replace(" ", "") not in _WHITE:
        return False
    # White text counts as hidden only where neither it nor anything around it has a colour behind it.
    return not any(_coloured(step) for step in (node, *node.iterancestors()))


def _coloured(node: Any) -> bool:
    style = _declarations(node.get("style", ""))
    behind = style.get("background-color", "") or style.get("background", "")
    behind = behind.replace(" ", "") or node.get("bgcolor", "").lower()
    return (bool(behind) and behind not in _WHITE) or bool(node.get("class"))


def _rules(sheet: str) -> list[tuple[str, tuple[str, ...], dict[str, str]]]:
    found = []
    for selectors, body in _RULE.findall(_AT_BLOCK.sub("", _COMMENT.sub("", sheet))):
        declared = _declarations(body)
        for selector in selectors.split(","):
            simple = _SIMPLE.match(selector.strip())
            if simple and selector.strip() and declared:
                marks = tuple(re.findall(r"[.#][\w-]+", simple["rest"]))
                found.append(((simple["tag"] or "").lower(), marks, declared))
    return found


def _fits(node: Any, tag: str, marks: tuple[str, ...]) -> bool:
    if tag and node.tag != tag:
        return False
    classes = node.get("class", "").split()
    return all(mark[1:] in classes if mark[0] == "." else mark[1:] == node.get("id") for mark in marks)


def _declarations(text: str) -> dict[str, str]:
    pairs = (part.split(":", 1) for part in text.lower().split(";") if ":" in part)
    return {name.strip(): value.replace("!important", "").strip() for name, value in pairs}
