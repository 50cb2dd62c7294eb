"""How are 300,000 lexicon lines looked up without loading them?

A word table is a text of lines `key` or `key/payload`, plus two arrays sorted by the CRC-32 of the case-folded key: the
hash and the offset of the line. A look-up is one bisection and a comparison with the line itself. The arrays are built
with numpy in some 100 ms and kept in a cache file that later processes map into memory in a millisecond. Without a
writable cache folder everything works from memory.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
import tempfile
from bisect import bisect_left
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from ankare.errors import PackError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MAGIC = b"ANKWT\x001\n"
_HEADER = struct.Struct("<8sIII")
_LONGEST_KEY = 60
_folder: list[Path | None] = []


def use_cache_folder(folder: Path | None) -> None:
    """Where compiled word tables are kept from now on; None keeps them in memory only. Default: `~/.cache/ankare`."""
    _folder[:] = [folder]


def cache_folder() -> Path | None:
    """The folder for what this machine has worked out once; None where there is none."""
    if not _folder:
        try:
            _folder.append(Path.home() / ".cache" / "ankare")
        except RuntimeError:
            _folder.append(None)
    return _folder[0]


def open_table(name: str, read_text: Callable[[], bytes]) -> WordTable:
    """The table called `name` (with the versions of its sources in it), compiled from `read_text()` if it is not cached."""
    path = _cache_path(name)
    if path is not None and (table := _map_file(path)) is not None:
        return table
    content = compile_table(read_text())
    if path is not None:
        write_if_possible(path, content)
    return WordTable(memoryview(content))


def map_table(path: Path) -> WordTable:
    """The compiled table in this file. Raises PackError for a damaged or missing one."""
    table = _map_file(path)
    if table is None:
        raise PackError(f"The word table {path.name} is missing or damaged.", "Reinstall ankare.")
    return table


class WordTable:
    """Read-only look-up of lexicon lines by case-folded key. Safe for many threads."""

    def __init__(self, content: memoryview) -> None:
        _, count, _, text_size = _HEADER.unpack_from(content, 0)
        first, second = _HEADER.size, _HEADER.size + 4 * count
        self._hashes = content[first:second].cast("I")
        self._offsets = content[second : second + 4 * count].cast("I")
        start = second + 4 * count
        self._text = content[start : start + text_size]
        self._count = int(count)

    def __len__(self) -> int:
        """How many lines there are."""
        return len(self._hashes)

    def payloads(self, key: str) -> list[str]:
        """The payloads of all lines with this case-folded key, in file order ("" for a bare line)."""
        return [payload for _, payload in self.lines(key)]

    def lines(self, key: str) -> list[tuple[str, str]]:
        """(key as written, payload) of all lines with this case-folded key, in file order."""
        raw = key.encode("utf-8", "replace")
        wanted = crc32(raw)
        hashes, position = self._hashes, bisect_left(self._hashes, wanted)
        if position >= self._count or hashes[position] != wanted:
            return []
        found, size, text = [], len(raw), self._text
        while position < self._count and hashes[position] == wanted:
            offset = self._offsets[position]
            line = text[offset : offset + size + 60].tobytes()
            if line[size : size + 1] in (b"", b"/", b"\n"):
                written = key if line.startswith(raw) else line[:size].decode("utf-8", "replace")
                if written is key or written.casefold() == key:
                    found.append(
                        (
                            written,
                            line[size + 1 :].partition(b"\n")[0].decode() if line[size : size + 1] == b"/" else "",
                        )
                    )
            position += 1
        return found

    def __contains__(self, key: str) -> bool:
        return bool(self.lines(key))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """All (key as written, payload), in file order."""
        for line in bytes(self._text).decode("utf-8", "replace").split("\n"):
            key, _, payload = line.partition("/")
            if key:
                yield key, payload


def compile_table(text: bytes) -> bytes:
    """The file content of a table for lines `key[/payload]` in UTF-8 (keys up to 60 bytes, payloads up to 59)."""
    import numpy as np

    text = text if text.endswith(b"\n") else text + b"\n"
    data = np.frombuffer(text, dtype=np.uint8)
    folded = _fold(data)
    newlines = np.flatnonzero(data == 10)
    starts = np.concatenate((np.zeros(1, dtype=np.int64), newlines[:-1] + 1))
    separators = np.flatnonzero((data == 10) | (data == 47))
    lengths = separators[np.searchsorted(separators, starts)] - starts
    kept = (lengths > 0) & (lengths <= _LONGEST_KEY)
    starts, lengths = starts[kept], lengths[kept]
    hashes = _crc32_rows(folded, starts, lengths)
    order = np.lexsort((starts, hashes))
    header = _HEADER.pack(_MAGIC, len(starts), 0, len(text))
    arrays = hashes[order].astype("<u4").tobytes() + starts[order].astype("<u4").tobytes()
    return header + arrays + text


def _fold(raw: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Lower-case ASCII and Latin-1 letters of UTF-8 bytes in place of length (no other case pairs occur in keys)."""
    import numpy as np

    folded = raw.copy()
    folded[(raw >= 65) & (raw <= 90)] += 32
    latin = np.zeros(len(raw), dtype=bool)
    latin[1:] = (raw[:-1] == 0xC3) & (raw[1:] >= 0x80) & (raw[1:] <= 0x9E) & (raw[1:] != 0x97)
    folded[latin] += 32
    return folded


def _crc32_rows(raw: NDArray[np.uint8], begin: NDArray[np.int64], size: NDArray[np.int64]) -> NDArray[np.uint32]:
    """CRC-32 (IEEE 802.3, as zlib's) of `raw[begin:begin+size]` for every row at once."""
    import numpy as np

    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(0xEDB88320), table >> 1).astype(np.uint32)
    order = np.argsort(-size, kind="stable")
    begin, size = begin[order], size[order]
    state = np.full(len(begin), 0xFFFFFFFF, dtype=np.uint32)
    for column in range(int(size[0]) if len(size) else 0):
        active = int(np.searchsorted(-size, -column, side="left"))
        current = state[:active]
        state[:active] = table[(current ^ raw[begin[:active] + column]) & 255] ^ (current >> 8)
    result = np.empty(len(begin), dtype=np.uint32)
    result[order] = state ^ np.uint32(0xFFFFFFFF)
    return result


def _cache_path(name: str) -> Path | None:
    folder = cache_folder()
    return None if folder is None else folder / f"{name}.words"


def _map_file(path: Path) -> WordTable | None:
    """The table in this file, or None where there is none, or a damaged one."""
    try:
        with path.open("rb") as file:
            content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        magic, count, _, text_size = _HEADER.unpack_from(content, 0)
    except (OSError, ValueError, struct.error):
        return None
    if magic != _MAGIC or len(content) != _HEADER.size + 8 * count + text_size:
        return None
    return WordTable(content)


def write_if_possible(path: Path, content: bytes) -> None:
    """Write a cached file in one step. Best effort: a cache that cannot be written is only slower."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            Path(temporary).replace(path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
