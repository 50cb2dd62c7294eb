"""How is what an answer cites shown in its passage, with a little around it and nothing twice?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ankare.evaluation.captured import CitedSpan
from ankare.evaluation.report.safe import shortened

LONGEST_QUOTE = 600
GAP = " … "
_BLANK = re.compile(r"[ \t]*\n\s*")
Stretch = tuple[int, int]


def passages(spans: Sequence[CitedSpan], known: Mapping[str, str], around: int) -> Iterator[list[str]]:
    """Each passage in parts: by turns what stands there and what is cited of it, beginning with the former.

    `known`: texts of chunks by their ids. `around`: characters before and after what is cited; a longer stretch between two
    citations is left out. What does not stand in a known text is a passage of its own.
    """
    of_chunk: dict[str, list[Stretch]] = {}
    for span in spans:
        at = known.get(span.chunk_id, "").find(span.text)
        if at < 0 or not around:
            yield ["", _lines(shortened(span.text, LONGEST_QUOTE))]
        else:
            of_chunk.setdefault(span.chunk_id, []).append((at, at + len(span.text)))
    for chunk_id, stretches in of_chunk.items():
        yield list(_parts(known[chunk_id], _merged(stretches), around))


def _merged(stretches: Sequence[Stretch]) -> list[Stretch]:
    """In the order of the text, those that overlap or touch as one."""
    found: list[Stretch] = []
    for start, end in sorted(stretches):
        if found and start <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _parts(text: str, cited: Sequence[Stretch], around: int) -> Iterator[str]:
    before = 0
    for place, (start, end) in enumerate(cited):
        between = text[before:start]
        if not place:
            yield _tail(between, around)
        elif len(between) > 2 * around:
            yield _lead(between, around).removesuffix(GAP.rstrip()) + _tail(between, around)
        else:
            yield _lines(between)
        yield _lines(shortened(text[start:end], LONGEST_QUOTE))
        before = end
    yield _lead(text[before:], around)


def _tail(text: str, most: int) -> str:
    """The end of a text, from the beginning of a word on."""
    return _lines(text) if len(text) <= most else GAP.lstrip() + _lines(re.sub(r"^\S*\s+", "", text[-most:]))


def _lead(text: str, most: int) -> str:
    """The beginning of a text, up to the end of a word."""
    return _lines(text) if len(text) <= most else _lines(re.sub(r"\s+\S*$", "", text[:most])) + GAP.rstrip()


def _lines(text: str) -> str:
    """The text without empty lines."""
    return _BLANK.sub("\n", text)
