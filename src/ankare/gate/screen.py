"""Can this text be used as a question at all?"""

from __future__ import annotations

import unicodedata

from ankare.errors import QuestionError

_KEPT_CONTROLS = "\n\t"


def screen(text: str, max_chars: int) -> str:
    """The question without control characters and outer white space; otherwise as the user wrote it.

    Raises QuestionError for an empty or blank question, one longer than `max_chars` characters, and one that is no valid
    Unicode text (a lone surrogate).
    """
    if len(text) > max_chars:
        raise QuestionError(f"The question has {len(text)} characters, at most {max_chars} can be read.", "Shorten it.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise QuestionError(
            "The question holds half a character (a lone surrogate).", "Send valid Unicode text."
        ) from None
    printable = text.isprintable()
    cleaned = (text if printable else "".join(char if _readable(char) else " " for char in text)).strip()
    if not cleaned:
        raise QuestionError("The question is empty.", "Write a question.")
    return cleaned


def _readable(char: str) -> bool:
    return char in _KEPT_CONTROLS or unicodedata.category(char) not in ("Cc", "Cs")
