"""Names the server's own bots, and words what they say of themselves."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select

from corr import limits
from corr.service.players import players
from corr.service.players.names import add_bot_mark, fold_lookalikes, remove_bot_mark
from corr.store.tables import TaskRunRow
from corr.text.messages import sentence


class HouseBot(NamedTuple):
    """One of the server's bots: how it plays, and its reserved name."""

    character: str
    name: str

    @property
    def shown(self) -> str:
        """Return its name with the bot mark, as shown everywhere."""
        return add_bot_mark(self.name)

    @property
    def about(self) -> str:
        """Return what it says of itself."""
        return sentence(f"programs.{self.character}")


#: The sign of life that the bots leave.
THINKING_SIGN = "a thought"
_LAST_THOUGHT_QUERY = select(TaskRunRow.seen_at).where(TaskRunRow.name == THINKING_SIGN)
#: The bots, the easiest first.
HOUSE_BOTS = (HouseBot("beginner", "Pip"), HouseBot("club", "Marlow"), HouseBot("strongest", "Sibyl"))


def find_bot(name: str) -> HouseBot | None:
    """Find the server's bot of a name, in any spelling."""
    return next(
        (each for each in HOUSE_BOTS if fold_lookalikes(remove_bot_mark(name)) == fold_lookalikes(each.name)),
        None,
    )


def character_of(name: str) -> str:
    """Return how a server's player plays; the tutor plays as the easiest bot."""
    return (find_bot(name) or HOUSE_BOTS[0]).character


def find_challenged_bot(connection: Connection, name: str) -> HouseBot | None:
    """Return the server's bot that a challenge names; a person of that name goes first."""
    return None if players.find_player(connection, name) else find_bot(name)


def are_awake(connection: Connection, now: datetime) -> bool:
    """Whether a worker thinks for the bots; it looks for work every few seconds."""
    return is_awake(connection.execute(_LAST_THOUGHT_QUERY).scalar_one_or_none(), now)


def is_awake(thought_at: datetime | None, now: datetime) -> bool:
    """Whether this last sign of life is recent enough."""
    return thought_at is not None and thought_at > now - limits.BOTS_ASLEEP_AFTER


def player_of(connection: Connection, program: HouseBot) -> int:
    """Return the player as which a bot sits at its tables."""
    return players.get_house_player(connection, program.shown)
