"""A house player at one seat: it hears slips, and says what it would write."""

from __future__ import annotations

from random import Random
from typing import Any

from corr.bots.belief import Belief, after
from corr.bots.character import Character
from corr.bots.choice import order_for
from corr.bots.heard import Heard
from corr.rules.core.umpire import Umpire
from corr.words.orders import Order
from corr.words.slips import Slip


class Player:
    """What one character thinks of one game. Whoever hears the same writes the same, by the same seed."""

    def __init__(self, umpire: Umpire[Any], character: Character, seed: int) -> None:
        self._umpire, self._character, self._seed = umpire, character, seed
        self._heard = 0
        self._last: Slip | None = None
        self.belief = Belief()

    def hear(self, heard: Heard) -> None:
        """Take in a slip."""
        self._heard += 1
        self._last = heard.slip
        size, chance = self._character.positions, self._chance("heard")
        self.belief = after(self._umpire, self.belief, heard, size, chance)

    def write(self) -> Order:
        """The order that it gives now; it has been handed a slip before."""
        assert self._last
        return order_for(self._umpire, self._last.sight, self.belief, self._character, self._chance("writes"))

    def _chance(self, what: str) -> Random:
        return Random(f"{self._seed} {self._heard} {what}")  # noqa: S311  # to be played again alike, no secret
