"""No letter holds the reader up: a tenth of a second each, and no more for a longer one than its length."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from torture import FIXED, GROWING

from corr.mail.letter import open_letter, said
from corr.orders import read

SENT = "\n".join(f"Our line number {number} says something about the game" for number in range(60))


def counting() -> float:
    """How long this machine takes to count to a million."""
    began = time.process_time()
    for _ in range(1_000_000):
        pass
    return time.process_time() - began


#: A tenth of a second on a machine that counts to a million in 15 ms, and as much longer on a slower one.
BOUND = 0.1 * max(1, min(counting() for _ in range(5)) / 0.015)
#: Below this the clock measures the machine and not the letter.
TOO_SHORT = 0.02
ROUNDS = 20


def seconds(raw: bytes) -> float:
    began = time.process_time()
    read(said(open_letter(raw), SENT))
    return time.process_time() - began


def is_within(bound: Callable[[], bool]) -> bool:
    """True if a bound holds in one of some rounds: a busy machine adds to a time and never takes away."""
    return any(bound() for _ in range(ROUNDS))


@pytest.mark.parametrize("name", FIXED)
def test_each_hurtful_letter_is_read_or_refused_at_once(name: str) -> None:
    assert is_within(lambda: seconds(FIXED[name]) < BOUND)


@pytest.mark.parametrize("name", GROWING)
def test_the_biggest_letter_of_each_hurtful_kind_is_read_or_refused_at_once(name: str) -> None:
    biggest = GROWING[name](990_000)

    assert is_within(lambda: seconds(biggest) < BOUND)


@pytest.mark.parametrize("name", GROWING)
def test_the_time_grows_with_the_letter_and_no_faster(name: str) -> None:
    """Up to the caps: eight times the letter takes at most twelve times the time; a square would take 64."""
    small, big = GROWING[name](4_000), GROWING[name](32_000)

    assert is_within(lambda: seconds(big) < max(12 * seconds(small), TOO_SHORT))
