"""A deck of cards: what is left to chance, but in known shares."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random


class Deck:
    """Cards drawn at random without putting them back; an empty deck is shuffled anew."""

    def __init__(self, dice: Random, cards: Mapping[str, int]) -> None:
        self._dice = dice
        self._all = [card for card, number in cards.items() for _ in range(number)]
        self._left: list[str] = []

    def draw(self) -> str:
        if not self._left:
            self._left = self._dice.sample(self._all, len(self._all))
        return self._left.pop()
