"""Handles bounced emails about a turn: the turn's clock waits as if the email had never gone out."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, or_, select, update

from corr import limits
from corr.game.turn_notice import Wait
from corr.service.games.game_session import Sitting
from corr.service.games.notice_times import IS_KNOWN_TO_BOTH
from corr.service.players import bouncing_mailboxes, mailboxes
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import Game, Moment, OutboxRow, SeatRow, SlipRow
from corr.words.board import Side

_IT = (OutboxRow.seat_id == bindparam("seat")) & (OutboxRow.number == bindparam("letter"))
_AT = (
    select(SlipRow.ply)
    .where(SlipRow.seat_id == OutboxRow.seat_id, SlipRow.number == OutboxRow.slip)
    .where(SlipRow.step == OutboxRow.step)
    .correlate(OutboxRow)
    .scalar_subquery()
)
_SENT = select(OutboxRow.id, OutboxRow.kind, OutboxRow.sent_at, _AT.label("ply")).where(
    _IT, OutboxRow.sent_at.is_not(None)
)
_COMES_BACK = (
    update(OutboxRow)
    .where(OutboxRow.id == bindparam("it"))
    .values(sent_at=None, dead_at=bindparam("now", type_=Moment), trouble=bindparam("why"))
)
_TOLD_OTHERWISE = (
    select(OutboxRow.id)
    .where(OutboxRow.seat_id == bindparam("seat"), OutboxRow.number > bindparam("letter"))
    .where(OutboxRow.sent_at.is_not(None), IS_KNOWN_TO_BOTH)
    .limit(1)
)
_PLAYER = select(SeatRow.player_id).where(SeatRow.id == bindparam("seat"))
_PLAYS = _PLAYER.scalar_subquery()
_LATELY = or_(Game.ended_at.is_(None), Game.ended_at > bindparam("since", type_=Moment))
_WAITED_ELSEWHERE = (
    select(SeatRow.telling, SeatRow.delayed_from, SeatRow.held, Game.paused_at)
    .join(Game, Game.id == SeatRow.game_id)
    .where(SeatRow.player_id == _PLAYS, SeatRow.id != bindparam("seat"), _LATELY)
    .where(or_(SeatRow.held > timedelta(), SeatRow.delayed_from.is_not(None)))
)


class _Waited(NamedTuple):
    telling: int | None
    delayed_from: datetime | None
    held: timedelta
    paused_at: datetime | None


class _Sent(NamedTuple):
    id: int
    kind: str
    sent_at: datetime
    ply: int | None


def come_back(sitting: Sitting, side: Side, letter: int, why: str) -> bool:
    """Record a bounced email once; the turn's clock waits if the email announced that turn."""
    this = {"seat": sitting.chairs[side].id, "letter": letter}
    sent = one_or_none_of(_Sent, sitting.connection.execute(_SENT, this))
    if sent is None:
        return False
    sitting.connection.execute(_COMES_BACK, {"it": sent.id, "now": sitting.now, "why": why})
    tells_of_the_turn = sent.kind == "turn" and sent.ply == sitting.state.ply
    if tells_of_the_turn and not _is_told_otherwise(sitting, this):
        most = may_wait(sitting, side)
        if most:
            sitting.state = sitting.state.untell(side, letter, sent.sent_at, sitting.now, most)
    return True


def _is_told_otherwise(sitting: Sitting, this: dict[str, int]) -> bool:
    return sitting.connection.execute(_TOLD_OTHERWISE, this).scalar_one_or_none() is not None


def is_failing(sitting: Sitting, side: Side) -> bool:
    """Whether emails to a player's mailbox bounced lately."""
    player = sitting.connection.execute(_PLAYER, {"seat": sitting.chairs[side].id}).scalar_one()
    main = mailboxes.of_player(sitting.connection, player)
    return bouncing_mailboxes.is_any(sitting.connection, main)


def may_wait(sitting: Sitting, side: Side) -> timedelta:
    """Return how much longer all games together may wait for a player within a year.

    A wait that is still running counts for its time so far.
    """
    asked = {"seat": sitting.chairs[side].id, "since": sitting.now - limits.A_YEAR}
    others = rows_of(_Waited, sitting.connection.execute(_WAITED_ELSEWHERE, asked))
    waited = sitting.state.time.waits[side].so_far(sitting.state.time.stands_at(sitting.now))
    for row in others:
        waited += Wait(row.telling, row.delayed_from, row.held).so_far(row.paused_at or sitting.now)
    return max(limits.WAIT_FOR_A_MAILBOX - waited, timedelta())
