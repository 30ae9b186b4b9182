"""Compares corr with `reconchess` in random games of Reconnaissance Blind Chess, turn by turn.

Compares what may be asked for, what every sense shows, what was asked and what was made of it, the captures that either
side is told of, the true board after every turn, and how the game ends. Now and then both are asked for a move that
one's own pieces make impossible.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import chess
from reconchess import LocalGame, WinReason
from reconchess.utilities import add_pawn_queen_promotion

from bench.lockstep import Tally
from corr.rules.core.umpire import Ruling
from corr.rules.variants import find_umpire
from corr.words.board import SQUARES, PieceKind, Side
from corr.words.codes import Datum, SquareContents
from corr.words.orders import Move, Pass, Sense
from corr.words.slips import Verdict

UMPIRE = find_umpire("rbc")
ENDS = {WinReason.KING_CAPTURE: "king-captured", WinReason.MOVE_LIMIT: "fifty"}

#: Most games begin as chess; in the others castling, en passant and promotion are near.
STARTS = (
    *[chess.STARTING_FEN] * 3,
    "r3k2r/pppp1ppp/8/8/8/8/PPPP1PPP/R3K2R w KQkq - 0 1",
    "r3k2r/p1p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/R3K2R w KQkq - 0 1",
    "1r2k1r1/P1P3P1/8/8/8/8/p1p3p1/1R2K1R1 w - - 0 1",
)

#: A side's turn: a square to sense, and moves to try until one succeeds.
Turn = tuple[int | None, list[chess.Move | None]]


def order_of(move: chess.Move | None) -> Move | Pass:
    """The same move in corr's words."""
    if move is None:
        return Pass()
    return Move(
        move.from_square, move.to_square, list(PieceKind)[move.promotion - 1] if move.promotion else None
    )


def told(ruling: Ruling[Any], side: Side, code: str, key: str) -> Datum:
    """A fact's data, if this side was told it."""
    slip = ruling.slips[side]
    found = [fact for fact in slip.facts if fact.code == code] if slip else []
    return found[0][key] if found else None


def play(_variant: str, seed: int, tally: Tally) -> list[Turn]:
    """Play a random game in lockstep; return the orders. In every tenth game most turns are passes."""
    rng, peer, fen = random.Random(seed), LocalGame(None), STARTS[seed % len(STARTS)]
    turns: list[Turn] = []
    passes = 0.05 if seed % 10 else 0.99
    ruling, peer.board = UMPIRE.start(fen), chess.Board(fen)
    peer.start()
    while ruling.turn and not peer.is_over():
        side, where = ruling.turn, f"game {seed}, turn {len(turns) + 1}"
        tally.expect(where, told(ruling, side, "capture", "square"), square(peer.opponent_move_results()))
        looked = rng.choice([None, *chess.SQUARES])
        ruling = sense(where, ruling, peer, looked, tally)
        ours = {text for text in UMPIRE.possible_tries(ruling.truth.sights[side]) if text != "pass"}
        tally.expect(
            where, ours, {add_pawn_queen_promotion(peer.board, move).uci() for move in peer.move_actions()}
        )
        moves = list(asked(peer, rng, passes))
        turns.append((looked, moves))
        for move in moves:
            ruling = request(f"{where}, {move}", ruling, peer, move, tally)
        peer.end_turn()
        theirs = peer.board.fen(en_passant="xfen")
        tally.expect(where, UMPIRE.fen(ruling.truth), theirs)
    end(f"game {seed}", ruling, peer, tally)
    return turns


def asked(peer: LocalGame, rng: random.Random, passes: float) -> Iterator[chess.Move | None]:
    """Sometimes impossible squares first; then a pass or a possible move."""
    offered = sorted(peer.move_actions(), key=chess.Move.uci)
    while rng.random() < 0.1:
        move = chess.Move(rng.randrange(64), rng.randrange(64))
        if move and add_pawn_queen_promotion(peer.board, move) not in offered:
            yield move
    yield rng.choice(offered) if offered and rng.random() >= passes else None


def sense(where: str, ruling: Ruling[Any], peer: LocalGame, looked: int | None, tally: Tally) -> Ruling[Any]:
    side = ruling.turn
    assert side
    ruling = UMPIRE.judge(ruling.truth, side, Sense(looked))
    seen = told(ruling, side, "sensed", "squares")
    assert isinstance(seen, SquareContents)
    theirs = {SQUARES[at]: piece.symbol() if piece else "." for at, piece in peer.sense(looked)}
    tally.expect(f"{where}, sense", dict(seen.on), theirs)
    tally.expect(f"{where}, sense, the other side", ruling.slips[side.other], None)
    tally.counts["senses"] += 1
    return ruling


def request(
    where: str, ruling: Ruling[Any], peer: LocalGame, move: chess.Move | None, tally: Tally
) -> Ruling[Any]:
    """Request a move from both; they must refuse it or make the same of it."""
    side = ruling.turn
    assert side
    ruling = UMPIRE.judge(ruling.truth, side, order_of(move))
    try:
        _, made, taken = peer.move(move)
    except ValueError:
        tally.expect(where, ruling.verdict, Verdict.UNREADABLE)
        tally.counts["refused to ask for"] += 1
        return ruling
    tally.expect(where, ruling.verdict, Verdict.MOVED)
    tally.expect(where, told(ruling, side, "taken", "move"), made and made.uci())
    tally.expect(where, str(told(ruling, side, "taken", "asked"))[:4], move.uci()[:4] if move else "pass")
    for who in Side:
        tally.expect(f"{where}, {who}", told(ruling, who, "capture", "square"), square(taken))
    tally.counts["moves made"] += made is not None
    tally.counts["captures"] += taken is not None
    return ruling


def square(number: int | None) -> str | None:
    """A square by its name, where there is one."""
    return None if number is None else SQUARES[number]


def end(where: str, ruling: Ruling[Any], peer: LocalGame, tally: Tally) -> None:
    """Both games are over, for the same reason, and the same side has won."""
    outcome, winner = ruling.outcome, peer.get_winner_color()
    ours = (outcome.winner, outcome.reason) if outcome else None
    theirs = (
        {None: None, chess.WHITE: Side.WHITE, chess.BLACK: Side.BLACK}[winner],
        ENDS[peer.get_win_reason()],
    )
    tally.expect(f"{where}, its end", ours, theirs)
    tally.counts[f"ended by {theirs[1]}"] += 1
