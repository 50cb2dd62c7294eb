"""Which things does a question in Swedish or English speak of, as the user wrote them?

"Vem ansvarar för en beslutspunkt?" speaks of "en beslutspunkt". A phrase is a noun or a name with what stands before it
(article, adjectives, number) and what "of" hangs on it. English verbs are told by their place in the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ankare.gate.grounding.verbs import settled_words
from ankare.gate.grounding.words import (
    ADJECTIVE,
    FUNCTION,
    NAME,
    NOUN,
    NUMBER,
    VERB,
    Word,
    closed,
    lemmas,
    word_of_token,
)
from ankare.language.follow_ups import cue_list, word_list
from ankare.language.languages import get_language

COMMON, NEUTER, PLURAL = "common", "neuter", "plural"
_YEAR_DIGITS, _SHORTEST = 4, 3
_DEFINITE = (("na", PLURAL), ("en", COMMON), ("an", COMMON), ("et", NEUTER))
_STATES = ("able", "ible", "ed", "ful", "ous")


@dataclass(frozen=True, slots=True)
class Phrase:
    """`text[start:end]` is a thing with its article; `opens`: where its preposition begins, else `start`.

    `first`, `last`: places of its first word and its head's; `head_end`: where the head ends, before what hangs on it.
    `number`: common, neuter, plural or "". `shape`: how it is written (name, number, definite, indefinite). `asked`: an
    interrogative asks for it ("vilka etapper"). `time`: it is a time. `inner`: the thing that hangs on it.
    """

    text: str
    start: int
    end: int
    opens: int
    preposition: str
    first: int
    last: int
    head: Word
    head_end: int
    number: str = ""
    shape: str = "indefinite"
    asked: bool = False
    time: bool = False
    inner: Phrase | None = None

    @property
    def words(self) -> str:
        """The thing as the user wrote it."""
        return self.text[self.start : self.end]

    @property
    def here(self) -> bool:
        """Does it say where or when?"""
        return self.preposition in word_list(self.head.code, "here")


def read_words(text: str, code: str) -> tuple[Word, ...]:
    """The words of a question with their kinds."""
    tokens = get_language(code).tokens(text)
    made = tuple(
        word_of_token(token, at, tokens, at if token.norm.isdecimal() else None, code)
        for at, token in enumerate(tokens)
    )
    words = settled_words(made, code)
    return _english(words) if code == "en" else words


def phrases_of(
    text: str, words: Sequence[Word], code: str, begin: int = 0, stop: int | None = None
) -> tuple[Phrase, ...]:
    """The things of a text by position, among its words from `begin` to before `stop`; "X and Y" and "X of Y" are one."""
    found: list[Phrase] = []
    at, last = begin, len(words) if stop is None else stop
    while at < last:
        end = min(_run(text, words, at), last)
        phrase = _phrase(text, words, at, end, code) if end > at else None
        if phrase is not None:
            found.append(phrase)
        at = max(end, at + 1)
    return _joined(found, words, code)


def is_question(words: Sequence[Word], code: str) -> bool:
    """Has the text what a whole question has: a word that asks or a finite verb?"""
    asking = word_list(code, "asking")
    return any(w.norm in asking or w.finite or w.norm in closed(code)["finite"] for w in words)


def _run(text: str, words: Sequence[Word], at: int) -> int:
    """Where the run of words ends that may be one thing and begins at `at`."""
    code = words[at].code
    openers = closed(code)["determiners"] | closed(code)["articles"]
    end = at
    while end < len(words):
        word = words[end]
        if end > at and text[words[end - 1].end : word.start].strip("-–’' \t\""):
            break
        if word.kind == NUMBER and len(word.norm) == _YEAR_DIGITS and end > at:
            break
        opens = word.norm in openers and word.norm not in word_list(code, "asking")
        if (opens and (end == at or words[end - 1].norm in openers)) or (
            word.kind in (ADJECTIVE, NOUN, NAME, NUMBER) and word.norm not in word_list(code, "asking")
        ):
            end += 1
        else:
            break
    return end


def _phrase(text: str, words: Sequence[Word], at: int, end: int, code: str) -> Phrase | None:
    run = list(words[at:end])
    while run and run[-1].kind == FUNCTION:
        run.pop()
    determined = bool(run) and run[0].kind == FUNCTION
    things = [word for word in run if word.kind in (NOUN, NAME, NUMBER)]
    while things and run[-1].kind == ADJECTIVE:
        run.pop()
    if not run or not (things or determined):
        return None
    first, head = run[0], run[-1]
    before = words[first.at - 1] if first.at else None
    preposition = before if before is not None and before.norm in closed(code)["prepositions"] else None
    return Phrase(
        text=text,
        start=first.start,
        end=head.end,
        opens=first.start if preposition is None else preposition.start,
        preposition="" if preposition is None else preposition.norm,
        first=first.at,
        last=head.at,
        head=head,
        head_end=head.end,
        number=_number(run, before, code),
        shape=_shape(run, code),
        asked=_asked(text[: first.start], code),
        time=any(w.norm in word_list(code, "times") for w in run),
    )


def _asked(before: str, code: str) -> bool:
    shown = " " + before.casefold().rstrip()
    return any(shown.endswith(" " + cue) for cue in (*cue_list(code, "asks_noun"), *word_list(code, "adverbial")))


def _shape(run: Sequence[Word], code: str) -> str:
    head = run[-1]
    if head.kind == NUMBER:
        return "number"
    if head.kind == NAME:
        return "name"
    if run[0].norm in word_list(code, "article"):
        return "definite" if run[0].norm == "the" else "indefinite"
    return "definite" if code == "sv" and definite(head.norm) else "indefinite"


def _number(run: Sequence[Word], before: Word | None, code: str) -> str:
    """Gender and number, by the article or the ending; "" where neither tells."""
    head, article = run[-1].norm, run[0].norm
    if code == "en":
        if article in ("a", "an") or head.endswith(("ss", "us", "is")):
            return COMMON
        return PLURAL if head.endswith("s") else COMMON
    if article in word_list(code, "plural") or (before is not None and before.norm in ("vilka", "många")):
        return PLURAL
    ended = definite(head) or (PLURAL if _plural(head) else "")
    return {"en": COMMON, "ett": NEUTER}.get(article) or ended


@lru_cache(20_000)
def definite(norm: str) -> str:
    """The gender or number that the definite form of a Swedish noun shows, "" for any other form."""
    if norm.endswith(("arna", "erna", "orna", "ena")):
        return PLURAL
    known = lemmas().listed(norm) or lemmas().by_paradigm(norm)
    endings = {"n": COMMON, "en": COMMON, "t": NEUTER, "et": NEUTER, "na": PLURAL}
    for lemma in known:
        ending = norm.removeprefix(lemma) if norm.startswith(lemma) else ""
        if ending in endings and lemmas().is_noun(lemma):
            return endings[ending]
    if known and norm in known:
        return ""
    return next((kind for end, kind in _DEFINITE if len(norm) > _SHORTEST and norm.endswith(end)), "")


def _plural(norm: str) -> bool:
    return len(norm) > 4 and norm.endswith(("ar", "or", "er"))


def _joined(found: Sequence[Phrase], words: Sequence[Word], code: str) -> tuple[Phrase, ...]:
    """Neighbours that "and" or "of" makes one thing."""
    joined: list[Phrase] = []
    for phrase in found:
        last = joined[-1] if joined else None
        between = [w.norm for w in words if last is not None and last.end <= w.start and w.end <= phrase.start]
        if last is not None and len(between) == 1 and between[0] in word_list(code, "of"):
            joined[-1] = replace(last, end=phrase.end, inner=phrase)
        elif last is not None and len(between) == 1 and between[0] in word_list(code, "joins"):
            joined[-1] = replace(last, end=phrase.end, head_end=phrase.end, number=PLURAL)
        else:
            joined.append(phrase)
    return tuple(joined)


def _english(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """English words, with the verbs that only their place tells: after "do" and its subject, "who", "which rules"."""
    settled = [_english_form(words, word) for word in words]
    helper = next((w.at for w in settled if w.norm in word_list("en", "helpers")), None)
    if helper is not None:
        _mark_verb(settled, helper + 1, "en")
    elif settled and settled[0].norm in closed("en")["be_forms"]:
        _mark_predicate(settled)
    elif len(settled) > 1 and _acts(settled):
        settled[1] = _verb(settled[1])
    elif settled and settled[0].norm in word_list("en", "asks_noun") and len(settled) > 2:
        _mark_verb(settled, 1, "en")
    for place in range(1, len(settled)):
        word, before = settled[place], settled[place - 1]
        if before.norm == "to" and word.norm in closed("en")["verb_forms"]:
            settled[place] = _verb(word)
    return tuple(settled)


def _acts(words: Sequence[Word]) -> bool:
    """Does the verb follow right after who acts ("who approves", "what happens"), since no other verb comes?"""
    later = any(word.norm in closed("en")["finite"] for word in words[1:])
    return words[0].norm in word_list("en", "actors") and words[1].kind in (NOUN, ADJECTIVE) and not later


def _english_form(words: Sequence[Word], word: Word) -> Word:
    """What an ending says too quickly: "training" is a thing where no "be" stands before it, "cancelled orders" are orders."""
    before = words[word.at - 1].norm if word.at else ""
    being = before in closed("en")["be_forms"]
    if word.kind == VERB and word.norm.endswith("ing") and not being:
        return replace(word, kind=NOUN, finite=False)
    if word.kind in (NOUN, ADJECTIVE) and (word.norm in word_list("en", "states") or word.norm.endswith(_STATES)):
        after = words[word.at + 1] if word.at + 1 < len(words) else None
        alone = after is None or after.kind == FUNCTION
        return replace(word, kind=FUNCTION if alone else ADJECTIVE)
    if word.kind == VERB and word.norm.endswith("ed") and not being:
        after = words[word.at + 1] if word.at + 1 < len(words) else None
        if after is not None and after.kind in (NOUN, NAME):
            return replace(word, kind=ADJECTIVE, finite=False)
    return word


def _mark_verb(settled: list[Word], at: int, code: str) -> None:
    """Make the verb of the run that begins at `at` one: the first word after a pronoun, else the run's last of several."""
    pronouns = closed(code)["subject_pronouns"]
    if at < len(settled) and settled[at].norm in pronouns:
        if at + 1 < len(settled) and settled[at + 1].kind in (NOUN, ADJECTIVE):
            settled[at + 1] = _verb(settled[at + 1])
        return
    run: list[int] = []
    for word in settled[at:]:
        if word.kind == FUNCTION and not (not run and word.norm in closed(code)["determiners"]):
            break
        if word.kind != FUNCTION:
            run.append(word.at)
    if len(run) > 1 and not any(settled[place].kind == VERB for place in run):
        settled[run[-1]] = _verb(settled[run[-1]])


def _mark_predicate(settled: list[Word]) -> None:
    """What is said of the subject is no part of it: "is the heat pump **noisy**"."""
    run = [word for word in settled[1:] if word.kind in (NOUN, ADJECTIVE)]
    whole = len(run) > 1 and all(w in run or w.norm in closed("en")["articles"] for w in settled[1:])
    if whole and run[-1].kind == NOUN and run[-1] is settled[-1]:
        settled[-1] = replace(run[-1], kind=FUNCTION)


def _verb(word: Word) -> Word:
    return replace(word, kind=VERB, finite=True)
