"""What did a model write that is none of the reader's business?

Two things are done to a text before it is judged. What carries no meaning goes: the list of sources that a model adds (the
application owns the only one), marks of citations, fences and decoration. What shows the inside of the machine, or what could
lead a reader elsewhere, is found and blocks the text: field names, names of agents, JSON, HTML, links, ids, parts of prompts,
characters that nobody sees. Clean prose comes back as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from ankare.gate.leak_links import without_owned_links
from ankare.gate.leaks import leaks_in
from ankare.gate.plain_text import plain_text
from ankare.gate.references import files_in
from ankare.gate.source_sections import strip_sources

LANGUAGES = ("sv", "en", "zh")
MOST_OF_A_KIND = 20
MOST_SHOWN = 80
_LINE_ENDS = re.compile("\r\n?|\u2028|\u2029")
_SOFT = str.maketrans("", "", "\u00ad")


@dataclass(frozen=True, slots=True)
class Leak:
    """Something that must not reach a reader. `text`: what was found, shortened.

    `kind`: "field", "agent", "json", "html", "link", "image", "script", "mail", "id", "prompt", "invisible" or "control".
    """

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The text as it is to be judged, what was cut off, and what blocks it."""

    text: str
    removed: tuple[str, ...] = ()
    leaks: tuple[Leak, ...] = ()


def clean(text: str, *, allowed_urls: Collection[str] = (), languages: Sequence[str] = LANGUAGES) -> Cleaned:
    """The text without what carries no meaning, and what leaks in it. `allowed_urls`: links that the index owns.

    Only what is left of the text can leak: what stands in a list of sources goes with it.
    """
    whole = _LINE_ENDS.sub("\n", text).removeprefix("\ufeff").translate(_SOFT)
    stripped = strip_sources(whole, languages)
    plain = plain_text(without_owned_links(stripped.text, allowed_urls))
    found = [leak for look in dict.fromkeys((stripped.text, plain)) for leak in leaks_in(look, allowed_urls, languages)]
    return Cleaned(plain, stripped.removed, _told(found))


def file_names(text: str) -> tuple[str, ...]:
    """The words that look like the name of a file ("Plan_v2.pdf"), in their order."""
    return files_in(text)


def _told(found: Iterable[tuple[str, str]]) -> tuple[Leak, ...]:
    """Each leak once, some of each kind."""
    told: list[Leak] = []
    counts: Counter[str] = Counter()
    for kind, text in dict.fromkeys(found):
        counts[kind] += 1
        if counts[kind] <= MOST_OF_A_KIND:
            told.append(Leak(kind, " ".join(text.split())[:MOST_SHOWN]))
    return tuple(dict.fromkeys(told))
