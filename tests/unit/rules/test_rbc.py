"""Reconnaissance Blind Chess: rulings that its table of positions can't show."""

from __future__ import annotations

import random

import chess
import pytest

from corr.rules.core.rbc_truth import Truth
from corr.rules.core.umpire import Ruling
from corr.rules.retold.score import lines
from corr.rules.variants import find_umpire
from corr.words.board import SQUARE_NUMBER, Side, squares_of
from corr.words.codes import SquareContents
from corr.words.errors import Refused
from corr.words.slips import Fact, Losses, Outcome, Sight, Slip, Verdict
from tests.support.umpire_cases import heard, order_of

UMPIRE = find_umpire("rbc")
ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def rulings_after(fen: str | None, *orders: str) -> list[Ruling]:
    """Return the start and the ruling on each order of the side to move."""
    rulings = [UMPIRE.start(fen)]
    for text in orders:
        last = rulings[-1]
        assert last.turn, text
        rulings.append(UMPIRE.judge(last.truth, last.turn, order_of(text)))
    return rulings


def last_ruling(fen: str | None, *orders: str) -> Ruling:
    return rulings_after(fen, *orders)[-1]


def fact(ruling: Ruling, side: Side, code: str) -> Fact:
    slip = ruling.slips[side]
    assert slip
    (found,) = (each for each in slip.facts if each.code == code)
    return found


def shown(sight: Sight) -> dict[str, str]:
    """Return what a side sees besides its own pieces: enemy pieces, and squares known to be empty."""
    letters = zip(SQUARE_NUMBER, sight.letters(), strict=True)
    return {
        name: letter for name, letter in letters if letter != "?" and not sight.own >> SQUARE_NUMBER[name] & 1
    }


def sight_of(ruling: Ruling, side: Side) -> Sight:
    return ruling.truth.sights[side]


# ---------------------------------------------------------------- what the facts hold


def test_r1_only_the_turn_is_announced_at_the_start():
    start = UMPIRE.start()
    assert [each.code for each in start.slips.white.facts] == ["turn"]
    assert start.slips.white.facts == start.slips.black.facts
    assert (start.verdict, start.turn) == (Verdict.TOLD, Side.WHITE)


def test_r2_a_sense_shows_every_square_of_its_window_file_by_file():
    squares = {
        square: fact(last_ruling(None, f"sense {square}"), Side.WHITE, "sensed")["squares"]
        for square in SQUARE_NUMBER
    }
    assert squares["b7"] == SquareContents(
        tuple(
            (file + rank, letter)
            for file, men in zip("abc", ("r", "n", "b"), strict=True)
            for rank, letter in zip("678", (".", "p", men), strict=True)
        )
    )
    assert [name for name, _ in squares["a1"].on] == ["a1", "a2", "b1", "b2"]
    assert {len(each.on) for each in squares.values()} == {4, 6, 9}
    assert sum(len(each.on) for each in squares.values()) == 4 * 4 + 24 * 6 + 36 * 9


def test_r2_sensing_nothing_counts_as_a_sense():
    ruling = last_ruling(None, "sense none")
    assert fact(ruling, Side.WHITE, "sensed")["squares"] == SquareContents(())
    assert (ruling.verdict, ruling.turn, ruling.slips.black) == (Verdict.TOLD, Side.WHITE, None)
    assert last_ruling(None, "sense none", "e2e4").verdict is Verdict.MOVED


def test_r2_and_r3_a_sense_is_private_and_does_not_end_the_turn():
    ruling = last_ruling(None, "sense e7")
    assert (ruling.verdict, ruling.turn, ruling.outcome) == (Verdict.TOLD, Side.WHITE, None)
    assert ruling.slips.black is None
    assert [each.code for each in ruling.slips.white.facts] == ["sensed"]
    assert UMPIRE.fen(ruling.truth) == ARRAY


def test_r3_sense_and_move_in_one_order_are_judged_as_in_two():
    whole = last_ruling(None, "sense e7; e2e4")
    sensed, moved = rulings_after(None, "sense e7", "e2e4")[1:]
    assert whole.slips.white.facts == sensed.slips.white.facts + moved.slips.white.facts
    assert whole.slips.black == moved.slips.black
    assert whole.truth == moved.truth


def test_r4_exactly_the_possible_tries_are_accepted():
    """Every pair of squares, in positions from random games."""
    rng, seen = random.Random(4), 0
    for truth, side in positions(rng, games=2):
        if rng.random() > 0.05 or truth.seen is None:
            continue
        offered = set(UMPIRE.possible_tries(truth.sights[side]))
        for text in (a + b for a in SQUARE_NUMBER for b in SQUARE_NUMBER):
            made = UMPIRE.judge(truth, side, order_of(text)).verdict
            assert made is (Verdict.MOVED if {text, f"{text}q"} & offered else Verdict.UNREADABLE), text
        seen += 1
    assert seen > 5


def test_r4_before_a_sense_only_senses_are_possible_and_then_moves_or_a_pass():
    assert len(UMPIRE.possible_tries(sight_of(UMPIRE.start(), Side.WHITE))) == 65
    offered = UMPIRE.possible_tries(sight_of(last_ruling(None, "sense none"), Side.WHITE))
    assert {"pass", "e2e4", "e2d3", "b1c3"} <= set(offered)
    assert "a1a2" not in offered


def test_r5_and_r11_the_mover_is_told_the_requested_and_the_actual_move():
    ruling = last_ruling("4k3/8/8/r7/p7/8/8/R3K3 w - - 0 1", "sense none", "a1a8")
    assert dict(fact(ruling, Side.WHITE, "taken").data) == {"move": "a1a4", "asked": "a1a8"}
    assert dict(fact(ruling, Side.WHITE, "moved").data) == {"side": "white", "move": "a1a4"}
    assert dict(fact(ruling, Side.BLACK, "moved").data) == {"side": "white", "move": None}
    assert dict(fact(ruling, Side.BLACK, "capture").data) == {"side": "white", "square": "a4"}
    assert fact(ruling, Side.WHITE, "capture") is fact(ruling, Side.BLACK, "capture")
    assert "taken" not in [each.code for each in ruling.slips.black.facts]


@pytest.mark.parametrize(
    ("fen", "order", "asked"),
    [
        ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4d5", "e4d5"),
        ("4k3/8/8/4n3/4P3/8/8/4K3 w - - 0 1", "e4e5", "e4e5"),
        ("4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e2e4", "e2e4"),
        ("4k3/8/8/8/8/8/8/Rn2K3 w Q - 0 1", "o-o-o", "e1c1"),
        ("1r2k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8", "b7b8q"),
    ],
)
def test_r6_a_failed_move_leaves_the_board_unchanged_and_ends_the_turn(fen: str, order: str, asked: str):
    start, _, ruling = rulings_after(fen, "sense none", order)
    assert dict(fact(ruling, Side.WHITE, "taken").data) == {"move": None, "asked": asked}
    assert (ruling.verdict, ruling.turn) == (Verdict.MOVED, Side.BLACK)
    before, after = (UMPIRE.fen(each.truth).split() for each in (start, ruling))
    assert after == [before[0], "b", before[2], "-", "1", "1"]


def test_r6_and_r15_a_failure_a_pass_and_a_quiet_move_look_the_same_to_the_other_side():
    """Equal facts and sights."""
    fen = "4k3/8/8/4n3/4P3/8/P7/R3K3 w Q - 0 1"
    turns = ("e4e5", "e4d5", "a2a3", "o-o-o", "pass")
    slips = [
        last_ruling(fen, f"sense {square}; {text}").slips.black
        for square in ("none", "e5", "a1")
        for text in turns
    ]
    assert all(slip.facts == slips[0].facts and slip.sight == slips[0].sight for slip in slips)
    assert [each.code for each in slips[0].facts] == ["moved", "turn"]


def test_r7_and_d1_where_a_double_step_ends():
    short = last_ruling("4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", "sense none", "e2e4")
    assert dict(fact(short, Side.WHITE, "taken").data) == {"move": "e2e3", "asked": "e2e4"}
    assert UMPIRE.fen(short.truth) == "4k3/8/8/8/4p3/4P3/8/4K3 b - - 0 1"
    failed = last_ruling("4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "sense none", "e2e4")
    assert fact(failed, Side.WHITE, "taken")["move"] is None


def test_r8_checks_are_never_announced():
    ends = [ruling for seed in range(5) for ruling in random_game(seed)]
    codes = {each.code for ruling in ends for slip in both(ruling) for each in slip.facts}
    assert codes - {"draw"} == {"sensed", "moved", "taken", "capture", "turn", "king-captured", "unreadable"}


def test_r9_en_passant_is_possible_for_one_turn():
    double = last_ruling("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "sense none", "d7d5")
    assert UMPIRE.fen(double.truth).split()[3] == "d6"
    ruling = UMPIRE.judge(double.truth, Side.WHITE, order_of("sense none; e5d6"))
    assert fact(ruling, Side.WHITE, "capture")["square"] == "d5"
    assert UMPIRE.fen(ruling.truth) == "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2"
    late = UMPIRE.judge(double.truth, Side.WHITE, order_of("sense none; pass"))
    assert UMPIRE.fen(late.truth).split()[3] == "-"


def test_r10_only_its_player_is_told_of_a_promotion():
    fen = "8/1P2k3/8/8/8/8/8/4K3 w - - 0 1"
    queen, knight = (last_ruling(fen, "sense none", text) for text in ("b7b8", "b7b8n"))
    assert fact(queen, Side.WHITE, "taken")["move"] == "b7b8q"
    assert fact(knight, Side.WHITE, "taken")["move"] == "b7b8n"
    assert queen.slips.black == knight.slips.black


def test_r11_a_capture_names_neither_piece():
    taken_by = ["4k3/8/8/3q4/4P3/8/8/4K3", "4k3/8/8/3p4/4P3/8/8/4K3"]
    slips = [last_ruling(f"{men} w - - 0 1", "sense none; e4d5").slips.white for men in taken_by]
    assert slips[0].facts == slips[1].facts
    assert slips[0].sight == slips[1].sight
    by_pawn, by_bishop = (
        last_ruling(f"{men} w - - 0 1", f"sense none; {text}").slips.black
        for men, text in (("4k3/8/8/3n4/4P3/8/8/4K3", "e4d5"), ("4k3/8/8/3n4/4B3/8/8/4K3", "e4d5"))
    )
    assert (by_pawn.facts, by_pawn.sight) == (by_bishop.facts, by_bishop.sight)


def test_r11_a_side_knows_its_losses_but_only_the_number_of_its_captures():
    ruling = last_ruling("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "sense none; e4d5")
    assert sight_of(ruling, Side.WHITE).lost.black == Losses(1, None)
    assert sight_of(ruling, Side.BLACK).lost.black == Losses(1, 1)


def test_r12_a_captured_king_ends_the_game_and_shows_everything():
    ruling = last_ruling("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "sense none", "e1e8")
    assert (ruling.turn, ruling.outcome) == (None, Outcome(Side.WHITE, "king-captured"))
    assert [each.code for each in ruling.slips.black.facts] == ["moved", "capture", "king-captured"]
    assert fact(ruling, Side.BLACK, "king-captured") is fact(ruling, Side.WHITE, "king-captured")
    assert ruling.slips.white.sight.letters() == ruling.slips.black.sight.letters()
    assert "?" not in ruling.slips.white.sight.letters()
    assert UMPIRE.judge(ruling.truth, Side.BLACK, order_of("sense e4")).verdict is Verdict.OVER


def test_r12_resignation_agreement_and_time_end_the_game_too():
    truth = UMPIRE.start("4k3/8/8/8/8/8/8/K3R3 w - - 0 1").truth
    assert UMPIRE.resigned(truth, Side.BLACK).outcome == Outcome(Side.WHITE, "resignation")
    assert UMPIRE.agreed(truth).outcome == Outcome(None, "agreement")
    assert UMPIRE.flagged(truth, Side.BLACK).outcome == Outcome(Side.WHITE, "time")
    for ended in (
        UMPIRE.resigned(truth, Side.BLACK),
        UMPIRE.agreed(truth),
        UMPIRE.flagged(truth, Side.BLACK),
    ):
        assert UMPIRE.turn(ended.truth) is None
        assert ended.slips.white.sight.letters() == ended.slips.black.sight.letters()


def test_r12_running_out_of_time_always_loses():
    """G7: even against a bare king, who may still capture a king."""
    truth = UMPIRE.start("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1").truth
    ruling = UMPIRE.flagged(truth, Side.WHITE)
    assert ruling.outcome == Outcome(Side.BLACK, "time")
    assert heard(ruling, Side.WHITE) == ("White is out of time. Black wins.",)


def test_r13_a_repetition_does_not_end_the_game():
    shuffle = [f"sense none; {text}" for text in ["g1f3", "g8f6", "f3g1", "f6g8"] * 3]
    assert last_ruling(None, *shuffle).turn is Side.WHITE


def test_r13_a_hundred_passes_are_a_draw_but_ninety_nine_are_not():
    rulings = rulings_after(None, *["sense none; pass"] * 100)
    assert rulings[-2].outcome is None
    assert rulings[-1].outcome == Outcome(None, "fifty")
    assert fact(rulings[-1], Side.BLACK, "draw")["reason"] == "fifty"
    assert UMPIRE.plies(rulings[-1].truth) == 100


def test_r14_the_umpire_keeps_no_clock():
    """The clock belongs to the match: the umpire only hears that a side has run out of time."""
    assert not {name for name in dir(UMPIRE.start().truth) if "clock" in name or "time" in name}


# ---------------------------------------------------------------- what a player sees


def test_r15_sensed_squares_are_seen_until_the_own_move():
    """What is recalled of them later is in `tests/unit/game/memory.cases`."""
    start, sensed, moved, answered = rulings_after(None, "sense e7", "e2e4", "sense none; e7e5")
    assert shown(sight_of(start, Side.WHITE)) == {}
    assert shown(sight_of(sensed, Side.WHITE)) == {
        "d6": ".",
        "d7": "p",
        "d8": "q",
        "e6": ".",
        "e7": "p",
        "e8": "k",
        "f6": ".",
        "f7": "p",
        "f8": "b",
    }
    for ruling in (moved, answered):
        assert shown(sight_of(ruling, Side.WHITE)) == {}
    assert shown(sight_of(answered, Side.BLACK)) == {}


def test_r15_a_sight_has_the_number_of_the_own_turn():
    rulings = rulings_after(None, "sense none; e2e4", "sense e7", "pass", "sense none; pass")
    assert [sight_of(ruling, Side.WHITE).turn for ruling in rulings if ruling.slips.white] == [1, 1, 2, 2]
    assert [sight_of(ruling, Side.BLACK).turn for ruling in rulings if ruling.slips.black] == [0, 1, 1, 1, 2]


def test_r15_a_sight_says_if_a_sense_is_due():
    start, sensed, moved = rulings_after(None, "sense none", "e2e4")
    assert sight_of(start, Side.WHITE).sense_due
    assert not sight_of(sensed, Side.WHITE).sense_due
    assert sight_of(sensed, Side.BLACK).sense_due
    assert sight_of(moved, Side.BLACK).sense_due
    assert sight_of(moved, Side.WHITE).sense_due


def test_r15_a_sense_changes_nothing_for_the_other_side():
    for square in ("none", *SQUARE_NUMBER):
        ruling = last_ruling(None, f"sense {square}")
        assert sight_of(ruling, Side.BLACK) == sight_of(UMPIRE.start(), Side.BLACK)


def test_r15_a_score_has_own_passes_and_failures_but_only_captures_of_the_opponent():
    orders = (
        "sense none; e2e4",
        "sense none; d7d5",
        "sense none; e4d5",
        "sense none; pass",
        "sense none; d5e6",
        "sense none; d8d2",
    )
    slips_of = {side: slips(side, *orders) for side in Side}
    assert lines(slips_of[Side.WHITE]) == ("1. e2e4 ?", "2. e4xd5 ?", "3. (d5e6) ?xd5")
    assert lines(slips_of[Side.BLACK]) == ("1. ? d7d5", "2. ?xd5 pass", "3. ? d8xd5")


def slips(side: Side, *orders: str) -> list[Slip]:
    return [slip for ruling in rulings_after(None, *orders) if (slip := ruling.slips[side])]


def test_r16_after_a_sense_alone_the_move_comes_in_the_next_email():
    """The answer has the nine squares; a move or a pass comes next."""
    sensed = last_ruling(None, "sense e4")
    assert len(dict(fact(sensed, Side.WHITE, "sensed").plain["squares"])) == 9
    assert UMPIRE.judge(sensed.truth, Side.WHITE, order_of("pass")).verdict is Verdict.MOVED


# ---------------------------------------------------------------- the truth


def test_any_position_with_one_king_each_can_be_set_up():
    for fen in (
        "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
        "8/8/8/8/4kK2/8/8/8 w - - 0 1",
        "qqqqkqqq/qqqqqqqq/8/8/8/8/8/4K3 b - - 0 1",
    ):
        assert UMPIRE.fen(UMPIRE.start(fen).truth) == fen


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "a side has two kings"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn is on the first or last rank"),
        ("hello", "can't read this FEN"),
    ],
)
def test_an_impossible_position_is_refused(fen: str, why: str):
    with pytest.raises(Refused, match=why):
        UMPIRE.start(fen)


def test_a_packed_truth_keeps_the_phase_and_the_sensed_squares():
    for ruling in rulings_after(None, "sense e7", "e2e4", "sense d2", "pass", "sense none"):
        restored = UMPIRE.restore(UMPIRE.pack(ruling.truth))
        assert restored == ruling.truth
        assert (restored.seen, restored.sights) == (ruling.truth.seen, ruling.truth.sights)


#: The truth after "sense e7", packed in an older format that stored what either side had seen last.
OLD_FORMAT = bytes.fromhex(
    "520100000000003838380100000009002b2e33703b712c2e34703c6b2d2e35703d620200ff00000000ff004200000000"
    "0000422400000000000024810000000000008108000000000000081000000000000010ffff0000000000008100000000"
    "000081024000000100000000000000000000"
)


def test_an_older_packed_truth_can_be_read():
    assert UMPIRE.restore(OLD_FORMAT) == last_ruling(None, "sense e7").truth


def test_the_repr_of_a_truth_reveals_nothing():
    assert repr(last_ruling(None, "sense e7; e2e4").truth) == "<Truth after 1 moves>"


def test_the_umpire_says_what_the_cards_example_shows():
    *_, sensed, moved, announced = UMPIRE.card.example
    before = ("sense none; d2d4", "sense none; e7e5")
    ruling = last_ruling(None, *before, UMPIRE.card.example[0].removeprefix("You write "))
    heard_by_white = [f"{text}." for text in heard(ruling, Side.WHITE)]
    assert sensed == f"You hear: {heard_by_white[0]}"
    assert moved == f"And: {heard_by_white[1]} {heard_by_white[2]}"
    others = [f"{text}." for text in heard(ruling, Side.BLACK)]
    assert announced == f"Your opponent hears: {others[0]} {others[1]}"


def test_r4_hidden_pieces_never_decide_what_is_readable():
    """With all enemy pieces but the king removed, or turned into queens, the same orders are unreadable."""
    rng, compared = random.Random(11), 0
    squares = list(SQUARE_NUMBER)
    for truth, side in positions(rng, games=2):
        if truth.seen is None or rng.random() > 0.2:
            continue
        hidden = truth.board.occupied_co[side is Side.BLACK] & ~truth.board.kings
        bare = truth.board.transform(lambda men, hidden=hidden: men & ~hidden)
        full = truth.board.copy()
        for square in squares_of(hidden):
            full.set_piece_at(square, chess.Piece(chess.QUEEN, side is Side.BLACK))
        for text in (*(rng.choice(squares) + rng.choice(squares) for _ in range(200)), "o-o", "o-o-o"):
            one, other = (
                UMPIRE.judge(truth._replace(board=board), side, order_of(text)) for board in (bare, full)
            )
            assert one.verdict is other.verdict
            if one.verdict is Verdict.UNREADABLE:
                assert one.slips[side].facts == other.slips[side].facts
                compared += 1
    assert compared > 1000


def positions(rng: random.Random, games: int) -> list[tuple[Truth, Side]]:
    """Return truths from random games, each with the side to move."""
    found = []
    for _ in range(games):
        ruling = UMPIRE.start()
        while ruling.turn:
            found.append((ruling.truth, ruling.turn))
            option = rng.choice(UMPIRE.possible_tries(ruling.truth.sights[ruling.turn]))
            ruling = UMPIRE.judge(ruling.truth, ruling.turn, order_of(option))
    return found


def random_game(seed: int) -> list[Ruling]:
    """Judge one order in each position of a random game, sometimes one of another variant."""
    rng = random.Random(seed)
    return [
        UMPIRE.judge(truth, side, order_of(rng.choice((*UMPIRE.possible_tries(truth.sights[side]), "any?"))))
        for truth, side in positions(rng, games=1)
    ]


def both(ruling: Ruling) -> list[Slip]:
    return [slip for side in Side if (slip := ruling.slips[side])]
