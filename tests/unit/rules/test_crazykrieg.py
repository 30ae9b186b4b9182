"""CrazyKrieg: rulings that its table of positions can't show."""

from __future__ import annotations

import random

import chess
import pytest
from chess.variant import CrazyhouseBoard

from corr.rules.core.try_lists import try_one_by_one
from corr.rules.core.umpire import Ruling
from corr.rules.variants import find_umpire
from corr.words.board import SQUARES, Pair, PieceKind, Side
from corr.words.errors import Refused
from corr.words.orders import Ask, Move, Order
from corr.words.slips import Fact, Losses, Verdict
from tests.support.umpire_cases import heard, order_of
from tests.unit.rules.test_classic import all_sentences, branches

UMPIRE = find_umpire("crazykrieg")
TRY = "4k3/8/8/3p4/4P3/8/P7/4K3[N] w - - 0 1"
NO = "4k3/8/8/8/4P3/8/P7/4K3[N] w - - 0 1"
HELD = "Not tried: you could have seen it's impossible"


def ruling_after(fen: str | None, *orders: str | Order) -> Ruling:
    """Return the last ruling after these orders of the side to move."""
    ruling = UMPIRE.start(fen)
    for order in orders:
        assert ruling.turn
        ruling = UMPIRE.judge(ruling.truth, ruling.turn, order_of(order) if isinstance(order, str) else order)
    return ruling


def fact(ruling: Ruling, side: Side, code: str) -> Fact:
    slip = ruling.slips[side]
    assert slip
    return next(fact for fact in slip.facts if fact.code == code)


def fen_after(fen: str | None, *orders: str) -> str:
    return UMPIRE.fen(ruling_after(fen, *orders).truth)


# ---------------------------------------------------------------- positions


@pytest.mark.parametrize(
    "fen",
    [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
        "r3k3/1P6/8/8/8/8/8/4K3[] w - - 0 1",
        "4k2N~/8/8/8/8/8/8/Q~3K3[QRBNPqqp] b - - 17 40",
        "4k3/8/8/8/4pP2/8/8/4K3[p] b - f3 0 1",
    ],
)
def test_a_fen_is_read_and_written_as_in_crazyhouse(fen: str):
    """Z1: reserves in brackets, `~` after a promoted piece."""
    assert fen_after(fen) == fen == CrazyhouseBoard(fen).fen()


def test_a_game_begins_with_the_normal_array():
    """Z1."""
    assert fen_after(None) == CrazyhouseBoard().fen()


def test_reserves_in_a_fen_may_be_unordered_or_missing():
    assert fen_after("4k3/8/8/8/8/8/8/4K3[pPNqQ] w - - 0 1") == "4k3/8/8/8/8/8/8/4K3[QNPqp] w - - 0 1"
    assert fen_after("4k3/8/8/8/8/8/8/4K3 w - - 0 1") == "4k3/8/8/8/8/8/8/4K3[] w - - 0 1"


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/8/4K3[K] w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3[x] w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3[N w - - 0 1",
        f"4k3/8/8/8/8/8/8/4K3[{'P' * 31}] w - - 0 1",
        "8/8/8/8/8/8/8/4K3[] w - - 0 1",
    ],
)
def test_an_impossible_position_is_refused(fen: str):
    with pytest.raises(Refused):
        UMPIRE.start(fen)


def test_a_promoted_rook_has_no_castling_right():
    """Z11."""
    assert fen_after("4k3/8/8/8/8/8/8/R3K2R~[] w KQ - 0 1") == "4k3/8/8/8/8/8/8/R3K2R~[] w Q - 0 1"


def test_only_crazykrieg_marks_promoted_pieces():
    for variant in ("wild16", "classic"):
        slip = find_umpire(variant).start("4k3/8/8/8/8/8/8/Q~3K3 w - - 0 1").slips.white
        assert slip
        assert slip.sight.promoted == 0


# ---------------------------------------------------------------- what programs read


def test_a_refusal_names_the_side_but_not_the_attempt():
    """Z3: neither piece nor square, and a refused question has its own code."""
    for order, code in (("N@e8", "illegal"), ("Q@e7", "impossible")):
        ruling = ruling_after(TRY, order)
        for slip in (ruling.slips.white, ruling.slips.black):
            assert slip
            assert [(each.code, dict(each.data)) for each in slip.facts] == [(code, {"side": "white"})]
    assert fact(ruling_after(TRY, Ask()), Side.BLACK, "any")["answer"] is True


def test_only_the_own_side_learns_the_square_of_a_drop():
    """Z5: the reserve shows the kind of piece, but not the square."""
    ruling = ruling_after(TRY, "N@a3")
    assert dict(fact(ruling, Side.WHITE, "dropped").data) == {
        "side": "white",
        "man": "knight",
        "move": "N@a3",
    }
    assert dict(fact(ruling, Side.BLACK, "dropped").data) == {"side": "white", "man": "knight", "move": None}


def test_drops_on_different_squares_look_the_same_to_the_other_side():
    """Z5, Z13: two equal slips."""
    one, other = (ruling_after(TRY, drop).slips.black for drop in ("N@a3", "N@h8"))
    assert one == other


def test_a_capture_announces_what_enters_the_reserve():
    """Z6: as the piece enters a reserve, both know it."""
    ruling = ruling_after("r3k3/1P6/8/8/8/8/8/4K3[] w - - 0 1", "b7b8q", "a8b8")
    assert dict(fact(ruling, Side.WHITE, "capture").data) == {
        "side": "black",
        "square": "b8",
        "man": "pawn",
        "en_passant": False,
    }
    assert dict(fact(ruling, Side.WHITE, "reserves").data) == {"white": "", "black": "p"}


def test_reserves_are_announced_at_the_start_and_after_each_change():
    """Z2: and not after a quiet move."""

    def codes(*orders: str) -> list[str]:
        slip = ruling_after(TRY, *orders).slips.black
        assert slip
        return [each.code for each in slip.facts]

    assert codes() == ["reserves", "turn"]
    assert codes("N@a3") == ["dropped", "reserves", "turn"]
    assert codes("e4d5") == ["moved", "capture", "reserves", "turn"]
    assert codes("e1e2") == ["moved", "turn"]


# ---------------------------------------------------------------- what a side sees


def test_both_sides_see_both_reserves():
    """Z2, Z13."""
    for orders, reserves in (((), Pair("N", "")), (("e4d5",), Pair("NP", "")), (("N@a3",), Pair("", ""))):
        slips = ruling_after(TRY, *orders).slips
        for slip in (slips.white, slips.black):
            assert slip
            assert slip.sight.reserves == reserves


def test_a_side_sees_its_own_promoted_pieces_and_at_the_end_all():
    """Z10, Z13: the other side isn't told of a promotion."""
    ruling = ruling_after(
        "r3k3/1P6/8/8/8/8/p7/4K3[] w - - 0 1", "b7b8q", "e8e7", "b8b4", "e7e8", "b4b5", "e8d8"
    )
    assert ruling.slips.white
    assert ruling.slips.black
    assert ruling.slips.white.sight.promoted == 1 << SQUARES.index("b5")
    assert ruling.slips.black.sight.promoted == 0
    over = UMPIRE.agreed(ruling.truth)
    assert over.slips.black
    assert over.slips.black.sight.promoted == 1 << SQUARES.index("b5")
    assert over.slips.black.sight.reserves == Pair("", "")


def test_losses_are_counted_without_saying_how_many_were_pawns():
    """Z13."""
    ruling = ruling_after(TRY, "e4d5")
    for slip in (ruling.slips.white, ruling.slips.black):
        assert slip
        assert slip.sight.lost == Pair(Losses(0, None), Losses(1, None))


def test_more_than_255_losses_are_possible():
    lost = Pair(Losses(255, None), Losses(255, None))
    ruling = UMPIRE.judge(UMPIRE.start(TRY).truth._replace(lost=lost), Side.WHITE, order_of("e4d5"))
    restored = UMPIRE.restore(UMPIRE.pack(ruling.truth))

    assert restored == ruling.truth
    assert restored.lost.black == Losses(256, None)


def test_pieces_on_the_board_are_sixteen_minus_lost_plus_dropped():
    """Z13: a side has dropped what it has captured and no longer holds."""
    rng, ruling = random.Random(13), UMPIRE.start()
    while ruling.turn and ruling.truth.board.ply() < 120:
        legal = sorted(move.uci() for move in CrazyhouseBoard(UMPIRE.fen(ruling.truth)).legal_moves)
        ruling = UMPIRE.judge(ruling.truth, ruling.turn, order_of(rng.choice(legal)))
        sight = ruling.truth.sights.white
        for side in Side:
            dropped = sight.lost[side.other].men - len(sight.reserves[side])
            there = ruling.truth.board.occupied_co[side is Side.WHITE].bit_count()
            assert there == 16 - sight.lost[side].men + dropped
    assert ruling.truth.lost.white.men > 3


def test_possible_tries_include_every_drop_on_a_free_square():
    """Z4: enemy pieces don't matter."""
    slip = UMPIRE.start("4k3/8/8/3p4/8/8/8/4K3[NP] w - - 0 1").slips.white
    assert slip
    drops = {text for text in UMPIRE.possible_tries(slip.sight) if "@" in text}
    assert drops == {f"N@{square}" for square in SQUARES if square != "e1"} | {
        f"P@{square}" for square in SQUARES if square[1] not in "18"
    }


# ---------------------------------------------------------------- the question


def rulings_on(fen: str, order: Order) -> list[Ruling]:
    """Return the rulings on a question and on each move tried after it."""
    return [ruling for _, ruling in try_one_by_one(UMPIRE, UMPIRE.start(fen).truth, Side.WHITE, order)]


def test_the_drop_given_for_the_answer_no_is_made():
    """Z9: in one email."""
    assert all_sentences(rulings_on(NO, branches(yes="e4d5", no="N@f3")), Side.BLACK) == (
        "White asked Any?: No.",
        "White dropped a knight.",
        "White's reserve: nothing. Black's reserve: nothing.",
        "Black's move",
    )
    assert rulings_on(TRY, branches(yes="e4d5", no="N@f3"))[-1].verdict is Verdict.MOVED


@pytest.mark.parametrize(
    ("fen", "answer", "move"), [(TRY, "Try", "N@f3"), (TRY, "Try", "a2a3"), (NO, "No", "e4d5")]
)
def test_a_move_that_the_answer_rules_out_is_held_back_in_private(fen: str, answer: str, move: str):
    """Z9: an "Impossible" that both hear must be the player's own fault."""
    rulings = rulings_on(fen, branches(yes=move, no=move))
    answered = f"White asked Any?: {answer}."
    assert all_sentences(rulings, Side.BLACK) == (answered,)
    assert all_sentences(rulings, Side.WHITE) == (answered, HELD)
    assert (rulings[-1].verdict, rulings[-1].turn) == (Verdict.HELD, Side.WHITE)


def test_nothing_is_asked_if_a_move_is_unreadable():
    """C16, as in Classic."""
    (ruling,) = rulings_on(TRY, branches(yes="e4d5n"))
    assert ruling.verdict is Verdict.UNREADABLE
    assert ruling.slips.black is None


def test_questions_and_refusals_survive_a_restart():
    """Z9, G6.f: a refused drop is known by its piece and square."""
    ruling = ruling_after(TRY, "N@d5", "N@e8", Ask())
    for text, verdict in (
        ("N@f3", Verdict.NONSENSE),
        ("e4f5", Verdict.REFUSED),
        ("N@d5", Verdict.NONSENSE),
        ("N@e8", Verdict.NONSENSE),
        ("N@f3", Verdict.MOVED),
    ):
        ruling = UMPIRE.judge(UMPIRE.restore(UMPIRE.pack(ruling.truth)), Side.WHITE, order_of(text))
        assert ruling.verdict is verdict, text


# ---------------------------------------------------------------- the end


def test_running_out_of_time_always_loses():
    """G7: the other side might still capture pieces and drop them."""
    ruling = UMPIRE.flagged(UMPIRE.start("4k3/8/8/8/8/8/8/4K3[] w - - 0 1").truth, Side.WHITE)
    assert ruling.outcome
    assert ruling.outcome.winner is Side.BLACK
    assert heard(ruling, Side.WHITE) == ("White is out of time. Black wins.",)


SHUFFLE = ("h1h2", "e8d8", "h2h1", "d8e8")


def test_a_position_can_repeat_after_captures_and_drops():
    """Z12: only castling rights are lost for good, so any position since then can come again."""
    orders = ("N@d5", "d8d5", "g1h1", "N@d4", "d1d4", "d5d8", "d4d1", "g8h8", "h1g1", "h8g8")
    fen = "3r2k1/8/8/8/8/8/8/3R2K1[N] w - - 0 1"
    once = ruling_after(fen, *orders)
    assert UMPIRE.fen(once.truth).split(" ")[:2] == fen.split(" ")[:2]
    assert once.outcome is None
    twice = ruling_after(fen, *orders, *orders)
    assert twice.outcome
    assert twice.outcome.reason == "repetition"


def test_a_different_reserve_makes_a_different_position():
    """Z12: the key includes the reserves."""
    fen = "4k3/8/8/8/8/8/8/4K2R[N] w - - 0 1"
    first = ruling_after(fen, *SHUFFLE)
    other = UMPIRE.start(fen.replace("[N]", "[B]"))
    assert first.truth.keys[-8:] == first.truth.keys[:8]
    assert other.truth.keys != first.truth.keys[:8]
    assert UMPIRE.start(fen.replace("[N]", "[n]")).truth.keys != first.truth.keys[:8]


def test_a_promotion_mark_makes_a_different_position():
    """Z12: the key includes the marks."""
    keys = {UMPIRE.start(f"4k3/8/8/8/8/8/8/{rank}[] w - - 0 1").truth.keys for rank in ("4K2R", "4K2R~")}
    assert len(keys) == 2


def test_the_hundred_plies_begin_at_the_last_pawn_move_capture_or_drop():
    """Z12: python-chess doesn't reset its count after a drop."""
    fen = "4k3/8/8/8/8/8/P7/4K3[P] w - - 60 80"
    assert CrazyhouseBoard(fen).halfmove_clock == 60
    assert [fen_after(fen, order).split(" ")[4] for order in ("P@e4", "a2a3", "e1e2")] == ["0", "0", "61"]


# ---------------------------------------------------------------- against python-chess


def orders_of(board: CrazyhouseBoard) -> dict[str, Order]:
    """Return every pair of squares and every drop, named as in python-chess."""
    found: dict[str, Order] = {}
    for origin in range(64):
        pawn = board.pawns >> origin & 1
        for target in range(64):
            last = pawn and chess.square_rank(target) in (0, 7)
            for man in (PieceKind.QUEEN, PieceKind.KNIGHT) if last else (None,):
                move = Move(origin, target, man)
                found[str(move)] = move
    drops = [f"{man.letter}@{square}" for man in list(PieceKind)[:5] for square in SQUARES]
    return found | {text: order_of(text) for text in drops}


def test_legal_moves_and_positions_match_python_chess():
    """Z4, Z6, Z8, Z11: whole random games, with every move and drop in some of their positions."""
    rng, compared, drops, marked = random.Random(5), 0, 0, 0
    for _ in range(12):
        board, ruling = CrazyhouseBoard(), UMPIRE.start()
        while ruling.turn and board.ply() < 160:
            if rng.random() < 0.04:
                compare(board, ruling)
                compared += 1
            move = rng.choice(sorted(board.legal_moves, key=str))
            board.push(move)
            drops += bool(move.drop)
            marked += bool(board.promoted)
            ruling = UMPIRE.judge(ruling.truth, ruling.turn, order_of(move.uci()))
            assert ruling.verdict is Verdict.MOVED
            assert without_clock(UMPIRE.fen(ruling.truth)) == without_clock(board.fen())
            assert not ruling.outcome or ruling.outcome.reason in (
                "fifty",
                "repetition",
                "checkmate" if board.is_checkmate() else "stalemate",
            )
            assert ruling.outcome or any(board.legal_moves)
    assert compared > 40
    assert drops > 100
    assert marked > 20


def compare(board: CrazyhouseBoard, ruling: Ruling) -> None:
    legal = {move.uci() for move in board.legal_moves}
    side = ruling.turn
    assert side
    for text, order in orders_of(board).items():
        is_made = UMPIRE.judge(ruling.truth, side, order).verdict is Verdict.MOVED
        assert is_made == (text in legal), f"{board.fen()} {text}"


def without_clock(fen: str) -> list[str]:
    """Return a FEN without the halfmove clock, which a drop resets here but not in python-chess."""
    fields = fen.split(" ")
    return fields[:4] + fields[5:]
