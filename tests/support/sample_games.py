"""A whole short game of every variant, as two people write it to each other's umpire."""

from __future__ import annotations

from dataclasses import dataclass

from corr.demo.past_games import PAST_GAMES
from tests.support.table import ANN, BEN


@dataclass(frozen=True)
class SampleGame:
    """What is written in turn, White first, and how both are told that it is over."""

    letters: tuple[str, ...]
    end: str

    def by_turns(self) -> list[tuple[str, str]]:
        """Who writes, and what."""
        return [((ANN, BEN)[number % 2], text) for number, text in enumerate(self.letters)]


_ENDS = {"rbc": "Black's king was captured. White wins."}
GAMES = {
    variant: SampleGame(letters, _ENDS.get(variant, "Checkmate. Black wins."))
    for variant, letters in PAST_GAMES.items()
}
