"""Which statements does a text make? Sentences, list items and table rows, each with its form; every one is judged."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ankare.domain.answer import ClaimForm
from ankare.language.cues import whole_words
from ankare.language.languages import get_language
from ankare.language.packs import named_lists

_ITEM = re.compile(r"^\s*(?:(?P<bullet>[-*•–+])|(?P<number>\d{1,2}[.)]|[a-z]\)))\s+(?P<rest>\S.*)$")
_EMPHASIS = re.compile(r"(\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`)")
_HEADING = re.compile(r"^\s*#{1,6}\s+")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or item. `text`: as it is shown; `claimed`: without the words that only introduce it; `lead`: the words before
    the colon over an item."""

    text: str
    claimed: str
    form: ClaimForm
    lead: str = ""


def statements(text: str, language: str) -> tuple[Statement, ...]:
    """The statements of a text, in order."""
    found: list[Statement] = []
    lead = ""
    for line in _lines(text):
        if _HEADING.match(line):
            lead = ""
            continue  # a heading states nothing
        item = _ITEM.match(line)
        if item:
            form = ClaimForm.STEP if item["number"] else ClaimForm.ITEM
            found.extend(replace(each, lead=lead) for each in _sentences(item["rest"], form, language))
        else:
            said = _sentences(line, ClaimForm.TEXT, language)
            found.extend(said)
            lead = said[-1].claimed.rstrip(": ") if said and said[-1].claimed.rstrip().endswith(":") else ""
    return tuple(found)


def _lines(text: str) -> list[str]:
    """The lines, those that only wrap a paragraph joined."""
    lines: list[str] = []
    for line in text.splitlines():
        if not line.strip():
            lines.append("")
        elif lines and lines[-1] and not _ITEM.match(line) and not _ITEM.match(lines[-1]) and line[:1].islower():
            lines[-1] = f"{lines[-1]} {line.strip()}"
        else:
            lines.append(line.strip())
    return [line for line in lines if line]


def _sentences(text: str, form: ClaimForm, language: str) -> list[Statement]:
    plain = _EMPHASIS.sub("", text).strip()
    made = []
    for start, end in get_language(language).sentences(plain):
        sentence = plain[start:end]
        if any(sign.isalnum() for sign in sentence):
            made.append(Statement(sentence, without_frame(sentence, language), form))
    return made


def without_frame(sentence: str, language: str) -> str:
    """The sentence without the words that only say where it comes from or how sure it is ("according to the material, ...")."""
    pattern = whole_words(
        language, named_lists(language if language in ("sv", "en") else "en", "grammar").get("frames", ())
    )
    if pattern is None:
        return sentence
    match = pattern.match(sentence.lower())
    if not match:
        return sentence
    rest = sentence[match.end() :].lstrip(" ,:")
    return rest[:1].upper() + rest[1:] if rest else sentence
