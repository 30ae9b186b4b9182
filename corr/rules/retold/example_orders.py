"""Orders tried in a position, as the rules show them: what each side is handed, and the board afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import chess

from corr.rules.core.sights import seeing
from corr.rules.core.umpire import Umpire
from corr.words.board import Pair, Side
from corr.words.orders import Order
from corr.words.slips import Sight, Slip


class Trial(NamedTuple):
    """A position, what was tried in it, and how it stands at last."""

    first: Pair[Slip | None]
    tried: tuple[tuple[Side, Pair[Slip | None]], ...]  # who tried something, and what was handed out then
    whole: Sight
    turn: Side | None  # whose turn it is then

    def slips(self, side: Side) -> tuple[Slip, ...]:
        """All that a side was handed."""
        handed = (slips[side] for slips in (self.first, *(slips for _, slips in self.tried)))
        return tuple(slip for slip in handed if slip)


def tried(umpire: Umpire[Any], position: str, orders: Iterable[Order]) -> Trial:
    """Try orders in a position, one after another, each by the side whose turn it is."""
    ruling = first = umpire.start(position)
    answers = []
    for order in orders:
        assert ruling.turn is not None
        side = ruling.turn
        ruling = umpire.judge(ruling.truth, side, order)
        answers.append((side, ruling.slips))
    truth = ruling.truth
    reserves = getattr(truth, "reserves", None)
    whole = seeing(truth.board, Side.WHITE, truth.lost, chess.BB_ALL, reserves)
    return Trial(first.slips, tuple(answers), whole, ruling.turn)
