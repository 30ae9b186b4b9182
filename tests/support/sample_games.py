"""A whole short game of every variant, as its two players write it."""

from __future__ import annotations

from dataclasses import dataclass

from corr.demo.past_games import PAST_GAMES
from tests.support.table import ANN, BEN


@dataclass(frozen=True)
class SampleGame:
    """What the players write in turn, White first, and the sentence that ends the game."""

    letters: tuple[str, ...]
    end: str

    def by_turns(self) -> list[tuple[str, str]]:
        """Each writer and text."""
        return [((ANN, BEN)[number % 2], text) for number, text in enumerate(self.letters)]


_ENDS = {"rbc": "Black's king was captured. White wins."}
GAMES = {
    variant: SampleGame(letters, _ENDS.get(variant, "Checkmate. Black wins."))
    for variant, letters in PAST_GAMES.items()
}
