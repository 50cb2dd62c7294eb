"""How is a question answered that asks for no special form: with the sentences that speak to it, in the order of the text?

The best sentence leads. It takes along what it needs to be read (the sentence before, where it opens by pointing back; the
sentence that leads into its list) and what goes on from it; then come strong sentences from the other hits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ankare.answer.claims import claim_at, without_repeats
from ankare.answer.units import Material, Unit, group_members, lead_in
from ankare.domain.answer import Claim
from ankare.domain.cancel import while_wanted
from ankare.domain.document import Chunk, UnitKind
from ankare.domain.question import QuestionType
from ankare.language.cues import has_cue, opens_with
from ankare.language.protocol import Language

Bonus = Callable[[Unit], float]

FIELD_WORDS = 5
"""Up to how many words text in square brackets is a field of a form to fill in ("[Write the answer here.]")."""

WHOLE_LISTS = frozenset({QuestionType.LIST, QuestionType.PROCESS})
"""Types of questions that no part of a list answers."""

LONGEST_ANNOUNCED = 15
"""How many items a list that is brought along by the sentence before it may have."""

PARALLEL = 0.05
"""A row or item joins its like only where it holds as much of the subject, up to this much less: they stand beside each other,
the next one does not go on from the one before."""

AS_NEAR = 0.8
"""Of how much of the best unit's share of the subject a unit of another chunk must hold."""

THIN = 25
"""A leading passage of fewer words goes on in the next chunk of the same page."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How much is told. `words`: about how long the leading passage gets. `own`: a neighbour of the best unit joins in at
    this share of the best score, `others`: a unit of another chunk; `chunks`: from how many others, `others_units`: how
    many of each. `before`: neighbours before the best unit join in too; else it leads."""

    words: int = 80
    own: float = 0.5
    others: float = 0.8
    chunks: int = 2
    others_units: int = 2
    before: bool = False


def answer(material: Material, bonus: Bonus = lambda _unit: 0.0, shape: Shape = Shape()) -> tuple[Claim, ...]:
    """Claims from the best units, or none where there is no unit. `bonus` favours units of the asked-for kind."""
    units = while_wanted(material.units)
    scored = {(u.chunk.id, u.position): u.score + bonus(u) for u in units if _may_answer(material, u)}
    if not scored:
        return ()
    best = max(
        (u for u in material.units if (u.chunk.id, u.position) in scored),
        key=lambda u: (scored[u.chunk.id, u.position], -u.rank, -u.position),
    )
    top = scored[best.chunk.id, best.position]
    chosen = _leading_positions(material, best, scored, top * shape.own, shape)
    claims = [claim_at(best.chunk, position) for position in chosen]
    claims.extend(_continuation(material, best.chunk, chosen, shape.words))
    scored = _as_near_the_subject(material, best, scored)
    for chunk in _other_chunks(material, best, scored, top * shape.others)[: shape.chunks]:
        claims.extend(_best_of(material, chunk, scored, top * shape.others, shape.others_units))
    return without_repeats(claims)


def tells_something(unit: Unit) -> bool:
    """False for a label, an echo of the headings, a question or empty field of a form and a table's header: they ask or
    name, they do not tell."""
    text = unit.text.strip()
    if not unit.new and unit.kind is not UnitKind.ITEM and not text.endswith("."):
        return False
    if unit.sentence.header or "?" in text:
        return False
    if text.endswith(":") and not _group_after(unit.chunk, unit.position):
        return False
    if text.startswith("[") and text.rstrip(".").endswith("]") and len(text.split()) <= FIELD_WORDS:
        return False
    return unit.kind is not UnitKind.SENTENCE or len(text.split()) >= 3 or len(unit.chunk.sentences) == 1


def _may_answer(material: Material, unit: Unit) -> bool:
    """Of a yes or no somebody must have asked the question: it answers nothing but a question of its kind. What is said of
    priority 1 answers nothing about priority 2."""
    if not tells_something(unit) or material.subject.of_another_number(unit.chunk, unit.sentence):
        return False
    reply = opens_with(material.language(unit.chunk), unit.text, "reply")
    return not reply or material.question.type is QuestionType.EXISTENCE


def with_context(material: Material, chunk: Chunk, positions: Iterable[int], *, whole: bool = False) -> list[int]:
    """The positions, with the sentences without which they cannot be read, in the order of the text.

    `whole`: for a question that no part of a list answers, with the rest of the lists that they stand in. Other lists too come
    whole where a part of them would say something else.
    """
    needed = set(positions)
    language = material.language(chunk)
    for group in {chunk.sentences[position].group for position in needed} - {0}:
        members = group_members(chunk, group)
        steps = chunk.sentences[members[0]].kind is UnitKind.ITEM or material.question.type is not QuestionType.PROCESS
        asked = whole and steps and material.question.type in WHOLE_LISTS
        if len(members) <= LONGEST_ANNOUNCED and (asked or _one_sentence(language, chunk, members)):
            needed.update(members)
    for position in sorted(needed):
        needed.update(_from_the_reply_on(material, chunk, position))
        needed.update(announced(language, chunk, position))
        lead = lead_in(chunk, position)
        needed.update(introduction(language, chunk, position if lead is None else lead))
    return sorted(needed)


def _one_sentence(language: Language, chunk: Chunk, members: tuple[int, ...]) -> bool:
    """Do items go on from the sentence that leads into them ("It is approved when:", "You must:")? Then all of them together
    say what it says. One that names them ("It has five members:") is true of each."""
    lead = lead_in(chunk, members[0])
    if lead is None or chunk.sentences[members[0]].kind is not UnitKind.ITEM:
        return False
    words = chunk.sentence_text(chunk.sentences[lead]).rstrip(" :：").split()
    return bool(words) and not language.index_terms(words[-1])


def _from_the_reply_on(material: Material, chunk: Chunk, position: int) -> range:
    """The sentences of a paragraph that opens with yes or no, up to this one, where the heading above it, the question that it
    replies to, is about as much of what is asked: what follows qualifies the reply. Else it replied to something else."""
    first = position
    while first and "\n" not in chunk.text[chunk.sentences[first - 1].end : chunk.sentences[first].start]:
        first -= 1
    reply = opens_with(material.language(chunk), chunk.sentence_text(chunk.sentences[first]), "reply")
    held = material.subject.held_by(chunk)
    asked = material.subject.share(held.nearest) >= material.subject.share(held.sentences[position])
    return range(first, position + 1) if reply and asked else range(position, position + 1)


def introduction(language: Language, chunk: Chunk, position: int) -> tuple[int, ...]:
    """A sentence, with the one before it where it points back ("It has five members:")."""
    sentences = chunk.sentences
    if not position or sentences[position].group or sentences[position - 1].group:
        return (position,)
    points_back = opens_with(language, chunk.sentence_text(sentences[position]), "anaphora")
    return (position - 1, position) if points_back else (position,)


def announced(language: Language, chunk: Chunk, position: int) -> tuple[int, ...]:
    """The list or table that a sentence announces ("the following ..."), where it stands right after it and is no long one."""
    text = chunk.sentence_text(chunk.sentences[position])
    if not text.rstrip().endswith(":") and not has_cue(language, text, "announces"):
        return ()
    return _group_after(chunk, position)


def _leading_positions(
    material: Material, best: Unit, scored: dict[tuple[str, int], float], floor: float, shape: Shape
) -> list[int]:
    """The best unit and its neighbours, the stronger side first, as far as they are strong enough and there is room."""
    chunk = best.chunk
    chosen = {best.position, *_follows(chunk, best.position)}
    count = sum(_length(chunk, position) for position in chosen)
    about = {unit.position: unit.signals.subject for unit in material.of(chunk)}

    def goes_with(position: int) -> bool:
        like = best.kind is not UnitKind.SENTENCE and chunk.sentences[position].group == best.sentence.group
        return not like or about[position] >= best.signals.subject - PARALLEL

    while True:
        ends = (min(chosen) - 1, max(chosen) + 1) if shape.before else (max(chosen) + 1,)
        sides = [p for p in ends if scored.get((chunk.id, p), -1.0) >= floor and goes_with(p)]
        sides = [p for p in sides if count + _length(chunk, p) <= shape.words]
        if not sides:
            return with_context(material, chunk, chosen, whole=True)
        nearer = max(sides, key=lambda p: (scored[chunk.id, p], p))
        chosen.add(nearer)
        count += _length(chunk, nearer)


def _follows(chunk: Chunk, position: int) -> tuple[int, ...]:
    """The items of the list that stands right after a sentence: what the best sentence leads into belongs to it."""
    members = _group_after(chunk, position)
    return members if members and chunk.sentences[members[0]].kind is UnitKind.ITEM else ()


def _group_after(chunk: Chunk, position: int) -> tuple[int, ...]:
    """The list or table that starts right after a sentence of no list, where it is no long one."""
    after = position + 1
    if chunk.sentences[position].group or after >= len(chunk.sentences) or not chunk.sentences[after].group:
        return ()
    members = group_members(chunk, chunk.sentences[after].group)
    return members if len(members) <= LONGEST_ANNOUNCED else ()


def _continuation(material: Material, chunk: Chunk, chosen: list[int], words: int) -> list[Claim]:
    """How the text goes on in the next chunk of the page, where the leading passage is thin and ends its chunk."""
    count = sum(_length(chunk, position) for position in chosen)
    following = material.following(chunk)
    if count >= THIN or chosen[-1] != len(chunk.sentences) - 1 or following is None:
        return []
    if following.pages[:1] != chunk.pages[-1:] or following.section[: len(chunk.section)] != chunk.section:
        return []
    claims = []
    for position in range(len(following.sentences)):
        count += _length(following, position)
        if count > words:
            break
        claims.append(claim_at(following, position))
    return claims


def _length(chunk: Chunk, position: int) -> int:
    return len(chunk.sentence_text(chunk.sentences[position]).split())


def _as_near_the_subject(
    material: Material, best: Unit, scored: dict[tuple[str, int], float]
) -> dict[tuple[str, int], float]:
    """The scored units that hold, with what stands around them, about as much of the subject as the best one: what another
    chunk adds must be about the same thing, however much it looks like an answer."""
    least = AS_NEAR * best.signals.subject
    units = (unit for unit in material.units if unit.signals.subject >= least)
    return {key: scored[key] for unit in units if (key := (unit.chunk.id, unit.position)) in scored}


def _other_chunks(material: Material, best: Unit, scored: dict[tuple[str, int], float], floor: float) -> list[Chunk]:
    others = [hit.chunk for hit in material.hits if hit.chunk.id != best.chunk.id]
    return [c for c in others if any(scored.get((c.id, p), 0.0) >= floor for p in range(len(c.sentences)))]


def _best_of(
    material: Material, chunk: Chunk, scored: dict[tuple[str, int], float], floor: float, most: int
) -> list[Claim]:
    strong = [p for p in range(len(chunk.sentences)) if scored.get((chunk.id, p), 0.0) >= floor]
    if material.question.type in WHOLE_LISTS:
        strong = [p for p in strong if not chunk.sentences[p].group]
    strong.sort(key=lambda p: (-scored[chunk.id, p], p))
    return [claim_at(chunk, position) for position in with_context(material, chunk, strong[:most])]
