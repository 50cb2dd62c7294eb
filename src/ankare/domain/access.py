"""Who may read what?

A document, or a file of figures, carries at most one label; a reader carries any number. What has no label is for everyone.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Access:
    """What a reader may see: everything without a label, and what carries one of `labels`. `everything`: all there is."""

    labels: frozenset[str] = frozenset()
    everything: bool = False

    def admits(self, label: str) -> bool:
        """May something with this label ("" for none) be read?"""
        return self.everything or not label or label in self.labels


OWNER = Access(everything=True)
"""Whoever holds the home folder: the command line, and programs that open an engine themselves."""
PUBLIC = Access()
"""A reader without any label."""
