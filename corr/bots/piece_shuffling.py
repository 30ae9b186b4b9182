"""Recognises repeated arrangements of a bot's pieces, so that it does not move to and fro."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

import chess

from corr.rules.core.notation import KIND_NUMBERS
from corr.words.orders import Drop, Move, Pass
from corr.words.slips import Sight

#: The squares of the side's own pieces of each kind.
Arrangement: TypeAlias = tuple[int, ...]

NO_ARRANGEMENTS: Mapping[Arrangement, int] = MappingProxyType({})


def arrangement_of(sight: Sight) -> Arrangement:
    return tuple(mask & sight.own for _, mask in sight.masks())


def arrangement_after(sight: Sight, order: Move | Drop | Pass) -> Arrangement:
    """Return the arrangement after an order, ignoring the opponent's pieces."""
    stand = arrangement_of(sight)
    if isinstance(order, Pass):
        return stand
    target = chess.BB_SQUARES[order.target if isinstance(order, Move) else order.square]
    if isinstance(order, Drop):
        kind, origin = KIND_NUMBERS[order.man], 0
    else:
        origin = chess.BB_SQUARES[order.origin]
        kind = next(number for number, men in enumerate(stand, start=chess.PAWN) if men & origin)
        kind = kind if order.promotion is None else KIND_NUMBERS[order.promotion]
    return tuple(
        men & ~origin | (target if number == kind else 0)
        for number, men in enumerate(stand, start=chess.PAWN)
    )
