"""Codes, tries and sessions, with a clock that stands still until it is told."""

from __future__ import annotations

import re

import pytest

from firmware.pairing import (
    MOST_SESSIONS,
    SESSION_S,
    TRIES_FROM_ALL,
    TRIES_FROM_ONE,
    WINDOW_S,
    Paired,
    Pairing,
    TooManyTries,
    WrongCode,
)

PHONE = "192.168.1.7"


class Door:
    """A pairing with its clock, and how often the display was told of a new code."""

    def __init__(self) -> None:
        self.now_s = 1000.0
        self.renewals = 0
        self.pairing = Pairing(lambda: self.now_s, self._renewed)

    def _renewed(self) -> None:
        self.renewals += 1

    def wrong(self) -> str:
        return f"{(int(self.pairing.code) + 1) % 10**6:06}"

    def guess(self, address: str = PHONE) -> Paired | WrongCode | TooManyTries:
        return self.pairing.pair(self.wrong(), address)

    def enter(self, address: str = PHONE) -> str:
        answer = self.pairing.pair(self.pairing.code, address)
        assert isinstance(answer, Paired)
        return answer.token


@pytest.fixture
def door() -> Door:
    return Door()


def test_a_code_is_six_digits_and_lets_in_whoever_knows_it(door: Door) -> None:
    assert re.fullmatch(r"[0-9]{6}", door.pairing.code)
    first, second = door.enter(), door.enter("192.168.1.8")
    assert first != second
    assert door.pairing.knows(first)
    assert door.pairing.knows(second)
    assert not door.pairing.knows("")
    assert not door.pairing.knows(first[:-1])


def test_a_token_has_256_bits_and_is_not_kept(door: Door) -> None:
    token = door.enter()
    assert len(token) >= 43
    assert token not in repr(vars(door.pairing))


@pytest.mark.parametrize("code", ["", "12345", "1234567", "٤٨٣٩٢٠", "\ud800", "0" * 5000])
def test_what_is_no_code_is_a_wrong_one(door: Door, code: str) -> None:
    assert door.pairing.pair(code, PHONE) == WrongCode()


def test_one_address_has_five_tries_a_minute(door: Door) -> None:
    for _ in range(TRIES_FROM_ONE):
        assert door.guess() == WrongCode()
    door.now_s += 20.5
    refused = door.pairing.pair(door.pairing.code, PHONE)
    assert refused == TooManyTries(wait_s=40), "the right code is not looked at either"
    door.enter("192.168.1.8")
    door.now_s += 40
    door.enter()


def test_a_whole_network_of_ipv6_counts_as_one_address(door: Door) -> None:
    for host in range(TRIES_FROM_ONE):
        assert door.guess(f"2001:db8::{host:x}") == WrongCode()
    assert isinstance(door.guess("2001:db8::ffff:1"), TooManyTries)
    assert door.guess("2001:db8:0:1::1") == WrongCode()


def test_after_twenty_wrong_ones_the_code_is_another_and_all_wait(door: Door) -> None:
    token, code = door.enter(), door.pairing.code
    for host in range(TRIES_FROM_ALL):
        assert door.renewals == 0
        assert door.guess(f"10.0.0.{host}") == WrongCode()
    assert door.renewals == 1
    assert door.pairing.code != code
    assert isinstance(door.guess("10.0.1.1"), TooManyTries)
    assert door.pairing.knows(token), "who is in stays in"
    door.now_s += WINDOW_S
    door.enter()


def test_slow_guessing_uses_a_code_up_too(door: Door) -> None:
    for _ in range(TRIES_FROM_ALL):
        assert door.guess() == WrongCode()
        door.now_s += WINDOW_S
    assert door.renewals == 1


def test_a_million_tries_leave_nothing_behind(door: Door) -> None:
    for host in range(2000):
        door.guess(f"10.0.{host // 250}.{host % 250}")
    assert len(door.pairing._wrong) <= TRIES_FROM_ALL


def test_a_session_ends_half_a_day_after_it_was_last_used(door: Door) -> None:
    token = door.enter()
    for _ in range(3):
        door.now_s += SESSION_S - 1
        assert door.pairing.knows(token)
    door.now_s += SESSION_S
    assert not door.pairing.knows(token)
    assert not door.pairing.knows(token)


def test_a_forgotten_session_is_over(door: Door) -> None:
    token = door.enter()
    door.pairing.forget(token)
    door.pairing.forget(token)
    assert not door.pairing.knows(token)


def test_the_session_idle_longest_makes_room(door: Door) -> None:
    tokens = [door.enter() for _ in range(MOST_SESSIONS)]
    assert door.pairing.knows(tokens[0])
    door.enter()
    assert door.pairing.knows(tokens[0])
    assert not door.pairing.knows(tokens[1])
    assert door.pairing.knows(tokens[2])


def test_sessions_outlive_a_restart_and_are_kept_once_an_hour() -> None:
    kept: dict[str, float] = {}
    writes: list[str] = []
    now_s = 1000.0

    def keep(key: str, expires_s: float) -> None:
        writes.append(key)
        kept[key] = expires_s

    def start() -> Pairing:
        return Pairing(lambda: now_s, lambda: None, kept, keep)

    before = start()
    paired = before.pair(before.code, PHONE)
    assert isinstance(paired, Paired)
    assert paired.token not in kept
    for _ in range(30):
        now_s += 60
        assert before.knows(paired.token)
    assert len(writes) == 1
    now_s += 3600
    assert start().knows(paired.token)
    assert len(writes) == 2
    after = start()
    after.forget(paired.token)
    assert not start().knows(paired.token)
    now_s += 2 * SESSION_S
    assert not start().knows(paired.token)


def test_a_clock_that_is_set_back_locks_nobody_out(door: Door) -> None:
    for _ in range(TRIES_FROM_ONE):
        door.guess()
    door.now_s -= 3600
    door.enter()
