"""What did a chat client say? Its message comes as a text, as an object with a text in it, or as a whole conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ankare.service.problem import ProblemError

USER = "user"


def message_text(message: object) -> str:
    """The text of a chat message; of a conversation the last that its user said. Raises ProblemError (400) for anything else.

    Known are a plain text, `{"text": ...}`, `{"role": ..., "content": ...}` with a text or a list of parts as its content, and
    lists of these.
    """
    found = _text(message)
    if found is None:
        raise ProblemError(400, "question: it is not a text.", field="question")
    return found


def _text(message: object) -> str | None:
    if isinstance(message, str):
        return message
    if isinstance(message, Mapping):
        return _text(message.get("text", message.get("content"))) if message.get("role", USER) == USER else None
    if isinstance(message, Sequence) and not isinstance(message, bytes):
        return _of_list(message)
    return None


def _of_list(items: Sequence[object]) -> str | None:
    """The parts of one message joined, or the last message that a user wrote."""
    if items and all(isinstance(item, Mapping) and "role" not in item and item.get("type") == "text" for item in items):
        return "\n".join(_text(item) or "" for item in items)
    return next((text for item in reversed(items) if (text := _text(item)) is not None), None)
