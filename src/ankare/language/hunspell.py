"""Which entries of a Hunspell dictionary can a word form come from?

Follows hunspell(5): `SFX flag strip add condition` rules are applied backwards to a form, and an entry counts when it
carries the rule's flag and its stem meets the condition. Prefix rules and compound rules are not used.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

from ankare.errors import MissingExtraError
from ankare.language.wordtable import WordTable, open_table


@dataclass(frozen=True, slots=True)
class Origin:
    """A form's origin: the entry's stem (case-folded), its flags, the flag of the rule ("" for the stem itself) and what
    the rule added. `joining`: the form only stands inside compounds ("gatu", "arbets")."""

    stem: str
    flags: str
    rule: str = ""
    add: str = ""
    proper: bool = False
    joining: bool = False


@dataclass(frozen=True, slots=True)
class SuffixRule:
    """`form = stem[:-len(strip)] + add` for stems that match `condition`. `joining`: the form only begins compounds."""

    flag: str
    strip: str
    add: str
    condition: re.Pattern[str] | None
    joining: bool = False


class HunspellLexicon:
    """Look-up of forms in one dictionary. Deterministic, safe for many threads."""

    def __init__(self, table: WordTable, rules: tuple[SuffixRule, ...]) -> None:
        self._table = table
        self._rules: dict[str, list[SuffixRule]] = {}
        for rule in rules:
            self._rules.setdefault(rule.add, []).append(rule)
        self._longest = max((len(rule.add) for rule in rules), default=0)

    @property
    def table(self) -> WordTable:
        """The dictionary's lines."""
        return self._table

    def entries(self, stem: str) -> list[tuple[str, bool]]:
        """(flags, is a proper name) of each entry with this case-folded stem."""
        return [(flags, written != stem) for written, flags in self._table.lines(stem)]

    def origins(self, form: str) -> list[Origin]:
        """Every entry and rule that yields this case-folded form, stem first, then by length of the ending."""
        found = [Origin(form, flags, proper=proper, joining="Z" in flags) for flags, proper in self.entries(form)]
        seen: dict[str, list[tuple[str, bool]]] = {}
        size = len(form)
        for length in range(min(self._longest, size) + 1):
            cut = size - length
            for rule in self._rules.get(form[cut:], ()):
                stem = form[:cut] + rule.strip
                if len(stem) < 2:
                    continue
                if stem not in seen:
                    seen[stem] = self.entries(stem)
                for flags, proper in seen[stem]:
                    if rule.flag in flags and (rule.condition is None or rule.condition.search(stem)):
                        found.append(Origin(stem, flags, rule.flag, rule.add, proper, rule.joining))
        return found


@cache
def swedish_lexicon() -> HunspellLexicon:
    """The dictionary of the installed `hunspell-sv` distribution. Raises MissingExtraError without it."""
    try:
        distribution = metadata.distribution("hunspell-sv")
    except metadata.PackageNotFoundError:
        distribution = None
    files = {file.name: Path(str(file.locate())) for file in (distribution.files or [])} if distribution else {}
    if distribution is None or "sv_SE.dic" not in files or "sv_SE.aff" not in files:
        raise MissingExtraError("The Swedish lexicon (hunspell-sv) is not installed.", "Run: pip install hunspell-sv")
    table = open_table(f"hunspell-sv-{distribution.version}", files["sv_SE.dic"].read_bytes)
    return HunspellLexicon(table, read_suffix_rules(files["sv_SE.aff"].read_text(encoding="utf-8")))


def read_suffix_rules(affix_text: str) -> tuple[SuffixRule, ...]:
    """The suffix rules of an .aff file, in order. A continuation with W (`s/WXZ`) marks a joining form."""
    rules: list[SuffixRule] = []
    for line in affix_text.splitlines():
        fields = line.split()
        if len(fields) < 5 or fields[0] != "SFX":
            continue
        _, flag, strip, add, condition = fields[:5]
        strip = "" if strip == "0" else strip
        add, _, continuation = add.partition("/")
        add = "" if add == "0" else add
        pattern = None if condition == "." else re.compile(f"(?:{condition})$")
        rules.append(SuffixRule(flag, strip, add, pattern, "W" in continuation or add == "-"))
    return tuple(rules)
