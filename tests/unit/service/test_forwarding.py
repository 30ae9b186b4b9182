"""Orders forwarded to a seat are read there as they were written after the game's code."""

from __future__ import annotations

import pytest

from corr.mail.inward.incoming_email import parse_email, parse_orders
from corr.orders import parse_game_lines
from corr.service.mail.forwarding import list_ignored_lines, write_email
from corr.words.orders import Command

STEPS = ", ".join(f"{file}{rank}{file}{rank + 1}" for rank in range(1, 8) for file in "abcdefgh")


@pytest.mark.parametrize(
    "orders",
    [
        ["e2e4, d2d4; draw?"],
        ["e2e4", "if capture e5: d4e5, f3e5; if check: e1e2; else g1f3", "delay 2-8h"],
        [f"if capture: {STEPS}; if check: e1e2; else {STEPS}, {STEPS}, {STEPS}"],
        ["any?", "e4d5"],
        [f"any? yes: {STEPS}, e4d5 / no: g1f3, {STEPS}, {STEPS}, {STEPS}, {STEPS}"],
        ["note he likes: e4, d5; and more > this"],
        ["note On Monday Ann wrote:"],
        ["note > quoted"],
        [f"note {STEPS}, {STEPS}, {STEPS}, {STEPS}"],
        ["deploy Ke1 Qd1", "deploy corner"],
        ["sense d5; if e5=p: d4e5; else g1f3"],
        ["ghost Qd8 -e5", "new address"],
        ["px=N"],
        ["5254"],
        ["resign resign"],
        ["zone Europe/Paris"],
    ],
)
def test_forwarded_orders_are_read_the_same(orders: list[str]) -> None:
    reading = parse_game_lines([f"k3x9z: {order}" for order in orders], {"k3x9z": 12})

    ((code, forwarded),) = reading.coded
    assert code == "k3x9z"
    read_there = parse_orders(parse_email(write_email("ann@a.example", forwarded)), None)
    assert (read_there.orders, read_there.puzzled, read_there.ignored) == (forwarded, None, ())


@pytest.mark.parametrize(
    "prose",
    [
        "Thank you!",
        "m5b2c: nice",
        "e2e4",
        "On Monday Ann wrote:",
        "> e2e4",
        "| e7e5",
        "d2d4,",
        "x" * 900,
    ],
)
def test_forwarded_prose_is_never_read_as_an_order(prose: str) -> None:
    letter = parse_email(write_email("ann@a.example", [Command("show")], [prose, "Ann"]))
    reading = parse_orders(letter, None)

    assert (reading.orders, reading.puzzled, reading.ignored) == ((Command("show"),), None, ())
    assert list_ignored_lines(letter.lines) == (prose[:200].rstrip(), "Ann")
