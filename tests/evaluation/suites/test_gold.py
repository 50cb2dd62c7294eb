"""Gold: which separate things a right answer holds, and whether a text holds the words of one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ankare.evaluation.case import Case, Gold
from ankare.evaluation.suites import gold as gold_module
from ankare.evaluation.suites.gold import Part, Place, holds, normalise, parts_of, words
from ankare.evaluation.suites.suite import read_suite
from ankare.sample import pack_path

HELD = [
    # (a text, words that it holds)
    ("Styrgruppen beslutar.", "styrgruppen BESLUTAR"),
    ("Frågan avgörs av\n   styrgruppen", "avgörs av styrgruppen"),
    ("styrelsens ord-\nbok", "ordbok"),
    ("styrelsens ord\u00adbok", "ordbok"),
    ("styrelsens ord\ufffe\nbok", "ordbok"),
    ("i IT-\nmiljön", "IT-miljön"),
    ("in- och utflöde", "in- och\nutflöde"),
    ("**Beslut** fattas _av_ `chefen`.", "beslut fattas av chefen"),
    ("> citat\n> går vidare", "citat går vidare"),
    ("Den [sista sidan](https://example.org/a#b) gäller", "den sista sidan gäller"),
    ("Beslut fattas [[1]](/sources/x#page=5) av chefen [2].", "fattas av chefen"),
    ("1\\. Kraven \\*fryses\\*", "1. kraven fryses"),
    ("5 &lt; 7", "5 < 7"),
    ("kostar 1 320,5 mkr", "1320,5 mkr"),
    ("kostar 1\u00a0320 mkr", "1 320 mkr"),
    ("minst 95 % av fallen", "95% av fallen"),
    ("blev \u22123,6", "-3,6"),
    ("5\u20137 dagar", "5-7 dagar"),
    ("år 2024-\n2025", "2024\u20132025"),
    ("den ﬁna ﬂoden", "fina floden"),
    ("集团 2024年 的\n供水量", "2024年的供水量"),
    ("集团的供水量", "供水"),
    ("don\u2019t stop", "don't stop"),
    # one number, however it is written
    ("kostar 10.000 kr", "10 000 kr"),
    ("costs 10,000 kr", "10000 kr"),
    ("kostar 1.234.567,5 kr", "1 234 567,5 kr"),
    ("blev 12.5 mkr", "12,5 mkr"),
    ("minst 5 procent", "5 %"),
    ("at least 5%", "5 percent"),
]
NOT_HELD = [
    ("ordning råder", "ord"),
    ("en ordbok", "bok"),
    ("Styrgruppen beslutar inte", "styrgruppen inte"),
    ("beslutar styrgruppen", "styrgruppen beslutar"),
    ("2,5 procent", "5 procent"),
    ("1 320 mkr", "320 mkr"),
    ("blev -3,6", "3,6"),
    ("den 12 maj", "2 maj"),
    ("den 2024-03-01", "2024-03"),
    ("år 2024", "år 2025"),
    ("m\u00e5l", "mal"),
    # a number is not put together of two
    ("Steg 1: 2 dagar", "12 dagar"),
    ("1. 2 dagar", "12 dagar"),
    ("kapitel 3 5 procent", "35 procent"),
    ("1 [5] 5 dagar", "15 dagar"),
    ("20 24", "2024"),
    ("version 1.2.3", "version 1.23"),
    ("0,5 %", "5 procent"),
    ("vad som helst", ""),
    ("vad som helst", "..."),
    ("", "ord"),
]


@pytest.mark.parametrize(("text", "snippet"), HELD)
def test_a_text_holds_words_whatever_stands_between_them(text: str, snippet: str) -> None:
    assert holds(text, snippet), (normalise(text), normalise(snippet))


@pytest.mark.parametrize(("text", "snippet"), NOT_HELD)
def test_other_words_and_other_numbers_are_not_held(text: str, snippet: str) -> None:
    assert not holds(text, snippet)


def test_without_its_edges_a_word_would_be_held_by_a_longer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gold_module, "holds", lambda text, snippet: words(snippet).text in words(text).text)
    assert sum(gold_module.holds(text, snippet) for text, snippet in NOT_HELD) >= 5


sentences = st.lists(st.from_regex(r"[a-zåäö]{1,9}", fullmatch=True), min_size=1, max_size=12)


@given(sentences, st.data())
def test_every_stretch_of_a_text_is_held_by_it(found: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(found) - 1))
    end = data.draw(st.integers(start + 1, len(found)))
    text = " ".join(found)
    assert holds(text, " ".join(found[start:end])) and holds(text.upper(), "\n".join(found[start:end]))
    assert holds(text, normalise(text)) and normalise(normalise(text)) == normalise(text)


def case(*golds: Gold) -> Case:
    return Case("a", "x", gold=golds)


def at(*places: tuple[str, int | None]) -> frozenset[Place]:
    return frozenset(Place(*place) for place in places)


PARTS = [
    # no gold, no part
    ([], []),
    # the same words at two places are one thing
    (
        [Gold("a", (7,), "Ett tillfälle då gruppen avgör."), Gold("b", (), "ett tillfälle då gruppen av-\ngör")],
        [at(("a", 7), ("b", None))],
    ),
    # a longer wording says what the shorter one says
    ([Gold("a", (7,), "Med detta avses ett tillfälle."), Gold("b", (1,), "ett tillfälle")], [at(("a", 7), ("b", 1))]),
    # and both of two that it holds
    (
        [Gold("a", (1,), "röd och blå"), Gold("b", (2,), "röd"), Gold("c", (3, 4), "blå")],
        [at(("a", 1), ("b", 2)), at(("a", 1), ("c", 3), ("c", 4))],
    ),
    # other words are another thing
    ([Gold("a", (5,), "ordförande"), Gold("a", (5,), "sekreterare")], [at(("a", 5)), at(("a", 5))]),
    # without words: one thing per document, any of its pages
    ([Gold("a", (1,)), Gold("b"), Gold("a", (3,))], [at(("a", 1), ("a", 3)), at(("b", None))]),
    # a page whose words are known is nothing of its own
    ([Gold("a", (1,), "röd"), Gold("a", (1, 2)), Gold("a")], [at(("a", 1))]),
    ([Gold("a", (1,), "röd"), Gold("a", (2,))], [at(("a", 1)), at(("a", 2))]),
    # however its document is written
    ([Gold("Mapp/A.pdf", (1,), "röd"), Gold("a.pdf", (1,))], [at(("Mapp/A.pdf", 1))]),
    ([Gold("A.pdf", (3,)), Gold("a.pdf", (4,))], [at(("A.pdf", 3), ("a.pdf", 4))]),
]


@pytest.mark.parametrize(("golds", "expected"), PARTS)
def test_gold_that_says_the_same_is_one_part(golds: list[Gold], expected: list[frozenset[Place]]) -> None:
    assert [part.places for part in parts_of(case(*golds))] == expected


def test_a_part_knows_its_places_and_its_words() -> None:
    (part,) = parts_of(case(Gold("a", (7,), "Med detta avses ett tillfälle."), Gold("b", (), "ett tillfälle")))
    assert part.snippets == ("ett tillfälle", "Med detta avses ett tillfälle.")
    assert part.stands_in("a", (6, 7)) and part.stands_in("b", (99,)) and part.stands_in("b", ())
    assert not part.stands_in("a", (8,)) and not part.stands_in("a", ()) and not part.stands_in("c", (7,))
    assert part.said_in("Det är ett **tillfälle**.") and not part.said_in("Det är ett fall.")
    assert part.sources == {"a", "b"} and not Part(at(("a", 1))).said_in("ett tillfälle")


def test_every_gold_of_the_sample_suite_is_in_a_part_and_says_it() -> None:
    for held in read_suite(pack_path() / "suite.jsonl"):
        parts = parts_of(held)
        assert bool(parts) is bool(held.gold)
        for gold in held.gold:
            mine = [part for part in parts if part.said_in(gold.snippet)]
            assert mine and all(part.stands_in(gold.source, gold.pages) for part in mine)


def test_a_long_text_is_looked_through_at_once() -> None:
    text = "ord " * 50_000
    assert not holds(text, "ord " * 200 + "slut") and re.match("ord ord", normalise(text))
