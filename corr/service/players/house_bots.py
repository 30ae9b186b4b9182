"""The house's own players, who are programs: by which names they are known, and what they say of themselves."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select

from corr import limits
from corr.messages import sentence
from corr.service.players import players
from corr.service.players.lookalikes import looks
from corr.service.players.names import as_program, without_mark
from corr.store.tables import Sign


class Program(NamedTuple):
    """One house player: how it plays, and the name that nobody else can have."""

    character: str
    name: str

    @property
    def shown(self) -> str:
        """Its name with what it is, as it stands everywhere."""
        return as_program(self.name)

    @property
    def about(self) -> str:
        """What it says of itself."""
        return sentence(f"programs.{self.character}")


#: The sign of life that they leave.
SIGN = "a thought"
_THOUGHT = select(Sign.seen_at).where(Sign.name == SIGN)
#: The easiest first.
PROGRAMS = (Program("beginner", "Pip"), Program("club", "Marlow"), Program("strongest", "Sibyl"))


def named(name: str) -> Program | None:
    """The house player of a name, however its letters are written."""
    return next((each for each in PROGRAMS if looks(without_mark(name)) == looks(each.name)), None)


def character_of(name: str) -> str:
    """How whoever sits at a table for the house plays: the tutor, who is none of these, as the easiest does."""
    return (named(name) or PROGRAMS[0]).character


def meant(connection: Connection, name: str) -> Program | None:
    """The house player whom a challenge names; a person who was called so before goes before it."""
    return None if players.named(connection, name) else named(name)


def are_awake(connection: Connection, now: datetime) -> bool:
    """Whether somebody thinks for them: they look every few seconds whether there is anything to think over."""
    return is_awake(connection.execute(_THOUGHT).scalar_one_or_none(), now)


def is_awake(thought_at: datetime | None, now: datetime) -> bool:
    """The same by the sign of life that was left last."""
    return thought_at is not None and thought_at > now - limits.PROGRAMS_SEEN


def player_of(connection: Connection, program: Program) -> int:
    """As which player it sits at its tables."""
    return players.of_the_house(connection, program.shown)
