"""What in a text shows the inside of the machine, or is made to do something rather than to be read?

Everything is looked for in the text as it stands, as a reader sees it, and with percent-encoding undone, so that a disguise
does not help. Patterns are bounded, so that a text of a megabyte takes some seconds, whatever it holds.
"""

from __future__ import annotations

import html.entities
import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from ankare.gate.leak_links import links_in
from ankare.gate.leak_words import CLOSE, OPEN, decoded, listed, seen, whole
from ankare.gate.references import HEX

Found = Iterator[tuple[str, str]]
_UUID = re.compile(rf"(?<!-){OPEN}[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}{CLOSE}(?!-)", re.IGNORECASE)
_HEX = re.compile(HEX)
_CHUNK = re.compile(
    rf"(?<!-){OPEN}chunk(?:en|s)?[\s_:#-]{{0,3}}(?:id[\s_:#-]{{0,3}})?(?:[0-9a-f]{{1,64}}|c\d{{1,3}}){CLOSE}",
    re.IGNORECASE,
)
_BARE_ALIAS = (
    r"(?<!\w)(?:{})\s(?:[(\[]\s?)?c\d{{1,3}}(?![\w-])|(?<=[:(\[])\s?c\d{{1,3}}(?![\w-])"
    r"|(?<!\w)c\d{{1,3}}\s?(?:[,;&+]|och|and|samt)\s?c\d{{1,3}}(?![\w-])"
)
_NAME = re.compile(r"[a-z0-9_]{7,60}")
_REASON = re.compile(rf"{OPEN}agent[1-4]_[a-z]\w{{0,60}}", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#x?[0-9a-f]{1,7};?|[a-z][a-z0-9]{1,30};|(?:nbsp|lt|gt|quot|amp)(?![a-z]))", re.IGNORECASE)
_TAG = re.compile(r"<(?P<close>[/!?]?)(?P<name>[a-z][a-z0-9:-]{0,40})(?P<rest>[^<>]{0,400})(?P<end>>?)", re.IGNORECASE)
_PREFIXED = re.compile(r"<!--|-->|<!\[|<\?xml|<!doctype", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"\s[\w:-]{1,40}\s?=")
_HANDLER = re.compile(r"(?<!\w)on(?:error|load|click|mouseover|focus|toggle)\s?=", re.IGNORECASE)
_SCRIPTS = frozenset({"script", "style", "iframe", "object", "embed", "svg", "link", "meta", "base", "form"})
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]")
_INVISIBLE = re.compile(
    "[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_PILED = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u20d0-\u20ff\ufe20-\ufe2f]{3}")
_JOINERS = "\u200d\ufe0f\ufe0e"


def leaks_in(text: str, allowed_urls: Collection[str], languages: Sequence[str]) -> Found:
    """Each leak as its kind and what was found, some more than once."""
    looks = tuple(dict.fromkeys((text, seen(text), decoded(seen(text)))))
    yield from _unseen(text)
    for look in looks:
        yield from _words(look.casefold().replace("\\_", "_"), tuple(languages))
        yield from _json(look)
        yield from _markup(look)
        yield from links_in(look, allowed_urls)
        yield from _ids(look)


def _unseen(text: str) -> Found:
    for match in _CONTROL.finditer(text):
        yield "control", _named(match[0])
    for match in _INVISIBLE.finditer(text):
        if not (match[0] in _JOINERS and match.start() and _joins(text, match.start())):
            yield "invisible", _named(match[0])
    for match in _PILED.finditer(text):
        yield "invisible", _named(match[0][0])


def _joins(text: str, at: int) -> bool:
    """Does it stand behind an emoji, or a figure with a frame, where it belongs?"""
    before = text[at - 1]
    return (
        unicodedata.category(before) in ("So", "Sk", "Sm", "Po", "Nd") and not before.isspace()
    ) or before in _JOINERS


def _named(char: str) -> str:
    return f"U+{ord(char):04X}"


def _words(small: str, languages: tuple[str, ...]) -> Found:
    """What is told by its words, in case-folded text."""
    fields = _fields()
    yield from (("field", name) for name in _NAME.findall(small) if name.replace("_", "") in fields)
    yield from (("prompt", mark) for mark in listed("prompt_marks", ("und",)) if mark in small)
    for kind, hints, pattern in _patterns(languages):
        if any(hint in small for hint in hints):
            yield from ((kind, match[0]) for match in pattern.finditer(small))


@cache
def _fields() -> frozenset[str]:
    return frozenset(name.replace("_", "") for name in listed("fields", ("und",)))


@cache
def _patterns(languages: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...]:
    """Kind, texts of which one is there wherever the pattern matches, pattern."""
    verdicts = "|".join(listed("verdicts", ("und",)))
    pointers = "|".join(map(re.escape, listed("pointers", languages)))
    verdict = rf"{OPEN}verdict\s?[:=]\s?[\"']?(?:{verdicts}){CLOSE}|{OPEN}confidence\s?[:=]\s?[01][.,]\d"
    patterns = [
        ("field", ("verdict", "confidence"), re.compile(verdict)),
        ("field", ("agent",), _REASON),
        ("id", ("c",), re.compile(_BARE_ALIAS.format(pointers))),
        ("agent", ("agent", "智能体"), _agents(languages)),
        ("prompt", listed("phrases", languages), whole(listed("phrases", languages))),
    ]
    return tuple((kind, hints, pattern) for kind, hints, pattern in patterns if pattern is not None)


def _agents(languages: tuple[str, ...]) -> re.Pattern[str]:
    counted = "|".join(listed("counted", languages))
    numbers = "|".join(listed("agent_numbers", languages)) or "(?!)"
    no_count = rf"(?![\d_]|[.,:]\d|\s?%|\s?(?:{counted})(?!\w))"
    named = "|".join(
        rf"(?<!\w){re.escape(name)}(?:{'|'.join(map(re.escape, listed('agent_endings', (code,))))})(?!\w)"
        if name.isascii() or code != "zh"
        else re.escape(name)
        for code in languages
        for name in listed("agents", (code,))
    )
    number = rf"[1-4]{no_count}|(?<=[\s_-])(?:{numbers})(?!\w){no_count}"
    numbered = rf"{OPEN}agent(?:en)?[\s_#-]{{0,3}}(?:(?:nr|no|nummer|number)\.?\s?)?(?:{number})"
    return re.compile(f"{numbered}|{named}")


@cache
def _json_pattern() -> re.Pattern[str]:
    keys = "|".join(map(re.escape, listed("keys", ("und",)) + listed("fields", ("und",))))
    quote = "[\"'“”]"
    return re.compile(
        rf"{quote}(?:{keys}){quote}\s{{0,5}}:"
        rf"|\"[a-z_]\w{{0,60}}\"\s{{0,5}}:\s{{0,5}}(?:[\"\[{{]|true|false|null)"
        rf"|[{{,]\s{{0,20}}{quote}[\w -]{{1,60}}{quote}\s{{0,5}}:"
        rf"|\{{\s{{0,20}}\w{{1,60}}\s{{0,5}}:\s{{0,5}}{quote}"
        rf"|\[\s{{0,20}}(?:\"[^\"\n]{{0,300}}\"|'[^'\n]{{0,300}}')\s{{0,5}}[,\]]"
        rf"|\[\s{{0,20}}\{{|\}}\s{{0,20}}[\],}}]|[\"'\]]\s{{0,20}}\}}"
        r"|^\s{0,20}[{}\[\]][{}\[\],\s]{0,20}$"
        r"|\\u[0-9a-f]{4}|\\\"|(?<![:\\])\\n(?=\\n|[-*#•\d]|[A-ZÅÄÖ]|\s|$)",
        re.IGNORECASE | re.MULTILINE,
    )


def _json(text: str) -> Found:
    for match in _json_pattern().finditer(text):
        if not (match[0].startswith("\\n") and text[match.end() : match.end() + 1].islower()):
            yield "json", text[match.start() : match.start() + 60]


def _markup(text: str) -> Found:
    for match in _ENTITY.finditer(text):
        if match[0][1] == "#" or match[0].rstrip(";").lower()[1:] in _entities():
            yield "html", match[0]
    for match in _PREFIXED.finditer(text):
        yield "html", match[0]
    for match in _HANDLER.finditer(text):
        yield "script", match[0]
    for match in _TAG.finditer(text):
        if _is_tag(match):
            yield ("script" if match["name"].lower() in _SCRIPTS else "html"), match[0]


def _is_tag(match: re.Match[str]) -> bool:
    """Is it a tag, closed or cut off, rather than "less than"? A name that HTML does not know is one where nothing but
    attributes follows."""
    name, rest = match["name"].lower(), match["rest"]
    if match["close"]:
        return True
    known = name in _html_tags()
    if not match["end"]:
        return (known and _ATTRIBUTE.match(rest) is not None) or (name in _SCRIPTS and len(name) > 3)
    if known:
        return not rest or rest[0] in " \t\n/\r\f\"'="
    return rest.strip() in ("", "/") or _ATTRIBUTE.match(rest) is not None


@cache
def _entities() -> frozenset[str]:
    return frozenset(name.rstrip(";").lower() for name in html.entities.html5)


@cache
def _html_tags() -> frozenset[str]:
    return frozenset(listed("html_tags", ("und",)))


def _ids(text: str) -> Found:
    for pattern in (_UUID, _HEX, _CHUNK):
        for match in pattern.finditer(text):
            yield "id", match[0]
