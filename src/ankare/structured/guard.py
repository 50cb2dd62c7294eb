"""May this be published? The fabrication guard: no figure leaves the structured channel that the store did not give.

The model's prose is never part of an answer with figures. Where no tool gave a result, a text of the model's is let through
only if every word of it is on the language packs' short lists of words that one asks back or excuses oneself with: there is no
figure, name or claim among them, so none can be made of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ankare.domain.answer import Refusal
from ankare.domain.fact import FactKey, Period
from ankare.domain.figures import FigureAnswer, FigureLine
from ankare.language.packs import named_lists
from ankare.structured.compose import Wording, differences, found_line, missing_line
from ankare.structured.glossary import Glossary
from ankare.structured.phrases import fold
from ankare.structured.query_tools import FOUND, UNRECOGNIZED, QueryResult

NOT_FOUND_REASON = "not_found"
UNRECOGNIZED_REASON = "unrecognized_param"
NO_RESULT_REASON = "no_tool_result"
_MOST_CHARS = 400
_MOST_NAMED = 3
_PAIR = 2
_BETWEEN_WORDS = " \t\n\r\u00a0.,;:!?。，；：！？、…-–—\"'“”‘’()（）"
_NO_MARKS = dict.fromkeys(map(ord, _BETWEEN_WORDS), " ")
_CODE = re.compile(r"[A-Z]{2,12}(?:_[A-Z]{2,12}){0,3}")


def guarded(
    asked: Sequence[FactKey],
    results: Sequence[QueryResult],
    model_text: str,
    glossary: Glossary,
    wording: Wording,
    question: str,
    *,
    compare: bool = False,
    within: Sequence[Period] = (),
    newest: Period | None = None,
) -> FigureAnswer | Refusal:
    """The answer to what was asked, made of the results alone; a refusal where none of them is found.

    `asked`: the keys in the order of the question; only results for these count as the answer. `compare`: differences
    are told for every pair of periods, not only where one pair is all that was asked for; `within`: the periods of a span, of
    which the first and the last that are found are compared. `newest`: the period for which a figure is held instead of none.
    """
    by_key = {result.key: result for result in results if result.key is not None}
    found = [by_key[key] for key in asked if key in by_key and by_key[key].status == FOUND]
    if found:
        return _answer(asked, by_key, wording, compare=compare, within=within)
    texts, language = wording.texts, wording.language
    if any(key in by_key for key in asked):
        said = [_not_found(asked, newest, wording)]
        if any(by_key[key].awaiting for key in asked if key in by_key):
            said.append(texts["figures.awaiting"])
        return Refusal(NOT_FOUND_REASON, language, " ".join(said))
    unknown = next((result for result in results if result.status == UNRECOGNIZED), None)
    if unknown is not None:
        return unrecognized_refusal(unknown, wording, question)
    if harmless(model_text, dict.fromkeys((language, *glossary.languages))):
        return Refusal(NO_RESULT_REASON, language, model_text.strip())
    return Refusal(NO_RESULT_REASON, language, texts["figures.no_model_answer"])


def _not_found(asked: Sequence[FactKey], newest: Period | None, wording: Wording) -> str:
    what = _named(asked, wording)
    if newest is None:
        return wording.texts["figures.not_found"].format(what=what)
    return wording.texts["figures.not_found_newest"].format(what=what, period=wording.period(*newest))


def _named(asked: Sequence[FactKey], wording: Wording) -> str:
    """What was asked for, the first few by name."""
    names = [wording.say("inner", key) for key in asked]
    if len(names) <= _MOST_NAMED:
        return wording.listed(names)
    return wording.texts["figures.and_others"].format(what=", ".join(names[:_MOST_NAMED]))


def unrecognized_refusal(result: QueryResult, wording: Wording, question: str) -> Refusal:
    """A refusal that names the parameter; what was given for it only where the user wrote it, or it can be but a code."""
    param = wording.texts[f"figures.param_{result.param}"]
    shown = " ".join(result.raw.split())
    if shown and (shown in question or _is_a_code(shown)):
        message = wording.texts["figures.unrecognized"].format(param=param, raw=wording.quoted(shown))
    else:
        message = wording.texts["figures.unrecognized_plain"].format(param=param)
    return Refusal(UNRECOGNIZED_REASON, wording.language, message)


def harmless(text: str, languages: Iterable[str]) -> bool:
    """Is every word of the text one that asks back or excuses, in one of the languages, and is there nothing else in it?"""
    plain = text.strip()
    if not plain or len(plain) > _MOST_CHARS:
        return False
    return any(_is_made_of(fold(plain), code) for code in languages)


def _is_made_of(text: str, language: str) -> bool:
    lists = named_lists(language, "asking")
    for phrase in sorted(lists["phrases"], key=len, reverse=True):
        edge = r"\w" if phrase.isascii() or language != "zh" else r"(?!)"
        text = re.sub(rf"(?<!{edge}){re.escape(phrase)}(?!{edge})", " ", text)
    return not text.translate(_NO_MARKS).strip()


def _is_a_code(text: str) -> bool:
    """One word of capital letters, as codes are written, that is no Roman numeral."""
    return bool(_CODE.fullmatch(text)) and not set(text) <= set("IVXLCDM")


def _answer(
    asked: Sequence[FactKey],
    by_key: dict[FactKey, QueryResult],
    wording: Wording,
    *,
    compare: bool,
    within: Sequence[Period],
) -> FigureAnswer:
    lines: list[FigureLine] = []
    after: list[str] = []
    for key in asked:
        result = by_key.get(key)
        found = result is not None and result.status == FOUND
        lines.append(found_line(result, wording) if result is not None and found else missing_line(key, wording))
        if result is not None and not found and result.awaiting:
            after.append(wording.texts["figures.awaiting"])
    known = [by_key[key] for key in asked if key in by_key]
    told = differences(known, wording, within=within) if compare or within or len(asked) == _PAIR else []
    lines += [difference for difference in told if isinstance(difference, FigureLine)]
    after += [difference for difference in told if isinstance(difference, str)]
    header = wording.texts["figures.header"] if len(asked) > 1 else ""
    return FigureAnswer(wording.language, tuple(lines), header, after=tuple(dict.fromkeys(after)))
