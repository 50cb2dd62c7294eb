"""Does the question stay the anchor when other wordings bring hits in?"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ankare.domain.evidence import Hit
from ankare.retrieve.pool import ANCHORED, POOL, merged
from tests.samples import chunk, hit

HITS = tuple(hit(chunk(f"Text nummer {n}.", source=f"{n}.pdf"), 10.0 - n / 10) for n in range(30))


def ids(hits: tuple[Hit, ...]) -> list[str]:
    return [one.chunk.source for one in hits]


def test_without_other_wordings_the_hits_stay_as_they_are() -> None:
    assert merged(HITS[:8], ()) == HITS[:8]


def test_the_best_hits_of_the_question_keep_their_places() -> None:
    drifted = (HITS[20:30], HITS[20:30], HITS[20:30], HITS[20:30])
    assert ids(merged(HITS[:8], drifted))[:ANCHORED] == ids(HITS[:ANCHORED])


def test_the_best_hit_of_another_wording_comes_into_the_context() -> None:
    assert "20.pdf" in ids(merged(HITS[:8], (HITS[20:28],)))[:8]


def test_a_hit_that_both_find_goes_before_one_that_only_one_finds() -> None:
    pool = ids(merged(HITS[:8], ((HITS[7], HITS[20]),)))
    assert pool.index("7.pdf") < pool.index("6.pdf")


def test_no_two_lists_make_the_pool_larger_than_it_may_be() -> None:
    pool = merged(HITS[:12], (HITS[10:22], HITS[18:30]))
    assert len(pool) == POOL
    assert len(set(ids(pool))) == POOL


lists = st.lists(st.sampled_from(HITS), max_size=10, unique_by=lambda one: one.chunk.id).map(tuple)


@given(original=lists, others=st.lists(lists, min_size=1, max_size=4))
def test_the_pool_is_ordered_and_explains_its_scores(original: tuple[Hit, ...], others: list[tuple[Hit, ...]]) -> None:
    pool = merged(original, others)
    assert [one.score for one in pool] == sorted((one.score for one in pool), reverse=True)
    assert ids(pool)[: min(ANCHORED, len(original))] == ids(original[:ANCHORED])
    for one in pool:
        assert abs(one.score - sum(part.contribution for part in one.parts)) < 1e-9
