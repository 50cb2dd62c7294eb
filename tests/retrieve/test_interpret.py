"""A question is understood in the light of the corpus, and a word that the corpus knows is never changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ankare.domain.question import QuestionType
from tests.retrieve.corpus import Corpus, text_chunk

CHUNKS = [
    text_chunk("c1", "Acceptanstestet genomförs av beställaren.\nTestplanen beskriver vad som ska provas."),
    text_chunk("c2", "Projektledaren ansvarar för utbildningen.\nEn driftsgenomgång hålls varje vecka."),
    text_chunk("c3", "Användarstödet bemannas av två personer.\nStyrgruppen beslutar om budget."),
]
SYNONYMS = {"helpdesk": ("användarstöd", "hjälp med datorn"), "PL": ("projektledare",)}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return Corpus(tmp_path_factory.mktemp("index") / "v", CHUNKS, SYNONYMS)


def content(corpus: Corpus, text: str) -> list[str]:
    return [word.text for word in corpus.question(text).content_words]


def test_text_and_offsets_are_the_users_own(corpus: Corpus) -> None:
    asked = corpus.question("Vem ansvarar för  utbildningen?")
    assert asked.text == "Vem ansvarar för  utbildningen?"
    assert all(asked.text[word.start : word.end] == word.text for word in asked.words)


def test_type_and_language_are_found(corpus: Corpus) -> None:
    assert corpus.question("Vad är ett acceptanstest?", None).type is QuestionType.DEFINITION
    assert corpus.question("Vem ansvarar för utbildningen?", None).language == "sv"
    assert corpus.question("What is the purpose of the training?", None).language == "en"


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Inom vilken tid lämnas budgeten?", ["lämnas", "budgeten"]),
        ("Hur länge bemannas användarstödet?", ["bemannas", "användarstödet"]),
        ("Hur många veckor tar utbildningen?", ["utbildningen"]),
        ("How long does the training last?", ["training"]),
        ("Hur mäts tid i budgeten?", ["mäts", "tid", "budgeten"]),
    ],
)
def test_words_that_only_ask_for_a_time_are_no_subject(corpus: Corpus, text: str, subject: list[str]) -> None:
    words = corpus.question(text, None).content_words
    assert [word.text for word in words if not word.generic] == subject


def test_split_compound_is_joined_when_the_corpus_writes_it_together(corpus: Corpus) -> None:
    words = corpus.question("Vad är ett acceptans test?").content_words
    assert [word.text for word in words] == ["acceptans test"]
    assert set(words[0].terms) & set(corpus.question("acceptanstest").words[0].terms)
    assert words[0].parts and words[0].known


def test_two_words_that_no_one_joins_stay_two(corpus: Corpus) -> None:
    assert content(corpus, "budget projektledare") == ["budget", "projektledare"]


def test_misspelling_is_read_as_a_word_of_the_corpus(corpus: Corpus) -> None:
    word = corpus.question("Vem är projektledarn?").content_words[0]
    assert word.text == "projektledarn"
    assert word.corrected is not None and word.corrected.startswith("projektled")
    assert word.known


@pytest.mark.parametrize("known", ["driftsgenomgång", "acceptanstestet", "budget", "användarstödet", "beställaren"])
def test_known_word_is_never_changed(corpus: Corpus, known: str) -> None:
    (word,) = corpus.question(known).words
    assert word.corrected is None and word.known


def test_unknown_word_is_told(corpus: Corpus) -> None:
    (word,) = corpus.question("fotboll").words
    assert not word.known and word.corrected is None


def test_synonym_goes_both_ways(corpus: Corpus) -> None:
    (helpdesk,) = corpus.question("helpdesk").words
    (stod,) = corpus.question("användarstöd").words
    assert stod.terms in helpdesk.synonyms and helpdesk.known
    assert helpdesk.terms in stod.synonyms


def test_synonym_of_several_words_is_found_and_given_to_each(corpus: Corpus) -> None:
    words = [word for word in corpus.question("Var finns hjälp med datorn?").words if word.synonyms]
    assert [word.text for word in words] == ["hjälp", "med", "datorn"]


def test_values_of_a_key_do_not_stand_for_each_other(corpus: Corpus) -> None:
    (stod,) = corpus.question("användarstöd").words
    assert all(set(terms) <= set(stod.synonyms[0]) for terms in stod.synonyms)


def test_a_question_in_another_language_finds_the_documents_words(corpus: Corpus) -> None:
    words = corpus.question("What does acceptanstest mean?", "en").words
    found = next(word for word in words if word.text == "acceptanstest")
    assert found.known and found.terms == corpus.question("acceptanstest").words[0].terms


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=80))
def test_any_text_can_be_asked(corpus: Corpus, text: str) -> None:
    asked = corpus.question(text, None)
    assert all(asked.text[word.start : word.end] == word.text for word in asked.words)
    assert asked == corpus.question(text, None)


def test_same_words_in_two_processes(corpus: Corpus, tmp_path: Path) -> None:
    again = Corpus(tmp_path / "v", CHUNKS, SYNONYMS)
    text = "Vem sköter helpdesk och acceptans test?"
    assert corpus.question(text) == again.question(text)
