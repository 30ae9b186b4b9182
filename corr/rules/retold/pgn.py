"""Writes a finished game as a PGN file in UTF-8.

Each move begins a line, so that an email could not mean any line as an order. Text can't leave its tag or comment.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

import chess

from corr.rules.retold import boards
from corr.rules.retold.retold_game import RetoldGame, remove_repeat_count, retell
from corr.words.board import Pair, Side
from corr.words.replay import CompletedGame, DisclosedOrders
from corr.words.slips import Outcome, as_sentence
from corr.words.view import VariantInfo


@dataclass(frozen=True, slots=True)
class Record:
    """A game's tags and moves, and its comments: those before any move, then those after each."""

    tags: tuple[tuple[str, str], ...]
    moves: tuple[str, ...]
    comments: tuple[tuple[str, ...], ...]
    result: str


def build_record(card: VariantInfo, finished: CompletedGame) -> Record:
    """Collect a finished game's tags, moves and comments; Refused if no piece was ever on the board."""
    game = retell(finished.slips)
    board, result = boards.build_first_board(card, game), _result(finished.outcome)
    tags = (*_tags(card, finished, result), *_setting(board))
    comments = tuple(
        tuple(_comments_after(game, finished.disclosed, number)) for number in range(len(game.movers))
    )
    return Record(tags, tuple(boards.play_moves(card, board, game)), comments, result)


def _comments_after(game: RetoldGame, disclosed: Pair[DisclosedOrders], number: int) -> Iterator[str]:
    """Yield the comments on a move and on what was said and tried until the next."""
    stood = disclosed[game.movers[number]].stood.get(number)
    if stood:
        yield as_sentence(stood.capitalize())
    said = game.comments(number)
    yield from said
    for side in Side:
        for tried in disclosed[side].tries.get(number, ()):
            orders = ", ".join(f'"{order}"' for order in tried.orders)
            is_told = any(remove_repeat_count(each) == tried.said for each in said)
            yield f"{side.called} tried {orders}{'.' if is_told else f': {tried.said}'}"


def _tags(card: VariantInfo, finished: CompletedGame, result: str) -> tuple[tuple[str, str], ...]:
    """Return the game's PGN tags: PGN's own seven first, then the variant and the umpire."""
    return (
        ("Event", f"{card.name} by mail"),
        ("Site", finished.site),
        ("Date", finished.begun),
        ("Round", "-"),
        ("White", finished.players.white),
        ("Black", finished.players.black),
        ("Result", result),
        ("GameId", finished.game),
        ("Variant", card.chess or card.name),
        ("Umpire", card.name),
        ("TimeControl", finished.time_control),
        ("Termination", _TERMINATIONS.get(finished.outcome.reason, "normal")),
        *((("License", finished.licence),) if finished.licence else ()),
    )


def _setting(board: chess.Board) -> tuple[tuple[str, str], ...]:
    """Return tags for the first position, unless it is the usual one."""
    fen = board.fen()
    return () if fen == type(board)().fen() else (("SetUp", "1"), ("FEN", fen))


#: PGN's names for endings that do not come from the rules of the game.
_TERMINATIONS = {"time": "time forfeit", "adjudication": "adjudication", "void": "adjudication"}


def _result(outcome: Outcome) -> str:
    if outcome.reason == "void":
        return "*"
    if outcome.winner is None:
        return "1/2-1/2"
    return "1-0" if outcome.winner is Side.WHITE else "0-1"


_COLUMNS = 79
_LONGEST_WORD = 60
_UNCUT = ("FEN",)
_BRACES = str.maketrans("{}", "()")


def clean_record(record: Record) -> Record:
    """Return a game with tags cut to their lines, and comments without braces or control characters."""
    return Record(
        tuple((name, _tag_value(name, value)) for name, value in record.tags),
        record.moves,
        tuple(tuple(filter(None, map(_comment, said))) for said in record.comments),
        record.result,
    )


def write_pgn(record: Record) -> str:
    held = clean_record(record)
    tags = (f'[{name} "{_escape(value)}"]' for name, value in held.tags)
    lines = (
        line
        for piece in _movetext(held)
        for line in textwrap.wrap(piece, _COLUMNS, break_long_words=False, break_on_hyphens=False)
    )
    return "\n".join([*tags, "", *lines, ""])


def _printable(text: str) -> str:
    """Put text on one line, without invisible marks and those that change its direction."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _tag_value(name: str, text: str) -> str:
    """Return a tag's value, cut to its line if people have worded it."""
    value = _printable(text)
    return (value if name in _UNCUT else _cut_value(value, _COLUMNS - len(f'[{name} ""]'))) or "?"


def _cut_value(value: str, room: int) -> str:
    while len(_escape(value)) > room:
        value = value[:-1].rstrip()
    return value


def _comment(text: str) -> str:
    """Clean a text for a comment: braces become parentheses, very long words are broken."""
    words = _printable(text.translate(_BRACES))
    return re.sub(rf"(\S{{{_LONGEST_WORD}}})(?=\S)", r"\1 ", words)


def _movetext(record: Record) -> Iterator[str]:
    """Yield the numbered moves with their comments, and then the result."""
    first, *after = (" ".join(f"{{{said}}}" for said in each) for each in record.comments)
    yield first
    begins = int(_first_mover(record) is Side.BLACK)
    for ply, (move, said) in enumerate(zip(record.moves, after, strict=True), start=begins):
        yield f"{ply // 2 + 1}{'...' if ply % 2 else '.'} {move} {said}"
    yield record.result


def _first_mover(record: Record) -> Side:
    fen = dict(record.tags).get("FEN", "w w").split()
    return Side.BLACK if fen[1] == "b" else Side.WHITE
