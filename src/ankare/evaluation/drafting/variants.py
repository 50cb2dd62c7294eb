"""How would the same be asked by somebody who types badly, in a few words, or without saying what exactly?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from ankare.domain.document import UnitKind
from ankare.domain.question import QuestionType
from ankare.evaluation.drafting.asked import FAIR, LIKELY
from ankare.evaluation.drafting.corpus import Corpus
from ankare.evaluation.drafting.draft import Draft, Evidence
from ankare.language.dictionary import in_dictionary
from ankare.language.languages import get_language

SHORTEST_MISSPELT = 7
FEWEST_WORDS, MOST_WORDS = 2, 4
SHORTEST_SEARCH = 14
MOST_PLACES = 3


def misspelled(draft: Draft, corpus: Corpus) -> Iterator[Draft]:
    """The question with a slip in its longest word, in small letters; none in Chinese, none of what tells its own answer."""
    if tells_itself(draft):
        return
    words = draft.question.rstrip("?").split()
    longest = max(words, key=lambda word: (len(word), word))
    wrong = _slip(longest.casefold(), draft)
    if draft.language == "zh" or len(longest) < SHORTEST_MISSPELT or not longest.isalpha() or not wrong:
        return
    if not corpus.lacks(wrong, draft.language):
        return
    asked = " ".join(wrong if word == longest else word for word in words)
    yield replace(
        draft, question=f"{asked[:1].lower()}{asked[1:]}", type="misspelled", sure=LIKELY, made_from=draft.question
    )


def tells_itself(draft: Draft) -> bool:
    """Does a question hold all that its evidence says, as one that is answered with yes or no does?"""
    language = get_language(draft.language)
    asked = {term for token in language.tokens(draft.question) for term in language.analyze(token.text).terms}
    said = {term for held in draft.evidence for text in held.texts for term in language.index_terms(text)}
    return draft.type == QuestionType.EXISTENCE or (bool(said) and said <= asked)


def _slip(word: str, draft: Draft) -> str:
    """The word with a letter lost, a double one written once, or two changed round, which makes no other word; "" for none."""
    doubled = [word[:at] + word[at + 1 :] for at in range(2, len(word) - 1) if word[at] == word[at - 1]]
    swapped = [word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(2, len(word) - 2)]
    lost = [word[:at] + word[at + 1 :] for at in range(2, len(word) - 2)]
    slips = [slip for slip in (*doubled, *swapped, *lost) if slip != word and not in_dictionary(slip, draft.language)]
    turn = int(hashlib.sha256(word.encode()).hexdigest(), 16)
    return slips[turn % len(slips)] if slips else ""


def in_few_words(draft: Draft) -> Iterator[Draft]:
    """The words of the question that carry its meaning and stand in its evidence, and no others."""
    if draft.language == "zh" or draft.headed or tells_itself(draft):
        return
    language = get_language(draft.language)
    tokens = [token.text for token in language.tokens(draft.question)]
    said = {term for held in draft.evidence for text in held.texts for term in language.index_terms(text)}
    found = [(token, language.analyze(token)) for token in tokens]
    told = [token for token, one in found if not (one.stop or one.generic) and not said.isdisjoint(one.terms)]
    enough = sum(map(len, told)) >= SHORTEST_SEARCH
    if enough and FEWEST_WORDS <= len(told) <= min(MOST_WORDS, len(tokens) - 1):
        yield replace(draft, question=" ".join(told).lower(), type="weak", sure=FAIR, made_from=draft.question)


def ambiguous(corpus: Corpus, languages: Sequence[str]) -> Iterator[Draft]:
    """What several documents have a section on, asked about without saying more."""
    found: dict[tuple[str, str], list[Evidence]] = {}
    for (source, section), members in groupby(corpus.chunks, key=lambda chunk: (chunk.source, chunk.section)):
        chunk = next(members)
        first = next((one for one in chunk.sentences if one.kind is UnitKind.SENTENCE), None)
        if (
            not section
            or first is None
            or chunk.language not in languages
            or not chunk.sentence_text(first).endswith(".")
        ):
            continue
        heading = corpus.speaker(chunk.language).nouns.heading(section[-1])
        if heading.isalpha() and len(heading) > SHORTEST_MISSPELT and "?" not in chunk.text:
            held = found.setdefault((chunk.language, heading.casefold()), [])
            if all(one.chunk.source != source for one in held):
                held.append(Evidence(chunk, (first,)))
    for (code, heading), held in found.items():
        speaker = corpus.speaker(code)
        thing = speaker.nouns.definite(heading)
        if 1 < len(held) <= MOST_PLACES and thing and speaker.words.asks.get("about"):
            question = speaker.words.asks["about"].format(thing=thing)
            yield Draft(question, "ambiguous", code, FAIR, tuple(held), headed=True)
