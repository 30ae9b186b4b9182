"""When a house player gives up, and when it takes a draw: by what it holds possible alone."""

from __future__ import annotations

import pytest

from corr.bots.character import CHARACTERS
from corr.bots.heard import Heard
from corr.bots.player import Player
from corr.rules.variants import umpire_of
from corr.words.board import Side
from corr.words.orders import Word

#: What White, whose turn it is, has left against what of Black's.
ALONE = "k7/8/8/3q4/8/8/8/6K1 w - - 0 1"
ALONE_AGAINST_A_PAWN = "k7/p7/8/8/8/8/8/6K1 w - - 0 1"
A_ROOK_BEHIND = "r3k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"
EVEN = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"


def player(fen: str) -> Player:
    umpire = umpire_of("wild16")
    seated = Player(umpire, CHARACTERS["club"], 1)
    ruling = umpire.start(fen)
    slip = ruling.slips[Side.WHITE]
    assert slip
    seated.hear(Heard(slip))
    seated.belief = seated.belief._replace(truths=(ruling.truth,))
    return seated


@pytest.mark.parametrize(
    ("fen", "gives_up"), [(ALONE, True), (ALONE_AGAINST_A_PAWN, False), (A_ROOK_BEHIND, False), (EVEN, False)]
)
def test_a_lonely_king_gives_up_against_more_than_he_can_escape(fen: str, *, gives_up: bool) -> None:
    written = player(fen).orders(is_awaited=True, is_offered=False)

    assert (written == (Word("resign", "resign"),)) is gives_up


@pytest.mark.parametrize(("fen", "word"), [(A_ROOK_BEHIND, "accept"), (EVEN, "decline")])
def test_who_is_behind_takes_a_draw(fen: str, word: str) -> None:
    assert player(fen).orders(is_awaited=False, is_offered=True) == (Word(word),)


def test_who_is_not_behind_and_is_awaited_answers_a_draw_by_moving() -> None:
    (written,) = player(EVEN).orders(is_awaited=True, is_offered=True)

    assert not isinstance(written, Word)
