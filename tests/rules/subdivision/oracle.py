"""The slow, obvious twin of Subdivision's rules.

It shares no code with them, and is written to be checked by eye against the rule text: loops over
cells and pairs of cells, everything counted anew whenever it is asked for.

`standing` is the game: the pieces that stand by right. `missing` and `beside` are the table: which
of those are off their place just now, and the illegal pieces that lie about on top.
"""

from dataclasses import dataclass
from typing import Any

Event = dict[str, Any]
Line = dict[str, str]
PIPS = {"large": 3, "medium": 2, "small": 1}


@dataclass(frozen=True)
class Piece:
    kind: str  # large, medium, small or blocked
    colour: str = ""  # of a pyramid


PARK = Piece("blocked")


def near(one: str, other: str) -> bool:
    files, ranks = abs(ord(one[0]) - ord(other[0])), abs(int(one[1]) - int(other[1]))
    return max(files, ranks) == 1


def neighbours(one: str, other: str) -> bool:
    files, ranks = abs(ord(one[0]) - ord(other[0])), abs(int(one[1]) - int(other[1]))
    return files + ranks == 1


class Oracle:
    def __init__(
        self, players: list[str], size: int, parks: int, each: int, variant: list[str]
    ) -> None:
        self.players, self.parks, self.each, self.variant = players, parks, each, variant
        self.cells = [f"{file}{rank}" for file in "abcdefgh"[:size] for rank in range(1, size + 1)]
        self.standing: dict[str, Piece] = {}
        self.missing: list[str] = []
        self.beside: dict[str, list[tuple[str, Piece]]] = {}
        self.ply = 0
        self.over = False

    # ---- who and what ----

    @property
    def turn(self) -> str | None:
        return None if self.over else self.players[self.ply % len(self.players)]

    def count(self, piece: Piece) -> int:
        return len([other for other in self.standing.values() if other == piece])

    @property
    def has_begun(self) -> bool:
        return any(piece != PARK for piece in self.standing.values())

    @property
    def parks_are_open(self) -> bool:
        """Anybody may lay parks and take them up again."""
        return "lay-parks" not in self.variant and not self.has_begun

    @property
    def players_lay(self) -> bool:
        """The player on turn has to lay a park."""
        return "lay-parks" in self.variant and not self.has_begun and self.count(PARK) < self.parks

    # ---- where a pyramid may stand ----

    def breaks_rule(self, cell: str, piece: Piece) -> str | None:
        around = [other for place, other in self.standing.items() if near(cell, place)]
        if piece.kind == "large" and piece in around:
            return "large-near-own-large"
        if piece.kind == "small":
            strangers = [other for other in around if other.colour not in ("", piece.colour)]
            if not [other for other in strangers if other.kind in ("small", "large")]:
                return "small-needs-other-colour"
        if self.count(piece) >= self.each:
            return "none-left"
        return None

    def places_for(self, colour: str) -> list[tuple[str, Piece]]:
        free = [cell for cell in self.cells if cell not in self.standing]
        own = [Piece(kind, colour) for kind in PIPS]
        return [(c, piece) for c in free for piece in own if self.breaks_rule(c, piece) is None]

    def why_not(self, cell: str, piece: Piece) -> str | None:
        if cell not in self.cells:
            return "off-board"
        if piece == PARK:
            if self.count(PARK) < self.parks and not (self.parks_are_open or self.players_lay):
                return "out-of-turn"
        elif self.players_lay:
            return "parks-first"
        elif piece.colour != self.turn:
            return "out-of-turn"
        if cell in self.standing or cell in self.beside:
            return "occupied"
        if piece == PARK:
            return "none-left" if self.count(PARK) == self.parks else None
        return self.breaks_rule(cell, piece)

    # ---- what happens ----

    def feed(self, line: Line) -> list[Event]:
        """One input line of the contract -> the contract events it causes, in order."""
        if "pass" in line:
            return self.pass_turn(line["pass"])
        if "take" in line:
            return self.take(line["take"])
        if "block" in line:
            return self.put(line["block"], PARK)
        return self.put(line["cell"], Piece(line["place"], line["colour"]))

    def put(self, cell: str, piece: Piece) -> list[Event]:
        is_bare = cell not in self.beside and (cell not in self.standing or cell in self.missing)
        if is_bare and cell in self.missing and self.standing[cell] == piece:
            self.missing.remove(cell)
            return [{"event": "corrected", "cell": cell}]
        if is_bare and self.in_hand(piece) > 0:
            return self.lay_beside(cell, piece, "moved")
        reason = self.why_not(cell, piece)
        if reason is not None:
            return self.lay_beside(cell, piece, reason)
        is_move, colour = piece != PARK or self.players_lay, self.turn
        self.standing[cell] = piece
        if not is_move:
            return []
        self.ply += 1
        event = {"event": "placed", "ply": self.ply, "colour": colour, "piece": piece.kind}
        return [event | {"cell": cell, "score": self.score()}, *self.look_ahead()]

    def pass_turn(self, colour: str) -> list[Event]:
        refused = None
        if colour != self.turn:
            refused = "out-of-turn"
        elif self.players_lay or self.places_for(colour):
            refused = "must-not-pass"
        if refused is not None:
            return [{"event": "illegal", "reason": refused, "cell": None, "colour": colour}]
        self.ply += 1
        return [{"event": "passed", "ply": self.ply, "colour": colour}, *self.look_ahead()]

    def look_ahead(self) -> list[Event]:
        if self.players_lay or self.turn is None or self.places_for(self.turn):
            return []
        if [colour for colour in self.players if self.places_for(colour)]:
            return [{"event": "must-pass", "colour": self.turn}]
        self.over = True
        score = self.score()
        winners = [colour for colour in self.players if score[colour] == max(score.values())]
        account = {colour: self.account(colour) for colour in self.players}
        return [{"event": "over", "score": score, "account": account, "winners": winners}]

    # ---- what is wrong on the table ----

    def in_hand(self, piece: Piece) -> int:
        """How many standing pyramids like this one are off the board, neither home nor moved."""
        if piece == PARK:
            return 0
        gone = len([cell for cell in self.missing if self.standing[cell] == piece])
        lying = [thing for pile in self.beside.values() for thing in pile]
        return gone - len([thing for thing in lying if thing == ("moved", piece)])

    def lay_beside(self, cell: str, piece: Piece, reason: str) -> list[Event]:
        self.beside.setdefault(cell, []).append((reason, piece))
        event: Event = {"event": "illegal", "reason": reason, "cell": cell}
        if reason == "large-near-own-large":
            others = [c for c in self.cells if near(c, cell) and self.standing.get(c) == piece]
            event["others"] = others
        return [event]

    def take(self, cell: str) -> list[Event]:
        if cell in self.beside:
            self.beside[cell].pop()
            if not self.beside[cell]:
                del self.beside[cell]
            return [{"event": "corrected", "cell": cell}]
        if cell not in self.standing or cell in self.missing:
            return []
        if self.parks_are_open:
            del self.standing[cell]
            for other in self.cells:
                if self.beside.get(other) == [("none-left", PARK)] and other not in self.standing:
                    del self.beside[other]
                    self.standing[other] = PARK
                    return [{"event": "corrected", "cell": other}]
            return []
        self.missing.append(cell)
        return [{"event": "illegal", "reason": "removed", "cell": cell}]

    # ---- points ----

    def score(self) -> dict[str, int]:
        score = {}
        for colour in self.players:
            account = self.account(colour)
            costs = sum(large["cost"] for large in account["larges"])
            score[colour] = account["pips"] - account["groups"] - costs
            score[colour] += 3 * account["private_parks"]
        return score

    def account(self, colour: str) -> dict[str, Any]:
        own = [cell for cell in self.cells if self.colour_of(cell) == colour]
        groups = self.groups(own)
        larges = []
        for cell in own:
            if self.standing[cell].kind == "large":
                around = [piece for place, piece in self.standing.items() if near(cell, place)]
                smalls = len([piece for piece in around if piece.kind == "small"])
                cost = {0: 0, 1: 0, 2: 1, 3: 2}.get(smalls, 3)
                larges.append({"cell": cell, "smalls": smalls, "cost": cost})
        private = 0
        if "private-parks" in self.variant:
            private = len([cell for cell in self.cells if self.is_private(cell, groups)])
        pips = sum(PIPS[self.standing[cell].kind] for cell in own)
        return {"pips": pips, "groups": len(groups), "larges": larges, "private_parks": private}

    def colour_of(self, cell: str) -> str | None:
        return self.standing[cell].colour or None if cell in self.standing else None

    def groups(self, cells: list[str]) -> list[set[str]]:
        groups: list[set[str]] = []
        for cell in cells:
            touched = [g for g in groups if any(neighbours(cell, other) for other in g)]
            groups = [g for g in groups if g not in touched]
            groups.append({cell}.union(*touched))
        return groups

    def is_private(self, park: str, groups: list[set[str]]) -> bool:
        if self.standing.get(park) != PARK:
            return False
        around = {c for c in self.cells if near(park, c) and self.standing.get(c) != PARK}
        return bool(around) and any(around <= group for group in groups)
