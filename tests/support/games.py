"""A whole short game of every variant, as two people write it to each other's umpire."""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.table import ANN, BEN


@dataclass(frozen=True)
class Game:
    """What is written in turn, White first, and how both are told that it is over."""

    letters: tuple[str, ...]
    end: str

    def by_turns(self) -> list[tuple[str, str]]:
        """Who writes, and what."""
        return [((ANN, BEN)[number % 2], text) for number, text in enumerate(self.letters)]


GAMES = {
    "wild16": Game(("f2f3", "e7e5", "g2g4", "d8h4"), "Checkmate. Black wins."),
    "cincinnati": Game(("f2f3", "e7e5", "g2g4", "d8h4"), "Checkmate. Black wins."),
    "classic": Game(("any?\nf2f3", "e7e5", "any? yes: f3g4 / no: g2g4", "d8h4"), "Checkmate. Black wins."),
    "crazykrieg": Game(
        ("g2g4", "d7d5", "f2f3", "c8g4", "any? yes: f3g4 / no: a2a3", "e7e5", "B@a3", "d8h4"),
        "Checkmate. Black wins.",
    ),
    "welbeck": Game(
        ("deploy home", "deploy home", "f2f3", "e7e6", "g2g3", "b8c6", "g3g4", "d8h4"),
        "Checkmate. Black wins.",
    ),
    "assassin": Game(
        ("deploy home", "deploy home", "b1c3", "b8c6", "f2f3", "e7e5", "g2g4", "d8h4"),
        "Checkmate. Black wins.",
    ),
    "rbc": Game(
        ("sense e7; e2e4", "sense e2\nf7f6", "sense f7; d1h5", "sense none; pass", "sense e8; h5e8"),
        "Black's king was captured. White wins.",
    ),
}
