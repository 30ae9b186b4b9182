"""A finished game as a PGN file: every move, what was said to both, and no word that is nobody else's."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corr.orders import kind_of, parse_order
from corr.rules.core.umpire import Umpire
from corr.rules.retold import pgn
from corr.rules.retold.boards import NO_MOVE
from corr.rules.retold.pgn import Record, build_record
from corr.rules.variants import UMPIRES, find_umpire
from corr.words.board import Pair, Side
from corr.words.codes import Audience, Common
from corr.words.errors import Refused
from corr.words.replay import DisclosedOrders, RefusedTries
from corr.words.slips import Fact, Outcome, Slip
from tests.support.pgn_reader import read_pgn
from tests.support.random_games import Played, at_random, begun, told

every_umpire = pytest.mark.parametrize("umpire", UMPIRES.values(), ids=UMPIRES)
with_known_rules = pytest.mark.parametrize(
    "umpire",
    [umpire for umpire in UMPIRES.values() if umpire.card.chess],
    ids=[key for key, umpire in UMPIRES.items() if umpire.card.chess],
)
SEEDS = range(6)
ALONE = re.compile(r"(White|Black) alone was told: (.*)")


def file_of(played: Played, white: str = "Ann", black: str = "Ben") -> str:
    return pgn.write_pgn(record_of(played, white, black))


def record_of(played: Played, white: str = "Ann", black: str = "Ben") -> Record:
    return build_record(played.umpire.card, played.finished(white, black))


@cache
def recorded(umpire: Umpire, seed: int) -> Record:
    """A random game as it is written down."""
    return record_of(at_random(umpire, seed))


def movetext(key: str, *lines: str) -> list[str]:
    """The lines of a file below its tags, for a game in which these orders were put."""
    return file_of(told(find_umpire(key), lines)).partition("\n\n")[2].splitlines()


# ---------------------------------------------------------------- what a player reads


def test_a_file_has_pgns_seven_tags_first_and_then_how_it_was_played():
    assert file_of(told(find_umpire("wild16"), ["e2e4"])).splitlines() == [
        '[Event "Wild 16 by mail"]',
        '[Site "play.example"]',
        '[Date "2026.11.20"]',
        '[Round "-"]',
        '[White "Ann"]',
        '[Black "Ben"]',
        '[Result "1-0"]',
        '[GameId "k3x9q"]',
        '[Variant "Standard"]',
        '[Umpire "Wild 16"]',
        '[TimeControl "1/259200"]',
        '[Termination "normal"]',
        "",
        "{White's move. 0 pawn tries.}",
        "1. e4 {Black's move. 0 pawn tries.} {Black resigns. White wins.}",
        "1-0",
    ]


def test_w15_a_try_that_wild_16_refused_is_told_of_by_no_slip():
    tried = movetext("wild16", "e2e5", "a1a8", "e2e4", "e7e4", "d7d5", "px")
    assert tried == movetext("wild16", "e2e4", "d7d5", "e4d5")
    assert not re.search("illegal", "\n".join(tried), re.IGNORECASE)


def test_in_what_a_move_stood_is_told_before_what_was_said_and_what_was_tried_before_the_next_after_it():
    played = told(find_umpire("wild16"), ["e2e4", "d7d5"])
    tried = RefusedTries(("d7d4", "d7e6"), "Illegal move.")
    disclosed = Pair(DisclosedOrders({1: "try 3 of a list"}), DisclosedOrders(tries={1: (tried,)}))
    written = pgn.write_pgn(build_record(played.umpire.card, replace(played.finished(), disclosed=disclosed)))

    assert written.partition("\n\n")[2].splitlines()[1:3] == [
        '1. e4 {Try 3 of a list.} {Black\'s move. 0 pawn tries.} {Black tried "d7d4",',
        '"d7e6": Illegal move.}',
    ]


@pytest.mark.parametrize("times", [1, 2])
def test_a_refusal_that_both_heard_is_told_once_and_what_was_refused_after_it(times: int):
    played = told(find_umpire("classic"), ["e2e4", "e7e5", *["e4f5"] * times, "g1f3"])
    tried = RefusedTries(("e4f5",) * times, "White attempted an illegal move.")
    disclosed = Pair(DisclosedOrders(tries={2: (tried,)}), DisclosedOrders())
    written = pgn.write_pgn(build_record(played.umpire.card, replace(played.finished(), disclosed=disclosed)))

    line, tries = " ".join(written.split()), ", ".join(['"e4f5"'] * times)

    assert line.count("attempted an illegal move") == 1
    assert f"{{White tried {tries}.}}" in line


def test_two_hundred_tries_are_no_order_wherever_their_lines_end():
    played = told(find_umpire("wild16"), ["e2e4"])
    orders = tuple(f"a{rank}h{other}" for rank in range(1, 9) for other in range(1, 9)) * 4
    for said in ("Illegal move.", ""):
        disclosed = Pair(DisclosedOrders(tries={0: (RefusedTries(orders, said),)}), DisclosedOrders())
        written = pgn.write_pgn(
            build_record(played.umpire.card, replace(played.finished(), disclosed=disclosed))
        )
        assert "order" not in {kind_of(line) for line in written.splitlines()}


def test_what_both_heard_of_a_refusal_is_told_and_never_what_was_tried():
    assert movetext("classic", "any?", "e2e4", "e7e4", "e7e5", "e4e5", "g1f3") == [
        "{White's move.} {White asked Any?: No.}",
        "1. e4 {White has moved. Black's move.} {Black: Impossible.}",
        "1... e5 {Black has moved. White's move.} {White attempted an illegal move.}",
        "2. Nf3 {White has moved. Black's move.} {Black resigns. White wins.}",
        "1-0",
    ]


def test_a_refusal_heard_several_times_in_a_row_is_told_once_with_its_number():
    tried = movetext("cincinnati", "e2e4", "e7e5", "e4e5", "e4e5", "e4e5", "g1f3")
    assert tried[2] == "1... e5 {White's move.} {Illegal.} {Nonsense. (2 times.)}"


def test_a_question_and_the_move_below_it_are_told_in_their_order():
    branches = ("e2e4", "any? yes: d7e6 / no: d7d5", "any? yes: e4d5 / no: g1f3")
    assert movetext("classic", *branches)[1:4] == [
        "1. e4 {White has moved. Black's move.} {Black asked Any?: No.}",
        "1... d5 {Black has moved. White's move.} {White asked Any?: Try!}",
        "2. exd5 {White has moved. White has captured on d5. Black's move.} {Black",
    ]


def test_a_move_that_was_held_back_is_told_of_in_no_finished_game():
    lines = movetext("classic", "e2e4", "any? yes: d7e6 / no: d7e6", "e7e5")
    assert lines[1] == "1. e4 {White has moved. Black's move.} {Black asked Any?: No.}"
    assert "d7e6" not in "".join(lines)


def test_a_spys_report_is_told_as_what_its_own_side_alone_was_told():
    assert movetext("assassin", "b1a3", "e7e6")[2:5] == [
        "1. b1a3 {White has moved. Black's move.} {White alone was told: Your spy on a3",
        "reports: a2 your pawn; a4 empty; b2 your pawn; b3 empty; b4 empty.}",
        "1... e7e6 {Black has moved. White's move.} {Black resigns. White wins.}",
    ]


def test_a_pass_and_a_move_that_failed_moved_nothing_and_the_comment_names_them():
    lines = movetext("rbc", "sense none; e2e4", "sense none; pass", "sense none; e4d5", "sense none; d7d5")
    assert lines[3:7] == [
        "1... -- {Black has taken a turn. White's turn.} {Black alone was told: You",
        "passed.} {White alone was told: You sensed nothing.}",
        "2. -- {White has taken a turn. Black's turn.} {White alone was told: Your move",
        '"e4d5" did not succeed.} {Black alone was told: You sensed nothing.}',
    ]


def test_what_was_sensed_stands_before_the_move_that_came_of_it():
    lines = movetext("rbc", "sense b2; b2b3", "sense none; pass")
    assert lines[:4] == [
        "{White's turn.} {White alone was told: Around b2 you see your own rook on a1;",
        "your own bishop on c1; your own knight on b1; your own pawns on a2, b2 and c2;",
        "nothing on a3, b3 and c3.}",
        "1. b2b3 {White has taken a turn. Black's turn.} {White alone was told: You",
    ]


def test_men_that_were_deployed_are_a_position_from_which_the_game_is_read():
    tags = dict(record_of(told(find_umpire("welbeck"), ["e2e3"])).tags)
    assert (tags["Variant"], tags["SetUp"]) == ("Welbeck", "1")
    assert tags["FEN"] == "r1bq1brk/2nppn2/ppp2ppp/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"


def test_a_drop_is_written_as_it_was_ordered():
    dropped = movetext("crazykrieg", "e2e4", "d7d5", "e4d5", "d8d5", "P@e4", "P@e6")
    assert [line.split()[1] for line in dropped if line.startswith("3.")] == ["P@e4", "P@e6"]


def test_castling_and_promotion_are_written_as_chess_writes_them():
    moves = ["a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "g8f6", "a6a7", "g7g6", "a7b8n", "f8g7", "e2e4", "o-o"]
    made = record_of(told(find_umpire("wild16"), moves)).moves
    assert (made[8], made[11]) == ("axb8=N", "O-O")


@pytest.mark.parametrize(
    ("key", "lines", "result", "termination"),
    [
        ("wild16", ["f2f3", "e7e5", "g2g4", "d8h4"], "0-1", "normal"),
        ("crazykrieg", ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"], "1-0", "normal"),
        ("classic", ["g1f3", "g8f6", "f3g1", "f6g8"] * 2, "1/2-1/2", "normal"),
    ],
)
def test_the_result_is_the_umpires(key: str, lines: list[str], result: str, termination: str):
    tags = dict(record_of(told(find_umpire(key), lines)).tags)
    assert (tags["Result"], tags["Termination"]) == (result, termination)


def test_a_flag_that_fell_is_told_as_the_end():
    played = begun(find_umpire("wild16"))
    played.rulings.append(played.umpire.flagged(played.last.truth, Side.WHITE))
    assert dict(record_of(played).tags)["Termination"] == "time forfeit"
    assert file_of(played).endswith("{White is out of time. Black wins.}\n0-1\n")


@pytest.mark.parametrize(
    ("outcome", "result", "said"),
    [
        (Outcome(Side.BLACK, "adjudication"), "0-1", "Black wins."),
        (Outcome(None, "adjudication"), "1/2-1/2", "Draw."),
        (Outcome(None, "void"), "*", "It is void."),
    ],
)
def test_what_the_operator_decreed_is_told_as_the_end(outcome: Outcome, result: str, said: str):
    played = begun(find_umpire("wild16"))
    played.put(Side.WHITE, parse_order("e2e4"))
    played.rulings.append(played.umpire.adjudicated(played.last.truth, outcome))
    tags = dict(record_of(played).tags)
    assert (tags["Result"], tags["Termination"]) == (result, "adjudication")
    assert " ".join(file_of(played).split()).endswith(f"{{The operator has ended the game. {said}}} {result}")
    assert read_pgn(file_of(played)) == pgn.clean_record(record_of(played))
    game = chess.pgn.read_game(io.StringIO(file_of(played)))
    assert game
    assert (game.errors, game.headers["Result"]) == ([], result)


def test_a_game_whose_men_were_never_on_the_board_is_not_written_down():
    umpire = find_umpire("assassin")
    played = Played(umpire, [umpire.start()])
    played.rulings.append(umpire.resigned(played.last.truth, Side.WHITE))
    with pytest.raises(Refused, match="before the pieces were deployed"):
        record_of(played)


# ---------------------------------------------------------------- every umpire


@every_umpire
def test_a_file_is_read_back_as_it_was_written(umpire: Umpire):
    for seed in SEEDS:
        kept = recorded(umpire, seed)
        assert pgn.clean_record(kept) == kept
        assert read_pgn(pgn.write_pgn(kept)) == kept


@every_umpire
def test_no_line_is_wide_or_reads_as_an_order(umpire: Umpire):
    for seed in SEEDS:
        for line in pgn.write_pgn(recorded(umpire, seed)).splitlines():
            assert len(line) <= 79
            assert line.isascii()
            assert kind_of(line) != "order"


@every_umpire
def test_each_side_made_the_moves_that_its_own_slips_tell(umpire: Umpire):
    for seed in SEEDS:
        played, moves = at_random(umpire, seed), recorded(umpire, seed).moves
        assert len(moves) == sum(ruling.verdict == "moved" for ruling in played.rulings)
        assert len(moves) == umpire.plies(played.last.truth)


@with_known_rules
def test_python_chess_reads_the_same_moves_to_the_same_position(umpire: Umpire):
    for seed in SEEDS:
        played, kept = at_random(umpire, seed), recorded(umpire, seed)
        game = chess.pgn.read_game(io.StringIO(pgn.write_pgn(kept)))
        assert game
        assert game.errors == []
        assert game.end().board().fen(en_passant="fen").split()[:4] == position(umpire, played)
        assert game.headers["Result"] == dict(kept.tags)["Result"]


def position(umpire: Umpire, played: Played) -> list[str]:
    """Men, side to move, castling and en passant of the umpire's truth."""
    return umpire.fen(played.last.truth).split()[:4]


@every_umpire
def test_the_squares_of_the_moves_lead_to_the_same_men(umpire: Umpire):
    """Where no other program knows the rules, whoever pushes men from square to square ends where the umpire did."""
    for seed in SEEDS:
        played, kept = at_random(umpire, seed), recorded(umpire, seed)
        if umpire.card.chess:
            continue
        board = chess.Board(dict(kept.tags).get("FEN", chess.STARTING_FEN))
        for move in kept.moves:
            board.push(chess.Move.null() if move == NO_MOVE else chess.Move.from_uci(move))
        assert board.board_fen() == position(umpire, played)[0]


# ---------------------------------------------------------------- who was told


def common(white: Slip, black: Slip, mover: Side) -> Iterator[Fact]:
    """What both sides heard of one ruling, a move in the other side's words."""
    mine, theirs = (white, black) if mover is Side.WHITE else (black, white)
    said = {(fact.code, fact.text) for fact in mine.facts}
    for fact in theirs.facts:
        if (fact.code, fact.text) in said or fact.audience is Audience.MOVE:
            yield fact


def heard_by_both(played: Played) -> str:
    """Everything that both sides heard since the men were on the board, from the rulings themselves."""
    heard, on_the_board = [], False
    mover = played.rulings[0].turn or Side.WHITE
    for ruling in played.rulings:
        white, black = ruling.slips.white, ruling.slips.black
        if white and black:
            facts = tuple(common(white, black, mover))
            on_the_board = on_the_board or any(fact.code == Common.TURN for fact in facts)
            if on_the_board:
                heard.append(
                    Slip(
                        Side.WHITE, tuple(f for f in facts if f.audience is not Audience.SETTING), white.sight
                    ).spoken
                )
        mover = ruling.turn or mover
    return " ".join(filter(None, heard))


def heard_alone(played: Played, side: Side) -> list[str]:
    """What one side alone heard that a finished game may tell: where a king stood, what was seen and done."""
    texts = []
    for slip, other in zip(*(handed(played, each) for each in (side, side.other)), strict=True):
        theirs = {fact.text for fact in other.facts} if other else set()
        texts += [
            fact.text
            for fact in (slip.facts if slip else ())
            if fact.text not in theirs and fact.audience is Audience.ALONE
        ]
    return texts


def handed(played: Played, side: Side) -> list[Slip | None]:
    return [ruling.slips[side] for ruling in played.rulings]


def comments(kept: Record) -> Iterator[str]:
    """The comments one by one, those that tell of several sentences alike as often as these were said."""
    for said in (each for told_after in kept.comments for each in told_after):
        several = re.fullmatch(r"(.*) \((\d+) times\.\)", said)
        yield from [several[1]] * int(several[2]) if several else [said]


@every_umpire
def test_what_both_heard_is_told_in_its_order_and_nothing_else_is_told_as_such(umpire: Umpire):
    for seed in SEEDS:
        played = at_random(umpire, seed)
        aloud = [said for said in comments(recorded(umpire, seed)) if not ALONE.fullmatch(said)]
        assert " ".join(aloud) == heard_by_both(played)


@every_umpire
def test_what_one_side_alone_was_told_is_told_with_its_name(umpire: Umpire):
    for seed in SEEDS:
        played = at_random(umpire, seed)
        alone = [found for said in comments(recorded(umpire, seed)) if (found := ALONE.fullmatch(said))]
        for side in Side:
            mine = " ".join(found[2] for found in alone if found[1] == side.called)
            assert mine == " ".join(f"{text}." for text in heard_alone(played, side))


# ---------------------------------------------------------------- hostile names, any words

names = st.one_of(
    st.text(max_size=250),
    st.sampled_from(
        [
            'Ann"] [Result "0-1',
            'x"]\n[Result "0-1"]\n\n1. e4 *\n\n[Event "',
            "back\\",
            'back\\"',
            "}{1-0}",
            "\u202eneB\u202c",
            "\u200f\u2067name\u2069",
            "line\u2028break\x85and\x0bmore\r\nstill",
            "]" * 200,
            '"' * 200,
            "Zoë Åström",
            "",
        ]
    ),
)


@settings(max_examples=200)
@given(white=names, black=names)
def test_a_name_forges_no_tag_and_no_comment(white: str, black: str):
    played = told(find_umpire("wild16"), ["e2e4", "e7e5"])
    plain = record_of(played)
    text = file_of(played, white, black)

    kept = read_pgn(text)
    assert [name for name, _ in kept.tags] == [name for name, _ in plain.tags]
    assert (kept.moves, kept.comments, kept.result) == (plain.moves, plain.comments, plain.result)
    assert kept == pgn.clean_record(record_of(played, white, black))
    assert all(len(line) <= 79 and line.isprintable() for line in text.split("\n"))
    text.encode()

    file = io.StringIO(text)
    game = chess.pgn.read_game(file)
    assert game
    assert game.errors == []
    assert list(game.headers) == [name for name, _ in plain.tags]
    assert game.headers["Result"] == "1-0"
    assert chess.pgn.read_game(file) is None


@settings(max_examples=300)
@given(
    told_after=st.lists(st.lists(st.text(max_size=200), max_size=3).map(tuple), min_size=1, max_size=6),
    name=st.text(max_size=100),
    result=st.sampled_from(["1-0", "0-1", "1/2-1/2"]),
)
def test_whatever_is_said_stays_in_its_comment(told_after: list[tuple[str, ...]], name: str, result: str):
    moves = ("e4", "e5", "Nf3", "Nc6", "Bb5")[: len(told_after) - 1]
    given_record = Record((("White", name),), moves, tuple(told_after), result)
    text = pgn.write_pgn(given_record)

    assert read_pgn(text) == pgn.clean_record(given_record)
    assert pgn.clean_record(pgn.clean_record(given_record)) == pgn.clean_record(given_record)
    assert all(len(line) <= 79 for line in text.split("\n"))
    game = chess.pgn.read_game(io.StringIO(text))
    assert game
    assert game.errors == []
    assert len(list(game.mainline())) == len(moves)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "e2e4",
        '[White "Ann"]\n\n1. e4',
        '[White "Ann"]\n\n1. e4 {open 1-0',
        '[White "Ann"]\n\n1. e4 } 1-0',
        '[White "Ann" x]\n\n1. e4 1-0',
        '[White "A"nn"]\n\n1. e4 1-0',
    ],
)
def test_what_was_not_written_here_is_not_guessed_at(text: str):
    with pytest.raises(ValueError, match=r"isn't a tag|no result|belongs in no game"):
        read_pgn(text)
