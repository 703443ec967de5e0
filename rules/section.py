"""Tables of a TOML file, read by asking: each question names the key and what may stand there.

A wrong answer is noted with its place and something harmless is handed out instead, so that
reading goes on and whoever wrote the file hears of every mistake at once. A table is closed when
all has been asked for; a key that is left then was misspelt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeGuard, TypeVar

_MISSING: Final = object()
T = TypeVar("T")


class Section:
    """A TOML table that hands out checked values and collects what is wrong with the others."""

    def __init__(self, data: Mapping[str, Any], path: str, mistakes: list[str]) -> None:
        self._data, self._path, self._mistakes = data, path, mistakes
        self._asked: set[str] = set()

    def names(self) -> list[str]:
        return list(self._data)

    def complain(self, key: str, got: object, expected: str) -> None:
        found = "nothing" if got is _MISSING else repr(got)
        self._mistakes.append(f"{self._path}{key}: got {found}, expected {expected}")

    def close(self) -> None:
        """No key may be left that nobody asked for: it would be a misspelt one."""
        for key in self._data.keys() - self._asked:
            self._mistakes.append(f"{self._path}{key}: not a key of this table")

    def _get(self, key: str) -> Any:
        self._asked.add(key)
        return self._data.get(key, _MISSING)

    def section(self, key: str) -> Section:
        value, mistakes = self._get(key), self._mistakes
        if not isinstance(value, dict):
            self.complain(key, value, "a table")
            # A missing table lacks each of its keys; something else in its place is one mistake.
            value, mistakes = {}, mistakes if value is _MISSING else []
        return Section(value, f"{self._path}{key}.", mistakes)

    def text(self, key: str) -> str:
        value = self._get(key)
        if isinstance(value, str) and value:
            return value
        self.complain(key, value, "a text")
        return ""

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._get(key)
        if isinstance(value, list | tuple) and all(
            isinstance(item, str) and item for item in value
        ):
            return tuple(value)
        self.complain(key, value, "a list of texts")
        return ()

    def choice(self, key: str, choices: tuple[T, ...]) -> T:
        value = self._get(key)
        if value in choices:
            return choices[choices.index(value)]
        self.complain(key, value, " or ".join(map(str, choices)))
        return choices[0]

    def flag(self, key: str, default: bool | None = None) -> bool:
        """`default` is for a key that may be missing."""
        value = self._get(key)
        if value is _MISSING and default is not None:
            return default
        if isinstance(value, bool):
            return value
        self.complain(key, value, "true or false")
        return False

    def whole(self, key: str, least: int, most: int) -> int:
        value = self._get(key)
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        self.complain(key, value, f"a whole number from {least} to {most}")
        return least

    def number(self, key: str, least: float, most: float) -> float:
        value = self._get(key)
        if _is_number(value) and least <= value <= most:
            return float(value)
        self.complain(key, value, f"a number from {least:g} to {most:g}")
        return least

    def size(self, key: str) -> float:
        value = self._get(key)
        if _is_size(value):
            return float(value)
        self.complain(key, value, "a size in mm above 0")
        return 1.0

    def sizes(self, key: str, count: int) -> tuple[float, ...]:
        value = self._get(key)
        if isinstance(value, list) and len(value) == count and all(map(_is_size, value)):
            return tuple(map(float, value))
        self.complain(key, value, f"{count} sizes in mm above 0")
        return (1.0,) * count


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_size(value: object) -> bool:
    return _is_number(value) and 0 < value < 10_000
