"""How does a review speak to whoever reads its ratings back? Texts of one language, `review.<key>` of its catalogue."""

from __future__ import annotations

from pathlib import Path

from ankare.cite.escape import plain
from ankare.errors import BadInputError
from ankare.messages import messages


class FaultsError(BadInputError):
    """Several faults, one a line; what to do about them has a line of its own."""

    def __str__(self) -> str:
        return f"{self.message}\n{self.remedy}"


class Wording:
    """The texts of one language: "sv", "en" or "zh"."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._texts = messages(language)

    def __call__(self, key: str, **given: object) -> str:
        """The text of a key with its places filled. What is filled in may come from a file: a terminal only shows it."""
        shown = {name: plain(str(one)) if isinstance(one, str | Path) else one for name, one in given.items()}
        return self._texts[f"review.{key}"].format(**shown)

    def counted(self, key: str, count: int, **given: object) -> str:
        """The text for one (`<key>_one`) or for any other number of them."""
        return self(f"{key}_one" if count == 1 else key, count=count, **given)

    def faults(self, head: str, faults: list[str], most: int, remedy: str) -> FaultsError:
        """Faults, each on a line of its own, and how many more there are than so many."""
        more = [self("fault_more", count=len(faults) - most)] if len(faults) > most else []
        return FaultsError("\n  ".join([head, *faults[:most], *more]), remedy)

    def fault(self, key: str, remedy: str, **given: object) -> BadInputError:
        """One fault in the form of a file, and what to do about it."""
        return BadInputError(self(key, **given), self(remedy))
