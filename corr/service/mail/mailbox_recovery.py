"""Sends given-up emails of running games again, once a mailbox takes emails again."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select

from corr.service.mail import game_emails
from corr.service.players import addresses, bouncing_mailboxes
from corr.service.players.authentication import Visitor
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.tables import GameRow, OutboxRow, SeatRow
from corr.words.view import Stage


def reopen_own_mailbox(server: Server, visitor: Visitor, address: str, now: datetime) -> None:
    """Treat a player's mailbox as working again, because the player says so."""
    with server.store.writing() as connection:
        reopen_mailbox(connection, addresses.own(connection, visitor, address), now)


def reopen_mailbox(connection: Connection, who: Correspondent, now: datetime) -> None:
    """Treat a mailbox as working again, and send its player's given-up emails."""
    bouncing_mailboxes.clear_bounces(connection, who.id)
    if who.player_id is not None:
        revive(connection, who.player_id, now)


def choose_address(server: Server, visitor: Visitor, address: str, now: datetime) -> None:
    """Send a player's game emails to this address from now on, given-up ones included."""
    addresses.choose_main(server, visitor, address, now)
    with server.store.writing() as connection:
        revive(connection, addresses.own(connection, visitor, address).player_id, now)


def revive(connection: Connection, player: int | None, now: datetime) -> None:
    """Make the given-up emails of a player's running games due again."""
    running = (
        select(SeatRow.id)
        .join(GameRow, GameRow.id == SeatRow.game_id)
        .where(SeatRow.player_id == player, GameRow.state != Stage.OVER)
    )
    game_emails.OUTBOX.revive_with(connection, now, OutboxRow.seat_id.in_(running))
