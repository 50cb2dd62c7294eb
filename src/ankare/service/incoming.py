"""How is a body taken in without letting a caller fill the memory?"""

from __future__ import annotations

from fastapi import Request

from ankare.service.problem import ProblemError

MAX_BODY_BYTES = 100_000


async def read_body(request: Request) -> bytes:
    """The body. Raises ProblemError (400) as soon as it is known to be too large."""
    declared = request.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and int(declared[:12]) > MAX_BODY_BYTES:
        raise _too_large()
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > MAX_BODY_BYTES:
            raise _too_large()
        parts.append(part)
    return b"".join(parts)


def _too_large() -> ProblemError:
    return ProblemError(400, f"The body is too large: {MAX_BODY_BYTES} bytes are the most.")
