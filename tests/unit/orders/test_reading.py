"""An email is read as a whole: its orders, or the one line that stops it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from corr import limits
from corr.orders import UnclearLine, join_acts, kind_of, parse_game_lines, parse_lines, parse_order
from corr.words.board import SQUARES
from tests.support.work_counter import count_calls

HERE = Path(__file__).parent


def emails() -> Iterator[tuple[int | None, list[str], list[str]]]:
    text = (HERE / "letters.cases").read_text("utf-8").partition("\n\n")[2]
    for case in text.split("=====\n"):
        said, _, expected = case.partition("-----\n")
        lines = said.splitlines()
        number = int(lines.pop(0).split()[1]) if said.startswith("move ") else None
        yield number, lines, expected.splitlines()


@pytest.mark.parametrize(("number", "lines", "expected"), list(emails()))
def test_emails_are_read_as_in_the_table(number: int | None, lines: list[str], expected: list[str]) -> None:
    reading = parse_lines(lines, number)
    puzzled = [f"puzzled: {reading.puzzled.line}"] if reading.puzzled else []
    ignored = [f"ignored: {line}" for line in reading.ignored]
    assert [*map(str, reading.orders), *puzzled, *ignored] == expected


@pytest.mark.parametrize("lines", [["e2e4", "d2d4"], ["e2e4, c2c4", "d2d4"], ["e2e4", "any?", "px"]])
def test_two_acts_are_refused(lines: list[str]) -> None:
    puzzled = parse_lines(lines).puzzled
    assert puzzled is not None
    assert "please write just one move" in puzzled.why


def test_a_wrong_number_is_named() -> None:
    puzzled = parse_lines(["11. e2e4"], 12).puzzled
    assert puzzled is not None
    assert puzzled.why == "You numbered this line 11, but this is move 12."


def test_a_set_up_can_follow_below_its_games_code() -> None:
    men = ["Ke1 Qd1 Ra1 Rh1 Nb1 Ng1 Bc1 Bf1", "a2 b2 c2 d2 e2 f2 g2 h2"]
    ((code, orders),) = parse_game_lines(["k3x9z: deploy", *men], {"k3x9z": 1}).coded
    assert (code, orders) == ("k3x9z", parse_lines(["deploy", *men]).orders)


def test_several_set_ups_are_joined_at_the_first() -> None:
    acts = join_acts(parse_lines(["show", "deploy home", "note I like rooks", "deploy Ke1 Ra1"]).orders)
    assert [str(each).split()[0] for each in acts] == ["show", "deploy", "note"]


def test_the_position_of_an_error_counts_number_and_code() -> None:
    bare, numbered = parse_lines(["e2e4, e9e5"]).puzzled, parse_lines(["1. e2e4, e9e5"]).puzzled
    coded = parse_game_lines(["k3x9z: e2e4, e9e5"], {"k3x9z": 1}).puzzled
    assert [each and each.read for each in (bare, numbered, coded)] == [5, 5 + len("1."), 5 + len("k3x9z:")]


def every_reason() -> set[str]:
    """Return every reason that the tables can get from the reader."""
    lines = (HERE / "lines.cases").read_text("utf-8").encode().decode("unicode_escape").splitlines()
    found = [parse_order(line.split(" | ")[1]) for line in lines if " | " in line]
    readings = [parse_lines(lines, number).puzzled for number, lines, _ in emails()]
    return {each.why for each in (*found, *readings) if isinstance(each, UnclearLine)}


def test_no_reason_reads_as_an_order_at_any_line_width() -> None:
    reasons = every_reason()
    assert len(reasons) > 25
    for why in reasons:
        for width in range(20, 120):
            for line in textwrap.wrap(f"{why} And so on.", width):
                assert kind_of(line) == "prose", (line, why)


LINES = {
    "characters folded to three": "\u00bd" * 40,
    "Cyrillic words": "\u043f\u0440\u0438\u0432\u0435\u0442",
    "words": "hello",
    "a sentence": "Hello there my friend, how are you today?",
    "our own words": "note he likes knights",
    "unfinished lists": "e2e4, " * 20,
    "too many pieces": "deploy" + " e2" * 80,
    "full stops": "." * 100,
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_reading_takes_linear_time(line: str) -> None:
    few, many = (
        count_calls(partial(parse_lines, [f"{line} {number}" for number in range(count)]))
        for count in (100, 400)
    )
    assert many < 4.2 * few


def test_equal_lines_are_read_once() -> None:
    equal, different = ([f"{chr(0xBD) * 40} {number % kinds}" for number in range(500)] for kinds in (1, 500))
    assert count_calls(partial(parse_lines, equal)) * 2 < count_calls(partial(parse_lines, different))


def test_a_puzzling_line_after_many_equal_moves_stops_the_email() -> None:
    reading = parse_lines([*["e2e4"] * 60, "Rd3"])
    assert (reading.orders, reading.puzzled and reading.puzzled.line) == ((), "Rd3")


def test_many_different_moves_count_as_two_acts() -> None:
    moves = [
        f"{origin}{target}" for origin in ("a1", "b1") for target in SQUARES if target not in ("a1", "b1")
    ]
    reading = parse_lines([*moves, "Rd3"])
    assert (reading.orders, reading.puzzled and reading.puzzled.line) == ((), moves[1])


def test_a_list_has_a_maximum_of_moves() -> None:
    moves = [f"{origin}{target}" for origin in SQUARES[:6] for target in SQUARES[6:]]
    (tries,) = parse_lines([f"{move}," for move in moves[: limits.TRIES - 1]] + moves[-1:]).orders
    assert str(tries).count(",") == limits.TRIES - 1

    for first in (moves[0], "o-o", "N@f5", "any? yes: e4d5"):
        reading = parse_lines([f"{first},", *(f"{move}," for move in moves[:-1]), moves[-1]])
        assert reading.puzzled
        assert reading.puzzled.why == "A list can have at most 300 moves. Please leave some out."
