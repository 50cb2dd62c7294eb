"""May this be published? The fabrication guard: no figure leaves the structured channel that the store did not give.

The model's prose is never part of an answer with figures. Where no tool gave a result, a text of the model's is let through
only if every sentence is a question or a courtesy, and it holds no figure, no name of the profile and no word of a claim.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from ankare.domain.answer import Refusal
from ankare.domain.fact import FactKey
from ankare.domain.figures import FigureAnswer, FigureLine
from ankare.language.tokens import CJK
from ankare.structured.compose import Wording, difference_line, found_line, missing_line
from ankare.structured.glossary import Glossary
from ankare.structured.phrases import fold
from ankare.structured.query_tools import FOUND, UNRECOGNIZED, QueryResult

NOT_FOUND_REASON = "not_found"
UNRECOGNIZED_REASON = "unrecognized_param"
NO_RESULT_REASON = "no_tool_result"
_MOST_CHARS = 400
_MOST_NAME = 40
_MOST_NAMED = 3
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_CJK = re.compile(f"[{CJK}]")
_MARKUP = re.compile(r"[<>\[\]{}`|\\*_#]|https?:|www\.|://")


def guarded(
    asked: Sequence[FactKey],
    results: Sequence[QueryResult],
    model_text: str,
    glossary: Glossary,
    wording: Wording,
    question: str,
) -> FigureAnswer | Refusal:
    """The answer to what was asked, made of the results alone; a refusal where none of them is found.

    `asked`: the keys in the order of the question; only results for these count as the answer.
    """
    by_key = {result.key: result for result in results if result.key is not None}
    found = [by_key[key] for key in asked if key in by_key and by_key[key].status == FOUND]
    if found:
        return _answer(asked, by_key, wording)
    texts, language = wording.texts, wording.language
    if any(key in by_key for key in asked):
        said = [texts["figures.not_found"].format(what=_named(asked, wording))]
        if any(by_key[key].awaiting for key in asked if key in by_key):
            said.append(texts["figures.awaiting"])
        return Refusal(NOT_FOUND_REASON, language, " ".join(said))
    unknown = next((result for result in results if result.status == UNRECOGNIZED), None)
    if unknown is not None:
        return unrecognized_refusal(unknown, wording, question)
    if harmless(model_text, glossary, language):
        return Refusal(NO_RESULT_REASON, language, model_text.strip())
    return Refusal(NO_RESULT_REASON, language, texts["figures.no_model_answer"])


def _named(asked: Sequence[FactKey], wording: Wording) -> str:
    """What was asked for, the first few by name."""
    names = [wording.say("inner", key) for key in asked]
    if len(names) <= _MOST_NAMED:
        return wording.listed(names)
    return wording.texts["figures.and_others"].format(what=", ".join(names[:_MOST_NAMED]))


def unrecognized_refusal(result: QueryResult, wording: Wording, question: str) -> Refusal:
    """A refusal that names the parameter; what was given for it only where the user wrote it, or it can be but a name."""
    param = wording.texts[f"figures.param_{result.param}"]
    shown = " ".join(result.raw.split())
    if shown and (shown in question or _but_a_name(shown)):
        message = wording.texts["figures.unrecognized"].format(param=param, raw=wording.quoted(shown))
    else:
        message = wording.texts["figures.unrecognized_plain"].format(param=param)
    return Refusal(UNRECOGNIZED_REASON, wording.language, message)


def harmless(text: str, glossary: Glossary, language: str) -> bool:
    """May a text of the model's stand where no tool gave a result?"""
    if not text.strip() or len(text) > _MOST_CHARS or holds_figure(text) or _MARKUP.search(text):
        return False
    plain = fold(unicodedata.normalize("NFKC", text))
    if glossary.names.find(plain, text) or glossary.gate.detect(text).external_entity:
        return False
    spoken = {language, *glossary.languages}
    if any(found.kind == "claims" for code in spoken for found in glossary.cues(code).find(plain)):
        return False
    return all(
        _asks_or_excuses(sentence, glossary, spoken) for sentence in _SENTENCE.findall(plain) if sentence.strip()
    )


def holds_figure(text: str) -> bool:
    """Does any character of the text have a numeric value, in any script (Unicode: Nd, Nl, No, and Chinese numerals)?"""
    return any(unicodedata.numeric(character, None) is not None for character in unicodedata.normalize("NFKC", text))


def _asks_or_excuses(sentence: str, glossary: Glossary, languages: set[str]) -> bool:
    if sentence.rstrip().endswith(("?", "？")):
        return True
    return any(found.kind == "courtesy" for code in languages for found in glossary.cues(code).find(sentence))


def _but_a_name(text: str) -> bool:
    """A few letters in one or two words: what a code or a name looks like, and no statement."""
    letters = all(character.isalpha() or character in " _-" for character in text)
    return (
        letters
        and len(text) <= _MOST_NAME
        and len(text.split()) <= 2
        and not _CJK.search(text)
        and not holds_figure(text)
    )


def _answer(asked: Sequence[FactKey], by_key: dict[FactKey, QueryResult], wording: Wording) -> FigureAnswer:
    lines: list[FigureLine] = []
    after: list[str] = []
    for key in asked:
        result = by_key.get(key)
        found = result is not None and result.status == FOUND
        lines.append(found_line(result, wording) if result is not None and found else missing_line(key, wording))
        if result is not None and not found and result.awaiting:
            after.append(wording.texts["figures.awaiting"])
    difference = difference_line([by_key[key] for key in asked if key in by_key], wording)
    if isinstance(difference, FigureLine):
        lines.append(difference)
    elif difference:
        after.append(difference)
    header = wording.texts["figures.header"] if len(asked) > 1 else ""
    return FigureAnswer(wording.language, tuple(lines), header, after=tuple(dict.fromkeys(after)))
