"""How does an answer from figures read, and where do its figures stand?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ankare.cite import escape
from ankare.domain.fact import Fact
from ankare.domain.figures import FigureAnswer, FigureLine, Figures, LineKind
from ankare.messages import messages
from ankare.messages.places import said_locator


@dataclass(frozen=True, slots=True)
class FactSource:
    """One numbered place that figures of the answer stand in."""

    number: int
    doc: str
    locator: str
    label: str


def fact_sources(answer: FigureAnswer) -> tuple[FactSource, ...]:
    """The places of an answer's figures, numbered from 1 in the order in which they are first used."""
    places = dict.fromkeys((fact.source_doc_id, fact.source_locator) for fact in answer.facts)
    texts = messages(answer.language)
    return tuple(
        FactSource(number, doc, locator, _label(doc, locator, texts))
        for number, (doc, locator) in enumerate(places, start=1)
    )


def figure_blocks(answer: FigureAnswer, sources: Sequence[FactSource]) -> Iterator[str]:
    """What was assumed, the figures with the numbers of their places, and what was left out, as Markdown blocks."""
    marks = {(source.doc, source.locator): source.number for source in sources}
    yield from map(escape.markdown, answer.before)
    if answer.header:
        yield escape.markdown(answer.header)
    lines = [" ".join(filter(None, (escape.markdown(line.text), _marks(line, marks)))) for line in answer.lines]
    yield lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)
    yield from map(escape.markdown, answer.after)


def option_list(figures: Figures | None) -> str:
    """The choices that answer a question asked back, as a Markdown list."""
    if figures is None:
        return ""
    options = figures.clarification.narrowing_options
    return "\n".join(f"- {escape.markdown(option.label)}: {escape.markdown(option.question)}" for option in options)


def _label(doc: str, locator: str, texts: Mapping[str, str]) -> str:
    return texts["figures.place"].format(doc=doc, locator=said_locator(locator, texts)) if locator else doc


def _marks(line: FigureLine, marks: dict[tuple[str, str], int]) -> str:
    """The numbers of a line's places; a difference has those of the lines that it was worked out from."""
    if line.kind is LineKind.DIFFERENCE:
        return ""
    numbers = dict.fromkeys(marks[_place(fact)] for fact in line.facts)
    return " ".join(f"\\[{number}\\]" for number in numbers)


def _place(fact: Fact) -> tuple[str, str]:
    return fact.source_doc_id, fact.source_locator
