"""Whose request is this, and may it be answered at all?

A key comes as `Authorization: Bearer`, as `X-API-Key`, or in the page's cookie. One that is sent and not known is an error,
never an anonymous caller. Where keys are off, what clients send is ignored (many always send something), and every caller
reads what has no label; only the library still asks for the admin token.

Keys are random and cannot be guessed, so a known one always passes. The admin token is chosen by a person: who has sent too
many wrong ones from an address is turned away before the next is looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from starlette.types import Scope

from ankare.domain.access import OWNER
from ankare.errors import HomeDamagedError
from ankare.service.caller import ANONYMOUS, Caller
from ankare.service.door.address import header, network_of
from ankare.service.door.admin import (
    METRICS_NAME,
    METRICS_PATH,
    NO_METRICS,
    NOT_ADMIN,
    NOT_THERE,
    TOKEN_NAME,
    is_admin_path,
    keeps_metrics,
    opens,
    opens_metrics,
)
from ankare.service.door.keyring import Keyring
from ankare.service.door.keys import ApiKey
from ankare.service.door.rates import Rates
from ankare.service.problem import KEYS_UNUSABLE, RATE_LIMITED, ProblemError
from ankare.settings import Settings

COOKIE, SECURE_COOKIE = "ankare_key", "__Host-ankare_key"
"""The second one over https: browsers take it from this host alone, and for the whole of it."""
GUESSES = 10
"""Wrong keys per minute and address."""
OPERATION = frozenset({"/health", "/ready", "/openapi.json"})
"""Answered without a key, also where one is required."""
LOGIN, LOGOUT = "/login", "/logout"
_STATIC = re.compile(
    r"/(?:theme\.css|favicon\.ico|manifest\.json|robots\.txt|gradio_api/theme\.css|(?:assets|static|svelte)/.+|page/[\w/]+\.(?:js|css))"
)
WRONG = "The key is not known, has expired or is revoked."


@dataclass(frozen=True, slots=True)
class Visitor:
    """A caller, and what its requests are counted under. `rate`: requests per minute of its own, None for the service's."""

    caller: Caller
    counted_as: str
    rate: int | None = None


class Doorman:
    """Knows callers by their keys. Safe for many threads."""

    def __init__(self, settings: Settings, keyring: Keyring | None = None, failures: Rates | None = None) -> None:
        self._settings = settings
        self._mode = settings.api_keys
        self._keyring = keyring or Keyring(settings.home)
        self._failures = failures or Rates.of(settings, "wrong keys")

    @property
    def has_doors(self) -> bool:
        """Is there anything to log in to?"""
        return can_log_in(self._settings)

    @property
    def mode(self) -> str:
        """Do those who ask need a key (required), may they have one (optional), or does only the library know any (off)?"""
        return self._mode

    def visitor(self, scope: Scope) -> Visitor:
        """Who makes an HTTP request. Raises ProblemError: 401 without a key where one is needed, or with a wrong one; 403
        and 404 for the library, and 403 for the measures; 429 after too many wrong ones; 503 where the keys cannot be read."""
        path = scope["path"]
        if path in (LOGIN, LOGOUT) and not self.has_doors:
            raise ProblemError(404, NOT_THERE)
        if path in (LOGIN, LOGOUT) or is_static(path):
            return self._nobody(scope)
        if is_admin_path(path):
            return self._librarian(scope)
        if path == METRICS_PATH and keeps_metrics(self._settings):
            return self._watcher(scope)
        sent = "" if self._mode == "off" else sent_key(scope)
        if path in OPERATION:
            return self._passer_by(scope, sent)
        if sent:
            return self._known(scope, sent)
        if self._mode == "required":
            raise ProblemError(401, "This service needs a key: Authorization: Bearer <key>, or X-API-Key.")
        return self._nobody(scope)

    def visitor_with(self, scope: Scope, sent: str) -> Visitor | None:
        """Who sends this key; None for a wrong one, which is counted. Raises ProblemError (429, 503)."""
        damage: HomeDamagedError | None = None
        try:
            key = None if self._mode == "off" else self._keyring.key_of(sent)
        except HomeDamagedError as error:
            key, damage = None, error
        if key is not None:
            return Visitor(_caller(key), f"key {key.id}", key.rate)
        network = network_of(scope)
        if wait := self._failures.wait(network, GUESSES):
            raise ProblemError(429, "Too many wrong keys. Try again later.", retry_after=wait, code=RATE_LIMITED)
        if opens(self._settings, sent):
            return Visitor(Caller(TOKEN_NAME, OWNER, admin=True), TOKEN_NAME)
        self._failures.take(network, GUESSES)
        if damage is not None:
            raise _unusable()
        return None

    def _librarian(self, scope: Scope) -> Visitor:
        if not self._has_library():
            raise ProblemError(404, NOT_THERE)
        sent = sent_key(scope)
        if not sent:
            raise ProblemError(401, "The library needs the admin token, or a key with the admin flag.")
        visitor = self._known(scope, sent)
        if not visitor.caller.admin:
            raise ProblemError(403, NOT_ADMIN)
        return visitor

    def _watcher(self, scope: Scope) -> Visitor:
        """Who looks at the measures. The token for them opens no label, and is guessed at no faster than any other."""
        sent = sent_key(scope)
        if not sent:
            raise ProblemError(401, NO_METRICS)
        if not self._failures.wait(network_of(scope), GUESSES) and opens_metrics(self._settings, sent):
            return Visitor(Caller(METRICS_NAME), METRICS_NAME)
        visitor = self._known(scope, sent)
        if not visitor.caller.admin:
            raise ProblemError(403, NO_METRICS)
        return visitor

    def _has_library(self) -> bool:
        if self._settings.admin_token.get_secret_value():
            return True
        try:
            return self._mode != "off" and self._keyring.has_admin()
        except HomeDamagedError:
            raise _unusable() from None

    def _passer_by(self, scope: Scope, sent: str) -> Visitor:
        """Whoever asks for the state of the service: it is told even where no key can be judged."""
        try:
            return self._known(scope, sent) if sent else self._nobody(scope)
        except ProblemError as error:
            if error.status != 503:
                raise
            return self._nobody(scope)

    def _known(self, scope: Scope, sent: str) -> Visitor:
        found = self.visitor_with(scope, sent)
        if found is None:
            raise ProblemError(401, WRONG)
        return found

    def _nobody(self, scope: Scope) -> Visitor:
        return Visitor(ANONYMOUS, network_of(scope))


def can_log_in(settings: Settings) -> bool:
    """Is there anything to log in to: keys of callers, or the library?"""
    return settings.api_keys != "off" or bool(settings.admin_token.get_secret_value())


def is_static(path: str) -> bool:
    """Is this a file of the page, the same for everyone?"""
    return _STATIC.fullmatch(path) is not None


def sent_key(scope: Scope) -> str:
    """The key that a request sends; "" for none. A header wins over the cookie."""
    scheme, _, value = header(scope, b"authorization").partition(" ")
    bearer = value.strip() if scheme.lower() == "bearer" else ""
    return bearer or header(scope, b"x-api-key").strip() or sent_cookie(scope)


def sent_cookie(scope: Scope) -> str:
    """The key in the page's cookie; "" for none."""
    wanted = cookie_name(scope)
    for value in (value for name, value in scope["headers"] if name.lower() == b"cookie"):
        for pair in value.decode("latin-1").split(";"):
            name, _, held = pair.strip().partition("=")
            if name == wanted:
                return unquote(held)
    return ""


def cookie_name(scope: Scope) -> str:
    """What the page's cookie is called over this connection."""
    return SECURE_COOKIE if scope.get("scheme") == "https" else COOKIE


def _caller(key: ApiKey) -> Caller:
    return Caller(key.name, key.access, key.admin)


def _unusable() -> ProblemError:
    return ProblemError(503, "The keys of this service cannot be read. It has been logged.", code=KEYS_UNUSABLE)
