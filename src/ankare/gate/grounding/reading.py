"""How is a sentence read so that it can be held against another: words, values, concepts, clauses and who does what?

The reading is shallow and knows no grammar but the pack's closed classes (`grammar.toml`): it finds finite verbs by their
form, cuts the sentence into clauses around them, and takes what stands before and after a verb for its parties.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from ankare.language.dictionary import in_dictionary
from ankare.language.languages import get_language
from ankare.language.lemmas import SwedishLemmas, swedish_lemma_table
from ankare.language.hunspell import swedish_lexicon
from ankare.language.measures import Value, read_values
from ankare.language.packs import named_lists
from ankare.language.protocol import Token
from ankare.language.thesaurus import Concept, thesaurus, word_keys

VERB, NOUN, NAME, NUMBER, FUNCTION, ADJECTIVE = "verb", "noun", "name", "number", "function", "adjective"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence. `keys`: under which it meets others; `parts`: of a compound; `weight`: how much it claims, 0 to 1."""

    at: int
    text: str
    norm: str
    start: int
    end: int
    keys: frozenset[str]
    terms: tuple[str, ...]
    parts: tuple[str, ...]
    kind: str
    weight: float
    finite: bool = False
    passive: bool = False


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


@dataclass(frozen=True)
class Reading:
    """A sentence, read."""

    text: str
    code: str
    words: tuple[Word, ...]
    values: tuple[Value, ...]
    clauses: tuple[Clause, ...]
    clause_of: tuple[int, ...]
    concepts: tuple[Concept, ...]
    value_of: tuple[int | None, ...]
    senses: tuple[frozenset[tuple[str, int]], ...] = field(default=())

    def of(self, at: int) -> Clause:
        """The clause of a word."""
        return self.clauses[self.clause_of[at]]


@lru_cache(8192)
def read(text: str, code: str) -> Reading:
    """Read one sentence."""
    language = get_language(code)
    tokens = language.tokens(text)
    values = read_values(text, code)
    value_of = tuple(_value_at(token, values) for token in tokens)
    words = tuple(_word(token, at, tokens, value_of[at], code) for at, token in enumerate(tokens))
    words = _settle(words, code)
    concepts = thesaurus(code).concepts([word.keys for word in words])
    senses: list[set[tuple[str, int]]] = [set() for _ in words]
    for concept in concepts:
        for at in concept.at:
            senses[at].add(concept.sense)
    clauses, clause_of = _clauses(words, text, code)
    return Reading(text, code, words, values, clauses, clause_of, concepts, value_of, tuple(map(frozenset, senses)))


def _value_at(token: Token, values: Sequence[Value]) -> int | None:
    return next((n for n, value in enumerate(values) if value.start < token.end and token.start < value.end), None)


# --- words


def _word(token: Token, at: int, tokens: Sequence[Token], value: int | None, code: str) -> Word:
    analysis = get_language(code).analyze(token.norm)
    grammar = closed(code)
    kind, finite, passive = NOUN, False, False
    if value is not None:
        kind = NUMBER
    elif token.norm in grammar["function"]:
        kind = FUNCTION
        finite = token.norm in grammar["finite"]
    elif token.norm in grammar["adverbs"]:
        kind = FUNCTION if analysis.stop else ADJECTIVE
    elif analysis.stop:
        kind = FUNCTION
        finite, passive, verbal = verb_form(token.norm, code)
    elif is_name(token.text, token.norm, at == 0, code):
        kind = NAME
    else:
        finite, passive, verbal = verb_form(token.norm, code)
        kind = VERB if verbal else (ADJECTIVE if _adjectival(token.norm, code) else NOUN)
    weight = _weight(token.norm, analysis.terms, kind, code)
    return Word(
        at,
        token.text,
        token.norm,
        token.start,
        token.end,
        word_keys(get_language(code), token.norm),
        analysis.terms,
        analysis.parts,
        kind,
        weight,
        finite,
        passive,
    )


def _weight(norm: str, terms: Sequence[str], kind: str, code: str) -> float:
    grammar = closed(code)
    if kind in (FUNCTION,):
        return 0.0
    if kind == NUMBER:
        return 0.0
    if kind == NAME:
        return 1.0
    if norm in grammar["light"] or (terms and terms[0] in grammar["light"]):
        return 0.15
    zipf = get_language(code).frequency(norm)
    return max(0.45, min(1.0, (7.6 - zipf) / 3.0))


@cache
def closed(code: str) -> dict[str, frozenset[str]]:
    """The closed classes of a language as sets of single words."""
    lists = named_lists(code if code in ("sv", "en") else "en", "grammar")
    single = {name: frozenset(word for word in words if " " not in word) for name, words in lists.items()}
    function = frozenset().union(
        *(
            single[name]
            for name in (
                "subordinators",
                "relatives",
                "coordinators",
                "prepositions",
                "pronouns",
                "determiners",
                "auxiliaries",
            )
        )
    )
    finite = single["auxiliaries"] - frozenset(lists.get("nonfinite_auxiliaries", ()))
    return {**single, "function": function, "finite": finite}


def is_name(text: str, norm: str, first: bool, code: str) -> bool:
    """A capitalised word, an acronym or a code: not merely the first word of a sentence."""
    if not text[:1].isupper():
        return False
    if len(text) > 1 and sum(c.isupper() for c in text) > 1:
        return not first or not in_dictionary(norm, code) or text.isupper()
    plain = norm[:-1] if norm.endswith("s") else norm
    if not first:
        return True
    return not (
        in_dictionary(norm, code) or in_dictionary(plain, code) or len(get_language(code).analyze(norm).parts) > 1
    )


@lru_cache(50_000)
def verb_form(norm: str, code: str) -> tuple[bool, bool, bool]:
    """(finite, passive, verbal) as far as the form alone tells."""
    if code != "sv":
        return _english_verb(norm)
    if norm in closed(code)["verb_forms"]:
        return True, norm.endswith("s") and norm not in ("finns",), True
    lemmas = _lemmas()
    known = lemmas.listed(norm) or lemmas.by_paradigm(norm)
    verbs = [lemma for lemma in known if lemmas.is_verb(lemma)]
    if not verbs:
        return False, False, False
    only = len(verbs) == len(known)
    if norm.endswith(("ande", "ende")):
        return False, False, False
    passive = norm.endswith("s") and not norm.endswith("ss") and len(norm) > 3
    bare = norm[:-1] if passive else norm
    infinitive = bare in verbs
    participle = norm.endswith(("ad", "at", "ade", "ats")) and not norm.endswith("ade") and not infinitive
    supine = norm.endswith(("t", "ts")) and not infinitive
    if infinitive:
        return passive, passive, only or passive
    if supine or (participle and not norm.endswith("ade")):
        return False, passive, only and supine
    return only, passive, only


@lru_cache(50_000)
def _adjectival(norm: str, code: str) -> bool:
    """A known word that is neither noun nor verb in its form: an adjective, a participle or an adverb."""
    if code != "sv":
        return norm.endswith(("ly", "ous", "ful", "able", "al", "ive"))
    if norm.endswith(_ADJECTIVE_ENDINGS):
        return True
    lemmas = _lemmas()
    return any(
        not lemmas.is_noun(lemma)
        and lemma in lemmas.listed(lemma + "a")
        and (lemma in lemmas.listed(lemma + "t") or lemma.endswith("t"))
        for lemma in lemmas.listed(norm)
    )


_ADJECTIVE_ENDINGS = (
    "ligen",
    "igt",
    "iga",
    "lig",
    "ska",
    "skt",
    "isk",
    "vis",
    "bar",
    "bart",
    "bara",
    "sam",
    "samt",
    "samma",
    "ande",
    "ende",
    "aste",
)


@cache
def _lemmas() -> SwedishLemmas:
    return SwedishLemmas(swedish_lemma_table(), swedish_lexicon)


def _english_verb(norm: str) -> tuple[bool, bool, bool]:
    if norm.endswith("ed") and len(norm) > 4:
        return True, False, True
    return False, False, norm.endswith("ing") and len(norm) > 5


def _settle(words: tuple[Word, ...], code: str) -> tuple[Word, ...]:
    """Forms that may be a verb or a noun: a noun after a determiner, an infinitive after its mark; a sentence without a finite
    verb takes the first form that may be one."""
    grammar = closed(code)
    settled = []
    for word in words:
        before = words[word.at - 1].norm if word.at else ""
        if word.kind == VERB:
            if before in grammar["articles"]:
                word = _with(word, kind=NOUN, finite=False, passive=False)
            elif word.finite and (before in grammar["infinitive_mark"] or _after_auxiliary(words, word.at, grammar)):
                word = _with(word, finite=False)
        settled.append(word)
    for word in list(settled):
        if (
            word.kind in (NOUN, ADJECTIVE)
            and _infinitive(word.norm, code)
            and settled[word.at - 1 if word.at else 0].norm not in grammar["articles"]
        ):
            governed = _after_auxiliary(settled, word.at, grammar)
            later = any(w.kind == VERB for w in settled[word.at + 1 : word.at + 4])
            if governed and not later:
                settled[word.at] = _with(word, kind=VERB)
    for word in list(settled):
        if word.kind == NOUN and _maybe_verb(word.norm, code) and _lacks_verb(settled, word.at, grammar):
            settled[word.at] = _with(word, kind=VERB, finite=True)
    return tuple(settled)


def _lacks_verb(words: Sequence[Word], at: int, grammar: dict[str, frozenset[str]]) -> bool:
    """No finite verb from the opener before to the next opener: then the form here is likely it."""
    before = words[at - 1] if at else None
    if (
        before is None
        or before.norm in grammar["articles"]
        or before.norm in grammar["prepositions"]
        and before.norm not in grammar["openers"]
    ):
        return False
    if before.kind == ADJECTIVE:
        return False
    left = at - 1
    while left >= 0 and words[left].norm not in grammar["openers"]:
        if words[left].finite:
            return False
        left -= 1
    right = at + 1
    while right < len(words) and words[right].norm not in grammar["openers"]:
        if words[right].finite:
            return False
        right += 1
    return True


@lru_cache(50_000)
def _infinitive(norm: str, code: str) -> bool:
    """Could the form be an infinitive?"""
    if code != "sv":
        return False
    bare = norm[:-1] if norm.endswith("s") else norm
    return bare.endswith("a") and _lemmas().is_verb(bare)


@lru_cache(50_000)
def _maybe_verb(norm: str, code: str) -> bool:
    """Could the form be a finite verb, though it is a noun too?"""
    if code != "sv":
        return norm.endswith("s") and len(norm) > 3
    known = _lemmas().listed(norm) or _lemmas().by_paradigm(norm)
    return any(_lemmas().is_verb(lemma) for lemma in known) and norm.endswith(("r", "s", "de", "te"))


def _after_auxiliary(words: Sequence[Word], at: int, grammar: dict[str, frozenset[str]]) -> bool:
    """Does a modal or auxiliary govern the form (at most four words before, no other verb between)?"""
    for back in range(1, 7):
        if at - back < 0:
            return False
        word = words[at - back]
        if word.norm in grammar["auxiliaries"]:
            return True
        if word.kind == VERB or word.norm in grammar["subordinators"]:
            return False
        if word.norm in ("och", "eller", "samt", "and", "or"):
            continue
    return False


def _with(word: Word, **changes: object) -> Word:
    values = {name: getattr(word, name) for name in Word.__slots__} | changes
    return Word(**values)  # type: ignore[arg-type]


# --- clauses


@dataclass
class _Open:
    """A clause while it is being read."""

    parent: int | None
    opener: str = ""
    places: list[int] = field(default_factory=list)
    finite: int | None = None
    inherits: int | None = None


def _clauses(words: tuple[Word, ...], text: str, code: str) -> tuple[tuple[Clause, ...], tuple[int, ...]]:
    """The clauses of a sentence, and for every word the number of its own. A clause may go on after one that it holds."""
    grammar = closed(code)
    opened: list[_Open] = [_Open(None)]
    current = 0
    verbs_ahead = [word.at for word in words if word.finite]
    for word in words:
        gap = text[words[word.at - 1].end : word.start] if word.at else ""
        if word.at and any(mark in gap for mark in ";:|•\n") or ". " in gap or " – " in gap:
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
    return tuple(made), tuple(owner)


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
    if word.norm in grammar["relatives"]:
        return ahead[0] < stop or ahead[0] < len(words)
    if word.norm in grammar["ambiguous_openers"]:
        if clause.finite is None and all(
            words[at].kind in (FUNCTION, ADJECTIVE) or words[at].norm in grammar["focus"] for at in clause.places
        ):
            return len(ahead) > 1 or word.norm in ("när", "då", "when", "if")
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
    finite = clause.finite
    verbs = [word for word in span if word.kind == VERB and (finite is None or word.at >= finite or word.finite)]
    main = finite
    if finite is not None and words[finite].norm in grammar["auxiliaries"] and verbs:
        main = next((word.at for word in verbs if word.at > finite), finite)
    passive = any(word.passive for word in span if word.at == main or word.at == finite)
    if finite is not None and words[finite].norm in grammar["be_forms"]:
        participle = next((word for word in span if word.at > finite and _participle(word.norm, code)), None)
        if participle is not None:
            passive, main = True, participle.at
    groups = _groups(words, clause.places, grammar, clause.opener)
    bare = [group for group in groups if group[0] is None]
    subjects: list[int] = []
    rest = [at for _, heads in bare for at in heads]
    pronoun = False
    if finite is not None:
        left = [heads for _, heads in bare if heads[0] < finite]
        right = [heads for _, heads in bare if heads[0] > finite]
        adjacent = next(
            (word for word in span if word.at in (finite - 1, finite + 1) and word.norm in grammar["subject_pronouns"]),
            None,
        )
        if adjacent is not None and not (left and adjacent.at > finite and clause.opener):
            pronoun = True
            rest = [at for at in rest]
        elif left:
            subjects = list(left[0])
        elif clause.opener in grammar["relatives"] and outer:
            earlier = [
                at for at in outer if at < clause.places[0] and words[at].kind in (NOUN, NAME) and words[at].weight > 0
            ]
            subjects = earlier[-1:]
        elif not clause.opener and right:
            subjects = list(right[0])
        if not subjects and not pronoun and before is not None:
            subjects = list(before.subjects or ())
    elif before is not None:
        subjects = list(before.subjects)
    objects = [at for at in rest if at not in subjects]
    agents = next((list(heads) for preposition, heads in groups if preposition in grammar["agent_prepositions"]), [])
    if passive:
        subjects, objects = agents, [*subjects, *objects]
        pronoun = False if agents else pronoun
    negators = tuple(word.at for word in span if word.norm in grammar["negators"])
    return Clause(
        tuple(clause.places),
        finite,
        main,
        passive,
        tuple(subjects),
        tuple(objects),
        clause.opener,
        negators,
        pronoun,
        tuple(at for preposition, heads in groups if preposition is not None for at in heads),
    )


def _groups(
    words: tuple[Word, ...], places: Sequence[int], grammar: dict[str, frozenset[str]], opener: str
) -> list[tuple[str | None, tuple[int, ...]]]:
    """Noun groups of a clause: the preposition that governs each (None without one) and the heads, joined ones together."""
    found: list[tuple[str | None, tuple[int, ...]]] = []
    preposition: str | None = None
    run: list[int] = []

    def close() -> None:
        nonlocal run, preposition
        nouns = [at for at in run if words[at].kind in (NOUN, NAME) and words[at].weight > 0]
        if nouns:
            names = [at for at in nouns if words[at].kind == NAME]
            found.append((preposition, tuple(names) if names and nouns[-1] == names[-1] else (*names, nouns[-1])))
        run = []
        preposition = None

    for index, at in enumerate(places):
        word = words[at]
        if index == 0 and word.norm in grammar["openers"] and opener:
            continue
        if word.norm in grammar["prepositions"] and word.kind == FUNCTION:
            close()
            preposition = word.norm
        elif word.norm in grammar["adverbs"]:
            close()
        elif word.kind in (NOUN, NAME, NUMBER, ADJECTIVE) or word.norm in grammar["determiners"]:
            if run and places[index - 1] != at - 1:
                close()
            run.append(at)
        elif word.norm in ("och", "samt", "eller", "and", "or") and run and index + 1 < len(places):
            mine = preposition
            close()
            preposition = mine
        else:
            close()
    close()
    return _merge(found, places, words)


def _merge(
    found: list[tuple[str | None, tuple[int, ...]]], places: Sequence[int], words: tuple[Word, ...]
) -> list[tuple[str | None, tuple[int, ...]]]:
    """Groups that "and" joins become one."""
    merged: list[tuple[str | None, tuple[int, ...]]] = []
    for preposition, heads in found:
        if merged:
            last = merged[-1]
            between = words[last[1][-1] + 1 : heads[0]]
            if preposition == last[0] and not between and heads[0] - last[1][-1] == 1:
                pass
            if (
                preposition == last[0]
                and between
                and all(
                    w.kind in (ADJECTIVE, NUMBER)
                    or w.norm in ("och", "samt", "eller", "and", "or")
                    or w.weight < 1
                    and w.kind == NOUN
                    for w in between
                )
                and any(w.norm in ("och", "samt", "eller", "and", "or") for w in between)
            ):
                merged[-1] = (last[0], (*last[1], *heads))
                continue
        merged.append((preposition, heads))
    return merged


def _participle(norm: str, code: str) -> bool:
    if code != "sv":
        return norm.endswith(("ed", "en"))
    return norm.endswith(("ad", "at", "ade", "ats", "d", "t", "dda", "da", "na", "en", "et", "dd", "tt", "ta")) and any(
        _lemmas().is_verb(term) for term in get_language("sv").analyze(norm).terms
    )
