"""Finds when each side heard of its turn, by a delivered email or by opening its page."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, Select, bindparam, func, or_, select

from corr.game.state import State
from corr.service.games.game_rows import Chair
from corr.store.tables import OutboxRow
from corr.words.board import Pair, Side
from corr.words.view import Stage

_OF_THE_TURN = (OutboxRow.seat_id == bindparam("seat")) & (OutboxRow.number >= bindparam("telling"))
#: Kinds of later emails that, unlike an answer, no secret act of their reader causes.
_BOTH_KNOW_OF = ("turn", "delay", "decree", "restored")
IS_KNOWN_TO_BOTH = OutboxRow.kind.in_(_BOTH_KNOW_OF)
_WRITTEN_TO = select(func.min(OutboxRow.sent_at)).where(_OF_THE_TURN)
_HANDED_OVER = _WRITTEN_TO.where(or_(IS_KNOWN_TO_BOTH, OutboxRow.number == bindparam("telling")))


def heard(connection: Connection, state: State, chairs: Pair[Chair], now: datetime) -> dict[Side, datetime]:
    """Return when each awaited side heard of its turn, if it did."""
    waiting = [side for side in state.awaited if state.time.waits[side].letter]
    return {
        side: moment for side in waiting if (moment := _heard(connection, state, side, chairs[side], now))
    }


def handed_over(connection: Connection, state: State, side: Side, chair: Chair) -> datetime | None:
    """Return when the turn's first email that the opponent may know of went out."""
    return _first(connection, _HANDED_OVER, telling(state, side, chair))


def telling(state: State, side: Side, chair: Chair) -> dict[str, int | None]:
    """Return a seat and the number of its email about this turn."""
    return {"seat": chair.id, "telling": state.time.waits[side].letter}


def _heard(connection: Connection, state: State, side: Side, chair: Chair, now: datetime) -> datetime | None:
    """Return when a side heard; if its email is late, page visits and answers count.

    They do not count during deployment: both sides share that time, so it would reveal the visit to the
    opponent.
    """
    told = [handed_over(connection, state, side, chair)]
    if state.time.waits[side].delayed_from and state.stage is not Stage.DEPLOYING:
        told += [chair.opened_at, _first(connection, _WRITTEN_TO, telling(state, side, chair))]
    known = [moment for moment in told if moment]
    return min(*known, state.time.stands_at(now)) if known else None


def _first(
    connection: Connection, letters: Select[datetime | None], seat: dict[str, int | None]
) -> datetime | None:
    moment: datetime | None = connection.execute(letters, seat).scalar_one()
    return moment
