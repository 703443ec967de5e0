"""The games we referee. A new one is a folder here and a line in `PACKS`."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from rules.errors import UnknownGame
from rules.pack import Pack

PACKS: Final = {
    "masterplan": "rules.packs.masterplan",
    "subdivision": "rules.packs.subdivision",
}


def load_pack(game: str) -> Pack[Any]:
    """The pack that plays this game; only now is its folder read."""
    if game not in PACKS:
        raise UnknownGame(f"no game is called {game!r}; there are: {', '.join(PACKS)}")
    pack: Pack[Any] = import_module(PACKS[game]).PACK
    return pack
