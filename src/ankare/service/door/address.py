"""Where does a request come from, when proxies may stand in between?

The socket tells the nearest neighbour. What that one says of those behind it (X-Forwarded-For, X-Forwarded-Proto,
X-Forwarded-Host) is believed only where it is one of the proxies that the settings name; anybody else can write anything there.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

Networks = Sequence[IPv4Network | IPv6Network]
NOWHERE = ""
"""The address of a client that has none: a Unix socket, a test."""
V6_PREFIX = 64
"""One customer's network in IPv6: within it addresses cost nothing."""
_BELIEVED = "ankare.behind_proxy"


def settle(scope: Scope, trusted: Networks) -> None:
    """Put the client's own address and scheme into an HTTP scope, where a trusted proxy tells them.

    The client is the rightmost address in X-Forwarded-For that is no trusted proxy: what stands further left, the client may
    have written itself. What is no address ends the search.
    """
    peer = (scope.get("client") or (NOWHERE, 0))[0]
    scope[_BELIEVED] = believed = _is_among(peer, trusted)
    if not believed:
        return
    for told in reversed(header(scope, b"x-forwarded-for").split(",")):
        address = _bare(told.strip())
        if _parsed(address) is None:
            break
        scope["client"] = (address, 0)
        if not _is_among(address, trusted):
            break
    scheme = header(scope, b"x-forwarded-proto").rpartition(",")[2].strip().lower()
    if scheme in ("http", "https"):
        scope["scheme"] = scheme


def behind_proxy(scope: Scope) -> bool:
    """Did a trusted proxy hand on this request?"""
    return bool(scope.get(_BELIEVED))


def network_of(scope: Scope) -> str:
    """The client's address for counting: IPv4 whole, IPv6 by its network of 64 bits, "" for none."""
    client = (scope.get("client") or (NOWHERE, 0))[0]
    address = _parsed(client)
    if address is None:
        return NOWHERE
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address) >> V6_PREFIX << V6_PREFIX, V6_PREFIX)))
    return str(address)


def header(scope: Scope, name: bytes) -> str:
    """All values of a header, commas between; "" for none. `name` in lower case."""
    return ",".join(value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name)


def _is_among(address: str, networks: Networks) -> bool:
    parsed = _parsed(address)
    return parsed is not None and any(parsed in network for network in networks)


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _bare(told: str) -> str:
    """An address without brackets and port: some proxies write them."""
    if told.startswith("["):
        return told[1:].partition("]")[0]
    return told.partition(":")[0] if told.count(":") == 1 else told
