"""The display's driver, on a wire whose far end rebuilds the picture from what is sent."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator

import pytest
from PIL import Image

from firmware.oled import Kind, Oled
from firmware.simulated.display import Chip, DisplayWire
from firmware.snapshot import Failure, Mended, Part

SOON_S = 3.0


def picture(*lit_xy: tuple[int, int]) -> Image.Image:
    image = Image.new("1", (128, 64))
    for xy in lit_xy:
        image.putpixel(xy, 1)
    return image


def wait_until(holds: Callable[[], bool]) -> None:
    late_s = time.monotonic() + SOON_S
    while not holds():
        assert time.monotonic() < late_s, f"still not so after {SOON_S} s"
        time.sleep(0.002)


class Bench:
    """A display on a wire, and what was reported of it."""

    def __init__(self, kind: Kind = Kind.SSD1306, refresh_s: float = 60.0, **how: object) -> None:
        self.wire = CountingWire(Chip(kind) if kind is not Kind.NONE else Chip.SSD1306)
        self.reports: list[Failure | Mended] = []
        self.oled = Oled.open(
            kind,
            self.reports.append,
            bus=self.wire,
            retry_s=0.02,
            refresh_s=refresh_s,
            **how,  # type: ignore[arg-type]
        )

    def shows(self, image: Image.Image) -> bool:
        return self.wire.pixels() == image.tobytes()


class CountingWire(DisplayWire):
    def __init__(self, chip: Chip) -> None:
        super().__init__(chip)
        self.data_bytes = 0

    def write_i2c_block_data(self, address: int, register: int, data: Iterable[int]) -> None:
        data = list(data)
        super().write_i2c_block_data(address, register, data)
        self.data_bytes += len(data) if register == 0x40 else 0


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.oled.close()


def test_waiting_gives_up() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.firmware.test_oled.SOON_S", 0.01)
        with pytest.raises(AssertionError, match="still not so"):
            wait_until(lambda: False)


@pytest.mark.parametrize("kind", [Kind.SSD1306, Kind.SH1106])
def test_what_is_shown_arrives_pixel_for_pixel(kind: Kind) -> None:
    bench = Bench(kind)
    image = picture((0, 0), (127, 0), (3, 17), (64, 40), (127, 63))
    bench.oled.show(image)
    wait_until(lambda: bench.shows(image))
    assert bench.oled.last == image.tobytes()
    bench.oled.close()
    assert bench.reports == []


@pytest.mark.parametrize(
    ("how", "expected_xy"),
    [({"rotate": 180}, (126, 61)), ({"mirror": True}, (126, 2))],
)
def test_turned_on_the_glass_but_not_on_the_page(
    how: dict[str, object], expected_xy: tuple[int, int]
) -> None:
    bench = Bench(**how)  # type: ignore[arg-type]
    bench.oled.show(picture((1, 2)))
    wait_until(lambda: bench.shows(picture(expected_xy)))
    assert bench.oled.last == picture((1, 2)).tobytes()
    bench.oled.close()


def test_closing_makes_it_dark() -> None:
    bench = Bench()
    bench.oled.show(picture((5, 5)))
    wait_until(lambda: bench.wire.is_on)
    bench.oled.close()
    assert not bench.wire.is_on
    bench.oled.close()  # a second time does no harm


def test_the_same_image_is_sent_once(bench: Bench) -> None:
    image = picture((5, 5))
    bench.oled.show(image)
    wait_until(lambda: bench.shows(image))
    time.sleep(0.12)
    sent = bench.wire.data_bytes
    for _ in range(5):
        bench.oled.show(image.copy())
        time.sleep(0.03)
    assert bench.wire.data_bytes == sent


def test_a_storm_of_images_is_thinned_out_and_ends_with_the_newest(bench: Bench) -> None:
    started_s = time.monotonic()
    for x in range(100):
        bench.oled.show(picture((x, 1)))
        time.sleep(0.003)
    last = picture((99, 1))
    wait_until(lambda: bench.shows(last))
    frames = bench.wire.data_bytes // 1024 - 1  # one more clears it at the beginning
    assert 2 <= frames <= (time.monotonic() - started_s) * 10 + 2


def test_nobody_waits_for_a_slow_bus() -> None:
    bench = Bench()
    gate = threading.Event()
    write = bench.wire.write_i2c_block_data

    def stuck(address: int, register: int, data: Iterable[int]) -> None:
        gate.wait(SOON_S)
        write(address, register, data)

    bench.wire.write_i2c_block_data = stuck  # type: ignore[method-assign]
    started_s = time.monotonic()
    bench.oled.show(picture((1, 1)))
    bench.oled.show(picture((2, 2)))
    assert time.monotonic() - started_s < 0.1
    gate.set()
    wait_until(lambda: bench.shows(picture((2, 2))))
    bench.oled.close()


def test_a_pulled_cable_is_reported_once_and_mended_when_it_is_back(bench: Bench) -> None:
    bench.oled.show(picture((1, 1)))
    wait_until(lambda: bench.shows(picture((1, 1))))
    bench.wire.broken = True
    bench.oled.show(picture((2, 2)))
    wait_until(lambda: len(bench.reports) == 1)
    failure = bench.reports[0]
    assert isinstance(failure, Failure)
    assert failure.part is Part.OLED
    assert failure.detail
    time.sleep(0.1)  # several tries
    assert len(bench.reports) == 1
    assert bench.oled.last == picture((2, 2)).tobytes()
    bench.wire.broken = False
    wait_until(lambda: bench.shows(picture((2, 2))))
    wait_until(lambda: bench.reports[1:] == [Mended(Part.OLED)])


def test_a_display_that_is_not_there_at_first_is_found_later() -> None:
    bench = Bench()
    bench.wire.broken = True
    bench.oled.show(picture((1, 1)))
    wait_until(lambda: len(bench.reports) == 1)
    bench.wire.broken = False
    wait_until(lambda: bench.shows(picture((1, 1))))
    bench.oled.close()


def test_a_plug_out_and_in_again_unnoticed_does_not_stay_dark() -> None:
    bench = Bench(refresh_s=0.05)
    bench.oled.show(picture((1, 1)))
    wait_until(lambda: bench.shows(picture((1, 1))))
    bench.wire.broken, bench.wire.broken = True, False
    wait_until(lambda: bench.shows(picture((1, 1))))
    bench.oled.close()


def test_a_display_that_is_fine_is_refreshed_without_flicker() -> None:
    bench = Bench(refresh_s=0.03)
    image = picture((1, 1))
    bench.oled.show(image)
    wait_until(lambda: bench.shows(image))
    sent, flickers = bench.wire.data_bytes, 0
    while bench.wire.data_bytes < sent + 3 * 1024:
        flickers += not bench.shows(image)
    assert flickers == 0
    bench.oled.close()


def test_a_port_that_does_not_exist_is_reported_and_no_error() -> None:
    reports: list[Failure | Mended] = []
    oled = Oled.open(Kind.SSD1306, reports.append, port=98, retry_s=0.01)
    oled.show(picture())
    wait_until(lambda: len(reports) == 1)
    oled.close()


def test_none_is_fitted_and_the_page_still_has_its_picture() -> None:
    reports: list[Failure | Mended] = []
    oled = Oled.open(Kind.NONE, reports.append)
    assert oled.last == bytes(1024)
    oled.show(picture((0, 0)))
    assert oled.last == b"\x80" + bytes(1023)
    oled.close()
    assert reports == []


def test_an_image_of_another_size_is_our_mistake(bench: Bench) -> None:
    with pytest.raises(ValueError, match="128×64"):
        bench.oled.show(Image.new("1", (64, 128)))


def test_an_unknown_kind_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="ssd1309"):
        Oled.open("ssd1309", lambda report: None)
