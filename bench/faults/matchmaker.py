"""Proposes games, so that there are always enough to be disturbed."""

from __future__ import annotations

import subprocess
import threading
from functools import partial

from bench.faults.players import Players
from bench.faults.stack import Stack
from tests.support.waiting import wait_until


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
        for number in range(1, self._games + 1):
            wait_until(partial(self._has, number), f"game {number} begins")

    def _has(self, games: int) -> bool:
        return len(self._players.matches) >= games

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
