"""Accepts incoming emails, and tells the SMTP server to which addresses they may come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from corr.service.mail import inbox
from corr.service.mail.arrivals import Arrival
from corr.service.server import Server
from corr.worker_wakeup import Work

#: The most known addresses remembered while their email is on its way.
_MOST_KNOWN = 1000


class EmailEntrance:
    """Accepts emails, and wakes the workers once they are stored."""

    def __init__(self, server: Server, knock: Callable[[Work], None]) -> None:
        self._server, self._knock = server, knock
        self._found: dict[str, inbox.SeatAddress] = {}

    def is_known(self, address: str) -> bool:
        """Whether we accept emails to this address; remember its seat for the email that follows."""
        found = inbox.find_seat_address(self._server, address)
        if found is None:
            return inbox.is_site_address(self._server, address)
        if len(self._found) >= _MOST_KNOWN:
            self._found.clear()  # entries of emails that never came
        self._found[address] = found
        return True

    def store_received(self, raw: bytes, recipients: Sequence[str], sender: str) -> int:
        """Store an email with an envelope; return how many recipients we know."""
        arrival = Arrival(raw, tuple(recipients), self._server.now(), from_nobody=not sender)
        found = [self._found.pop(address, None) for address in recipients]
        return self._keep(arrival, [] if None in found else [each for each in found if each])

    def store_without_envelope(self, raw: bytes, came_at: datetime) -> int:
        """Store an email that comes without an envelope; return how many recipients we know."""
        return self._keep(Arrival(raw, (), min(came_at, self._server.now())), [])

    def _keep(self, arrival: Arrival, known: Sequence[inbox.SeatAddress]) -> int:
        """Store an email and wake a worker; return how many recipients we know."""
        taken = inbox.store_email(self._server, arrival, known)
        if taken:
            self._knock(Work.LETTERS)
        return taken
