"""How is a Chinese text read that goes on from the question before it?

There are no spaces and no endings: the question before is broken at the words that ask and at small words (`breaks` of the
pack), and what is left are the things that it speaks of.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ankare.domain.question import Understood
from ankare.language.follow_ups import Core, as_question, cue_list, without_end

_OF = "的"
_MARKS = re.compile(r"[\s?？!！。，,、；;：:]+")


def completed_chinese(previous: str, core: Core, subject: str = "") -> Understood | None:
    """The question; None where the text is no follow-up. `subject`: what pointers mean, where it is known."""
    pointed = _pointing().search(core.words)
    if pointed is not None:
        meant = (subject, "") if subject else _meant(pointed, _things(previous, whole=True))
        if meant is None:
            return None
        return Understood(as_question(_replaced(core.words, *meant), "zh"), True, meant[:1])
    things = _things(previous)
    if not core.cued or any(word in core.words for word in cue_list("zh", "asking")) or not things:
        return None
    piece = core.words.strip()
    if piece in previous:
        return None
    if piece[0] in cue_list("zh", "prepositions"):
        return _placed(previous, piece, things)
    piece = piece.removesuffix(_OF) or piece
    target = max(things, key=lambda thing: _likeness(thing, piece))
    return _put(previous, target, piece)


def _placed(previous: str, piece: str, things: Sequence[str]) -> Understood:
    """A piece with a preposition: for the thing with the same one, else before the question."""
    target = next((piece[0] + thing for thing in things if piece[0] + thing in previous), None)
    if target is not None:
        return _put(previous, target, piece)
    stem = without_end(previous)
    return Understood(as_question(piece + stem, "zh"), True, (stem,))


def _put(previous: str, target: str, piece: str) -> Understood:
    start = previous.index(target)
    before, after = previous[:start], without_end(previous)[start + len(target) :]
    return Understood(as_question(before + piece + after, "zh"), True, tuple(t for t in (before, after) if t))


def _replaced(text: str, meant: str, noun: str) -> str:
    """The text with every pointer said as what it means, and without the noun that stood after it."""

    def worded(match: re.Match[str]) -> str:
        if match["keep"]:
            return match[0]
        if match["owner"]:
            return f"{meant}的"
        return f"在{meant}" if match["place"] and not match.string[: match.start()].endswith("在") else meant

    replaced = _pointing(everything=True).sub(worded, text)
    return replaced.replace(meant + noun, meant) if noun else replaced


def _meant(pointed: re.Match[str], things: Sequence[str]) -> tuple[str, str] | None:
    """What is pointed at, and the noun after the pointer: then only what ends in that noun."""
    if not things:
        return None
    if not pointed["noun"]:
        return things[0], ""
    rest = pointed.string[pointed.end() :]
    ends = ((thing, thing[-size:]) for thing in things for size in range(len(thing), 1, -1))
    return next(((thing, end) for thing, end in ends if rest.startswith(end)), None)


@cache
def _pointing(everything: bool = False) -> re.Pattern[str]:
    names = {"keep": "not_pointing", "place": "places", "noun": "before_nouns", "owner": "owners", "alone": "pointing"}
    groups = [f"(?P<{group}>{_any(cue_list('zh', name))})" for group, name in names.items()]
    if everything:
        return re.compile("|".join(groups))
    return re.compile(rf"(?:{_any(cue_list('zh', 'not_pointing'))})*(?:{'|'.join(groups[1:])})")


def _any(words: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


@cache
def _breaks(whole: bool) -> re.Pattern[str]:
    return re.compile(_any([word for word in cue_list("zh", "breaks") if not (whole and word == _OF)]))


def _things(text: str, whole: bool = False) -> tuple[str, ...]:
    """What a question speaks of, by position. `whole`: a thing with what it belongs to is one."""
    pieces = _MARKS.sub(" ", _breaks(whole).sub(" ", text)).split()
    return tuple(piece for piece in (piece.strip(_OF) for piece in pieces) if len(piece) > 1)


def _likeness(thing: str, piece: str) -> float:
    return 2.0 * (thing[-1] == piece[-1]) + 1.0 * (len(thing) == len(piece)) + 0.5 * (thing[0] == piece[0])
