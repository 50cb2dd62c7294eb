"""Which addresses does the library have, and which methods do they take? The guard lets nothing else through."""

from __future__ import annotations

import re

UPLOAD = "/api/admin/files/{name}"
"""The route whose bodies are files."""
ADMIN_METHODS = {
    "/library": ("GET", "HEAD"),
    "/api/admin/documents": ("GET",),
    "/api/admin/documents/{id}": ("DELETE",),
    "/api/admin/facts": ("GET",),
    "/api/admin/facts/review": ("POST",),
    "/api/admin/facts/{id}": ("DELETE",),
    "/api/admin/conflicts": ("GET",),
    "/api/admin/files": ("GET",),
    UPLOAD: ("PUT", "DELETE"),
    "/api/admin/jobs": ("GET", "POST"),
    "/api/admin/jobs/{id}": ("GET",),
    "/api/admin/usage": ("GET",),
    "/library/usage": ("GET",),
}
_PATTERNS = (
    (re.compile(r"/api/admin/files/.+", re.DOTALL), UPLOAD),
    (re.compile(r"/api/admin/documents/[^/]+"), "/api/admin/documents/{id}"),
    (re.compile(r"/api/admin/facts/[^/]+"), "/api/admin/facts/{id}"),
    (re.compile(r"/api/admin/jobs/[^/]+"), "/api/admin/jobs/{id}"),
)


def admin_route(path: str) -> str:
    """The route that a path of the library belongs to that is not itself among `ADMIN_METHODS`, "unknown" for none."""
    return next((route for pattern, route in _PATTERNS if pattern.fullmatch(path)), "unknown")
