"""Which languages does ankare speak, and which one is this text in?"""

from __future__ import annotations

from functools import cache

from ankare.errors import BadInputError
from ankare.language.chinese import Chinese
from ankare.language.detect import detect_language
from ankare.language.english import English
from ankare.language.protocol import Language
from ankare.language.swedish import Swedish
from ankare.language.wordtable import use_cache_folder

__all__ = ["LANGUAGE_CODES", "detect_language", "get_language", "use_cache_folder"]

LANGUAGE_CODES = ("sv", "en", "zh")


@cache
def get_language(code: str) -> Language:
    """The analysis of a language, one object per process. Raises BadInputError for an unknown code."""
    if code == "sv":
        return Swedish()
    if code == "en":
        return English()
    if code == "zh":
        return Chinese()
    raise BadInputError(f"There is no language '{code}'.", f"Use one of: {', '.join(LANGUAGE_CODES)}.")
