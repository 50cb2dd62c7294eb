"""Who may read what?

A document, or a file of figures, carries at most one label; a reader carries any number. What has no label is for everyone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_LABEL = re.compile("[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class Access:
    """What a reader may see: everything without a label, and what carries one of `labels`. `everything`: all there is."""

    labels: frozenset[str] = frozenset()
    everything: bool = False

    def admits(self, label: str) -> bool:
        """May something with this label ("" for none) be read?"""
        return self.everything or not label or label in self.labels

    def among(self, labels: Iterable[str]) -> frozenset[str]:
        """Those of some labels that the reader may see."""
        return frozenset(label for label in labels if self.admits(label))


OWNER = Access(everything=True)
"""Whoever holds the home folder: the command line, and programs that open an engine themselves."""
PUBLIC = Access()
"""A reader without any label."""


def checked_label(written: object) -> str:
    """A label as it is kept, in small letters. Raises ValueError that says what a label is for anything else."""
    label = written.casefold() if isinstance(written, str) else ""
    if not _LABEL.fullmatch(label):
        raise ValueError(f"{written!r} is no label: one has 1 to 64 of a-z, 0-9, - and _, the first a letter or digit")
    return label
