"""Which metric, entity or channel does a name in a table or a tool's argument mean? Exactly, or none: never a guess."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from ankare.domain.fact import TOTAL
from ankare.profile.model import Named, Profile

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")


@lru_cache(8192)
def plain_name(name: str) -> str:
    """A name as it is compared: NFKC, case-folded, white space as one space, without invisible characters."""
    return " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFKC", name)).casefold().split())


class Names:
    """The names of a profile by their plain form."""

    def __init__(self, profile: Profile) -> None:
        self._metrics = _by_name(profile.metrics)
        self._entities = _by_name(profile.entities)
        if profile.home.company and profile.home.entity:
            self._entities.setdefault(plain_name(profile.home.company), profile.home.entity)
        self._channels = {plain_name(TOTAL): TOTAL, **_by_name(profile.channels)}

    def metric(self, name: str) -> str | None:
        """The code of a metric by code, label or alias."""
        return self._metrics.get(plain_name(name))

    def entity(self, name: str) -> str | None:
        """The code of an entity by code, label or alias."""
        return self._entities.get(plain_name(name))

    def channel(self, name: str) -> str | None:
        """The code of a channel by code, label or alias."""
        return self._channels.get(plain_name(name))


def _by_name(items: Iterable[Named]) -> dict[str, str]:
    return {plain_name(name): item.code for item in items for name in item.names}
