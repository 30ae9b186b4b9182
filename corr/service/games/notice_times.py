"""When each side heard of its turn: as a letter was handed over to it, or as it opened its page."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, Select, bindparam, func, or_, select

from corr.game.state import State
from corr.service.games.game_rows import Chair
from corr.store.tables import OutboxRow
from corr.words.board import Pair, Side
from corr.words.view import Stage

_OF_THE_TURN = (OutboxRow.seat_id == bindparam("seat")) & (OutboxRow.number >= bindparam("telling"))
#: Letters after the one about the turn that come of nothing which their reader does unheard, as an answer would.
_BOTH_KNOW_OF = ("turn", "delay", "decree", "restored")
IS_KNOWN_TO_BOTH = OutboxRow.kind.in_(_BOTH_KNOW_OF)
_WRITTEN_TO = select(func.min(OutboxRow.sent_at)).where(_OF_THE_TURN)
_HANDED_OVER = _WRITTEN_TO.where(or_(IS_KNOWN_TO_BOTH, OutboxRow.number == bindparam("telling")))


def heard(connection: Connection, state: State, chairs: Pair[Chair], now: datetime) -> dict[Side, datetime]:
    """When those heard of their turn for whom the game waits, as far as they did."""
    waiting = [side for side in state.awaited if state.time.waits[side].letter]
    return {
        side: moment for side in waiting if (moment := _heard(connection, state, side, chairs[side], now))
    }


def handed_over(connection: Connection, state: State, side: Side, chair: Chair) -> datetime | None:
    """When the first letter of this turn went out that the other side may be told of."""
    return _first(connection, _HANDED_OVER, telling(state, side, chair))


def telling(state: State, side: Side, chair: Chair) -> dict[str, int | None]:
    """A seat, and which letter tells it of this turn."""
    return {"seat": chair.id, "telling": state.time.waits[side].letter}


def _heard(connection: Connection, state: State, side: Side, chair: Chair, now: datetime) -> datetime | None:
    """That a side opened its page or was answered counts where its letter is late.

    Not while they deploy: the time is that of both, and would tell the other side of it.
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
