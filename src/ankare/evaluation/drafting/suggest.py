"""Which questions should a person look at first, to make a suite for these documents and figures?

No model is asked: every question turns round words of the corpus, and its gold stands there word for word. What comes out is a
draft: each question wants a person who keeps it, corrects it or throws it away. Fewer and right comes before many.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ankare.domain.question import QuestionType
from ankare.evaluation.case import Case, Gold
from ankare.evaluation.drafting.absent import unanswerable
from ankare.evaluation.drafting.asked import LIKELY
from ankare.evaluation.drafting.corpus import Corpus, by_type
from ankare.evaluation.drafting.draft import OUT_OF_DOMAIN, TYPES, Draft
from ankare.evaluation.drafting.figures import FIGURE, FigureDraft, figure_drafts
from ankare.evaluation.drafting.variants import ambiguous, in_few_words, misspelled
from ankare.evaluation.drafting.words import LANGUAGES
from ankare.evaluation.suites.gold import normalise
from ankare.evaluation.suites.holdings import Holdings
from ankare.language.languages import get_language

SHARES: Mapping[str, int] = {
    **dict.fromkeys(("definition", "list", "process", "responsibility", "planning", "time", "existence", "purpose"), 3),
    **dict.fromkeys(("misspelled", "weak", "ambiguous"), 1),
    OUT_OF_DOMAIN: 6,
    FIGURE: 6,
}
"""How many of each type a balanced suite has, in proportion."""
MOST_PLACES = 4
SHORTEST_REPEATED = 3
"""Words of an item of a list from which on the same words elsewhere say the same."""
MOST_LOOKED_AT = 3000
NOT_HELD_EACH = 4
"""One in so many questions about figures asks for a period that is not held."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for. No `types`: all that the home gives something for; no `languages`: all that it is written in."""

    count: int = 30
    types: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Drafts as cases, by type; and of each type how many there are and how many were wished for."""

    cases: tuple[Case, ...]
    found: Mapping[str, int]
    wished: Mapping[str, int]

    @property
    def short(self) -> Mapping[str, tuple[int, int]]:
        """The types of which there are fewer than wished for: (found, wished)."""
        return {kind: (self.found.get(kind, 0), n) for kind, n in self.wished.items() if self.found.get(kind, 0) < n}


def suggest(held: Holdings, wish: Wish) -> Suggestion:
    """Draft questions from what a home holds. The same for the same home and wish, on every machine."""
    languages = wish.languages or LANGUAGES
    corpus, choose = Corpus(held), _Choice(wish.seed)
    pool = {kind: choose.ordered(drafts) for kind, drafts in by_type(corpus.drafts(languages)).items()}
    figures = [*figure_drafts(held, languages)] if held.facts else []
    types = wish.types or tuple(
        kind for kind in TYPES if (kind != FIGURE or figures) and (kind == FIGURE or held.chunks)
    )
    wished = shares(types, wish.count)
    picked = _pick(pool, wished, corpus, choose)
    others = _variants(pool, picked, wished, corpus, languages, choose)
    told = choose.figures(figures, wished.get(FIGURE, 0))
    picked += _more(pool, wished, wish.count - len(picked) - len(others) - len(told), corpus, choose)
    cases = [*_cases([*picked, *others], corpus), *_figure_cases(told)]
    cases.sort(key=lambda case: TYPES.index(case.type))
    numbered = tuple(_numbered(cases))
    return Suggestion(numbered, Counter(case.type for case in numbered), wished)


def shares(types: Sequence[str], count: int) -> Mapping[str, int]:
    """So many questions in the proportions of a balanced suite (largest remainders)."""
    total = sum(SHARES[kind] for kind in types)
    exact = {kind: SHARES[kind] * count / total for kind in types} if total else {}
    found = {kind: int(share) for kind, share in exact.items()}
    rest = sorted(exact, key=lambda kind: (found[kind] - exact[kind], TYPES.index(kind)))
    for kind in rest[: count - sum(found.values())]:
        found[kind] += 1
    return found


class _Choice:
    """Takes the surest first, spread over the documents; what is equal is ordered by the seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.asked: set[str] = set()
        self.used: set[tuple[str, int]] = set()
        self.of_source: Counter[str] = Counter()

    def ordered(self, drafts: Iterable[Draft]) -> list[Draft]:
        """Drafts in the order in which they are looked at."""
        return sorted(drafts, key=lambda draft: (-draft.sure, self.turn(draft.question)))

    def turn(self, text: str) -> str:
        """Where a text comes by the seed."""
        return hashlib.sha256(f"{self._seed}\n{text}".encode()).hexdigest()

    def take(self, drafts: Sequence[Draft], count: int, fits: Callable[[Draft], bool]) -> list[Draft]:
        """At most so many, always one of the documents that have given least so far; no passage twice."""
        left = [*drafts[:MOST_LOOKED_AT]]
        taken: list[Draft] = []
        while left and len(taken) < count:
            draft = min(left, key=lambda one: (-one.sure, self.of_source[one.source]))
            left.remove(draft)
            if self._new(draft) and fits(draft):
                self._note(draft)
                taken.append(draft)
        return taken

    def figures(self, drafts: Sequence[FigureDraft], count: int) -> list[FigureDraft]:
        """So many about figures, spread over metrics, entities and languages; some of them about periods that are not held."""
        missing = count // NOT_HELD_EACH
        told: list[FigureDraft] = []
        seen: Counter[str] = Counter()
        for held, most in ((True, count - missing), (False, missing)):
            left = sorted((one for one in drafts if one.held is held), key=lambda one: self.turn(one.question))
            del left[MOST_LOOKED_AT:]
            for _ in range(min(most, len(left))):
                one = min(left, key=lambda one: sum(seen[name] for name in _names(one)))
                left.remove(one)
                seen.update(_names(one))
                told.append(one)
        return told

    def _new(self, draft: Draft) -> bool:
        return self.asked.isdisjoint(_asks(draft)) and self.used.isdisjoint(_passages(draft))

    def _note(self, draft: Draft) -> None:
        self.asked.update(_asks(draft))
        self.used.update(_passages(draft))
        self.of_source[draft.source] += 1


def _asks(draft: Draft) -> set[str]:
    """The question, and of a definition the word that it is of, whatever is asked about it."""
    word = f"= {' '.join(get_language(draft.language).index_terms(draft.topic))}"
    return {normalise(draft.question), *([word] if draft.type == QuestionType.DEFINITION and draft.topic else [])}


def _passages(draft: Draft) -> set[tuple[str, int]]:
    return {(held.chunk.id, sentence.start) for held in draft.evidence for sentence in held.sentences}


def _names(draft: FigureDraft) -> tuple[str, ...]:
    return (draft.key.metric_code, draft.key.entity, draft.language, draft.key.period_type)


def _pick(pool: Mapping[str, list[Draft]], wished: Mapping[str, int], corpus: Corpus, choose: _Choice) -> list[Draft]:
    """Of each type what it should have; the rarest type first, since a passage is asked about once."""
    found: list[Draft] = []
    for kind in sorted(wished, key=lambda kind: (len(pool.get(kind, ())), TYPES.index(kind))):
        found += choose.take(pool.get(kind, ()), wished[kind], lambda draft: bool(_golds(draft, corpus)))
    return found


def _more(
    pool: Mapping[str, list[Draft]], wished: Mapping[str, int], missing: int, corpus: Corpus, choose: _Choice
) -> list[Draft]:
    """In place of types that there is too little of: more of the others, as long as their wording is likely to be right."""
    found: list[Draft] = []
    for kind in sorted(wished, key=lambda kind: -len(pool.get(kind, ()))):
        likely = [draft for draft in pool.get(kind, ()) if draft.sure >= LIKELY]
        most = min(missing - len(found), wished[kind])
        found += choose.take(likely, most, lambda draft: bool(_golds(draft, corpus)))
    return found


def _variants(
    pool: Mapping[str, list[Draft]],
    picked: Sequence[Draft],
    wished: Mapping[str, int],
    corpus: Corpus,
    languages: Sequence[str],
    choose: _Choice,
) -> list[Draft]:
    """Questions that are made from others: those that were not picked, so that no question stands twice."""
    known = choose.ordered(draft for drafts in pool.values() for draft in drafts)
    plain = [draft for draft in known if draft not in picked and not draft.headed]
    made = {
        "misspelled": [variant for draft in plain for variant in misspelled(draft, corpus)],
        "weak": [variant for draft in plain for variant in in_few_words(draft)],
        "ambiguous": choose.ordered(ambiguous(corpus, languages)),
        OUT_OF_DOMAIN: _absent(known, corpus, languages, wished.get(OUT_OF_DOMAIN, 0), choose),
    }
    found: list[Draft] = []
    for kind, drafts in made.items():
        found += choose.take(
            drafts, wished.get(kind, 0), lambda draft: not draft.evidence or bool(_golds(draft, corpus))
        )
    return found


def _absent(
    known: Sequence[Draft], corpus: Corpus, languages: Sequence[str], count: int, choose: _Choice
) -> list[Draft]:
    """Questions without an answer, in the languages of the documents by their share of the passages."""
    spoken = Counter(chunk.language for chunk in corpus.chunks if chunk.language in languages)
    total = sum(spoken.values())
    found: list[Draft] = []
    for code, passages in spoken.most_common():
        most = round(count * passages / total)
        found += unanswerable(known, corpus, code, most, choose.turn)
    return found


def _cases(drafts: Iterable[Draft], corpus: Corpus) -> Iterator[Case]:
    for draft in drafts:
        yield Case(
            id=draft.stem or draft.type.replace("_", "-"),
            question=draft.question,
            type=draft.type,
            answerable=bool(draft.evidence),
            reference_answer=draft.answer,
            gold=_golds(draft, corpus),
            language=draft.language,
            draft=True,
            notes=_notes(draft),
        )


def _golds(draft: Draft, corpus: Corpus) -> tuple[Gold, ...]:
    """Where the evidence stands, with the other places that hold the same words; () where a sentence stands everywhere."""
    own = [gold for held in draft.evidence for gold in held.golds()]
    named = {(gold.source, page) for gold in own for page in gold.pages}
    listed = len(own) > len(draft.evidence)
    found: dict[Gold, None] = dict.fromkeys(own)
    for gold in own:
        if listed and len(gold.snippet.split()) < SHORTEST_REPEATED:
            continue
        places = [place for place in corpus.held.places_of(gold.snippet) if place.source not in corpus.held.superseded]
        if len(places) > MOST_PLACES and not listed:
            return ()
        others = [place for place in places if place not in named] if len(places) <= MOST_PLACES else []
        found.update((Gold(place.source, (place.page or 1,), gold.snippet), None) for place in others)
    return tuple(found)


def _notes(draft: Draft) -> str:
    """From what it was made, for whoever corrects it."""
    made = f"made from: {draft.made_from}" if draft.made_from else ""
    sections = dict.fromkeys(" > ".join(held.chunk.section) for held in draft.evidence)
    return "; ".join(filter(None, (made, draft.doubt, *sections)))


def _figure_cases(drafts: Iterable[FigureDraft]) -> Iterator[Case]:
    for draft in drafts:
        yield Case(
            id=FIGURE,
            question=draft.question,
            type=FIGURE,
            answerable=draft.held,
            expected=draft.expected,
            language=draft.language,
            draft=True,
        )


def _numbered(cases: Iterable[Case]) -> Iterator[Case]:
    """Each with a number behind the stem of its id."""
    counts: Counter[str] = Counter()
    for case in cases:
        counts[case.id] += 1
        yield replace(case, id=f"{case.id}-{counts[case.id]}")
