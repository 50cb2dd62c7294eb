"""How does a review speak to whoever reads its ratings back? Texts of one language, `review.<key>` of its catalogue."""

from __future__ import annotations

from ankare.messages import messages


class Wording:
    """The texts of one language: "sv", "en" or "zh"."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._texts = messages(language)

    def __call__(self, key: str, **given: object) -> str:
        """The text of a key with its places filled."""
        return self._texts[f"review.{key}"].format(**given)

    def counted(self, key: str, count: int, **given: object) -> str:
        """The text for one (`<key>_one`) or for any other number of them."""
        return self(f"{key}_one" if count == 1 else key, count=count, **given)

    def faults(self, head: str, faults: list[str], most: int) -> str:
        """Faults, each on a line of its own, and how many more there are than so many."""
        more = [self("fault_more", count=len(faults) - most)] if len(faults) > most else []
        return "\n  ".join([head, *faults[:most], *more]) + "\n"
