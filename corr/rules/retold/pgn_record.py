"""Builds the written record of a finished game: every move of both sides, and the umpire's words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import chess

from corr.rules.retold import boards
from corr.rules.retold.public_slips import RetoldGame, remove_repeat_count, retell
from corr.words.board import Pair, Side
from corr.words.slips import Outcome, as_sentence
from corr.words.view import Card, CompletedGame, DisclosedOrders


@dataclass(frozen=True, slots=True)
class Record:
    """A game's tags and moves, and its comments: those before any move, then those after each."""

    tags: tuple[tuple[str, str], ...]
    moves: tuple[str, ...]
    comments: tuple[tuple[str, ...], ...]
    result: str


def build_record(card: Card, finished: CompletedGame) -> Record:
    """Build the record of a finished game; Refused if the pieces were never on the board."""
    game = retell(finished.slips)
    board, result = boards.build_first_board(card, game), _result(finished.outcome)
    tags = (*_tags(card, finished, result), *_setting(board))
    comments = tuple(
        tuple(_comments_after(game, finished.disclosed, number)) for number in range(len(game.movers))
    )
    return Record(tags, tuple(boards.play_moves(card, board, game)), comments, result)


def _comments_after(game: RetoldGame, disclosed: Pair[DisclosedOrders], number: int) -> Iterator[str]:
    """Yield the construct around a move, the words after it, and the tries before the next move.

    A refusal that both sides heard is written once, with the orders that were refused.
    """
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


# ---------------------------------------------------------------- tags


def _tags(card: Card, finished: CompletedGame, result: str) -> tuple[tuple[str, str], ...]:
    """List PGN's own seven first, then the variant as other programs know it, and then the umpire."""
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
