"""Names the server's own bots, and words what they say of themselves."""

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
    """One of the server's bots: how it plays, and its reserved name."""

    character: str
    name: str

    @property
    def shown(self) -> str:
        """Return its name with the bot mark, as shown everywhere."""
        return as_program(self.name)

    @property
    def about(self) -> str:
        """Return what it says of itself."""
        return sentence(f"programs.{self.character}")


#: The sign of life that the bots leave.
SIGN = "a thought"
_THOUGHT = select(Sign.seen_at).where(Sign.name == SIGN)
#: The bots, the easiest first.
PROGRAMS = (Program("beginner", "Pip"), Program("club", "Marlow"), Program("strongest", "Sibyl"))


def named(name: str) -> Program | None:
    """Find the server's bot of a name, in any spelling."""
    return next((each for each in PROGRAMS if looks(without_mark(name)) == looks(each.name)), None)


def character_of(name: str) -> str:
    """Return how a server's player plays; the tutor plays as the easiest bot."""
    return (named(name) or PROGRAMS[0]).character


def meant(connection: Connection, name: str) -> Program | None:
    """Return the server's bot that a challenge names; a person of that name goes first."""
    return None if players.named(connection, name) else named(name)


def are_awake(connection: Connection, now: datetime) -> bool:
    """Whether a worker thinks for the bots; it looks for work every few seconds."""
    return is_awake(connection.execute(_THOUGHT).scalar_one_or_none(), now)


def is_awake(thought_at: datetime | None, now: datetime) -> bool:
    """Whether this last sign of life is recent enough."""
    return thought_at is not None and thought_at > now - limits.PROGRAMS_SEEN


def player_of(connection: Connection, program: Program) -> int:
    """Return the player as which a bot sits at its tables."""
    return players.of_the_house(connection, program.shown)
