"""How are the web pages that a profile allows fetched, and nothing else?

Only at ingest, only what the profile lists. The address is resolved once, checked, and that very address is connected to,
so a name cannot point elsewhere between check and use. Private, loopback and link-local addresses are refused, so are
redirects to hosts that the profile does not name. Time, size and content types are bounded.
"""

from __future__ import annotations

import hashlib
import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from ankare._version import __version__
from ankare.errors import DocumentError
from ankare.messages.remarks import both, remark

MAX_BYTES = 20_000_000
MAX_REDIRECTS = 5
PAGE_SECONDS = 30.0
CONNECT_SECONDS = 10.0
_TYPES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/pdf": ".pdf",
    "text/plain": ".txt",
    "text/markdown": ".md",
}
_REDIRECTS = (301, 302, 303, 307, 308)
_PORTS = {"http": 80, "https": 443}
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """One page: where its bytes lie and the charset that the server named, or why it could not be fetched."""

    url: str
    path: Path = field(default_factory=Path)
    charset: str = ""
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Network:
    """How names are resolved, and which addresses may be connected to. Tests put their own in."""

    resolve: Callable[[str, int], Sequence[str]]
    permits: Callable[[str], bool]
    tls: Callable[[], ssl.SSLContext] = ssl.create_default_context
    seconds: float = PAGE_SECONDS
    max_bytes: int = MAX_BYTES


def fetch_pages(urls: Sequence[str], folder: Path, network: Network | None = None) -> Iterator[FetchedPage]:
    """Fetch each page into a file of the folder. What cannot be fetched is told in its page, never raised."""
    network = network or public_network()
    hosts = frozenset(_place(urlsplit(url)) for url in urls)
    for url in dict.fromkeys(urls):
        try:
            data, suffix, charset = _fetch(url, hosts, network)
        except DocumentError as error:
            yield FetchedPage(url, failed=both(error.message, error.remedy))
        except (OSError, http.client.HTTPException, ValueError) as error:
            yield FetchedPage(url, failed=remark("web_failed", error=str(error) or type(error).__name__))
        else:
            path = folder / f"{hashlib.sha256(url.encode()).hexdigest()[:16]}{suffix}"
            folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            yield FetchedPage(url, path, charset)


def public_network() -> Network:
    """The network as it is, public addresses only."""
    return Network(_resolve, is_public)


def is_public(address: str) -> bool:
    """Is this IP address one of the public internet, also where it wraps an IPv4 address (mapped, 6to4, Teredo, NAT64)?"""
    ip = ipaddress.ip_address(address.split("%", 1)[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is None and ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return inner.is_global and not inner.is_multicast
    return ip.is_global and not ip.is_multicast


def _resolve(host: str, port: int) -> Sequence[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


def _fetch(url: str, hosts: frozenset[tuple[str, int]], network: Network) -> tuple[bytes, str, str]:
    """Follow redirects to the page's bytes, file suffix and charset. Raises DocumentError and what sockets raise."""
    deadline = time.monotonic() + network.seconds
    for _ in range(MAX_REDIRECTS + 1):
        parts = _checked(url)
        connection = _connect(parts, network, deadline)
        watchdog = threading.Timer(max(0.1, deadline - time.monotonic()), _hang_up, (connection,))
        watchdog.daemon = True
        watchdog.start()
        try:
            connection.request("GET", _target(parts), headers=_HEADERS)
            response = connection.getresponse()
            if response.status not in _REDIRECTS:
                return _body(response, network, deadline)
            url = _redirect(parts, response.getheader("Location", ""), hosts)
        finally:
            watchdog.cancel()
            watchdog.join()
            connection.close()
    raise DocumentError(remark("web_redirects", most=MAX_REDIRECTS), remark("do_allow_end"))


def _checked(url: str) -> SplitResult:
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname:
        raise DocumentError(remark("web_no_address", url=url), remark("do_http"))
    if parts.username is not None or parts.password is not None:
        raise DocumentError(remark("web_user"), remark("do_public_pages"))
    return parts


def _redirect(parts: SplitResult, location: str, hosts: frozenset[tuple[str, int]]) -> str:
    url = urljoin(parts.geturl(), location)
    target = _checked(url)
    if _place(target) != _place(parts) and _place(target) not in hosts:
        raise DocumentError(remark("web_redirects_to", host=str(target.hostname)), remark("do_allow_address"))
    if parts.scheme == "https" and target.scheme == "http":
        raise DocumentError(remark("web_to_http"), remark("do_stay_https"))
    return url


def _place(parts: SplitResult) -> tuple[str, int]:
    """Host and port; the usual ports of http and https count as the same place."""
    port = parts.port or _PORTS.get(parts.scheme, 0)
    return (parts.hostname or "", 0 if port in _PORTS.values() else port)


def _connect(parts: SplitResult, network: Network, deadline: float) -> http.client.HTTPConnection:
    host = (
        (parts.hostname or "").encode("idna").decode("ascii") if ":" not in (parts.hostname or "") else parts.hostname
    )
    assert host is not None  # noqa: S101 - _checked lets no address without a host through
    port = parts.port or _PORTS[parts.scheme]
    found = list(network.resolve(host, port))
    addresses = [address for address in found if network.permits(address)]
    if not addresses:
        raise DocumentError(remark("web_private", host=host), remark("do_not_private"))
    connection = http.client.HTTPConnection(host, port)
    connection.sock = _dial(addresses, port, host, network.tls() if parts.scheme == "https" else None, deadline)
    return connection


def _dial(addresses: Sequence[str], port: int, host: str, tls: ssl.SSLContext | None, deadline: float) -> socket.socket:
    """Connect to one of the checked addresses, never to the name."""
    last: OSError = TimeoutError("timed out")
    for address in addresses:
        left = deadline - time.monotonic()
        if left <= 0:
            break
        try:
            plain = socket.create_connection((address, port), timeout=min(left, CONNECT_SECONDS))
            return tls.wrap_socket(plain, server_hostname=host) if tls is not None else plain
        except OSError as error:
            last = error
    raise last


def _hang_up(connection: http.client.HTTPConnection) -> None:
    """End a page that takes too long, whatever it is waiting for."""
    if connection.sock is not None:
        try:
            connection.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            return


_HEADERS = {
    "User-Agent": f"ankare/{__version__}",
    "Accept": ", ".join(_TYPES),
    "Accept-Encoding": "identity",
    "Connection": "close",
}


def _target(parts: SplitResult) -> str:
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    return f"{path}?{quote(parts.query, safe='/%:@!$&()*+,;=~-._?')}" if parts.query else path


def _body(response: http.client.HTTPResponse, network: Network, deadline: float) -> tuple[bytes, str, str]:
    if response.status != http.client.OK:
        answered = remark("web_answered", status=f"{response.status} {response.reason}")
        raise DocumentError(answered, remark("do_check_address"))
    kind = response.headers.get_content_type()
    if kind not in _TYPES or not response.getheader("Content-Type"):
        raise DocumentError(remark("web_type", type=kind), remark("do_web_types"))
    if response.getheader("Content-Encoding", "identity") != "identity":
        raise DocumentError(remark("web_compressed"), remark("do_save_and_ingest"))
    parts: list[bytes] = []
    size = 0
    while data := response.read1(65_536):
        size += len(data)
        if size > network.max_bytes:
            raise DocumentError(remark("web_large", most=network.max_bytes), remark("do_save_and_ingest"))
        if time.monotonic() > deadline:
            raise DocumentError(remark("web_slow", seconds=f"{network.seconds:g}"), remark("do_try_later"))
        parts.append(data)
    if response.length:
        raise DocumentError(remark("web_broke_off"), remark("do_try_later"))
    return b"".join(parts), _TYPES[kind], response.headers.get_content_charset("")
