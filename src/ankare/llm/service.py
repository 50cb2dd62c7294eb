"""How is one request sent through a vendor's library, and what does each way to fail mean?

The libraries of OpenAI and Anthropic are built alike: `client.post`, one error for a status, one for a time-out and one for
the network. They make the request and tell the faults apart; the carrying is `transport.py`'s, asking again `retry.py`'s,
reading the reply the adapter's. A library is imported with the first call, so importing ankare costs nothing.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

from ankare.errors import MissingExtraError, ProviderError, SettingsError
from ankare.llm.address import checked_url
from ankare.llm.faults import error_in, fault, status_fault
from ankare.llm.retry import Clock, Failed, RetryPolicy, call_with_retries, retry_after_seconds

STAND_IN = "kept-by-the-transport"
"""What the vendor's library is given for a key."""
_REMEDY = "Install it: pip install 'ankare[llm]'."


@dataclass(frozen=True, slots=True)
class Vendor:
    """A library: its package, the name of its client, and what the client is given beyond what both take."""

    library: str
    client: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Link:
    """How a service is reached. `proxy`: the address of an HTTP proxy, "" for none; the environment's are not used.

    `attempt_seconds`: the most for one attempt; None gives the first attempt all the time that the call has, so that
    only what fails early is asked again.
    """

    proxy: str = field(default="", repr=False)
    attempt_seconds: float | None = None
    policy: RetryPolicy = field(default_factory=RetryPolicy)
    clock: Clock = field(default_factory=Clock)


class ModelService:
    """One address, one key, one vendor's library. Made once, used by many threads.

    Raises MissingExtraError where the library is not installed, and SettingsError for an unusable key or address.
    """

    def __init__(self, vendor: Vendor, base_url: str, api_key: str, link: Link) -> None:
        if importlib.util.find_spec(vendor.library) is None:
            raise MissingExtraError(f"A model behind an API needs the package {vendor.library}.", _REMEDY)
        self.base_url = checked_url(base_url, "The base URL")
        self.place = urlsplit(self.base_url).netloc
        self._vendor = vendor
        self._key = _checked_key(api_key)
        self._link = link
        self._proxy = checked_url(link.proxy, "The proxy", with_user=True) if link.proxy else ""
        self._client: Any = None
        self._lock = Lock()

    def ask(self, path: str, body: Mapping[str, Any], seconds: float) -> Mapping[str, Any]:
        """The JSON object that the service answers within these seconds, attempts and waits included.

        Raises ProviderError, or ProviderServiceError for the key and the quota, with nothing of the library in them.
        """
        client = self.opened()

        def attempt(left: float) -> Mapping[str, Any] | Failed:
            return self._attempt(client, path, body, min(left, self._link.attempt_seconds or left))

        return call_with_retries(attempt, seconds, self._link.policy, self._link.clock)

    def opened(self) -> Any:
        """The library's client, made on first use: importing takes a second that no call's budget should pay for.

        Raises MissingExtraError where the library cannot be loaded, ProviderError where it cannot use the address.
        """
        with self._lock:
            if self._client is None:
                self._client = self._open()
            return self._client

    def close(self) -> None:
        """Hang up. The service can be used again: it connects anew."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _attempt(self, client: Any, path: str, body: Mapping[str, Any], seconds: float) -> Mapping[str, Any] | Failed:
        """One request. Faults are given back, not raised, so that no error of the library hangs on to ours."""
        import httpx2

        if seconds <= 0:
            return Failed(fault(self.place, "was not asked: no time is left", "timeout"))
        library = importlib.import_module(self._vendor.library)
        try:
            response = client.post(path, body=body, cast_to=httpx2.Response, options={"timeout": seconds})
        except library.APIStatusError as error:
            return self._status(error.response)
        except httpx2.InvalidURL:
            return Failed(fault(self.place, "has an address that cannot be called", "bad_request"))
        except library.APITimeoutError:
            return Failed(fault(self.place, f"did not answer within {seconds:.3g} s", "timeout"))
        except library.APIConnectionError as error:
            cause = error.__cause__
            if not isinstance(cause, httpx2.TransportError):  # a fault of the code in the network's clothes
                raise cause or error from None
            return Failed(self._unreached(cause))
        return self._object(response)

    def _open(self) -> Any:
        try:
            library = importlib.import_module(self._vendor.library)
            import httpx2

            from ankare.llm.transport import BoundedTransport
        except ImportError as error:
            raise MissingExtraError(
                f"The package {self._vendor.library} cannot be loaded: {error}.", _REMEDY
            ) from error
        try:
            return getattr(library, self._vendor.client)(
                api_key=STAND_IN,
                base_url=self.base_url,
                max_retries=0,
                http_client=httpx2.Client(transport=BoundedTransport(self._key, self._proxy), follow_redirects=False),
                **self._vendor.settings,
            )
        except httpx2.InvalidURL:
            raise fault(self.place, "has an address that cannot be called", "bad_request") from None

    def _status(self, response: Any) -> Failed:
        error = status_fault(
            self.place,
            response.status_code,
            _json(response.content),
            location=response.headers.get("location", ""),
            secret=self._key,
        )
        return Failed(error, retry_after_seconds(response.headers, self._link.clock.now()))

    def _unreached(self, cause: Exception) -> ProviderError:
        from ankare.llm.transport import ReplyRefusedError

        if isinstance(cause, ReplyRefusedError):
            return fault(self.place, f"{cause}", "bad_reply")
        return fault(self.place, f"could not be reached or broke off ({cause})", "network")

    def _object(self, response: Any) -> Mapping[str, Any] | Failed:
        body = _json(response.content)
        if not isinstance(body, dict):
            return Failed(fault(self.place, "sent no JSON object", "bad_reply", response.status_code))
        status = error_in(body)
        if status:
            return Failed(status_fault(self.place, status, body, secret=self._key))
        if status == 0:
            return Failed(fault(self.place, "sent an error for a reply", "bad_reply", response.status_code))
        return body


def _checked_key(key: str) -> str:
    """The key without the blanks that pasting brings along. Raises SettingsError, which does not hold it."""
    key = key.strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise SettingsError(
            "The API key holds characters that no key has.", "Copy it again, without quotes or line breaks."
        )
    return key


def _json(data: bytes) -> object:
    """The value that these bytes are, None where they are no JSON."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
