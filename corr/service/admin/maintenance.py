"""Deletes players' data, ends the games of guests who stay away, and previews what a sweep would do."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, case, select, update

from corr.service.events import withdrawals
from corr.service.games import clock_start, due_actions, lifecycle, tutorials
from corr.service.games.game_session import open_session
from corr.service.players import erasure, guests, notifications, players, publishing, times
from corr.service.server import Server, log_failure
from corr.store.rows import rows_of
from corr.store.tables import GameRow, PlayerRow, SeatRow
from corr.text.messages import sentence
from corr.words.board import Side
from corr.words.errors import Refused
from corr.words.view import Stage


def delete_player(server: Server, name: str, now: datetime) -> None:
    """Erase a player's name, addresses and emails but keep the games; Refused while one runs."""
    with server.store.writing() as connection:
        player_id = players.require_player(connection, name)
        tutorials.end_all(connection, player_id, now)
        withdrawals.withdraw_from_all(connection, player_id, now)
        ids = players.mailboxes_of(connection, player_id)
        erasure.forget_decisions(connection, players.addresses_of(connection, player_id))
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
        publishing.hide_page(connection, player_id, hidden=True)
        connection.execute(
            update(PlayerRow)
            .where(PlayerRow.id == player_id)
            .values(
                name=erasure.NOBODY,
                name_key=None,
                address="",
                address_key=f"forgotten {player_id}",
                zone=times.DEFAULT_ZONE,
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

log = logging.getLogger(__name__)

_GUEST_BATCH = 20


def keep_guests_games(server: Server, now: datetime) -> int:
    """Give guests' games to those who have proved an address, and email whose turn it is; return how many."""
    with server.store.asking() as connection:
        ids = guests.list_keeping(connection)
    return sum(_keep_games(server, request, now) for request in ids)


def _keep_games(server: Server, request: int, now: datetime) -> bool:
    """Handle one guest's proved sign-in; False if another worker did, or after a logged error."""
    failure = "could not keep a guest's games; will try again"
    with log_failure(log, failure, request=request), server.store.writing() as connection:
        games = guests.keep(connection, request, now)
        for game_id in games or ():
            session = open_session(connection, game_id, now)
            for side in Side if session.state.under_way else ():
                if session.state.has_to_answer(side) and not session.seat_states[side].is_house_bot:
                    session.write(side, "turn")
            session.close()
        return games is not None
    return False


def end_idle_guests(server: Server, now: datetime) -> int:
    """Abandon the games of guests who have stayed away too long, and forget them; return how many."""
    with server.store.asking() as connection:
        idle = guests.list_idle(connection, now, _GUEST_BATCH)
    return sum(_end_guest(server, guest_id, now) for guest_id in idle)


def _end_guest(server: Server, guest_id: int, now: datetime) -> bool:
    """End a guest's games and forget the guest; False if they have just kept their games, or after an error."""
    failure = "could not end a guest's games; will try again"
    with log_failure(log, failure, player=guest_id), server.store.writing() as connection:
        if not guests.lock(connection, guest_id):
            return False
        tutorials.end_all(connection, guest_id, now)
        for seat in rows_of(_UnfinishedSeat, connection.execute(_UNFINISHED_QUERY, {"player": guest_id})):
            session = open_session(connection, seat.game_id, now)
            lifecycle.abandon(session, Side(seat.side))
            session.close()
        guests.forget(connection, guest_id, now)
        return True
    return False


class _UnfinishedSeat(NamedTuple):
    game_id: int
    side: str


_UNFINISHED_QUERY = (
    select(SeatRow.game_id, SeatRow.side)
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .where(SeatRow.player_id == bindparam("player"), GameRow.state != Stage.OVER)
)


class PreviewedGame(NamedTuple):
    """What a sweep would do in one game, and how the game would end, if at all."""

    code: str
    deed: str
    reason: str | None


def preview_sweep(server: Server, at: datetime) -> list[PreviewedGame]:
    """Return what a sweep at a given time would do in each game, without changing anything."""
    found = (_preview_game(server, game_id, at) for game_id in due_actions.list_due(server, at))
    return [each for each in found if each.deed]


def _preview_game(server: Server, game_id: int, at: datetime) -> PreviewedGame:
    """Do what is due in one game, and roll it back; return what it was."""
    with server.store.writing() as connection:
        session = open_session(connection, game_id, at)
        code = connection.execute(select(GameRow.code).where(GameRow.id == game_id)).scalar_one()
        clock_start.start_clock(session)
        deed = due_actions.do_next(session, server)
        if transaction := connection.get_transaction():
            transaction.rollback()
    outcome = session.state.outcome
    return PreviewedGame(code, deed, outcome.reason if outcome else None)
