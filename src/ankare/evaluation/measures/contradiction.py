"""What in a text contradicts a sentence: another value, another name, a denial, another manner, another subject?"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import lru_cache

from ankare.evaluation.measures.manner import turned
from ankare.evaluation.measures.passages import Passage, Window, terms_of
from ankare.evaluation.measures.said import CHINESE, Amount, ContentWord, Said, content_word
from ankare.language.languages import get_language
from ankare.language.measures import Value, same_value
from ankare.language.packs import named_lists

FRAGMENT = 3
"""A sentence of fewer content words and values says nothing without its question."""
LONG = 7
"""Letters of a word that may have a fault of spelling."""
SHORTEST_BARE = 4
"""Letters of a word without its prefix."""
_KEPT_WORDS = 20_000


def conflict_of(claim: Said, window: Window, one: Passage, asked: Said | None = None) -> str:
    """What in a window contradicts the claim: "value", "name", "negation", the manner ("modality", "scope", "framing",
    "question"), or "subject" where a fragment is said of something else; "" where nothing does."""
    if any(not _stated(amount, window, one) for amount in claim.amounts):
        return "value"
    if claim.names:
        terms = terms_of(window) | one.above.terms | (asked.terms if asked else frozenset())
        if any(name.terms.isdisjoint(terms) and not misspelt(name, window) for name in claim.names):
            return "name"
    if _denies_otherwise(claim, window) or _reversed(claim, window):
        return "negation"
    manner = turned(claim, window)
    if manner:
        return manner
    return "" if asked is None or _speaks_of(asked, claim, one) else "subject"


def asserts(window: Window, claim: Said) -> bool:
    """Does a window that has the claim's words claim them: does it deny, frame or ask nothing that the claim does not?"""
    return not _denies_otherwise(claim, window) and turned(claim, window) not in ("framing", "question")


def _speaks_of(asked: Said, claim: Said, one: Passage) -> bool:
    """A fragment ("Five days.") says something only together with the question: does the passage speak of that at all?"""
    if len(claim.words) + len(claim.amounts) >= FRAGMENT or not asked.words:
        return True
    if any(not word.terms.isdisjoint(one.terms) or not word.terms.isdisjoint(one.above.terms) for word in asked.words):
        return True
    return any(not word.senses.isdisjoint(sentence.gives) for word in asked.words for sentence in one.sentences)


def _stated(amount: Amount, window: Window, one: Passage) -> bool:
    """Does the window state the value, with no bound to the other side? A date may stand in the heading."""
    others = [other for sentence in window for other in sentence.amounts]
    others += [other for other in one.above.amounts if isinstance(other.value, Value) and other.value.kind == "date"]
    return any(_same(amount, other) and {amount.bound, other.bound} != {"up", "down"} for other in others)


def _same(amount: Amount, other: Amount) -> bool:
    if isinstance(amount.value, Value) and isinstance(other.value, Value):
        return same_value(amount.value, other.value)
    return amount.value == other.value


def _denies_otherwise(claim: Said, window: Window) -> bool:
    """Does one of them deny what the other says?

    What the claim denies must be denied in the window, of the same words or half of the shorter; what the window denies, and
    the claim says at least half of, must be denied in the claim.
    """
    theirs = [denied for sentence in window for denied in sentence.denied]
    if any(not _meets(own, theirs) for own in claim.denied):
        return True
    return any(
        denied and 2 * len(denied & claim.terms) >= len(denied) and not _meets(denied, claim.denied)
        for denied in theirs
    )


def _reversed(claim: Said, window: Window) -> bool:
    """Does one of them have a word, and the other only its opposite by a prefix ("valid", "invalid")?"""
    prefixes = named_lists(claim.code, "evaluation")["denying_prefixes"]
    if not prefixes:
        return False
    forms, terms = frozenset().union(*(sentence.forms for sentence in window)), terms_of(window)
    for word in claim.words:
        text = word.text.casefold()
        if text in forms:
            continue
        if word.terms.isdisjoint(terms) and any(prefix + text in forms for prefix in prefixes):
            return True
        if any(text.startswith(prefix) and _bare(text, prefix, claim.code, terms) for prefix in prefixes):
            return True
    return False


def _bare(text: str, prefix: str, code: str, terms: Set[str]) -> bool:
    """Does the word stand without its prefix among the terms, and not with it?"""
    bare = text.removeprefix(prefix)
    if len(bare) < SHORTEST_BARE:
        return False
    whole, rest = content_word(code, text), content_word(code, bare)
    if rest is None or rest.terms.isdisjoint(terms) or (whole is not None and whole.terms <= terms):
        return False
    return _known(bare, code)


def _meets(denied: Set[str], others: Sequence[Set[str]]) -> bool:
    return any(2 * len(denied & other) >= min(len(denied), len(other)) for other in others)


def misspelt(word: ContentWord, window: Window) -> bool:
    """Does a word of the window stand there without the marks on its letters, or with one fault of spelling?"""
    text = word.text.casefold()
    code = window[0].code
    if code == CHINESE or not text.isalpha():
        return False
    if text.isascii() and any(text in sentence.folded for sentence in window):
        return not _known(text, code)
    if len(text) < LONG:
        return False
    return any(
        other[0] == text[0] and abs(len(other) - len(text)) <= 1 and _one_fault(text, other) and _known(other, code)
        for sentence in window
        for other in sentence.forms
    ) and not _known(text, code)


@lru_cache(_KEPT_WORDS)
def _known(text: str, code: str) -> bool:
    return get_language(code).is_word(text)


def _one_fault(text: str, other: str) -> bool:
    """Are the words one letter apart: another, one more, one less, or two exchanged (Damerau, CACM 7 (3), 1964)?"""
    start = next((at for at, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other)))
    left, right = text[start:], other[start:]
    return (
        left[1:] == right[1:]
        or left[1:] == right
        or left == right[1:]
        or (left[:2] == right[:2][::-1] and left[2:] == right[2:])
    )
