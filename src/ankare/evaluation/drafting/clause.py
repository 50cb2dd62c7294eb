"""Which is the subject of a sentence, which its verb, and what follows? Only where the words leave no doubt; else nothing.

For Swedish and English, where a question is the same words in another order. A question is never built on a guess: a word that
may be noun or verb ends the reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from ankare.evaluation.drafting.words import DraftWords
from ankare.language.dictionary import is_verb_form
from ankare.language.languages import get_language
from ankare.language.packs import named_lists

LONGEST_SUBJECT = 6
LONGEST_SLOT = 14
_PUNCTUATION = ".,;:!?()[]\"'”“»«–-…"
_BROKEN = re.compile(r"[|\[\]{}<>…?!\"”“»«=_]|\.\.|xx|\b(?:t ex|t\.ex|etc|osv|m m|mm|bl a|e\.g|i\.e)\b", re.IGNORECASE)
_CUT = re.compile(r"[,;:(]| [–-] ")


@dataclass(frozen=True, slots=True)
class Clause:
    """A main clause: `subject` as written, its `head`, the finite `verb`, and the `rest` without the full stop.

    `front`: what stands before the verb where that is not the subject ("Efter mötet"); `subject` and `head` are "" then, and
    `rest` begins with the subject.
    """

    subject: str
    head: str
    verb: str
    rest: str
    front: str = ""


class Grammar:
    """Reads the sentences of one language."""

    def __init__(self, words: DraftWords, lowered: Callable[[str], str]) -> None:
        self.words = words
        self.lowered = lowered
        lists = named_lists(words.code, "grammar")
        self.prepositions = frozenset(lists["prepositions"])
        mark = lists["infinitive_mark"] if words.code == "sv" else ()
        self._breaks = frozenset((*lists["subordinators"], *lists["relatives"], *mark))
        ends = self.prepositions | frozenset((*lists["coordinators"], *lists["subordinators"]))
        self._no_end = ends - words.words("particles")
        self._no_start = words.words("no_subject") | self._breaks | frozenset(lists["adverbs"]) | self.prepositions
        self._adverbs = frozenset(lists["adverbs"])
        self._asking = frozenset(lists["interrogatives"])
        self._finite = words.words("finite") | words.words("modals")
        self._pointing = words.words("pointing")
        self._pronouns = frozenset(lists["pronouns"])
        self._articles = frozenset(lists["articles"])
        self._joins = frozenset(lists["joins"])
        self._focus = frozenset(lists["focus"])
        nouns = frozenset(named_lists(words.code, "answer_kinds")["party_nouns"])
        self._parties = (nouns - self._pronouns) | words.words("parties")
        self._language = get_language(words.code)

    def clause(self, sentence: str) -> Clause | None:
        """The main clause of a sentence that begins with its subject; None where that is not sure."""
        tokens = sentence.rstrip(".").split()
        if len(tokens) < 3 or not self._may_begin(tokens[0]):
            return None
        for at in range(1, min(len(tokens), LONGEST_SUBJECT + 1)):
            if self.finite(tokens[at]):
                subject = tokens[:at]
                return self._clause(subject, tokens[at], tokens[at + 1 :]) if self._is_subject(subject) else None
            if bare(tokens[at]) in self._breaks or tokens[at - 1][-1] in _PUNCTUATION:
                return None
        return None

    def fronted(self, sentence: str) -> Clause | None:
        """The main clause behind what stands first: a time or a condition, be it a phrase or a clause of its own."""
        tokens = sentence.rstrip(".").split()
        verbs = [at for at, token in enumerate(tokens) if at and self.finite(token)]
        comma = next((at for at, token in enumerate(tokens) if token.endswith(",")), None)
        has_clause = bare(tokens[0]) in self._breaks or any(bare(token) == "att" for token in tokens[1:3])
        wanted = 2 if has_clause else 1
        if len(verbs) != wanted or verbs[-1] + 2 >= len(tokens):
            return None
        at = verbs[-1]
        if comma is not None and comma != at - 1:
            return None
        return Clause("", "", tokens[at], " ".join(tokens[at + 1 :]), " ".join(tokens[:at]).rstrip(","))

    def finite(self, word: str) -> bool:
        """Is this a finite verb in the present, and nothing else?"""
        plain = bare(word)
        if plain in self._finite:
            return True
        ending = plain.endswith(("r", "s")) if self.words.code == "sv" else plain.endswith("s")
        if len(plain) < 3 or not ending or not word[0].islower():
            return False
        return is_verb_form(plain, self.words.code) or (plain.endswith("es") and self._passive_of_a_verb(plain))

    def _passive_of_a_verb(self, plain: str) -> bool:
        """ "utses", by "utser": of some verbs only the active tells that they are none but verbs."""
        one = f"{plain[:-1]}r"
        terms = self._language.analyze(plain).terms
        return self.words.code == "sv" and is_verb_form(one, "sv") and terms == self._language.analyze(one).terms

    def first_of_two(self, rest: str) -> str:
        """What belongs to the first of two main clauses that "och" joins, each with a subject of its own; else the whole."""
        tokens = rest.split()
        for at, token in enumerate(tokens[:-2]):
            if at and token in self._joins and self.finite(tokens[at + 2]) and not self.finite(tokens[at + 1]):
                return " ".join(tokens[:at])
        return rest

    def one_subject(self, rest: str, verb: str) -> bool:
        """Has every further verb in what follows a verb the same subject, as after "och", or a clause of its own?"""
        tokens = rest.split()
        opened = next((at for at, token in enumerate(tokens) if bare(token) in self._breaks), len(tokens))
        first = 1 if verb in self.words.words("modals") else 0
        verbs = [at for at in range(first, opened) if self.finite(tokens[at])]
        return all(at and bare(tokens[at - 1]) in self._joins for at in verbs)

    def party(self, head: str) -> bool:
        """Can this noun decide something: a person, a role or a body?"""
        plain = head.casefold()
        found = self._language.analyze(plain)
        ends = plain.endswith(self.words.listed("party_endings"))
        return ends or not self._parties.isdisjoint({plain, plain.removesuffix("s"), *found.terms, *found.parts[-1:]})

    def plural(self, head: str) -> bool:
        """Is this definite noun a plural?"""
        return head.endswith(("na", "erna")) if self.words.code == "sv" else head.endswith("s")

    def neuter(self, head: str) -> bool:
        """Is this a Swedish noun of the gender that few persons have ("projektet")?"""
        return self.words.code == "sv" and head.endswith("t")

    def own(self, clause: Clause) -> frozenset[str]:
        """Pointing words that are clear beside this subject, at which they point ("sin", "their")."""
        if self.words.code == "sv":
            return self.words.words("own")
        return self.words.words("own_plural" if self.plural(clause.head) else "own")

    def infinitive(self, text: str) -> bool:
        """Does a text begin with an infinitive, as after a modal verb, but for adverbs before it?"""
        plain = next((word for word in map(bare, text.split()) if word not in self._adverbs), "")
        if self.words.code == "en":
            return is_verb_form(plain, "en") or plain in ("be", "have") or is_base(plain)
        return plain.endswith(("a", "as")) or (is_verb_form(plain, "sv") and not plain.endswith("r"))

    def simple(self, tokens: list[str]) -> bool:
        """Does no other clause begin in a question, as with "att" or "som"?"""
        return (self._breaks - self._asking).isdisjoint(map(bare, tokens[1:]))

    def takes_object(self, word: str) -> bool:
        """Does this word begin what an order is about: an article, a number, a preposition?"""
        plain = bare(word)
        return plain in self._articles or plain in self.prepositions or plain[:1].isdigit() or plain in self._breaks

    def do(self, verb: str) -> tuple[str, str]:
        """An English verb in the present as it is asked with: "lends" -> ("does", "lend"); no base where it is not sure."""
        import simplemma

        base = str(simplemma.lemmatize(verb, lang="en"))
        return ("does", base) if verb.endswith("s") and base != verb and verb.startswith(base[:-1]) else ("do", "")

    def slot(self, text: str, own: frozenset[str] = frozenset()) -> str:
        """A stretch of a sentence that can stand in a question by itself, up to what only adds to it; "" where it cannot.

        `own`: pointing words that are clear here.
        """
        cut = _CUT.split(f"{text} ", maxsplit=1)[0].strip().rstrip(".")
        tokens = cut.split()
        if not tokens or len(tokens) > LONGEST_SLOT or _BROKEN.search(cut) or self._goes_on(text[len(cut) :]):
            return ""
        plain = [bare(token) for token in tokens]
        ends_badly = plain[-1] in self._no_end | self._focus
        return "" if (self._pointing - own).intersection(plain) or ends_badly or self._hangs(plain) else cut

    def _goes_on(self, after: str) -> bool:
        """Was a list cut in two: does what follows the comma neither begin another clause nor only add to this one?"""
        if not after.lstrip().startswith(",") or not after.strip(", ."):
            return False
        first = after.strip(", ").split()[0]
        return not (self.finite(first) or bare(first) in self._breaks | self._no_end)

    def _hangs(self, plain: list[str]) -> bool:
        """Does a clause begin in it whose verb is not there any more?"""
        opens = (self._breaks - self.prepositions) | self._asking
        opened = max((at for at, word in enumerate(plain) if word in opens), default=None)
        return opened is not None and not any(is_verb_form(word, self.words.code) for word in plain[opened + 1 :])

    def _may_begin(self, word: str) -> bool:
        parts = bare(word).split("/")
        verb = is_verb_form(bare(word), self.words.code)
        return word[:1].isupper() and self._no_start.isdisjoint(parts) and not verb

    def _is_subject(self, tokens: list[str]) -> bool:
        text, plain = " ".join(tokens), [bare(token) for token in tokens]
        if any(word in self._breaks | self._asking for word in plain) or self.slot(text) != text:
            return False
        opens = self.prepositions | self._joins
        return not any(word in self._articles and before not in opens for before, word in pairwise(plain))

    def _clause(self, subject: list[str], verb: str, rest: list[str]) -> Clause:
        head = next((at for at, token in enumerate(subject) if at and bare(token) in self.prepositions), len(subject))
        return Clause(self.lowered(" ".join(subject)), bare(subject[head - 1]), verb, " ".join(rest))


def bare(word: str) -> str:
    """A word case-folded, without what stands around it."""
    return word.strip(_PUNCTUATION).casefold()


def is_base(word: str) -> bool:
    """Is this an English word without ending, and no word of grammar, so that it may be an infinitive or an imperative?"""
    import simplemma

    known = simplemma.is_known(word, lang="en") and simplemma.lemmatize(word, lang="en") == word
    return known and not get_language("en").analyze(word).stop and not word.endswith(("ed", "ing", "ly"))
