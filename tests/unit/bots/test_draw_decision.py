"""When a house player gives up, and when it takes or offers a draw: by what it was handed alone."""

from __future__ import annotations

import pytest

from corr.bots import choice
from corr.bots.characters import CHARACTERS
from corr.bots.history import Observation
from corr.bots.player import BotPlayer, Thought
from corr.rules.variants import find_umpire
from corr.words.board import Side
from corr.words.orders import Command, Move, Sense

#: What White, whose turn it is, has left against what of Black's.
ALONE = "k7/8/8/3q4/8/8/8/6K1 w - - 0 1"
ALONE_AGAINST_A_PAWN = "k7/p7/8/8/8/8/8/6K1 w - - 0 1"
A_ROOK_BEHIND = "r3k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"
EVEN = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"

#: The same with men in reserve: White's are capitals.
A_QUEEN_IN_RESERVE = "r3k3/pppp4/8/8/8/8/PPPP4/4K3[Q] w - - 0 1"
AGAINST_A_QUEEN_IN_RESERVE = "4k3/pppp4/8/8/8/8/PPPP4/R3K3[q] w - - 0 1"
ALONE_BUT_FOR_A_RESERVE = "k7/8/8/3q4/8/8/8/6K1[P] w - - 0 1"
ALONE_AND_NONE_TO_CALL_IN = "k7/8/8/3q4/8/8/8/6K1[p] w - - 0 1"


#: In these neither can come to the other; White goes to and fro, and Black does.
QUIET = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1"
THERE, BACK = (Move(4, 12), Move(60, 52)), (Move(12, 4), Move(52, 60))


def player(fen: str, variant: str = "wild16") -> BotPlayer:
    umpire = find_umpire(variant)
    seated = BotPlayer(umpire, CHARACTERS["club"], 1)
    ruling = umpire.start(fen)
    slip = ruling.slips[Side.WHITE]
    assert slip
    seated.observe(Observation(slip))
    seated.belief = seated.belief._replace(truths=(ruling.truth,), weights=())
    return seated


@pytest.mark.parametrize(
    ("fen", "gives_up"), [(ALONE, True), (ALONE_AGAINST_A_PAWN, False), (A_ROOK_BEHIND, False), (EVEN, False)]
)
def test_a_lonely_king_gives_up_against_more_than_he_can_escape(fen: str, *, gives_up: bool) -> None:
    written = player(fen).orders(is_awaited=True, is_offered=False)

    assert (written == (Command("resign", "resign"),)) is gives_up


@pytest.mark.parametrize(("fen", "word"), [(A_ROOK_BEHIND, "accept"), (EVEN, "decline")])
def test_who_is_behind_takes_a_draw(fen: str, word: str) -> None:
    assert player(fen).orders(is_awaited=False, is_offered=True) == (Command(word),)


@pytest.mark.parametrize(
    ("fen", "word"), [(A_QUEEN_IN_RESERVE, "decline"), (AGAINST_A_QUEEN_IN_RESERVE, "accept")]
)
def test_a_reserve_tells_as_well_who_is_behind(fen: str, word: str) -> None:
    assert player(fen, "crazykrieg").orders(is_awaited=False, is_offered=True) == (Command(word),)


@pytest.mark.parametrize(
    ("fen", "gives_up"), [(ALONE_BUT_FOR_A_RESERVE, False), (ALONE_AND_NONE_TO_CALL_IN, True)]
)
def test_a_king_whom_men_in_reserve_may_join_does_not_give_up(fen: str, *, gives_up: bool) -> None:
    written = player(fen, "crazykrieg").orders(is_awaited=True, is_offered=False)

    assert (written == (Command("resign", "resign"),)) is gives_up


def test_who_is_not_behind_and_is_awaited_answers_a_draw_by_moving() -> None:
    (written,) = player(EVEN).orders(is_awaited=True, is_offered=True)

    assert not isinstance(written, Command)


def played(moves: int, fen: str = QUIET) -> BotPlayer:
    """One who is to move after so many moves of either side in which nothing was taken."""
    umpire = find_umpire("rbc")
    ruling = umpire.start(fen)
    heard = [Observation(ruling.slips.white)]
    for number in range(moves):
        for side, move in zip(Side, BACK if number % 2 else THERE, strict=True):
            order = Sense(None, otherwise=move)
            ruling = umpire.judge(ruling.truth, side, order)
            heard.append(Observation(ruling.slips.white, order if side is Side.WHITE else None))
    looks = Sense(None)
    heard.append(Observation(umpire.judge(ruling.truth, Side.WHITE, looks).slips.white, looks))
    seated = BotPlayer(umpire, CHARACTERS["beginner"], 1)
    seated.resume(Thought(), heard)
    seated.belief = seated.belief._replace(truths=(ruling.truth,), weights=())
    return seated


@pytest.mark.parametrize(("moves", "offers"), [(3, False), (4, True), (5, False), (6, True)])
def test_who_gets_nowhere_offers_a_draw_beside_its_move_now_and_again(
    monkeypatch: pytest.MonkeyPatch, moves: int, *, offers: bool
) -> None:
    monkeypatch.setattr(choice, "_QUIET", 4)
    monkeypatch.setattr(choice, "_ASKED_AGAIN", 2)
    written = played(moves).orders(is_awaited=True, is_offered=False)

    assert (Command("draw?") in written) is offers
    assert not isinstance(written[0], Command)


def test_who_is_ahead_plays_on_however_quiet_it_is() -> None:
    ahead = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/R3K3 w - - 0 1"

    assert Command("draw?") not in played(30, ahead).orders(is_awaited=True, is_offered=False)


def test_who_gets_nowhere_takes_a_draw() -> None:
    assert played(30).orders(is_awaited=True, is_offered=True) == (Command("accept"),)
