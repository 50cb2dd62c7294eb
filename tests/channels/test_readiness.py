"""What is read only once is read before the time of the models begins, and by a service at its start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ankare import wiring
from ankare.answer.cast import cast_of
from ankare.channels.agentic import AgentChain
from ankare.channels.corpus import OpenCorpus
from ankare.channels.narrative import NarrativeChannel
from ankare.channels.readiness import Readiness
from ankare.channels.synthesized import Synthesizer
from ankare.channels.way import PLAIN
from ankare.domain.document import Chunk
from ankare.domain.grounding import Grounding
from ankare.gate.relevance import RelevanceGate
from ankare.language.languages import get_language
from ankare.llm.scripted import Reply, ScriptedProvider
from ankare.service import app
from ankare.settings import Settings
from tests.channels.scripted_agents import (
    DECIDES,
    QUESTION,
    WordForWordGate,
    build_corpus,
    build_home,
    cites,
    review,
    rewrite,
)
from tests.llm.dialects import FakeTime

SLOW = 7.0
"""Seconds that the client and the gate each take to read what they need."""
SCRIPT = (rewrite("beslut om budget"), cites(DECIDES, DECIDES), review())


class SlowProvider(ScriptedProvider):
    """A provider whose client takes its time to load, once."""

    def __init__(self, replies: Sequence[Reply], time: FakeTime) -> None:
        super().__init__(replies)
        self.loaded: list[float] = []
        self.time = time

    def prepare(self) -> None:
        if not self.loaded:
            self.time.sleep(SLOW)
            self.loaded.append(SLOW)


class SlowGate(WordForWordGate):
    """A gate that reads its lists when it first judges in a language."""

    def __init__(self, time: FakeTime) -> None:
        super().__init__()
        self.read: list[str] = []
        self.time = time

    def judge(
        self, text: str, cited: Sequence[Chunk], *, pool: Sequence[Chunk] = (), question: str = "", language: str = "sv"
    ) -> Grounding:
        if language not in self.read:
            self.time.sleep(SLOW)
            self.read.append(language)
        return super().judge(text, cited, pool=pool, question=question, language=language)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> OpenCorpus:
    return build_corpus(tmp_path_factory.mktemp("ready"))


def slow_chain(time: FakeTime) -> tuple[AgentChain, SlowProvider, SlowGate]:
    provider, gate = SlowProvider(SCRIPT, time), SlowGate(time)
    control = NarrativeChannel(RelevanceGate(), get_language)
    cast = cast_of({}, "m")
    chain = AgentChain(control, gate, provider, cast, time=time.clock(), readiness=Readiness(provider, gate))
    return chain, provider, gate


def seconds_allowed(chain: AgentChain, provider: SlowProvider, corpus: OpenCorpus) -> list[float | None]:
    chain.reply(QUESTION, corpus)
    return [call.options.timeout_seconds for call in provider.calls]


def test_no_agent_pays_for_what_is_read_first(corpus: OpenCorpus) -> None:
    chain, provider, gate = slow_chain(FakeTime())
    ready_chain, ready_provider, ready_gate = slow_chain(FakeTime())
    ready_provider.loaded.append(0)
    ready_gate.read.append("sv")
    assert seconds_allowed(chain, provider, corpus) == seconds_allowed(ready_chain, ready_provider, corpus)
    assert (provider.loaded, gate.read) == ([SLOW], ["sv"])


def test_a_chain_that_is_not_made_ready_would_be_noticed(corpus: OpenCorpus) -> None:
    chain, provider, _ = slow_chain(FakeTime())
    allowed = seconds_allowed(chain, provider, corpus)
    unready, slowed, _ = slow_chain(FakeTime())
    assert seconds_allowed(replace(unready, readiness=None), slowed, corpus) != allowed


def test_a_synthesis_does_not_pay_either(corpus: OpenCorpus) -> None:
    time = FakeTime()
    provider, gate = SlowProvider((cites(DECIDES, DECIDES, agent="synthesis"),), time), SlowGate(time)
    reply = NarrativeChannel(RelevanceGate(), get_language).reply(QUESTION, corpus)
    ready = Readiness(provider, gate)
    synthesizer = Synthesizer(gate, provider, cast_of({}, "m"), time=time.clock(), readiness=ready)
    synthesizer.rewrite(reply, PLAIN)
    (call,) = provider.calls
    assert (call.options.timeout_seconds or 0) > 18 - SLOW


def test_each_language_is_read_once(corpus: OpenCorpus) -> None:
    time = FakeTime()
    gate = SlowGate(time)
    ready = Readiness(SlowProvider((), time), gate)
    (chunk,) = corpus.snapshot.index.chunks([next(iter(corpus.documents.values())).chunk_ids[0]])
    for language in ("sv", "en", "sv", "en"):
        ready.see_to(chunk, language)
    assert (gate.read, len(gate.judged)) == (["sv", "en"], 2)


def test_a_service_is_ready_before_its_first_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    provider, gate = SlowProvider((), FakeTime()), SlowGate(FakeTime())
    monkeypatch.setattr(wiring, "provider_of", lambda _settings: provider)
    monkeypatch.setattr(wiring, "GroundingGate", lambda _settings: gate)
    app._open_engine(Settings(home=build_home(tmp_path).path, semantic=False, llm_provider="mock"))
    assert (provider.loaded, gate.read) == ([SLOW], ["sv"])
    assert provider.calls == ()
