"""Hides admins' own opponents' emails from them, since even the number reveals what opponents tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, select, true
from sqlalchemy.orm import InstrumentedAttribute, aliased

from corr.service.players.mailboxes import Correspondent
from corr.store.tables import CorrespondentRow, GameRow, SeatRow
from corr.words.view import Stage

_OTHER_SEAT = aliased(SeatRow)
_OPPONENTS = (
    select(_OTHER_SEAT.player_id)
    .distinct()
    .join(SeatRow, SeatRow.game_id == _OTHER_SEAT.game_id)
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .where(
        SeatRow.player_id == bindparam("player"),
        _OTHER_SEAT.player_id != SeatRow.player_id,
        GameRow.state != Stage.OVER,
    )
)

IdColumn = InstrumentedAttribute[Any]


@dataclass(frozen=True, slots=True)
class AdminConflicts:
    """An admin's opponents in running games; without any, the admin can see all emails."""

    opponents: tuple[int, ...] = ()

    def seat(self, seat_id: IdColumn) -> ColumnElement[bool]:
        """Return a condition that leaves out the seats of the admin's opponents in all games."""
        if not self.opponents:
            return true()
        return seat_id.not_in(select(SeatRow.id).where(SeatRow.player_id.in_(self.opponents)))

    def mailbox(self, correspondent_id: IdColumn) -> ColumnElement[bool]:
        """Return a condition that leaves out opponents' mailboxes; if there are any, also those without a player."""
        if not self.opponents:
            return true()
        others = CorrespondentRow.player_id.is_not(None) & CorrespondentRow.player_id.not_in(self.opponents)
        return correspondent_id.in_(select(CorrespondentRow.id).where(others))


def load_conflicts(connection: Connection, who: Correspondent) -> AdminConflicts:
    """Find an admin's opponents in unfinished games."""
    if who.player_id is None:
        return AdminConflicts()
    return AdminConflicts(tuple(connection.execute(_OPPONENTS, {"player": who.player_id}).scalars()))
