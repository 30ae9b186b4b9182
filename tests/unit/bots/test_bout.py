"""The arena's table: whoever sits there writes what it would write to a house, and every game ends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench import single_game
from bench.arena_players import AtRandom
from bench.single_game import Bout
from corr.bots.history import Observation
from corr.rules.variants import UMPIRES, find_umpire
from corr.words.board import Side
from corr.words.orders import Command, Move, Order


class Writes:
    """Whoever writes what it was told to, turn by turn."""

    def __init__(self, *turns: tuple[Order, ...]) -> None:
        self._turns: Iterator[tuple[Order, ...]] = iter(turns)
        self.asked: list[tuple[bool, bool]] = []
        self.has_left = False

    def observe(self, heard: Observation) -> None:
        """It heeds nothing."""

    def orders(self, *, is_awaited: bool, is_offered: bool) -> tuple[Order, ...]:
        self.asked.append((is_awaited, is_offered))
        return next(self._turns)

    def leave(self) -> None:
        self.has_left = True


E4, E5 = Move(12, 28), Move(52, 36)
RESIGNS, OFFERS, ACCEPTS = Command("resign", "resign"), Command("draw?"), Command("accept")


def board(white: Writes, black: Writes) -> Bout:
    return Bout(find_umpire("wild16"), {Side.WHITE: white, Side.BLACK: black}, Side.WHITE)


def test_who_gives_up_has_lost() -> None:
    played = board(Writes((E4,)), Writes((RESIGNS,))).play()

    assert (played.ending, played.points) == ("resignation", 1.0)


def test_a_draw_that_is_offered_beside_a_move_can_be_accepted() -> None:
    black = Writes((ACCEPTS,))

    played = board(Writes((E4, OFFERS)), black).play()

    assert (played.ending, played.points) == ("agreement", 0.5)
    assert black.asked == [(True, True)]


def test_a_move_turns_down_the_draw_that_was_offered() -> None:
    white, black = Writes((E4, OFFERS), (RESIGNS,)), Writes((E5,))

    played = board(white, black).play()

    assert played.ending == "resignation"
    assert white.asked == [(True, False), (True, False)]


def test_a_game_is_too_long_at_last_though_nobody_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_game, "_ASKED", 3)
    white, black = Writes((), (), ()), Writes()

    played = board(white, black).play()

    assert (played.ending, played.points) == ("too long", 0.5)
    assert white.has_left
    assert black.has_left


@pytest.mark.parametrize("variant", UMPIRES)
def test_two_who_move_at_random_play_any_variant(variant: str) -> None:
    umpire = find_umpire(variant)
    sitters = {side: AtRandom(umpire, number) for number, side in enumerate(Side)}

    played = Bout(umpire, sitters, Side.WHITE).play()

    assert played.ending
    assert played.plies > 0
