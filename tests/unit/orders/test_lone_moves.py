"""An email that says one move in its writer's own words makes it; whatever else stands there, we ask."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corr.orders import parse_lines, understand_lone_move

NAMES = ("Ann Lee", "ann")


def cases() -> list[list[str]]:
    lines = (Path(__file__).parent / "lone_moves.cases").read_text("utf-8").splitlines()
    shown = [
        re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), line)
        for line in lines
        if line and not line.startswith("#")
    ]
    return [line.split(" | ", 1) for line in shown]


@pytest.mark.parametrize(("made", "email"), cases(), ids=ascii)
def test_an_email_makes_the_move_that_the_table_says(made: str, email: str) -> None:
    lines = [line.strip() for line in email.split("//")]
    reading = understand_lone_move(parse_lines(lines), lines, NAMES)

    assert [*map(str, reading.orders)] == ([] if made == "asks" else [made])


@pytest.mark.parametrize("line", ["cancel", "draw?", "note e2e4", "d2d4", "help", "if capture: e2e4"])
def test_beside_another_order_nothing_is_taken_away(line: str) -> None:
    lines = [line, "I play e2e4!"]

    assert understand_lone_move(parse_lines(lines), lines, NAMES) == parse_lines(lines)
