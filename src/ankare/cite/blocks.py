"""How is an answer set, whatever it is written in: what stands in one paragraph, list or table, and where are places told?

Nothing is said twice: sentences that share their places have one mark after the last of them, and a list whose items all share
theirs has it after the line that introduces the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ankare.domain.answer import Answer, Citation, Claim, ClaimForm
from ankare.domain.document import Chunk, Sentence

COLUMNS = " | "
DASH = " – "


@dataclass(frozen=True, slots=True)
class Stretch:
    """Texts that stand side by side, and the claims whose places are told after them; none where they are told elsewhere."""

    texts: tuple[str, ...]
    cited: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list. `numbers`: those that the steps have, in the document or by their order; empty for bullets."""

    items: tuple[Stretch, ...]
    numbers: tuple[int, ...] = ()

    @property
    def running(self) -> bool:
        """Does each number follow on the one before?"""
        first = self.numbers[0] if self.numbers else 0
        return bool(self.numbers) and self.numbers == tuple(range(first, first + len(self.numbers)))


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under the names of their columns. Each row is as wide as the head, one text for each cell."""

    head: tuple[str, ...]
    rows: tuple[Stretch, ...]


AnswerBlock = Paragraph | Items | Table
Place = tuple[str, int]
"""A page of a document, by the document's id."""


def places_of(claim: Claim) -> tuple[Place, ...]:
    """The pages that a claim is cited from, in the order in which they are cited."""
    return tuple(dict.fromkeys((c.chunk.document_id, page) for c in claim.citations for page in pages_of(c)))


def pages_of(citation: Citation) -> tuple[int, ...]:
    """The pages of a citation; 1 for a format without pages."""
    return citation.pages or (1,)


def answer_blocks(answer: Answer) -> Iterator[AnswerBlock]:
    """The claims as blocks: runs of one form are set together. The answer's note is not among them."""
    runs = [(form, list(run)) for form, run in groupby(answer.claims, key=lambda claim: claim.form)]
    carried: tuple[Claim, ...] = ()
    for place, (form, run) in enumerate(runs):
        if form is ClaimForm.TEXT:
            carried = _told_once(runs[place + 1][1]) if _introduces(run, runs, place) else ()
            yield from _paragraphs(run, carried)
        elif form is ClaimForm.ROW:
            for rows in _tables(run):
                yield _table(rows, told=bool(carried))
            carried = ()
        else:
            yield _list(run, told=bool(carried), numbered=form is ClaimForm.STEP)
            carried = ()


def _introduces(run: Sequence[Claim], runs: Sequence[tuple[ClaimForm, list[Claim]]], place: int) -> bool:
    return run[-1].text.rstrip().endswith((":", "：")) and place + 1 < len(runs)


def _told_once(run: Sequence[Claim]) -> tuple[Claim, ...]:
    """The items of a list whose places are all the same, so that they can be told once, after the line that introduces it."""
    found = {frozenset(places_of(claim)) for claim in run}
    return tuple(run) if len(found) == 1 and found.pop() else ()


def _paragraphs(run: Sequence[Claim], carried: tuple[Claim, ...]) -> Iterator[Paragraph]:
    """Sentences joined; a mark stands after the last of the sentences that share it, a new document starts anew."""
    stretches: list[Stretch] = []
    waiting: list[Claim] = []
    for place, claim in enumerate(run):
        following = run[place + 1] if place + 1 < len(run) else None
        waiting.append(claim)
        if following is None and carried and _may_carry(claim, carried):
            stretches.append(Stretch(_texts(waiting), (*waiting, *carried)))
            waiting = []
        elif following is None or not _same_places(claim, following):
            stretches.append(Stretch(_texts(waiting), tuple(waiting)))
            waiting = []
        if following is None or _new_document(claim, following):
            yield Paragraph((*stretches, *([Stretch(_texts(waiting))] if waiting else [])))
            stretches, waiting = [], []


def _texts(claims: Sequence[Claim]) -> tuple[str, ...]:
    return tuple(claim.text for claim in claims)


def _same_places(one: Claim, other: Claim) -> bool:
    return set(places_of(one)) == set(places_of(other))


def _may_carry(claim: Claim, carried: Sequence[Claim]) -> bool:
    return not places_of(claim) or _same_places(claim, carried[0])


def _new_document(claim: Claim, following: Claim) -> bool:
    if not claim.citations or not following.citations:
        return False
    return claim.citations[0].chunk.document_id != following.citations[0].chunk.document_id


def _list(run: Sequence[Claim], *, told: bool, numbered: bool = False) -> Items:
    numbers = tuple(_number(claim) for claim in run) if numbered else ()
    if not all(numbers):
        numbers = tuple(range(1, len(run) + 1))
    return Items(tuple(Stretch((claim.text,), () if told else (claim,)) for claim in run), numbers)


def _number(claim: Claim) -> int:
    """The number that the step has in its document; 0 where it has none."""
    markers = (sentence.marker for _, sentence in _sentences(claim))
    found = next((re.search(r"\d{1,9}", marker) for marker in markers if marker), None)
    return int(found[0]) if found else 0


def _tables(run: Sequence[Claim]) -> list[list[Claim]]:
    """Rows by the table that they stand in, in the order in which the tables are first cited."""
    tables: dict[tuple[str, int], list[Claim]] = {}
    for claim in run:
        found = next(((chunk.document_id, sentence.group) for chunk, sentence in _sentences(claim)), ("", 0))
        tables.setdefault(found, []).append(claim)
    return list(tables.values())


def _table(run: Sequence[Claim], *, told: bool) -> Table | Items:
    """Rows under the row that names the columns in the document, cited or not.

    A table without a head says little: rows whose columns have no names become a list.
    """
    head = _header(run)
    if not head:
        return _list([replace(claim, text=claim.text.replace(COLUMNS, DASH)) for claim in run], told=told)
    headed = _first_is_header(run)
    if headed:
        head = run[0].text.split(COLUMNS)
    rows = [(claim.text.split(COLUMNS), claim) for claim in run[1 if headed else 0 :]]
    width = max(len(row) for row in (head, *(cells for cells, _ in rows)))
    return Table(
        _filled(head, width), tuple(Stretch(_filled(cells, width), () if told else (claim,)) for cells, claim in rows)
    )


def _filled(cells: Sequence[str], width: int) -> tuple[str, ...]:
    return (*cells, *[""] * (width - len(cells)))


def _first_is_header(run: Sequence[Claim]) -> bool:
    return len(run) > 1 and any(sentence.header for _, sentence in _sentences(run[0]))


def _header(run: Sequence[Claim]) -> list[str]:
    """The header of the table that the rows stand in, as cells; empty where the document names no columns."""
    for chunk, sentence in (found for claim in run for found in _sentences(claim)):
        for other in chunk.sentences:
            if other.header and other.group == sentence.group:
                return chunk.sentence_text(other).split(COLUMNS)
    return []


def _sentences(claim: Claim) -> Iterator[tuple[Chunk, Sentence]]:
    """The sentences that a claim cites, with their chunks."""
    for citation in claim.citations:
        for sentence in citation.chunk.sentences:
            if sentence.start < citation.end and citation.start < sentence.end:
                yield citation.chunk, sentence
