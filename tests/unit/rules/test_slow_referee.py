"""The slow referee follows docs/rulings.md: each case is an example of the ruling that it names."""

from __future__ import annotations

import random
from collections.abc import Sequence

import chess
import pytest

from tests.support.slow_referee import (
    FILES,
    OWN_HALF,
    Move,
    Position,
    Side,
    Variant,
    after,
    captured,
    castling_moves,
    castling_rights,
    check_kinds,
    checkers,
    clash,
    ending,
    faults,
    from_fen,
    is_spy_move,
    joined,
    key,
    legal_moves,
    pawn_tries,
    spy_report,
    to_fen,
)

BOTH: tuple[Variant, ...] = ("assassin", "welbeck")
in_both_variants = pytest.mark.parametrize("variant", BOTH)
either_colour = pytest.mark.parametrize("colours", ["as ruled", "swapped"])

ROYALTY = ("K", "Q", "R", "R", "B", "B", "N", "N")
WHITE = [man + file + "1" for man, file in zip(ROYALTY, "edahcfbg", strict=True)] + [f"P{f}2" for f in FILES]
BLACK = [man + file + "8" for man, file in zip(ROYALTY, "edahcfbg", strict=True)] + [f"P{f}7" for f in FILES]


def table(names: str, text: str) -> pytest.MarkDecorator:
    """Parametrize a test with a table: each line has the ruling and then the columns."""
    rows = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
    return pytest.mark.parametrize(names.split(), [pytest.param(*row[1:], id=row[0]) for row in rows])


def flip(square: str) -> str:
    return square[0] + str(9 - int(square[1]))


def seen_as(square: str, colours: str) -> str:
    return flip(square) if colours == "swapped" else square


def place(fen: str, variant: Variant = "assassin", colours: str = "as ruled") -> Position:
    """Return the position of a FEN, which may lack its last fields."""
    board, turn, castling, target, *clocks = fen.split() + ["-", "-", "0", "1"][len(fen.split()) - 2 :]
    if colours == "swapped":
        board = "/".join(reversed(board.swapcase().split("/")))
        turn = "b" if turn == "w" else "w"
        castling = castling.swapcase()
        target = target if target == "-" else flip(target)
    return from_fen(" ".join([board, turn, castling, target, *clocks]), variant)


def read(text: str, colours: str = "as ruled") -> Move:
    return seen_as(text[:2], colours), seen_as(text[2:4], colours), text[4:] or None


def with_changes(men: Sequence[str], changes: str) -> list[str]:
    """Change a deployment: `Pe2-Pe4` replaces a piece, `Pe2-` removes one, and `-Pe4` adds one."""
    found = list(men)
    for change in changes.split():
        old, new = change.split("-")
        found = [man for man in found if man != old] + ([new] if new else [])
    return found


def flipped(men: Sequence[str]) -> list[str]:
    return [man[0] + flip(man[1:]) for man in men]


def outcome(before: Position, move: Move) -> str:
    """Return "illegal", or the checks after the move, and how the game ends for the mover."""
    if move not in legal_moves(before):
        return "illegal"
    position = after(before, move)
    words = sorted(check_kinds(position))
    end = ending(position, [key(before), key(position)], position.clock)
    if end:
        results = {None: "draw", before.side: "win", position.side: "loss"}
        words += [end[0], results[end[1]]]
    return " ".join(words) or "legal"


@either_colour
@table(
    "variant fen move expected",
    """
    AS-7 a spy gives no check            | assassin | 4k3/8/8/8/4N3/8/8/Q3K3 w | e4f6 | legal
    AS-7 a spy captures nothing          | assassin | 4k3/8/5p2/8/4N3/8/8/Q3K3 w | e4f6 | illegal
    AS-7 nor a piece giving check        | assassin | 4k3/8/8/8/8/8/2N5/q3K3 w | c2a1 | illegal
    AS-7 a spy may block a check         | assassin | 4k3/8/8/8/8/2N5/8/q3K3 w | c3b1 | legal
    AS-7 no spy helps against mate       | assassin | 6k1/5ppp/2n5/8/8/8/8/3QK3 w | d1d8 | rank checkmate win
    AS-7 but a knight does               | welbeck  | 6k1/5ppp/2n5/8/8/8/8/3QK3 w | d1d8 | rank
    AS-7 a king may step beside a spy    | assassin | 4k3/8/8/8/8/5n2/8/3K3Q w | d1e1 | legal
    AS-7 but not beside a knight         | welbeck  | 4k3/8/8/8/8/5n2/8/3K3Q w | d1e1 | illegal
    AS-7 a spy may be pinned             | assassin | 4k3/8/8/8/4r3/8/4N3/Q3K3 w | e2c3 | illegal
    AS-7 a spy guards no other spy       | assassin | 4k3/8/8/8/3n4/8/4n3/Q3K3 w | e1e2 | legal
    AS-7 a spy may be captured           | assassin | 4k3/8/8/8/8/4n3/8/Q3K1B1 w | g1e3 | legal
    AS-9 a discovered mate               | assassin | Q2B2k1/5ppp/8/8/8/8/8/4K3 w | d8a5 | rank checkmate win
    AS-9 with another piece | assassin | 7k/7p/8/4R3/8/8/8/Q3K3 w | e5e8 | long-diagonal rank checkmate win
    AS-9 a spy uncovers the queen        | assassin | Q2N2k1/5ppp/8/8/8/8/8/4K3 w | d8b7 | rank checkmate win
    AS-9 a rook mates                    | assassin | 6k1/5ppp/8/8/8/8/8/R3K2Q w | a1a8 | rank checkmate loss
    AS-9 a new rook mates                | assassin | 7k/P5pp/8/8/8/8/8/4K2Q w | a7a8r | rank checkmate loss
    AS-6 no pawn becomes an assassin     | assassin | 7k/P5pp/8/8/8/8/8/4K2Q w | a7a8q | illegal
    AS-9 is not for Welbeck, T19         | welbeck  | 6k1/5ppp/8/8/8/8/8/R3K3 w | a1a8 | rank checkmate win
    AS-9 nor for its knights             | welbeck  | 6rk/6pp/8/6N1/8/8/8/K7 w | g5f7 | knight checkmate win
    AS-10 both assassins captured        | assassin | 3qk3/8/8/8/8/8/8/3RK3 w | d1d8 | rank assassins draw
    AS-10 is not for Welbeck             | welbeck  | 3qk3/8/8/8/8/8/8/3RK3 w | d1d8 | rank
    AS-10 mate comes first               | assassin | 3q2k1/5ppp/8/8/8/8/8/3RK3 w | d1d8 | rank checkmate loss
    AS-10 before stalemate, G7           | assassin | k7/8/1K6/8/5q2/6B1/8/8 w | g3f4 | assassins draw
    AS-11 stalemate, T20                 | assassin | 7k/8/8/6Q1/8/8/8/K7 w | g5g6 | stalemate draw
    AS-11 dead material is not the cause | assassin | 1k6/8/8/8/8/8/4p3/4K1N1 w | e1e2 | assassins draw
    AS-11 fifty moves                    | assassin | 6k1/8/8/8/8/8/8/Q3K3 w - - 99 1 | e1e2 | fifty draw
    AS-11 not yet                        | assassin | 6k1/8/8/8/8/8/8/Q3K3 w - - 98 1 | e1e2 | legal
    AS-11 a capture resets the count     | assassin | 1k6/8/8/8/8/8/4p3/4K1Q1 w - - 99 1 | e1e2 | legal
    AS-12 a spy stops no castling        | assassin | 4k3/8/8/8/8/4n3/8/Q3K2R w K | e1g1 | legal
    AS-12 a knight does                  | welbeck  | 4k3/8/8/8/8/4n3/8/Q3K2R w K | e1g1 | illegal
    AS-12 and a rook, T18                | assassin | 4kr2/8/8/8/8/8/8/Q3K2R w K | e1g1 | illegal
    AS-12 castling gives check, T17      | welbeck  | 5k2/8/8/8/8/8/8/4K2R w K | e1g1 | file
    AS-12 castling is no e1h1, G1        | welbeck  | 4k3/8/8/8/8/8/8/R3K2R w KQ | e1h1 | illegal
    AS-12 nor e1a1, G1                   | welbeck  | 4k3/8/8/8/8/8/8/R3K2R w KQ | e1a1 | illegal
    AS-12 but e1g1, G1                   | welbeck  | 4k3/8/8/8/8/8/8/R3K2R w KQ | e1g1 | legal
    AS-12 and e1c1                       | welbeck  | 4k3/8/8/8/8/8/8/R3K2R w KQ | e1c1 | legal
    AS-12 not past a piece by the rook   | assassin | 4k3/8/8/8/8/8/8/Rn2K2Q w Q | e1c1 | illegal
    AS-12 nor onto one                   | assassin | 4k3/8/8/8/8/8/8/Q3K1nR w K | e1g1 | illegal
    AS-12 nor with the other's king      | assassin | 4k2r/8/8/8/8/8/8/Q3K3 w k | e8g8 | illegal
    AS-12 not without the right          | welbeck  | 4k3/8/8/8/8/8/8/R3K2R w Q | e1g1 | illegal
    AS-5 e.p. may be pinned, T10         | assassin | 8/8/8/K2pP2r/8/8/8/Q3k3 w - d6 | e5d6 | illegal
    G3 two pawns leave a rank, T7        | assassin | 8/8/8/k2pP2R/8/8/8/4K2Q w - d6 | e5d6 | rank
    G3 opened by the captive, T8         | assassin | 8/k7/8/2pP4/8/8/5B2/4K2Q w - c6 | d5c6 | long-diagonal
    G3 no mover, T9 | assassin | 8/8/4k3/3pP3/8/1B6/8/Q3R1K1 w - d6 | e5d6 | file long-diagonal
    G3 short, T1 | welbeck | rnb1kbnr/pppp1ppp/8/4p1q1/8/5P2/PPPPP1PP/RNBQKBNR b KQkq | g5h4 | short-diagonal
    G3 long, T2  | welbeck | rnbqk1nr/pppp1ppp/8/2b1p3/8/3P4/PPP1PPPP/RNBQKBNR b KQkq | c5b4 | long-diagonal
    G3 a pawn, T3                        | welbeck  | 4k3/8/3P4/8/8/8/8/4K3 w | d6d7 | long-diagonal
    G3 discovered, T4                    | welbeck  | 4k3/8/8/4N3/8/8/8/4RK2 w | e5g4 | file
    G3 a rook and a knight, T5           | welbeck  | 4k3/8/8/8/4N3/8/8/4RK2 w | e4f6 | file knight
    G3 a rook and a bishop, T6           | welbeck  | 7k/8/8/8/3R4/8/1B6/K7 w | d4h4 | file long-diagonal
    G7 mate before fifty           | welbeck  | 6k1/5ppp/8/8/8/8/8/Q3K3 w - - 99 1 | a1a8 | rank checkmate win
    G7 stalemate before dead             | welbeck  | k7/8/1K6/8/5q2/6B1/8/8 w | g3f4 | stalemate draw
    G7 dead before fifty                 | welbeck  | 4k3/8/8/8/8/8/8/4K3 w - - 99 1 | e1e2 | material draw
    G7 K v K, T21                        | welbeck  | 4k3/8/8/8/8/8/4p3/4K3 w | e1e2 | material draw
    G7 K+N v K                           | welbeck  | 4k3/8/8/8/8/8/4p3/4K1N1 w | e1e2 | material draw
    G7 K+B v K                           | welbeck  | 4k3/8/8/8/8/8/4p3/4KB2 w | e1e2 | material draw
    G7 bishops of one colour             | welbeck  | 2b1k3/8/8/8/8/8/4p3/4KB2 w | e1e2 | material draw
    G7 bishops of both colours           | welbeck  | 4kb2/8/8/8/8/8/4p3/4KB2 w | e1e2 | legal
    G7 K+N v K+N                         | welbeck  | 4k1n1/8/8/8/8/8/4p3/4K1N1 w | e1e2 | legal
    """,
)
def test_the_result_of_a_move(fen: str, move: str, expected: str, colours: str, variant: Variant) -> None:
    assert outcome(place(fen, variant, colours), read(move, colours)) == expected


@either_colour
@table(
    "fen pawn assassin welbeck",
    """
    AS-5 one step from the first row | 4k3/8/8/8/8/8/8/P3K3 w | a1 | a2    | a2
    AS-5 two from the second         | 4k3/8/8/8/8/8/P7/4K3 w | a2 | a3 a4 | a3
    AS-5 one from the third          | 4k3/8/8/8/8/P7/8/4K3 w | a3 | a4    | a4
    AS-5 not onto a piece           | 4k3/8/8/8/p7/8/P7/4K3 w | a2 | a3    | a3
    AS-5 nor over one                | 4k3/8/8/8/8/p7/P7/4K3 w | a2 |       |
    AS-5 the first row captures      | 4k3/8/8/8/8/8/1p6/P3K3 w | a1 | a2 b2 | a2 b2
    AS-6 no new assassin             | 4k3/P7/8/8/8/8/8/4K3 w | a7 | a8r a8b a8n | a8q a8r a8b a8n
    """,
)
def test_the_moves_of_a_pawn(fen: str, pawn: str, assassin: str, welbeck: str, colours: str) -> None:
    for variant, ends in zip(BOTH, (assassin, welbeck), strict=True):
        moves = legal_moves(place(fen, variant, colours))
        expected = {read(pawn + end, colours) for end in ends.split()}
        assert {move for move in moves if move[0] == seen_as(pawn, colours)} == expected


@either_colour
def test_as_5_a_pawn_from_the_first_rank_can_be_captured_en_passant_after_its_double_step(
    colours: str,
) -> None:
    single = after(place("4k3/8/8/8/1p6/8/8/P3K3 w", colours=colours), read("a1a2", colours))
    double = after(after(single, read("e8e7", colours)), read("a2a4", colours))
    taking = read("b4a3", colours)
    assert (single.target, double.target) == (None, taking[1])
    assert taking in legal_moves(double)
    assert pawn_tries(double) == {taking[:2]}
    assert captured(double, taking) == (taking[1], True)
    assert seen_as("a4", colours) not in after(double, taking).men
    assert taking not in legal_moves(after(after(double, read("e7e8", colours)), read("e1e2", colours)))


@either_colour
def test_as_5_there_is_no_en_passant_after_a_single_step_or_in_welbeck(colours: str) -> None:
    stepped = after(place("4k3/8/8/8/8/8/1p6/P3K3 w", colours=colours), read("a1a2", colours))
    assert (stepped.target, pawn_tries(stepped)) == (None, set())
    assert place("4k3/8/8/8/Pp6/8/8/4K3 b - a3", "welbeck", colours).target is None


@either_colour
@table(
    "fen move square en_passant",
    """
    AS-11 C4 an assassin is any piece     | 3qk3/8/8/8/8/8/8/3RK3 w | d1d8 | d8 |
    AS-13 C5 e.p. on the landing square   | 4k3/8/8/8/4pP2/8/8/4K3 b - f3 | e4f3 | f3 | en-passant
    """,
)
def test_the_announcement_of_a_capture(
    fen: str, move: str, square: str, en_passant: str, colours: str
) -> None:
    position = place(fen, colours=colours)
    assert captured(position, read(move, colours)) == (seen_as(square, colours), bool(en_passant))


@in_both_variants
@either_colour
@table(
    "fen move tries",
    """
    AS-13 C13 one try                  | 4k3/8/8/3p4/4P3/8/P7/4K3 b | e8e7 | e4d5
    AS-13 C13 none                     | 4k3/8/8/8/4P3/8/P7/4K3 b   | e8e7 |
    G4 T13 promotions count once       | 1r1rk3/2P5/8/8/8/8/8/4K3 b | e8e7 | c7b8 c7d8
    G4 T14 only the mover's            | 1r2k3/2P5/8/8/8/8/7p/4K3 b | e8e7 | c7b8
    G4 T16 not a pinned pawn's         | 4k3/4r3/8/3p4/4P3/8/8/4K3 b | e8d8 |
    G4 T23 only what answers the check | 7k/8/8/2p4r/3P4/8/8/4K3 b  | h5e5 | d4e5
    """,
)
def test_pawn_tries(fen: str, move: str, tries: str, colours: str, variant: Variant) -> None:
    position = after(place(fen, variant, colours), read(move, colours))
    assert pawn_tries(position) == {read(pair, colours)[:2] for pair in tries.split()}


@either_colour
@table(
    "fen move report",
    """
    AS-8 Na4             | 4k3/8/8/8/8/2N5/8/4K3 w | c3a4 | a3. a5. b3. b4. b5.
    AS-8 in the corner   | 4k3/8/8/8/8/1N6/8/4K3 w | b3a1 | a2. b1. b2.
    AS-8 in the middle   | 4k3/8/5n2/4pr2/8/3N1K2/8/8 w | d3f4 | e3. e4. e5p f3K f5r g3. g4. g5.
    AS-8 an enemy spy    | 4k3/8/8/4n3/2N5/8/8/4K3 w | c4d6 | c5. c6. c7. d5. d7. e5n e6. e7.
    AS-9 even if it ends | Q2N2k1/5ppp/8/8/8/8/8/4K3 w | d8b7 | a6. a7. a8Q b6. b8. c6. c7. c8.
    """,
)
def test_the_report_of_a_spy(fen: str, move: str, report: str, colours: str) -> None:
    position, played = place(fen, colours=colours), read(move, colours)
    assert played in legal_moves(position)
    assert is_spy_move(position, played)
    expected = {entry[:2]: entry[2] for entry in report.split()}
    if colours == "swapped":
        expected = {flip(square): man.swapcase() for square, man in expected.items()}
    assert list(spy_report(after(position, played), played[1]).items()) == sorted(expected.items())


@either_colour
def test_as_8_a_promoted_spy_reports_from_its_next_move(colours: str) -> None:
    position = place("4k3/P7/8/8/8/8/8/Q3K3 w", colours=colours)
    promotion = read("a7a8n", colours)
    assert not is_spy_move(position, promotion)
    assert is_spy_move(after(after(position, promotion), read("e8e7", colours)), read("a8b6", colours))
    assert not is_spy_move(place("4k3/8/8/8/8/2N5/8/4K3 w", "welbeck", colours), read("c3a4", colours))


@in_both_variants
def test_g7_the_third_occurrence_is_a_draw_counting_the_first_position(variant: Variant) -> None:
    position = joined(WHITE, BLACK, variant)
    history, ends = [key(position)], []
    for text in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
        position = after(position, read(text))
        history.append(key(position))
        ends.append(ending(position, history, position.clock))
    assert ends == [None] * 7 + [("repetition", None)]


@either_colour
@table(
    "fen counts",
    """
    G7 an e.p. square without a pawn   | 4k3/8/8/8/P7/8/8/4K3 b - a3     |
    G7 an e.p. capture that is pinned  | 8/8/8/8/k2pP2R/8/8/4K3 b - e3   |
    G7 a legal e.p. capture            | 4k3/8/8/8/3pP3/8/8/4K3 b - e3   | counts
    """,
)
def test_only_a_legal_en_passant_makes_a_different_position(fen: str, counts: str, colours: str) -> None:
    with_target, without = place(fen, colours=colours), place(fen[:-3], colours=colours)
    assert (key(with_target) != key(without)) is bool(counts)


@in_both_variants
@pytest.mark.parametrize("side", ["white", "black"])
@table(
    "changes expected",
    """
    AS-1 the orthodox array          |                                     |
    AS-1 pawns on rows 1 and 4       | Pa2-Pa4 Nb1-Na2 Ph2-Pb1 Qd1-Qd4     |
    AS-1 a bishop on its own colour  | Bc1-Bc3                             |
    AS-1 bishops of one colour       | Bc1-Bd3       | Both bishops are on one colour.
    AS-1 fifteen pieces              | Pa2-          | 7 P instead of 8.
    AS-1 seventeen pieces            | -Na3          | 3 N instead of 2.
    AS-1 two queens                  | Pa2-Qa2       | 2 Q instead of 1. 7 P instead of 8.
    AS-1 an unknown piece            | Pa2-Xa2       | Xa2 is no man. 7 P instead of 8.
    AS-1 beyond the own half         | Pa2-Pa5       | Pa5 is outside white's four rows.
    AS-1 beyond the board            | Pa2-Pi2       | Pi2 is outside white's four rows.
    AS-1 two pieces on a square      | Pa2-Pb2       | b2 is taken twice.
    """,
)
def test_the_faults_of_a_deployment(changes: str, expected: str, side: Side, variant: Variant) -> None:
    men = with_changes(WHITE, changes)
    if side == "black":
        men = flipped(men)
        for square in ("a2", "a5", "i2", "b2"):
            expected = expected.replace(square, flip(square))
    assert " ".join(faults(men, side, variant)) == expected.replace("white", side)


@either_colour
@table(
    "white black clashing",
    """
    AS-4 the orthodox arrays                  |                 |         |
    AS-4 a pawn attacks                       | Pe2-Pe4         | Ke8-Kd5 | assassin welbeck
    AS-4 a queen attacks                      | Qd1-Qa4         | Pd7-Pd6 | assassin welbeck
    AS-4 a knight attacks but a spy does not  | Nb1-Nc3         | Ke8-Kd5 | welbeck
    AS-4 kings are adjacent                   | Ke1-Ke4         | Ke8-Ke5 | assassin welbeck
    AS-4 kings are not                        | Ke1-Ke4         | Ke8-Ke6 |
    """,
)
def test_when_deployments_clash(white: str, black: str, clashing: str, colours: str) -> None:
    first, second = with_changes(WHITE, white), with_changes(BLACK, black)
    if colours == "swapped":
        first, second = flipped(second), flipped(first)
    assert [variant for variant in BOTH if clash(first, second, variant)] == clashing.split()


@in_both_variants
def test_as_4_deployments_clash_when_white_has_no_legal_move(variant: Variant) -> None:
    assert clash(["Ka4"], ["Ke8", "Qb6", "Bf8"], variant)
    assert not clash(["Ka4", "Ph2"], ["Ke8", "Qb6", "Bf8"], variant)


@table(
    "white black rights",
    """
    AS-12 everything at home        |                 |                 | KQkq
    AS-12 a rook elsewhere          | Rh1-Rh3         |                 | Qkq
    AS-12 a king elsewhere          | Ke1-Ke3         | Ra8-Ra6         | k
    AS-12 another piece in a corner | Rh1-Rh3 Ng1-Nh1 | Ke8-Kd8 Qd8-Qe8 | Q
    """,
)
def test_castling_rights_of_a_deployment(white: str, black: str, rights: str) -> None:
    assert castling_rights(with_changes(WHITE, white), with_changes(BLACK, black)) == rights


@either_colour
@pytest.mark.parametrize(
    ("moves", "rights"),
    [("e1g1", "kq"), ("e1e2", "kq"), ("a1b1", "Kkq"), ("h1h8", "Qq"), ("e1c1 a8a7", "k")],
)
def test_as_12_moving_the_king_or_the_rook_loses_the_right(moves: str, rights: str, colours: str) -> None:
    position = place("r3k2r/8/8/8/8/8/8/R3K2R w KQkq", colours=colours)
    for text in moves.split():
        assert read(text, colours) in legal_moves(position)
        position = after(position, read(text, colours))
    assert set(position.castling) == set(rights if colours == "as ruled" else rights.swapcase())


@in_both_variants
def test_a_fen_is_read_and_written(variant: Variant) -> None:
    fen = "r3k2r/pp1p4/8/4P3/8/8/PPP5/R3K2R b Kq - 7 12"
    assert to_fen(from_fen(fen, variant)) == fen
    assert to_fen(joined(WHITE, BLACK, variant)) == chess.STARTING_FEN
    assert to_fen(after(place("4k3/8/8/8/8/8/P7/4K3 w"), read("a2a4"))) == "4k3/8/8/8/P7/8/8/4K3 b - a3 0 1"


def random_deployment(side: Side, chance: random.Random) -> list[str]:
    """Return a random valid deployment."""
    squares = [file + row for file in FILES for row in OWN_HALF[side]]
    while True:
        men = [man[0] + square for man, square in zip(WHITE, chance.sample(squares, 16), strict=True)]
        if not faults(men, side, "welbeck"):
            return men


def random_start(variant: Variant, chance: random.Random) -> Position:
    """Return the start of a game with two deployments that don't clash."""
    while True:
        white, black = random_deployment("white", chance), random_deployment("black", chance)
        if not clash(white, black, variant):
            return joined(white, black, variant)


def random_board(chance: random.Random) -> chess.Board:
    """Return a legal position without pawns on their first two ranks, sometimes with castling rights."""
    while True:
        board = chess.Board(
            chance.choice(["4k3/8/8/8/8/8/8/4K3", "r3k2r/8/8/8/8/8/8/R3K2R"]) + " w KQkq - 0 1"
        )
        board.turn = chance.random() < 0.5
        for letter in chance.choices("QRBNPPPqrbnppp", k=chance.randrange(14)):
            rows = {"P": range(2, 7), "p": range(1, 6)}.get(letter, range(8))
            square = chess.square(chance.randrange(8), chance.choice(rows))
            if not board.piece_at(square):
                board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.castling_rights = board.clean_castling_rights()
        if board.is_valid():
            return board


def as_referee_move(move: chess.Move) -> Move:
    letter = chess.piece_symbol(move.promotion) if move.promotion else None
    return chess.square_name(move.from_square), chess.square_name(move.to_square), letter


def is_attacked(position: Position, side: Side) -> bool:
    """Ask python-chess if this side's king is attacked; knights don't count in Assassin."""
    board = chess.Board(to_fen(position))
    king = board.king(side == "white")
    assert king is not None
    harmless = board.knights if position.variant == "assassin" else chess.BB_EMPTY
    return bool(board.attackers(side != "white", king) - chess.SquareSet(harmless))


def is_barred(board: chess.Board, move: chess.Move, variant: Variant) -> bool:
    """Return whether python-chess allows this move but AS-5, AS-6 or AS-7 forbids it."""
    man = board.piece_type_at(move.from_square)
    if man == chess.PAWN and abs(move.from_square - move.to_square) == 16:
        return variant == "welbeck" or chess.square_rank(move.from_square) in (0, 7)
    is_spy_capture = man == chess.KNIGHT and board.is_capture(move)
    return variant == "assassin" and (move.promotion == chess.QUEEN or is_spy_capture)


@pytest.mark.parametrize("seed", range(40))
def test_welbeck_without_double_steps_has_the_moves_of_chess(seed: int) -> None:
    board = random_board(random.Random(seed))
    position = from_fen(board.fen(), "welbeck")
    assert legal_moves(position) == {as_referee_move(move) for move in board.legal_moves}
    for move in board.legal_moves:
        board.push(move)
        here = after(position, as_referee_move(move))
        assert to_fen(here) == board.fen()
        assert checkers(here, here.side) == {chess.square_name(square) for square in board.checkers()}
        assert bool(ending(here, [key(here)], here.clock)) == board.is_game_over()
        board.pop()


@in_both_variants
@pytest.mark.parametrize("seed", range(3))
def test_random_games_have_the_moves_of_chess_without_the_barred_ones(seed: int, variant: Variant) -> None:
    chance = random.Random(seed)
    position = random_start(variant, chance)
    for _ in range(60):
        moves = legal_moves(position)
        board = chess.Board(to_fen(position))
        allowed = [move for move in board.pseudo_legal_moves if not is_barred(board, move, variant)]
        usual = {as_referee_move(move) for move in allowed if not board.is_castling(move)}
        safe = {move for move in usual if not is_attacked(after(position, move), position.side)}
        assert moves - castling_moves(position) == safe
        if not moves:
            break
        mover = position.side
        position = after(position, chance.choice(sorted(moves, key=str)))
        assert not is_attacked(position, mover)
        assert not checkers(position, mover)
