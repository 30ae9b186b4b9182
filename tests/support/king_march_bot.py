"""A `reconchess` bot whose king marches at the other king, so its games are short."""

from __future__ import annotations

from typing import Any

import chess
from reconchess import Player

MARCH = ("e2e4", "e1e2", "e2d3", "d3d4", "d4d5", "d5d6", "d6d7", "d7e8", "d6e7", "e7e8")


class Marcher(Player):
    """Marches, and keeps what it is told."""

    def __init__(self) -> None:
        self.told: dict[str, list[Any]] = {"senses": [], "moves": []}

    def handle_game_start(self, color: Any, board: Any, opponent_name: str) -> None:
        self.start = color, board.fen(), opponent_name
        self.march = [chess.Move.from_uci(move) for move in MARCH]
        if color == chess.BLACK:
            self.march = [chess.Move(move.from_square ^ 56, move.to_square ^ 56) for move in self.march]

    def handle_opponent_move_result(self, captured: Any, square: Any) -> None:
        """The march goes on."""

    def choose_sense(self, sense_actions: Any, move_actions: Any, seconds_left: float) -> Any:
        assert 0 < seconds_left <= 900
        return sense_actions[27]

    def handle_sense_result(self, result: Any) -> None:
        self.told["senses"].append([tuple(each) for each in result])

    def choose_move(self, move_actions: Any, seconds_left: float) -> Any:
        assert 0 < seconds_left <= 900
        while self.march and self.march[0] not in move_actions:
            self.march.pop(0)
        return self.march.pop(0) if self.march else None

    def handle_move_result(self, requested: Any, taken: Any, captured: Any, square: Any) -> None:
        assert captured is (square is not None)
        self.told["moves"].append((requested, taken, square))

    def handle_game_end(self, winner_color: Any, win_reason: Any, game_history: Any) -> None:
        """The history has it all."""
