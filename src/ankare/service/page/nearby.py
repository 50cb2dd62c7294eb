"""Which sections does the page offer beside a refusal, and which of them answer when they are asked for?

A button must lead to text: each question is asked first, without any model, and is offered only where its answer cites the
section of that document. Another section is named, and is no button. Who asks sees what the reader sees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ankare.cite.escape import plain
from ankare.cite.markdown import section_label
from ankare.domain.answer import NearSection, Refusal
from ankare.domain.cancel import CallCancelledError
from ankare.domain.reply import Reply
from ankare.errors import AnkareError
from ankare.language.dictionary import in_dictionary, is_name
from ankare.messages import messages

_NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*\.?|[A-Z]\.)\s+")
Ask = Callable[[str], Reply]
"""Asks for the reader who was refused, without a model, and keeps no record."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A section as it is named, and the question that leads to it; "" where none does."""

    label: str
    question: str = ""


def offers_of(reply: Reply, ask: Ask) -> tuple[Offer, ...]:
    """What is offered beside a reply: nothing unless it is a refusal. Those that answer stand first."""
    outcome = reply.outcome
    if reply.answered or not isinstance(outcome, Refusal):
        return ()
    asked = reply.question.text.casefold()
    offers = [_offer(section, outcome.language, asked, ask) for section in outcome.nearby]
    return tuple(sorted(offers, key=lambda offer: not offer.question))


def _offer(section: NearSection, language: str, asked: str, ask: Ask) -> Offer:
    leading = (
        question
        for question in _questions(section, language)
        if question.casefold() != asked and _leads_to(section, question, ask)
    )
    return Offer(section_label(section, language), next(leading, ""))


def _questions(section: NearSection, language: str) -> Iterator[str]:
    texts, heading = messages(language), inside(plain(section.heading), language)
    if heading.endswith(("?", "？")):
        yield plain(section.heading)
        return
    yield texts["page.nearby_question_in"].format(section=heading, document=plain(section.title))
    yield texts["page.nearby_question"].format(section=heading)


def _leads_to(section: NearSection, question: str, ask: Ask) -> bool:
    """Does the answer cite the section? A question that cannot be asked leads nowhere."""
    try:
        found = ask(question).narrative
    except CallCancelledError:
        raise
    except AnkareError:
        return False
    cited = (citation.chunk for claim in found.claims for citation in claim.citations) if found else ()
    return any(c.document_id == section.document_id and c.section[-1:] == (section.heading,) for c in cited)


def inside(heading: str, language: str) -> str:
    """A heading as it stands inside a question: without its number, and without the capital of an ordinary word.

    A word that the dictionary does not hold is a name, and so is one with a capital after it ("Gröna Bolaget").
    """
    words = _NUMBERING.sub("", heading)
    first, *others = words.split() or [""]
    word = first.casefold().rstrip(",:")
    ordinary = first[1:].islower() and in_dictionary(word, language) and not is_name(word, language)
    return words[:1].lower() + words[1:] if ordinary and not (others and others[0][:1].isupper()) else words
