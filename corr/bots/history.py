"""Describes what a bot observes: each slip, the order that it answers, and its own pieces."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

import chess

from corr.rules.core.notation import KIND_NUMBERS
from corr.words.board import SQUARE_NUMBER
from corr.words.codes import Audience, Code, Common
from corr.words.orders import Drop, Move, Order, Pass
from corr.words.slips import Sight, Slip


class Observation(NamedTuple):
    """A slip and the seat's own order that it answers; None if it tells of what others did."""

    slip: Slip
    order: Order | None = None

    @property
    def is_opponents_move(self) -> bool:
        return self.slip.is_of_opponents_move

    @property
    def is_opponents_try(self) -> bool:
        """Whether the slip tells of an opponent's question or refused move."""
        return self.order is None and any(
            fact.audience is Audience.ANSWER and fact.get("side") == self.slip.side.other
            for fact in self.slip.facts
        )

    @property
    def is_game_end(self) -> bool:
        return any(fact.audience is Audience.END for fact in self.slip.facts)

    @property
    def is_held_back(self) -> bool:
        """Whether the seat's own order was not put to the umpire, so that the slip tells nothing about it."""
        return self.slip.tells(Common.HELD)

    @property
    def answer(self) -> bool | None:
        """The answer to an "any?" of either side, if the slip tells one; else None."""
        fact = self.slip.find(Common.ANY)
        return None if fact is None else bool(fact["answer"])

    @property
    def captured(self) -> int | None:
        """The square of the capture that the slip tells of; None if there is none."""
        return _square(self.slip, Common.CAPTURE)

    @property
    def king(self) -> int | None:
        """The announced square of the opponent's king when the pieces came onto the board."""
        return _square(self.slip, Common.KING)


def _square(slip: Slip, code: Code) -> int | None:
    """Return the square that a slip's fact with this code names; None if it names none."""
    fact = slip.find(code)
    return None if fact is None or fact["square"] is None else SQUARE_NUMBER[str(fact["square"])]


def is_alike(one: Slip, other: Slip) -> bool:
    """Whether two slips say the same about the same own pieces, whatever was lost or seen before."""
    return one.facts == other.facts and _own_pieces(one.sight) == _own_pieces(other.sight)


def _own_pieces(sight: Sight) -> tuple[object, ...]:
    """Return the parts of a sight by which two slips are compared."""
    return (*sight[1:10], sight.promoted, sight.reserves)


Arrangement: TypeAlias = tuple[int, ...]  # the squares of the side's own pieces of each kind

NO_ARRANGEMENTS: Mapping[Arrangement, int] = MappingProxyType({})


def arrangement_of(sight: Sight) -> Arrangement:
    """Return the squares of a side's own pieces, one bitboard for each kind."""
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
