"""What was used lately, so that it need not be read again?"""

from __future__ import annotations

from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """A cache that holds between `size` and twice `size` entries, the ones used last.

    Two generations of plain dictionaries: when the young one is full it becomes the old one, and what is used again moves
    back. Needs no lock: a race between threads costs at most that something is read twice.
    """

    __slots__ = ("_old", "_size", "_young")

    def __init__(self, size: int) -> None:
        self._size = size
        self._young: dict[Key, Value] = {}
        self._old: dict[Key, Value] = {}

    def get(self, key: Key) -> Value | None:
        """The value kept under a key, None where there is none."""
        value = self._young.get(key)
        if value is None:
            value = self._old.get(key)
            if value is not None:
                self.put(key, value)
        return value

    def put(self, key: Key, value: Value) -> None:
        """Keep a value; never None."""
        if len(self._young) >= self._size:
            self._old, self._young = self._young, {}
        self._young[key] = value
