"""The people of the demo, who are all you: two players, one whom the umpire does not know yet, and the operator."""

from __future__ import annotations

from dataclasses import dataclass

DOMAIN = "corr.example"
UMPIRE = f"umpire@{DOMAIN}"
#: By this name the demo's mail server would sign what it has found out about a sender.
AUTHSERV_ID = "mx.corr.example"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a mailbox in the demo."""

    key: str
    name: str
    address: str

    @property
    def other(self) -> Person:
        """Whoever writes in this one's name."""
        return BEN if self is ANN else ANN


ANN = Person("ann", "Ann", "ann@players.example")
BEN = Person("ben", "Ben", "ben@players.example")
CLEO = Person("cleo", "Cleo", "cleo@strangers.example")
OLGA = Person("olga", "Olga", f"olga@{DOMAIN}")
PEOPLE = (ANN, BEN, CLEO, OLGA)
