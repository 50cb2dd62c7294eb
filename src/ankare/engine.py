"""Start here: what happens to a question?

    screen -> security gate -> interpret -> clarify -> route -> documents | chain | figures | both -> answer -> (caller) cite

The engine answers from one open version of the home. When an ingest has put a newer version in place, or its embeddings
are ready, the next question is answered from that; questions under way finish on the one that they began with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from ankare.channels.composite import RoutedChannel
from ankare.channels.corpora import Corpora, CorpusSource
from ankare.channels.corpus import OpenCorpus
from ankare.channels.follow_up import read_follow_up
from ankare.channels.way import PLAIN, Way
from ankare.domain.access import OWNER, Access
from ankare.domain.evidence import Hit
from ankare.domain.question import Understood
from ankare.domain.reply import Reply
from ankare.gate.screen import screen
from ankare.structured.metric_query import MetricQuery, MetricReply


class Engine:
    """Answers questions from documents and figures. Safe for many threads."""

    def __init__(
        self, source: CorpusSource, channel: RoutedChannel, *, max_question_chars: int = 2000, usual: Way = PLAIN
    ) -> None:
        """`usual`: the way that a question takes which does not say."""
        self._channel = channel
        self._usual = usual
        self._max_chars = max_question_chars
        self._corpora = Corpora(source)

    def ask(
        self,
        question: str,
        *,
        language: str | None = None,
        reference_date: date | None = None,
        history: Sequence[tuple[str, str]] = (),
        agentic: bool | None = None,
        synthesis: bool | None = None,
        on_step: Callable[[str], None] | None = None,
        access: Access = OWNER,
    ) -> Reply:
        """Answer, refuse or ask back, in the question's language unless `language` says otherwise.

        `reference_date`: what relative periods count from, None = today. `history`: earlier turns (role, text), shown to a
        model where one is asked and to nothing else. `agentic`: run the chain of agents; `synthesis`: let a model rewrite the
        answer where the chain does not run; None: as it is configured. `access`: what the reader may see; nothing else is
        there for this question. `on_step` is told the name of each step as it
        begins. Within `ankare.domain.cancel.cancelled_by(token)` the question can be given up.

        Raises QuestionError for an unusable question, HomeError where there is no usable index, FactStoreError where the
        figures cannot be read, ProviderServiceError where the model's service refuses the key or the quota,
        CallCancelledError for a question that was given up.
        """
        text = screen(question, self._max_chars)
        way = Way(
            self._usual.agentic if agentic is None else agentic,
            self._usual.synthesis if synthesis is None else synthesis,
            on_step,
        )
        return self._channel.reply(
            text,
            self.corpus(access),
            language,
            reference_date=reference_date,
            history=history,
            way=way,
            access=access,
        )

    def prepare(self, access: Access = OWNER) -> None:
        """Open what a reader sees of the index and read what answers of models need, so that no question pays for it. Raises
        HomeError."""
        corpus = self.corpus(access)
        one_each = {
            document.language: document.chunk_ids[0] for document in corpus.documents.values() if document.chunk_ids
        }
        for chunk in corpus.snapshot.index.chunks(list(one_each.values())):
            self._channel.documents.prepare(chunk)

    def search(
        self, query: str, *, top_k: int = 8, language: str | None = None, access: Access = OWNER
    ) -> tuple[Hit, ...]:
        """The best hits, best first. Raises as `ask`."""
        text = screen(query, self._max_chars)
        corpus = self.corpus(access)
        return corpus.retrieve(corpus.interpret(text, language), top_k)

    def understand(
        self,
        previous: str,
        text: str,
        *,
        language: str | None = None,
        reference_date: date | None = None,
        access: Access = OWNER,
    ) -> Understood:
        """The question that `text` is on its own, after the question `previous`; `text` itself where it needs nothing of it.

        Nothing is asked: what comes back is for the user to see, and goes to `ask` like any other question. Raises as `ask`.
        """
        asked = screen(text, self._max_chars)
        if not previous.strip():
            return Understood(asked)
        earlier = screen(previous, self._max_chars)
        found = read_follow_up(earlier, asked, self.corpus(access).profile, language, reference_date)
        return found if len(found.question) <= self._max_chars else Understood(asked)

    def query_metric(self, query: MetricQuery, *, access: Access = OWNER) -> MetricReply | None:
        """One figure by its names; None where the reader may see no figures. Raises HomeError and FactStoreError."""
        return self._channel.query_metric(query, self.corpus(access), access)

    def corpus(self, access: Access = OWNER) -> OpenCorpus:
        """What a reader sees of the newest version of the index, opened if need be. Raises HomeError where there is none."""
        return self._corpora.of(access)
