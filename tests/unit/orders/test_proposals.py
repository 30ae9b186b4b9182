"""What a line that is no order may mean is proposed from own men alone, and never acts."""

from __future__ import annotations

from pathlib import Path

import pytest

from corr.orders import OwnMoves, kind_of, parse_lines, propose_from_prose, propose_orders
from corr.rules.variants import find_umpire
from corr.words.board import Side
from corr.words.slips import Sight


def cases(name: str = "proposals") -> list[list[str]]:
    lines = (Path(__file__).parent / f"{name}.cases").read_text("utf-8").splitlines()
    return [line.split(" | ") for line in lines if line and not line.startswith("#")]


def own(variant: str, fen: str) -> OwnMoves:
    """What the side that moves could try, or the other one "later"."""
    umpire = find_umpire(variant.removeprefix("later "))
    start = umpire.start(fen)
    slip = start.slips[start.turn or Side.WHITE]
    assert slip
    return own_of(variant, slip.sight)


def own_of(variant: str, sight: Sight) -> OwnMoves:
    umpire = find_umpire(variant.removeprefix("later "))
    moves = umpire.possible_tries(sight._replace(sense_due=False))
    return OwnMoves(
        sight, moves, umpire.card, umpire.possible_tries, my_turn=not variant.startswith("later ")
    )


def meant(text: str, side: OwnMoves) -> str:
    puzzled = parse_lines(text.split(" // ")).puzzled
    assert puzzled, text
    return " or ".join(propose_orders(puzzled, side)) or "nothing"


@pytest.mark.parametrize(("variant", "fen", "written", "expected"), cases())
def test_a_line_may_mean_what_the_table_says(variant: str, fen: str, written: str, expected: str) -> None:
    assert meant(written, own(variant, fen)) == expected


@pytest.mark.parametrize(("variant", "fen", "written", "expected"), cases())
def test_what_is_proposed_is_an_order(variant: str, fen: str, written: str, expected: str) -> None:
    for order in expected.split(" or "):
        assert order == "nothing" or kind_of(order) == "order"


@pytest.mark.parametrize(("variant", "fen", "written", "expected"), cases())
def test_what_stands_elsewhere_changes_nothing(variant: str, fen: str, written: str, expected: str) -> None:
    """Not even a man that was seen."""
    mine = own(variant, fen).sight
    others = ~mine.own & 0x0F0F_F0F0_0F0F_F0F0
    seen = mine._replace(seen=mine.seen | others, queens=mine.queens | others, lost=mine.lost)
    assert meant(written, own_of(variant, seen)) == expected


def meant_in_prose(text: str, side: OwnMoves) -> str:
    reading = parse_lines(text.split(" // "))
    assert not reading.says_something, text
    return " or ".join(propose_from_prose(reading.ignored, side)) or "nothing"


@pytest.mark.parametrize(("variant", "fen", "written", "expected"), cases("prose"))
def test_a_letter_without_an_order_may_mean_what_its_sentences_name(
    variant: str, fen: str, written: str, expected: str
) -> None:
    assert meant_in_prose(written, own(variant, fen)) == expected


@pytest.mark.parametrize(("variant", "fen", "written", "expected"), cases("prose"))
def test_what_stands_elsewhere_changes_nothing_of_what_a_sentence_may_mean(
    variant: str, fen: str, written: str, expected: str
) -> None:
    mine = own(variant, fen).sight
    others = ~mine.own & 0x0F0F_F0F0_0F0F_F0F0
    seen = mine._replace(seen=mine.seen | others, queens=mine.queens | others)
    assert meant_in_prose(written, own_of(variant, seen)) == expected
