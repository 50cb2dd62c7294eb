"""What does every response tell the browser: what may run, who may show it, and who may keep it?"""

from __future__ import annotations

import re

from starlette.types import Message, Scope

from ankare.service.door.identity import is_static

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
POLICY_HEADER = b"content-security-policy"
STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=31536000")
VARY = (b"vary", b"Authorization, X-API-Key, Cookie")
"""Who asks decides what is there: no cache may hand one caller's answer to another."""
LEAVE = b"access-control-"
"""Leave for scripts of other sites comes from the settings alone, in a layer outside of this one; Gradio gives it to any."""
_PER_CALLER = re.compile(r"/(?:sources/.*)?")
"""What a browser may keep for its own user."""


def content_policy(frame_ancestors: str, nonce: str = "") -> str:
    """The content security policy: nothing from elsewhere. `nonce` names the scripts that stand in a document themselves.

    Styles may stand in it: Gradio sets them on elements.
    """
    named = f" 'nonce-{nonce}'" if nonce else ""
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self'{named}",
            "script-src-attr 'none'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            f"frame-ancestors {frame_ancestors}",
        )
    )


class Headers:
    """Completes the headers of a response. A header that is there already stays, above all a stricter policy, but for leave for
    other sites."""

    def __init__(self, frame_ancestors: str) -> None:
        self._policy = (POLICY_HEADER, content_policy(frame_ancestors).encode())

    def complete(self, start: Message, scope: Scope) -> None:
        """Add to the start of a response what it lacks, and take away what is not for it to say."""
        headers = [pair for pair in start.get("headers", ()) if not pair[0].lower().startswith(LEAVE)]
        start["headers"] = headers
        present = {name.lower() for name, _ in headers}
        wanted = [*HEADERS, self._policy, *_keeping(scope["path"])]
        if scope.get("scheme") == "https":
            wanted.append(STRICT_TRANSPORT)
        headers.extend(pair for pair in wanted if pair[0] not in present)
        if not is_static(scope["path"]):
            headers.append(VARY)


def _keeping(path: str) -> tuple[tuple[bytes, bytes], ...]:
    """Who may keep a response: the page's own files anybody, what depends on the caller nobody but the caller."""
    if is_static(path):
        return ()
    kept = b"private, no-cache" if _PER_CALLER.fullmatch(path) else b"no-store"
    return ((b"cache-control", kept),)
