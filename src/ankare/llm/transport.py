"""How long may a service keep us waiting, how much may it send, and what is it told about us?

The vendors' libraries limit each read by itself, so a server that sends a byte now and then holds a call for ever. Here
connecting, writing and reading all get what is left of the time of the whole attempt (`network.py`). A reply has a most
size, is never unpacked and never followed elsewhere. The key lives here alone: the library above is given a stand-in, so no
setting of the environment can replace the key, and no error or log of the library can hold it. Of the headers that the
library makes, only those that the API needs go out.

Loaded with the first call only: it needs the packages of the extra `llm`.
"""

from __future__ import annotations

import ssl

import httpcore2
import httpx2

from ankare.llm.network import Backend, exchange

MAX_REPLY_BYTES = 4 * 1024 * 1024
MAX_ERROR_BYTES = 64 * 1024
_ERROR = 400
_SENT = frozenset({"accept", "anthropic-version", "connection", "content-length", "content-type", "host", "user-agent"})
_FAULTS = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.ProxyError,
    httpcore2.UnsupportedProtocol,
    OSError,
)


class ReplyRefusedError(httpx2.TransportError):
    """The service sent what is not taken in: too much of it, or packed."""


class BoundedTransport(httpx2.BaseTransport):
    """Carries requests to a service within their time. Safe for many threads."""

    def __init__(self, key: str, proxy: str = "", max_bytes: int = MAX_REPLY_BYTES) -> None:
        self._key = key
        self._max_bytes = max_bytes
        self._pool = httpcore2.ConnectionPool(
            ssl_context=httpx2.create_ssl_context(),
            proxy=_proxy(proxy) if proxy else None,
            max_connections=100,
            max_keepalive_connections=20,
            keepalive_expiry=15.0,
            network_backend=Backend(),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """One exchange, read to its end. The read time-out of the request is the time of the whole exchange.

        Raises CallCancelledError.
        """
        seconds: float = request.extensions["timeout"]["read"]
        try:
            with exchange(seconds):
                return self._read(self._pool.handle_request(self._outgoing(request, seconds)))
        except httpcore2.TimeoutException as error:
            raise httpx2.ReadTimeout(f"not done in {seconds:.3g} s") from error
        except _FAULTS as error:
            raise httpx2.NetworkError(_what_broke(error)) from error

    def close(self) -> None:
        """Hang up every connection."""
        self._pool.close()

    def _outgoing(self, request: httpx2.Request, seconds: float) -> httpcore2.Request:
        headers = [(name, value) for name, value in request.headers.raw if name.lower().decode() in _SENT]
        headers.append((b"accept-encoding", b"identity"))
        if self._key:
            headers.append((b"authorization", b"Bearer " + self._key.encode("ascii")))
        url = request.url
        return httpcore2.Request(
            request.method,
            httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=headers,
            content=request.read(),
            extensions={"timeout": {"pool": seconds, "connect": seconds, "read": seconds, "write": seconds}},
        )

    def _read(self, reply: httpcore2.Response) -> httpx2.Response:
        headers = httpx2.Headers(reply.headers)
        packed = headers.pop("content-encoding", "identity").lower() not in ("identity", "")
        try:
            if reply.status >= _ERROR:
                body = b"" if packed else _beginning(reply)
            elif packed:
                raise ReplyRefusedError("came packed although it was not asked for")
            else:
                body = self._whole(reply)
        finally:
            reply.close()
        return httpx2.Response(reply.status, headers=headers, content=body)

    def _whole(self, reply: httpcore2.Response) -> bytes:
        parts: list[bytes] = []
        size = 0
        for part in reply.iter_stream():
            size += len(part)
            if size > self._max_bytes:
                raise ReplyRefusedError(f"sent more than {self._max_bytes:,} bytes")
            parts.append(part)
        return b"".join(parts)


def _beginning(reply: httpcore2.Response) -> bytes:
    """As much of an error's text as there is: its status counts, whatever befalls the rest."""
    parts: list[bytes] = []
    try:
        for part in reply.iter_stream():
            parts.append(part)
            if sum(map(len, parts)) > MAX_ERROR_BYTES:
                break
    except (httpcore2.TimeoutException, *_FAULTS):
        pass
    return b"".join(parts)[:MAX_ERROR_BYTES]


def _what_broke(error: Exception) -> str:
    """A word for it; the library's own texts may name what was sent."""
    certificate = any(isinstance(part, ssl.SSLCertVerificationError) for part in (error, *error.args))
    return "its certificate is not trusted" if certificate else type(error).__name__


def _proxy(address: str) -> httpcore2.Proxy:
    url = httpx2.URL(address)
    auth = (url.username, url.password) if url.username else None
    return httpcore2.Proxy(str(url.copy_with(username=None, password=None)), auth=auth)
