"""A house under test, as the driver sees it from outside, and what can befall it."""

from __future__ import annotations

import queue
import re
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, Protocol

from bench.faults.clock import HouseClock
from bench.faults.disk import SmallDisk
from bench.faults.sink import Received
from tests.support.procfile import Part

Row = tuple[Any, ...]
Strike = Callable[[], bool]
Trouble = Callable[[], None]

#: How many megabytes the small disk of a house has.
DISK = 512


class Stack(Protocol):
    """A house as the driver sees it from outside."""

    parts: list[Part]
    clock: HouseClock
    disk: SmallDisk
    post: queue.Queue[Received]

    def start(self) -> None:
        """Start the servers, make the tables, start the house."""

    def end(self) -> None:
        """Take away what the house stood on."""

    def doors(self) -> list[int]:
        """The ports where accepting email now."""

    def live_on(self, span: timedelta) -> None:
        """Let time pass while deadlines are checked all along, so that the server never seems to have been down."""

    def ask(self, question: str) -> list[Row]:
        """The database's answer, as its tables stand, by nothing of the house's own."""

    def challenge(self, number: int) -> str:
        """Propose one more game; its code."""

    def received(self) -> Iterator[Received]:
        """All letters that the house ever sent."""

    def misdeeds(self) -> Mapping[str, int]:
        """What the mail servers that it sends to did to it."""

    def left_out(self) -> str:
        """What cannot be done to it here, and what it takes; empty if all can be done."""

    def kills(self, dice: Random) -> dict[str, Strike]:
        """The ways in which one of its processes can be killed; False where none was there to kill."""

    def troubles(self, dice: Random) -> dict[str, Trouble]:
        """What can happen to the servers it stands on, for a while."""


def ask_sqlite(file: Path, question: str) -> list[Row]:
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=10)) as connection:
        return connection.execute(question).fetchall()


def code_in(said: str) -> str:
    """The code in what `corr challenge` prints."""
    found = re.search(r"Proposed game (\w+)\.", said)
    assert found, said
    return found[1]


def disk_troubles(disk: SmallDisk, dice: Random) -> dict[str, Trouble]:
    return {"disk full": lambda: fill_for_a_while(disk, dice)} if disk.can_be_filled else {}


def fill_for_a_while(disk: SmallDisk, dice: Random) -> None:
    disk.fill()
    time.sleep(dice.uniform(1, 2))
    disk.free()
