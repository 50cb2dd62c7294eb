"""Questions without an answer: near misses in the words of the documents, held against every sentence; far ones only a few."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ankare.evaluation.case import Case
from ankare.evaluation.drafting.corpus import Corpus
from ankare.evaluation.drafting.suggest import Wish, suggest
from ankare.evaluation.drafting.words import draft_words
from ankare.evaluation.suites.holdings import Holdings, read_holdings
from ankare.index.home import Home
from ankare.ingest.run import ingest
from ankare.language.languages import get_language
from ankare.sample import pack_path
from tests.service.real import build_home

RULES = """# Verkstaden

## Ansvar

Föreståndaren ansvarar för svarven. Kassören betalar hyran. Svarven besiktigas varje år. Svarven kostar 400 kronor per dag.

## Lån

Handboken lämnas tillbaka inom två veckor. Nyckeln lämnas tillbaka samma dag. Nyckeln hämtas i porten. Porten är grön.

Handboken sparas i fem år. Sekreteraren skriver protokollet. Protokollet sparas i tio år. Ordföranden granskar protokollet.

## Priser

Blanketten fylls i av medlemmen. Sågen hyrs ut. Den kostar 90 kronor.
"""


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Holdings]:
    folder = tmp_path_factory.mktemp("absent")
    (folder / "documents").mkdir()
    (folder / "documents" / "regler.md").write_text(RULES, "utf-8")
    yield read_holdings(build_home(folder / "home", folder / "documents"))


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Holdings]:
    home = tmp_path_factory.mktemp("absent-sample")
    ingest([pack_path() / "documents"], Home(home), pack=pack_path())
    yield read_holdings(home)


def absent(held: Holdings, count: int = 24, **wish: object) -> tuple[Case, ...]:
    return suggest(held, Wish(count=count, types=("out_of_domain",), **wish)).cases  # type: ignore[arg-type]


def said_together(case: Case, held: Holdings) -> list[str]:
    """Sentences that hold both the thing of a near miss and a word of what is asked of it, found by reading them all."""
    language = get_language(case.language)
    noun = case.notes.split("'")[1]
    terms = {term for token in language.tokens(noun) for term in language.analyze(token.text).terms if len(term) > 3}
    words = draft_words(case.language)
    told = [one.words for one in words.attributes if one.ask.format(a=noun) == case.question]
    rest = " ".join(told[0]) if told else case.question.replace(noun, "")
    asked = set(language.index_terms(rest)) - words.asking - {"vilken", "tid"}
    texts = [chunk.sentence_text(one) for chunk in held.chunks for one in chunk.sentences]
    found = [(text, set(language.index_terms(text))) for text in texts]
    return [text for text, held_terms in found if held_terms & terms and held_terms & asked]


def near(cases: tuple[Case, ...]) -> list[Case]:
    return [case for case in cases if case.id.startswith("near-")]


def test_most_are_near_and_a_few_far_and_their_ids_say_which(sample: Holdings) -> None:
    cases = absent(sample)
    assert {case.id.split("-")[0] for case in cases} == {"near", "far"}
    assert {case.type for case in cases} == {"out_of_domain"} and not any(case.answerable for case in cases)
    assert len(near(cases)) >= 4 * (len(cases) - len(near(cases))) > 0


def test_a_near_miss_is_never_said_and_its_notes_say_what_to_look_at(sample: Holdings, workshop: Holdings) -> None:
    for held in (sample, workshop):
        found = near(absent(held))
        assert found
        for case in found:
            assert said_together(case, held) == [], case
            assert "no passage" in case.notes and case.draft


def test_without_the_search_a_near_miss_would_have_its_answer(
    sample: Holdings, workshop: Holdings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Corpus, "apart", lambda self, some, others: True)
    monkeypatch.setattr(Corpus, "strangers", lambda self, some, others: True)
    answered = [case for held in (sample, workshop) for case in near(absent(held)) if said_together(case, held)]
    assert len(answered) >= 2


APART = [
    # (a thing, a word, are they never said together?)
    ("svarven", "besiktigas", False),  # one sentence
    ("svarven", "granskar", True),
    ("sågen", "kostar", False),  # a sentence and the next, which says "den"
    ("blanketten", "priser", False),  # under a heading that says it
    ("nyckeln", "sparas", True),
    ("protokollet", "sparas", False),
]


@pytest.mark.parametrize(("noun", "word", "apart"), APART)
def test_what_is_said_together_in_a_sentence_the_next_or_under_a_heading_is_found(
    workshop: Holdings, noun: str, word: str, apart: bool
) -> None:
    corpus = Corpus(workshop)
    asked = frozenset(get_language("sv").analyze(word).terms)
    assert corpus.apart(corpus.terms_of_noun(noun, "sv"), asked) is apart


def test_a_known_question_is_asked_of_a_thing_that_the_same_is_done_with(workshop: Holdings) -> None:
    cases = [case for seed in range(8) for case in near(absent(workshop, seed=seed))]
    assert "Hur länge sparas nyckeln?" in {case.question for case in cases}
    assert not any("svarven" in case.question and "kostar" in case.question for case in cases)
    made = [case for case in cases if case.notes.startswith("made from: ")]
    assert all(case.question != case.notes.removeprefix("made from: ").split("?")[0] + "?" for case in made)


def test_another_language_has_its_own(sample: Holdings) -> None:
    found = near(absent(sample, languages=("en",)))
    assert found and {case.language for case in found} == {"en"}


def test_a_home_that_names_no_thing_gets_few_far_ones_and_is_told(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "a.txt").write_text("Utan hel mening", "utf-8")
    found = suggest(
        read_holdings(build_home(tmp_path / "home", tmp_path / "documents")), Wish(types=("out_of_domain",))
    )
    assert len(found.cases) <= 5 and found.short == {"out_of_domain": (len(found.cases), 30)}
