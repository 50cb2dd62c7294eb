"""Where do the tables of characters come from? Run `python -m ankare.language.build_lookalikes` to make them again.

`packs/und/lookalikes.tsv`: characters of any script that are read as a Latin letter or a digit, by code point. Sources: the
confusables of Unicode Technical Standard 39 (as packaged by confusable-homoglyphs, MIT licence; data under the Unicode
licence), the Unicode names of characters ("LATIN LETTER SMALL CAPITAL H", "CYRILLIC SMALL LETTER HA WITH DESCENDER") and
the hand-written `packs/und/lookalikes_own.tsv`, which wins. What normalisation form KD decomposes anyway is left out. What
may be either an I or an L is listed under the digit 1, which is read as both. Letters among them are always read so;
symbols may be meant as a letter or not.

`packs/zh/variants.tsv`: a simplified character and everything that is written for it elsewhere: traditional characters with
their Taiwan and Hong Kong variants, Japanese forms, radicals. Where one character answers to several ("著": "着", "著"), all
of them meet in one row. Sources: the character dictionaries of OpenCC (Apache-2.0) and UTS 39.

Needs `pip install opencc confusable-homoglyphs`; nothing at run time does.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import as_file, files
from pathlib import Path

from ankare.language.frequencies import frequencies
from ankare.language.packs import word_map

PACKS = Path(__file__).parent / "packs"
DICTIONARIES = ("TSCharacters", "STCharacters", "TWVariants", "HKVariants")
JAPANESE = "JPShinjitaiCharacters"
_ADDED = re.compile(r" WITH .*$")
_NAMED = re.compile(
    r"(?:LATIN (?:SMALL |CAPITAL )?LETTER"
    r" (?:(?:SMALL CAPITAL|DOTLESS|TURNED|REVERSED|OPEN|SCRIPT|LONG|INSULAR|SIDEWAYS|STIRRUP) )*"
    r"|(?:NEGATIVE )?(?:SQUARED|CIRCLED) LATIN CAPITAL LETTER |REGIONAL INDICATOR SYMBOL LETTER )([A-Z])"
)
_HAN = re.compile("[\u2e80-\u2fdf\u3005-\u3007\u3041-\u30fa\u3400-\u9fff\U00020000-\U0003ffff]")

Confusables = dict[str, list[str]]


def main() -> None:
    """Write both files."""
    confusables = read_confusables()
    (PACKS / "und" / "lookalikes.tsv").write_text(lookalikes(confusables), encoding="utf-8")
    (PACKS / "zh" / "variants.tsv").write_text(variants(confusables), encoding="utf-8")


def lookalikes(confusables: Confusables) -> str:
    """Lines `letters<TAB>code points`, both sorted."""
    own = {code for codes in word_map("und", "lookalikes_own").values() for code in codes}
    rows: dict[str, list[str]] = defaultdict(list)
    for number in range(0x80, 0x110000):
        char, code = chr(number), f"{number:04X}"
        read = "" if code in own else _read_as(char, confusables)
        if len(read) == 1 or (read and unicodedata.category(char)[0] != "S"):
            rows[read].append(code)
    for read, codes in word_map("und", "lookalikes_own").items():
        rows[read].extend(codes)
    return "".join(f"{read}\t{' '.join(sorted(rows[read], key=lambda c: int(c, 16)))}\n" for read in sorted(rows))


def _read_as(char: str, confusables: Confusables) -> str:
    """The letter or digit that a reader takes a character for; empty where there is none or form KD gives it."""
    category = unicodedata.category(char)
    if category[0] not in "LNS" or category == "Sk":
        return ""
    decomposed = _decomposed(char)
    if _HAN.match(char) or (decomposed.isascii() and decomposed.isalnum()):
        return ""
    seen = confusables.get(char, [])
    direct = {other.casefold() for other in seen if other.isascii() and other.isalnum()}
    if direct & {"l", "1"}:
        return "1"
    if len(direct) == 1:
        return direct.pop()
    named = _by_name(char) or next(filter(None, map(_by_name, seen)), "")
    return "" if decomposed == named else named


def _by_name(char: str) -> str:
    """What the Unicode name says: a letter in another dress, or one of another script with something added."""
    name = unicodedata.name(char, "") if len(char) == 1 else ""
    match = _NAMED.fullmatch(_ADDED.sub("", name))
    return match[1].casefold() if match else ""


def _decomposed(char: str) -> str:
    parts = unicodedata.normalize("NFKD", char)
    return "".join(part for part in parts if unicodedata.category(part)[0] != "M").casefold() or " "


def variants(confusables: Confusables) -> str:
    """Lines `simplified<TAB>others`, sorted."""
    groups = Groups()
    for name in DICTIONARIES:
        for char, others in _dictionary(name):
            groups.join([char, *others])
    chinese = set(groups.members())
    for char, others in _dictionary(JAPANESE):
        if char not in chinese:
            groups.join([char, *others])
    for char, others in confusables.items():
        groups.join([char, *(o for o in others if _is_han(o))]) if _is_han(char) else None
    zipf = frequencies("zh").zipf
    simplified = {char for char, _ in _dictionary("STCharacters")} | {
        o for _, os in _dictionary("TSCharacters") for o in os
    }
    rows = []
    for members in groups.sets():
        first = max(sorted(members), key=lambda char: (char in simplified, zipf(char)))
        rows.append(f"{first}\t{' '.join(sorted(members - {first}))}\n")
    return "".join(sorted(rows))


def _is_han(char: str) -> bool:
    return len(char) == 1 and bool(_HAN.match(char))


class Groups:
    """Characters that belong together, directly or over others."""

    def __init__(self) -> None:
        self._group: dict[str, set[str]] = {}

    def join(self, chars: Iterable[str]) -> None:
        """Put these characters, and all that any of them belongs with, into one group."""
        joined = set[str]().union(*(self._group.get(char, {char}) for char in chars))
        self._group.update(dict.fromkeys(joined, joined))

    def members(self) -> Iterator[str]:
        """Every character seen."""
        return iter(self._group)

    def sets(self) -> list[set[str]]:
        """The groups of two characters or more."""
        return [group for group in {id(g): g for g in self._group.values()}.values() if len(group) > 1]


def read_confusables() -> Confusables:
    """From a character to those that look like it, without marks of direction."""
    data = json.loads((files("confusable_homoglyphs") / "confusables.json").read_text(encoding="utf-8"))
    plain: Callable[[str], str] = lambda text: text.replace("\u200e", "")  # noqa: E731
    return {plain(char): [plain(entry["c"]) for entry in entries] for char, entries in data.items()}


def _dictionary(name: str) -> Iterator[tuple[str, list[str]]]:
    """The entries of a dictionary of OpenCC whose keys and values are single characters."""
    with tempfile.TemporaryDirectory() as folder, as_file(files("opencc") / "clib") as home:
        target = Path(folder) / "dictionary.txt"
        source = home / "share" / "opencc" / f"{name}.ocd2"
        tool = [str(home / "bin" / "opencc_dict"), "-i", str(source), "-o", str(target), "-f", "ocd2", "-t", "text"]
        subprocess.run(tool, check=True)  # noqa: S603
        lines = target.read_text(encoding="utf-8").splitlines()
    for line in lines:
        key, _, values = line.partition("\t")
        singles = [value for value in values.split() if len(value) == 1]
        if len(key) == 1 and singles:
            yield key, singles


if __name__ == "__main__":
    main()
