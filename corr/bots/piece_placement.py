"""Invents positions when none is left, placing the missing pieces to fit the counts and the turn's slips."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import chess

from corr.bots.evaluation import Scale
from corr.bots.history import Heard, is_alike
from corr.bots.position_sampling import NUMBER, Placed, Said, imagined, own_board
from corr.rules.core.umpire import Umpire
from corr.words.board import Man, Side, squares_of
from corr.words.codes import Common
from corr.words.errors import Refused
from corr.words.slips import Sight, Slip

#: The facts that the umpire announces about a position itself, not about a move.
_OF_A_POSITION = (Common.TRIES, Common.CHECK, Common.PAWN_CAPTURE)
_ARRAY = (chess.PAWN,) * 8 + (chess.KNIGHT, chess.BISHOP, chess.ROOK) * 2 + (chess.QUEEN,)
#: The number of pieces of each kind, both colours together.
_OF_A_KIND = {kind: 2 * _ARRAY.count(kind) for kind in set(_ARRAY)}
_MEN = 16
_TRIES_FOR_EACH = 6
#: Give up if fewer than one in this many tries finds a position.
_PATIENCE = 20


def placed(
    umpire: Umpire[Any], bases: Sequence[chess.Board], turn: Sequence[Heard], wanted: int, chance: Random
) -> tuple[Any, ...]:
    """Return up to this many positions that fit all slips of this turn."""
    found: dict[str, Any] = {}
    sight = turn[0].slip.sight
    own, theirs = own_board(sight), sight.side is not Side.WHITE
    said = Said.of(
        turn, is_asked="any?" in umpire.card.presses, knights_take=not Scale.of(umpire.card.key).spies
    )
    for number in range(wanted * _TRIES_FOR_EACH):
        if number > _PATIENCE * (len(found) + _TRIES_FOR_EACH):
            break
        men = _from_a_base(chance.choice(bases), theirs) if bases else _from_the_array(sight, chance)
        board = imagined(own, _as_many_as_there_are(men, sight, chance), said, chance)
        fen = _fen(board, sight)
        truth = _if_it_holds(umpire, fen, turn)
        if truth is not None:
            found[fen] = truth
            if len(found) == wanted:
                break
    return tuple(found.values())


def lonely(umpire: Umpire[Any], turn: Sequence[Heard]) -> tuple[Any, ...]:
    """Return every position of a lone king that fits all slips of this turn."""
    sight, captured = turn[0].slip.sight, turn[0].captured
    own, theirs = own_board(sight), sight.side is not Side.WHITE
    free = chess.BB_ALL & ~own.occupied if captured is None else 1 << captured
    found = []
    for square in squares_of(free):
        board = own.copy(stack=False)
        board.set_piece_at(square, chess.Piece(chess.KING, theirs))
        found.append(_if_it_holds(umpire, _fen(board, sight), turn))
    return tuple(truth for truth in found if truth is not None)


def deployed(umpire: Umpire[Any], heard: Heard, wanted: int, chance: Random) -> tuple[Any, ...]:
    """Return positions in which the opponent deployed with the king on the announced square."""
    found = {}
    side, king = heard.slip.side, heard.king
    assert king is not None
    prepared = [
        men for men in (each.men(side.other) for each in umpire.card.setups) if (Man.KING, king) in men
    ]
    for number in range(wanted * _TRIES_FOR_EACH):
        board = own_board(heard.slip.sight)
        men = chance.choice(prepared) if prepared and number % 2 else _scattered(side.other, king, chance)
        for man, square in men:
            board.set_piece_at(square, chess.Piece(NUMBER[man], side is Side.BLACK))
        board.turn = chess.WHITE
        fen = board.fen()
        truth = _if_it_holds(umpire, fen, (heard,))
        if truth is not None:
            found[fen] = truth
            if len(found) == wanted:
                break
    return tuple(found.values())


def _scattered(side: Side, king: int, chance: Random) -> list[tuple[Man, int]]:
    """Place sixteen pieces at random on this side's four rows, with the bishops on both colours."""
    rows = range(32) if side is Side.WHITE else range(32, 64)
    free = [square for square in rows if square != king]
    chance.shuffle(free)
    men = [(Man.KING, king)]
    dark = next(square for square in free if chess.BB_DARK_SQUARES >> square & 1)
    light = next(square for square in free if chess.BB_LIGHT_SQUARES >> square & 1)
    men += [(Man.BISHOP, dark), (Man.BISHOP, light)]
    rest = [square for square in free if square not in (dark, light)]
    kinds = [Man.QUEEN, Man.ROOK, Man.ROOK, Man.KNIGHT, Man.KNIGHT, *[Man.PAWN] * 8]
    return men + list(zip(kinds, rest, strict=False))


def _from_a_base(base: chess.Board, theirs: chess.Color) -> list[Placed]:
    own = base.occupied_co[theirs]
    kinds = (base.pawns, base.knights, base.bishops, base.rooks, base.queens, base.kings)
    return [
        Placed(kind, square)
        for kind, mask in enumerate(kinds, start=chess.PAWN)
        for square in squares_of(mask & own)
    ]


def _from_the_array(sight: Sight, chance: Random) -> list[Placed]:
    lost = sight.lost[sight.side.other]
    pawns = lost.pawns if lost.pawns is not None else min(8, lost.men // 2)
    pieces = [kind for kind in _ARRAY if kind != chess.PAWN]
    chance.shuffle(pieces)
    kinds = [*[chess.PAWN] * (8 - pawns), *pieces[lost.men - pawns :], chess.KING]
    return [Placed(kind, None) for kind in kinds]


def _as_many_as_there_are(men: list[Placed], sight: Sight, chance: Random) -> list[Placed]:
    """Drop or add pieces at random until their number matches the captures; never drop the king."""
    if sight.reserves is not None:
        return _of_the_right_kinds(men, sight, chance)
    wanted = _MEN - sight.lost[sight.side.other].men
    kings = [man for man in men if man.kind == chess.KING]
    others = [man for man in men if man.kind != chess.KING]
    chance.shuffle(others)
    more = [Placed(chance.choice(_ARRAY), None) for _ in range(wanted - len(men))]
    return others[: wanted - 1] + more + kings


def _of_the_right_kinds(men: list[Placed], sight: Sight, chance: Random) -> list[Placed]:
    """Match the number of each kind to those neither own nor in a reserve, keeping old squares if known."""
    assert sight.reserves
    waiting = (sight.reserves.white + sight.reserves.black).lower()
    kings = [man for man in men if man.kind == chess.KING]
    right = []
    for kind, count in _OF_A_KIND.items():
        waiting_so = waiting.count(chess.piece_symbol(kind))
        alike = [man for man in men if man.kind == kind]
        chance.shuffle(alike)
        left = count - waiting_so - _own_of(sight, kind)
        right += alike[:left] + [Placed(kind, None)] * (left - len(alike))
    chance.shuffle(right)
    return right + kings


def _own_of(sight: Sight, kind: chess.PieceType) -> int:
    """Count the side's own pieces that began as this kind, promoted or not."""
    masks = dict(zip(chess.PIECE_TYPES, (mask for _, mask in sight.masks()), strict=True))
    were_pawns = sight.promoted & sight.own
    men = masks[kind] & sight.own & ~were_pawns
    return (men | were_pawns).bit_count() if kind == chess.PAWN else men.bit_count()


def _if_it_holds(umpire: Umpire[Any], fen: str, turn: Sequence[Heard]) -> Any:
    """Return the truth of this position if it fits all slips of the turn; else None."""
    first = turn[0].slip
    try:
        ruling = umpire.start(fen)
    except Refused:
        return None
    slip = ruling.slips[first.side]
    if slip is None or ruling.truth.over or _of_the_position(slip) != _of_the_position(first):
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


def _of_the_position(slip: Slip) -> tuple[object, ...]:
    facts = tuple(fact for fact in slip.facts if fact.code in _OF_A_POSITION)
    return (facts, *slip.sight[1:9])


def _fen(board: chess.Board, sight: Sight) -> str:
    if sight.reserves is None:
        return board.fen()
    men, rest = board.fen(promoted=True).split(" ", maxsplit=1)
    return f"{men}[{sight.reserves.white}{sight.reserves.black}] {rest}"
