"""Is an address one that a model can be asked at, and who can listen on the way there?

Settings and the providers ask the same question here, so that nothing which the settings let through fails at the first call.
No error repeats a user name, a query or a fragment of an address: that is where keys stand.
"""

from __future__ import annotations

import re
from enum import Enum
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, unquote, urlsplit

from ankare.errors import SettingsError

ENDPOINTS = ("/chat/completions", "/v1/messages")
"""What ankare appends itself, the version apart: an address that ends so is one too long."""
PRIVATE = tuple(map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")))
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_FORM = "Write it as https://host or https://host:port/v1."


class Reach(Enum):
    """How far a request travels."""

    OWN = "this machine"
    PRIVATE = "a private network"
    PUBLIC = "the internet"


def checked_url(address: str, what: str, *, with_user: bool = False) -> str:
    """The address without a slash at its end; `what` is what errors call it.

    Raises SettingsError unless it is http(s) with a host that can be looked up, a plain path and, but for `with_user`, no
    user name: that would be logged.
    """
    address = address.strip().rstrip("/")
    parts = _parts(address)
    if parts is None:
        raise SettingsError(f"{what}{_shown(address)} is no http(s) address.", _FORM)
    if parts.username is not None and not with_user:
        raise SettingsError(f"{what} holds a user name.", "Leave it out: the API key is what identifies you.")
    path = unquote(parts.path)
    if {".", ".."} & set(path.split("/")):
        raise SettingsError(f"{what}{_shown(address)} holds '.' or '..' for a folder.", "Write the path out.")
    if ending := next((ending for ending in ENDPOINTS if path.lower().endswith(ending)), ""):
        extra = ending.removeprefix("/v1")
        raise SettingsError(
            f"{what}{_shown(address)} ends in {extra}.", f"Leave {extra} out: ankare appends it itself."
        )
    return address


def reach(address: str) -> Reach:
    """How far a request to a checked address travels. Host names are judged by their form: none is looked up."""
    host = (urlsplit(address).hostname or "").encode("idna").decode().rstrip(".")
    try:
        number = ip_address(host)
    except ValueError:
        if host == "localhost" or host.endswith(".localhost"):
            return Reach.OWN
        return Reach.PRIVATE if "." not in host or host.endswith(".local") else Reach.PUBLIC
    if number.is_loopback:
        return Reach.OWN
    return Reach.PRIVATE if any(number in network for network in PRIVATE) else Reach.PUBLIC


def _parts(address: str) -> SplitResult | None:
    """The parts of an address that can be called, None for any other."""
    if not address.isprintable() or any(mark in address for mark in " ?#\\"):
        return None
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and parts.port != 0 and _is_host(parts)
    except ValueError:
        return None
    return parts if usable else None


def _is_host(parts: SplitResult) -> bool:
    """A name, or a number in its one usual form: 127.0.0.01 is read as another machine by some. Raises ValueError."""
    host = parts.hostname or ""
    if "[" in parts.netloc:
        IPv6Address(host)
        return "%" not in host
    name = host.encode("idna").decode().lower().removesuffix(".")
    if _NUMBER.fullmatch(name.rsplit(".", 1)[-1]):
        IPv4Address(name)
        return name == host
    return bool(name) and "%" not in name


def _shown(address: str) -> str:
    """As much of an address as an error may repeat, with a blank before it."""
    if "@" in address or not _SCHEME.match(address):
        return ""
    plain, mark, _ = re.split(r"([?#])", address, maxsplit=1) if re.search(r"[?#]", address) else (address, "", "")
    return f" {plain + mark + ('***' if mark else '')!r}"
