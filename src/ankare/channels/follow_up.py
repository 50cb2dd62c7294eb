"""Which question is a text on its own, after the question before it?"""

from __future__ import annotations

from datetime import date

from ankare.domain.question import Understood
from ankare.profile.model import Profile


def read_follow_up(
    previous: str, text: str, profile: Profile, language: str | None = None, reference_date: date | None = None
) -> Understood:
    """The question; the text itself, unchanged, wherever it stands on its own or cannot be read as a follow-up."""
    return Understood(text)
