"""Proposals for an unreadable line come only from the writer's own pieces, and never act."""

from __future__ import annotations

from pathlib import Path

import pytest

from corr.orders import OwnMoves, kind_of, parse_lines, propose_from_prose, propose_orders
from corr.rules.variants import find_umpire
from corr.words.board import Side
from corr.words.slips import Sight


def cases(name: str) -> list[list[str]]:
    lines = (Path(__file__).parent / f"{name}.cases").read_text("utf-8").splitlines()
    return [line.split(" | ") for line in lines if line and not line.startswith("#")]


COLUMNS = ("variant", "fen", "text", "expected")
CASES, PROSE_CASES = (pytest.mark.parametrize(COLUMNS, cases(name)) for name in ("proposals", "prose"))


def own_moves(variant: str, fen: str) -> OwnMoves:
    """Return what the side to move can try; with "later", its opponent's turn comes first."""
    umpire = find_umpire(variant.removeprefix("later "))
    start = umpire.start(fen)
    slip = start.slips[start.turn or Side.WHITE]
    assert slip
    return own_moves_of(variant, slip.sight)


def own_moves_of(variant: str, sight: Sight) -> OwnMoves:
    umpire = find_umpire(variant.removeprefix("later "))
    moves = umpire.possible_tries(sight._replace(sense_due=False))
    return OwnMoves(
        sight, moves, umpire.card, umpire.possible_tries, my_turn=not variant.startswith("later ")
    )


def own_moves_among_queens(variant: str, fen: str) -> OwnMoves:
    """Return what the side can try when it sees opposing queens on many squares."""
    mine = own_moves(variant, fen).sight
    others = ~mine.own & 0x0F0F_F0F0_0F0F_F0F0
    return own_moves_of(variant, mine._replace(seen=mine.seen | others, queens=mine.queens | others))


def proposals(text: str, side: OwnMoves) -> str:
    puzzled = parse_lines(text.split(" // ")).puzzled
    assert puzzled, text
    return " or ".join(propose_orders(puzzled, side)) or "nothing"


@CASES
def test_proposals_match_the_table(variant: str, fen: str, text: str, expected: str) -> None:
    assert proposals(text, own_moves(variant, fen)) == expected


@CASES
def test_every_proposal_is_an_order(variant: str, fen: str, text: str, expected: str) -> None:
    for order in expected.split(" or "):
        assert order == "nothing" or kind_of(order) == "order"


@CASES
def test_other_pieces_change_no_proposal(variant: str, fen: str, text: str, expected: str) -> None:
    assert proposals(text, own_moves_among_queens(variant, fen)) == expected


def prose_proposals(text: str, side: OwnMoves) -> str:
    reading = parse_lines(text.split(" // "))
    assert not reading.says_something, text
    return " or ".join(propose_from_prose(reading.ignored, side)) or "nothing"


@PROSE_CASES
def test_proposals_from_prose_match_the_table(variant: str, fen: str, text: str, expected: str) -> None:
    assert prose_proposals(text, own_moves(variant, fen)) == expected


@PROSE_CASES
def test_other_pieces_change_no_proposal_from_prose(variant: str, fen: str, text: str, expected: str) -> None:
    assert prose_proposals(text, own_moves_among_queens(variant, fen)) == expected
