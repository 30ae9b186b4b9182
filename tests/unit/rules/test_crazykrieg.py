"""CrazyKrieg says exactly what a table of positions says it says, to both, with either colour."""

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
from corr.words.orders import Ask, Move, Order, Tries
from corr.words.slips import Fact, Losses, Verdict
from tests.support.umpire_cases import Case, cases_of, heard, judged, order_of

UMPIRE = find_umpire("crazykrieg")
TRY = "4k3/8/8/3p4/4P3/8/P7/4K3[N] w - - 0 1"
NO = "4k3/8/8/8/4P3/8/P7/4K3[N] w - - 0 1"
HELD = "Not tried: you could have seen it's impossible"


def verdict_of(sentences: tuple[str, ...]) -> Verdict:
    last = sentences[-1]
    if "tried" in last:
        return Verdict.NONSENSE if "Impossible" in last else Verdict.REFUSED
    return Verdict.TOLD if "Any?" in last else Verdict.MOVED


@pytest.mark.parametrize("case", cases_of("crazykrieg"), ids=lambda case: case.title)
def test_the_umpire_says_what_the_table_says_and_both_hear_it(case: Case):
    """Z1 to Z12, case by case."""
    ruling = UMPIRE.start(case.fen)
    for line in case.lines:
        side, before = ruling.turn or Side.WHITE, ruling.truth
        if line.order != "start":
            ruling = judged(UMPIRE, ruling.truth, side, line.order)
            assert ruling.verdict is (Verdict.UNREADABLE if line.puzzled else verdict_of(line.heard))
        assert heard(ruling, side) == line.heard
        assert heard(ruling, side.other) == (None if line.puzzled else line.overheard or line.heard)
        assert not line.puzzled or ruling.truth is before


def played(fen: str | None, *orders: str | Order) -> Ruling:
    """The last ruling after these orders, each by the side to move."""
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
    return UMPIRE.fen(played(fen, *orders).truth)


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
def test_a_position_is_read_and_written_as_crazyhouse_writes_it(fen: str):
    """Z1: reserves in brackets, `~` after a man that was a pawn."""
    assert fen_after(fen) == fen == CrazyhouseBoard(fen).fen()


def test_the_normal_array_is_where_a_game_begins():
    """Z1."""
    assert fen_after(None) == CrazyhouseBoard().fen()


def test_reserves_may_be_written_in_any_order_or_left_out():
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
def test_a_position_that_nobody_can_play_is_refused(fen: str):
    with pytest.raises(Refused):
        UMPIRE.start(fen)


def test_a_rook_that_was_a_pawn_has_no_right_to_castle():
    """Z11."""
    assert fen_after("4k3/8/8/8/8/8/8/R3K2R~[] w KQ - 0 1") == "4k3/8/8/8/8/8/8/R3K2R~[] w Q - 0 1"


def test_only_crazykrieg_marks_what_was_promoted():
    for variant in ("wild16", "classic"):
        slip = find_umpire(variant).start("4k3/8/8/8/8/8/8/Q~3K3 w - - 0 1").slips.white
        assert slip
        assert slip.sight.promoted == 0


# ---------------------------------------------------------------- what programs read


def test_a_refusal_says_whose_it_was_and_not_what_was_tried():
    """Z3: neither the man nor the square, and a refused question has a code of its own."""
    for order, code in (("N@e8", "illegal"), ("Q@e7", "impossible")):
        ruling = played(TRY, order)
        for slip in (ruling.slips.white, ruling.slips.black):
            assert slip
            assert [(each.code, dict(each.data)) for each in slip.facts] == [(code, {"side": "white"})]
    assert fact(played(TRY, Ask()), Side.BLACK, "any")["answer"] is True


def test_a_drop_tells_its_square_to_its_own_side_alone():
    """Z5: the type is public through the reserve, the square is not."""
    ruling = played(TRY, "N@a3")
    assert dict(fact(ruling, Side.WHITE, "dropped").data) == {
        "side": "white",
        "man": "knight",
        "move": "N@a3",
    }
    assert dict(fact(ruling, Side.BLACK, "dropped").data) == {"side": "white", "man": "knight", "move": None}


def test_drops_on_different_squares_are_one_to_the_other_side():
    """Z5, Z13: two slips that nothing tells apart."""
    one, other = (played(TRY, drop).slips.black for drop in ("N@a3", "N@h8"))
    assert one == other


def test_a_capture_tells_what_enters_the_reserve():
    """Z6: the identity is the reserve's."""
    ruling = played("r3k3/1P6/8/8/8/8/8/4K3[] w - - 0 1", "b7b8q", "a8b8")
    assert dict(fact(ruling, Side.WHITE, "capture").data) == {
        "side": "black",
        "square": "b8",
        "man": "pawn",
        "en_passant": False,
    }
    assert dict(fact(ruling, Side.WHITE, "reserves").data) == {"white": "", "black": "p"}


def test_both_reserves_are_told_at_the_start_and_whenever_one_has_changed():
    """Z2: and not after a quiet move."""

    def codes(*orders: str) -> list[str]:
        slip = played(TRY, *orders).slips.black
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
        slips = played(TRY, *orders).slips
        for slip in (slips.white, slips.black):
            assert slip
            assert slip.sight.reserves == reserves


def test_a_side_sees_which_of_its_own_men_were_pawns_and_at_the_end_all_of_them():
    """Z10, Z13: the other side is not told of a promotion."""
    ruling = played("r3k3/1P6/8/8/8/8/p7/4K3[] w - - 0 1", "b7b8q", "e8e7", "b8b4", "e7e8", "b4b5", "e8d8")
    assert ruling.slips.white
    assert ruling.slips.black
    assert ruling.slips.white.sight.promoted == 1 << SQUARES.index("b5")
    assert ruling.slips.black.sight.promoted == 0
    over = UMPIRE.agreed(ruling.truth)
    assert over.slips.black
    assert over.slips.black.sight.promoted == 1 << SQUARES.index("b5")
    assert over.slips.black.sight.reserves == Pair("", "")


def test_the_men_lost_are_counted_and_not_how_many_of_them_were_pawns():
    """Z13."""
    ruling = played(TRY, "e4d5")
    for slip in (ruling.slips.white, ruling.slips.black):
        assert slip
        assert slip.sight.lost == Pair(Losses(0, None), Losses(1, None))


def test_a_game_goes_on_after_a_side_has_lost_more_men_than_a_byte_counts():
    lost = Pair(Losses(255, None), Losses(255, None))
    ruling = UMPIRE.judge(UMPIRE.start(TRY).truth._replace(lost=lost), Side.WHITE, order_of("e4d5"))
    restored = UMPIRE.restore(UMPIRE.pack(ruling.truth))

    assert restored == ruling.truth
    assert restored.lost.black == Losses(256, None)


def test_the_men_on_the_board_are_sixteen_less_those_lost_and_more_those_dropped():
    """Z13: what a side has dropped is what it has taken and no longer holds."""
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


def test_moves_that_may_be_tried_hold_every_drop_that_own_men_allow():
    """Z4: enemies are not asked."""
    slip = UMPIRE.start("4k3/8/8/3p4/8/8/8/4K3[NP] w - - 0 1").slips.white
    assert slip
    drops = {text for text in UMPIRE.possible_tries(slip.sight) if "@" in text}
    assert drops == {f"N@{square}" for square in SQUARES if square != "e1"} | {
        f"P@{square}" for square in SQUARES if square[1] not in "18"
    }


# ---------------------------------------------------------------- the question


def branches(yes: str = "", no: str = "") -> Ask:
    """`any?` with what to try after either answer."""
    tries = [Tries((order_of(text),)) if text else None for text in (yes, no)]
    return Ask(*tries)


def tried(fen: str, order: Order) -> list[Ruling]:
    """What becomes of a question and of each move that is tried after it."""
    return [ruling for _, ruling in try_one_by_one(UMPIRE, UMPIRE.start(fen).truth, Side.WHITE, order)]


def all_heard(rulings: list[Ruling], side: Side) -> tuple[str, ...]:
    return tuple(text for ruling in rulings for text in heard(ruling, side) or ())


def test_after_no_the_drop_that_is_written_for_it_is_made():
    """Z9: in one letter."""
    assert all_heard(tried(NO, branches(yes="e4d5", no="N@f3")), Side.BLACK) == (
        "White asked Any?: No.",
        "White dropped a knight.",
        "White's reserve: nothing. Black's reserve: nothing.",
        "Black's move",
    )
    assert tried(TRY, branches(yes="e4d5", no="N@f3"))[-1].verdict is Verdict.MOVED


@pytest.mark.parametrize(
    ("fen", "answer", "move"), [(TRY, "Try", "N@f3"), (TRY, "Try", "a2a3"), (NO, "No", "e4d5")]
)
def test_what_the_answer_rules_out_is_held_back_and_only_its_player_is_told(fen: str, answer: str, move: str):
    """Z9: an Impossible that both hear must be the player's own doing."""
    rulings = tried(fen, branches(yes=move, no=move))
    said = f"White asked Any?: {answer}."
    assert all_heard(rulings, Side.BLACK) == (said,)
    assert all_heard(rulings, Side.WHITE) == (said, HELD)
    assert (rulings[-1].verdict, rulings[-1].turn) == (Verdict.HELD, Side.WHITE)


def test_nothing_is_asked_beside_a_move_that_cannot_be_read():
    """C16 as in Classic."""
    (ruling,) = tried(TRY, branches(yes="e4d5n"))
    assert ruling.verdict is Verdict.UNREADABLE
    assert ruling.slips.black is None


def test_what_was_asked_and_refused_is_kept_over_a_restart():
    """Z9, G6.f: a refused drop is known by its man and its square."""
    ruling = played(TRY, "N@d5", "N@e8", Ask())
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


def test_out_of_time_always_loses():
    """G7: the other side might yet take men and drop them."""
    ruling = UMPIRE.flagged(UMPIRE.start("4k3/8/8/8/8/8/8/4K3[] w - - 0 1").truth, Side.WHITE)
    assert ruling.outcome
    assert ruling.outcome.winner is Side.BLACK
    assert heard(ruling, Side.WHITE) == ("White is out of time. Black wins.",)


SHUFFLE = ("h1h2", "e8d8", "h2h1", "d8e8")


def test_a_position_comes_again_even_after_its_men_were_taken_and_dropped():
    """Z12: nothing but a right to castle is lost for good, so every position since then may come again."""
    orders = ("N@d5", "d8d5", "g1h1", "N@d4", "d1d4", "d5d8", "d4d1", "g8h8", "h1g1", "h8g8")
    fen = "3r2k1/8/8/8/8/8/8/3R2K1[N] w - - 0 1"
    once = played(fen, *orders)
    assert UMPIRE.fen(once.truth).split(" ")[:2] == fen.split(" ")[:2]
    assert once.outcome is None
    twice = played(fen, *orders, *orders)
    assert twice.outcome
    assert twice.outcome.reason == "repetition"


def test_a_position_with_another_reserve_is_another_position():
    """Z12: the key includes the reserves."""
    fen = "4k3/8/8/8/8/8/8/4K2R[N] w - - 0 1"
    first = played(fen, *SHUFFLE)
    other = UMPIRE.start(fen.replace("[N]", "[B]"))
    assert first.truth.keys[-8:] == first.truth.keys[:8]
    assert other.truth.keys != first.truth.keys[:8]
    assert UMPIRE.start(fen.replace("[N]", "[n]")).truth.keys != first.truth.keys[:8]


def test_a_position_with_another_promoted_man_is_another_position():
    """Z12: the key includes the marks."""
    keys = {UMPIRE.start(f"4k3/8/8/8/8/8/8/{rank}[] w - - 0 1").truth.keys for rank in ("4K2R", "4K2R~")}
    assert len(keys) == 2


def test_a_hundred_plies_are_counted_from_the_last_pawn_move_capture_or_drop():
    """Z12: python-chess counts on after a drop."""
    fen = "4k3/8/8/8/8/8/P7/4K3[P] w - - 60 80"
    assert CrazyhouseBoard(fen).halfmove_clock == 60
    assert [fen_after(fen, order).split(" ")[4] for order in ("P@e4", "a2a3", "e1e2")] == ["0", "0", "61"]


# ---------------------------------------------------------------- against python-chess


def orders_of(board: CrazyhouseBoard) -> dict[str, Order]:
    """Every pair of squares and every drop, as python-chess writes them."""
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


def test_what_is_legal_and_what_becomes_of_it_is_as_python_chess_has_it():
    """Z4, Z6, Z8, Z11: whole random games, every move and drop in some of their positions."""
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
        made = UMPIRE.judge(ruling.truth, side, order).verdict is Verdict.MOVED
        assert made == (text in legal), f"{board.fen()} {text}"


def without_clock(fen: str) -> list[str]:
    """A position without the halfmove clock, which a drop sets back by ruling."""
    fields = fen.split(" ")
    return fields[:4] + fields[5:]
