"""What a house player holds possible agrees with every word that its seat was handed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bench.arena_players import AtRandom
from corr.bots.belief import update_belief
from corr.bots.characters import CHARACTERS, Character
from corr.bots.history import Observation
from corr.bots.player import BotPlayer
from corr.bots.possible_positions import Belief
from corr.rules.core.try_lists import try_one_by_one
from corr.rules.variants import UMPIRES, find_umpire
from corr.words.board import Pair, Side
from corr.words.orders import Move, Order, Sense, Tries
from corr.words.slips import Slip

SMALL = Character(positions=20, boards=4, noise=0.0)


class Recorder(BotPlayer):
    """A house player that remembers what it was handed."""

    def __init__(self, umpire: Any, seed: int) -> None:
        super().__init__(umpire, SMALL, seed)
        self.all_heard: list[Observation] = []

    def observe(self, heard: Observation) -> None:
        super().observe(heard)
        self.all_heard.append(heard)


def play(variant: str, seed: int, plies: int) -> tuple[list[Any], Recorder]:
    """So many half-moves of a house player against chance, each truth that there was, and the player."""
    umpire = find_umpire(variant)
    player, opponent = Recorder(umpire, seed), AtRandom(umpire, seed)
    seats: dict[Side, Recorder | AtRandom] = {Side.WHITE: player, Side.BLACK: opponent}
    truths: list[Any] = []

    def hand(slips: Pair[Slip | None], by: Side | None, order: Order | None) -> None:
        for side, seat in seats.items():
            slip = slips[side]
            if slip is not None:
                seat.observe(Observation(slip, order if side is by else None))

    ruling = umpire.start()
    hand(ruling.slips, None, None)
    while ruling.outcome is None and umpire.plies(ruling.truth) < plies:
        for side in [ruling.turn] if ruling.turn else Side:
            for order, each in try_one_by_one(umpire, ruling.truth, side, seats[side].write()):
                hand(each.slips, side, order)
                ruling = each
                truths.append(each.truth)
    return truths, player


@pytest.mark.parametrize("variant", UMPIRES)
def test_every_position_held_possible_has_ones_own_men_where_they_stand(variant: str):
    truths, player = play(variant, seed=4, plies=11)
    assert player.belief.truths
    for truth in player.belief.truths:
        assert truth.board.occupied_co[True] == truths[-1].board.occupied_co[True]
        assert truth.sights.white[1:9] == truths[-1].sights.white[1:9]
        assert truth.board.turn == truths[-1].board.turn


@pytest.mark.parametrize("variant", UMPIRES)
def test_whoever_hears_the_same_writes_the_same(variant: str):
    _, first = play(variant, seed=5, plies=7)
    again = BotPlayer(find_umpire(variant), SMALL, 5)
    for heard in first.all_heard:
        again.observe(heard)
    assert again.write() == first.write()
    assert again.belief == first.belief


def test_while_few_positions_are_possible_all_of_them_are_held_so():
    umpire = find_umpire("wild16")
    heard = Observation(umpire.start().slips.black)
    belief = update_belief(umpire, Belief(), heard, 400, Random(1))
    moved = umpire.judge(umpire.start().truth, Side.WHITE, Move(12, 28))
    belief = update_belief(umpire, belief, Observation(moved.slips.black), 400, Random(1))
    assert belief.is_whole
    assert len(belief.truths) == 20


def test_a_lonely_king_is_held_possible_wherever_he_can_be():
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


def test_a_try_that_was_refused_rules_out_where_it_would_have_been_possible():
    umpire = find_umpire("wild16")
    start = umpire.start("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    elsewhere = umpire.start("4k3/8/8/8/8/n7/8/R3K3 w - - 0 1")
    belief = Belief((start.truth, elsewhere.truth), (Observation(start.slips.white),))
    order = Move(0, 48)
    refused = umpire.judge(elsewhere.truth, Side.WHITE, order)
    belief = update_belief(umpire, belief, Observation(refused.slips.white, order), 2, Random(1))
    assert {truth.board.fen() for truth in belief.truths} >= {elsewhere.truth.board.fen()}
    assert start.truth.board.fen() not in {truth.board.fen() for truth in belief.truths}


def test_where_nothing_is_left_positions_are_made_up_that_would_have_been_announced_so():
    umpire = find_umpire("wild16")
    told = umpire.start("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    belief = update_belief(umpire, Belief(), Observation(told.slips.white), 10, Random(1))
    assert belief.truths
    for truth in belief.truths:
        assert truth.tries == 1
        assert truth.board.occupied_co[True] == told.truth.board.occupied_co[True]


def test_what_was_not_put_to_the_umpire_rules_nothing_out():
    umpire = find_umpire("classic")
    start = umpire.start("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1")
    belief = Belief((start.truth,), (Observation(start.slips.white),))
    in_ones_own_way = Move(0, 8)
    ((order, held),) = try_one_by_one(umpire, start.truth, Side.WHITE, Tries((in_ones_own_way,)))

    after_it = update_belief(umpire, belief, Observation(held.slips.white, order), 1, Random(1))

    assert after_it.truths == belief.truths


def made_up(variant: str, fen: str) -> list[Any]:
    """The boards that White makes up of what is said of this one."""
    umpire = find_umpire(variant)
    told = Observation(umpire.start(fen).slips.white)
    belief = update_belief(umpire, Belief(), told, 20, Random(1))
    return [truth.board for truth in belief.truths]


def test_what_waits_in_a_reserve_stands_nowhere():
    boards = made_up("crazykrieg", "rnb1k1nr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR[QBP] w KQ - 0 1")

    assert boards
    for board in boards:
        theirs = board.occupied_co[False]
        assert not board.queens & theirs
        assert (board.bishops & theirs).bit_count() == 1
        assert (board.pawns & theirs).bit_count() == 7


def test_a_check_is_given_in_its_kind_wherever_the_men_are_put():
    boards = made_up("wild16", "4k3/8/8/8/4r3/8/8/4K3 w - - 0 1")

    assert boards
    for board in boards:
        checkers = board.checkers()
        assert checkers
        assert all(square % 8 == 4 for square in checkers)


def test_a_sense_is_kept_to_by_what_is_made_up():
    umpire = find_umpire("rbc")
    told = umpire.start("4k3/8/8/3q4/8/8/8/4K3 w - - 0 1")
    sensed = umpire.judge(told.truth, Side.WHITE, Sense(35))
    belief = Belief((), (Observation(told.slips.white),))
    belief = update_belief(umpire, belief, Observation(sensed.slips.white, Sense(35)), 10, Random(1))
    assert belief.truths
    assert all(truth.board.queens == told.truth.board.queens for truth in belief.truths)


@pytest.mark.parametrize("variant", ["wild16", "crazykrieg"])
def test_a_player_in_a_hurry_goes_on_with_few_positions_and_holds_many_again(variant: str) -> None:
    _, calm = play(variant, 3, 20)
    is_late = iter([False] * 12 + [True] * 4 + [False] * 1_000)
    hurried, held = BotPlayer(find_umpire(variant), CHARACTERS["club"], 3, lambda: next(is_late)), []
    for heard in calm.all_heard:
        hurried.observe(heard)
        held.append(len(hurried.belief.truths))

    assert max(held[:12]) > 60
    assert max(held[12:16]) <= 30
    assert max(held[16:]) > 60
    assert str(hurried.write())


def test_the_characters_differ_in_what_they_hold_possible():
    sizes = [character.positions for character in CHARACTERS.values()]
    assert sizes == sorted(sizes)
