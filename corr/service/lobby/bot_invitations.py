"""To which games a program is invited by reconchess' contract: challenges to it, and games of its that go on.

A game is known by the code of the challenge from which it came, if it came from one, as long as it lasts: who takes
it up once more, after a fall, goes on with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, func, literal, select, union_all

from corr.service.house import House
from corr.store.rows import one_or_none_of
from corr.store.tables import Challenge, CorrespondentRow, Game, SeatRow
from corr.words.view import Stage

#: The one variant that the contract knows.
VARIANT = "rbc"


class Came(NamedTuple):
    """What has come of an invitation: the state of its challenge, where it is one, and the code of its game."""

    state: str
    game: str | None

    @property
    def is_open(self) -> bool:
        """Whether it may be taken up."""
        return self.state == "open"

    @property
    def begins(self) -> bool:
        """Whether a worker has still to begin its game."""
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
    """The codes of a player's invitations."""
    with house.store.asking() as connection:
        return connection.execute(_INVITED, {"player": player_id}).scalars().all()


def came_of(house: House, code: str) -> Came | None:
    """What has come of the invitation of a code, whosever it is; None where there is none."""
    with house.store.asking() as connection:
        came = one_or_none_of(Came, connection.execute(_OF_CHALLENGE, {"code": code}))
        return came or one_or_none_of(Came, connection.execute(_OF_GAME, {"code": code}))
