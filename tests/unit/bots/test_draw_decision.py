"""When a bot resigns, and when it accepts or offers a draw."""

from __future__ import annotations

import pytest

from corr.bots import order_choice
from corr.bots.bot import BotPlayer, Thought
from corr.bots.characters import CHARACTERS
from corr.bots.history import Observation
from corr.rules.variants import find_umpire
from corr.words.board import Side
from corr.words.orders import Command, Move, Sense

#: Positions with White, the bot, to move.
ALONE = "k7/8/8/3q4/8/8/8/6K1 w - - 0 1"
ALONE_AGAINST_A_PAWN = "k7/p7/8/8/8/8/8/6K1 w - - 0 1"
A_ROOK_BEHIND = "r3k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"
EVEN = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1"

#: The same with pieces in reserve: White's are capitals.
A_QUEEN_IN_RESERVE = "r3k3/pppp4/8/8/8/8/PPPP4/4K3[Q] w - - 0 1"
AGAINST_A_QUEEN_IN_RESERVE = "4k3/pppp4/8/8/8/8/PPPP4/R3K3[q] w - - 0 1"
ALONE_BUT_FOR_A_RESERVE = "k7/8/8/3q4/8/8/8/6K1[P] w - - 0 1"
ALONE_AGAINST_A_RESERVE = "k7/8/8/3q4/8/8/8/6K1[p] w - - 0 1"


#: A blocked position: neither side can make progress, and both kings move back and forth.
QUIET = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1"
THERE, BACK = (Move(4, 12), Move(60, 52)), (Move(12, 4), Move(52, 60))


def bot_at(fen: str, variant: str = "wild16") -> BotPlayer:
    umpire = find_umpire(variant)
    bot = BotPlayer(umpire, CHARACTERS["club"], 1)
    ruling = umpire.start(fen)
    slip = ruling.slips[Side.WHITE]
    assert slip
    bot.observe(Observation(slip))
    bot.belief = bot.belief._replace(truths=(ruling.truth,), weights=())
    return bot


@pytest.mark.parametrize(
    ("fen", "resigns"), [(ALONE, True), (ALONE_AGAINST_A_PAWN, False), (A_ROOK_BEHIND, False), (EVEN, False)]
)
def test_a_bare_king_resigns_against_more_than_a_pawn(fen: str, *, resigns: bool) -> None:
    orders = bot_at(fen).orders(is_awaited=True, is_offered=False)

    assert (orders == (Command("resign", "resign"),)) is resigns


@pytest.mark.parametrize(("fen", "word"), [(A_ROOK_BEHIND, "accept"), (EVEN, "decline")])
def test_a_bot_accepts_a_draw_only_when_behind(fen: str, word: str) -> None:
    assert bot_at(fen).orders(is_awaited=False, is_offered=True) == (Command(word),)


@pytest.mark.parametrize(
    ("fen", "word"), [(A_QUEEN_IN_RESERVE, "decline"), (AGAINST_A_QUEEN_IN_RESERVE, "accept")]
)
def test_reserves_count_when_judging_who_is_behind(fen: str, word: str) -> None:
    assert bot_at(fen, "crazykrieg").orders(is_awaited=False, is_offered=True) == (Command(word),)


@pytest.mark.parametrize(
    ("fen", "resigns"), [(ALONE_BUT_FOR_A_RESERVE, False), (ALONE_AGAINST_A_RESERVE, True)]
)
def test_a_bare_king_with_a_reserve_does_not_resign(fen: str, *, resigns: bool) -> None:
    orders = bot_at(fen, "crazykrieg").orders(is_awaited=True, is_offered=False)

    assert (orders == (Command("resign", "resign"),)) is resigns


def test_an_even_bot_to_move_answers_a_draw_offer_with_a_move() -> None:
    (orders,) = bot_at(EVEN).orders(is_awaited=True, is_offered=True)

    assert not isinstance(orders, Command)


def bot_after(moves: int, fen: str = QUIET) -> BotPlayer:
    """Return a bot to move after this many quiet moves of each side."""
    umpire = find_umpire("rbc")
    ruling = umpire.start(fen)
    heard = [Observation(ruling.slips.white)]
    for number in range(moves):
        for side, move in zip(Side, BACK if number % 2 else THERE, strict=True):
            order = Sense(None, otherwise=move)
            ruling = umpire.judge(ruling.truth, side, order)
            heard.append(Observation(ruling.slips.white, order if side is Side.WHITE else None))
    sense = Sense(None)
    heard.append(Observation(umpire.judge(ruling.truth, Side.WHITE, sense).slips.white, sense))
    bot = BotPlayer(umpire, CHARACTERS["beginner"], 1)
    bot.resume(Thought(), heard)
    bot.belief = bot.belief._replace(truths=(ruling.truth,), weights=())
    return bot


@pytest.mark.parametrize(("moves", "offers"), [(3, False), (4, True), (5, False), (6, True)])
def test_a_bot_without_progress_offers_a_draw_from_time_to_time(
    monkeypatch: pytest.MonkeyPatch, moves: int, *, offers: bool
) -> None:
    monkeypatch.setattr(order_choice, "_QUIET", 4)
    monkeypatch.setattr(order_choice, "_ASKED_AGAIN", 2)
    orders = bot_after(moves).orders(is_awaited=True, is_offered=False)

    assert (Command("draw?") in orders) is offers
    assert not isinstance(orders[0], Command)


def test_a_bot_that_is_ahead_never_offers_a_draw() -> None:
    ahead = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/R3K3 w - - 0 1"

    assert Command("draw?") not in bot_after(30, ahead).orders(is_awaited=True, is_offered=False)


def test_a_bot_without_progress_accepts_a_draw() -> None:
    assert bot_after(30).orders(is_awaited=True, is_offered=True) == (Command("accept"),)
