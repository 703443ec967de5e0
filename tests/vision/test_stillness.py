"""When to look: not while something moves, and not when nothing has changed."""

from __future__ import annotations

import numpy as np

from vision.geometry import Image
from vision.stillness import Gate, Stillness


def noisy(level: int, rng: np.random.Generator, sigma: float = 6, patch: int = 0) -> Image:
    """A grey table; `patch` makes a spot of 32 pixels lighter, as a house would."""
    table = np.full((240, 320, 3), level, np.float64)
    table[100:132, 100:132] += patch
    table += sigma * rng.standard_normal(table.shape)
    return np.clip(table, 0, 255).astype(np.uint8)


def test_nothing_moves_but_noise() -> None:
    rng, gate = np.random.default_rng(1), Gate()
    assert gate.judge(noisy(120, rng)) is Stillness.MOVING, "there is nothing to compare with yet"
    assert gate.judge(noisy(120, rng)) is Stillness.STILL
    gate.was_read()
    for _ in range(50):
        assert gate.judge(noisy(120, rng)) is Stillness.UNCHANGED


def test_heavy_noise_is_no_movement_either() -> None:
    rng, gate = np.random.default_rng(2), Gate()
    gate.judge(noisy(120, rng, 25))
    gate.judge(noisy(120, rng, 25))
    gate.was_read()
    assert all(gate.judge(noisy(120, rng, 25)) is Stillness.UNCHANGED for _ in range(50))


def test_a_new_house_is_movement_then_worth_a_look() -> None:
    rng, gate = np.random.default_rng(3), Gate()
    gate.judge(noisy(120, rng))
    gate.judge(noisy(120, rng))
    gate.was_read()
    assert gate.judge(noisy(120, rng, patch=25)) is Stillness.MOVING
    assert gate.judge(noisy(120, rng, patch=25)) is Stillness.STILL
    assert gate.judge(noisy(120, rng, patch=25)) is Stillness.STILL, "nobody has read it yet"
    gate.was_read()
    assert gate.judge(noisy(120, rng, patch=25)) is Stillness.UNCHANGED


def test_a_lamp_switched_is_worth_a_look() -> None:
    rng, gate = np.random.default_rng(4), Gate()
    gate.judge(noisy(120, rng))
    gate.judge(noisy(120, rng))
    gate.was_read()
    assert gate.judge(noisy(80, rng)) is Stillness.MOVING
    assert gate.judge(noisy(80, rng)) is Stillness.STILL


def test_a_camera_with_another_size_is_no_crash() -> None:
    rng, gate = np.random.default_rng(5), Gate()
    gate.judge(noisy(120, rng))
    assert gate.judge(np.zeros((480, 640, 3), np.uint8)) is Stillness.MOVING
