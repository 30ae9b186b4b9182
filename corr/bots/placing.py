"""Positions made up where none is left: the missing men placed so that counts and the turn's words hold."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import chess

from corr.bots.heard import Heard, is_alike
from corr.rules.core.umpire import Umpire
from corr.words.board import Man, Side, squares_of
from corr.words.codes import Common
from corr.words.errors import Refused
from corr.words.slips import Sight, Slip

_NUMBER = {man: number for number, man in enumerate(Man, start=chess.PAWN)}
#: What the umpire says of a position, however it has come about.
_OF_A_POSITION = (Common.TRIES, Common.CHECK, Common.RESERVES, Common.PAWN_CAPTURE)
_ARRAY = (chess.PAWN,) * 8 + (chess.KNIGHT, chess.BISHOP, chess.ROOK) * 2 + (chess.QUEEN,)
_MEN = 16
#: How many men have perhaps moved since the position from which another is made up.
_MOVED = (0, 1, 1, 2, 3)
_NEAR = 0.7
_TRIES_FOR_EACH = 6


class Placed(NamedTuple):
    """A man of the other side's, and where it may have stood; anywhere where nothing is known of it."""

    kind: chess.PieceType
    square: int | None


def placed(
    umpire: Umpire[Any], bases: Sequence[chess.Board], turn: Sequence[Heard], wanted: int, chance: Random
) -> tuple[Any, ...]:
    """Up to so many positions in which all of this turn would have been said; fewer if they are hard to find."""
    found = {}
    for _ in range(wanted * _TRIES_FOR_EACH):
        base = chance.choice(bases) if bases else None
        board = _imagined(base, turn, chance)
        fen = _fen(board, turn[0].slip.sight)
        truth = _if_it_holds(umpire, fen, turn)
        if truth is not None:
            found[fen] = truth
            if len(found) == wanted:
                break
    return tuple(found.values())


def deployed(umpire: Umpire[Any], heard: Heard, wanted: int, chance: Random) -> tuple[Any, ...]:
    """Positions with the other side's men deployed in ways that put the king where he was said to be."""
    found = {}
    side, king = heard.slip.side, heard.king
    assert king is not None
    prepared = [
        men for men in (each.men(side.other) for each in umpire.card.setups) if (Man.KING, king) in men
    ]
    for number in range(wanted * _TRIES_FOR_EACH):
        board = _own_board(heard.slip.sight)
        men = chance.choice(prepared) if prepared and number % 2 else _scattered(side.other, king, chance)
        for man, square in men:
            board.set_piece_at(square, chess.Piece(_NUMBER[man], side is Side.BLACK))
        board.turn = chess.WHITE
        fen = board.fen()
        truth = _if_it_holds(umpire, fen, (heard,))
        if truth is not None:
            found[fen] = truth
            if len(found) == wanted:
                break
    return tuple(found.values())


def _scattered(side: Side, king: int, chance: Random) -> list[tuple[Man, int]]:
    """Sixteen men anywhere on this side's four rows, bishops on both colours, pawns not behind if it can be."""
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


def _own_board(sight: Sight) -> chess.Board:
    """A board with one's own men alone, and what they may do."""
    board = chess.Board(None)
    white = sight.side is Side.WHITE
    for man, squares in sight.own_men().items():
        for square in squares:
            board.set_piece_at(square, chess.Piece(_NUMBER[man], white))
    board.promoted = sight.promoted & sight.own
    for right in sight.castling:
        corner = chess.H1 if right == "o-o" else chess.A1
        board.castling_rights |= chess.BB_SQUARES[corner if white else corner ^ 56]
    board.turn = white
    return board


def _imagined(base: chess.Board | None, turn: Sequence[Heard], chance: Random) -> chess.Board:
    """One's own men as they stand, and the other side's about where they were in a position that was possible."""
    heard, sight = turn[0], turn[0].slip.sight
    theirs = sight.side is not Side.WHITE
    board = _own_board(sight)
    board.fullmove_number = max(1, sight.turn or 2)
    men = _from_the_array(sight, chance) if base is None else _from_a_base(base, theirs)
    men = _as_many_as_there_are(men, sight, chance)
    shown = dict(turn[-1].slip.sight.beside())
    for spot, letter in shown.items():
        if letter != ".":
            kind = chess.PIECE_SYMBOLS.index(letter.lower())
            _take_nearest(men, kind, spot)
            board.set_piece_at(spot, chess.Piece(kind, theirs))
    if heard.tells_of_their_move and heard.captured is not None and not board.occupied >> heard.captured & 1:
        taker = men.pop(chance.randrange(len(men)))
        men.insert(0, Placed(taker.kind, heard.captured))
    closed = sum(1 << spot for spot in shown)
    moved = {chance.randrange(len(men)) for _ in range(chance.choice(_MOVED))} if men else set()
    for number, man in enumerate(men):
        square = man.square
        if square is None or number in moved or (board.occupied | closed) >> square & 1:
            square = _anywhere(board, closed, man, theirs, chance)
        if square is not None:
            has_promoted = man.kind == chess.PAWN and square >> 3 in (0, 7)
            board.set_piece_at(square, chess.Piece(chess.QUEEN if has_promoted else man.kind, theirs))
    return board


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
    """Some left out at random, or more of any kind, until there are as many as were not taken; never the king."""
    if sight.reserves is not None:
        return men
    wanted = _MEN - sight.lost[sight.side.other].men
    kings = [man for man in men if man.kind == chess.KING]
    others = [man for man in men if man.kind != chess.KING]
    chance.shuffle(others)
    more = [Placed(chance.choice(_ARRAY), None) for _ in range(wanted - len(men))]
    return others[: wanted - 1] + more + kings


def _take_nearest(men: list[Placed], kind: chess.PieceType, square: int) -> None:
    """Take away the man that may have come to this square: of this kind and the nearest, or any but the king."""
    alike = [man for man in men if man.kind == kind] or [man for man in men if man.kind != chess.KING]
    if alike:
        men.remove(
            min(alike, key=lambda man: 8 if man.square is None else chess.square_distance(man.square, square))
        )


def _anywhere(
    board: chess.Board, closed: int, man: Placed, theirs: chess.Color, chance: Random
) -> int | None:
    """A free square for a man: mostly one that it could go to from where it was, or else any."""
    free = chess.BB_ALL & ~(board.occupied | closed)
    if man.kind == chess.PAWN:
        free &= ~chess.BB_BACKRANKS
    near = free & _reach(board, man, theirs) if chance.random() < _NEAR else 0
    squares = squares_of(near or free)
    return chance.choice(squares) if squares else None


def _reach(board: chess.Board, man: Placed, theirs: chess.Color) -> int:
    """Where a man could go, or a pawn take, from where it was."""
    kind, square = man
    if square is None:
        return 0
    if kind == chess.PAWN:
        ahead = square + (8 if theirs else -8)
        return 1 << ahead & chess.BB_ALL if ahead >= 0 else 0
    if kind == chess.KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[square]
    if kind == chess.KING:
        return chess.BB_KING_ATTACKS[square]
    lines = 0
    if kind != chess.ROOK:
        lines |= chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & board.occupied]
    if kind != chess.BISHOP:
        lines |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & board.occupied]
        lines |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & board.occupied]
    return lines


def _if_it_holds(umpire: Umpire[Any], fen: str, turn: Sequence[Heard]) -> Any:
    """The truth of this position if all of the turn would have been said of it; else None."""
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
