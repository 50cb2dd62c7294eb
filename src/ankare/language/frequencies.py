"""How common is a word?

Word frequencies of wordfreq (Speer 2022; code Apache-2.0, data CC BY-SA), as Zipf values: log10 of occurrences per
billion words (Van Heuven et al. 2014). Its files hold words in buckets of one hundredth of a decade:
bucket i means 10 ** (-i / 100).
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from ankare.errors import MissingExtraError
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


RAREST = 1.5
"""Rarer words count as unknown: the list is longest where it is least reliable."""


@cache
def frequencies(code: str) -> Frequencies:
    """The frequency list of a language ("sv", "en", "zh")."""
    version = metadata.version("wordfreq")
    return Frequencies(open_table(f"wordfreq-{code}-{version}-{RAREST}", lambda: _read_list(code)))


def _read_list(code: str) -> bytes:
    """The list as lines `word/bucket`, down to RAREST."""
    import msgpack  # type: ignore[import-untyped]

    spec = find_spec("wordfreq")  # importing wordfreq itself costs more than reading its file
    if spec is None or spec.origin is None:
        raise MissingExtraError("The word frequencies (wordfreq) are not installed.", "Run: pip install wordfreq")
    with gzip.open(Path(spec.origin).parent / "data" / f"large_{code}.msgpack.gz") as file:
        buckets = msgpack.unpackb(file.read(), raw=False)
    rarest = round((9.0 - RAREST) * 100)
    lines = (f"/{index}\n".join([*words, ""]) for index, words in enumerate(buckets[1 : rarest + 2]) if words)
    return "".join(lines).encode()
