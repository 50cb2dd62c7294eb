"""What does a question say beside its slots, and does it change what is asked?

After names, periods and units are taken out, the cue words of the language pack tell numeric and narrative wordings, exclusions
("utan Kina"), ratios ("per anställd") and what stands in the place of an entity or a channel. Words that are left over are told
to the user, never dropped in silence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ankare.domain.fact import PeriodType
from ankare.language.dictionary import is_verb_form
from ankare.language.inflection import names_a_part
from ankare.language.languages import get_language
from ankare.language.packs import named_lists, word_set
from ankare.language.periods import PeriodMention
from ankare.language.tokens import CJK
from ankare.language.word_forms import word_forms
from ankare.structured.glossary import CHANNEL, ENTITY, METRIC
from ankare.structured.phrases import Found, words

_RUN = re.compile(f"[{CJK}]+")
_GAP = re.compile(r"[\s,.!?;:()\[\]\"'”“’‘、，。？！；：（）《》「」\-–—/&+%]*")
_CHANGES = ("exclusion", "ratio")
STEPS = {
    "by_half": PeriodType.HY,
    "by_tertial": PeriodType.TERTIAL,
    "by_quarter": PeriodType.QUARTER,
    "by_month": PeriodType.MONTH,
    "by_year": PeriodType.FY,
}
HIGHEST, LOWEST = RANKS = ("highest", "lowest")
_HYPHENATED = re.compile(rf"[^\W\d_{CJK}]+(?:-[^\W\d_{CJK}]+)+")
_MOST, _PAIR = 8, 2
_EVERY = {"every_entity": ENTITY, "every_channel": CHANNEL}


@dataclass(frozen=True, slots=True)
class Remains:
    """What `read_remains` found.

    `change`: a development is asked for; `compare`: that or a comparison; `compared_to`: it leads to a time. `value`: the
    question begins as one for a value does. `howto`: for a rule, a way or a definition; `difference`: for one between things.
    `at_end`: the end of a period is named for it. `every`: each entity, or each channel ("per bolag"). `step`: the type of
    period that years are to be told by ("per månad"), None where the question does not say. `excluded`: names that an
    exclusion or a ratio took ("utan **Kina**"). `rank`: one of `RANKS` where the qualifier is one; `ranks_entities`: the
    question is which entity has it.
    """

    numeric: bool
    narrative: bool
    change: bool
    compare: bool
    value: bool
    howto: bool
    difference: bool
    at_end: bool
    compared_to: bool
    every: tuple[str, ...]
    step: PeriodType | None
    qualifier: str | None
    unknown_entity: str | None
    unknown_channel: str | None
    left_out: tuple[str, ...]
    excluded: tuple[Found, ...]
    rank: str = ""
    ranks_entities: bool = False


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the question: `kind` is "word" (left over), a cue's list, the kind of a name, or "period"."""

    start: int
    end: int
    kinds: frozenset[str]
    name: Found | None = None


def read_remains(
    rest: str,
    names: Sequence[Found],
    times: Sequence[PeriodMention],
    cues: Sequence[Found],
    language: str,
    written: str,
) -> Remains:
    """Judge what is left of a question. `rest`: the question with names, periods and units as spaces; `written`: as it was.

    `cues`: the cue words of the language pack that stand in it.
    """
    kinds = {cue.kind for cue in cues}
    pieces = _pieces(rest, names, times, cues, language)
    qualifier, taken = _qualifier(pieces, written)
    left = [piece for piece in pieces if "word" in piece.kinds and piece not in taken]
    channel = _channel_name(pieces, left, written)
    left = [piece for piece in left if piece is not channel]
    entity = next((p for p in left if _looks_like_a_name(p, pieces, written, language)), None)
    left = [piece for piece in left if piece is not entity]
    beside = next((p for p in left if _beside_a_metric(p, pieces, written)), None) if not qualifier else None
    if beside is not None:
        qualifier = _with_metric(beside, pieces, written)
        left = [piece for piece in left if piece is not beside]
    every = tuple(kind for cue, kind in _EVERY.items() if cue in kinds)
    changed = next(
        (p for p in pieces if "changing" in p.kinds or ("together" in p.kinds and (every or _several(names, times)))),
        None,
    )
    if changed is not None and not qualifier:
        qualifier = _with_metric(changed, pieces, written)
    ranked = next((p for p in pieces if not p.kinds.isdisjoint(RANKS)), None) if not qualifier else None
    which = None if ranked is None else _which(pieces, ranked, written, language)
    if ranked is not None:
        qualifier = _with_metric(ranked, pieces, written)
    why = [cue for cue in cues if cue.kind in ("narrative", "howto")]
    asks_why = any(which is None or (cue.start, cue.end) != (which.start, which.end) for cue in why)
    if not qualifier and not asks_why and any(map(_is_metric, pieces)):
        named = any(name.kind == ENTITY for name in names)
        beside_entity = (
            entity if named else None
        )  # "for teachers in the north": the entity is named, so this restricts it
        part = beside_entity or next((p for p in left if _changes_what_is_counted(p, pieces, written, language)), None)
        qualifier = _text(part, written)
        left = [piece for piece in left if piece is not part]
        entity = None if part is entity else entity
    return Remains(
        numeric="numeric" in kinds or "more" in kinds,
        change="change" in kinds or ("more" in kinds and len({n.code for n in names if n.kind == ENTITY}) < _PAIR),
        compare="comparison" in kinds or "change" in kinds,
        value="value" in kinds,
        every=every,
        narrative=asks_why,
        howto="howto" in kinds,
        difference="difference" in kinds,
        at_end="at_end" in kinds,
        compared_to=_compared_to_a_time(pieces),
        step=next((STEPS[kind] for kind in STEPS if kind in kinds), None),
        qualifier=qualifier,
        unknown_entity=_text(entity, written),
        unknown_channel=_text(channel, written),
        left_out=tuple(dict.fromkeys(written[p.start : p.end] for p in left))[:_MOST],
        excluded=tuple(piece.name for piece in taken if piece.name is not None),
        rank=next((rank for rank in RANKS if ranked is not None and rank in ranked.kinds), ""),
        ranks_entities=which is not None,
    )


def _pieces(
    rest: str, names: Sequence[Found], times: Sequence[PeriodMention], cues: Sequence[Found], language: str
) -> list[_Piece]:
    pieces: dict[tuple[int, int], _Piece] = {}
    for name in names:
        pieces[name.start, name.end] = _Piece(name.start, name.end, frozenset((name.kind,)), name)
    for time in times:
        pieces[time.start, time.end] = _Piece(time.start, time.end, frozenset(("period",)))
    for cue in cues:
        known = pieces.get((cue.start, cue.end))
        kinds = frozenset((cue.kind,)) | (known.kinds if known else frozenset())
        pieces[cue.start, cue.end] = _Piece(cue.start, cue.end, kinds)
    for span, piece in pieces.items():
        if "neutral" in piece.kinds and "filler" not in piece.kinds and not _carries_nothing(rest, span, language):
            pieces[span] = replace(piece, kinds=piece.kinds | {"word"})
    joined = _hyphenated(rest, cues)
    covered = rest
    for start, end in [(cue.start, cue.end) for cue in cues] + joined:
        covered = covered[:start] + " " * (end - start) + covered[end:]
    metrics = [name.start for name in names if name.kind == METRIC]
    for start, end in [*joined, *_content(covered, language, metrics)]:
        for inside in [span for span in pieces if start <= span[0] and span[1] <= end]:
            del pieces[inside]
        pieces[start, end] = _Piece(start, end, frozenset(("word",)))
    return [pieces[span] for span in sorted(pieces)]


def _carries_nothing(text: str, span: tuple[int, int], language: str) -> bool:
    found = get_language(language).analyze(text[slice(*span)])
    return found.stop or found.generic


def _hyphenated(rest: str, cues: Sequence[Found]) -> list[tuple[int, int]]:
    """Words that a hyphen makes one ("full-time"), other than those that a cue is."""
    known = {(cue.start, cue.end) for cue in cues}
    return [match.span() for match in _HYPHENATED.finditer(rest) if match.span() not in known]


def _content(text: str, language: str, metrics: Sequence[int]) -> list[tuple[int, int]]:
    """The words that carry something: no function words, no generic words; in Chinese runs without function characters.

    Right before a metric any word does, that is not known to change nothing: "new employees", "other sales".
    """
    analysis = get_language(language)
    spans = []
    for word in words(text):
        found = analysis.analyze(text[word.start : word.end])
        before = any(word.end < start <= word.end + 2 and not text[word.end : start].strip(" -") for start in metrics)
        if before or not (found.stop or found.generic):
            spans.append((word.start, word.end))
    stops = word_set("zh", "stop")
    for run in _RUN.finditer(text):
        start, end = run.span()
        while start < end and text[start] in stops:
            start += 1
        while end > start and text[end - 1] in stops:
            end -= 1
        if start < end:
            spans.append((start, end))
    return spans


def _qualifier(pieces: Sequence[_Piece], written: str) -> tuple[str | None, list[_Piece]]:
    """The first exclusion or ratio with what it is about, and the pieces that it takes."""
    for place, piece in enumerate(pieces):
        about = _about(pieces, place, written)
        if about is None:
            continue
        if _is_metric(about) and not any(map(_is_metric, pieces[:place])):
            return written[piece.start : piece.end], []  # 每股利润: what is asked for is no part of what changes it
        taken = [about, *_joined_to(about, pieces)]
        start, end = min(piece.start, *(p.start for p in taken)), max(piece.end, *(p.end for p in taken))
        return written[start:end], taken
    return None, []


def _about(pieces: Sequence[_Piece], place: int, written: str) -> _Piece | None:
    """What an exclusion or a ratio at this place is about; None where there is neither."""
    piece = pieces[place]
    if "exclusion_after" in piece.kinds:
        return _name_before(pieces, place)
    following = _next_that_says_something(pieces, place)
    if "exclusion_beside" in piece.kinds:
        return following if following is not None and following.name and _touch(piece, following, written) else None
    if "restriction" in piece.kinds:
        follows = following is not None and "word" in following.kinds and _touch(piece, following, written)
        return following if follows and any(map(_is_metric, pieces[:place])) else None
    if piece.kinds.isdisjoint(_CHANGES):
        return None
    if following is not None and "period" in following.kinds:
        # "inte 2023" takes the year out; "per 2024" and "utan ... 2024" are about something else.
        taken_out = "exclusion" in piece.kinds and _touch(piece, following, written)
        return following if taken_out else _name_before(pieces, place, touching=True)
    return following if following is not None else _name_before(pieces, place, touching=True)


def _name_before(pieces: Sequence[_Piece], place: int, *, touching: bool = False) -> _Piece | None:
    """The name before a piece, with nothing that says something in between; `touching`: with nothing at all in between."""
    for piece in reversed(pieces[:place]):
        if piece.name is not None:
            free = not touching or piece.end == pieces[place].start
            return piece if free and not _is_metric(piece) else None
        if "word" in piece.kinds or "period" in piece.kinds or touching:
            return None
    return None


def _joined_to(about: _Piece, pieces: Sequence[_Piece]) -> list[_Piece]:
    """The names that follow a name in an enumeration: "utan Kina och Hongkong"."""
    joined: list[_Piece] = []
    for piece in pieces[pieces.index(about) + 1 :]:
        if about.name is None or (piece.name is None and "filler" not in piece.kinds):
            break
        if piece.name is not None and piece.name.kind != about.name.kind:
            break
        if piece.name is not None:
            joined.append(piece)
    return joined


def _is_metric(piece: _Piece) -> bool:
    return piece.name is not None and piece.name.kind == METRIC


def _next_that_says_something(pieces: Sequence[_Piece], place: int) -> _Piece | None:
    for piece in pieces[place + 1 :]:
        if piece.name is not None or not piece.kinds.isdisjoint(("word", "period", "changing", *RANKS)):
            return piece
    return None


def _channel_name(pieces: Sequence[_Piece], left: Sequence[_Piece], written: str) -> _Piece | None:
    """The left-over word that a cue for channels introduces ("via webben") or that stands right before it ("web channel")."""
    for place, piece in enumerate(pieces):
        if "channel" not in piece.kinds:
            continue
        for neighbour in (*pieces[place + 1 : place + 2], *pieces[max(0, place - 1) : place]):
            if neighbour in left and _touch(piece, neighbour, written):
                return neighbour
    return None


def _looks_like_a_name(piece: _Piece, pieces: Sequence[_Piece], written: str, language: str) -> bool:
    """Does a left-over word stand where an entity would: after a preposition of place, or with a capital in mid sentence?"""
    text = written[piece.start : piece.end]
    if "neutral" in piece.kinds or any(character.isdigit() for character in text):
        return False
    place = pieces.index(piece)
    before = pieces[place - 1] if place else None
    if _RUN.match(text):
        return len(text) > 1 and not _beside_a_metric(piece, pieces, written)
    if before is not None and "place" in before.kinds and _touch(before, piece, written):
        return True
    return text[0].isupper() and bool(written[: piece.start].strip()) and language != "zh"


def _beside_a_metric(piece: _Piece, pieces: Sequence[_Piece], written: str) -> bool:
    """Does a left-over word stand right beside a metric, so that it may make another one of it ("operating profit", 毛利润)?

    A verb that changes nothing does not, in whatever form: "inhabitants **live**".
    """
    if "neutral" in piece.kinds:
        return False
    place = pieces.index(piece)
    beside = (*pieces[max(0, place - 1) : place], *pieces[place + 1 : place + 2])
    return any(_is_metric(p) and _touch(p, piece, written) for p in beside)


def _changes_what_is_counted(piece: _Piece, pieces: Sequence[_Piece], written: str, language: str) -> bool:
    """May a left-over word name a part of what is counted ("managers"), or after the metric what became of it ("left")?"""
    if "neutral" in piece.kinds:
        return False
    text = written[piece.start : piece.end]
    return names_a_part(text, language) or (
        is_verb_form(text.casefold(), language) and any(map(_is_metric, pieces[: pieces.index(piece)]))
    )


def _with_metric(piece: _Piece, pieces: Sequence[_Piece], written: str) -> str:
    """The word together with the metric that it stands beside, if any."""
    place = pieces.index(piece)
    near = pieces[max(0, place - 1) : place + 2]
    around = [p for p in near if p is piece or (_is_metric(p) and _touch(p, piece, written))]
    return written[min(p.start for p in around) : max(p.end for p in around)]


def _touch(one: _Piece, other: _Piece, written: str) -> bool:
    """Do two pieces stand side by side, with nothing but space or a hyphen between them?"""
    first, second = sorted((one, other), key=lambda piece: piece.start)
    between = written[first.end : second.start]
    return not between.strip(" \u00a0\u202f-\u2010\u2011")


def _which(pieces: Sequence[_Piece], ranked: _Piece, written: str, language: str) -> _Piece | None:
    """The word that asks which one has a rank, where what follows it is no time ("which **year**")."""
    which = next((piece for piece in pieces if "which" in piece.kinds and piece.start < ranked.start), None)
    if which is None:
        return None
    after = written[which.end :].lstrip().casefold()
    times = named_lists(language, "intent")["which_time"]
    if language == "zh":
        return None if after.startswith(times) else which
    first = words(after)[:1]
    return None if first and not word_forms(first[0].form, language).isdisjoint(times) else which


def _compared_to_a_time(pieces: Sequence[_Piece]) -> bool:
    """Does a comparison lead to a time: "compared with **last year**"?"""
    for place, piece in enumerate(pieces):
        if "comparison" in piece.kinds:
            following = _next_that_says_something(pieces, place)
            if following is not None and "period" in following.kinds:
                return True
    return False


def _several(names: Sequence[Found], times: Sequence[PeriodMention]) -> bool:
    """Are there several of anything that a sum could be made of?"""
    periods = {period for time in times for period in time.periods}
    return (
        len(periods) > 1
        or any(time.span for time in times)
        or any(len({name.code for name in names if name.kind == kind}) > 1 for kind in (METRIC, ENTITY, CHANNEL))
    )


def _text(piece: _Piece | None, written: str) -> str | None:
    return None if piece is None else written[piece.start : piece.end]
