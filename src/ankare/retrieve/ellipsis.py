"""Where does a piece of a question belong in the question before it?

"Och en styrgrupp?" after "Vad är en beslutspunkt?" takes the place of the thing that is like it; "and about training?" that of
the words with the same preposition; "om den är trasig" comes after it. Where no place is clear, there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ankare.domain.question import Understood
from ankare.gate.grounding.words import FUNCTION, NAME, NOUN, VERB, Word, closed
from ankare.language.follow_ups import Core, as_question, cue_list, without_end, word_list
from ankare.retrieve.noun_phrases import Phrase, is_question, phrases_of, read_words


def completed(previous: str, core: Core, code: str) -> Understood | None:
    """The question before with the piece in its place; None where the text is no piece, or fits nowhere."""
    words = _as_things(read_words(core.words, code))
    if not words:
        return None
    piece = _inside(core, words)
    asked = _other_way_of_asking(previous, piece, code)
    if asked is not None:
        return asked if core.cued or " " in piece.strip() else None
    if opens_a_clause(words, code):
        return _with_clause(previous, piece, words[0].norm, code)
    if is_question(words, code):
        return None
    things = phrases_of(piece, words, code)
    preposition = words[0].norm in closed(code)["prepositions"] and (not things or things[0].first <= 1)
    if not (core.cued or preposition) or not things:
        return None
    return _in_place(previous, piece, things[0], code) if _is_whole(things, words) else None


def _as_things(words: Sequence[Word]) -> tuple[Word, ...]:
    """The words of a piece; where only one says anything, it is a thing, whatever else its form may be."""
    saying = [word for word in words if word.kind != FUNCTION]
    if len(saying) == 1 and saying[0].kind == VERB:
        return tuple(replace(word, kind=NOUN, finite=False) if word is saying[0] else word for word in words)
    return tuple(words)


def _inside(core: Core, words: Sequence[Word]) -> str:
    """The piece as it is written within a question: without the capital that only opened the text."""
    piece = core.words
    opens = core.start == 0 and words[0].kind != NAME and words[0].text[1:].islower()
    return piece[:1].lower() + piece[1:] if opens else piece


def _is_whole(things: Sequence[Phrase], words: Sequence[Word]) -> bool:
    """Does the piece begin with its thing, or with that thing's preposition?"""
    return things[0].first == 0 or (things[0].first == 1 and bool(things[0].preposition))


def _other_way_of_asking(previous: str, piece: str, code: str) -> Understood | None:
    """ "Och när?": the question before, asked for that."""
    adverbial = word_list(code, "adverbial")
    asked = " ".join(word.norm for word in read_words(piece, code))
    if asked not in adverbial:
        return None
    folded = previous.casefold()
    first = next((cue for cue in sorted(adverbial, key=len, reverse=True) if folded.startswith(cue + " ")), None)
    if first is None or first == asked:
        return None
    rest = previous[len(first) :]
    return Understood(as_question(piece + rest, code), True, (without_end(rest).strip(),))


def opens_a_clause(words: Sequence[Word], code: str) -> bool:
    """Is it a clause ("om den är trasig", "när det regnar") and no question ("när öppnar det")?"""
    text = " ".join(word.norm for word in words)
    opener = next((cue for cue in cue_list(code, "clauses") if text.startswith(cue + " ")), None)
    if opener is None:
        return False
    size = len(opener.split())
    if words[size - 1].norm in closed(code)["infinitive_mark"]:
        return True
    verbs = [place for place, word in enumerate(words) if word.finite or word.norm in closed(code)["finite"]]
    return bool(verbs) and verbs[0] > size


def _with_clause(previous: str, piece: str, opener: str, code: str) -> Understood:
    """The clause after the question before it, in place of one that opens in the same way."""
    words = read_words(previous, code)
    starts = [w for w in words if w.at and w.norm == opener and opens_a_clause(words[w.at :], code)]
    stem = without_end(previous[: starts[0].start] if starts else previous).rstrip()
    return Understood(as_question(f"{stem} {piece}", code), True, (stem,))


def _in_place(previous: str, piece: str, thing: Phrase, code: str) -> Understood | None:
    theirs = phrases_of(previous, read_words(previous, code), code)
    if thing.preposition and thing.opens < thing.start:
        target = next((p for p in reversed(theirs) if _same_place(p, thing)), None)
        if target is None:
            stem = without_end(previous)
            return Understood(as_question(f"{stem} {piece}", code), True, (stem,))
        return _put(previous, target.opens, target.end, piece, code)
    fitting = [phrase for phrase in theirs if not phrase.asked] or list(theirs)
    fitting += [phrase.inner for phrase in fitting if phrase.inner is not None]
    target = max(fitting, key=lambda phrase: _likeness(phrase, thing), default=None)
    return None if target is None else _put(previous, target.start, target.end, piece, code)


def _same_place(theirs: Phrase, ours: Phrase) -> bool:
    if theirs.preposition == ours.preposition:
        return theirs.time == ours.time
    return theirs.here and ours.here and theirs.time == ours.time


def _likeness(theirs: Phrase, ours: Phrase) -> float:
    """How alike two things are written; what says where or when is less likely what is asked about."""
    same_head = not ours.head.keys.isdisjoint(theirs.head.keys) or not set(ours.head.parts).isdisjoint(
        theirs.head.parts
    )
    return (
        2.0 * (theirs.shape == ours.shape)
        + 1.5 * same_head
        + 2.0 * (theirs.time and ours.time)
        - 2.0 * (theirs.time != ours.time)
        - 1.0 * theirs.here
        - 0.1 * (theirs.preposition in word_list(ours.head.code, "of"))
        + 0.01 * theirs.first
    )


def _put(previous: str, start: int, end: int, piece: str, code: str) -> Understood:
    before, after = previous[:start], without_end(previous)[end:]
    taken = tuple(part.strip() for part in (before, after) if part.strip())
    return Understood(as_question(before + piece + after, code), True, taken)
