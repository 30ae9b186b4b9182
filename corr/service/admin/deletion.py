"""Deletes a player."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import case, select, update

from corr.service.events import withdrawals
from corr.service.games import tutorials
from corr.service.players import erasure, notifications, players, profile_page, publishing, time_zones
from corr.service.server import Server
from corr.store.tables import GameRow, PlayerRow, SeatRow
from corr.text.messages import sentence
from corr.words.errors import Refused
from corr.words.view import Stage


def delete_player(server: Server, name: str, now: datetime) -> None:
    """Remove a player's name, addresses and emails from everything stored; slips and games stay.

    Refused while a game of theirs is running, as nobody could be written to; their tutorials end by themselves, and
    they leave their events.
    """
    with server.store.writing() as connection:
        player_id = players.require_player(connection, name)
        tutorials.end_all(connection, player_id, now)
        withdrawals.withdraw_from_all(connection, player_id, now)
        ids = players.mailboxes_of(connection, player_id)
        erasure.forget_decrees(connection, players.addresses_of(connection, player_id))
        erasure.forget_credentials(connection, player_id)
        erasure.forget_challenges(connection, ids)
        erasure.forget_mailboxes(connection, ids, now)
        # Look last: this sees every game that has started, and no other can start any more.
        seats = players.seats_of(connection, player_id)
        theirs = select(SeatRow.game_id).where(SeatRow.id.in_(seats))
        running = select(GameRow.code).where(GameRow.id.in_(theirs), GameRow.state != Stage.OVER)
        if going_on := connection.execute(running.order_by(GameRow.id)).scalars().all():
            raise Refused(sentence("names.still_playing", name=name, games=", ".join(going_on)))
        erasure.forget_seats(connection, seats)
        notifications.delete_ways(connection, player_id)
        profile_page.hide(connection, player_id, hidden=True)
        connection.execute(
            update(PlayerRow)
            .where(PlayerRow.id == player_id)
            .values(
                name=erasure.NOBODY,
                name_key=None,
                address="",
                address_key=f"forgotten {player_id}",
                zone=time_zones.DEFAULT_ZONE,
                vacations="",
                publishes=_PUBLISHES_AFTERWARDS,
                about="",
                digest_at=None,
                checkpoint=None,
            )
        )


#: The player's choice afterwards: no further game becomes public; a listed game stays so and names nobody.
_PUBLISHES_AFTERWARDS = case(
    (PlayerRow.publishes == publishing.NO, publishing.NO), else_=publishing.UNANSWERED
)
