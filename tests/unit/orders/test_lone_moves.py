"""A single move or command in the writer's own words is understood; anything unclear is asked about."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from corr.orders import parse_lines, understand_lone_move
from corr.orders.lone_command import understand_lone_command
from corr.orders.lone_move import understand_signature

NAMES = ("Ann Lee", "ann")


def cases() -> list[list[str]]:
    lines = (Path(__file__).parent / "lone_moves.cases").read_text("utf-8").splitlines()
    shown = [
        re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), line)
        for line in lines
        if line and not line.startswith("#")
    ]
    return [line.split(" | ", 1) for line in shown]


@pytest.mark.parametrize(("expected", "email"), cases(), ids=ascii)
def test_lone_moves_match_the_table(expected: str, email: str) -> None:
    lines = [line.strip() for line in email.split("//")]
    reading = understand_lone_move(parse_lines(lines), lines, NAMES)

    assert [*map(str, reading.orders)] == ([] if expected == "asks" else [expected])


@pytest.mark.parametrize("line", ["cancel", "draw?", "note e2e4", "d2d4", "help", "if capture: e2e4"])
def test_a_lone_move_next_to_another_order_changes_nothing(line: str) -> None:
    lines = [line, "I play e2e4!"]

    assert understand_lone_move(parse_lines(lines), lines, NAMES) == parse_lines(lines)


@pytest.mark.parametrize(
    ("email", "puzzled"),
    [
        ("e2e4 // Ann", None),
        ("Hello Ann // e2e4", None),
        ("Thanks // e2e4", None),
        ("Ann // e2e4", "e2e4"),
        ("Ann Lee // resign resign", "resign resign"),
        ("See you! // Best regards, // Ann // draw?", "draw?"),
        ("e2e4 // Ann // help", "help"),
    ],
)
def test_an_order_in_a_signature_is_asked_about(email: str, puzzled: str | None) -> None:
    lines = [line.strip() for line in email.split("//")]
    reading = understand_signature(parse_lines(lines), lines, NAMES)

    assert (reading.puzzled.line if reading.puzzled else None) == puzzled
    assert bool(reading.orders) is (puzzled is None)


def test_a_name_that_is_an_order_is_not_a_signature() -> None:
    assert understand_signature(parse_lines(["help"]), ["help"], ("Help",)).orders


@pytest.mark.parametrize(
    ("email", "expected"),
    [
        ("Help!", "help"),
        ("Hi there, help please", "help"),
        ("I'd like to do the tutorial", "tutorial"),
        ("Thanks! // Please send me the rules. // Ann", "rules"),
        ("Rules wild16, please", "rules wild16"),
        ("I want to play Pip", "challenge Pip"),
        ("I'd like to play a game against Pip!", "challenge Pip"),
        ("Please challenge Ben wild16 3d", "challenge Ben wild16 3d"),
        ("Let's play Pip", "challenge Pip"),
        ("I want to play Ben", None),
        ("I'd like to challenge Ben", None),
        ("play Pip?", None),
        ("Don't challenge Pip", None),
        ("I love games", None),
        ("seek revenge, please", None),
        ("Tutorial please // but not now", None),
        ("I want to play Pip or Marlow", None),
    ],
)
def test_a_request_for_one_command_is_understood(email: str, expected: str | None) -> None:
    lines = [line.strip() for line in email.split("//")]
    reading = parse_lines(lines)
    understood = understand_lone_command(reading, reading.ignored, ("pip", "marlow"), ("wild16",), NAMES)

    assert [*map(str, understood.orders)] == ([expected] if expected else [])
