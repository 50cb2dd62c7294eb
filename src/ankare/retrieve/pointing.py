"""Which words of a text point back, and to what in the question before it?

"Vem ansvarar för den?" after "Vad är en beslutspunkt?" is about "en beslutspunkt". Articles ("den frysta perioden"), a
pronoun that the text itself explains and the empty "det" of "går det att" point at nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ankare.gate.grounding.words import ADJECTIVE, NAME, NOUN, NUMBER, VERB, Word, closed
from ankare.language.follow_ups import cue_list, word_list
from ankare.retrieve.noun_phrases import PLURAL, Phrase, definite, phrases_of, read_words

ALONE, OWNER, PLACE, WITH_NOUN = "alone", "owner", "place", "with_noun"


@dataclass(frozen=True, slots=True)
class Pointer:
    """`text[start:end]` points back; `word` as it is in the pack, `kind` how."""

    start: int
    end: int
    word: str
    kind: str


def pointers(text: str, code: str) -> tuple[Pointer, ...]:
    """The words of a text that point back, by position."""
    words = read_words(text, code)
    found: list[Pointer] = []
    at = 0
    while at < len(words):
        pointer, used = _pointer(text, words, at, code)
        if pointer is not None and not _explained(text, words, at, code):
            found.append(pointer)
        at += used
    return tuple(found)


def replaced(
    text: str, found: Sequence[Pointer], phrases: Sequence[Phrase], code: str
) -> tuple[str, tuple[str, ...]] | None:
    """The text with every pointer said in words of the question before, and these words; None where one fits nothing."""
    taken: list[str] = []
    for pointer in reversed(found):
        phrase = antecedent(pointer, phrases, code, text)
        if phrase is None:
            return None
        wording = _wording(pointer, phrase, code, _noun_after_place(text, pointer.end, code))
        taken.insert(0, phrase.words)
        text = text[: pointer.start] + wording + text[pointer.end :]
    return text, tuple(dict.fromkeys(taken))


def antecedent(pointer: Pointer, phrases: Sequence[Phrase], code: str, text: str = "") -> Phrase | None:
    """What a word points at: what agrees with it, rather named than asked for, rather first than later."""
    if pointer.kind == PLACE:
        places = [phrase for phrase in phrases if phrase.here and not phrase.time]
        known = places or [phrase for phrase in phrases if not phrase.asked and not phrase.time]
        return known[-1] if known else None
    if pointer.kind == WITH_NOUN:
        head = read_words(text[pointer.start : pointer.end], code)[-1]
        same = [phrase for phrase in phrases if not head.keys.isdisjoint(phrase.head.keys)]
        return same[0] if same else (phrases[0] if len(phrases) == 1 and not phrases[0].time else None)
    fitting = [phrase for phrase in phrases if not phrase.time]
    return max(fitting, key=lambda phrase: _fit(pointer, phrase, code), default=None)


def _fit(pointer: Pointer, phrase: Phrase, code: str) -> float:
    wanted = next((n for n in ("plural", "neuter", "singular") if pointer.word in word_list(code, n)), "")
    wanted = "common" if wanted == "singular" else wanted
    agrees = 2.0 if wanted and wanted == phrase.number else 0.0
    if wanted and phrase.number and wanted != phrase.number and wanted != "neuter":
        agrees = -3.0
    return agrees - 1.0 * phrase.asked - 1.0 * phrase.here - 0.01 * phrase.first


def _noun_after_place(text: str, place: int, code: str) -> Phrase | None:
    words = read_words(text, code)
    return next((_noun_after(text, words, at, code) for at, word in enumerate(words) if word.start >= place), None)


def _wording(pointer: Pointer, phrase: Phrase, code: str, owned: Phrase | None) -> str:
    if pointer.kind == OWNER:
        before = phrase.text[phrase.start : phrase.head.start].rstrip()
        if before.casefold().endswith("s") and owned is not None and not owned.head.keys.isdisjoint(phrase.head.keys):
            return before  # "its benefits" after "compost's benefits": whose they are is said already
        owner = phrase.text[phrase.start : phrase.head_end]
        ends_in_s = owner[-1:].casefold() in ("s", "x", "z")
        if code == "en":
            return owner + ("'" if ends_in_s and phrase.number == PLURAL else "'s")
        return owner if ends_in_s else owner + "s"
    if pointer.kind == PLACE:
        preposition = phrase.preposition if phrase.here else cue_list(code, "place_preposition")[0]
        return f"{preposition} {phrase.words}"
    return phrase.words


def _pointer(text: str, words: Sequence[Word], at: int, code: str) -> tuple[Pointer | None, int]:
    """The pointer that begins at a word, and how many words it is."""
    two = f"{words[at].norm} {words[at + 1].norm}" if at + 1 < len(words) else ""
    bare = words[at].norm.partition("'")[0]  # "it's"
    for word, size in ((two, 2), (bare, 1)):
        start, end = words[at].start, words[at + size - 1].end if size == 1 or two else 0
        end = start + len(bare) if size == 1 and bare != words[at].norm else end
        if word in word_list(code, "before_nouns") and (noun := _noun_after(text, words, at + size, code)):
            if noun.time or _conjunction(words, at, code):
                return None, size
            return Pointer(start, noun.end, word, WITH_NOUN), size + noun.last - at - size + 1
        if word in word_list(code, "pointing"):
            tests = (_empty(text, words, at, code), _conjunction(words, at, code), _done(words, at, code))
            points = not (_article(words, at, size, code) or any(tests))
            return (Pointer(start, end, word, ALONE) if points else None), size
        if size == 1 and word in word_list(code, "owners"):
            if _noun_after(text, words, at + 1, code):
                return Pointer(start, end, word, OWNER), 1
            return (Pointer(start, end, word, ALONE) if word == "her" else None), 1
        if size == 1 and word in word_list(code, "places"):
            return (Pointer(start, end, word, PLACE) if _is_place(words, at, code) else None), 1
    return None, 1


def _noun_after(text: str, words: Sequence[Word], at: int, code: str) -> Phrase | None:
    """The thing that begins right at a word."""
    if at >= len(words) or words[at].kind not in (NOUN, ADJECTIVE, NAME):
        return None
    return next((phrase for phrase in phrases_of(text, words, code, at) if phrase.first == at), None)


def _article(words: Sequence[Word], at: int, size: int, code: str) -> bool:
    """Is the word an article ("den frysta perioden", "för de anställda") or does a relative follow ("den som")?"""
    if size > 1 or words[at].norm not in word_list(code, "articles"):
        return False
    after = words[at + 1] if at + 1 < len(words) else None
    if after is None:
        return False
    if after.norm == "som" or after.kind == NUMBER:
        return True
    if after.kind in (NOUN, NAME):
        return bool(definite(after.norm))
    if after.kind != ADJECTIVE:
        return False
    beyond = words[at + 2] if at + 2 < len(words) else None
    if beyond is not None and beyond.kind in (NOUN, NAME):
        return True
    return at == 0 or words[at - 1].norm in closed(code)["prepositions"]


def _empty(text: str, words: Sequence[Word], at: int, code: str) -> bool:
    """Is it a "det" or "it" that points at nothing?"""
    if words[at].norm not in word_list(code, "empty"):
        return any(" ".join(w.norm for w in words) == whole for whole in cue_list(code, "empty_whole"))
    whole = " ".join(word.norm for word in words)
    if whole in word_list(code, "empty_whole"):
        return True
    if any(word.norm in word_list(code, "goes_on") for word in words[at + 1 :]) and _may_be_empty(words, at, code):
        return True
    if at and words[at - 1].norm in word_list(code, "empty_after"):
        return True
    if not _may_be_empty(words, at, code):
        return False
    governed = at > 0 and words[at - 1].norm in closed(code)["prepositions"]
    return not governed and any(
        phrase.shape != "number" and not phrase.time for phrase in phrases_of(text, words, code, at + 1)
    )


def _done(words: Sequence[Word], at: int, code: str) -> bool:
    """Is it what somebody does ("hur gör man det", "how do I do that")? That is no thing."""
    verbs, back = word_list(code, "doing"), at - 1
    while back > 0 and words[back].norm in closed(code)["pronouns"] and code == "sv":
        back -= 1
    if back < 0 or words[back].norm not in verbs:
        return False
    return code == "sv" or at + 1 == len(words)


def _may_be_empty(words: Sequence[Word], at: int, code: str) -> bool:
    """English "it" is empty only beside "be" and a few verbs ("is it possible to", "does it take to")."""
    if code != "en":
        return True
    after = words[at + 1].norm if at + 1 < len(words) else ""
    being = at > 0 and words[at - 1].norm in closed("en")["be_forms"]
    return being or after in word_list("en", "empty_before") | closed("en")["be_forms"]


def _conjunction(words: Sequence[Word], at: int, code: str) -> bool:
    """Is "that" a conjunction or a relative ("the plan that ...")?"""
    if code != "en" or words[at].norm != "that" or not at:
        return False
    before = words[at - 1]
    return before.kind in (NOUN, NAME, VERB) and at + 1 < len(words)


def _is_place(words: Sequence[Word], at: int, code: str) -> bool:
    """Does "där" or "there" stand for a place? Not after "is" in English, nor before a clause of its own."""
    if code == "en":
        be = at > 0 and words[at - 1].norm in closed("en")["be_forms"]
        return at > 0 and not be and not (at + 1 < len(words) and words[at + 1].norm in closed("en")["be_forms"])
    after = words[at + 1] if at + 1 < len(words) else None
    return at > 0 and (
        after is None or after.norm in closed(code)["prepositions"] | {"att", "då"} or after.kind == VERB
    )


def _explained(text: str, words: Sequence[Word], at: int, code: str) -> bool:
    """Does the text itself name, in an earlier clause, what the word points at?"""
    opening = closed(code)["subordinators"] | closed(code)["coordinators"] | {"och", "and"}
    earlier = [
        word.at
        for word in words[:at]
        if word.at and word.norm in opening and word.norm not in closed(code)["prepositions"]
    ]
    earlier += [w.at for w in words[1:at] if w.norm in ("om", "if") and w.norm in opening]
    earlier += [word.at for word in words[1 : at + 1] if "," in text[words[word.at - 1].end : word.start]]
    return any(
        not phrase.asked and not phrase.time and phrase.last < max(earlier, default=0)
        for phrase in phrases_of(text, words, code, 0, at)
    )
