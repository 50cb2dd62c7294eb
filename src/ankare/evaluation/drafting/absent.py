"""Which questions look as if the documents could answer them, and cannot?

Each holds a thing that no passage names, in any form or as a part of another word: a known question about another thing, a
thing that is asked of somebody whom the documents do name, and questions of quite another field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import cycle

from ankare.domain.question import QuestionType
from ankare.evaluation.drafting.asked import LIKELY, first_upper
from ankare.evaluation.drafting.corpus import Corpus
from ankare.evaluation.drafting.draft import Draft

OUT_OF_DOMAIN = "out_of_domain"
_VARIED = ("definition", "list", "process", "responsibility", "planning", "purpose")


def unanswerable(known: Sequence[Draft], corpus: Corpus, code: str) -> Iterator[Draft]:
    """Questions in a language that the documents do not answer: the nearest, near and far in turn."""
    words = corpus.speaker(code).words
    nouns = [noun for noun in words.absent("nouns") if corpus.lacks(noun, code)]
    far = [asked for asked in words.absent("far") if corpus.lacks(asked, code)]
    varied, near = _varied(known, nouns, corpus, code), _near(known, nouns, corpus, code)
    others = iter([Draft(asked, OUT_OF_DOMAIN, code, LIKELY) for asked in far])
    for kind in cycle((varied, near, others)):
        draft = next(kind, None)
        if draft is not None:
            yield draft
        elif all(next(rest, None) is None for rest in (varied, near, others)):
            return


def _varied(known: Sequence[Draft], nouns: Sequence[str], corpus: Corpus, code: str) -> Iterator[Draft]:
    """A known question about a thing that is not known, where the thing stands alone after a preposition."""
    words = corpus.speaker(code).words
    if code == "zh" or not nouns:
        return
    prepositions = "|".join(map(re.escape, words.absent("vary_after")))
    noun = r"\w+(?:en|et|an|n|t)" if code == "sv" else r"the \w+"
    pattern = re.compile(rf"(.+ (?:{prepositions})) ({noun})\?")
    later = iter(nouns)
    begun: set[str] = set()
    for draft in known:
        found = pattern.fullmatch(draft.question)
        if found and draft.language == code and draft.type in _VARIED and ". " not in draft.question:
            formal = draft.headed and draft.type != QuestionType.PURPOSE  # no user speaks in the words of headings
            if formal or found[1] in begun or words.tells_time(draft.question.rstrip("?")):
                continue
            begun.add(found[1])
            absent = next(later, None)
            if absent is None:
                return
            yield Draft(f"{found[1]} {absent}?", OUT_OF_DOMAIN, code, LIKELY, made_from=draft.question)


def _near(known: Sequence[Draft], nouns: Sequence[str], corpus: Corpus, code: str) -> Iterator[Draft]:
    """Something unknown beside a subject of the documents."""
    topics = [draft.topic for draft in known if draft.language == code and _is_topic(draft.topic, code)]
    forms = cycle(corpus.speaker(code).words.absent("near"))
    subjects = iter(dict.fromkeys(topics))
    for noun in reversed(nouns):
        form = next(forms)
        topic = next(subjects, "") if "{k}" in form else ""
        if topic or "{k}" not in form:
            yield Draft(first_upper(form.format(a=noun, k=topic)), OUT_OF_DOMAIN, code, LIKELY)


def _is_topic(topic: str, code: str) -> bool:
    """One definite noun."""
    if code == "en":
        return re.fullmatch(r"the \w+(?: \w+)?", topic) is not None
    return code == "sv" and re.fullmatch(r"\w{4,}(?:en|et|n|t)", topic) is not None
