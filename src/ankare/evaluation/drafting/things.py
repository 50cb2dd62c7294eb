"""Which things does a corpus speak of, each by one definite noun, and what is done with or by each?

Two things that the same is done with are alike: what is asked of one may be asked of the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ankare.domain.document import Chunk, UnitKind
from ankare.evaluation.drafting.clause import Clause, Grammar, bare, is_base
from ankare.evaluation.drafting.nouns import Nouns
from ankare.evaluation.drafting.voice import suffers
from ankare.language.dictionary import is_verb_form
from ankare.language.languages import get_language

Role = tuple[str, bool]
"""The dictionary form of a verb, and whether the thing is what it is done to."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A noun as it stands in a sentence ("budgeten", "the budget"), its form, its verbs and how often it is named.

    `party`: it can decide; `person`: its ending is that of one person; `action`: its ending is that of something that is done.
    """

    noun: str
    party: bool
    person: bool
    action: bool
    plural: bool
    neuter: bool
    roles: frozenset[Role]
    times: int = 1

    @property
    def form(self) -> tuple[bool, ...]:
        """What has to be the same where one noun takes another's place."""
        return self.party, self.person, self.action, self.plural, self.neuter

    def closeness(self, other: Thing) -> int:
        """How alike two things are: 2 where the same is done with both or by both, 1 where anything is, 0 else."""
        if self.roles & other.roles:
            return 2
        return int(not {undergoes for _, undergoes in self.roles}.isdisjoint(one for _, one in other.roles))


def things_of(chunks: Iterable[Chunk], grammar: Grammar, nouns: Nouns) -> Mapping[str, Thing]:
    """The things of the sentences of one language, by their noun, in the order in which they come."""
    found: dict[str, set[Role]] = {}
    times: Counter[str] = Counter()
    for chunk in chunks:
        for sentence in chunk.sentences:
            if sentence.kind is UnitKind.SENTENCE:
                text = chunk.sentence_text(sentence)
                for noun in _named(text, grammar, nouns):
                    found.setdefault(noun, set())
                    times[noun] += 1
                for noun, role in _said(text, grammar, nouns):
                    found.setdefault(noun, set()).add(role)
                    times[noun] += 1
    return {noun: _thing(noun, frozenset(roles), times[noun], grammar) for noun, roles in found.items()}


def noun_at(tokens: list[str], at: int, nouns: Nouns) -> str:
    """The definite noun that begins with this word, without a sign after it; "" where none does."""
    if nouns.code == "en":
        return _after_the(tokens, at)
    word = tokens[at].strip(".,;:?") if at < len(tokens) else ""
    return word if nouns.is_definite(word) else ""


def _after_the(tokens: list[str], at: int) -> str:
    """ "the budget", where no further noun follows that it only describes."""
    words = [token.strip(".,;:?") for token in tokens[at : at + 2]]
    if len(words) < 2 or words[0] != "the" or not is_base(words[1].removesuffix("s")):
        return ""
    further = tokens[at + 1][-1].isalpha() and at + 2 < len(tokens) and not _is_grammar(tokens[at + 2])
    return "" if further else " ".join(words)


def _is_grammar(word: str) -> bool:
    plain = bare(word)
    return get_language("en").analyze(plain).stop or is_verb_form(plain, "en") or plain.endswith(("ed", "ly"))


def _thing(noun: str, roles: frozenset[Role], times: int, grammar: Grammar) -> Thing:
    head = noun.split()[-1]
    words = grammar.words
    person = head.endswith(words.listed("person_endings")) and not head.endswith(words.listed("firm_endings"))
    action = head.endswith(grammar.words.listed("action_endings"))
    party = person or grammar.party(head)
    return Thing(noun, party, person, action, grammar.plural(head), grammar.neuter(head), roles, times)


def _named(text: str, grammar: Grammar, nouns: Nouns) -> Iterator[str]:
    """Definite nouns that stand alone: behind a verb or a preposition, with no adjective or article."""
    tokens = text.split()
    for at in range(1, len(tokens)):
        before = bare(tokens[at - 1])
        if before in grammar.prepositions or grammar.finite(before):
            noun = noun_at(tokens, at, nouns)
            if noun and noun not in grammar.words.words("no_things"):
                yield noun


def _said(text: str, grammar: Grammar, nouns: Nouns) -> Iterator[tuple[str, Role]]:
    clause = grammar.clause(text)
    if clause is None:
        return
    verb, rest = _verb(clause, grammar)
    undergoes = suffers(clause, grammar)
    found = get_language(nouns.code).analyze(verb)
    lemma = "" if found.stop else (found.terms or ("",))[0]
    if not lemma:
        return  # "har" and "är" are said of everything
    subject = clause.subject.split()
    noun = noun_at(subject, 0, nouns)
    if noun and noun == clause.subject and noun not in grammar.words.words("no_things"):
        yield noun, (lemma, undergoes)
    skipped = 1 if rest and (bare(rest[0]) in grammar.prepositions | grammar.words.words("particles")) else 0
    thing = noun_at(rest, skipped, nouns) if not undergoes and len(rest) > skipped else ""
    if thing and thing not in grammar.words.words("no_things"):
        yield thing, (lemma, True)


def _verb(clause: Clause, grammar: Grammar) -> tuple[str, list[str]]:
    """The verb that says what is done, behind a modal one or a form of be, and what follows it."""
    tokens = [clause.verb, *clause.rest.split()]
    helping = grammar.words.words("modals") | {"is", "are", "be"}
    while len(tokens) > 1 and bare(tokens[0]) in helping:
        tokens.pop(0)
    return bare(tokens[0]), tokens[1:]
