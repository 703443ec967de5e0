"""Pictures are looked at again: sizes, colours where pieces stand, one frame a step."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from firmware.picture import CELL_PX, LAST_MS, MOST_FRAMES, STEP_MS, Scene, draw_gif, draw_png
from rules.board import ALL_CELLS, Cell, Piece, Position
from rules.packs.masterplan import PACK
from tests.firmware import snapshots

BOX = PACK.box
NOTHING = Scene(Position(), 0, {"white": 0, "yellow": 0})


def png(scene: Scene) -> Image.Image:
    return Image.open(io.BytesIO(draw_png(scene, BOX))).convert("RGB")


def crop(picture: Image.Image, cell: Cell) -> Image.Image:
    """The cell without its lines."""
    rim, side = CELL_PX // 2, CELL_PX
    left, top = rim + cell.file * side, rim + (7 - cell.rank) * side
    return picture.crop((left + 2, top + 2, left + side - 2, top + side - 2))


def scene(moves: str) -> Scene:
    verdict = snapshots.play(moves).verdict
    return Scene(verdict.position, verdict.ply, verdict.score)


def test_every_piece_is_drawn_on_its_cell_and_nowhere_else() -> None:
    drawn, empty = scene(snapshots.MIDDLE), png(NOTHING)
    picture = png(drawn)
    for cell in ALL_CELLS:
        same = crop(picture, cell).tobytes() == crop(empty, cell).tobytes()
        assert same == (cell not in drawn.position), cell


@pytest.mark.parametrize(("kind", "shade"), [("park", "#4f8a3c"), ("tower", "#8c8c8c")])
def test_pieces_have_the_shade_of_the_box(kind: str, shade: str) -> None:
    cell = Cell("d5")
    middle = crop(png(Scene(Position({cell: Piece(kind)}), 1, {})), cell).getpixel((30, 30))
    assert middle == tuple(bytes.fromhex(shade[1:]))


def test_a_house_stands_in_its_anchor() -> None:
    empty = png(NOTHING)
    for anchor, (dx, dy) in {"n": (0, -1), "e": (1, 0), "sw": (-1, 1)}.items():
        cell = Cell("d5")
        house = snapshots.house("yellow", anchor)
        one = crop(png(Scene(Position({cell: house}), 0, NOTHING.score)), cell)
        side = one.width
        spot = (side // 2 + dx * side // 3, side // 2 + dy * side // 3)
        other = (side // 2 - dx * side // 3, side // 2 - dy * side // 3)
        bare = crop(empty, cell)
        assert one.getpixel(spot) != bare.getpixel(spot), anchor
        assert one.getpixel(other) == bare.getpixel(other), anchor


def test_white_and_yellow_differ_by_more_than_their_shade() -> None:
    cell = Cell("d5")
    grey = [
        crop(png(Scene(Position({cell: snapshots.house(c, "n")}), 1, {})), cell).convert("1")
        for c in BOX.players
    ]
    assert grey[0].tobytes() != grey[1].tobytes()


def test_what_is_new_is_framed() -> None:
    plain = scene("c4ne")
    framed = Scene(plain.position, plain.ply, plain.score, [Cell("c4")])
    assert png(plain).tobytes() != png(framed).tobytes()


def test_a_replay_has_a_frame_a_step_and_rests_on_the_last() -> None:
    scenes = [NOTHING, scene("c4ne"), scene("c4ne e6n"), scene(snapshots.OPENING)]
    film = Image.open(io.BytesIO(draw_gif(scenes, BOX)))
    assert getattr(film, "n_frames", 1) == 4
    lengths_ms = []
    for number in range(4):
        film.seek(number)
        lengths_ms.append(film.info["duration"])
    assert lengths_ms == [STEP_MS] * 3 + [LAST_MS]
    assert film.info["loop"] == 0


def test_one_scene_is_enough_and_a_long_game_keeps_its_end() -> None:
    assert draw_gif([NOTHING], BOX).startswith(b"GIF89a")
    many = [Scene(Position({ALL_CELLS[n % 64]: Piece("park")}), n, {}) for n in range(200)]
    film = Image.open(io.BytesIO(draw_gif(many, BOX)))
    assert getattr(film, "n_frames", 1) == MOST_FRAMES
