"""The slow, obvious twin of the referee.

The tests play the same placements into the real rules and into this twin, and hold the events of
the two against each other. So it must share no code with the real rules, in either direction, and
it is written to be checked by eye against the rule text: nested loops over the 64 cells and over
explicit lines and blocks, everything counted anew whenever it is asked for.

Two things are kept apart:

* the game: the pieces that stand by right (`standing`) and what is still due (`due`);
* the table: which of the standing pieces are off their place just now (`missing`), and the illegal
  pieces lying about on top of everything else (`beside`). The game never looks at these.
"""

from dataclasses import dataclass
from typing import Any

Event = dict[str, Any]  # also for the `due` part of one

FILES = "abcdefgh"
RANKS = "12345678"
CELLS = [file + rank for file in FILES for rank in RANKS]  # sorted: a1, a2, ... h8
# How far each anchor lies from the middle of its cell: (files to the right, ranks up).
ANCHORS = {"n": (0, 1), "s": (0, -1), "e": (1, 0), "w": (-1, 0)}
ANCHORS |= {"ne": (1, 1), "se": (1, -1), "sw": (-1, -1), "nw": (-1, 1)}
ALL_HOUSES = 28
ALL_TOWERS = 6


def cell_at(cell: str, right: int, up: int) -> str | None:
    """The cell so many files to the right and ranks up of this one, or None beyond the rim."""
    file = FILES.index(cell[0]) + right
    rank = RANKS.index(cell[1]) + up
    if 0 <= file < 8 and 0 <= rank < 8:
        return FILES[file] + RANKS[rank]
    return None


def all_groups(shapes: list[list[tuple[int, int]]]) -> list[list[str]]:
    """Every group of cells that has one of these shapes and lies wholly on the board."""
    groups = []
    for start in CELLS:
        for shape in shapes:
            group = [cell_at(start, right, up) for right, up in shape]
            whole = [cell for cell in group if cell is not None]
            if len(whole) == len(group):
                groups.append(whole)
    return groups


ALONG_RANK = [(0, 0), (1, 0), (2, 0), (3, 0)]
ALONG_FILE = [(0, 0), (0, 1), (0, 2), (0, 3)]
RISING = [(0, 0), (1, 1), (2, 2), (3, 3)]
FALLING = [(0, 0), (1, -1), (2, -2), (3, -3)]
LINES = all_groups([ALONG_RANK, ALONG_FILE, RISING, FALLING])
BLOCKS = all_groups([[(0, 0), (1, 0), (0, 1), (1, 1)]])


@dataclass(frozen=True)
class Piece:
    kind: str  # house, park or tower
    colour: str = ""  # of a house
    anchor: str = ""  # of a house; empty: it stands in no anchor


@dataclass
class Due:
    kind: str  # park or tower
    forgotten: bool = False


class Oracle:
    def __init__(self, both_due: str = "park", mode: str = "assist") -> None:
        self.both_due = both_due
        self.mode = mode
        self.standing: dict[str, Piece] = {}
        self.due: dict[str, Due] = {}
        self.missing: set[str] = set()
        self.beside: dict[str, list[tuple[str, Piece]]] = {cell: [] for cell in CELLS}
        self.score = {"white": 0, "yellow": 0}
        self.turn: str | None = "white"
        self.ply = 0
        self.over = False

    def feed(self, line: dict[str, str]) -> list[Event]:
        """One input line of the contract -> the contract events it causes, in order."""
        if "house" in line:
            house = Piece("house", line["colour"], line["house"][2:])
            events = self.put_house(line["house"][:2], house)
        elif "park" in line:
            events = self.put_green_or_grey(line["park"], Piece("park"))
        elif "tower" in line:
            events = self.put_green_or_grey(line["tower"], Piece("tower"))
        else:
            events = self.take(line["take"])
        events += self.settle_what_lies_right()
        if self.ply == ALL_HOUSES and not self.due and not self.over:
            events.append(self.final_count())
        return events

    def legal_cells(self) -> list[str]:
        """Cells on which the player on turn may put a house now, sorted.

        None while a house of this player is off the board: the next one put is taken for that one.
        """
        if self.turn is None or self.in_hand(self.turn) > 0:
            return []
        house = Piece("house", self.turn, "n")
        return [cell for cell in CELLS if self.why_not_house(cell, house) is None]

    # ---- what is on the board ----

    def is_house(self, cell: str) -> bool:
        return cell in self.standing and self.standing[cell].kind == "house"

    def count(self, kind: str) -> int:
        return len([piece for piece in self.standing.values() if piece.kind == kind])

    def taken_off_as_counted(self, cell: str) -> bool:
        """A tower which is off the board because the final count took it away."""
        return self.over and cell in self.missing and self.standing[cell].kind == "tower"

    def occupied(self, cell: str) -> bool:
        """A piece of the game has its place here, on the board or not; or an illegal one lies here.

        The place of a tower which the final count has taken off is free.
        """
        if self.beside[cell]:
            return True
        return cell in self.standing and not self.taken_off_as_counted(cell)

    def bare(self, cell: str) -> bool:
        """Nothing at all is to be seen on this cell of the table."""
        return not self.beside[cell] and (cell not in self.standing or cell in self.missing)

    def in_hand(self, colour: str) -> int:
        """How many standing houses of this colour are off the board, neither in place nor moved."""
        houses = [self.standing[cell] for cell in self.missing if self.is_house(cell)]
        off_their_place = len([house for house in houses if house.colour == colour])
        moved = 0
        for cell in CELLS:
            for reason, piece in self.beside[cell]:
                if reason == "moved" and piece.colour == colour:
                    moved += 1
        return off_their_place - moved

    # ---- the two bans, and what they make due ----

    def makes_line(self, cell: str) -> bool:
        """Would a house here make four houses in a row?"""
        for line in LINES:
            if cell in line and all(self.is_house(other) for other in line if other != cell):
                return True
        return False

    def makes_square(self, cell: str) -> bool:
        """Would a house here fill a block of four, while that is still forbidden?"""
        if self.count("tower") == ALL_TOWERS:
            return False
        for block in BLOCKS:
            if cell in block and all(self.is_house(other) for other in block if other != cell):
                return True
        return False

    def wanted(self, cell: str) -> str | None:
        """What the two bans ask for on this cell, were nothing due here yet."""
        if cell in self.standing:
            return None
        line = self.makes_line(cell)
        square = self.makes_square(cell)
        if line and square:
            return self.both_due
        if line:
            return "park"
        if square:
            return "tower"
        return None

    def due_cells(self, kind: str) -> list[str]:
        return [cell for cell in CELLS if cell in self.due and self.due[cell].kind == kind]

    # ---- houses ----

    def why_not_house(self, cell: str, house: Piece) -> str | None:
        if self.ply == ALL_HOUSES:
            return "none-left"
        if house.colour != self.turn:
            return "out-of-turn"
        if self.occupied(cell):
            return "occupied"
        if self.makes_line(cell):
            return "line-of-four"
        if self.makes_square(cell):
            return "square-of-four"
        if house.anchor == "":
            return "no-anchor"
        return None

    def put_house(self, cell: str, house: Piece) -> list[Event]:
        if self.bare(cell):
            if cell in self.missing:
                was_here = self.standing[cell]
                if was_here == house:
                    return self.put_back(cell)
                if was_here.kind == "house" and was_here.colour == house.colour:
                    return self.lay_beside(cell, house, "moved")
            if self.in_hand(house.colour) > 0:
                return self.lay_beside(cell, house, "moved")
        reason = self.why_not_house(cell, house)
        if reason is not None:
            return self.lay_beside(cell, house, reason)

        events = self.forget_what_is_not_there()
        self.standing[cell] = house
        self.ply += 1
        if self.ply == ALL_HOUSES:
            self.turn = None
        else:
            self.turn = "yellow" if house.colour == "white" else "white"

        fresh = [other for other in CELLS if other not in self.due]
        parks = [other for other in fresh if self.wanted(other) == "park"]
        towers = [other for other in fresh if self.wanted(other) == "tower"]
        self.due |= {other: Due("park") for other in parks}
        self.due |= {other: Due("tower") for other in towers}
        told: Event = {"parks": parks, "towers": towers}
        towers_left = ALL_TOWERS - self.count("tower")
        if len(towers) > towers_left:
            told["choose"] = towers_left
        if self.mode == "strict":
            told = {"parks": [], "towers": []}
        event: Event = {"event": "house", "ply": self.ply, "colour": house.colour}
        event |= {"cell": cell, "anchor": house.anchor, "due": told}
        return [*events, event]

    def forget_what_is_not_there(self) -> list[Event]:
        parks = [cell for cell in self.due_cells("park") if not self.due[cell].forgotten]
        towers = [cell for cell in self.due_cells("tower") if not self.due[cell].forgotten]
        for cell in parks + towers:
            self.due[cell].forgotten = True
        if parks or towers:
            return [{"event": "forgotten", "parks": parks, "towers": towers}]
        return []

    # ---- parks and towers ----

    def why_not_green_or_grey(self, cell: str, kind: str) -> str | None:
        if self.occupied(cell):
            return "occupied"
        if kind == "tower" and self.count("tower") == ALL_TOWERS:
            return "none-left"
        if cell not in self.due:
            return "not-due"
        if self.due[cell].kind != kind:
            return "wrong-piece"
        return None

    def put_green_or_grey(self, cell: str, piece: Piece) -> list[Event]:
        if self.bare(cell) and cell in self.missing and self.standing[cell] == piece:
            return self.put_back(cell)
        reason = self.why_not_green_or_grey(cell, piece.kind)
        if reason is not None:
            return self.lay_beside(cell, piece, reason)
        return [self.fulfil(cell)]

    def fulfil(self, cell: str) -> Event:
        """What is due on this cell is there now."""
        due = self.due.pop(cell)
        self.standing[cell] = Piece(due.kind)
        event: Event = {"event": due.kind, "cell": cell, "forgotten": due.forgotten}
        if due.kind == "park":
            gained = {"white": 0, "yellow": 0} if due.forgotten else self.rating(cell)
            for colour in gained:
                self.score[colour] += gained[colour]
            event["gained"] = gained
            event["score"] = dict(self.score)
        elif self.count("tower") == ALL_TOWERS:
            for other in self.due_cells("tower"):  # the square rule lapses, the line rule does not
                del self.due[other]
                if self.makes_line(other):
                    self.due[other] = Due("park")
        return event

    def settle_what_lies_right(self) -> list[Event]:
        """A park or tower that lay somewhere illegally, alone on its cell, may be due there now."""
        for cell in sorted(self.due):
            if [piece for _, piece in self.beside[cell]] == [Piece(self.due[cell].kind)]:
                self.beside[cell] = []
                corrected = {"event": "corrected", "cell": cell}
                # The sixth tower changes what is due elsewhere: look at all cells again.
                return [corrected, self.fulfil(cell), *self.settle_what_lies_right()]
        return []

    def rating(self, cell: str) -> dict[str, int]:
        """One for each neighbouring house, one more for each that leans on this cell."""
        rating = {"white": 0, "yellow": 0}
        for anchor, (right, up) in ANCHORS.items():
            neighbour = cell_at(cell, -right, -up)  # seen from there, this cell lies at the anchor
            if neighbour is not None and self.is_house(neighbour):
                house = self.standing[neighbour]
                rating[house.colour] += 2 if house.anchor == anchor else 1
        return rating

    # ---- what is wrong on the table ----

    def lay_beside(self, cell: str, piece: Piece, reason: str) -> list[Event]:
        self.beside[cell].append((reason, piece))
        return [{"event": "illegal", "reason": reason, "cell": cell}]

    def put_back(self, cell: str) -> list[Event]:
        silent = self.taken_off_as_counted(cell)
        self.missing.remove(cell)
        return [] if silent else [{"event": "corrected", "cell": cell}]

    def take(self, cell: str) -> list[Event]:
        if self.bare(cell):
            return []
        if self.beside[cell]:
            self.beside[cell].pop()
            return [{"event": "corrected", "cell": cell}]
        self.missing.add(cell)
        if self.taken_off_as_counted(cell):
            return []
        return [{"event": "illegal", "reason": "removed", "cell": cell}]

    # ---- the end ----

    def final_count(self) -> Event:
        self.over = True
        towers = []
        for cell in CELLS:
            if cell in self.standing and self.standing[cell].kind == "tower":
                rating = self.rating(cell)
                winner = higher(rating)
                if winner is not None:
                    self.score[winner] += 2
                towers.append({"tower": cell, "rating": rating, "winner": winner})
        final = dict(self.score)
        return {"event": "over", "towers": towers, "score": final, "winner": higher(final)}


def higher(points: dict[str, int]) -> str | None:
    if points["white"] > points["yellow"]:
        return "white"
    if points["yellow"] > points["white"]:
        return "yellow"
    return None
