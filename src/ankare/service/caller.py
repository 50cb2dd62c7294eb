"""Who asks? Set once per request, before any route runs; routes and the page read it here and nowhere else."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

from ankare.domain.access import PUBLIC, Access

_PLACE = "ankare.caller"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a request. `name`: of the key, "" without one, for logs and limits. `admin`: may change what is held."""

    name: str = ""
    access: Access = PUBLIC
    admin: bool = False


ANONYMOUS = Caller()
"""A caller without a key: reads what has no label."""


def caller_of(scope: MutableMapping[str, Any]) -> Caller:
    """The caller of a request, by its ASGI scope; anonymous where nobody has looked."""
    found = scope.get(_PLACE, ANONYMOUS)
    return found if isinstance(found, Caller) else ANONYMOUS


def set_caller(scope: MutableMapping[str, Any], caller: Caller) -> None:
    """Note who makes a request."""
    scope[_PLACE] = caller
