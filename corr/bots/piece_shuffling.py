"""How one's own men stand, so that a house player goes on and does not walk to and fro."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

import chess

from corr.words.board import Man
from corr.words.orders import Drop, Move, Pass
from corr.words.slips import Sight

#: Where one's own men of each kind are.
Stand: TypeAlias = tuple[int, ...]

NOWHERE: Mapping[Stand, int] = MappingProxyType({})
_KIND = {man: number for number, man in enumerate(Man)}


def stand_of(sight: Sight) -> Stand:
    """How one's own men stand now."""
    return tuple(mask & sight.own for _, mask in sight.masks())


def moved(sight: Sight, order: Move | Drop | Pass) -> Stand:
    """How they would stand after this, whatever becomes of the other side's."""
    stand = stand_of(sight)
    if isinstance(order, Pass):
        return stand
    target = chess.BB_SQUARES[order.target if isinstance(order, Move) else order.square]
    if isinstance(order, Drop):
        kind, origin = _KIND[order.man], 0
    else:
        origin = chess.BB_SQUARES[order.origin]
        kind = next(number for number, men in enumerate(stand) if men & origin)
        kind = kind if order.promotion is None else _KIND[order.promotion]
    return tuple(men & ~origin | (target if number == kind else 0) for number, men in enumerate(stand))
