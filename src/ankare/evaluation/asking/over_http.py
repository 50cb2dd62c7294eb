"""How is a question of a suite asked of a server, and what do its refusals mean?

Any server that answers `POST /api/ask` will do. One that is busy is waited for, as long as it asks, within bounds. A key or a
quota of the model's service that fails is the provider's failure, a key of ours that is refused ends the run.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Event
from typing import Any
from urllib.parse import urlsplit

from ankare.domain.agents import Mode
from ankare.errors import EvaluationError, SettingsError
from ankare.evaluation.asking.asker import Asked, Told
from ankare.evaluation.asking.http_call import Answered, CallError, HttpCaller, TooSlowError, UnreachableError
from ankare.evaluation.asking.response_values import mapping, number, text
from ankare.evaluation.captured import AnswerPath, Failure, FailureKind, Json
from ankare.evaluation.case import Case
from ankare.llm.address import Reach, checked_url, reach
from ankare.llm.retry import RetryPolicy, retry_after_seconds

ASK, HEALTH = "/api/ask", "/health"
LOOK_SECONDS = 30.0
MOST_WAIT_SECONDS = 120.0
"""For one question, until a busy server answers."""
LEAST_SECONDS, LONGEST_LEAST_SECONDS = 1.0, 30.0
"""Between two attempts, doubled each time up to the second, however little a busy server asks for."""
_POLICY = RetryPolicy(first_wait=1.0, longest_wait=30.0)
_SETTINGS = (
    "provider",
    "enable_agentic_rag",
    "agentic_rag_mode",
    "enable_synthesis",
    "semantic",
    "max_question_chars",
    "top_k",
)
"""What /health tells that answers depend on."""
_MODES = {AnswerPath.AGENTIC: Mode.REVIEWED_ANSWER, AnswerPath.SHADOW: Mode.SHADOW}
_OF_PROVIDER = re.compile(r"\b(?:provider|quota)\b|payment required|language model", re.IGNORECASE)
_CODES_OF_PROVIDER = ("model-auth", "model-quota", "model-not-configured")
_SHOWN = 200
_TO_PREPARE = "Run `ankare embed` with the home of the server."


@dataclass(frozen=True, slots=True)
class Busy:
    """The server said that it is busy; `wish`: the seconds that it asks to wait."""

    wish: float | None
    failure: Failure


class OverHttp:
    """A server, asked by one path."""

    def __init__(
        self,
        base_url: str,
        path: AnswerPath,
        *,
        key: str = "",
        seconds: float = 120.0,
        most_wait: float = MOST_WAIT_SECONDS,
    ) -> None:
        """`seconds`: for one attempt. Raises SettingsError for an address or a key that cannot be used, and for a key that
        would go unencrypted to a public host."""
        self.base_url = checked_url(base_url, "--base-url")
        self._key = _usable(key)
        plain = urlsplit(self.base_url).scheme == "http"
        self._reach = reach(self.base_url) if key and plain else Reach.OWN
        if self._reach is Reach.PUBLIC:
            raise SettingsError("The API key would go unencrypted to a public host.", "Write https://, or send no key.")
        self._path = path
        self._seconds = seconds
        self._most_wait = most_wait
        self._caller = HttpCaller(self.base_url, self._key)

    @property
    def secrets(self) -> tuple[str, ...]:
        """The key that is sent."""
        return (self._key,) if self._key else ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What works, but should not stay so."""
        if self._reach is Reach.PRIVATE:
            return ("--base-url is http: the API key goes unencrypted over the private network.",)
        return ()

    def told(self) -> Told:
        """What /health says; nothing where there is no such page. Raises EvaluationError where nobody answers, and where the
        server would take another path."""
        try:
            answered = self._caller.get(HEALTH, LOOK_SECONDS)
        except CallError as error:
            raise EvaluationError(f"{self.base_url} does not answer: {error}.", "Is it another --base-url?") from error
        if 300 <= answered.status < 400:
            raise EvaluationError(
                f"{self.base_url} sends callers on to another address ({_host(answered)}).", "Give that as --base-url."
            )
        health = _health(answered)
        settings = {name: told for name in _SETTINGS if (told := _setting(health.get(name))) is not None}
        self._check(settings)
        about = {"server_version": text(health.get("version")), "index_version": text(health.get("index_version"))}
        return Told(self.base_url, text(health.get("revision")), settings, about, to_prepare=_TO_PREPARE)

    def _check(self, settings: Mapping[str, Any]) -> None:
        """Raises EvaluationError where no answer could take the path."""
        if self._path is not AnswerPath.CONTROL and settings.get("provider") == "none":
            raise EvaluationError(f"{self.base_url} has no model, and {self._path.value} needs one.")
        wanted, mode = _MODES.get(self._path), settings.get("agentic_rag_mode")
        if wanted is not None and mode is not None and mode != wanted.value:
            raise EvaluationError(
                f"{self.base_url} runs the chain in the mode {str(mode)[:20]!r}; {self._path.value} needs {wanted.value!r}.",
                "Start it with ANKARE_AGENTIC_RAG_MODE set so.",
            )

    def ask(self, case: Case, stop: Event) -> Asked | None:
        """Ask one question, again and again while the server says that it is busy."""
        waited, attempt = 0.0, 0
        while not stop.is_set():
            started = time.perf_counter()
            found, hopeless = self._attempt(case)
            wall_ms = (time.perf_counter() - started) * 1000
            if not isinstance(found, Busy):
                failure = found if isinstance(found, Failure) else None
                return Asked(wall_ms, None if isinstance(found, Failure) else found, failure, hopeless)
            attempt += 1
            least = min(LONGEST_LEAST_SECONDS, LEAST_SECONDS * 2.0 ** (attempt - 1))
            pause = max(least, _POLICY.wait(attempt, found.wish, random.random()))
            if waited + pause > self._most_wait:
                return Asked(wall_ms, failure=found.failure, hopeless=True)
            waited += pause
            stop.wait(pause)
        return None

    def _attempt(self, case: Case) -> tuple[Json | Failure | Busy, bool]:
        """What came of one attempt, and whether any other question would end so too."""
        try:
            answered = self._caller.post(ASK, self._request(case), self._seconds)
            return self._read(answered)
        except TooSlowError as error:
            return Failure(FailureKind.TIMEOUT, str(error)), False
        except UnreachableError as error:
            return Failure(FailureKind.BROKEN, f"not reached: {error}"), True
        except CallError as error:
            return Failure(FailureKind.BROKEN, str(error)), False

    def _request(self, case: Case) -> dict[str, Any]:
        asked: dict[str, Any] = {
            "question": case.question,
            "debug_mode": True,
            "enable_agentic_rag": self._path in _MODES,
            "enable_synthesis": self._path is AnswerPath.SYNTHESIS,
        }
        if case.language:
            asked["language"] = case.language
        if case.reference_date is not None:
            asked["reference_date"] = case.reference_date.isoformat()
        return asked

    def _read(self, answered: Answered) -> tuple[Json | Failure | Busy, bool]:
        status = answered.status
        if status == 200:
            body = _object(answered)
            if isinstance(body.get("answer_markdown"), str):
                return body, False
            return Failure(FailureKind.BROKEN, "no answer_markdown in the body", status), False
        said = _said(answered)
        if status == 402 or (status == 503 and _by_provider(answered, said)):
            return Failure(FailureKind.PROVIDER, said, status), True
        if status in (429, 503):
            return Busy(_wish(answered), Failure(FailureKind.OVERLOAD, said, status)), False
        if status in (408, 504):
            return Failure(FailureKind.TIMEOUT, said, status), False
        if 400 <= status < 500:
            return Failure(FailureKind.REFUSED, said, status), status in (401, 403, 404, 405)
        if 300 <= status < 400:
            return Failure(FailureKind.BROKEN, f"sent on to another address ({_host(answered)})", status), True
        return Failure(FailureKind.BROKEN, said, status), False


def _health(answered: Answered) -> Json:
    try:
        return _object(answered) if answered.status == 200 else {}
    except CallError:  # a page for people, say
        return {}


def _setting(held: object) -> str | bool | int | float | None:
    """A value that can be kept and compared; None for any other."""
    if isinstance(held, str):
        return text(held)[:_SHOWN]
    return held if isinstance(held, bool) or (isinstance(held, int | float) and number(held) is not None) else None


def _usable(key: str) -> str:
    stripped = key.strip()
    if not (stripped.isascii() and stripped.isprintable()) or " " in stripped:
        raise SettingsError("The API key holds a sign that no key has.", "Is it the right variable?")
    return stripped


def _object(answered: Answered) -> Json:
    """The body as an object. Raises CallError for any other."""
    body = answered.json()
    if not isinstance(body, dict):
        raise CallError("no JSON object")
    return body


def _said(answered: Answered) -> str:
    """What a problem or an error of another form says, on one line."""
    try:
        told = _object(answered)
    except CallError:
        return ""
    error = told.get("error")
    words = text(told.get("detail")) or text(error) or text(mapping(error).get("message")) or text(told.get("message"))
    code = text(told.get("code")) or text(mapping(error).get("code"))
    line = " ".join(": ".join(filter(None, (code, words))).split())
    return "".join(sign for sign in line if sign.isprintable())[:_SHOWN]


def _by_provider(answered: Answered, said: str) -> bool:
    """Does a 503 name the model's service as the reason? Ours do by their code, others in words."""
    if said.startswith(_CODES_OF_PROVIDER):
        return True
    return "retry-after" not in answered.headers and _OF_PROVIDER.search(said) is not None


def _wish(answered: Answered) -> float | None:
    return retry_after_seconds(answered.headers, datetime.now(UTC))


def _host(answered: Answered) -> str:
    try:
        return urlsplit(answered.headers.get("location", "")).hostname or "the same host"
    except ValueError:
        return "no address"
