"""Reading positions that people or programs wrote: every value is validated before it is used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from veillee.engine.options import whole
from veillee.engine.refusal import Refusal


class PositionReader:
    """One JSON object of a position, with its path for error messages.

    A missing key takes its default if there is one. `done` refuses keys that were never read, so
    that a misspelt one is not ignored.
    """

    def __init__(self, data: Any, clause: str, path: str = "") -> None:
        self.clause = clause
        self.path = path
        if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
            raise self.wrong("", data, "{…}")
        self._data = data
        self._asked: set[str] = set()

    def wrong(self, key: str, value: Any, expected: str, clause: str | None = None) -> Refusal:
        shown = repr(value)[:60]
        text = "veillee.position.wrong"
        return self._refusal(text, key, clause, value=shown, expected=expected)

    def _refusal(self, text: str, key: str, clause: str | None = None, **facts: str) -> Refusal:
        path = (f"{self.path}.{key}" if key else self.path).strip(".") or "position"
        return Refusal("impossible", clause or self.clause, text, path=path, **facts)

    def raw(self, key: str, default: Any = ...) -> Any:
        self._asked.add(key)
        if key not in self._data:
            if default is ...:
                raise self._refusal("veillee.position.missing", key)
            return default
        return self._data[key]

    def number(
        self, key: str, low: int, high: int, default: Any = ..., clause: str | None = None
    ) -> int:
        value = self.raw(key, default)
        if not whole(value) or not low <= value <= high:
            raise self.wrong(key, value, f"{low}–{high}", clause)
        return int(value)

    def flag(self, key: str, default: Any = ...) -> bool:
        value = self.raw(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, value, "true, false")
        return value

    def name(
        self, key: str, names: Sequence[str], default: Any = ..., clause: str | None = None
    ) -> int:
        """Return the index of a name in a list of names."""
        value = self.raw(key, default)
        if not isinstance(value, str) or value not in names:
            raise self.wrong(key, value, ", ".join(names), clause)
        return names.index(value)

    def names(
        self, key: str, names: Sequence[str], most: int, default: Any = ..., unknown: bool = False
    ) -> list[int]:
        """Return a list of names as their indices; None (unknown), where allowed, is -1."""
        values = self.raw(key, default)
        if not isinstance(values, list) or len(values) > most:
            raise self.wrong(key, values, f"[…] ≤ {most}")
        found = []
        for value in values:
            if value is None and unknown:
                found.append(-1)
            elif isinstance(value, str) and value in names:
                found.append(names.index(value))
            else:
                raise self.wrong(key, value, ", ".join(names))
        return found

    def counts(self, key: str, names: Sequence[str], high: int, default: Any = ...) -> list[int]:
        """Return an object of numbers by name as a list; names left out are 0."""
        inner = self.inner(key, default)
        found = [inner.number(name, 0, high, 0) for name in names]
        inner.done()
        return found

    def inner(self, key: str, default: Any = ...) -> PositionReader:
        return PositionReader(self.raw(key, default), self.clause, f"{self.path}.{key}")

    def objects(
        self, key: str, sizes: Iterable[int], clause: str | None = None
    ) -> list[PositionReader]:
        """Return a list of objects whose length is one of `sizes`."""
        values = self.raw(key)
        allowed = list(sizes)
        if not isinstance(values, list) or len(values) not in allowed:
            shown = len(values) if isinstance(values, list) else values
            raise self.wrong(key, shown, ", ".join(map(str, allowed)), clause)
        return [
            PositionReader(value, self.clause, f"{self.path}.{key}[{i}]")
            for i, value in enumerate(values)
        ]

    def done(self) -> None:
        for key in self._data:
            if key not in self._asked:
                known = ", ".join(sorted(self._asked))
                raise self._refusal("veillee.position.unknown", key, expected=known)
