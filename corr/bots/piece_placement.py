"""Invents positions when none is left, placing the missing pieces to fit the counts and the turn's slips."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import chess

from corr.bots.evaluation import PieceValues
from corr.bots.history import Observation, is_alike
from corr.bots.possible_positions import PlacedPiece, PositionClues, invent_board, own_board
from corr.rules.core.notation import KIND_NUMBERS
from corr.rules.core.umpire import Umpire
from corr.words.board import PieceKind, Side, squares_of
from corr.words.codes import Common
from corr.words.errors import Refused
from corr.words.slips import Sight, Slip

#: The facts that the umpire announces about a position itself, not about a move.
_POSITION_CODES = (Common.TRIES, Common.CHECK, Common.PAWN_CAPTURE)
_ARRAY = (chess.PAWN,) * 8 + (chess.KNIGHT, chess.BISHOP, chess.ROOK) * 2 + (chess.QUEEN,)
#: The number of pieces of each kind, both colours together.
_COUNT_BY_KIND = {kind: 2 * _ARRAY.count(kind) for kind in set(_ARRAY)}
_SIDE_PIECES = 16
_TRIES_FOR_EACH = 6
_PATIENCE = 20  # give up if fewer than one in this many tries finds a position


def invent_positions(
    umpire: Umpire[Any],
    bases: Sequence[chess.Board],
    turn: Sequence[Observation],
    wanted: int,
    chance: Random,
) -> tuple[Any, ...]:
    """Invent up to `wanted` positions that fit this turn's slips, mostly by moving pieces on `bases`."""
    found: dict[str, Any] = {}
    sight = turn[0].slip.sight
    own, theirs = own_board(sight), sight.side is not Side.WHITE
    said = PositionClues.of(
        turn, is_asked="any?" in umpire.card.presses, knights_take=not PieceValues.of(umpire.card.key).spies
    )
    for number in range(wanted * _TRIES_FOR_EACH):
        if number > _PATIENCE * (len(found) + _TRIES_FOR_EACH):
            break
        men = _pieces_on_board(chance.choice(bases), theirs) if bases else _starting_pieces(sight, chance)
        board = invent_board(own, _match_piece_count(men, sight, chance), said, chance)
        fen = _fen(board, sight)
        truth = _truth_if_fitting(umpire, fen, turn)
        if truth is not None:
            found[fen] = truth
            if len(found) == wanted:
                break
    return tuple(found.values())


def lone_king_positions(umpire: Umpire[Any], turn: Sequence[Observation]) -> tuple[Any, ...]:
    """Return every position of a lone king that fits all slips of this turn."""
    sight, captured = turn[0].slip.sight, turn[0].captured
    own, theirs = own_board(sight), sight.side is not Side.WHITE
    free = chess.BB_ALL & ~own.occupied if captured is None else 1 << captured
    found = []
    for square in squares_of(free):
        board = own.copy(stack=False)
        board.set_piece_at(square, chess.Piece(chess.KING, theirs))
        found.append(_truth_if_fitting(umpire, _fen(board, sight), turn))
    return tuple(truth for truth in found if truth is not None)


def invent_deployments(
    umpire: Umpire[Any], observation: Observation, wanted: int, chance: Random
) -> tuple[Any, ...]:
    """Return positions in which the opponent deployed with the king on the announced square."""
    found = {}
    side, king = observation.slip.side, observation.king
    assert king is not None
    prepared = [
        men for men in (each.men(side.other) for each in umpire.card.setups) if (PieceKind.KING, king) in men
    ]
    for number in range(wanted * _TRIES_FOR_EACH):
        board = own_board(observation.slip.sight)
        men = (
            chance.choice(prepared) if prepared and number % 2 else _scatter_pieces(side.other, king, chance)
        )
        for man, square in men:
            board.set_piece_at(square, chess.Piece(KIND_NUMBERS[man], side is Side.BLACK))
        board.turn = chess.WHITE
        fen = board.fen()
        truth = _truth_if_fitting(umpire, fen, (observation,))
        if truth is not None:
            found[fen] = truth
            if len(found) == wanted:
                break
    return tuple(found.values())


def _scatter_pieces(side: Side, king: int, chance: Random) -> list[tuple[PieceKind, int]]:
    """Place a whole army at random on its own half, with the king on a given square."""
    rows = range(32) if side is Side.WHITE else range(32, 64)
    free = [square for square in rows if square != king]
    chance.shuffle(free)
    men = [(PieceKind.KING, king)]
    dark = next(square for square in free if chess.BB_DARK_SQUARES >> square & 1)
    light = next(square for square in free if chess.BB_LIGHT_SQUARES >> square & 1)
    men += [(PieceKind.BISHOP, dark), (PieceKind.BISHOP, light)]
    rest = [square for square in free if square not in (dark, light)]
    kinds = [
        PieceKind.QUEEN,
        PieceKind.ROOK,
        PieceKind.ROOK,
        PieceKind.KNIGHT,
        PieceKind.KNIGHT,
        *[PieceKind.PAWN] * 8,
    ]
    return men + list(zip(kinds, rest, strict=False))


def _pieces_on_board(base: chess.Board, theirs: chess.Color) -> list[PlacedPiece]:
    own = base.occupied_co[theirs]
    kinds = (base.pawns, base.knights, base.bishops, base.rooks, base.queens, base.kings)
    return [
        PlacedPiece(kind, square)
        for kind, mask in enumerate(kinds, start=chess.PAWN)
        for square in squares_of(mask & own)
    ]


def _starting_pieces(sight: Sight, chance: Random) -> list[PlacedPiece]:
    """Return pieces that the opponent may have left, without squares."""
    lost = sight.lost[sight.side.other]
    pawns = lost.pawns if lost.pawns is not None else min(8, lost.men // 2)
    pieces = [kind for kind in _ARRAY if kind != chess.PAWN]
    chance.shuffle(pieces)
    kinds = [*[chess.PAWN] * (8 - pawns), *pieces[lost.men - pawns :], chess.KING]
    return [PlacedPiece(kind, None) for kind in kinds]


def _match_piece_count(men: list[PlacedPiece], sight: Sight, chance: Random) -> list[PlacedPiece]:
    """Drop or add pieces at random until their number matches the captures; never drop the king."""
    if sight.reserves is not None:
        return _match_piece_kinds(men, sight, chance)
    wanted = _SIDE_PIECES - sight.lost[sight.side.other].men
    kings = [man for man in men if man.kind == chess.KING]
    others = [man for man in men if man.kind != chess.KING]
    chance.shuffle(others)
    more = [PlacedPiece(chance.choice(_ARRAY), None) for _ in range(wanted - len(men))]
    return others[: wanted - 1] + more + kings


def _match_piece_kinds(men: list[PlacedPiece], sight: Sight, chance: Random) -> list[PlacedPiece]:
    """Match the number of each kind to those neither own nor in a reserve, keeping old squares if known."""
    assert sight.reserves
    waiting = (sight.reserves.white + sight.reserves.black).lower()
    kings = [man for man in men if man.kind == chess.KING]
    right = []
    for kind, count in _COUNT_BY_KIND.items():
        waiting_so = waiting.count(chess.piece_symbol(kind))
        alike = [man for man in men if man.kind == kind]
        chance.shuffle(alike)
        left = count - waiting_so - _count_own_pieces(sight, kind)
        right += alike[:left] + [PlacedPiece(kind, None)] * (left - len(alike))
    chance.shuffle(right)
    return right + kings


def _count_own_pieces(sight: Sight, kind: chess.PieceType) -> int:
    masks = dict(zip(chess.PIECE_TYPES, (mask for _, mask in sight.masks()), strict=True))
    were_pawns = sight.promoted & sight.own
    men = masks[kind] & sight.own & ~were_pawns
    return (men | were_pawns).bit_count() if kind == chess.PAWN else men.bit_count()


def _truth_if_fitting(umpire: Umpire[Any], fen: str, turn: Sequence[Observation]) -> Any:
    """Return the umpire's state of this position if it fits all slips of the turn; else None."""
    first = turn[0].slip
    try:
        ruling = umpire.start(fen)
    except Refused:
        return None
    slip = ruling.slips[first.side]
    if slip is None or ruling.truth.over or _position_facts(slip) != _position_facts(first):
        return None
    truth = ruling.truth
    for heard in turn[1:]:
        if heard.is_held_back:
            continue
        assert heard.order is not None
        ruling = umpire.judge(truth, first.side, heard.order)
        slip = ruling.slips[first.side]
        if slip is None or not is_alike(slip, heard.slip):
            return None
        truth = ruling.truth
    return truth


def _position_facts(slip: Slip) -> tuple[object, ...]:
    """Return what a slip tells of the position itself, in a form that can be compared."""
    facts = tuple(fact for fact in slip.facts if fact.code in _POSITION_CODES)
    return (facts, *slip.sight[1:9])


def _fen(board: chess.Board, sight: Sight) -> str:
    if sight.reserves is None:
        return board.fen()
    men, rest = board.fen(promoted=True).split(" ", maxsplit=1)
    return f"{men}[{sight.reserves.white}{sight.reserves.black}] {rest}"
