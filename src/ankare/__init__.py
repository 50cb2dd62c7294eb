"""ankare answers questions from your own documents, with page and sentence, and says so when they do not hold the answer.

    from ankare import open_engine
    from ankare.settings import load_settings

    reply = open_engine(load_settings(home="my-home")).ask("Vem beslutar?")

Names are imported when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ankare._version import __version__

if TYPE_CHECKING:
    from ankare.domain.answer import Answer, Refusal
    from ankare.domain.reply import Reply
    from ankare.engine import Engine
    from ankare.errors import AnkareError, BadInputError, HomeError, QuestionError
    from ankare.wiring import open_engine

_WHERE = {
    "AnkareError": "ankare.errors",
    "Answer": "ankare.domain.answer",
    "BadInputError": "ankare.errors",
    "Engine": "ankare.engine",
    "HomeError": "ankare.errors",
    "QuestionError": "ankare.errors",
    "Refusal": "ankare.domain.answer",
    "Reply": "ankare.domain.reply",
    "open_engine": "ankare.wiring",
}

__all__ = [
    "AnkareError",
    "Answer",
    "BadInputError",
    "Engine",
    "HomeError",
    "QuestionError",
    "Refusal",
    "Reply",
    "__version__",
    "open_engine",
]


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'ankare' has no attribute {name!r}")
