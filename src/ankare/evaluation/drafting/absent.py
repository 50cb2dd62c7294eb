"""Which questions look as if the documents could answer them, and cannot?

Near misses, in the words of the documents, and a few questions of quite another field.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from ankare.evaluation.drafting.asked import LIKELY
from ankare.evaluation.drafting.corpus import Corpus
from ankare.evaluation.drafting.draft import OUT_OF_DOMAIN, Draft
from ankare.evaluation.drafting.near import Turn, near_misses

FAR = "far"
FAR_EACH = 6
"""One in so many is far from everything that the documents speak of."""


def unanswerable(known: Sequence[Draft], corpus: Corpus, code: str, count: int, turn: Turn) -> Iterator[Draft]:
    """At most so many questions in a language that the documents do not answer, by their words; the near ones first.

    Fewer where there are fewer near misses: more from another field would say little.
    """
    far = round(count / FAR_EACH)
    yield from islice(near_misses(known, corpus, code, turn), count - far)
    yield from islice(_far(corpus, code), far)


def _far(corpus: Corpus, code: str) -> Iterator[Draft]:
    for asked in corpus.speaker(code).words.absent("far"):
        if corpus.lacks(asked, code):
            yield Draft(asked, OUT_OF_DOMAIN, code, LIKELY, stem=FAR)
