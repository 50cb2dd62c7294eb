"""Which clauses does a sentence have, and who does what in each?

A clause stands around one finite verb. A new one begins at strong punctuation, at a subordinator or relative that a finite verb
follows, and where a second finite verb needs one. A clause may go on after one that it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ankare.gate.grounding.groups import groups_of, is_participle, is_pronoun
from ankare.gate.grounding.words import ADJECTIVE, FUNCTION, NAME, NOUN, VERB, Word, closed


@dataclass(frozen=True, slots=True)
class Clause:
    """The words `places` around one finite verb, or an elliptic stretch. `verb`: the main verb's place.

    `subjects`: heads of who or what acts (in a passive: after "by"), `objects`: of what is acted on; `pronoun`: the subject is
    one. `opener`: the subordinator or relative that opens it, "" for a main clause; `negators`: places of negating words;
    `under`: heads that stand under a preposition.
    """

    places: tuple[int, ...]
    finite: int | None = None
    verb: int | None = None
    passive: bool = False
    subjects: tuple[int, ...] = ()
    objects: tuple[int, ...] = ()
    opener: str = ""
    negators: tuple[int, ...] = ()
    pronoun: bool = False
    under: tuple[int, ...] = ()


@dataclass
class _Open:
    """A clause while it is being read."""

    parent: int | None
    opener: str = ""
    places: list[int] = field(default_factory=list)
    finite: int | None = None
    inherits: int | None = None


def clauses_of(words: tuple[Word, ...], text: str, code: str) -> tuple[tuple[Clause, ...], tuple[int, ...]]:
    """The clauses of a sentence, and for every word the number of its own. A clause may go on after one that it holds."""
    grammar = closed(code)
    opened: list[_Open] = [_Open(None)]
    current = 0
    verbs_ahead = [word.at for word in words if word.finite]
    for word in words:
        gap = text[words[word.at - 1].end : word.start] if word.at else ""
        if (word.at and any(mark in gap for mark in ";:|•\n")) or ". " in gap or " – " in gap:
            opened.append(_Open(None))
            current = len(opened) - 1
        if _opens(words, word, opened[current], grammar, verbs_ahead, gap):
            opened.append(_Open(current, word.norm))
            current = len(opened) - 1
        elif word.norm in grammar["contrasts"] and (word.at and _contrasts(words, word, gap, grammar)):
            opened.append(_Open(None, word.norm, inherits=current))
            current = len(opened) - 1
        elif word.finite and opened[current].finite is not None:
            current = _next_clause(words, text, opened, current, word.at, grammar)
        clause = opened[current]
        if word.finite and clause.finite is None:
            clause.finite = word.at
        clause.places.append(word.at)
    kept = [clause for clause in opened if clause.places]
    numbers = {id(clause): number for number, clause in enumerate(kept)}
    owner = [0] * len(words)
    for clause in kept:
        for at in clause.places:
            owner[at] = numbers[id(clause)]
    made: list[Clause] = []
    for clause in kept:
        parent = opened[clause.parent] if clause.parent is not None else None
        before = opened[clause.inherits] if clause.inherits is not None else None
        made.append(
            _clause(
                words,
                clause,
                code,
                parent.places if parent is not None else [],
                made[numbers[id(before)]]
                if before is not None and id(before) in numbers and numbers[id(before)] < len(made)
                else None,
            )
        )
    if len(made) > 1 and _inverted(words, text, made[0], made[1], grammar):
        made[0] = replace(made[0], opener=min(grammar["conditional"]))
    return tuple(made), tuple(owner)


def _inverted(
    words: tuple[Word, ...], text: str, first: Clause, second: Clause, grammar: dict[str, frozenset[str]]
) -> bool:
    """Is a first clause that begins with its verb a condition ("Had they refused, ...")?"""
    if first.finite != first.places[0] or text.rstrip().endswith("?") or second.finite is None:
        return False
    if words[first.finite].code == "sv":
        return (
            second.places[0] in (second.finite, second.finite - 1)
            and words[second.places[0]].norm not in grammar["joins"]
        )
    return words[first.finite].norm in ("had", "were", "should")


def _opens(
    words: tuple[Word, ...],
    word: Word,
    clause: _Open,
    grammar: dict[str, frozenset[str]],
    verbs: Sequence[int],
    gap: str,
) -> bool:
    """Does the word open an embedded clause?"""
    if word.norm not in grammar["openers"] or word.norm in grammar["contrasts"]:
        return False
    ahead = [at for at in verbs if at > word.at]
    if not ahead:
        return False
    stop = next(
        (
            w.at
            for w in words[word.at + 1 :]
            if w.norm in grammar["openers"] and w.norm not in grammar["ambiguous_openers"]
        ),
        len(words),
    )
    if word.norm in grammar["infinitive_mark"]:
        follows = next((w for w in words[word.at + 1 : word.at + 4] if w.kind == VERB or w.finite), None)
        return not (follows is not None and not follows.finite and follows.at - word.at <= 3) and ahead[0] < stop
    if (
        word.norm in grammar["as"]
        and not clause.places
        and word.at + 1 < len(words)
        and words[word.at + 1].kind in (NOUN, ADJECTIVE)
    ):
        return False
    if word.norm in grammar["relatives"]:
        return ahead[0] < stop or ahead[0] < len(words)
    if word.norm in grammar["ambiguous_openers"]:
        if clause.finite is None and all(
            words[at].kind in (FUNCTION, ADJECTIVE) or words[at].norm in grammar["focus"] for at in clause.places
        ):
            return len(ahead) > 1 or word.norm in grammar["fronted_openers"]
        return (clause.finite is not None or "," in gap) and ahead[0] < stop
    return True


def _contrasts(words: tuple[Word, ...], word: Word, gap: str, grammar: dict[str, frozenset[str]]) -> bool:
    """ "utan" is "but" after a negation, and "without" before a bare noun."""
    if word.norm not in grammar["without"]:
        return True
    if words[word.at - 1].norm in grammar["negators"] and not (word.at + 1 < len(words) and words[word.at + 1].finite):
        return False
    follower = words[word.at + 1] if word.at + 1 < len(words) else None
    if follower is None or follower.norm in grammar["infinitive_mark"]:
        return False
    bare = follower.kind in (NOUN, ADJECTIVE) and not follower.finite
    return _negated_before(words, word.at, grammar) and not bare


def _negated_before(words: tuple[Word, ...], at: int, grammar: dict[str, frozenset[str]]) -> bool:
    return any(word.norm in grammar["negators"] for word in words[max(0, at - 9) : at])


def _next_clause(
    words: tuple[Word, ...], text: str, opened: list[_Open], current: int, at: int, grammar: dict[str, frozenset[str]]
) -> int:
    """Where a further finite verb belongs: the waiting outer clause, or a new one that begins at the last mark before it."""
    clause = opened[current]
    outer = clause.parent
    while outer is not None and opened[outer].finite is not None and opened[outer].parent is not None:
        outer = opened[outer].parent
    last = clause.finite or 0
    marks = [
        place
        for place in clause.places
        if place > last
        and (words[place].norm in grammar["joins"] or "," in text[words[place - 1].end : words[place].start])
    ]
    if "," in text[words[at - 1].end : words[at].start]:
        marks.append(at)
    joined = marks and words[marks[-1]].norm in grammar["joins"]
    if outer is not None and opened[outer].finite is None and not joined:
        return outer
    begin = marks[-1] if marks else at
    moved = [place for place in clause.places if place >= begin]
    clause.places[:] = [place for place in clause.places if place < begin]
    new = _Open(
        clause.parent, clause.opener if joined and clause.opener and outer is not None else "", moved, None, current
    )
    opened.append(new)
    return len(opened) - 1


def _clause(words: tuple[Word, ...], clause: _Open, code: str, outer: Sequence[int], before: Clause | None) -> Clause:
    grammar = closed(code)
    span = [words[at] for at in clause.places]
    main, passive = _main_verb(words, span, clause.finite, code)
    groups = groups_of(words, clause.places, grammar, clause.opener)
    bare = [heads for preposition, heads in groups if preposition is None]
    subjects, pronoun = _subjects(words, clause, bare, outer, before)
    objects = [at for heads in bare for at in heads if at not in subjects]
    if passive:
        after = -1 if clause.finite is None else clause.finite
        by = (heads for preposition, heads in groups if preposition in grammar["agent_prepositions"])
        agents = next((list(heads) for heads in by if heads[0] > after), [])
        subjects, objects = agents, [*subjects, *objects]
        pronoun = pronoun and not agents
    return Clause(
        tuple(clause.places),
        clause.finite,
        main,
        passive,
        tuple(subjects),
        tuple(objects),
        clause.opener,
        tuple(word.at for word in span if word.norm in grammar["negators"]),
        pronoun,
        tuple(at for preposition, heads in groups if preposition is not None for at in heads),
    )


def _main_verb(words: tuple[Word, ...], span: Sequence[Word], finite: int | None, code: str) -> tuple[int | None, bool]:
    """The place of the verb that says what is done (not the auxiliary), and is it passive?"""
    grammar = closed(code)
    main = finite
    if finite is not None and words[finite].norm in grammar["auxiliaries"]:
        main = next((word.at for word in span if word.kind == VERB and word.at > finite), finite)
    if finite is not None and words[finite].norm in grammar["be_forms"]:
        participle = next((word for word in span if word.at > finite and is_participle(word.norm, code)), None)
        if participle is not None:
            return participle.at, True
    return main, any(word.passive for word in span if word.at in (main, finite))


def _subjects(
    words: tuple[Word, ...], clause: _Open, bare: Sequence[Sequence[int]], outer: Sequence[int], before: Clause | None
) -> tuple[list[int], bool]:
    """The heads of the subject, and is it a pronoun? `bare`: heads of the groups under no preposition."""
    finite = clause.finite
    inherited = list(before.subjects) if before is not None else []
    if finite is None:
        return inherited, False
    grammar = closed(words[finite].code)
    span = [words[at] for at in clause.places]
    left = [heads for heads in bare if heads[0] < finite]
    right = [heads for heads in bare if heads[0] > finite]
    beside = (word for word in span if word.at in (finite - 1, finite + 1))
    pronoun = next((word for word in beside if is_pronoun(words, word, grammar)), None)
    if pronoun is not None and not (left and pronoun.at > finite and clause.opener):
        return [], True
    subjects: list[int] = []
    if left:
        subjects = list(left[0])
    elif clause.opener in grammar["relatives"] and outer:
        subjects = [
            at for at in outer if at < clause.places[0] and words[at].kind in (NOUN, NAME) and words[at].weight > 0
        ][-1:]
    elif not clause.opener and right and not (before is not None and _shares_subject(span, finite, grammar)):
        subjects = list(right[0])
    return subjects or inherited, False


def _shares_subject(span: Sequence[Word], finite: int, grammar: dict[str, frozenset[str]]) -> bool:
    """Does the clause begin with a conjunction and its verb ("and sells"), so that the subject is that of the clause before?"""
    ahead = [word for word in span if word.at < finite]
    return bool(ahead) and all(word.norm in grammar["joins"] or word.norm in grammar["negators"] for word in ahead)
