"""Does a drawing of a PDF draw itself more than once? Then pdfium would draw it two to the power of its depth times.

Forms (drawings that pages and other forms share, ISO 32000-1, 8.10) stand in a file as plain objects, even where all else is
packed, so that one look at the bytes finds them. Resources may name forms that are never drawn, also the form itself: only what
the content draws counts. What cannot be told cheaply is let through; the bounds of a reader hold it then.
"""

from __future__ import annotations

import re
import zlib
from pathlib import Path

MOST_BYTES = 50_000_000
_HEAD_BYTES = 4000
_CONTENT_BYTES = 1_000_000
_ROUNDS = 100
"""Each takes the ends off what is no ring; no honest document has forms in forms that deep."""
_OBJECT = re.compile(rb"(?<!\d)(\d{1,10})\s+\d{1,5}\s+obj\b")
_IS_FORM = re.compile(rb"/Subtype\s*/Form(?![A-Za-z])")
_FORMS = re.compile(rb"/XObject\s*<<(.*?)>>", re.DOTALL)
_ELSEWHERE = re.compile(rb"/(?:Resources|XObject)\s+(\d{1,10})\s+\d{1,5}\s+R")
_NAMED = re.compile(rb"/([^\s/<>\[\]()]+)\s+(\d{1,10})\s+\d{1,5}\s+R")
_DRAWN = re.compile(rb"/([^\s/<>\[\]()]+)\s+Do(?![A-Za-z])")


def draws_itself(path: Path) -> bool:
    """Is there a form that comes back to itself, by others or not, and draws on the way more than once? Raises OSError."""
    if path.stat().st_size > MOST_BYTES:
        return False
    data = path.read_bytes()
    if b"/Form" not in data:
        return False
    objects = {int(found[1]): found.end() for found in _OBJECT.finditer(data)}
    named = {number: _named(data, objects, at) for number, at in objects.items() if _is_form(data, at)}
    inner = {number: {name: form for name, form in forms.items() if form in named} for number, forms in named.items()}
    ring = _coming_back({number: set(forms.values()) for number, forms in inner.items()})
    drawn = {number: _drawn(data, objects[number], inner[number]) for number in ring}
    ring = _coming_back({number: set(forms) for number, forms in drawn.items()})
    return any(sum(form in ring for form in drawn[number]) > 1 for number in ring)


def _head(data: bytes, at: int) -> bytes:
    """What an object says of itself, before its content."""
    head = data[at : at + _HEAD_BYTES]
    ends = [place for place in (head.find(b"stream"), head.find(b"endobj")) if place >= 0]
    return head[: min(ends)] if ends else head


def _is_form(data: bytes, at: int) -> bool:
    return _IS_FORM.search(_head(data, at)) is not None


def _named(data: bytes, objects: dict[int, int], at: int, depth: int = 2) -> dict[bytes, int]:
    """The objects that a form's resources name, by name, also where these stand in objects of their own."""
    head = _head(data, at)
    found = {name: int(number) for forms in _FORMS.findall(head) for name, number in _NAMED.findall(forms)}
    if depth < 2 and not found:
        found = {name: int(number) for name, number in _NAMED.findall(head)}
    for number in _ELSEWHERE.findall(head) if depth else ():
        if int(number) in objects:
            found |= _named(data, objects, objects[int(number)], depth - 1)
    return found


def _coming_back(steps: dict[int, set[int]]) -> set[int]:
    """The numbers that lie on a ring, or lead to one and are led to by one: those from which, and to which, nothing ends."""
    left = set(steps)
    for _ in range(_ROUNDS):
        led_to = {form for number in left for form in steps[number]}
        kept = {number for number in left if number in led_to and steps[number] & left}
        if kept == left:
            break
        left = kept
    return left


def _drawn(data: bytes, at: int, forms: dict[bytes, int]) -> list[int]:
    """The forms that the content of a form draws, each as often as it is drawn; none where it cannot be unpacked cheaply."""
    head = _head(data, at)
    begin = at + len(head) + len(b"stream")
    if not data.startswith(b"stream", at + len(head)):
        return []
    begin += 2 if data.startswith(b"\r\n", begin) else 1
    content = data[begin : data.find(b"endstream", begin)]
    if b"/Filter" in head:
        if b"/FlateDecode" not in head:
            return []
        try:
            content = zlib.decompressobj().decompress(content, _CONTENT_BYTES)
        except zlib.error:
            return []
    return [forms[name] for name in _DRAWN.findall(content[:_CONTENT_BYTES]) if name in forms]
