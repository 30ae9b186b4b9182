"""Keeps admins from their own opponents' private emails, which they must not read, count or resend."""

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
        """Match the seats of non-opponents, whatever the game."""
        if not self.opponents:
            return true()
        return seat_id.not_in(select(SeatRow.id).where(SeatRow.player_id.in_(self.opponents)))

    def mailbox(self, correspondent_id: IdColumn) -> ColumnElement[bool]:
        """Match the mailboxes of players who are no opponents; an unowned mailbox could be anybody's."""
        if not self.opponents:
            return true()
        others = CorrespondentRow.player_id.is_not(None) & CorrespondentRow.player_id.not_in(self.opponents)
        return correspondent_id.in_(select(CorrespondentRow.id).where(others))


def load_conflicts(connection: Connection, who: Correspondent) -> AdminConflicts:
    if who.player_id is None:
        return AdminConflicts()
    return AdminConflicts(tuple(connection.execute(_OPPONENTS, {"player": who.player_id}).scalars()))
