"""What did a model write that is none of the reader's business?

Two things are done to a text before it is judged. What carries no meaning goes: the list of sources that a model adds (the
application owns the only one), marks of citations, fences and decoration. What shows the inside of the machine, or what could
lead a reader elsewhere, is found and blocks the text: field names, names of agents, JSON, HTML, links, ids, parts of prompts,
characters that nobody sees. Clean prose comes back as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass


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


def clean(text: str, *, allowed_urls: Collection[str] = (), languages: Sequence[str] = ("sv", "en", "zh")) -> Cleaned:
    """The text without what carries no meaning, and what leaks in it. `allowed_urls`: links that the index owns."""
    return Cleaned(text)


def file_names(text: str) -> tuple[str, ...]:
    """The words that look like the name of a file ("Plan_v2.pdf"), in their order."""
    return ()
