"""A letter is read whole: its orders, or the one line that stops it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from corr.orders import Puzzle, kind_of, read, read_order

HERE = Path(__file__).parent


def letters() -> Iterator[tuple[int | None, list[str], list[str]]]:
    text = (HERE / "letters.cases").read_text("utf-8").partition("\n\n")[2]
    for case in text.split("=====\n"):
        said, _, expected = case.partition("-----\n")
        lines = said.splitlines()
        number = int(lines.pop(0).split()[1]) if said.startswith("move ") else None
        yield number, lines, expected.splitlines()


@pytest.mark.parametrize(("number", "lines", "expected"), list(letters()))
def test_a_letter_is_read_as_the_table_says(
    number: int | None, lines: list[str], expected: list[str]
) -> None:
    reading = read(lines, number)
    puzzled = [f"puzzled: {reading.puzzled.line}"] if reading.puzzled else []
    ignored = [f"ignored: {line}" for line in reading.ignored]
    assert [*map(str, reading.orders), *puzzled, *ignored] == expected


@pytest.mark.parametrize("lines", [["e2e4", "d2d4"], ["e2e4, c2c4", "d2d4"], ["e2e4", "any?", "px"]])
def test_two_acts_are_answered_with_one_and_no_list(lines: list[str]) -> None:
    puzzled = read(lines).puzzled
    assert puzzled is not None
    assert "please write only the one that you mean" in puzzled.why


def test_a_wrong_number_is_named() -> None:
    puzzled = read(["11. e2e4"], 12).puzzled
    assert puzzled is not None
    assert puzzled.why == "The line is numbered 11, but this is move 12."


def every_reason() -> set[str]:
    """Each sentence that the tables can draw from the reader."""
    lines = (HERE / "lines.cases").read_text("utf-8").encode().decode("unicode_escape").splitlines()
    found = [read_order(line.split(" | ")[1]) for line in lines if " | " in line]
    readings = [read(lines, number).puzzled for number, lines, _ in letters()]
    return {each.why for each in (*found, *readings) if isinstance(each, Puzzle)}


def test_no_reason_reads_as_an_order_however_it_is_wrapped() -> None:
    reasons = every_reason()
    assert len(reasons) > 25
    for why in reasons:
        for width in range(20, 120):
            for line in textwrap.wrap(f"{why} And so on.", width):
                assert kind_of(line) == "prose", (line, why)
