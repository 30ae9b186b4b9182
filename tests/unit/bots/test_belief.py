"""A bot's belief agrees with everything that its seat was told."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bench.arena_players import AtRandom
from corr.bots.belief import update_belief
from corr.bots.bot import BotPlayer
from corr.bots.characters import CHARACTERS, Character
from corr.bots.history import Observation
from corr.bots.possible_positions import Belief
from corr.rules.core.try_lists import try_one_by_one
from corr.rules.variants import UMPIRES, find_umpire
from corr.words.board import Pair, Side
from corr.words.orders import Move, Order, Sense, Tries
from corr.words.slips import Slip

SMALL = Character(positions=20, boards=4, noise=0.0)


class Recorder(BotPlayer):
    """A bot that remembers its observations."""

    def __init__(self, umpire: Any, seed: int) -> None:
        super().__init__(umpire, SMALL, seed)
        self.observations: list[Observation] = []

    def observe(self, heard: Observation) -> None:
        super().observe(heard)
        self.observations.append(heard)


def play(variant: str, seed: int, plies: int) -> tuple[list[Any], Recorder]:
    """Play this many half-moves of a bot against random moves; return every truth, and the bot."""
    umpire = find_umpire(variant)
    player, opponent = Recorder(umpire, seed), AtRandom(umpire, seed)
    seats: dict[Side, Recorder | AtRandom] = {Side.WHITE: player, Side.BLACK: opponent}
    truths: list[Any] = []

    def send_slips(slips: Pair[Slip | None], by: Side | None, order: Order | None) -> None:
        for side, seat in seats.items():
            slip = slips[side]
            if slip is not None:
                seat.observe(Observation(slip, order if side is by else None))

    ruling = umpire.start()
    send_slips(ruling.slips, None, None)
    while ruling.outcome is None and umpire.plies(ruling.truth) < plies:
        for side in [ruling.turn] if ruling.turn else Side:
            for order, each in try_one_by_one(umpire, ruling.truth, side, seats[side].write()):
                send_slips(each.slips, side, order)
                ruling = each
                truths.append(each.truth)
    return truths, player


@pytest.mark.parametrize("variant", UMPIRES)
def test_every_possible_position_has_the_bots_own_pieces_right(variant: str):
    truths, player = play(variant, seed=4, plies=11)
    assert player.belief.truths
    for truth in player.belief.truths:
        assert truth.board.occupied_co[True] == truths[-1].board.occupied_co[True]
        assert truth.sights.white[1:9] == truths[-1].sights.white[1:9]
        assert truth.board.turn == truths[-1].board.turn


@pytest.mark.parametrize("variant", UMPIRES)
def test_the_same_observations_give_the_same_orders(variant: str):
    _, first = play(variant, seed=5, plies=7)
    again = BotPlayer(find_umpire(variant), SMALL, 5)
    for heard in first.observations:
        again.observe(heard)
    assert again.write() == first.write()
    assert again.belief == first.belief


def test_few_possible_positions_are_all_kept():
    umpire = find_umpire("wild16")
    heard = Observation(umpire.start().slips.black)
    belief = update_belief(umpire, Belief(), heard, 400, Random(1))
    moved = umpire.judge(umpire.start().truth, Side.WHITE, Move(12, 28))
    belief = update_belief(umpire, belief, Observation(moved.slips.black), 400, Random(1))
    assert belief.is_whole
    assert len(belief.truths) == 20


def test_a_bare_king_may_be_on_any_square_he_can_reach():
    umpire = find_umpire("wild16")
    fens = [
        f"{'8/' * row}{file or ''}k{7 - file or ''}/{'8/' * (5 - row)}8/R3K3 w - - 0 1"
        for row in range(6)
        for file in range(1, 8)
    ]
    starts = [umpire.start(fen) for fen in fens]
    belief = Belief(
        tuple(start.truth for start in starts), (Observation(starts[0].slips.white),), is_whole=True
    )
    order = Move(4, 12)
    moved = umpire.judge(belief.truths[0], Side.WHITE, order)
    belief = update_belief(umpire, belief, Observation(moved.slips.white, order), 100, Random(1))
    answered = umpire.judge(moved.truth, Side.BLACK, Move(57, 58))
    belief = update_belief(umpire, belief, Observation(answered.slips.white), 100, Random(1))
    assert belief.is_whole
    assert len(belief.truths) > len(fens)


def test_a_refused_try_rules_out_positions_where_it_is_legal():
    umpire = find_umpire("wild16")
    start = umpire.start("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    elsewhere = umpire.start("4k3/8/8/8/8/n7/8/R3K3 w - - 0 1")
    belief = Belief((start.truth, elsewhere.truth), (Observation(start.slips.white),))
    order = Move(0, 48)
    refused = umpire.judge(elsewhere.truth, Side.WHITE, order)
    belief = update_belief(umpire, belief, Observation(refused.slips.white, order), 2, Random(1))
    assert {truth.board.fen() for truth in belief.truths} >= {elsewhere.truth.board.fen()}
    assert start.truth.board.fen() not in {truth.board.fen() for truth in belief.truths}


def test_without_positions_some_are_invented_that_fit_the_announcements():
    umpire = find_umpire("wild16")
    start = umpire.start("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    belief = update_belief(umpire, Belief(), Observation(start.slips.white), 10, Random(1))
    assert belief.truths
    for truth in belief.truths:
        assert truth.tries == 1
        assert truth.board.occupied_co[True] == start.truth.board.occupied_co[True]


def test_a_try_that_never_reached_the_umpire_rules_nothing_out():
    umpire = find_umpire("classic")
    start = umpire.start("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1")
    belief = Belief((start.truth,), (Observation(start.slips.white),))
    in_ones_own_way = Move(0, 8)
    ((order, held),) = try_one_by_one(umpire, start.truth, Side.WHITE, Tries((in_ones_own_way,)))

    after_it = update_belief(umpire, belief, Observation(held.slips.white, order), 1, Random(1))

    assert after_it.truths == belief.truths


def invented_boards(variant: str, fen: str) -> list[Any]:
    """Return the boards that White thinks possible when told only about this position."""
    umpire = find_umpire(variant)
    observed = Observation(umpire.start(fen).slips.white)
    belief = update_belief(umpire, Belief(), observed, 20, Random(1))
    return [truth.board for truth in belief.truths]


def test_a_piece_in_reserve_is_not_on_the_board():
    boards = invented_boards("crazykrieg", "rnb1k1nr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR[QBP] w KQ - 0 1")

    assert boards
    for board in boards:
        theirs = board.occupied_co[False]
        assert not board.queens & theirs
        assert (board.bishops & theirs).bit_count() == 1
        assert (board.pawns & theirs).bit_count() == 7


def test_invented_positions_have_checks_of_the_announced_kind():
    boards = invented_boards("wild16", "4k3/8/8/8/4r3/8/8/4K3 w - - 0 1")

    assert boards
    for board in boards:
        checkers = board.checkers()
        assert checkers
        assert all(square % 8 == 4 for square in checkers)


def test_invented_positions_fit_the_sense():
    umpire = find_umpire("rbc")
    start = umpire.start("4k3/8/8/3q4/8/8/8/4K3 w - - 0 1")
    sensed = umpire.judge(start.truth, Side.WHITE, Sense(35))
    belief = Belief((), (Observation(start.slips.white),))
    belief = update_belief(umpire, belief, Observation(sensed.slips.white, Sense(35)), 10, Random(1))
    assert belief.truths
    assert all(truth.board.queens == start.truth.board.queens for truth in belief.truths)


@pytest.mark.parametrize("variant", ["wild16", "crazykrieg"])
def test_a_bot_in_a_hurry_keeps_few_positions_for_a_while(variant: str) -> None:
    _, calm = play(variant, 3, 20)
    is_late = iter([False] * 12 + [True] * 4 + [False] * 1_000)
    hurried, held = BotPlayer(find_umpire(variant), CHARACTERS["club"], 3, lambda: next(is_late)), []
    for heard in calm.observations:
        hurried.observe(heard)
        held.append(len(hurried.belief.truths))

    assert max(held[:12]) > 60
    assert max(held[12:16]) <= 30
    assert max(held[16:]) > 60
    assert str(hurried.write())


def test_stronger_characters_keep_more_positions():
    sizes = [character.positions for character in CHARACTERS.values()]
    assert sizes == sorted(sizes)
