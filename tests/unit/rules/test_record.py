"""A finished game as a PGN file: every move, what both were told, and no secret."""

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
from tests.support.random_games import PlayedGame, begin_game, play_lines, play_random_game

every_umpire = pytest.mark.parametrize("umpire", UMPIRES.values(), ids=UMPIRES)
with_known_rules = pytest.mark.parametrize(
    "umpire",
    [umpire for umpire in UMPIRES.values() if umpire.card.chess],
    ids=[key for key, umpire in UMPIRES.items() if umpire.card.chess],
)
SEEDS = range(6)
TOLD_ALONE = re.compile(r"(White|Black) alone was told: (.*)")


def pgn_of(played: PlayedGame, white: str = "Ann", black: str = "Ben") -> str:
    return pgn.write_pgn(record_of(played, white, black))


def record_of(played: PlayedGame, white: str = "Ann", black: str = "Ben") -> Record:
    return build_record(played.umpire.card, played.finished(white, black))


def disclosing_pgn(played: PlayedGame, disclosed: Pair[DisclosedOrders]) -> str:
    return pgn.write_pgn(build_record(played.umpire.card, replace(played.finished(), disclosed=disclosed)))


@cache
def random_record(umpire: Umpire, seed: int) -> Record:
    """Return the record of a random game."""
    return record_of(play_random_game(umpire, seed))


def movetext(key: str, *lines: str) -> list[str]:
    """Return the lines below the tags in the file of a game with these orders."""
    return pgn_of(play_lines(find_umpire(key), lines)).partition("\n\n")[2].splitlines()


# ---------------------------------------------------------------- one game


def test_a_file_has_the_seven_pgn_tags_first_and_then_the_moves():
    assert pgn_of(play_lines(find_umpire("wild16"), ["e2e4"])).splitlines() == [
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


def test_w15_a_try_refused_in_private_is_not_in_the_file():
    tried = movetext("wild16", "e2e5", "a1a8", "e2e4", "e7e4", "d7d5", "px")
    assert tried == movetext("wild16", "e2e4", "d7d5", "e4d5")
    assert not re.search("illegal", "\n".join(tried), re.IGNORECASE)


def test_a_comment_has_the_list_of_a_move_first_and_refused_tries_last():
    played = play_lines(find_umpire("wild16"), ["e2e4", "d7d5"])
    tried = RefusedTries(("d7d4", "d7e6"), "Illegal move.")
    disclosed = Pair(DisclosedOrders({1: "try 3 of a list"}), DisclosedOrders(tries={1: (tried,)}))
    written = disclosing_pgn(played, disclosed)

    assert written.partition("\n\n")[2].splitlines()[1:3] == [
        '1. e4 {Try 3 of a list.} {Black\'s move. 0 pawn tries.} {Black tried "d7d4",',
        '"d7e6": Illegal move.}',
    ]


@pytest.mark.parametrize("times", [1, 2])
def test_a_public_refusal_comes_once_followed_by_the_disclosed_tries(times: int):
    played = play_lines(find_umpire("classic"), ["e2e4", "e7e5", *["e4f5"] * times, "g1f3"])
    tried = RefusedTries(("e4f5",) * times, "White attempted an illegal move.")
    disclosed = Pair(DisclosedOrders(tries={2: (tried,)}), DisclosedOrders())

    line, tries = " ".join(disclosing_pgn(played, disclosed).split()), ", ".join(['"e4f5"'] * times)

    assert line.count("attempted an illegal move") == 1
    assert f"{{White tried {tries}.}}" in line


def test_hundreds_of_tries_never_read_as_an_order():
    played = play_lines(find_umpire("wild16"), ["e2e4"])
    orders = tuple(f"a{rank}h{other}" for rank in range(1, 9) for other in range(1, 9)) * 4
    for said in ("Illegal move.", ""):
        disclosed = Pair(DisclosedOrders(tries={0: (RefusedTries(orders, said),)}), DisclosedOrders())
        assert "order" not in {kind_of(line) for line in disclosing_pgn(played, disclosed).splitlines()}


def test_a_public_refusal_is_in_the_file_without_the_try():
    assert movetext("classic", "any?", "e2e4", "e7e4", "e7e5", "e4e5", "g1f3") == [
        "{White's move.} {White asked Any?: No.}",
        "1. e4 {White has moved. Black's move.} {Black: Impossible.}",
        "1... e5 {Black has moved. White's move.} {White attempted an illegal move.}",
        "2. Nf3 {White has moved. Black's move.} {Black resigns. White wins.}",
        "1-0",
    ]


def test_repeated_refusals_are_written_once_with_their_number():
    tried = movetext("cincinnati", "e2e4", "e7e5", "e4e5", "e4e5", "e4e5", "g1f3")
    assert tried[2] == "1... e5 {White's move.} {Illegal.} {Nonsense. (2 times.)}"


def test_a_question_and_its_move_are_in_order():
    branches = ("e2e4", "any? yes: d7e6 / no: d7d5", "any? yes: e4d5 / no: g1f3")
    assert movetext("classic", *branches)[1:4] == [
        "1. e4 {White has moved. Black's move.} {Black asked Any?: No.}",
        "1... d5 {Black has moved. White's move.} {White asked Any?: Try!}",
        "2. exd5 {White has moved. White has captured on d5. Black's move.} {Black",
    ]


def test_a_held_back_move_is_not_in_the_file():
    lines = movetext("classic", "e2e4", "any? yes: d7e6 / no: d7e6", "e7e5")
    assert lines[1] == "1. e4 {White has moved. Black's move.} {Black asked Any?: No.}"
    assert "d7e6" not in "".join(lines)


def test_a_spys_report_is_marked_as_told_to_its_side_only():
    assert movetext("assassin", "b1a3", "e7e6")[2:5] == [
        "1. b1a3 {White has moved. Black's move.} {White alone was told: Your spy on a3",
        "reports: a2 your pawn; a4 empty; b2 your pawn; b3 empty; b4 empty.}",
        "1... e7e6 {Black has moved. White's move.} {Black resigns. White wins.}",
    ]


def test_passes_and_failed_moves_are_null_moves_with_a_comment():
    lines = movetext("rbc", "sense none; e2e4", "sense none; pass", "sense none; e4d5", "sense none; d7d5")
    assert lines[3:7] == [
        "1... -- {Black has taken a turn. White's turn.} {Black alone was told: You",
        "passed.} {White alone was told: You sensed nothing.}",
        "2. -- {White has taken a turn. Black's turn.} {White alone was told: Your move",
        '"e4d5" did not succeed.} {Black alone was told: You sensed nothing.}',
    ]


def test_a_sense_comes_before_its_move():
    lines = movetext("rbc", "sense b2; b2b3", "sense none; pass")
    assert lines[:4] == [
        "{White's turn.} {White alone was told: Around b2 you see your own rook on a1;",
        "your own bishop on c1; your own knight on b1; your own pawns on a2, b2 and c2;",
        "nothing on a3, b3 and c3.}",
        "1. b2b3 {White has taken a turn. Black's turn.} {White alone was told: You",
    ]


def test_deployed_pieces_are_the_files_starting_position():
    tags = dict(record_of(play_lines(find_umpire("welbeck"), ["e2e3"])).tags)
    assert (tags["Variant"], tags["SetUp"]) == ("Welbeck", "1")
    assert tags["FEN"] == "r1bq1brk/2nppn2/ppp2ppp/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"


def test_drops_are_written_as_ordered():
    dropped = movetext("crazykrieg", "e2e4", "d7d5", "e4d5", "d8d5", "P@e4", "P@e6")
    assert [line.split()[1] for line in dropped if line.startswith("3.")] == ["P@e4", "P@e6"]


def test_castling_and_promotion_are_written_as_in_chess():
    moves = ["a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "g8f6", "a6a7", "g7g6", "a7b8n", "f8g7", "e2e4", "o-o"]
    moves_made = record_of(play_lines(find_umpire("wild16"), moves)).moves
    assert (moves_made[8], moves_made[11]) == ("axb8=N", "O-O")


@pytest.mark.parametrize(
    ("key", "lines", "result", "termination"),
    [
        ("wild16", ["f2f3", "e7e5", "g2g4", "d8h4"], "0-1", "normal"),
        ("crazykrieg", ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"], "1-0", "normal"),
        ("classic", ["g1f3", "g8f6", "f3g1", "f6g8"] * 2, "1/2-1/2", "normal"),
    ],
)
def test_the_result_is_the_umpires(key: str, lines: list[str], result: str, termination: str):
    tags = dict(record_of(play_lines(find_umpire(key), lines)).tags)
    assert (tags["Result"], tags["Termination"]) == (result, termination)


def test_a_win_on_time_is_in_the_last_comment():
    played = begin_game(find_umpire("wild16"))
    played.rulings.append(played.umpire.flagged(played.last.truth, Side.WHITE))
    assert dict(record_of(played).tags)["Termination"] == "time forfeit"
    assert pgn_of(played).endswith("{White is out of time. Black wins.}\n0-1\n")


@pytest.mark.parametrize(
    ("outcome", "result", "said"),
    [
        (Outcome(Side.BLACK, "adjudication"), "0-1", "Black wins."),
        (Outcome(None, "adjudication"), "1/2-1/2", "Draw."),
        (Outcome(None, "void"), "*", "It is void."),
    ],
)
def test_an_operators_decision_is_in_the_last_comment(outcome: Outcome, result: str, said: str):
    played = begin_game(find_umpire("wild16"))
    played.put(Side.WHITE, parse_order("e2e4"))
    played.rulings.append(played.umpire.adjudicated(played.last.truth, outcome))
    tags = dict(record_of(played).tags)
    assert (tags["Result"], tags["Termination"]) == (result, "adjudication")
    assert " ".join(pgn_of(played).split()).endswith(f"{{The operator has ended the game. {said}}} {result}")
    assert read_pgn(pgn_of(played)) == pgn.clean_record(record_of(played))
    game = chess.pgn.read_game(io.StringIO(pgn_of(played)))
    assert game
    assert (game.errors, game.headers["Result"]) == ([], result)


def test_a_game_without_deployed_pieces_has_no_record():
    umpire = find_umpire("assassin")
    played = PlayedGame(umpire, [umpire.start()])
    played.rulings.append(umpire.resigned(played.last.truth, Side.WHITE))
    with pytest.raises(Refused, match="before the pieces were deployed"):
        record_of(played)


# ---------------------------------------------------------------- every umpire


@every_umpire
def test_a_file_reads_back_the_same(umpire: Umpire):
    for seed in SEEDS:
        record = random_record(umpire, seed)
        assert pgn.clean_record(record) == record
        assert read_pgn(pgn.write_pgn(record)) == record


@every_umpire
def test_no_line_is_too_long_or_reads_as_an_order(umpire: Umpire):
    for seed in SEEDS:
        for line in pgn.write_pgn(random_record(umpire, seed)).splitlines():
            assert len(line) <= 79
            assert line.isascii()
            assert kind_of(line) != "order"


@every_umpire
def test_a_record_has_all_moves_of_the_slips(umpire: Umpire):
    for seed in SEEDS:
        played, moves = play_random_game(umpire, seed), random_record(umpire, seed).moves
        assert len(moves) == sum(ruling.verdict == "moved" for ruling in played.rulings)
        assert len(moves) == umpire.plies(played.last.truth)


@with_known_rules
def test_python_chess_reads_the_file_to_the_same_position(umpire: Umpire):
    for seed in SEEDS:
        played, record = play_random_game(umpire, seed), random_record(umpire, seed)
        game = chess.pgn.read_game(io.StringIO(pgn.write_pgn(record)))
        assert game
        assert game.errors == []
        assert game.end().board().fen(en_passant="fen").split()[:4] == position(umpire, played)
        assert game.headers["Result"] == dict(record.tags)["Result"]


def position(umpire: Umpire, played: PlayedGame) -> list[str]:
    """Return pieces, side to move, castling and en passant of the umpire's truth."""
    return umpire.fen(played.last.truth).split()[:4]


@every_umpire
def test_the_squares_of_the_moves_lead_to_the_same_position(umpire: Umpire):
    """For variants that no other program knows: moving pieces from square to square gives the umpire's position."""
    for seed in SEEDS:
        played, record = play_random_game(umpire, seed), random_record(umpire, seed)
        if umpire.card.chess:
            continue
        board = chess.Board(dict(record.tags).get("FEN", chess.STARTING_FEN))
        for move in record.moves:
            board.push(chess.Move.null() if move == NO_MOVE else chess.Move.from_uci(move))
        assert board.board_fen() == position(umpire, played)[0]


# ---------------------------------------------------------------- who is told what


def heard_in_common(white: Slip, black: Slip, mover: Side) -> Iterator[Fact]:
    """Yield what both sides heard of one ruling; moves as the other side hears them."""
    mine, theirs = (white, black) if mover is Side.WHITE else (black, white)
    said = {(fact.code, fact.text) for fact in mine.facts}
    for fact in theirs.facts:
        if (fact.code, fact.text) in said or fact.audience is Audience.MOVE:
            yield fact


def heard_by_both(played: PlayedGame) -> str:
    """Return everything that both sides heard once the pieces were on the board, from the rulings."""
    heard, on_the_board = [], False
    mover = played.rulings[0].turn or Side.WHITE
    for ruling in played.rulings:
        white, black = ruling.slips.white, ruling.slips.black
        if white and black:
            facts = tuple(heard_in_common(white, black, mover))
            on_the_board = on_the_board or any(fact.code == Common.TURN for fact in facts)
            if on_the_board:
                heard.append(
                    Slip(
                        Side.WHITE, tuple(f for f in facts if f.audience is not Audience.SETTING), white.sight
                    ).spoken
                )
        mover = ruling.turn or mover
    return " ".join(filter(None, heard))


def heard_alone(played: PlayedGame, side: Side) -> list[str]:
    """Return what only one side heard and a finished game may show."""
    texts = []
    for slip, other in zip(*(slips_of(played, each) for each in (side, side.other)), strict=True):
        theirs = {fact.text for fact in other.facts} if other else set()
        texts += [
            fact.text
            for fact in (slip.facts if slip else ())
            if fact.text not in theirs and fact.audience is Audience.ALONE
        ]
    return texts


def slips_of(played: PlayedGame, side: Side) -> list[Slip | None]:
    return [ruling.slips[side] for ruling in played.rulings]


def comments(record: Record) -> Iterator[str]:
    """Yield the comments one by one, and a comment with a number that many times."""
    for said in (each for told_after in record.comments for each in told_after):
        several = re.fullmatch(r"(.*) \((\d+) times\.\)", said)
        yield from [several[1]] * int(several[2]) if several else [said]


@every_umpire
def test_comments_for_both_are_exactly_what_both_heard_in_order(umpire: Umpire):
    for seed in SEEDS:
        played = play_random_game(umpire, seed)
        told_to_both = [
            said for said in comments(random_record(umpire, seed)) if not TOLD_ALONE.fullmatch(said)
        ]
        assert " ".join(told_to_both) == heard_by_both(played)


@every_umpire
def test_comments_for_one_side_are_exactly_what_it_alone_was_told(umpire: Umpire):
    for seed in SEEDS:
        played = play_random_game(umpire, seed)
        told_alone = [
            found for said in comments(random_record(umpire, seed)) if (found := TOLD_ALONE.fullmatch(said))
        ]
        for side in Side:
            mine = " ".join(found[2] for found in told_alone if found[1] == side.called)
            assert mine == " ".join(f"{text}." for text in heard_alone(played, side))


# ---------------------------------------------------------------- hostile names and texts

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
def test_a_name_cannot_forge_tags_or_comments(white: str, black: str):
    played = play_lines(find_umpire("wild16"), ["e2e4", "e7e5"])
    plain = record_of(played)
    text = pgn_of(played, white, black)

    record = read_pgn(text)
    assert [name for name, _ in record.tags] == [name for name, _ in plain.tags]
    assert (record.moves, record.comments, record.result) == (plain.moves, plain.comments, plain.result)
    assert record == pgn.clean_record(record_of(played, white, black))
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
def test_any_text_stays_in_its_comment(told_after: list[tuple[str, ...]], name: str, result: str):
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
def test_a_malformed_file_is_refused(text: str):
    with pytest.raises(ValueError, match=r"isn't a tag|no result|belongs in no game"):
        read_pgn(text)
