"""How is a secret kept out of what is kept and told, however it was written?

Bytes alone do not tell: JSON may write any sign of a text as an escape. So what is decoded is looked through too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

HIDDEN = "***"
SHORTEST_SECRET = 8
"""Characters of a secret that is hidden: a shorter one is none ("none", "test"), and would hide words of every body."""


def without_secrets(held: Any, secrets: Iterable[str]) -> Any:
    """What was decoded of JSON, with `HIDDEN` for the secrets in its texts and its names. Raises RecursionError."""
    long = tuple(secret for secret in secrets if len(secret) >= SHORTEST_SECRET)
    return _hidden(held, long) if long else held


def _hidden(held: Any, secrets: tuple[str, ...]) -> Any:
    if isinstance(held, str):
        for secret in secrets:
            held = held.replace(secret, HIDDEN)
        return held
    if isinstance(held, Mapping):
        return {_hidden(name, secrets): _hidden(value, secrets) for name, value in held.items()}
    if isinstance(held, list | tuple):
        return [_hidden(value, secrets) for value in held]
    return held


def bytes_without_secrets(data: bytes, secrets: Iterable[str]) -> bytes:
    """The same for what is not decoded."""
    for secret in secrets:
        if len(secret) >= SHORTEST_SECRET:
            data = data.replace(secret.encode(), HIDDEN.encode())
    return data
