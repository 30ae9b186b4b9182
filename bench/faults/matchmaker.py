"""Proposes games, so that there are always enough to be disturbed."""

from __future__ import annotations

import subprocess
import threading

from bench.faults.players import Players
from bench.faults.stack import Stack
from tests.support.servers import wait_until

_PATIENCE_A_GAME = 120.0


class Matchmaker:
    """Proposes a game whenever fewer than enough are being played."""

    def __init__(self, stack: Stack, players: Players, games: int) -> None:
        self._stack, self._players, self._games = stack, players, games
        self._proposed: set[str] = set()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._propose, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._closed.set()
        self._thread.join()

    def wait_until_busy(self) -> None:
        """Wait until there are as many games as there shall be."""
        wait_until(
            lambda: len(self._players.matches) >= self._games,
            "The games begin",
            self._games * _PATIENCE_A_GAME,
        )

    def _propose(self) -> None:
        number = 0
        while not self._closed.wait(0.2):
            on_their_way = self._proposed - set(self._players.matches)
            if len(self._players.unfinished()) + len(on_their_way) >= self._games:
                continue
            number += 1
            try:
                self._proposed.add(self._stack.challenge(number))
            except subprocess.SubprocessError:
                continue
