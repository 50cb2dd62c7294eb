"""What is the page on which a person rates answers?

One file that opens anywhere and asks nothing of any network: its policy lets it load nothing, and run only the one script that
stands in it, told by its hash. Ratings stay in the browser until the rater saves them as a file. Every text of an answer is
escaped; without the script, the page still shows all answers.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from ankare.errors import BadInputError
from ankare.evaluation.case import Case
from ankare.evaluation.report.right import RightPart, right_parts
from ankare.evaluation.report.safe import html as escape
from ankare.evaluation.report.safe import json_block
from ankare.evaluation.report.words import Words
from ankare.evaluation.reviewing.answer import Cited, answer_html, cited_of
from ankare.evaluation.reviewing.criteria import CANNOT, SCALE, Criterion, criteria
from ankare.evaluation.reviewing.items import Item, Selection
from ankare.evaluation.scored import Outcome
from ankare.messages import messages

FORMAT = "ankare-ratings/1"
LONGEST_COMMENT = 4000
MOST_BYTES = 30_000_000
_TOLD = ("progress", "kept", "not_kept", "saved", "opened", "not_opened", "all_done", "other_rater_sure")
"""The texts that the script says."""
_OUTCOMES = {Outcome.ANSWERED: "answered", Outcome.REFUSED: "refused", Outcome.ASKED_BACK: "asked_back"}


def page(selection: Selection, language: str) -> str:
    """The page for these answers, with its own texts in this language. Raises BadInputError for one larger than MOST_BYTES."""
    texts, points = _texts(language), criteria(language)
    style, script = _asset("review.css"), _asset("review.js")
    parts = [
        "<!doctype html>",
        f'<html lang="{escape(language)}"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy())}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">',
        f"<title>{texts['title']}</title><style>{style}</style></head><body>",
        f'<a class="skip" href="#answers">{texts["skip"]}</a>',
        *_top(selection, texts, points, language),
        '<main><div id="answers">',
        *within(
            (
                _item(item, place, len(selection.items), texts, points, language)
                for place, item in enumerate(selection.items, 1)
            ),
            MOST_BYTES,
        ),
        "</div>",
        *_steps(len(selection.items), texts),
        *_saving(texts),
        "</main>",
        f'<script type="application/json" id="sheet">{_data(selection, points, language)}</script>',
        f"<script>{script}</script></body></html>",
    ]
    return "\n".join(parts) + "\n"


def within(parts: Iterable[str], most: int) -> Iterator[str]:
    """The parts, as long as they are no more than so many bytes together. Raises BadInputError."""
    size = 0
    for part in parts:
        size += len(part.encode("utf-8", "surrogatepass"))
        if size > most:
            raise too_large(most)
        yield part


def too_large(most: int) -> BadInputError:
    """What is told of a sheet that nobody could open or rate to the end."""
    told = f"The sheet would be larger than {most // 1_000_000} MB."
    return BadInputError(told, "Give --sample N to hand out so many questions, or name fewer runs.")


def policy() -> str:
    """What the page may do: its own style and script, told by their hashes, and nothing else."""
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src {_hash(_asset('review.css'))}",
            f"script-src {_hash(_asset('review.js'))}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def about(selection: Selection, language: str) -> tuple[str, ...]:
    """How many answers stand in the sheet, what of them stands apart, and what never came; plain sentences."""
    texts = messages(language)
    shown, counts = len(selection.items), {"cases": selection.cases, "total": selection.total}
    kind = "about_all" if shown == selection.total else "about_sample"
    told = [texts[f"review.{kind}"].format(shown=shown, **counts)]
    if selection.repeats:
        told.append(texts["review.about_repeats"].format(count=selection.repeats))
    words = Words(language)
    asides = {words.inside(words.aside(reason)): count for reason, count in selection.asides.items()}
    failed = {words.coded("failed", reason): count for reason, count in selection.failed.items()}
    for name, reasons in (("about_aside", asides), ("about_failed", failed)):
        if reasons:
            listed = ", ".join(f"{reason} ({count})" for reason, count in reasons.items())
            told.append(texts[f"review.{name}"].format(reasons=listed))
    return tuple(told)


def right(case: Case, language: str) -> tuple[str, ...]:
    """What the suite holds for right: the reference, figures, parts of the gold as they are scored; or that a refusal is."""
    if case.answerable is False:
        return (messages(language)["review.unanswerable"],)
    words = Words(language)
    figures = [
        " ".join(filter(None, (one.metric, one.entity, one.period, one.value, one.unit))) for one in case.expected
    ]
    parts = [_right_part(one, words) for one in right_parts(case, lambda pages: words("page", pages=pages))]
    return tuple(filter(None, (case.reference_answer, *figures, *parts)))


def _right_part(one: RightPart, words: Words) -> str:
    same = f" ({words('reference_same')}: {'; '.join(one.same)})" if one.same else ""
    return f"{one.places}: {one.snippet}{same}" if one.snippet else one.places


# --- parts


def _top(selection: Selection, texts: Mapping[str, str], points: Sequence[Criterion], language: str) -> Iterator[str]:
    yield f'<header class="top"><h1>{texts["title"]}</h1><p>{texts["intro"]}</p>'
    yield f'<noscript><p class="notice">{texts["no_script"]}</p></noscript>'
    yield f'<div class="who"><div><label for="rater">{texts["rater"]}</label>'
    yield (
        '<input type="text" id="rater" maxlength="80" autocomplete="name" spellcheck="false"'
        ' aria-describedby="rater-fault rater-hint">'
    )
    yield f'</div><button type="button" id="other" class="plain">{texts["other_rater"]}</button></div>'
    yield f'<p id="rater-fault" class="fault" role="alert" hidden>{texts["rater_missing"]}</p>'
    yield f'<p id="rater-hint" class="hint">{texts["rater_hint"]} <span id="kept"></span></p>'
    yield f"<details><summary>{texts['scale']}</summary><p>{texts['keys']}</p>{_scale(points)}</details>"
    told = "".join(f"<p>{escape(line)}</p>" for line in about(selection, language))
    yield f"<details><summary>{texts['about']}</summary>{told}</details></header>"


def _scale(points: Sequence[Criterion]) -> str:
    rows = (
        f"<dt>{escape(one.label)}</dt><dd>{escape(one.asks)}"
        f"<ol>{''.join(f'<li>{escape(anchor)}</li>' for anchor in one.anchors)}</ol></dd>"
        for one in points
    )
    return f'<dl class="scale">{"".join(rows)}</dl>'


def _item(
    item: Item, place: int, total: int, texts: Mapping[str, str], points: Sequence[Criterion], language: str
) -> str:
    own = f"i-{item.id}"
    tags = filter(None, (texts[_OUTCOMES.get(item.outcome, "answered")], escape(Words(language).type(item.case.type))))
    spoken = f' lang="{escape(item.case.language)}"' if item.case.language else ""
    return "\n".join(
        (
            f'<article class="item" data-item="{escape(item.id)}" aria-labelledby="{own}-h">',
            f'<h2 id="{own}-h" tabindex="-1">{texts["place"].format(number=place, total=total)}</h2>',
            f'<p class="tags">{" · ".join(tags)}</p>',
            f'<h3>{texts["question"]}</h3><p class="asked"{spoken}>{escape(item.case.question)}</p>',
            f'<h3>{texts["answer"]}</h3><div class="answer"{spoken}>{answer_html(item.response, own)}</div>',
            f"<h3>{texts['cited']}</h3>{_cited(cited_of(item.response), own, texts, language)}",
            _right(item.case, texts, language),
            f"<h3>{texts['ratings']}</h3>",
            *(_choices(point, own, texts) for point in points),
            f'<label for="{own}-comment">{texts["comment"]}</label>',
            f'<textarea id="{own}-comment" rows="3" maxlength="{LONGEST_COMMENT}"></textarea></article>',
        )
    )


def _cited(cited: Sequence[Cited], own: str, texts: Mapping[str, str], language: str) -> str:
    if not cited:
        return f'<p class="hint">{texts["cites_nothing"]}</p>'
    rows = []
    for one in cited:
        quotes = "".join(f"<blockquote>{escape(quote)}</blockquote>" for quote in one.quotes)
        told = quotes or f'<p class="hint">{texts["no_quote"]}</p>'
        rows.append(f'<li id="{own}-{one.number}" value="{one.number}">{escape(one.place(language))}{told}</li>')
    return f'<ol class="cited">{"".join(rows)}</ol>'


def _right(case: Case, texts: Mapping[str, str], language: str) -> str:
    lines = "".join(f"<p>{escape(line)}</p>" for line in right(case, language))
    return f"<details><summary>{texts['reference_show']}</summary>{lines}</details>" if lines else ""


def _choices(point: Criterion, own: str, texts: Mapping[str, str]) -> str:
    name, ends = f"{own}-{point.name}", f"1: {point.anchors[0]} 5: {point.anchors[-1]}"
    numbers = "".join(
        f'<label><input type="radio" name="{name}" value="{number}" data-means="{number}: {escape(anchor)}">'
        f'{number}<span class="hidden">: {escape(anchor)}</span></label>'
        for number, anchor in zip(SCALE, point.anchors, strict=True)
    )
    cannot = (
        f'<label class="cannot"><input type="radio" name="{name}" value="{CANNOT}" data-means="{texts["cannot"]}">'
        f"{texts['cannot']}</label>"
    )
    return (
        f'<fieldset data-point="{point.name}" aria-describedby="{name}-asks"><legend>{escape(point.label)}</legend>'
        f'<p class="hint" id="{name}-asks">{escape(point.asks)}</p><div class="choices">{numbers}{cannot}</div>'
        f'<p class="means" aria-hidden="true" data-ends="{escape(ends)}">{escape(ends)}</p></fieldset>'
    )


def _steps(total: int, texts: Mapping[str, str]) -> Iterator[str]:
    yield f'<nav class="steps" aria-label="{texts["steps"]}"><div class="row">'
    yield f'<button type="button" id="previous">{texts["previous"]}</button>'
    yield f'<button type="button" id="next">{texts["next"]}</button>'
    yield f'<button type="button" id="next-open" class="main">{texts["next_open"]}</button>'
    yield f'<progress id="bar" max="{total}" value="0" aria-labelledby="progress"></progress>'
    yield '<span id="progress" role="status"></span></div></nav>'


def _saving(texts: Mapping[str, str]) -> Iterator[str]:
    yield f'<section class="save" aria-labelledby="save-h"><h2 id="save-h">{texts["save"]}</h2><div class="row">'
    yield f'<button type="button" id="save-csv" class="main">{texts["save_csv"]}</button>'
    yield f'<button type="button" id="save-json">{texts["save_json"]}</button>'
    yield f'<label class="file">{texts["open_saved"]}'
    yield '<input type="file" id="open" class="hidden" accept=".json,application/json"></label></div>'
    yield '<p id="status" role="status"></p></section>'


def _data(selection: Selection, points: Sequence[Criterion], language: str) -> str:
    """What the script needs."""
    texts = messages(language)
    told = {
        "format": FORMAT,
        "id": selection.id,
        "points": [point.name for point in points],
        "cannot": CANNOT,
        "longest": LONGEST_COMMENT,
        "texts": {name: texts[f"review.{name}"] for name in _TOLD},
    }
    return json_block(told)


def _texts(language: str) -> dict[str, str]:
    """The page's own texts by their names, escaped."""
    found = messages(language).items()
    return {name.removeprefix("review."): escape(text) for name, text in found if name.startswith("review.")}


@cache
def _asset(name: str) -> str:
    return files("ankare.evaluation.reviewing").joinpath("assets", name).read_text("utf-8").strip()


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
