"""What does a field of a model's object say, read strictly?

A wrong type, an unknown word of a closed list and a number out of range are faults, never guessed at. Only what can mean one
thing alone is taken in another form: "true" for true, "0.8" for 0.8, one text where a list of texts is due, null for absent.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Mapping
from typing import Any

from ankare.contracts.reading import fault

MAX_TOLD = 8
"""So many names of unexpected fields are told, each of at most MAX_NAME characters."""
MAX_NAME = 40

_NUMBER = re.compile(r"[01](?:[.,][0-9]{1,12})?")
_LINES = re.compile(r"\n{3,}")


class Fields:
    """The fields of one object. Every method raises ContractError (`missing_field`, `wrong_type`, `unknown_value`,
    `out_of_range`, `too_long`) that names the field and never quotes the reply."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        self._value = value

    def unexpected(self, known: Collection[str]) -> tuple[str, ...]:
        """Names of fields that the contract does not have, as many as are worth telling."""
        return tuple(clean_text(key)[:MAX_NAME] for key in self._value if key not in known)[:MAX_TOLD]

    def has(self, name: str) -> bool:
        """Is the field there, with a value?"""
        return self._value.get(name) is not None

    def text(self, name: str, *, most: int | None = None) -> str:
        """A text that must be there, cleaned; it may be empty. More than `most` characters are a fault."""
        if not self.has(name):
            raise fault("missing_field", f"the field {name} is missing")
        text = self.optional_text(name)
        if most is not None and len(text) > most:
            raise fault("too_long", f"the field {name} has more than {most} characters")
        return text

    def optional_text(self, name: str, *, cut: int | None = None) -> str:
        """A text, cleaned, cut after `cut` characters; empty where it is absent."""
        value = self._value.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise fault("wrong_type", f"the field {name} is no text")
        return clean_text(value)[:cut]

    def texts(self, name: str, *, most: int, cut: int) -> tuple[str, ...]:
        """A list of texts without the empty ones, at most so many, each cut; empty where it is absent."""
        value = self._value.get(name)
        items = [value] if isinstance(value, str) else value
        if items is None:
            return ()
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            raise fault("wrong_type", f"the field {name} is no list of texts")
        return tuple(text[:cut] for item in items[: 4 * most] if (text := clean_text(item)))[:most]

    def items(self, name: str) -> list[Any]:
        """A list, or the one object or text that stands where a list is due; empty where it is absent."""
        value = self._value.get(name)
        if value is None:
            return []
        if isinstance(value, Mapping | str):
            return [value]
        if not isinstance(value, list):
            raise fault("wrong_type", f"the field {name} is no list")
        return value

    def flag(self, name: str) -> bool | None:
        """True or false; None where it is absent."""
        value = self._value.get(name)
        if isinstance(value, str) and value.strip().casefold() in ("true", "false"):
            return value.strip().casefold() == "true"
        if value is not None and not isinstance(value, bool):
            raise fault("wrong_type", f"the field {name} is neither true nor false")
        return value

    def share(self, name: str) -> float:
        """A number from 0 to 1 that must be there."""
        value = self._value.get(name)
        if value is None:
            raise fault("missing_field", f"the field {name} is missing")
        if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
            value = float(value.strip().replace(",", "."))
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise fault("wrong_type", f"the field {name} is no number")
        if not math.isfinite(value) or not 0 <= value <= 1:
            raise fault("out_of_range", f"the field {name} is not from 0 to 1")
        return float(value)

    def word(self, name: str, known: Collection[str]) -> str:
        """One of the known words, in any case and with spaces or hyphens for underscores; empty where it is absent."""
        value = self.optional_text(name)
        plain = re.sub(r"[\s-]+", "_", value).casefold()
        if plain and plain not in known:
            raise fault("unknown_value", f"the field {name} is none of {', '.join(sorted(known))}")
        return plain


def clean_text(text: str) -> str:
    """A text fit to go on: NFC, without control and invisible characters but line breaks, without outer space."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ").replace("\u2028", "\n")
    kept = "".join(
        char for char in unified if char == "\n" or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co")
    )
    return _LINES.sub("\n\n", unicodedata.normalize("NFC", kept)).strip()


def one_line(text: str) -> str:
    """A text on one line, single spaced."""
    return " ".join(clean_text(text).split())
