"""Is it noticed how far search by meaning had a part in an answer?"""

from __future__ import annotations

from typing import Any

import pytest

from ankare.evaluation.asking.meaning import Meaning, meaning_of, not_ready


def retrieved(*hits: Any) -> dict[str, Any]:
    return {"retrieval": {"top_results": list(hits)}}


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (retrieved({"semantic": 0.4}, {"semantic": 0.0}), Meaning.YES),
        (retrieved({"semantic": None}, {"semantic": None}), Meaning.NO),
        (retrieved({"semantic": 0.4}, {"semantic": None}), Meaning.PARTLY),
        (retrieved(), None),  # figures, or nothing was found
        (retrieved({"chunk_id": "c1"}), None),  # a server that does not tell
        (retrieved("c1", {"semantic": "near"}), Meaning.NO),
        ({"retrieval": None}, None),
        ({}, None),
    ],
)
def test_the_hits_of_an_answer_tell_it(body: dict[str, Any], found: Meaning | None) -> None:
    assert meaning_of(body) is found


@pytest.mark.parametrize(
    ("now", "said"), [(Meaning.NO, "is not ready"), (Meaning.PARTLY, "a part of the texts only"), (Meaning.YES, "")]
)
def test_what_is_not_ready_is_told_with_its_remedy(now: Meaning, said: str) -> None:
    told = not_ready(now, "Do this.")
    assert [said in line and line.endswith("Do this.") for line in told] == [True] * bool(said)
