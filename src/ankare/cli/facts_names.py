"""Which codes do the names mean that a list of figures is narrowed by? The profile of the home tells, where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ankare.errors import BadInputError

if TYPE_CHECKING:
    from ankare.facts.sql_store import SqlFactStore
    from ankare.profile.model import Named

_LISTED = 30
_COLUMNS = {"metric": "metric_code", "entity": "entity"}


def wanted_codes(store: SqlFactStore, home: Path, **named: str | None) -> dict[str, str]:
    """What `Fact` fields are to be for these `metric`, `entity` and `period`, each by code or any name; None is any.

    Raises BadInputError for a name that neither the profile nor the figures know.
    """
    wanted = {}
    for field, text in named.items():
        if text is not None and field == "period":
            wanted[field] = _period(text)
        elif text is not None:
            wanted[_COLUMNS[field]] = _code(store, home, field, text)
    return wanted


def _period(text: str) -> str:
    from ankare.ingest.figures.periods import period_of

    try:
        return period_of(text).value
    except ValueError as error:
        raise BadInputError(f"{error}.") from None


def _code(store: SqlFactStore, home: Path, field: str, text: str) -> str:
    from ankare.cli.facts_load import kept_profile
    from ankare.ingest.figures.known import Known

    profile = kept_profile(home)
    if profile is not None and (code := Known(profile).code(field, text)):
        return code
    held = {getattr(stored.fact, _COLUMNS[field]) for stored in store.facts()} if store.ready() else set()
    found = next((code for code in held if code.casefold() == text.casefold()), None)
    if found is not None or not (held or profile):
        return found or text
    items = () if profile is None else profile.metrics if field == "metric" else profile.entities
    raise BadInputError(f"There is no {field} {text!r}.", f"Known are {_listed(items, sorted(held))}.")


def _listed(items: Sequence[Named], held: Sequence[str]) -> str:
    """The names of the profile, and codes of figures that it does not list."""
    codes = {item.code for item in items}
    named = [item.code if item.code == item.label else f"{item.code} ({item.label})" for item in items]
    named += [code for code in held if code not in codes]
    more = f" and {len(named) - _LISTED:,} more" if len(named) > _LISTED else ""
    return f"{', '.join(named[:_LISTED])}{more}"
