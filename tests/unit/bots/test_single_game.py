"""One game between two bots in the arena: how it is played and how it ends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench import single_game
from bench.arena_players import AtRandom
from bench.single_game import SingleGame
from corr.bots.history import Observation
from corr.rules.variants import UMPIRES, find_umpire
from corr.words.board import Side
from corr.words.orders import Command, Move, Order


class Scripted:
    """A player that writes given orders, turn by turn."""

    def __init__(self, *turns: tuple[Order, ...]) -> None:
        self._turns: Iterator[tuple[Order, ...]] = iter(turns)
        self.asked: list[tuple[bool, bool]] = []
        self.has_left = False

    def observe(self, heard: Observation) -> None:
        """Ignore observations."""

    def orders(self, *, is_awaited: bool, is_offered: bool) -> tuple[Order, ...]:
        self.asked.append((is_awaited, is_offered))
        return next(self._turns)

    def leave(self) -> None:
        self.has_left = True


E4, E5 = Move(12, 28), Move(52, 36)
RESIGNS, OFFERS, ACCEPTS = Command("resign", "resign"), Command("draw?"), Command("accept")


def start_game(white: Scripted, black: Scripted) -> SingleGame:
    return SingleGame(find_umpire("wild16"), {Side.WHITE: white, Side.BLACK: black}, Side.WHITE)


def test_a_player_who_resigns_loses() -> None:
    result = start_game(Scripted((E4,)), Scripted((RESIGNS,))).play()

    assert (result.ending, result.points) == ("resignation", 1.0)


def test_a_draw_offered_with_a_move_can_be_accepted() -> None:
    black = Scripted((ACCEPTS,))

    result = start_game(Scripted((E4, OFFERS)), black).play()

    assert (result.ending, result.points) == ("agreement", 0.5)
    assert black.asked == [(True, True)]


def test_a_move_declines_a_draw_offer() -> None:
    white, black = Scripted((E4, OFFERS), (RESIGNS,)), Scripted((E5,))

    result = start_game(white, black).play()

    assert result.ending == "resignation"
    assert white.asked == [(True, False), (True, False)]


def test_a_game_without_moves_ends_as_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_game, "_ASKED", 3)
    white, black = Scripted((), (), ()), Scripted()

    result = start_game(white, black).play()

    assert (result.ending, result.points) == ("too long", 0.5)
    assert white.has_left
    assert black.has_left


@pytest.mark.parametrize("variant", UMPIRES)
def test_random_players_can_play_every_variant(variant: str) -> None:
    umpire = find_umpire(variant)
    sitters = {side: AtRandom(umpire, number) for number, side in enumerate(Side)}

    result = SingleGame(umpire, sitters, Side.WHITE).play()

    assert result.ending
    assert result.plies > 0
