"""In which single ways can a good answer be spoiled, and which measures must notice each of them?

A spoiler takes an answer as it was captured, and others to take from, and gives the spoiled ones: each is spoiled in one place,
and there are none where the answer has nothing to be spoiled in that way. Nothing else of the response is touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ankare.evaluation.captured import CitedSpan, Response, Statement
from ankare.evaluation.case import Case
from ankare.evaluation.measures.context_measures import speaks_to
from ankare.evaluation.suites.gold import parts_of


@dataclass(frozen=True, slots=True)
class Good:
    """A question with a good answer to it."""

    case: Case
    response: Response


Spoil = Callable[[Good, Sequence[Good]], Iterator[Response]]


@dataclass(frozen=True, slots=True)
class Spoiler:
    """One way to spoil. `falls`: measures that must fall; `stays`: measures that must not change."""

    name: str
    spoil: Spoil
    falls: tuple[str, ...]
    stays: tuple[str, ...]


_NUMBERS = {
    "sex": "nio",
    "tio": "sju",
    "fem": "elva",
    "fyra": "åtta",
    "tre": "sjutton",
    "två": "tretton",
    "seven": "nine",
    "four": "six",
}
_UNITS = {
    "veckor": "månader",
    "vecka": "månad",
    "arbetsdagar": "timmar",
    "månader": "år",
    "procent": "timmar",
    "kronor": "dagar",
    "weeks": "months",
    "working days": "hours",
}
_MONTHS = {"januari": "maj", "november": "oktober", "december": "februari", "juni": "augusti", "mars": "juli"}
_AFTER = "är ska får kan måste består avgör fattar börjar godkänns beskriver säger tar hanteras can is goes"


def _each(good: Good, pattern: str, put: Callable[[re.Match[str]], str]) -> Iterator[Response]:
    """For each statement that has the pattern, the response with its first place there changed; the citations as they were."""
    for at, one in enumerate(good.response.statements):
        found = re.search(pattern, one.text)
        if found:
            text = one.text[: found.start()] + put(found) + one.text[found.end() :]
            yield _with(good, at, replace(one, text=text))


def _with(good: Good, at: int, statement: Statement) -> Response:
    statements = good.response.statements
    return replace(good.response, statements=(*statements[:at], statement, *statements[at + 1 :]))


def _words(table: dict[str, str]) -> str:
    return rf"(?<!\w)(?:{'|'.join(map(re.escape, table))})(?!\w)"


def number_changed(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    return _each(
        good, rf"(?<![\w.,-])[2-9]\d*(?![\w.,-])|{_words(_NUMBERS)}", lambda m: _NUMBERS.get(m[0]) or f"{int(m[0]) + 3}"
    )


def unit_changed(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    numbers = rf"(?:\d|{'|'.join(_NUMBERS)})"
    return _each(good, rf"(?P<n>{numbers}) (?P<unit>{_words(_UNITS)})", lambda m: f"{m['n']} {_UNITS[m['unit']]}")


def date_moved(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    return _each(good, rf"{_words(_MONTHS)}|(?<!\d)20[12]\d(?!\d)", lambda m: _MONTHS.get(m[0]) or f"{int(m[0]) + 2}")


def name_swapped(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    return _each(good, r"(?<=[a-zåäö] )(?:Akta|Tråden|Björkinge|Eken)(?!\w)", lambda _: "Lyktan")


def negation_put_in(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    verbs = "|".join(_AFTER.split())
    return _each(
        good,
        rf"(?<= )(?P<verb>{verbs}) (?!inte|not)",
        lambda m: f"{m['verb']} {'not' if m['verb'] in ('can', 'is', 'goes') else 'inte'} ",
    )


def modality_turned(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    turned = {"ska": "kan", "måste": "kan", "kan": "måste", "bör": "måste", "must": "may", "may": "must", "can": "must"}
    return _each(good, rf"{_words(turned)}(?! (?:inte|not|aldrig))", lambda m: turned[m[0]])


def scope_widened(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    turned = {
        "varje": "någon",
        "alla": "några",
        "alltid": "ibland",
        "samtliga": "vissa",
        "flera": "alla",
        "några": "alla",
    }
    return _each(good, _words(turned), lambda m: turned[m[0]])


def made_exclusive(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    return _each(
        good, r"(?<= )(?:är|ska|kan|får|is|can)(?= )", lambda m: m[0] + (" only" if m[0] in "is can" else " endast")
    )


def framed_as_false(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    for at, one in enumerate(good.response.statements):
        if one.form == "text":
            lead = "It is claimed that " if good.case.language == "en" else "Det påstås felaktigt att "
            yield _with(good, at, replace(one, text=lead + one.text[:1].lower() + one.text[1:]))


def put_as_a_question(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    for at, one in enumerate(good.response.statements):
        if one.form == "text" and one.text.endswith("."):
            yield _with(good, at, replace(one, text=f"{one.text[:-1]}?"))


def sentence_invented(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    text = (
        "A foundation abroad pays every ticket in advance."
        if good.case.language == "en"
        else "Stiftelsen i fjällen betalar alla biljetter i förskott."
    )
    yield replace(good.response, statements=(*good.response.statements, Statement(text)))


def sentence_of_another_document(good: Good, others: Sequence[Good]) -> Iterator[Response]:
    """A sentence of an answer from a document that no context comes from, without its citation."""
    known = {one.source for one in good.response.context}
    for other in others:
        for one in other.response.statements:
            foreign = one.evidence and one.evidence[0].source not in known and len(one.text.split()) > 5
            if foreign and other.case.language == good.case.language:
                yield replace(good.response, statements=(*good.response.statements, Statement(one.text)))
                return


def answer_of_another_question(good: Good, others: Sequence[Good]) -> Iterator[Response]:
    for other in others:
        apart = not {_place(s) for s in _cited(other.response)} & {_place(s) for s in _cited(good.response)}
        if apart and other.case.language == good.case.language and other.case.type != good.case.type:
            yield replace(good.response, statements=other.response.statements, sources=other.response.sources)
            return


def noncommittal(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    text = (
        "The documents do not say anything about it."
        if good.case.language == "en"
        else "Det framgår inte av underlaget."
    )
    yield replace(good.response, statements=(Statement(text),))


def question_echoed(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    if good.case.type == "existence":
        return
    yield replace(good.response, statements=(Statement(good.case.question.rstrip("?") + "."),))


def said_three_times(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    yield replace(good.response, statements=good.response.statements * 3)


def contexts_pasted(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    """All that was found, behind the answer: nothing of it is false, and little of it was asked for."""
    pasted = tuple(
        Statement(one.text, (CitedSpan(one.source, one.pages, one.text, one.chunk_id),))
        for one in good.response.context
        if one.text
    )
    yield replace(good.response, statements=(*good.response.statements, *pasted))


def gold_cut_out(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    parts = parts_of(good.case)
    kept = tuple(one for one in good.response.statements if not any(_near(part.snippets, one.text) for part in parts))
    if kept and kept != good.response.statements:
        yield replace(good.response, statements=kept)


def citation_moved(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    return _evidence(good, lambda span: replace(span, pages=tuple(page + 40 for page in span.pages)))


def citation_removed(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    statements = tuple(replace(one, evidence=()) for one in good.response.statements)
    yield replace(good.response, statements=statements, sources=())


def contexts_reversed(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    relevant = _relevant(good)
    first_heavy = any(relevant) and not relevant[-1] and relevant != relevant[::-1] and relevant[0]
    if first_heavy:
        yield replace(good.response, context=good.response.context[::-1])


def gold_context_dropped(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    kept = tuple(one for one, is_gold in zip(good.response.context, _relevant(good), strict=True) if not is_gold)
    if kept and any(_relevant(good)):
        yield replace(good.response, context=kept)


def irrelevant_contexts_in_front(good: Good, others: Sequence[Good]) -> Iterator[Response]:
    foreign = [
        one
        for other in others
        for one in other.response.context
        if one not in good.response.context and not any(speaks_to(part, one, "sv") for part in parts_of(good.case))
    ][:3]
    if foreign and any(_relevant(good)):
        yield replace(good.response, context=(*foreign, *good.response.context))


def bound_turned(good: Good, _: Sequence[Good]) -> Iterator[Response]:
    turned = {"minst": "högst", "högst": "minst", "senast": "tidigast", "no more than": "at least"}
    return _each(good, rf"{_words(turned)}(?= (?:\d|{'|'.join(_NUMBERS)}))", lambda m: turned[m[0]])


def _evidence(good: Good, put: Callable[[CitedSpan], CitedSpan]) -> Iterator[Response]:
    if not any(one.evidence for one in good.response.statements):
        return
    statements = tuple(replace(one, evidence=tuple(map(put, one.evidence))) for one in good.response.statements)
    yield replace(good.response, statements=statements, sources=tuple(map(put, good.response.sources)))


def _cited(response: Response) -> list[CitedSpan]:
    return [span for one in response.statements for span in one.evidence]


def _place(span: CitedSpan) -> tuple[str, tuple[int, ...]]:
    return (span.source, span.pages)


def _relevant(good: Good) -> list[bool]:
    parts = parts_of(good.case)
    return [any(speaks_to(part, one, good.case.language) for part in parts) for one in good.response.context]


def _near(snippets: Sequence[str], text: str) -> bool:
    plain = text.casefold().rstrip(".")
    return any(plain in snippet.casefold() or snippet.casefold().rstrip(".") in plain for snippet in snippets)


FAITHFUL, RELEVANT, FACTS, FACT_SHARE = "faithfulness", "answer_relevance", "fact_recall", "fact_precision"
PRECISION, RECALL = "context_precision", "context_recall"
CITED, CITING, PAGE = "citation_recall", "citation_precision", "cited_gold_page"
CONTEXTS = (PRECISION, RECALL)

SPOILERS = (
    Spoiler("number changed", number_changed, (FAITHFUL, CITED, CITING), (RELEVANT, *CONTEXTS, PAGE)),
    Spoiler("unit changed", unit_changed, (FAITHFUL, CITED, CITING), (*CONTEXTS, PAGE)),
    Spoiler("date moved", date_moved, (FAITHFUL, CITED, CITING), (*CONTEXTS, PAGE)),
    Spoiler("at least for at most", bound_turned, (FAITHFUL, CITED, CITING), (*CONTEXTS, PAGE)),
    Spoiler("name swapped", name_swapped, (FAITHFUL, CITED, CITING), (*CONTEXTS, PAGE)),
    Spoiler("negation put in", negation_put_in, (FAITHFUL, CITED, CITING), (*CONTEXTS, PAGE)),
    Spoiler("duty for permission", modality_turned, (FAITHFUL, CITED, CITING), (*CONTEXTS, PAGE)),
    Spoiler("all for some", scope_widened, (FAITHFUL, CITED, CITING), (*CONTEXTS, PAGE)),
    Spoiler("made exclusive", made_exclusive, (FAITHFUL, CITED, CITING), (*CONTEXTS, PAGE)),
    Spoiler("told as a false claim", framed_as_false, (FAITHFUL, CITED, CITING), (*CONTEXTS, PAGE)),
    Spoiler("put as a question", put_as_a_question, (FAITHFUL, CITED, CITING), (*CONTEXTS, PAGE)),
    Spoiler("sentence invented", sentence_invented, (FAITHFUL, RELEVANT, CITED), (FACTS, *CONTEXTS, CITING, PAGE)),
    Spoiler(
        "sentence of another document",
        sentence_of_another_document,
        (FAITHFUL, CITED),
        (FACTS, *CONTEXTS, CITING, PAGE),
    ),
    Spoiler("answer of another question", answer_of_another_question, (RELEVANT, FACTS, PAGE), CONTEXTS),
    Spoiler("nothing but an excuse", noncommittal, (RELEVANT, FACTS), CONTEXTS),
    Spoiler("the question said again", question_echoed, (RELEVANT, FACTS), CONTEXTS),
    Spoiler("said three times over", said_three_times, (RELEVANT, FACT_SHARE), (FACTS, *CONTEXTS, CITING, CITED, PAGE)),
    Spoiler("contexts pasted behind it", contexts_pasted, (RELEVANT, FACT_SHARE), CONTEXTS),
    Spoiler("gold cut out", gold_cut_out, (FACTS,), (FAITHFUL, *CONTEXTS, CITING, CITED)),
    Spoiler("citations moved to other pages", citation_moved, (CITED, CITING, PAGE), (FAITHFUL, FACTS, *CONTEXTS)),
    Spoiler("citations taken away", citation_removed, (CITED, PAGE), (FAITHFUL, FACTS, *CONTEXTS)),
    Spoiler("contexts reversed", contexts_reversed, (PRECISION,), (RECALL, FAITHFUL, FACTS, CITED, CITING, PAGE)),
    Spoiler("gold context dropped", gold_context_dropped, CONTEXTS, (FACTS, CITED, CITING, PAGE)),
    Spoiler(
        "irrelevant contexts in front",
        irrelevant_contexts_in_front,
        (PRECISION,),
        (RECALL, FAITHFUL, FACTS, CITED, CITING, PAGE),
    ),
)
