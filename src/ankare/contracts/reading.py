"""Which object did a model mean to hand over, whatever it wrote around it?

Thoughts (`<think>`, also never closed or never opened, and the channels of the harmony format), code fences, prose, a list
round the object, an object in a string and an object in an envelope are read through. What cannot be read is a ContractError
with a reason; a reply that was cut off is `truncated` and gives nothing, also where whole objects stand inside it. One pass:
the work grows with the length of the reply, and replies beyond MAX_REPLY are not read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ankare.contracts.tolerant import MalformedError, Parsed, TruncatedError, parse_object, parse_string
from ankare.errors import ContractError

MAX_REPLY = 200_000
"""Characters; far more than any output cap lets through."""

_THOUGHTS = "think|thinking|thought|thoughts|reasoning|analysis|scratchpad"
_MARK = re.compile(
    rf"(?P<brace>\{{)|(?P<open><(?:{_THOUGHTS})>|<\|channel\|>\s*(?:analysis|commentary)\b)"
    rf"|(?P<close></(?:{_THOUGHTS})>|<\|channel\|>\s*final\b|assistantfinal)",
    re.IGNORECASE,
)
_FENCE = re.compile(r"```[ \t]*[\w+-]*|~~~[ \t]*[\w+-]*")
_TOKEN = re.compile(r"<\|[a-z_]{1,20}\|>", re.IGNORECASE)
_REMAINS = re.compile(r"[\s\[\],;\ufeff]*")
_ENVELOPES = 2


@dataclass(frozen=True, slots=True)
class ObjectFound:
    """The object, the prose that stood around it, and what had to be read through ("fence", "thought", "trailing_comma", ...).

    Keys are in lower case with underscores."""

    value: Mapping[str, Any]
    prose: str = ""
    repaired: tuple[str, ...] = ()


@dataclass(slots=True)
class Scan:
    """A reply taken apart: the objects in it, the text outside of them and of thoughts. `open_thought`: where a thought
    began that never ends, None without one."""

    objects: list[Parsed] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    repaired: set[str] = field(default_factory=set)
    open_thought: bool = False

    @property
    def prose(self) -> str:
        """The text outside, without fences and control tokens."""
        text = _TOKEN.sub(" ", _FENCE.sub("", " ".join(self.pieces))).strip().strip("\ufeff").strip()
        return "" if _REMAINS.fullmatch(text) else text

    @property
    def ending(self) -> str:
        """What follows the last object."""
        return _FENCE.sub("", self.pieces[-1]) if self.pieces else ""


def read_object(text: str, wanted: Collection[str] = ()) -> ObjectFound:
    """The one object of a reply; with `wanted`, the one that has any of these keys. Raises ContractError.

    Its reasons: `empty`, `too_long`, `truncated`, `invalid_json`, `too_deep`, `duplicate_key` (a key with two values),
    `not_an_object` (prose, or another JSON value), `ambiguous` (objects that differ).
    """
    return _read(text, frozenset(wanted), _ENVELOPES)


def visible_text(text: str) -> str:
    """What a reply says in plain words: without thoughts, fences and control tokens. Raises ContractError where it holds or
    begins an object, or where a thought never ends."""
    scanned = scan(text)
    if scanned.objects:
        raise fault("invalid_json", "the reply holds an object")
    if scanned.open_thought:
        raise fault("truncated", "a thought never ends")
    prose = scanned.prose
    inner = _whole_string(prose)
    return prose if inner is None else inner.strip()


def fault(reason: str, said: str) -> ContractError:
    """The error for a reply that breaks its contract."""
    return ContractError(f"The model's reply cannot be used: {said}.", "Look at the kept reply.", reason=reason)


def _read(text: str, wanted: frozenset[str], envelopes: int) -> ObjectFound:
    scanned = scan(text)
    if not scanned.objects:
        return _without_object(scanned, wanted, envelopes)
    if scanned.open_thought and not _REMAINS.fullmatch(scanned.ending):
        raise fault("truncated", "a thought never ends")
    candidates = [_unwrapped(parsed, wanted, envelopes) for parsed in scanned.objects]
    fitting = [found for found in candidates if not wanted or wanted & found.value.keys()] or candidates
    if any(found.value != fitting[0].value for found in fitting[1:]):
        raise fault("ambiguous", "it holds several objects that differ")
    told = scanned.repaired | set(fitting[0].repaired) | ({"repeated"} if len(candidates) > 1 else set())
    return replace(fitting[0], prose=scanned.prose, repaired=tuple(sorted(told)))


def scan(text: str) -> Scan:
    """Take a reply apart in one pass. Raises ContractError for one that is empty, too long, cut off or no JSON."""
    if not isinstance(text, str) or not text.strip().strip("\ufeff\x00").strip():
        raise fault("empty", "it is empty")
    if len(text) > MAX_REPLY:
        raise fault("too_long", f"it has more than {MAX_REPLY} characters")
    found = Scan()
    at = 0
    while (mark := _MARK.search(text, at)) is not None:
        found.pieces.append(text[at : mark.start()])
        if mark["brace"]:
            at = _take_object(text, mark.start(), found)
        elif mark["open"]:
            at = _skip_thought(text, mark, found)
        else:
            # what stood before was a thought, however it began
            found.objects.clear()
            found.pieces.clear()
            found.open_thought = False
            found.repaired.add("thought")
            at = mark.end()
    found.pieces.append(text[at:])
    if _FENCE.search(" ".join(found.pieces)):
        found.repaired.add("fence")
    if found.objects and _FENCE.sub("", found.pieces[0]).rstrip().endswith("["):
        found.repaired.add("list")
    if found.prose and found.objects:
        found.repaired.add("prose")
    return found


def _skip_thought(text: str, opened: re.Match[str], found: Scan) -> int:
    """The position after a thought; inside it where it never ends."""
    found.repaired.add("thought")
    at = opened.end()
    if found.open_thought:
        return at
    while (mark := _MARK.search(text, at)) is not None:
        if mark["close"]:
            return mark.end()
        at = mark.end()
    found.open_thought = True
    return opened.end()


def _take_object(text: str, start: int, found: Scan) -> int:
    """The position after an object, or after a brace that begins none."""
    try:
        parsed = parse_object(text, start)
    except TruncatedError as error:
        if found.objects and not text[start + 1 :].strip():
            return len(text)
        raise fault("truncated", "it ends inside an object") from error
    except MalformedError as error:
        if error.begun or error.reason == "too_deep":
            raise fault(error.reason, "what begins as an object is none") from error
        found.pieces.append(text[start : error.position])
        return error.position if error.position > start else start + 1
    found.objects.append(parsed)
    return parsed.end


def _without_object(scanned: Scan, wanted: frozenset[str], envelopes: int) -> ObjectFound:
    """An object in a string, or the reason why there is none."""
    if scanned.open_thought:
        raise fault("truncated", "a thought never ends")
    prose = scanned.prose
    if not prose:
        raise fault("empty", "nothing stands in it but thoughts or fences")
    inner = _whole_string(prose) if envelopes else None
    if inner is not None and "{" in inner:
        found = _read(inner, wanted, envelopes - 1)
        return replace(found, repaired=tuple(sorted({*scanned.repaired, *found.repaired, "double_encoded"})))
    raise fault("not_an_object", "it holds no object")


def _whole_string(text: str) -> str | None:
    """The content of a text that is one JSON string. Raises ContractError for one with an object that is cut off."""
    if not text.startswith('"'):
        return None
    try:
        parsed = parse_string(text, 0)
    except TruncatedError as error:
        if "{" in text:
            raise fault("truncated", "it ends inside a string") from error
        return None
    except MalformedError:
        return None
    return str(parsed.value) if not text[parsed.end :].strip() else None


def _unwrapped(parsed: Parsed, wanted: frozenset[str], envelopes: int) -> ObjectFound:
    """The object, or the one inside it that has the wanted keys where it has none of them itself ({"result": {...}})."""
    value: Mapping[str, Any] = parsed.value
    if not envelopes or not wanted or wanted & value.keys():
        return ObjectFound(value, repaired=parsed.repaired)
    inner = [found for item in value.values() if (found := _inside(item, wanted, envelopes - 1)) is not None]
    if len(inner) != 1:
        return ObjectFound(value, repaired=parsed.repaired)
    return replace(inner[0], repaired=(*parsed.repaired, *inner[0].repaired, "envelope"))


def _inside(item: Any, wanted: frozenset[str], envelopes: int) -> ObjectFound | None:
    if isinstance(item, list) and len(item) == 1:
        item = item[0]
    if isinstance(item, str) and item.lstrip().startswith("{"):
        return _read(item, wanted, envelopes)
    if isinstance(item, Mapping) and wanted & item.keys():
        return ObjectFound(item)
    return None
