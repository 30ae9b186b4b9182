"""The house's door: where the listener asks who is known, and leaves the letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corr.desk.house import House
from corr.desk.letters import inbox
from corr.desk.letters.arrival import Arrival
from corr.knock import Work

#: Addresses that were asked for, and whose letters are just on their way.
_MOST_REMEMBERED = 1000


class FrontDoor:
    """Takes letters in, and knocks once they are safe."""

    def __init__(self, house: House, knock: Callable[[Work], None]) -> None:
        self._house, self._knock = house, knock
        self._found: dict[str, inbox.Letterbox] = {}

    def is_known(self, address: str) -> bool:
        found = inbox.letterbox(self._house, address)
        if found is None:
            return inbox.is_of_the_site(self._house, address)
        if len(self._found) >= _MOST_REMEMBERED:
            self._found.clear()  # of those whose letter never came
        self._found[address] = found
        return True

    def drop(self, raw: bytes, recipients: Sequence[str], sender: str) -> int:
        arrival = Arrival(raw, tuple(recipients), self._house.now(), from_nobody=not sender)
        found = [self._found.pop(address, None) for address in recipients]
        taken = inbox.drop(self._house, arrival, [] if None in found else [each for each in found if each])
        if taken:
            self._knock(Work.LETTERS)
        return taken
