"""Lists the server's own bots (Pip, Marlow, Sibyl; how strong: `bots/characters.py`), and whether they are running."""

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
        """The bot's name with the mark that all bots have: `Pip (bot)`."""
        return add_bot_mark(self.name)

    @property
    def about(self) -> str:
        """The bot's sentence about its play, for its player page."""
        return sentence(f"programs.{self.character}")


#: The name under which the bots' worker stores when it last looked for work.
THINKING_SIGN = "a thought"
_LAST_THOUGHT_QUERY = select(TaskRunRow.seen_at).where(TaskRunRow.name == THINKING_SIGN)
#: The bots, the easiest first.
HOUSE_BOTS = (HouseBot("beginner", "Pip"), HouseBot("club", "Marlow"), HouseBot("strongest", "Sibyl"))


def find_bot(name: str) -> HouseBot | None:
    """Return the server's bot with this name, in any spelling; None if there is none."""
    return next(
        (each for each in HOUSE_BOTS if fold_lookalikes(remove_bot_mark(name)) == fold_lookalikes(each.name)),
        None,
    )


def character_of(name: str) -> str:
    """Return how a server's bot plays, such as `club`; the tutor plays as the easiest bot."""
    return (find_bot(name) or HOUSE_BOTS[0]).character


def find_challenged_bot(connection: Connection, name: str) -> HouseBot | None:
    """Return the server's bot that a challenge names; None if a player has that name."""
    return None if players.find_player(connection, name) else find_bot(name)


def are_awake(connection: Connection, now: datetime) -> bool:
    """Whether the worker that plays for the server's bots is running, as it last said."""
    return is_awake(connection.execute(_LAST_THOUGHT_QUERY).scalar_one_or_none(), now)


def is_awake(thought_at: datetime | None, now: datetime) -> bool:
    """Whether the bots count as running, given when their worker last looked for work."""
    return thought_at is not None and thought_at > now - limits.BOTS_ASLEEP_AFTER


def player_of(connection: Connection, program: HouseBot) -> int:
    """Return the id of the player for a server's bot, created if new."""
    return players.get_house_player(connection, program.shown)
