"""Ghosts stay on the squares that their player chose, until a slip proves them wrong."""

from __future__ import annotations

import pytest

from corr.service.games.notes import format_ghosts, keep_possible_ghosts, parse_ghosts, place_ghosts
from corr.words.board import SQUARES, Side
from corr.words.codes import Common, SquareContents
from corr.words.slips import Fact, Slip
from tests.support.sight_cases import START, sight

#: Ghosts before, the order, ghosts after, and the squares refused because they are seen.
PLACEMENTS = [
    ("", "Qd8", "qd8", ""),
    ("", "e5", "pe5", ""),
    ("", "Qd8 Pe5 Nf6", "pe5 nf6 qd8", ""),
    ("qd8", "Rd8", "rd8", ""),
    ("qd8 pe5", "-d8", "pe5", ""),
    ("qd8 pe5", "-Qd8 -e5", "", ""),
    ("qd8", "-e5", "qd8", ""),
    ("qd8 pe5", "clear", "", ""),
    ("qd8", "", "qd8", ""),
    ("", "Qe2 Nf6 a1", "nf6", "e2 a1"),
]


@pytest.mark.parametrize(("before", "order", "after", "seen"), PLACEMENTS)
def test_a_ghost_is_placed_unless_its_square_is_seen(before: str, order: str, after: str, seen: str) -> None:
    found, blind = place_ghosts(ghosts_of(before), order, sight(START))

    assert (names_of(found), " ".join(SQUARES[square] for square in blind)) == (after, seen)


def test_blacks_ghosts_are_white_pieces() -> None:
    found, _ = place_ghosts((), "Qd4 e4", sight(START, Side.BLACK))
    assert names_of(found) == "Qd4 Pe4"


GHOSTS = "bb5 pe4 pe5 ra8 nc3 qh5"
MOVED = """
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? P ? ? ?
    ? ? ? ? ? ? ? ?
    P P P P ? P P P
    R N B Q K B N R
"""
SENSED = """
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? . . . ? ?
    ? ? ? . q . ? ?
    ? ? ? . . . ? ?
    ? ? ? ? ? ? ? ?
    P P P P P P P P
    R N B Q K B N R
"""


def moved(side: Side, move: str | None) -> Fact:
    return Fact(Common.MOVED, f"{side.called} has moved", (("side", side), ("move", move)))


def captured(square: str) -> Fact:
    return Fact(Common.CAPTURE, f"Pawn at {square} captured", (("square", square),))


def captured_en_passant(square: str) -> Fact:
    data = (("square", square), ("en_passant", True))
    return Fact(Common.CAPTURE, f"White has taken en-passant on {square}", data)


def shown(**on: str) -> Fact:
    return Fact(Common.SENSED, "You see", (("squares", SquareContents(tuple(on.items()))),))


#: A sight, the facts with it, and the ghosts that they disprove.
SLIPS = [
    ("nothing new", START, (), ""),
    ("the other side moves unseen", START, (moved(Side.BLACK, None),), ""),
    ("an own piece is there", MOVED, (), "pe4"),
    ("a square is seen", SENSED, (), "pe4 pe5"),
    ("something was captured there", START, (captured("e5"),), "pe5"),
    ("the square was shown empty", START, (shown(b5="."),), "bb5"),
    ("the piece there was shown", START, (shown(b5="b", a8="k"),), "bb5 ra8"),
    ("a queen has passed through", START, (moved(Side.WHITE, "d1h5"),), "qh5"),
    ("a bishop has passed through", START, (moved(Side.WHITE, "f1a6"),), "bb5"),
    ("a pawn has passed through", START, (moved(Side.WHITE, "e3e5"),), "pe4 pe5"),
    ("captured en passant", START, (moved(Side.WHITE, "d5e6"), captured_en_passant("e6")), "pe5"),
    ("own pawn captured en passant", START, (moved(Side.BLACK, None), captured_en_passant("e3")), ""),
    ("a knight has moved there", START, (moved(Side.WHITE, "b1c3"),), "nc3"),
    ("a knight has jumped over it", START, (moved(Side.WHITE, "b4c6"),), ""),
    ("a piece was dropped there", START, (moved(Side.WHITE, "N@e5"),), "pe5"),
    ("a turn was passed", START, (moved(Side.WHITE, "pass"),), ""),
    ("both have moved", START, (moved(Side.WHITE, "e3e4"), captured("e4"), moved(Side.BLACK, None)), "pe4"),
]


@pytest.mark.parametrize(
    ("seen", "facts", "gone"), [each[1:] for each in SLIPS], ids=[each[0] for each in SLIPS]
)
def test_a_slip_removes_exactly_the_ghosts_that_it_disproves(
    seen: str, facts: tuple[Fact, ...], gone: str
) -> None:
    before = ghosts_of(GHOSTS)
    after = keep_possible_ghosts(before, Slip(Side.WHITE, facts, sight(seen)))

    assert {*before} - {*after} == {*ghosts_of(gone)}


CASTLED = """
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    ? ? ? ? ? ? ? ?
    P P P P P P P P
    ? ? K R ? B N R
"""
QUEEN_ON_C1 = CASTLED.replace("? ? K R", "? ? Q ?")
#: The sight after a move along the first rank, the move, and which ghosts on b1 and b8 are left.
ALONG_THE_RANK = [
    ("White has castled long", CASTLED, moved(Side.WHITE, "e1c1"), "nb8"),
    ("a queen has moved the same way", QUEEN_ON_C1, moved(Side.WHITE, "e1c1"), "nb1 nb8"),
    ("the king has walked there", CASTLED, moved(Side.WHITE, "b2c1"), "nb1 nb8"),
    ("the other side has moved", CASTLED, moved(Side.BLACK, None), "nb1 nb8"),
]


@pytest.mark.parametrize(
    ("seen", "fact", "left"), [each[1:] for each in ALONG_THE_RANK], ids=[each[0] for each in ALONG_THE_RANK]
)
def test_castling_long_disproves_a_ghost_next_to_the_corner(seen: str, fact: Fact, left: str) -> None:
    assert (
        names_of(keep_possible_ghosts(ghosts_of("nb1 nb8"), Slip(Side.WHITE, (fact,), sight(seen)))) == left
    )


@pytest.mark.parametrize("ghosts", ["", "qd8", GHOSTS, "Qd1 Pa2"])
def test_stored_ghosts_read_back_the_same(ghosts: str) -> None:
    assert parse_ghosts(format_ghosts(ghosts_of(ghosts))) == ghosts_of(ghosts)


def ghosts_of(ghosts: str) -> tuple[tuple[int, str], ...]:
    return tuple(sorted((SQUARES.index(each[1:]), each[0]) for each in ghosts.split()))


def names_of(ghosts: tuple[tuple[int, str], ...]) -> str:
    return " ".join(man + SQUARES[square] for square, man in ghosts)
