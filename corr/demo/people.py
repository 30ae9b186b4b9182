"""The two players of the demo, who are both you."""

from __future__ import annotations

from dataclasses import dataclass

DOMAIN = "corr.example"


@dataclass(frozen=True, slots=True)
class Person:
    """A demo player."""

    key: str
    name: str
    address: str

    @property
    def other(self) -> Person:
        return BEN if self is ANN else ANN


ANN = Person("ann", "Ann", "ann@players.example")
BEN = Person("ben", "Ben", "ben@players.example")
PEOPLE = (ANN, BEN)
