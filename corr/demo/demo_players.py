"""Defines the people of the demo: two players, a stranger to the umpire, and the admin.

The person who runs the demo plays all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

DOMAIN = "corr.example"
UMPIRE = f"umpire@{DOMAIN}"
#: The name by which the demo's mail server would sign its checks of senders.
AUTHSERV_ID = "mx.corr.example"


@dataclass(frozen=True, slots=True)
class Person:
    """A person with a mailbox in the demo."""

    key: str
    name: str
    address: str

    @property
    def other(self) -> Person:
        """The person who writes in this one's name."""
        return BEN if self is ANN else ANN


ANN = Person("ann", "Ann", "ann@players.example")
BEN = Person("ben", "Ben", "ben@players.example")
CLEO = Person("cleo", "Cleo", "cleo@strangers.example")
OLGA = Person("olga", "Olga", f"olga@{DOMAIN}")
PEOPLE = (ANN, BEN, CLEO, OLGA)


def find_person(key: str) -> Person | None:
    return next((person for person in PEOPLE if person.key == key), None)
