"""Ghosts stand where their player wishes them and sees nothing, until a slip proves that they are not there."""

from __future__ import annotations

import pytest

from corr.service.games.notes import format_ghosts, keep_possible_ghosts, parse_ghosts, place_ghosts
from corr.words.board import SQUARES, Side
from corr.words.codes import Common, SquareContents
from corr.words.slips import Fact, Slip
from tests.support.sight_cases import START, sight

#: What is imagined, what is wished, what is imagined then, and where it is seen what stands there.
WISHES = [
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


@pytest.mark.parametrize(("before", "wish", "after", "seen"), WISHES)
def test_a_ghost_stands_where_it_is_wished_unless_it_is_seen_what_stands_there(
    before: str, wish: str, after: str, seen: str
) -> None:
    found, blind = place_ghosts(imagined(before), wish, sight(START))

    assert (named(found), " ".join(SQUARES[square] for square in blind)) == (after, seen)


def test_blacks_ghosts_are_whites_men() -> None:
    found, _ = place_ghosts((), "Qd4 e4", sight(START, Side.BLACK))
    assert named(found) == "Qd4 Pe4"


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


def passed(square: str) -> Fact:
    data = (("square", square), ("en_passant", True))
    return Fact(Common.CAPTURE, f"White has taken en-passant on {square}", data)


def spied(**on: str) -> Fact:
    return Fact(Common.SENSED, "You see", (("squares", SquareContents(tuple(on.items()))),))


#: What is seen, what is told, and which ghosts are gone then.
SLIPS = [
    ("nothing new", START, (), ""),
    ("the other side moves unseen", START, (moved(Side.BLACK, None),), ""),
    ("a man of one's own stands there", MOVED, (), "pe4"),
    ("a square is seen", SENSED, (), "pe4 pe5"),
    ("something was captured there", START, (captured("e5"),), "pe5"),
    ("it was shown that it is empty", START, (spied(b5="."),), "bb5"),
    ("it was shown what stands there", START, (spied(b5="b", a8="k"),), "bb5 ra8"),
    ("a queen has passed it", START, (moved(Side.WHITE, "d1h5"),), "qh5"),
    ("a bishop has passed it", START, (moved(Side.WHITE, "f1a6"),), "bb5"),
    ("a pawn has passed it, and stands there", START, (moved(Side.WHITE, "e3e5"),), "pe4 pe5"),
    ("a pawn has taken it in passing", START, (moved(Side.WHITE, "d5e6"), passed("e6")), "pe5"),
    ("one's own was taken in passing", START, (moved(Side.BLACK, None), passed("e3")), ""),
    ("a knight passes nothing", START, (moved(Side.WHITE, "b1c3"),), "nc3"),
    ("a knight has jumped over it", START, (moved(Side.WHITE, "b4c6"),), ""),
    ("a man was dropped there", START, (moved(Side.WHITE, "N@e5"),), "pe5"),
    ("a turn was passed", START, (moved(Side.WHITE, "pass"),), ""),
    ("both have moved", START, (moved(Side.WHITE, "e3e4"), captured("e4"), moved(Side.BLACK, None)), "pe4"),
]


@pytest.mark.parametrize(
    ("seen", "told", "gone"), [each[1:] for each in SLIPS], ids=[each[0] for each in SLIPS]
)
def test_what_a_slip_proves_wrong_is_gone_and_nothing_else(
    seen: str, told: tuple[Fact, ...], gone: str
) -> None:
    before = imagined(GHOSTS)
    after = keep_possible_ghosts(before, Slip(Side.WHITE, told, sight(seen)))

    assert {*before} - {*after} == {*imagined(gone)}


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
WENT_THERE = CASTLED.replace("? ? K R", "? ? Q ?")
#: What is seen after a move along the first rank, the move, and which ghosts beside the corners are left.
ALONG_THE_RANK = [
    ("one has castled long", CASTLED, moved(Side.WHITE, "e1c1"), "nb8"),
    ("a queen went the same way", WENT_THERE, moved(Side.WHITE, "e1c1"), "nb1 nb8"),
    ("the king went there step by step", CASTLED, moved(Side.WHITE, "b2c1"), "nb1 nb8"),
    ("the other side has moved", CASTLED, moved(Side.BLACK, None), "nb1 nb8"),
]


@pytest.mark.parametrize(
    ("seen", "told", "there"), [each[1:] for each in ALONG_THE_RANK], ids=[each[0] for each in ALONG_THE_RANK]
)
def test_castling_long_shows_that_nothing_stood_beside_the_corner(seen: str, told: Fact, there: str) -> None:
    assert named(keep_possible_ghosts(imagined("nb1 nb8"), Slip(Side.WHITE, (told,), sight(seen)))) == there


@pytest.mark.parametrize("ghosts", ["", "qd8", GHOSTS, "Qd1 Pa2"])
def test_ghosts_are_kept_as_they_are(ghosts: str) -> None:
    assert parse_ghosts(format_ghosts(imagined(ghosts))) == imagined(ghosts)


def imagined(ghosts: str) -> tuple[tuple[int, str], ...]:
    return tuple(sorted((SQUARES.index(each[1:]), each[0]) for each in ghosts.split()))


def named(ghosts: tuple[tuple[int, str], ...]) -> str:
    return " ".join(man + SQUARES[square] for square, man in ghosts)
