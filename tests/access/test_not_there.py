"""A document that a reader may not read is not there: nothing that the service says differs from a home that never held it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ankare.index.home import Home
from tests.access.world import (
    BOARD_FILES,
    LEGAL_FILES,
    PUBLIC_FILES,
    QUESTIONS,
    WAYS,
    Reader,
    at_once,
    built,
    reading,
)

UNLABELLED_BOARD = {name: text for name, text in BOARD_FILES.items() if not name.endswith("access.toml")}


def ids(*homes: Path) -> list[tuple[str, str]]:
    """Every document of these homes, with a chunk of it; and one that no home has."""
    documents = {document.id: document for home in homes for document in Home(home).open_current().documents.values()}
    return [*((d.id, d.chunk_ids[0]) for d in documents.values()), ("0123456789abcdef", "fedcba9876543210")]


class Pair:
    """The same reader in front of two homes."""

    def __init__(self, one: Reader, other: Reader, documents: list[tuple[str, str]]) -> None:
        self.one, self.other, self.documents = one, other, documents

    def same(self, question: str) -> None:
        assert self.one.asked(question) == self.other.asked(question)


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that never held a secret."""
    return built(tmp_path_factory.mktemp("without"), PUBLIC_FILES)


@pytest.fixture(scope="module", params=WAYS, ids=lambda way: way.__name__)
def public(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, without: Path) -> Iterator[Pair]:
    """A reader without a label, before that home and one with secrets."""
    way: Callable[[Path], Path] = request.param
    secret = way(tmp_path_factory.mktemp("with"))
    with reading(without) as one, reading(secret) as other:
        yield Pair(one, other, ids(without, secret))


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with secrets of two labels."""
    return at_once(tmp_path_factory.mktemp("secret"))


@pytest.fixture(scope="module")
def both(without: Path, secret: Path) -> Iterator[Pair]:
    """A reader without a label, before a home without and one with secrets."""
    with reading(without) as one, reading(secret) as other:
        yield Pair(one, other, ids(without, secret))


def test_nothing_that_is_asked_shows_a_secret(public: Pair) -> None:
    for question in QUESTIONS:
        public.same(question)


def test_no_source_or_picture_shows_a_secret(public: Pair) -> None:
    chunks = [chunk for _document, chunk in public.documents]
    for document, chunk in public.documents:
        for other in {chunk, *chunks[:3], chunks[-2]}:
            assert public.one.looked(document, other) == public.other.looked(document, other)


def test_the_state_of_the_service_shows_no_secret(public: Pair) -> None:
    assert public.one.state() == public.other.state()


@pytest.mark.parametrize(
    ("labels", "held"),
    [
        (("board",), [PUBLIC_FILES, UNLABELLED_BOARD]),
        (("BOARD", "nobody"), [PUBLIC_FILES, UNLABELLED_BOARD]),
        (("nobody",), [PUBLIC_FILES]),
    ],
)
def test_a_reader_sees_a_home_of_what_the_labels_open(
    tmp_path: Path, secret: Path, labels: tuple[str, ...], held: list[dict[str, str | bytes]]
) -> None:
    plain = built(tmp_path, *held)
    with reading(plain) as one, reading(secret, *labels) as other:
        pair = Pair(one, other, ids(plain, secret))
        for question in QUESTIONS:
            pair.same(question)
        for document, chunk in pair.documents:
            assert one.looked(document, chunk) == other.looked(document, chunk)


def test_the_secrets_are_there_for_those_who_may_read_them(secret: Path) -> None:
    with (
        reading(secret, "board") as board,
        reading(secret, "legal") as legal,
        reading(secret, "board", "legal") as all_,
    ):
        assert "konvertibler" in board.ask("Hur finansieras uppköpet av Zirkonbolaget?")["answer_markdown"]
        assert not legal.ask("Hur finansieras uppköpet av Zirkonbolaget?")["answered"]
        assert "hovrätten" in all_.ask("Var avgörs tvisten om arrendet?")["answer_markdown"]
        assert "999" in board.ask("Vad var omsättningen i Kina 2023?")["answer_markdown"]
        (half,) = all_.ask("Vad var vinsten i Kina första halvåret 2025?")["facts"]
        assert half["value"] == "7"
        assert board.ask("Vad är Zirkonbolgaet?")["answered"]


WORDS = sorted(
    {
        word.strip(".,:#")
        for text in (*PUBLIC_FILES.values(), *BOARD_FILES.values(), *LEGAL_FILES.values())
        if isinstance(text, str)
        for word in text.split()
        if word.strip(".,:#").isalpha()
    }
)


@st.composite
def misspelt(draw: st.DrawFn) -> str:
    """A word of the public or of a secret text, perhaps with an error in it."""
    word = draw(st.sampled_from(WORDS))
    place = draw(st.integers(0, len(word) - 1))
    kind = draw(st.sampled_from(("", "", "drop", "double", "swap", "split")))
    if kind == "drop":
        return word[:place] + word[place + 1 :]
    if kind == "double":
        return word[:place] + word[place] + word[place:]
    if kind == "swap" and place + 1 < len(word):
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    return f"{word[:place]} {word[place:]}" if kind == "split" else word


@given(
    st.sampled_from(("Vad är ", "När ska ", "Vem beslutar om ", "Hur många ", "")),
    st.lists(misspelt(), min_size=1, max_size=6),
)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_question_whatever_shows_a_secret(both: Pair, opening: str, words: list[str]) -> None:
    both.same(f"{opening}{' '.join(words)}?")


@pytest.mark.parametrize("seed", range(6))
def test_no_home_whatever_shows_its_secrets(tmp_path: Path, seed: int) -> None:
    """Texts of common and of own words; some have a label, from a folder or a sidecar."""
    chance = random.Random(seed)
    public: dict[str, str | bytes] = {}
    secret: dict[str, str | bytes] = {"dold/access.toml": 'label = "inner"\n'}
    for number in range(12):
        words = [chance.choice(WORDS) for _ in range(40)]
        text = f"# {words[0].capitalize()}\n\n## {words[1].capitalize()}\n\n" + " ".join(words[2:]) + ".\n"
        if number % 2:
            public[f"mapp/{number}.md"] = text
        elif number % 4:
            secret[f"mapp/{number}.md"] = text
            secret[f"mapp/{number}.md.meta.toml"] = f'access = "inner"\nsupersedes = ["{number - 1}.md"]\n'
        else:
            secret[f"dold/{number}.md"] = text
    plain, mixed = built(tmp_path / "a", public), built(tmp_path / "b", secret, public)
    with ExitStack() as stack:
        pair = Pair(stack.enter_context(reading(plain)), stack.enter_context(reading(mixed)), [])
        for _ in range(15):
            pair.same(" ".join(chance.choice(WORDS) for _ in range(chance.randint(1, 4))) + "?")
