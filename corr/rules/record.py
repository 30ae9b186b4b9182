"""A game that is over, told from what either side was handed: every move of both, and what the umpire said of it.

A code that is named in neither table stays out: what was refused to one side alone is nobody else's, in no review.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

import chess
from chess.variant import find_variant

from corr.words import Card, Castle, Datum, Fact, Finished, Outcome, Pair, Refused, Side, Slip, squares_of

_MADE = ("moved", "dropped")
_ENDS = ("checkmate", "stalemate", "draw", "king-captured", "resigned", "time")
_NEWS = ("capture", "reserves", "check", "turn", "tries", "pawn-capture", "offer", "declined")
#: What an umpire says to an attempt or a question: aloud only where it names the side, else to that side alone.
_ANSWERS = ("illegal", "nonsense", "impossible", "any")
#: What one side was told alone, and both may read once the game is over.
_ALONE = ("king", "spy", "sensed", "taken")

#: Where nothing moved, be it a pass or a move that failed; what was asked for is among the comments.
NO_MOVE = "--"
_NO_MOVE = (None, "pass")
_CORNERS = {
    (Side.WHITE, Castle.SHORT): chess.H1,
    (Side.WHITE, Castle.LONG): chess.A1,
    (Side.BLACK, Castle.SHORT): chess.H8,
    (Side.BLACK, Castle.LONG): chess.A8,
}


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it is written down: tags, moves, and comments, first those before any move, then those after each."""

    tags: tuple[tuple[str, str], ...]
    moves: tuple[str, ...]
    comments: tuple[tuple[str, ...], ...]
    result: str


def record(card: Card, finished: Finished) -> Record:
    """The record of a finished game; Refused if the men were never on the board."""
    handed = Pair(_begun(finished.slips.white), _begun(finished.slips.black))
    if not (handed.white and handed.black):
        raise Refused("The men were never on the board in this game, so there is nothing to write down.")
    turns = Pair(_turns(handed.white), _turns(handed.black))
    movers = (_to_move(handed.white[0]).other, *map(_mover, turns.white[1:]))
    comments = (_comments(turns, number, mover) for number, mover in enumerate(movers))
    made = (turns[mover][number][0].facts[0]["move"] for number, mover in enumerate(movers) if number)
    board, result = _first_board(card, handed), _result(finished.outcome)
    tags = (*_tags(card, finished, result), *_setting(board))
    return Record(tags, tuple(_moves(card, board, made)), tuple(comments), result)


# ---------------------------------------------------------------- from slips to turns


def _begun(slips: tuple[Slip, ...]) -> tuple[Slip, ...]:
    """What a side was handed from the moment that the men were on the board."""
    first = next(
        (at for at, slip in enumerate(slips) if any(fact.code == "turn" for fact in slip.facts)), None
    )
    return () if first is None else slips[first:]


def _to_move(slip: Slip) -> Side:
    return next(Side(str(fact["side"])) for fact in slip.facts if fact.code == "turn")


def _turns(slips: Iterable[Slip]) -> list[list[Slip]]:
    """What a side was handed before the first move and after each; what was said before a move is no part of it."""
    turns: list[list[Slip]] = [[]]
    for slip in slips:
        made = next((at for at, fact in enumerate(slip.facts) if fact.code in _MADE), None)
        turns[-1].append(slip._replace(facts=slip.facts[:made]))
        if made is not None:
            turns.append([slip._replace(facts=slip.facts[made:])])
    return turns


def _mover(turn: list[Slip]) -> Side:
    return Side(str(turn[0].facts[0]["side"]))


# ---------------------------------------------------------------- what was said


def _comments(turns: Pair[list[list[Slip]]], number: int, mover: Side) -> tuple[str, ...]:
    """What was said after a move of this side, until the next: to both, then to each alone."""
    first, *later = turns[mover.other][number]
    told = [_aloud(first), *(_alone(slip) for slip in turns[mover][number]), _alone(first)]
    told += [said for slip in later for said in (_aloud(slip), _alone(slip))]
    return tuple(_counted(filter(None, told)))


def _aloud(slip: Slip) -> str:
    """What both heard; the mover's own slip may word the move otherwise, so it is the other side's that is asked."""
    return _said(slip, (fact for fact in slip.facts if _is_heard_by_both(fact)))


def _is_heard_by_both(fact: Fact) -> bool:
    return fact.code in (*_MADE, *_NEWS, *_ENDS) or (fact.code in _ANSWERS and "side" in dict(fact.data))


def _alone(slip: Slip) -> str:
    said = _said(slip, (fact for fact in slip.facts if fact.code in _ALONE))
    return f"{slip.side.called} alone was told: {said}" if said else ""


def _said(slip: Slip, facts: Iterable[Fact]) -> str:
    return slip._replace(facts=tuple(facts)).spoken


def _counted(told: Iterable[str]) -> Iterator[str]:
    """The same said several times in a row is said once, and how often."""
    for said, each in groupby(told):
        times = len(list(each))
        yield f"{said} ({times} times.)" if times > 1 else said


# ---------------------------------------------------------------- moves


def _first_board(card: Card, handed: Pair[tuple[Slip, ...]]) -> chess.Board:
    """The first position: what each side then saw of its own men and knew of its rights."""
    board: chess.Board = find_variant(card.chess or "Standard")(None)
    for side in Side:
        sight = handed[side][0].sight
        for kind, (_, mask) in enumerate(sight.masks(), start=chess.PAWN):
            for square in squares_of(mask & sight.own):
                board.set_piece_at(square, chess.Piece(kind, side is Side.WHITE))
        for castle in sight.castling:
            board.castling_rights |= 1 << _CORNERS[side, castle]
    board.turn = _to_move(handed.white[0]) is Side.WHITE
    return board


def _moves(card: Card, board: chess.Board, moves: Iterable[Datum]) -> Iterator[str]:
    """Moves as other programs write them where they know the rules, else by their squares."""
    for move in moves:
        if move in _NO_MOVE:
            yield NO_MOVE
        elif card.chess:
            yield _with_letter(board.san_and_push(chess.Move.from_uci(str(move))))
        else:
            yield str(move)


def _with_letter(san: str) -> str:
    """A dropped pawn has its letter here, `P@e4`; every program reads it so, and python-chess writes none."""
    return f"P{san}" if san.startswith("@") else san


# ---------------------------------------------------------------- tags


def _tags(card: Card, finished: Finished, result: str) -> tuple[tuple[str, str], ...]:
    """PGN's own seven first; the variant as other programs know it, and then who umpired."""
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
        ("Termination", "time forfeit" if finished.outcome.reason == "time" else "normal"),
    )


def _setting(board: chess.Board) -> tuple[tuple[str, str], ...]:
    """The first position, where it is not the one that everybody knows."""
    fen = board.fen()
    return () if fen == type(board)().fen() else (("SetUp", "1"), ("FEN", fen))


def _result(outcome: Outcome) -> str:
    if outcome.winner is None:
        return "1/2-1/2"
    return "1-0" if outcome.winner is Side.WHITE else "0-1"
