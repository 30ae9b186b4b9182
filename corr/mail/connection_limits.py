"""Who may be at the door at once, for how long, and with how many letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address

_BUSY = "421 4.3.2 We are busy right now: please come back in a minute"
_ENOUGH_OF_YOU = "421 4.7.0 There are too many connections from your network: please come back in a minute"
#: What is said to a connection that goes on after so many letters.
ENOUGH_LETTERS = "421 4.7.0 That is enough for one connection: please reconnect for the rest"


def is_neighbour(address: str) -> bool:
    """True for this very machine, whose mail server brings everybody's letters."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Room:
    """How much room there is at the door. A neighbour may have all of it."""

    connections: int = 200
    from_one: int = 10
    letters: int = 50
    seconds: float = 120  # from one word to the next, and for a whole letter
    is_neighbour: Callable[[str], bool] = is_neighbour


class Crowd:
    """The connections that are open, counted by where they come from."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._here: Counter[str] = Counter()

    def enter(self, address: str) -> str:
        """Let a connection in, and say nothing; or why it has to go."""
        if self._here.total() >= self.room.connections:
            return _BUSY
        if self._here[address] >= self.room.from_one and not self.room.is_neighbour(address):
            return _ENOUGH_OF_YOU
        self._here[address] += 1
        return ""

    def leave(self, address: str) -> None:
        """A connection that was let in is over."""
        self._here[address] -= 1
        if not self._here[address]:
            del self._here[address]

    def is_enough(self, address: str, letters: int) -> bool:
        """Whether a connection has brought as many letters as may be."""
        return letters >= self.room.letters and not self.room.is_neighbour(address)
