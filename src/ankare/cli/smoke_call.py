"""How does `ankare smoke` talk to a deployment? With the standard library alone, and so that a key goes nowhere else."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ankare.errors import SettingsError

TIMEOUT_SECONDS = 30
MOST_BYTES = 20_000_000


class SmokeError(Exception):
    """A check that failed, and how."""


class UnreachableError(SmokeError):
    """Nobody listens at the address, or there is no host of its name."""


class UntrustedError(SmokeError):
    """The certificate is not one that this machine trusts: why, and what to do."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A response of the deployment."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON. Raises SmokeError."""
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise SmokeError(f"no JSON, but {self.body[:60]!r}") from error


class Caller:
    """Calls one deployment. `key`: sent with every call, "" for none; redirects are not followed, so that it stays here.
    `authority`: a file of certificates that are trusted beside those of this machine. Raises SettingsError where it is none."""

    def __init__(self, base_url: str, key: str = "", authority: Path | None = None) -> None:
        self._base = base_url.rstrip("/")
        self._headers = {"Content-Type": "application/json", "User-Agent": "ankare-smoke"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        self._opener = urllib.request.build_opener(
            _NoRedirect, urllib.request.HTTPSHandler(context=_trusting(authority))
        )

    def get(self, path: str) -> Answered:
        """A page that has to be there. Raises SmokeError."""
        return succeeded(path, self.call(path))

    def post(self, path: str, body: object) -> Answered:
        """A call that has to succeed. Raises SmokeError."""
        return succeeded(path, self.call(path, json.dumps(body).encode()))

    def call(self, path: str, body: bytes | None = None) -> Answered:
        """Whatever the deployment says, errors too. Raises SmokeError, where it says nothing, and its kinds."""
        request = urllib.request.Request(self._base + path, data=body, headers=self._headers)  # noqa: S310
        try:
            with self._opener.open(request, timeout=TIMEOUT_SECONDS) as answer:
                return Answered(answer.status, _lower(answer.headers), answer.read(MOST_BYTES))
        except urllib.error.HTTPError as error:
            return Answered(error.code, _lower(error.headers), error.read(MOST_BYTES))
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None)
            if isinstance(reason, ConnectionRefusedError | socket.gaierror):
                raise UnreachableError(str(reason)) from error
            if isinstance(reason, ssl.SSLCertVerificationError):
                raise UntrustedError(_distrust(reason)) from error
            raise SmokeError(f"{path}: {getattr(error, 'reason', None) or error or type(error).__name__}") from error


def _trusting(authority: Path | None) -> ssl.SSLContext:
    """What this machine trusts (or the file that SSL_CERT_FILE names), and this file."""
    context = ssl.create_default_context()
    if authority is not None:
        try:
            context.load_verify_locations(authority)
        except OSError as error:  # an error of ssl is one, too
            raise SettingsError(
                f"{authority} cannot be read as certificates: {error.strerror or error}.",
                "--ca takes the certificate of an authority in PEM form (-----BEGIN CERTIFICATE-----).",
            ) from error
    return context


def _distrust(error: ssl.SSLCertVerificationError) -> str:
    remedy = _REMEDIES.get(error.verify_code, "see what the proxy sends: openssl s_client -connect HOST:PORT")
    return f"the certificate is not trusted: {error.verify_message}; {remedy}"


_OWN_AUTHORITY = "is it of an authority of your own? Name that one's certificate: --ca FILE, or SSL_CERT_FILE=FILE"
_INCOMPLETE = "the proxy must send the certificates between; or, for an authority of your own: --ca FILE"
_REMEDIES = {
    9: "is the clock of this machine right?",
    10: "renew it, and let the proxy read it anew",
    18: _OWN_AUTHORITY,
    19: _OWN_AUTHORITY,
    20: _OWN_AUTHORITY,
    21: _INCOMPLETE,
    62: "call the deployment by a name that stands in it: --base-url",
    64: "call the deployment by a name that stands in it: --base-url",
}
"""By OpenSSL's codes (X509_V_ERR_...)."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: Any) -> None:
        """None: the redirect itself is the answer."""


def _lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def succeeded(path: str, answer: Answered) -> Answered:
    """The answer, where it is a success. Raises SmokeError."""
    require(answer.status == 200, f"{path} gave {answer.status}: {answer.body[:200].decode('utf-8', 'replace')}")
    return answer


def require(holds: bool, otherwise: str) -> None:
    """Raises SmokeError unless it holds."""
    if not holds:
        raise SmokeError(otherwise)
