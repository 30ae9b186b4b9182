"""The house's door: where the listener asks who is known, and leaves the letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corr.desk import inbox
from corr.desk.arrival import Arrival
from corr.desk.house import House
from corr.knock import Work


class FrontDoor:
    """Takes letters in, and knocks once they are safe."""

    def __init__(self, house: House, knock: Callable[[Work], None]) -> None:
        self._house, self._knock = house, knock

    def is_known(self, address: str) -> bool:
        return inbox.is_known(self._house, address)

    def drop(self, raw: bytes, recipients: Sequence[str], sender: str) -> int:
        arrival = Arrival(raw, tuple(recipients), self._house.now(), from_nobody=not sender)
        taken = inbox.drop(self._house, arrival)
        if taken:
            self._knock(Work.READ)
        return taken
