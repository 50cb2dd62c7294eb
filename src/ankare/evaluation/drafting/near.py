"""Which questions sound as if the documents answered them, and are not answered there, as far as words can tell?

A question that the documents answer is asked of another thing that they speak of, and never together with what is asked; and
something that people ask of most things is asked of one where no passage tells it. Words cannot tell all: what a document says
in other words has to be seen by a person.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import cycle

from ankare.domain.question import QuestionType
from ankare.evaluation.drafting.asked import LIKELY
from ankare.evaluation.drafting.clause import bare
from ankare.evaluation.drafting.corpus import Corpus
from ankare.evaluation.drafting.draft import OUT_OF_DOMAIN, Draft
from ankare.evaluation.drafting.things import Thing, noun_at, things_of
from ankare.evaluation.drafting.words import Attribute
from ankare.language.languages import get_language
from ankare.language.packs import named_lists

Turn = Callable[[str], str]
VARIED = (QuestionType.RESPONSIBILITY, QuestionType.TIME, QuestionType.LIST, QuestionType.PURPOSE)
NEAR = "near"
OFTEN = 2
"""Things that are named so often come first: a corpus is more likely to be asked about them."""


def near_misses(known: Sequence[Draft], corpus: Corpus, code: str, turn: Turn) -> Iterator[Draft]:
    """Near misses: two by an exchange of things, then one by what is asked of most things. `turn` orders by a seed."""
    things = _things(known, corpus, code)
    used: Counter[str] = Counter()
    exchanged = _exchanged(known, things, corpus, code, turn, used)
    attributed = _attributed(things, corpus, code, turn, used)
    yield from _in_turn(exchanged, exchanged, attributed)


def _in_turn(*sources: Iterator[Draft]) -> Iterator[Draft]:
    spent = 0
    for source in cycle(sources):
        draft = next(source, None)
        spent = 0 if draft is not None else spent + 1
        if draft is not None:
            yield draft
        elif spent >= len(sources):
            return


def _things(known: Sequence[Draft], corpus: Corpus, code: str) -> Mapping[str, Thing]:
    speaker = corpus.speaker(code)
    if speaker.grammar is not None:
        chunks = [chunk for chunk in corpus.chunks if chunk.language == code]
        return things_of(chunks, speaker.grammar, speaker.nouns)
    topics = [draft.topic for draft in known if draft.language == code and draft.topic]
    return {
        topic: Thing(topic, party=False, person=False, action=False, plural=False, neuter=False, roles=frozenset())
        for topic in topics
    }


def _exchanged(
    known: Sequence[Draft], things: Mapping[str, Thing], corpus: Corpus, code: str, turn: Turn, used: Counter[str]
) -> Iterator[Draft]:
    """Known questions about another thing that the same is done with elsewhere, or where the question fits anything."""
    for draft in known:
        asks_of = (
            draft.language == code and draft.type in VARIED and not draft.headed and draft.question.count("?") == 1
        )
        noun = _noun_of(draft.question, corpus, code) if asks_of else ""
        if noun not in things:
            continue
        thing = things[noun]
        predicate = _predicate(draft.question, noun, corpus, code)
        fits_any = any(words in draft.question for words in corpus.speaker(code).words.absent("fits_any"))
        others = [
            other
            for other in things.values()
            if other.noun not in draft.question
            and other.form == thing.form
            and (fits_any or other.closeness(thing) > (not thing.party))
            and _apart(other.noun, predicate, draft.type, corpus, code)
            and not _kin(other.noun, noun, corpus, code)
        ]
        if predicate and others:
            other = min(
                others, key=lambda one: (used[one.noun], -one.closeness(thing), turn(draft.question + one.noun))
            )
            used[other.noun] += 1
            question = re.sub(rf"\b{re.escape(noun)}\b", other.noun, draft.question)
            doubt = f"no passage speaks of {other.noun!r} together with what is asked"
            yield Draft(
                question,
                OUT_OF_DOMAIN,
                code,
                LIKELY,
                made_from=draft.question,
                stem=NEAR,
                doubt=doubt,
                topic=other.noun,
            )


def _noun_of(question: str, corpus: Corpus, code: str) -> str:
    """The thing that a question is about: its only definite noun or its last, with nothing after it that belongs to it."""
    speaker, tokens = corpus.speaker(code), question.rstrip("?").split()
    if (
        speaker.grammar is None
        or not speaker.grammar.simple(tokens)
        or tokens[0] in speaker.words.words("gives_reason")
    ):
        return ""
    found = [(at, noun) for at in range(1, len(tokens)) if (noun := noun_at(tokens, at, speaker.nouns))]
    if not found:
        return ""
    at, noun = found[-1]
    before, after = bare(tokens[at - 1]), tokens[at + len(noun.split()) :][:1]
    told_more = bool(after) and bare(after[0]) in speaker.grammar.prepositions - speaker.words.words("particles")
    bound = before.endswith(("a", "e")) and not (speaker.grammar.finite(before) or speaker.grammar.infinitive(before))
    return "" if told_more or (code == "sv" and bound) else noun


def _predicate(question: str, noun: str, corpus: Corpus, code: str) -> list[frozenset[str]]:
    """The terms of each word that says what is asked of the noun."""
    language, asking = get_language(code), corpus.speaker(code).words.asking
    rest = question.replace(noun, " ")
    words = [language.analyze(token.text) for token in language.tokens(rest) if token.text.casefold() not in asking]
    return [frozenset(word.terms) for word in words if not word.stop and word.terms]


def _apart(noun: str, predicate: list[frozenset[str]], kind: str, corpus: Corpus, code: str) -> bool:
    """Is the noun never said together with any word of what is asked? Where a duty is asked for: with no word for one?"""
    terms = corpus.terms_of_noun(noun, code)
    if not terms or not all(corpus.apart(terms, asked) for asked in predicate):
        return False
    if kind != QuestionType.RESPONSIBILITY:
        return True
    duties = " ".join(named_lists(code, "cues")["responsibility_evidence"])
    return corpus.apart(terms, frozenset(get_language(code).index_terms(duties)))


def _kin(one: str, other: str, corpus: Corpus, code: str) -> bool:
    """Does one of the nouns name the other, too, as "registret" and "medlemsregistret"?"""
    return not corpus.terms_of_noun(one, code).isdisjoint(corpus.terms_of_noun(other, code))


def _attributed(
    things: Mapping[str, Thing], corpus: Corpus, code: str, turn: Turn, used: Counter[str]
) -> Iterator[Draft]:
    """What people ask of most things, of one where no passage that speaks of it holds any word for it."""
    language, attributes = get_language(code), corpus.speaker(code).words.attributes
    ordered = sorted(things.values(), key=lambda thing: (-min(thing.times, OFTEN), turn(thing.noun)))
    told = {one: frozenset(term for word in one.words for term in language.analyze(word).terms) for one in attributes}
    left = [(one, thing) for thing in ordered for one in attributes if _fits(one, thing)]
    asked: Counter[str] = Counter()
    while left:
        one, thing = min(left, key=lambda pair: (used[pair[1].noun], asked[pair[0].ask]))
        left.remove((one, thing))
        terms = corpus.terms_of_noun(thing.noun, code)
        if terms and corpus.strangers(terms, told[one]):
            used[thing.noun] += 1
            asked[one.ask] += 1
            doubt = f"no passage that speaks of {thing.noun!r} holds a word for it"
            question = one.ask.format(a=thing.noun)
            yield Draft(question, OUT_OF_DOMAIN, code, LIKELY, stem=NEAR, doubt=doubt, topic=thing.noun)


def _fits(attribute: Attribute, thing: Thing) -> bool:
    """Can this be asked of such a thing?"""
    who = thing.person if attribute.of == "person" else thing.party if attribute.of == "party" else not thing.party
    return who and not thing.plural and not thing.noun.endswith(attribute.unfit)
