"""Opens a game's truth (its real board) for the umpire, in this module alone; only slips leave it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection

from corr.rules.core.try_lists import try_ahead, try_one_by_one
from corr.rules.core.umpire import Ruling, Umpire
from corr.rules.variants import find_umpire
from corr.store import truths
from corr.words.board import Pair, Side
from corr.words.orders import Order, Tries
from corr.words.slips import Outcome, Slip, Verdict


@dataclass(frozen=True, slots=True)
class Judgement:
    """The umpire's ruling without the true board."""

    verdict: Verdict
    slips: Pair[Slip | None]
    turn: Side | None
    outcome: Outcome | None


class UmpiredGame(NamedTuple):
    """A game whose true board only the umpire opens."""

    connection: Connection
    game_id: int
    variant: str

    def begin(self) -> Judgement:
        """Set up the board of a game that both players accepted."""
        umpire = find_umpire(self.variant)
        ruling = umpire.start()
        truths.store_truth(self.connection, self.game_id, umpire.pack(ruling.truth))
        return _judgement(ruling)

    def set_up(self, fen: str) -> Judgement:
        """Replace the board by a tutorial's next position."""
        umpire = find_umpire(self.variant)
        ruling = umpire.start(fen)
        truths.update_truth(self.connection, self.game_id, umpire.pack(ruling.truth))
        return _judgement(ruling)

    def play(self, side: Side, order: Order) -> list[tuple[Order, Judgement]]:
        """Judge an order, each try of a list separately, and store the changed board."""
        return self._judge(try_one_by_one, side, order)

    def play_ahead(self, side: Side, tries: Tries) -> list[tuple[Order, Judgement]]:
        """Judge a list of tries that was given before the opponent's move."""
        return self._judge(try_ahead, side, tries)

    def _judge(
        self, judge: Callable[..., Iterator[tuple[Order, Ruling[Any]]]], side: Side, order: Order
    ) -> list[tuple[Order, Judgement]]:
        """Judge an order with this function, store the board, and return each try with its judgement."""
        umpire, truth = self._open_truth()
        rulings = list(judge(umpire, truth, side, order))
        _, last = rulings[-1]
        if last.truth is not truth:
            truths.update_truth(self.connection, self.game_id, umpire.pack(last.truth))
        return [(put, _judgement(ruling)) for put, ruling in rulings]

    def resign(self, side: Side) -> Judgement:
        umpire, truth = self._open_truth()
        return _judgement(umpire.resigned(truth, side))

    def agree(self) -> Judgement:
        """End the game as an agreed draw."""
        umpire, truth = self._open_truth()
        return _judgement(umpire.agreed(truth))

    def flag(self, side: Side) -> Judgement:
        """End the game, since a side has run out of time."""
        umpire, truth = self._open_truth()
        return _judgement(umpire.flagged(truth, side))

    def abandon(self, side: Side) -> Judgement:
        """End the game without a result because a side abandoned it."""
        umpire, truth = self._open_truth()
        return _judgement(umpire.abandoned(truth, side))

    def leave(self, side: Side) -> Judgement:
        """End the game, which a side loses by leaving its event."""
        umpire, truth = self._open_truth()
        return _judgement(umpire.left(truth, side))

    def adjudicate(self, outcome: Outcome) -> Judgement:
        """End the game as the admin decided."""
        umpire, truth = self._open_truth()
        return _judgement(umpire.adjudicated(truth, outcome))

    def _open_truth(self) -> tuple[Umpire[Any], Any]:
        """Return the variant's umpire and the true board."""
        umpire = find_umpire(self.variant)
        return umpire, umpire.restore(truths.load_truth(self.connection, self.game_id))


def _judgement(ruling: Ruling[Any]) -> Judgement:
    """Return a ruling without its true board."""
    return Judgement(ruling.verdict, ruling.slips, ruling.turn, ruling.outcome)
