"""Lists the games that reconchess' contract invites a bot to: challenges to it, and its running games.

A game that came from a challenge keeps the challenge's code until it ends, so a bot that restarts after a crash finds
its game again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, func, literal, select, union_all

from corr.service.house import House
from corr.store.rows import one_or_none_of
from corr.store.tables import Challenge, CorrespondentRow, Game, SeatRow
from corr.words.view import Stage

#: The only variant that the contract knows.
VARIANT = "rbc"


class Came(NamedTuple):
    """An invitation's outcome: its challenge's state and its game's code."""

    state: str
    game: str | None

    @property
    def is_open(self) -> bool:
        """Tell whether the bot can still accept the invitation."""
        return self.state == "open"

    @property
    def begins(self) -> bool:
        """Tell whether a worker has yet to start the game."""
        return self.state == "accepted" and self.game is None


_MAILBOXES = select(CorrespondentRow.id).where(CorrespondentRow.player_id == bindparam("player"))
_CHALLENGED = select(Challenge.code).where(
    Challenge.to_id.in_(_MAILBOXES),
    Challenge.state == "open",
    Challenge.kind == "invitation",
    Challenge.variant == VARIANT,
)
_PLAYED = (
    select(func.coalesce(Challenge.code, Game.code).label("code"))
    .join_from(SeatRow, Game, Game.id == SeatRow.game_id)
    .outerjoin(Challenge, Challenge.game_id == Game.id)
    .where(SeatRow.player_id == bindparam("player"), Game.state == Stage.RUNNING, Game.variant == VARIANT)
)
_INVITED = union_all(_CHALLENGED, _PLAYED)
_OF_CHALLENGE = (
    select(Challenge.state, Game.code.label("game"))
    .outerjoin(Game, Game.id == Challenge.game_id)
    .where(Challenge.code == bindparam("code"), Challenge.variant == VARIANT)
)
_OF_GAME = select(literal("accepted").label("state"), Game.code.label("game")).where(
    Game.code == bindparam("code"), Game.variant == VARIANT
)


def invitations(house: House, player_id: int) -> Sequence[str]:
    """Return the codes of a player's invitations."""
    with house.store.asking() as connection:
        return connection.execute(_INVITED, {"player": player_id}).scalars().all()


def came_of(house: House, code: str) -> Came | None:
    """Return the outcome of the invitation with this code, for any player, or None."""
    with house.store.asking() as connection:
        came = one_or_none_of(Came, connection.execute(_OF_CHALLENGE, {"code": code}))
        return came or one_or_none_of(Came, connection.execute(_OF_GAME, {"code": code}))
