"""Which statements does a text make? Sentences, list items and table rows, each with its form; every one is judged."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ankare.domain.answer import ClaimForm
from ankare.domain.document import Chunk
from ankare.gate.grounding.reading import Reading, read
from ankare.gate.grounding.words import FUNCTION, VERB, closed, is_imperative
from ankare.language.cues import whole_words
from ankare.language.languages import get_language
from ankare.language.packs import named_lists

_ITEM = re.compile(r"^\s*(?:(?P<bullet>[-*•–+])|(?P<number>\d{1,2}[.)]|[a-z]\)))\s+(?P<rest>\S.*)$")
_LIST_IN_LINE = re.compile(r"(?<=:) (?=1[.)] \S.*[,;.] (?:och |and )?2[.)] )")
_NEXT_IN_LINE = re.compile(r"(?<=[,;.]) (?:och |and )?(?=[2-9][.)] [^\W\d])")
_EMPHASIS = re.compile(r"(\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`)")
_HEADING = re.compile(r"^[\s>*_|]*(?:#{1,6}\s+)+")


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
        heading = _HEADING.match(line)
        if heading:
            lead = ""
            said = _sentences(line[heading.end() :], ClaimForm.TEXT, language)
            found.extend(each for each in said if states(read(each.claimed, language)))
            continue
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
    for line in _items_apart(text).splitlines():
        if not line.strip():
            lines.append("")
        elif lines and lines[-1] and not _ITEM.match(line) and not _ITEM.match(lines[-1]) and line[:1].islower():
            lines[-1] = f"{lines[-1]} {line.strip()}"
        else:
            lines.append(line.strip())
    return [line for line in lines if line]


def _items_apart(text: str) -> str:
    """The text with a list that is written on in one line ("contains: 1. a plan, 2. a budget") as lines."""
    lines = []
    for line in text.splitlines():
        lead, mark, items = _LIST_IN_LINE.sub("\n", line, count=1).partition("\n")
        lines += [lead, *_NEXT_IN_LINE.sub("\n", items).splitlines()] if mark else [line]
    return "\n".join(lines)


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


def states(reading: Reading) -> bool:
    """Does a text state anything by itself? It has a verb, or is a row of cells. A bare word ("The board") would state whatever
    the question asks for, as a heading it states nothing."""
    verbs = closed(reading.code)["verb_forms"]
    first = reading.words[0] if len(reading.words) > 1 else None
    orders = first is not None and first.kind != FUNCTION and is_imperative(first.norm, reading.code)
    return orders or " | " in reading.text or any(word.finite or word.norm in verbs for word in reading.words)


def harmless_lead(lead: str, language: str) -> bool:
    """Do the words over a list only introduce it, so that an item that is a sentence may stand for itself?

    They neither deny nor set a condition, have no verb of weight ("rejected:"), and do not wait for the item ("consists of:").
    """
    reading = read(lead, language)
    grammar = closed(reading.code)
    denies = grammar["negators"] | grammar["without"] | grammar["conditional"] | grammar["denials"]
    waits = grammar["prepositions"] | grammar["auxiliaries"] | grammar["infinitive_mark"] | grammar["articles"]
    if not reading.words or reading.words[-1].norm in waits:
        return False
    return not any(word.norm in denies or (word.kind == VERB and word.weight >= CARRIES) for word in reading.words)


CARRIES = 0.3
"""From this weight on a verb says something of its own."""


def lists_of(chunk: Chunk) -> list[int]:
    """For each sentence of a chunk the number of the list that it is an item of, or the words over, 0 for none."""
    found: list[int] = []
    lead = 0
    count = 0
    for number, sentence in enumerate(chunk.sentences):
        if _MARK.search(chunk.text, max(0, sentence.start - 12), sentence.start):
            if not count or not found or found[-1] == 0:
                count += 1
            if lead and found[lead - 1] == 0:
                found[lead - 1] = count
            found.append(count)
            continue
        lead = number + 1 if chunk.sentence_text(sentence).rstrip().endswith(":") else 0
        found.append(0)
    return found


_MARK = re.compile(r"(?:^|\n)[ \t]*(?:[-*•–+]|\d{1,2}[.)]|[a-z]\))[ \t]+$")
