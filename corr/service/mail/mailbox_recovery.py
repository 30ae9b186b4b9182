"""A mailbox takes letters again: those about games that go on are sent once more, which were given up meanwhile."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, bindparam, select, update

from corr.service.house import House
from corr.service.players import addresses, bouncing_mailboxes
from corr.service.players.authentication import Visitor
from corr.service.players.mailboxes import Correspondent
from corr.store.tables import Game, Moment, OutboxRow, SeatRow
from corr.words.view import Stage

_THEIRS = (
    select(SeatRow.id)
    .join(Game, Game.id == SeatRow.game_id)
    .where(SeatRow.player_id == bindparam("player"), Game.state != Stage.OVER)
)
_REVIVE = (
    update(OutboxRow)
    .where(OutboxRow.dead_at.is_not(None), OutboxRow.seat_id.in_(_THEIRS))
    .values(dead_at=None, due_at=bindparam("now", type_=Moment), tries=0)
)


def mend(house: House, visitor: Visitor, address: str, now: datetime) -> None:
    """A player says that a mailbox of theirs takes letters again."""
    with house.store.writing() as connection:
        lift(connection, addresses.own(connection, visitor, address), now)


def lift(connection: Connection, who: Correspondent, now: datetime) -> None:
    """A mailbox takes letters again."""
    bouncing_mailboxes.lift(connection, who.id)
    if who.player_id is not None:
        revive(connection, who.player_id, now)


def choose(house: House, visitor: Visitor, address: str, now: datetime) -> None:
    """From now on the letters about a player's games go to this address of theirs, with those that were given up."""
    addresses.choose(house, visitor, address, now)
    with house.store.writing() as connection:
        revive(connection, addresses.own(connection, visitor, address).player_id, now)


def revive(connection: Connection, player: int | None, now: datetime) -> None:
    """The letters of a player's games that were given up are due again."""
    connection.execute(_REVIVE, {"player": player, "now": now})
