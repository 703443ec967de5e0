"""Trouble waits until nobody moves, and is then said for as long as it lasts."""

from __future__ import annotations

from firmware.attention import PATIENCE_S, Attention


def test_trouble_is_announced_when_it_is_old_enough() -> None:
    attention: Attention[str] = Attention()
    assert attention.update(("a",), False, 0.0) == ()
    assert attention.update(("a",), False, PATIENCE_S - 0.1) == ()
    assert attention.update(("a",), False, PATIENCE_S) == ("a",)


def test_while_somebody_moves_nothing_grows_old() -> None:
    attention: Attention[str] = Attention()
    attention.update(("a",), False, 0.0)
    assert attention.update(("a",), True, 10.0) == ()
    assert attention.update(("a",), False, 12.9) == ()
    assert attention.update(("a",), False, 13.0) == ("a",)


def test_what_was_announced_stays_so_until_it_is_gone() -> None:
    attention: Attention[str] = Attention()
    attention.update(("a",), False, 0.0)
    attention.update(("a",), False, 5.0)
    assert attention.update(("a",), True, 6.0) == ("a",)
    assert attention.update((), False, 7.0) == ()
    assert attention.update(("a",), False, 8.0) == (), "it has come anew"


def test_each_has_its_own_time_and_the_order_is_the_callers() -> None:
    attention: Attention[str] = Attention()
    attention.update(("b",), False, 0.0)
    assert attention.update(("a", "b"), False, 3.0) == ("b",)
    assert attention.update(("a", "b"), False, 6.0) == ("a", "b")
