"""What needs the players' attention, and when it is time to say so.

Somebody who puts a piece down wrongly mostly notices before the hand is back. So trouble is
announced only once it has been there for `PATIENCE_S` seconds with nobody moving over the table;
what has been announced stays announced until it is gone.

    a trouble is    new            old enough     gone
    ──────────────────────────────────────────────────────
    table at rest   since now      announced      forgotten
    somebody moves  since now      since now      forgotten
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final, Generic, TypeVar

PATIENCE_S: Final = 3.0

T = TypeVar("T", bound=Hashable)


class Attention(Generic[T]):
    """Keeps the time of each trouble; the clock is the caller's."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._since: dict[T, float] = {}
        self._announced: set[T] = set()

    def update(self, troubles: Sequence[T], is_busy: bool, now_s: float) -> tuple[T, ...]:
        """The troubles that are to be announced, in the order given."""
        self._announced &= set(troubles)
        self._since = {
            trouble: now_s if is_busy else self._since.get(trouble, now_s) for trouble in troubles
        }
        for trouble, since_s in self._since.items():
            if now_s - since_s >= self._patience_s:
                self._announced.add(trouble)
        return tuple(trouble for trouble in troubles if trouble in self._announced)
