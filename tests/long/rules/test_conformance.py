"""What every umpire guarantees, tested for each variant."""

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
from tests.support.umpire_promises import (
    begin_game,
    broken_promises,
    men_on,
    orders_of,
    random_games,
    sight_errors,
)

every_umpire = pytest.mark.parametrize("umpire", UMPIRES.values(), ids=UMPIRES)


@every_umpire
def test_a_sight_never_lies_and_always_shows_all_own_pieces(umpire: Umpire):
    for *_, ruling in random_games(umpire, 3):
        assert list(sight_errors(umpire, ruling)) == []


@every_umpire
def test_the_last_slips_show_the_whole_board(umpire: Umpire):
    ends = [ruling for _, _, _, ruling in random_games(umpire, 5) if ruling.outcome]
    assert len(ends) == 5
    for ruling in ends:
        men = men_on(umpire.fen(ruling.truth))
        assert ruling.slips.white
        assert ruling.slips.black
        shown = "".join(men.get(square, ".") for square in SQUARES)
        assert ruling.slips.white.sight.letters() == ruling.slips.black.sight.letters() == shown


ADJUDICATIONS = (
    (Outcome(Side.WHITE, "adjudication"), "The operator has ended the game. White wins."),
    (Outcome(Side.BLACK, "adjudication"), "The operator has ended the game. Black wins."),
    (Outcome(None, "adjudication"), "The operator has ended the game. Draw."),
    (Outcome(None, "void"), "The operator has ended the game. It is void."),
)


@every_umpire
@pytest.mark.parametrize(("outcome", "sentence"), ADJUDICATIONS)
def test_an_adjudication_ends_a_game_like_a_resignation(umpire: Umpire, outcome: Outcome, sentence: str):
    truth = begin_game(umpire).truth
    before = umpire.pack(truth)
    ruling, resignation = umpire.adjudicated(truth, outcome), umpire.resigned(truth, Side.WHITE)

    assert (ruling.outcome, ruling.turn, ruling.verdict) == (outcome, None, Verdict.TOLD)
    assert ruling.truth == resignation.truth
    for side in Side:
        slip, other = ruling.slips[side], resignation.slips[side]
        assert slip
        assert other
        assert (slip.spoken, slip.sight) == (sentence, other.sight)
        assert umpire.judge(ruling.truth, side, Pass()).verdict is Verdict.OVER
    assert umpire.pack(truth) == before


@every_umpire
def test_judging_does_not_change_the_truth(umpire: Umpire):
    for truth, side, order, ruling in random_games(umpire, 2):
        before = umpire.pack(truth)
        assert umpire.judge(truth, side, order) == ruling
        assert umpire.pack(truth) == before


@every_umpire
def test_an_order_that_is_no_move_changes_nothing(umpire: Umpire):
    without_effect = {Verdict.REFUSED, Verdict.NONSENSE, Verdict.UNREADABLE}
    seen = [each for each in random_games(umpire, 3) if each[3].verdict in without_effect]
    assert Verdict.UNREADABLE in {ruling.verdict for _, _, _, ruling in seen}
    for truth, side, _, ruling in seen:
        assert umpire.fen(ruling.truth) == umpire.fen(truth)
        assert (ruling.turn, ruling.outcome) == (side, None)
        assert ruling.truth is truth or ruling.verdict is Verdict.REFUSED


def lists(umpire: Umpire, count: int) -> Iterator[tuple[Truth, Side, Tries]]:
    """In random games, a list of possible tries and some wild ones for the side to move."""
    rng = random.Random(12)
    for truth, side, _, _ in random_games(umpire, count):
        offered = [
            each for each in orders_of(umpire, truth.sights[side]) if isinstance(each, Move | Castle | Drop)
        ]
        wild = [Move(*rng.sample(range(64), 2)) for _ in range(2)]
        yield truth, side, Tries(tuple(dict.fromkeys([*rng.sample(offered, min(4, len(offered))), *wild])))


@every_umpire
def test_a_list_has_the_same_effect_as_its_tries_one_by_one(umpire: Umpire):
    """The same truth and slips, except that tries the player could know to be impossible stay unannounced."""
    verdicts: Counter[Verdict] = Counter()
    for truth, side, tries in lists(umpire, 2):
        judged = list(try_one_by_one(umpire, truth, side, tries))
        verdicts.update(ruling.verdict for _, ruling in judged)
        if judged[0][0] is tries:
            assert [(ruling.verdict, ruling.truth) for _, ruling in judged] == [(Verdict.UNREADABLE, truth)]
            assert judged[0][1].slips[side.other] is None
            continue
        assert tuple(step for step, _ in judged) == tries.steps[: len(judged)]
        assert len(judged) == len(tries.steps) or judged[-1][1].verdict is Verdict.MOVED
        assert all(ruling.verdict is not Verdict.MOVED for _, ruling in judged[:-1])
        now = truth
        for step, ruling in judged:
            alone = umpire.judge(now, side, step)
            if ruling.verdict is Verdict.HELD:
                assert (alone.verdict, ruling.slips[side.other]) == (Verdict.NONSENSE, None)
                assert ruling.truth is now
            else:
                assert ruling == alone
            now = ruling.truth
    assert verdicts[Verdict.MOVED] > 50 or set(verdicts) == {Verdict.UNREADABLE}


@every_umpire
def test_only_the_sender_hears_of_an_unreadable_order(umpire: Umpire):
    seen = [each for each in random_games(umpire, 3) if each[3].verdict is Verdict.UNREADABLE]
    assert seen
    for _, side, _, ruling in seen:
        assert ruling.slips[side.other] is None
        own = ruling.slips[side]
        assert own
        assert [fact.code for fact in own.facts] == ["unreadable"]


@every_umpire
def test_each_fact_keeps_the_contract_of_its_code(umpire: Umpire):
    begins = begin_game(umpire)
    first, played = umpire.start(), [ruling for *_, ruling in random_games(umpire, 3)]
    ends = [
        umpire.agreed(begins.truth),
        *(end(begins.truth, side) for end in (umpire.resigned, umpire.flagged) for side in Side),
    ]
    for ruling in (first, begins, *played, *ends):
        assert list(broken_promises(umpire, ruling)) == []


@every_umpire
def test_a_snapshot_restores_an_equal_truth(umpire: Umpire):
    for *_, ruling in random_games(umpire, 2):
        data = umpire.pack(ruling.truth)
        assert umpire.restore(data) == ruling.truth
        assert umpire.pack(umpire.restore(data)) == data


@every_umpire
def test_a_snapshot_of_an_unknown_version_is_refused(umpire: Umpire):
    for ruling in (umpire.start(), begin_game(umpire)):
        data = umpire.pack(ruling.truth)
        with pytest.raises(ValueError, match="another version"):
            umpire.restore(b"\xff" + data[1:])


#: The initial position of Wild 16 in the first version's format.
FIRST_VERSION_SNAPSHOT = bytes.fromhex(
    "0100ff00000000ff0042000000000000422400000000000024810000000000008108000000000000081000000000000010ffff"
    "000000000000810000000000008102400000010000000000004b8f64ba8c8359ca"
)


def test_a_snapshot_of_the_first_version_can_be_restored():
    umpire = find_umpire("wild16")
    assert umpire.restore(FIRST_VERSION_SNAPSHOT) == umpire.start().truth


OTHER_PROCESS = """
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
def test_another_process_continues_the_game_in_the_same_way(umpire: Umpire):
    """Position keys don't depend on the hash seed, so any process notices the third repetition."""
    truth = begin_game(umpire).truth
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
    command = [sys.executable, "-c", OTHER_PROCESS, umpire.card.key, umpire.pack(truth).hex(), *shuffle[-3:]]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    reason = "repetition" if hasattr(truth, "keys") else "None"
    assert done.stdout.split() == ["moved", reason, umpire.pack(here).hex()]


@every_umpire
def test_twins_get_the_same_answers(umpire: Umpire):
    """Only a move, or its refusal, tells two truths apart that look alike to a player."""
    rng, pairs, compared = random.Random(8), 0, 0
    for truth, side, _, ruling in random_games(umpire, 6):
        if ruling.verdict is not Verdict.MOVED or rng.random() > 0.1:
            continue
        groups = twins(umpire, truth, side)
        for first, *rest in rng.sample(groups, min(len(groups), 3)):
            others = rng.sample(rest, min(len(rest), 5))
            pairs += len(others)
            compared += count_equal_answers(umpire, first, others, side.other)
    assert pairs > 100
    assert compared > 1000


def twins(umpire: Umpire, truth: Truth, side: Side) -> list[list[Ruling]]:
    """Groups of this side's moves after which the opponent gets the same slip."""
    found: defaultdict[object, list[Ruling]] = defaultdict(list)
    for option in umpire.possible_tries(truth.sights[side]):
        ruling = umpire.judge(truth, side, order_of(option))
        if ruling.verdict is Verdict.MOVED and ruling.turn:
            found[ruling.slips[side.other]].append(ruling)
    return [group for group in found.values() if len(group) > 1]


def count_equal_answers(umpire: Umpire, one: Ruling, others: list[Ruling], side: Side) -> int:
    """Compare this side's answers in both truths, and the next ones after an equal answer; return how many."""
    slip = one.slips[side]
    assert slip
    answers = [(order, umpire.judge(one.truth, side, order)) for order in orders_of(umpire, slip.sight)]
    return sum(_count_equal_answers(umpire, answers, other, side) for other in others)


def _count_equal_answers(
    umpire: Umpire, answers: list[tuple[Order, Ruling]], other: Ruling, side: Side
) -> int:
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
    return count + count_equal_answers(umpire, first, [second], side)


def overheard(ruling: Ruling, side: Side) -> tuple[Fact, ...] | None:
    """What a side hears of the opponent's try; None if it hears nothing."""
    slip = ruling.slips[side]
    return None if slip is None else slip.facts


@every_umpire
def test_possible_tries_hold_every_legal_move_once(umpire: Umpire):
    """They depend only on a player's own pieces, whatever is hidden."""
    rng = random.Random(9)
    for truth, side, _, _ in random_games(umpire, 1):
        options = umpire.possible_tries(truth.sights[side])
        assert len(set(options)) == len(options)
        if rng.random() < 0.1 and not truth.sights[side].sense_due:
            made = {
                str(order)
                for order in every_order(truth.sights[side])
                if is_legal(umpire, truth, side, order)
            }
            assert made <= set(options)


def every_order(sight: Sight) -> Iterator[Order]:
    """Every move and promotion of one's own pieces to any square, and every drop."""
    for piece, origins in sight.own_pieces().items():
        for origin, target in product(origins, range(64)):
            becomes = (
                (PieceKind.QUEEN, PieceKind.ROOK, PieceKind.BISHOP, PieceKind.KNIGHT)
                if piece is PieceKind.PAWN and target // 8 in (0, 7)
                else ()
            )
            yield from (Move(origin, target, promotion) for promotion in becomes or (None,))
    if sight.reserves:
        yield from (Drop(piece, square) for piece in PieceKind for square in range(64))


def is_legal(umpire: Umpire, truth: Truth, side: Side, order: Order) -> bool:
    return umpire.judge(truth, side, order).verdict is Verdict.MOVED


@every_umpire
def test_possible_tries_are_never_input_errors(umpire: Umpire):
    for truth, side, _, _ in random_games(umpire, 1):
        for option in umpire.possible_tries(truth.sights[side]):
            assert umpire.judge(truth, side, order_of(option)).verdict is not Verdict.UNREADABLE


squares = st.integers(0, 63)
pieces = st.sampled_from(PieceKind)
moves = st.builds(Move, squares, squares, st.none() | pieces)
anything = st.one_of(
    moves,
    st.sampled_from(Castle),
    st.builds(PawnTry, st.none() | pieces),
    st.builds(Drop, pieces, squares),
    st.builds(Pass),
    st.builds(Tries, st.lists(moves, min_size=1, max_size=3).map(tuple)),
    st.builds(Ask),
    st.builds(Sense, st.none() | squares),
    st.builds(Deploy, st.lists(st.tuples(pieces, squares), max_size=3).map(tuple)),
    st.builds(Command, st.sampled_from(["resign", "show", "draw?"])),
)


@every_umpire
@settings(max_examples=60)
@given(orders=st.lists(st.tuples(st.sampled_from(Side), anything), max_size=40))
def test_any_order_gets_an_answer(umpire: Umpire, orders: list[tuple[Side, Order]]):
    for first in (umpire.start(), begin_game(umpire)):
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


def test_an_unknown_variant_is_refused_with_the_list_of_variants():
    with pytest.raises(Refused, match=r"^There is no variant called chess960. Choose one of: .*wild16"):
        find_umpire("chess960")


@every_umpire
def test_a_card_names_its_variant_and_shows_an_example(umpire: Umpire):
    card = umpire.card
    assert UMPIRES[card.key] is umpire
    assert all((card.name, card.summary, card.announcements, card.words, card.example))
