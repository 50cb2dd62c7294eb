"""Which code does a name in a table mean in this profile, and what is near it when it means none?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches

from ankare.messages.remarks import Remark, remark, some
from ankare.profile.model import Named, Profile
from ankare.profile.names import Names, plain_name

_LISTED = 5
_LOOKED_FOR = 50
_SHOWN = 60
_ALIKE = 0.72


class Known:
    """The names of a profile, each text looked up once."""

    def __init__(self, profile: Profile) -> None:
        names = Names(profile)
        self._lookups: dict[str, Callable[[str], str | None]] = {
            "metric": names.metric,
            "entity": names.entity,
            "channel": names.channel,
        }
        self._items: dict[str, tuple[Named, ...]] = {
            "metric": profile.metrics,
            "entity": profile.entities,
            "channel": profile.channels,
        }
        self._codes: dict[tuple[str, str], str | None] = {}
        self._compared = 0

    def code(self, field: str, text: str) -> str | None:
        """The code that a text means, exactly; None for none."""
        key = (field, text)
        if key not in self._codes:
            self._codes[key] = self._lookups[field](text)
        return self._codes[key]

    def unknown(self, field: str, text: str) -> Remark:
        """What to say about a text that means nothing, with the names that are near it."""
        items, named, shown = self._items[field], remark(f"field_{field}"), shortened(text)
        if not items:
            return remark("unknown_none_listed", field=named, text=shown, fields=remark(f"fields_{field}"))
        near = self._near(items, text)
        if near:
            return remark("unknown_near", field=named, text=shown, near=tuple(near))
        return remark("unknown_listed", field=named, text=shown, listed=some([item.code for item in items], _LISTED))

    def _near(self, items: Iterable[Named], text: str) -> list[str]:
        self._compared += 1
        if self._compared > _LOOKED_FOR:  # a whole column of names that nobody knows
            return []
        by_name = {plain_name(name): (name, item.code) for item in items for name in item.names}
        found = [by_name[name] for name in get_close_matches(plain_name(text)[:_SHOWN], by_name, 3, _ALIKE)]
        return [name if name == code else f"{name!r} ({code})" for name, code in found]


def shortened(text: str) -> str:
    """A text in quotes, cut where it is long."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
