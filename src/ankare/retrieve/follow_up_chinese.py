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

_MARKS = re.compile(r"[\s?？!！。，,、；;：:]+")


def completed_chinese(previous: str, core: Core, subject: str = "") -> Understood | None:
    """The question; None where the text is no follow-up. `subject`: what pointers mean, where it is known."""
    things = _things(previous)
    pointed = _pointing().search(core.words)
    if pointed is not None:
        meant = subject or _meant(pointed, things)
        if meant is None:
            return None
        return Understood(as_question(_replaced(core.words, meant), "zh"), True, (meant,))
    if not core.cued or any(word in core.words for word in cue_list("zh", "asking")) or not things:
        return None
    piece = core.words.strip()
    target = max(things, key=lambda thing: _likeness(thing, piece))
    start = previous.index(target)
    before, after = previous[:start], without_end(previous)[start + len(target) :]
    return Understood(as_question(before + piece + after, "zh"), True, tuple(t for t in (before, after) if t))


def _replaced(text: str, meant: str) -> str:
    """The text with every pointer said as what it means."""

    def worded(match: re.Match[str]) -> str:
        if match["keep"]:
            return match[0]
        if match["owner"]:
            return f"{meant}的"
        return f"在{meant}" if match["place"] and not match.string[: match.start()].endswith("在") else meant

    return _pointing(everything=True).sub(worded, text)


def _meant(pointed: re.Match[str], things: Sequence[str]) -> str | None:
    """What is pointed at; with a noun after the pointer, only what ends in that noun."""
    if not things:
        return None
    if not pointed["noun"]:
        return things[0]
    rest = _MARKS.split(pointed.string[pointed.end() :])[0]
    return next((thing for thing in things if rest[:2] and thing.endswith(rest[:2])), None)


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
def _breaks() -> re.Pattern[str]:
    return re.compile(_any(cue_list("zh", "breaks")))


def _things(text: str) -> tuple[str, ...]:
    """What a question speaks of, by position."""
    return tuple(piece for piece in _MARKS.sub(" ", _breaks().sub(" ", text)).split() if len(piece) > 1)


def _likeness(thing: str, piece: str) -> float:
    return 2.0 * (thing[-1] == piece[-1]) + 1.0 * (len(thing) == len(piece)) + 0.5 * (thing[0] == piece[0])
