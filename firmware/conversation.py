"""What the device and its players have to say to each other at this moment: one dialog.

Players open dialogs with buttons and leave them again; the device asks what only they can tell, and
counts up the end of a game. Whatever is shown, one thing at a time is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from firmware.asking import Key, Questions
from firmware.commands import NotNow
from firmware.dialog import Dialog, FinalCount, Listing, Option, Playing

COUNT_S: Final = 4.0
"""How long each thing of the final count is shown before the next."""


class Conversation:
    """The clock is the caller's."""

    def __init__(self) -> None:
        self.dialog: Dialog = Playing()
        self.questions = Questions()
        self._count_since_s: float | None = None

    def show(self, dialog: Dialog, now_s: float) -> None:
        """Somebody wants to see this, or has answered what was asked."""
        is_same_list = (
            isinstance(dialog, Listing)
            and isinstance(self.dialog, Listing)
            and dialog.options == self.dialog.options
        )
        if not is_same_list:  # but for the mark, which was moved
            self.questions.leave(now_s)
        self.dialog, self._count_since_s = dialog, None

    def count(self, now_s: float) -> None:
        """The game is over."""
        self.dialog, self._count_since_s = FinalCount(), now_s

    def answer(self, index: int, now_s: float) -> tuple[Listing, Option]:
        """The list that is shown, and what was taken from it."""
        listing = self.dialog
        if not isinstance(listing, Listing) or not 0 <= index < len(listing.options):
            raise NotNow(f"nothing is asked that has an answer number {index}")
        self.questions.leave(now_s)
        return listing, listing.options[index]

    def ask(self, open_: Mapping[Key, Listing], is_busy: bool, now_s: float) -> None:
        """These questions are open: ask one of them when it is time to."""
        self.dialog = self.questions.update(open_, self.dialog, is_busy, now_s)

    def count_on(self, things: int, now_s: float) -> None:
        """The final count goes on by itself until somebody takes it in hand."""
        if not isinstance(self.dialog, FinalCount) or self._count_since_s is None:
            return
        if now_s - self._count_since_s >= COUNT_S:
            is_done = self.dialog.at >= things
            self.dialog = Playing() if is_done else replace(self.dialog, at=self.dialog.at + 1)
            self._count_since_s = None if is_done else now_s
