"""How common is a word?

Word frequencies of wordfreq (Speer 2022; code Apache-2.0, data CC BY-SA), as Zipf values: log10 of occurrences per
billion words (Van Heuven et al. 2014). Its files hold words in buckets of one hundredth of a decade:
bucket i means 10 ** (-i / 100).
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib import metadata
from pathlib import Path

from ankare.language.wordtable import WordTable, open_table


class Frequencies:
    """Zipf frequencies of one language. Safe for many threads."""

    def __init__(self, table: WordTable) -> None:
        self._table = table
        self._known: dict[str, float] = {}

    @property
    def table(self) -> WordTable:
        """The frequency list: word and bucket, most frequent first."""
        return self._table

    def zipf(self, word: str) -> float:
        """Zipf frequency of a case-folded word, 0.0 where it is not listed."""
        value = self._known.get(word)
        if value is None:
            buckets = self._table.payloads(word)
            value = self._known[word] = max(0.0, 9.0 - int(buckets[0]) / 100) if buckets else 0.0
        return value


@cache
def frequencies(code: str) -> Frequencies:
    """The frequency list of a language ("sv", "en", "zh")."""
    version = metadata.version("wordfreq")
    return Frequencies(open_table(f"wordfreq-{code}-{version}", lambda: _read_list(code)))


def _read_list(code: str) -> bytes:
    """The list as lines `word/bucket`."""
    import msgpack  # type: ignore[import-untyped]
    import wordfreq

    path = Path(wordfreq.__file__).parent / "data" / f"large_{code}.msgpack.gz"
    with gzip.open(path) as file:
        buckets = msgpack.unpackb(file.read(), raw=False)
    lines: list[str] = []
    for index, words in enumerate(buckets[1:]):
        lines.extend(f"{word}/{index}" for word in words if "/" not in word)
    return "\n".join(lines).encode()
