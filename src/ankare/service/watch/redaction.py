"""What no log may hold: keys that are configured here, and whatever a text gives out as the key of a request.

A model can have seen a key (a gateway that shows it, a document that holds it) and repeat it; what it wrote goes to the logs
word for word but for these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

HIDDEN = "***"
SHORTEST = 4
"""Characters of a key that is looked for: in place of a shorter one, half of every text would be hidden."""
_GIVEN_OUT = tuple(
    (re.compile(pattern, re.IGNORECASE | re.ASCII), put)
    for pattern, put in (
        (r"\b(bearer)(?:\s|%20|\\u0020)+[\w.~+/=:-]{8,}", rf"\1 {HIDDEN}"),
        (r"\b(authorization:\s*basic)\s+[\w+/=-]{4,}", rf"\1 {HIDDEN}"),
        (r"(://[^\s/:@]{0,200}:)[^\s/@]{1,200}@", rf"\1{HIDDEN}@"),
        (r"\bank_[0-9a-f]{8}_[\w-]{20,}", HIDDEN),
    )
)
"""What no configuration has to name: values after "Bearer" and "Basic", passwords in addresses, keys of this service."""
_HINT = re.compile(r"bearer|basic|://|ank_", re.IGNORECASE | re.ASCII)
"""Each of them holds one of these: most texts of a log hold none, and are looked at once."""


class Redaction:
    """Hides secrets. Made once, used by many threads."""

    def __init__(self, secrets: Iterable[str], longest: int) -> None:
        """`longest`: characters of a text that are kept. It is cut afterwards, so that no half of a key is left at the end."""
        self._longest = longest
        stripped = {secret.strip() for secret in secrets}
        self._secrets = sorted((secret for secret in stripped if len(secret) >= SHORTEST), key=len, reverse=True)

    def text(self, text: str) -> str:
        """The text with `***` for each secret, and for whatever gives itself out as one."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        if _HINT.search(text):
            for given_out, put in _GIVEN_OUT:
                text = given_out.sub(put, text)
        return text[: self._longest]

    def value(self, value: Any) -> Any:
        """The same for every text in a value of JSON, names of fields included."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.value(name): self.value(held) for name, held in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(held) for held in value]
        return value
