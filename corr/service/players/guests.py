"""Guests: people who play bots without an address, until they give one (limits: `corr/limits.py`)."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, NotNullable, bindparam, exists, func, insert, select, update
from sqlalchemy.orm import aliased

from corr import limits
from corr.mail.address import AddressSigner
from corr.service.players import erasure, mailboxes, players, publishing
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.locks import take_lock
from corr.store.rows import columns_of, one_or_none_of
from corr.store.tables import (
    ArchiveRow,
    ChallengeRow,
    CorrespondentRow,
    PlayerRow,
    SeatRow,
    SessionRow,
    SignInRow,
)
from corr.text.messages import sentence
from corr.words.errors import Refused

_NAME = "Guest"
_BATCH = 50


def create(connection: Connection, now: datetime) -> Correspondent:
    """Create a guest with a mailbox that has no address; Refused while there are too many."""
    take_lock(connection, "guests")
    here = select(func.count()).select_from(PlayerRow).where(PlayerRow.guest)
    if connection.execute(here).scalar_one() >= limits.GUESTS:
        raise Refused(sentence("guests.enough"))
    key, signer = players.GUEST_PREFIX + secrets.token_hex(8), AddressSigner.new()
    values = {"name": _NAME, "address": "", "address_key": key, "guest": True, "hidden": True}
    made = insert(PlayerRow).values(**values, publishes=publishing.NO).returning(PlayerRow.id)
    player_id = connection.execute(made).scalar_one()
    mailbox = insert(CorrespondentRow).values(
        mark=key,
        address=None,
        player_id=player_id,
        code=signer.code,
        key=signer.key,
        letters=0,
        confirmed_at=now,
        refused=True,
    )
    return mailboxes.load_correspondent(
        connection, connection.execute(mailbox.returning(CorrespondentRow.id)).scalar_one()
    )


class _GuestRow(NamedTuple):
    name: str
    switched: str


class _KeepingRow(NamedTuple):
    guest_id: int
    correspondent_id: int


_GUEST_QUERY = select(*columns_of(_GuestRow, PlayerRow)).where(PlayerRow.guest)
_OWN_SEAT = aliased(SeatRow)
_DAY = timedelta(days=1)
_IS_KEEPING = SignInRow.guest_id.is_not(None) & SignInRow.used_at.is_not(None)
_WAITING_QUERY = select(SignInRow.id).where(_IS_KEEPING).order_by(SignInRow.id).limit(_BATCH)
_KEEPING_QUERY = select(
    NotNullable(SignInRow.guest_id),
    NotNullable(SignInRow.correspondent_id),
).where(_IS_KEEPING)
_KEPT_QUERY = select(SignInRow.id).where(
    SignInRow.id.in_(bindparam("requests", expanding=True)), SignInRow.guest_id.is_(None)
)
_IS_BEING_KEPT = exists(select(SignInRow.id).where(SignInRow.guest_id == PlayerRow.id, _IS_KEEPING))
HAS_WORK = _WAITING_QUERY.exists()


def list_keeping(connection: Connection) -> Sequence[int]:
    """Return sign-ins of guests who have proved an address and wait for a worker.

    Only a worker gives them their games, because the website's role can't change who sits where.
    """
    return connection.execute(_WAITING_QUERY).scalars().all()


def keep(connection: Connection, request: int, now: datetime) -> Sequence[int] | None:
    """Give a guest's games to the player they became; return the games' ids, None if another worker did."""
    this = SignInRow.id == request
    held = _KEEPING_QUERY.where(this).with_for_update()
    asked = one_or_none_of(_KeepingRow, connection.execute(held))
    if asked is None:
        return None
    who = mailboxes.load_correspondent(connection, asked.correspondent_id)
    theirs = select(SeatRow.game_id).where(SeatRow.player_id == asked.guest_id).order_by(SeatRow.id)
    games = connection.execute(theirs).scalars().all()
    if who.player_id is not None:
        _keep_games(connection, who, who.player_id, asked.guest_id, now)
    connection.execute(update(SignInRow).where(this).values(guest_id=None))
    return games


def keep_at_sign_in(connection: Connection, request: int, guest: Correspondent) -> None:
    """Let a sign-in that was requested before this guest existed keep the guest's games too."""
    this = update(SignInRow).where(SignInRow.id == request)
    connection.execute(this.values(guest_id=guest.player_id))


def find_kept(server: Server, requests: Collection[int]) -> Sequence[int]:
    """Return those of these sign-ins whose games have been kept, for pages that wait."""
    with server.store.asking() as connection:
        return connection.execute(_KEPT_QUERY, {"requests": list(requests)}).scalars().all()


def _keep_games(
    connection: Connection, who: Correspondent, player_id: int, guest_id: int, now: datetime
) -> None:
    """Give a guest's games and settings to a player, and forget the guest, if they are still one."""
    known = _GUEST_QUERY.where(PlayerRow.id == guest_id).with_for_update()
    guest = one_or_none_of(_GuestRow, connection.execute(known))
    if guest is None:
        return
    # A player who has played and set nothing yet, such as a new one, gets what the guest had set.
    is_playing = exists(select(_OWN_SEAT.id).where(_OWN_SEAT.player_id == PlayerRow.id))
    own = update(PlayerRow).where(PlayerRow.id == player_id, PlayerRow.switched == "", ~is_playing)
    connection.execute(own.values(switched=guest.switched))
    theirs = select(_OWN_SEAT.game_id).where(_OWN_SEAT.player_id == guest_id)
    mine = players.mailboxes_of(connection, guest_id)
    for change in (
        # The record of a game that has begun goes on naming the guest.
        update(SeatRow)
        .where(SeatRow.game_id.in_(theirs), SeatRow.player_id != guest_id, SeatRow.opponent.is_(None))
        .values(opponent=guest.name),
        update(SeatRow).where(SeatRow.player_id == guest_id).values(player_id=player_id),
        update(ArchiveRow).where(ArchiveRow.player_id == guest_id).values(player_id=player_id),
        update(ChallengeRow).where(ChallengeRow.by_id.in_(mine)).values(by_id=who.id),
    ):
        connection.execute(change)
    _end(connection, guest_id, mine, now)


def list_idle(connection: Connection, now: datetime, most: int) -> Sequence[int]:
    """Return the ids of guests whose browsers have not come for too long."""
    is_used = exists(
        select(SessionRow.id).where(
            SessionRow.correspondent_id == CorrespondentRow.id,
            SessionRow.ended_at.is_(None),
            SessionRow.seen_at >= now - limits.GUEST_IDLE - _DAY,  # of a visit only the day is kept
        )
    )
    idle = select(PlayerRow.id).join(CorrespondentRow, CorrespondentRow.player_id == PlayerRow.id)
    found = idle.where(PlayerRow.guest, ~is_used, ~_IS_BEING_KEPT).order_by(PlayerRow.id).limit(most)
    return connection.execute(found).scalars().all()


def lock(connection: Connection, player_id: int) -> bool:
    """Lock a guest until the transaction ends; False if they are none any more, or keep their games."""
    known = select(PlayerRow.id).where(PlayerRow.id == player_id, PlayerRow.guest, ~_IS_BEING_KEPT)
    return connection.execute(known.with_for_update()).scalar_one_or_none() is not None


def forget(connection: Connection, guest_id: int, now: datetime) -> None:
    """Forget a guest whose games are over: their session and what they wrote to themselves."""
    ids = players.mailboxes_of(connection, guest_id)
    erasure.forget_challenges(connection, ids)
    erasure.forget_seats(connection, players.seats_of(connection, guest_id))
    _end(connection, guest_id, ids, now)


def _end(connection: Connection, guest_id: int, ids: Sequence[int], now: datetime) -> None:
    """Sign a guest out for good, so that their player counts and plays no more."""
    erasure.forget_mailboxes(connection, ids, now)
    this = update(PlayerRow).where(PlayerRow.id == guest_id)
    connection.execute(this.values(guest=False, checkpoint=None, digest_at=None))
