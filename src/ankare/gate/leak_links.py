"""Which links has a model written, in whatever disguise, that nobody has approved?

A link to an address that the index owns is none; it is told by the whole address, never by its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache

from ankare.gate.leak_words import OPEN, listed

_INLINE = re.compile(
    r"(?P<image>!?)\[(?P<said>[^\[\]\n]{0,300})\]\(\s{0,3}<?(?P<target>[^()\s<>]{0,1000})[^()\n]{0,200}\)"
)
_HALF = re.compile(r"\]\([^\n]{0,60}")
_DEFINED = re.compile(r"^\s{0,3}\[[^\[\]\n]{1,100}\]:\s{0,3}\S[^\n]{0,100}", re.MULTILINE)
_REFERRED = re.compile(r"!?\[[^\[\]\n]{1,100}\]\[[^\[\]\n]{0,100}\]")
_AUTO = re.compile(r"<(?:[a-z][a-z0-9+.-]{1,20}:|[\w.+-]{1,64}@)[^\s<>]{1,300}>?", re.IGNORECASE)
_AFTER_SCHEME = re.compile(r"[^\s<>\"'“”»\[\]]{0,500}")
_SCHEME = re.compile(r"[\w+.-]{1,20}$")
_WORD_BEFORE = 21
_WWW = re.compile(rf"(?<![@/.-]){OPEN}www\d?\.[\w-]{{1,63}}\.[^\s<>\"'“”»]{{1,300}}", re.IGNORECASE)
_HOSTLESS = re.compile(r"(?<![\w:/.])//[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}[^\s<>\"']{0,300}")
_DOTTED = re.compile(r"\w\s?[\[(]\s?(?:\.|dot|punkt)\s?[\])]\s?\w{2,}|hxxps?\b|\w\[:\]//", re.IGNORECASE)
_RUNS = re.compile(
    r"(?:j\s?a\s?v\s?a|v\s?b|live)\s?s\s?c\s?r\s?i\s?p\s?t\s?:(?=[^\s])|data\s?:\s?(?:[a-z]{1,20}/[a-z0-9.+-]{1,60}|;|,\S)"
    r"|(?<!\w)(?:blob|filesystem|about|view-source|jar):(?=\w)",
    re.IGNORECASE,
)
_MAIL = re.compile(r"mailto\s?:\s?\S{1,100}|(?<!\w)(?:tel|sms|callto|skype):\+?\d{3,15}", re.IGNORECASE)
_FRINGE = ".,;:!?)*_`»”'\""


def links_in(text: str, allowed: Collection[str]) -> Iterator[tuple[str, str]]:
    """Each link that is not allowed, as its kind ("link", "image", "script", "mail") and what it is."""
    owned = {_same(address) for address in allowed}
    for match in _INLINE.finditer(text):
        if match["image"]:
            yield "image", match[0]
        elif _same(match["target"]) not in owned:
            yield "link", match[0]
    rest = _INLINE.sub(" ", text)
    for pattern in (_HALF, _DEFINED, _REFERRED, _DOTTED, _HOSTLESS):
        yield from (("link", match[0]) for match in pattern.finditer(rest))
    for pattern, kind in ((_RUNS, "script"), (_MAIL, "mail")):
        yield from ((kind, match[0]) for match in pattern.finditer(text))
    yield from (("link", url) for url in _addresses(rest) if _same(url) not in owned)
    for match in _AUTO.finditer(rest):
        if _same(match[0].strip("<>")) not in owned:
            yield ("mail" if "@" in match[0] and ":" not in match[0] else "link"), match[0]


def without_owned_links(text: str, allowed: Collection[str]) -> str:
    """The text with the words of a Markdown link in the place of one that is allowed."""
    owned = {_same(address) for address in allowed}
    if not owned:
        return text
    return _INLINE.sub(lambda m: m["said"] if not m["image"] and _same(m["target"]) in owned else m[0], text)


def _addresses(text: str) -> Iterator[str]:
    at = text.find("://")
    while at >= 0:
        scheme = _SCHEME.search(text, max(0, at - _WORD_BEFORE), at)
        rest = _AFTER_SCHEME.match(text, at + 3)
        said = (scheme[0] if scheme else "") + "://" + (rest[0] if rest else "")
        yield said.rstrip(_FRINGE)
        at = text.find("://", at + 3)
    for match in _WWW.finditer(text):
        yield match[0].rstrip(_FRINGE)
    for match in _host().finditer(text):
        yield match[0].rstrip(_FRINGE)


@cache
def _host() -> re.Pattern[str]:
    """A host without a scheme: small letters and a known ending, or a path behind it."""
    ends = "|".join(sorted(listed("top_domains", ("und",)), key=len, reverse=True))
    return re.compile(
        rf"(?<![@/.:-]){OPEN}[a-z0-9][a-z0-9-]{{1,62}}(?:\.[a-z0-9-]{{1,63}}){{0,3}}\.(?:{ends})(?![\w-])(?!\.\w)(?:/[^\s<>\"'“”»]{{0,300}})?"
    )


def _same(address: str) -> str:
    """The address as it is compared: without scheme, www, the place in the page and a slash at its end. Letters of the host
    count alike, those of the path do not."""
    address = address.strip().rstrip(_FRINGE).partition("#")[0]
    scheme, mark, rest = address.partition("://")
    if not mark:
        rest = address
    elif scheme.lower() not in ("http", "https"):
        return address
    host, slash, path = rest.partition("/")
    return (host.lower().removeprefix("www.") + slash + path).rstrip("/")
