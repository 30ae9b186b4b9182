"""Limits open connections to the mail server, their time and their emails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address

_BUSY = "421 4.3.2 We are busy right now: please come back in a minute"
_TOO_MANY_REPLY = "421 4.7.0 There are too many connections from your network: please come back in a minute"
#: The reply to a connection that goes on after its last allowed email.
ENOUGH_EMAILS_REPLY = "421 4.7.0 That is enough for one connection: please reconnect for the rest"


def is_own_machine(address: str) -> bool:
    """Tell whether this is an address of this machine, whose mail server brings everybody's emails."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The limits of connections to our mail server; this machine's own has only the total limit."""

    connections: int = 200
    from_one: int = 10
    letters: int = 50
    seconds: float = 120  # between two commands, and for a whole email
    has_only_total_limit: Callable[[str], bool] = is_own_machine


class ConnectionCounter:
    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._here: Counter[str] = Counter()

    def enter(self, address: str) -> str:
        """Count a new connection; return an empty string, or the reply that refuses it."""
        if self._here.total() >= self.limits.connections:
            return _BUSY
        if self._here[address] >= self.limits.from_one and not self.limits.has_only_total_limit(address):
            return _TOO_MANY_REPLY
        self._here[address] += 1
        return ""

    def leave(self, address: str) -> None:
        self._here[address] -= 1
        if not self._here[address]:
            del self._here[address]

    def is_enough(self, address: str, letters: int) -> bool:
        """Tell whether a connection has sent as many emails as it may."""
        return letters >= self.limits.letters and not self.limits.has_only_total_limit(address)
