"""Tries orders in a position for the rules page, which shows each side's slips and the board afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import chess

from corr.rules.core.sights import make_sight
from corr.rules.core.umpire import Umpire
from corr.words.board import Pair, Side
from corr.words.orders import Order
from corr.words.slips import Sight, Slip


class Trial(NamedTuple):
    """A position, the orders tried in it, and the position at the end."""

    first: Pair[Slip | None]
    tried: tuple[tuple[Side, Pair[Slip | None]], ...]  # the side of each try, and its slips
    whole: Sight
    turn: Side | None  # the side to move at the end

    def slips(self, side: Side) -> tuple[Slip, ...]:
        handed = (slips[side] for slips in (self.first, *(slips for _, slips in self.tried)))
        return tuple(slip for slip in handed if slip)


def try_orders(umpire: Umpire[Any], position: str, orders: Iterable[Order]) -> Trial:
    """Try orders in a position, one after another, each by the side to move."""
    ruling = first = umpire.start(position)
    answers = []
    for order in orders:
        assert ruling.turn is not None
        side = ruling.turn
        ruling = umpire.judge(ruling.truth, side, order)
        answers.append((side, ruling.slips))
    truth = ruling.truth
    reserves = getattr(truth, "reserves", None)
    whole = make_sight(truth.board, Side.WHITE, truth.lost, chess.BB_ALL, reserves)
    return Trial(first.slips, tuple(answers), whole, ruling.turn)
