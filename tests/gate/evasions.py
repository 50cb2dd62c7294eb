"""How might someone write the name of a competitor so that a gate does not see it? The rules, and the set that they generate.

Every rule takes a name and gives ways to write it. Alone and two by two they are applied to every alias of `COMPETITORS`,
and each result is put into a question in Swedish, English and Chinese. The look-alikes here are written by hand, so that the
gate is not held against its own table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

COMPETITORS: dict[str, tuple[str, ...]] = {
    "Jing An": ("竞安", "中国竞安", "jingan", "jing an"),
    "Nordvik": (),
    "Axo": (),
    "Tallmo Vatten": ("tallmo",),
    "华东水务": (),
    "Bråbo Kraft": ("bråbo",),
}
CARRIERS = (
    "Vad var omsättningen för {} under 2024?",
    "{} omsättning förra året",
    "What was the revenue of {} in the third quarter?",
    "How much did {}, earn last year?",
    "请问{}去年的营收是多少？",
    "2024年{}的利润",
)
TRADITIONAL = str.maketrans("竞国华东务", "競國華東務")
SIMPLIFIED_LETTERS = frozenset("竞国华东务")
CYRILLIC = str.maketrans("aceijkoprsxyABCEHIKMOPTX", "асеіјкорѕхуАВСЕНІКМОРТХ".replace("рѕ", "рrѕ"))
GREEK = str.maketrans("aiknoptuvxAEIKNOT", "αικηορτυνχΑΕΙΚΝΟΤ")
MIXED = str.maketrans("adghijklmnorstvw", "ɑԁɡհіјκⅼмոօгѕтνԝ")
SMALL_CAPITALS = str.maketrans("abdefgijklmnortvw", "ᴀʙᴅᴇғɢɪᴊᴋʟᴍɴᴏʀᴛᴠᴡ")
DIGITS = str.maketrans("oiesa", "01354")
OTHER_DIGITS = str.maketrans("lotbg", "10789")
SYMBOLS = str.maketrans("ais", "@!$")
ACCENTS = str.maketrans("aeionrk", "áéîöňŕķ")
ZERO_WIDTH = (
    "\u200b",
    "\u200c",
    "\u200d",
    "\u2060",
    "\ufeff",
    "\u00ad",
    "\u180e",
    "\u202e",
    "\u2066",
    "\ufe0f",
    "\u3164",
)
SPACES = (" ", "  ", "\t", "\n", "\u00a0", "\u2009", "\u3000")
MARKS = (
    ".",
    "-",
    "_",
    "*",
    "·",
    "/",
    ",",
    "~",
    "|",
    "+",
    "'",
    "’",
    "•",
    "—",
    ":",
    "^",
    "=",
    "。",
    "、",
    "👍",
    "🇸🇪",
    "♥",
)

Rule = Callable[[str], list[str]]


@dataclass(frozen=True)
class Evasion:
    """A question, the name that it hides, and how."""

    question: str
    name: str
    rule: str


def between(separators: tuple[str, ...]) -> Rule:
    """The separator between all letters, then in one place only, each place in turn with another separator."""

    def apply(text: str) -> list[str]:
        everywhere = [separator.join(text) for separator in separators]
        once = [text[:i] + separators[i % len(separators)] + text[i:] for i in range(1, len(text))]
        return everywhere + once

    return apply


def swapped(table: dict[int, str] | dict[int, int]) -> Rule:
    """Letters replaced, as the name is written and in small letters; nothing where no letter changes."""
    return lambda text: [changed for base in (text, small(text)) if (changed := base.translate(table)) != base]


def small(text: str) -> str:
    """Small Latin letters; those of other scripts stay, since the small form often looks like another Latin letter."""
    return "".join(char.lower() if char < "\u0250" else char for char in text)


def large(text: str) -> str:
    """The same for capitals."""
    return "".join(char.upper() if char < "\u0250" else char for char in text)


def shifted(first_small: int, first_capital: int) -> Rule:
    """Letters a to z moved to another alphabet of Unicode."""
    letters = {ord("a") + i: chr(first_small + i) for i in range(26)}
    capitals = {ord("A") + i: chr(first_capital + i) for i in range(26)}
    return swapped({**letters, **capitals})


def alternating(text: str) -> list[str]:
    """Case changed in every way that keeps the letters."""
    odd = "".join(large(char) if i % 2 else small(char) for i, char in enumerate(text))
    even = "".join(small(char) if i % 2 else large(char) for i, char in enumerate(text))
    return [way for way in (large(text), small(text), odd, even) if way != text]


def combining(text: str) -> list[str]:
    """Loose marks on the letters."""
    return [mark.join(text) + mark for mark in ("\u0301", "\u0336", "\u0308\u0332", "\u20dd")]


def escaped(text: str) -> list[str]:
    """Letters as entities, bytes and escapes, all or the first only."""
    rest = text[1:]
    first = ord(text[0])
    return [
        "".join(f"&#{ord(char)};" for char in text),
        f"&#x{first:x};{rest}",
        "".join(f"%{byte:02X}" for byte in text.encode()),
        f"\\u{first:04x}{rest}" if first < 0x10000 else f"\\U{first:08x}{rest}",
        f"{text[0]}<b>{rest}</b>",
        f"{text[0]}&shy;{rest}",
    ]


def inflected(text: str) -> list[str]:
    """Endings of Swedish and English, and the beginnings of compounds."""
    endings = (
        "s",
        "s'",
        "'s",
        "’s",
        ":s",
        "-koncernen",
        "koncernens",
        "omsättningen",
        "-gruppens",
        " AB",
        "2024",
        "™",
        "%",
    )
    return [text + ending for ending in endings] if text.isascii() else [text + "集团", text + "公司"]


RULES: dict[str, Rule] = {
    "spaces": between(SPACES),
    "zero width": between(ZERO_WIDTH),
    "marks": between(MARKS),
    "full width": shifted(0xFF41, 0xFF21),
    "mathematical": shifted(0x1D41A, 0x1D400),
    "circled": shifted(0x24D0, 0x24B6),
    "cyrillic": swapped(CYRILLIC),
    "greek": swapped(GREEK),
    "mixed scripts": swapped(MIXED),
    "small capitals": swapped(SMALL_CAPITALS),
    "accents": swapped(ACCENTS),
    "combining marks": combining,
    "case": alternating,
    "traditional": lambda text: [text.translate(TRADITIONAL)] if SIMPLIFIED_LETTERS & set(text) else [],
    "digits": swapped(DIGITS),
    "other digits": swapped(OTHER_DIGITS),
    "symbols": swapped(SYMBOLS),
    "escapes": escaped,
    "inflected": inflected,
}
LAST = ("escapes", "inflected")
"""What can only be done after everything else."""


def aliases() -> Iterator[tuple[str, str]]:
    """Every name with each way that the profile gives to write it."""
    for name, others in COMPETITORS.items():
        for alias in (name, *others):
            yield name, alias


def evasions() -> list[Evasion]:
    """The whole set, always the same."""
    found: dict[str, Evasion] = {}
    carriers = 0
    for (name, alias), (rule, written) in product(aliases(), _ways()):
        for way in written(alias):
            question = CARRIERS[carriers % len(CARRIERS)].format(way)
            carriers += 1
            found.setdefault(question, Evasion(question, name, rule))
    return [*found.values(), *several_at_once()]


def _ways() -> list[tuple[str, Rule]]:
    """Every rule alone and every pair of two different ones."""
    pairs = [
        (f"{first} + {second}", _both(RULES[first], RULES[second]))
        for first, second in product(RULES, RULES)
        if first != second and first not in LAST
    ]
    return [*RULES.items(), *pairs]


def _both(first: Rule, second: Rule) -> Rule:
    """Some of what the second rule makes of some of what the first makes."""
    return lambda text: [changed for once in _some(first(text)) for changed in _some(second(once))]


def _some(ways: list[str]) -> list[str]:
    return [ways[0], ways[len(ways) // 2], ways[-1]] if len(ways) > 3 else ways


def several_at_once() -> list[Evasion]:
    """Two names in one question, and an alias inside another: the first by position must be told."""
    return [
        Evasion("Jämför Nordvik med A x o", "Nordvik", "several"),
        Evasion("Är a.x.o större än N0rdvik och 竞安?", "Axo", "several"),
        Evasion("比较中國競安和华东水务", "Jing An", "several"),
        Evasion("中国 竞 安2024年的营收", "Jing An", "alias inside alias"),
        Evasion("Tallmo Vattens och Nordviks vinst", "Tallmo Vatten", "several"),
        Evasion("Vad tjänar T a l l m o och T a l l m o V a t t e n?", "Tallmo Vatten", "alias inside alias"),
    ]
