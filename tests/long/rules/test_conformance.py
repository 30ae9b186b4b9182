"""What every umpire keeps to, found by itself for each variant that there is."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr.rules.core.try_lists import try_one_by_one
from corr.rules.core.umpire import Ruling, Truth, Umpire
from corr.rules.variants import UMPIRES, find_umpire
from corr.words.board import SQUARES, PieceKind, Side
from corr.words.errors import Refused
from corr.words.orders import Ask, Castle, Command, Deploy, Drop, Move, Order, Pass, PawnTry, Sense, Tries
from corr.words.slips import Fact, Outcome, Sight, Verdict
from tests.support.umpire_cases import order_of
from tests.support.umpire_promises import begun, broken_promises, games, lies, men_on, orders_of

every_umpire = pytest.mark.parametrize("umpire", UMPIRES.values(), ids=UMPIRES)


@every_umpire
def test_a_sight_never_lies_and_always_shows_all_ones_own_men(umpire: Umpire):
    for *_, ruling in games(umpire, 3):
        assert list(lies(umpire, ruling)) == []


@every_umpire
def test_the_last_slips_show_the_whole_board(umpire: Umpire):
    ends = [ruling for _, _, _, ruling in games(umpire, 5) if ruling.outcome]
    assert len(ends) == 5
    for ruling in ends:
        men = men_on(umpire.fen(ruling.truth))
        assert ruling.slips.white
        assert ruling.slips.black
        shown = "".join(men.get(square, ".") for square in SQUARES)
        assert ruling.slips.white.sight.letters() == ruling.slips.black.sight.letters() == shown


ADJUDICATED = (
    (Outcome(Side.WHITE, "adjudication"), "The operator has ended the game. White wins."),
    (Outcome(Side.BLACK, "adjudication"), "The operator has ended the game. Black wins."),
    (Outcome(None, "adjudication"), "The operator has ended the game. Draw."),
    (Outcome(None, "void"), "The operator has ended the game. It is void."),
)


@every_umpire
@pytest.mark.parametrize(("outcome", "sentence"), ADJUDICATED)
def test_what_the_operator_has_decided_ends_a_game_as_giving_it_up_does(
    umpire: Umpire, outcome: Outcome, sentence: str
):
    truth = begun(umpire).truth
    before = umpire.pack(truth)
    ruling, given_up = umpire.adjudicated(truth, outcome), umpire.resigned(truth, Side.WHITE)

    assert (ruling.outcome, ruling.turn, ruling.verdict) == (outcome, None, Verdict.TOLD)
    assert ruling.truth == given_up.truth
    for side in Side:
        slip, other = ruling.slips[side], given_up.slips[side]
        assert slip
        assert other
        assert (slip.spoken, slip.sight) == (sentence, other.sight)
        assert umpire.judge(ruling.truth, side, Pass()).verdict is Verdict.OVER
    assert umpire.pack(truth) == before


@every_umpire
def test_judging_leaves_the_truth_as_it_was(umpire: Umpire):
    for truth, side, order, ruling in games(umpire, 2):
        before = umpire.pack(truth)
        assert umpire.judge(truth, side, order) == ruling
        assert umpire.pack(truth) == before


@every_umpire
def test_what_is_not_a_move_changes_nothing(umpire: Umpire):
    kept = {Verdict.REFUSED, Verdict.NONSENSE, Verdict.UNREADABLE}
    seen = [each for each in games(umpire, 3) if each[3].verdict in kept]
    assert Verdict.UNREADABLE in {ruling.verdict for _, _, _, ruling in seen}
    for truth, side, _, ruling in seen:
        assert umpire.fen(ruling.truth) == umpire.fen(truth)
        assert (ruling.turn, ruling.outcome) == (side, None)
        assert ruling.truth is truth or ruling.verdict is Verdict.REFUSED


def lists(umpire: Umpire, count: int) -> Iterator[tuple[Truth, Side, Tries]]:
    """Where somebody is to move in random games, a list of what its men's pattern allows and of what it does not."""
    rng = random.Random(12)
    for truth, side, _, _ in games(umpire, count):
        offered = [
            each for each in orders_of(umpire, truth.sights[side]) if isinstance(each, Move | Castle | Drop)
        ]
        wild = [Move(*rng.sample(range(64), 2)) for _ in range(2)]
        yield truth, side, Tries(tuple(dict.fromkeys([*rng.sample(offered, min(4, len(offered))), *wild])))


@every_umpire
def test_a_list_comes_to_what_its_tries_come_to_one_by_one(umpire: Umpire):
    """The truth, and what either side is handed; only what its player could know to be impossible is held back."""
    verdicts: Counter[Verdict] = Counter()
    for truth, side, tries in lists(umpire, 2):
        put = list(try_one_by_one(umpire, truth, side, tries))
        verdicts.update(ruling.verdict for _, ruling in put)
        if put[0][0] is tries:
            assert [(ruling.verdict, ruling.truth) for _, ruling in put] == [(Verdict.UNREADABLE, truth)]
            assert put[0][1].slips[side.other] is None
            continue
        assert tuple(step for step, _ in put) == tries.steps[: len(put)]
        assert len(put) == len(tries.steps) or put[-1][1].verdict is Verdict.MOVED
        assert all(ruling.verdict is not Verdict.MOVED for _, ruling in put[:-1])
        now = truth
        for step, ruling in put:
            alone = umpire.judge(now, side, step)
            if ruling.verdict is Verdict.HELD:
                assert (alone.verdict, ruling.slips[side.other]) == (Verdict.NONSENSE, None)
                assert ruling.truth is now
            else:
                assert ruling == alone
            now = ruling.truth
    assert verdicts[Verdict.MOVED] > 50 or set(verdicts) == {Verdict.UNREADABLE}


@every_umpire
def test_what_cannot_be_read_is_told_to_the_sender_alone(umpire: Umpire):
    seen = [each for each in games(umpire, 3) if each[3].verdict is Verdict.UNREADABLE]
    assert seen
    for _, side, _, ruling in seen:
        assert ruling.slips[side.other] is None
        own = ruling.slips[side]
        assert own
        assert [fact.code for fact in own.facts] == ["unreadable"]


@every_umpire
def test_each_fact_keeps_to_its_code_and_is_heard_by_whom_the_code_says(umpire: Umpire):
    begins = begun(umpire)
    first, played = umpire.start(), [ruling for *_, ruling in games(umpire, 3)]
    ends = [
        umpire.agreed(begins.truth),
        *(end(begins.truth, side) for end in (umpire.resigned, umpire.flagged) for side in Side),
    ]
    for ruling in (first, begins, *played, *ends):
        assert list(broken_promises(umpire, ruling)) == []


@every_umpire
def test_a_snapshot_restores_to_an_equal_truth(umpire: Umpire):
    for *_, ruling in games(umpire, 2):
        data = umpire.pack(ruling.truth)
        assert umpire.restore(data) == ruling.truth
        assert umpire.pack(umpire.restore(data)) == data


@every_umpire
def test_a_snapshot_of_another_version_is_not_guessed_at(umpire: Umpire):
    for ruling in (umpire.start(), begun(umpire)):
        data = umpire.pack(ruling.truth)
        with pytest.raises(ValueError, match="another version"):
            umpire.restore(b"\xff" + data[1:])


#: The normal array of Wild 16, as it was kept by the first version.
OF_THE_FIRST_VERSION = bytes.fromhex(
    "0100ff00000000ff0042000000000000422400000000000024810000000000008108000000000000081000000000000010ffff"
    "000000000000810000000000008102400000010000000000004b8f64ba8c8359ca"
)


def test_a_snapshot_of_the_first_version_is_still_read():
    umpire = find_umpire("wild16")
    assert umpire.restore(OF_THE_FIRST_VERSION) == umpire.start().truth


ELSEWHERE = """
import sys
from corr.orders import parse_order
from corr.rules.variants import find_umpire

umpire, data = find_umpire(sys.argv[1]), bytes.fromhex(sys.argv[2])
truth = umpire.restore(data)
assert umpire.pack(truth) == data
for text in sys.argv[3:]:
    ruling = umpire.judge(truth, umpire.turn(truth), parse_order(text))
    truth = ruling.truth
print(ruling.verdict, ruling.outcome and ruling.outcome.reason, umpire.pack(truth).hex())
"""


@every_umpire
def test_the_game_goes_on_alike_in_another_process(umpire: Umpire):
    """G7: keys are equal in every process, whatever its hash seed, and so a third repetition is seen in any."""
    truth = begun(umpire).truth
    first = "sense e5; " if truth.sights.white.sense_due else ""
    shuffle = [first + text for text in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2]
    for text in shuffle[:-3]:
        side = umpire.turn(truth)
        assert side
        truth = umpire.judge(truth, side, order_of(text)).truth
    here = umpire.restore(umpire.pack(truth))
    for text in shuffle[-3:]:
        side = umpire.turn(here)
        assert side
        here = umpire.judge(here, side, order_of(text)).truth
    command = [sys.executable, "-c", ELSEWHERE, umpire.card.key, umpire.pack(truth).hex(), *shuffle[-3:]]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    reason = "repetition" if hasattr(truth, "keys") else "None"
    assert done.stdout.split() == ["moved", reason, umpire.pack(here).hex()]


@every_umpire
def test_twins_are_answered_alike(umpire: Umpire):
    """Two truths that look alike to a player: nothing but a move, or its refusal, tells them apart."""
    rng, pairs, compared = random.Random(8), 0, 0
    for truth, side, _, ruling in games(umpire, 6):
        if ruling.verdict is not Verdict.MOVED or rng.random() > 0.1:
            continue
        groups = twins(umpire, truth, side)
        for first, *rest in rng.sample(groups, min(len(groups), 3)):
            others = rng.sample(rest, min(len(rest), 5))
            pairs += len(others)
            compared += alike(umpire, first, others, side.other)
    assert pairs > 100
    assert compared > 1000


def twins(umpire: Umpire, truth: Truth, side: Side) -> list[list[Ruling]]:
    """Moves of this side, several together after which the other is handed the same slip."""
    found: defaultdict[object, list[Ruling]] = defaultdict(list)
    for option in umpire.possible_tries(truth.sights[side]):
        ruling = umpire.judge(truth, side, order_of(option))
        if ruling.verdict is Verdict.MOVED and ruling.turn:
            found[ruling.slips[side.other]].append(ruling)
    return [group for group in found.values() if len(group) > 1]


def alike(umpire: Umpire, one: Ruling, others: list[Ruling], side: Side) -> int:
    """How many orders of this side were answered in the same way in one and each other, down to the object.

    Where it was answered the same without a move, its next orders are compared as well.
    """
    slip = one.slips[side]
    assert slip
    answers = [(order, umpire.judge(one.truth, side, order)) for order in orders_of(umpire, slip.sight)]
    return sum(_alike(umpire, answers, other, side) for other in others)


def _alike(umpire: Umpire, answers: list[tuple[Order, Ruling]], other: Ruling, side: Side) -> int:
    count, further = 0, []
    for order, first in answers:
        second = umpire.judge(other.truth, side, order)
        verdicts = {first.verdict, second.verdict}
        if verdicts & {Verdict.UNREADABLE, Verdict.NONSENSE} or verdicts == {Verdict.REFUSED}:
            assert (first.verdict, first.slips[side], first.turn) == (
                second.verdict,
                second.slips[side],
                second.turn,
            )
            assert overheard(first, side.other) == overheard(second, side.other)
            count += 1
        if verdicts == {Verdict.TOLD} and first.slips[side] == second.slips[side]:
            further.append((first, second))
    if not further:
        return count
    first, second = further[len(further) // 2]
    return count + alike(umpire, first, [second], side)


def overheard(ruling: Ruling, side: Side) -> tuple[Fact, ...] | None:
    """What a side hears of the other's attempt; None where it is not told that there was one."""
    slip = ruling.slips[side]
    return None if slip is None else slip.facts


@every_umpire
def test_options_hold_every_legal_move_and_none_twice(umpire: Umpire):
    """Own men alone decide, so whatever stands hidden, a legal move is never missing once it is time to move."""
    rng = random.Random(9)
    for truth, side, _, _ in games(umpire, 1):
        options = umpire.possible_tries(truth.sights[side])
        assert len(set(options)) == len(options)
        if rng.random() < 0.1 and not truth.sights[side].sense_due:
            made = {
                str(order) for order in everything(truth.sights[side]) if is_made(umpire, truth, side, order)
            }
            assert made <= set(options)


def everything(sight: Sight) -> Iterator[Order]:
    """Every move of every man of one's own to any square, whatever it may become; every drop anywhere."""
    for man, origins in sight.own_pieces().items():
        for origin, target in product(origins, range(64)):
            becomes = (
                (PieceKind.QUEEN, PieceKind.ROOK, PieceKind.BISHOP, PieceKind.KNIGHT)
                if man is PieceKind.PAWN and target // 8 in (0, 7)
                else ()
            )
            yield from (Move(origin, target, piece) for piece in becomes or (None,))
    if sight.reserves:
        yield from (Drop(man, square) for man in PieceKind for square in range(64))


def is_made(umpire: Umpire, truth: Truth, side: Side, order: Order) -> bool:
    return umpire.judge(truth, side, order).verdict is Verdict.MOVED


@every_umpire
def test_whatever_is_offered_may_be_asked_for(umpire: Umpire):
    """Nothing on offer is an input error, whatever stands hidden."""
    for truth, side, _, _ in games(umpire, 1):
        for option in umpire.possible_tries(truth.sights[side]):
            assert umpire.judge(truth, side, order_of(option)).verdict is not Verdict.UNREADABLE


squares = st.integers(0, 63)
men = st.sampled_from(PieceKind)
moves = st.builds(Move, squares, squares, st.none() | men)
anything = st.one_of(
    moves,
    st.sampled_from(Castle),
    st.builds(PawnTry, st.none() | men),
    st.builds(Drop, men, squares),
    st.builds(Pass),
    st.builds(Tries, st.lists(moves, min_size=1, max_size=3).map(tuple)),
    st.builds(Ask),
    st.builds(Sense, st.none() | squares),
    st.builds(Deploy, st.lists(st.tuples(men, squares), max_size=3).map(tuple)),
    st.builds(Command, st.sampled_from(["resign", "show", "draw?"])),
)


@every_umpire
@settings(max_examples=60)
@given(orders=st.lists(st.tuples(st.sampled_from(Side), anything), max_size=40))
def test_whatever_is_written_is_answered(umpire: Umpire, orders: list[tuple[Side, Order]]):
    for first in (umpire.start(), begun(umpire)):
        ruling = first
        for side, order in orders:
            truth = ruling.truth
            ruling = umpire.judge(truth, side, order)
            own = ruling.slips[side]
            assert own
            assert own.side is side
            assert own.facts
            assert ruling.verdict not in (Verdict.NONSENSE, Verdict.UNREADABLE) or ruling.truth is truth
            assert ruling.verdict is Verdict.MOVED or umpire.fen(ruling.truth) == umpire.fen(truth)


def test_an_unknown_variant_is_refused_with_those_there_are():
    with pytest.raises(Refused, match=r"^There is no variant called chess960. Choose one of: .*wild16"):
        find_umpire("chess960")


@every_umpire
def test_a_card_names_its_variant_and_shows_an_example(umpire: Umpire):
    card = umpire.card
    assert UMPIRES[card.key] is umpire
    assert all((card.name, card.summary, card.announcements, card.words, card.example))
