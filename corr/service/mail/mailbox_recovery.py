"""Sends given-up emails of running games again, once a mailbox takes emails again."""

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
    """Treat a player's mailbox as working again, because the player says so."""
    with house.store.writing() as connection:
        lift(connection, addresses.own(connection, visitor, address), now)


def lift(connection: Connection, who: Correspondent, now: datetime) -> None:
    """Treat a mailbox as working again, and send its player's given-up emails."""
    bouncing_mailboxes.lift(connection, who.id)
    if who.player_id is not None:
        revive(connection, who.player_id, now)


def choose(house: House, visitor: Visitor, address: str, now: datetime) -> None:
    """Send a player's game emails to this address from now on, given-up ones included."""
    addresses.choose(house, visitor, address, now)
    with house.store.writing() as connection:
        revive(connection, addresses.own(connection, visitor, address).player_id, now)


def revive(connection: Connection, player: int | None, now: datetime) -> None:
    """Make the given-up emails of a player's running games due again."""
    connection.execute(_REVIVE, {"player": player, "now": now})
