"""Collects a game session's new orders, slips, emails and turns, and stores them at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select

from corr.service.games.game_rows import SeatState
from corr.service.games.seals import (
    FIRST_PLY,
    EndedTurn,
    LeafDecreeRow,
    LeafOrderRow,
    LeafRows,
    LeafSlipRow,
    SealedGame,
    SealState,
    load_rows,
    seal,
)
from corr.store.tables import EmailWordsRow, OrderRow, OutboxRow, SlipRow
from corr.words.board import Pair
from corr.words.orders import Origin

_ORDER_INSERT, _SLIP_INSERT, _EMAIL_INSERT = insert(OrderRow), insert(SlipRow), insert(OutboxRow)
WORDS_INSERT = insert(EmailWordsRow).values(
    letter_id=select(OutboxRow.id)
    .where(OutboxRow.seat_id == bindparam("seat"), OutboxRow.number == bindparam("letter"))
    .scalar_subquery(),
    words=bindparam("said"),
)


class LogEntry(NamedTuple):
    order: str
    verdict: str
    said: str
    ply: int
    origin: Origin = Origin.PLAIN


@dataclass(slots=True)
class GameChanges:
    """The orders, slips, emails and ended turns of a session, until it closes."""

    connection: Connection
    game: SealedGame
    sealed: SealState
    unsealed: bool  # whether rows of the current turn are stored already
    since: int  # the move count at which the current turn began
    ended: list[EndedTurn] = field(default_factory=list)
    decrees: list[LeafDecreeRow] = field(default_factory=list)
    orders: list[dict[str, Any]] = field(default_factory=list)
    slips: list[dict[str, Any]] = field(default_factory=list)
    _emails: list[tuple[dict[str, Any], str, int]] = field(default_factory=list)

    @property
    def leaf(self) -> int:
        """Return the number of the line in the game's record to which events belong now."""
        return self.sealed.leaves + len(self.ended)

    def add_order(self, seat_id: int, inbox_id: int, at: datetime, entry: LogEntry) -> None:
        """Add an order with its verdict to the rows that `write` will store."""
        self.orders.append(
            {
                "seat_id": seat_id,
                "inbox_id": inbox_id,
                "ply": entry.ply,
                "text": entry.order,
                "verdict": entry.verdict,
                "said": entry.said,
                "origin": entry.origin,
                "at": at,
                "leaf": self.leaf,
            }
        )

    def add_email(self, row: dict[str, Any], words: str) -> None:
        """Add an email to store; it will show the seal of the latest ended turn."""
        self._emails.append((row, words, len(self.ended)))

    def find_email(self, seat_id: int, number: int) -> tuple[dict[str, Any], str] | None:
        """Return an email that `write` will store, as its row and words; None if it isn't one of these."""
        this = (seat_id, number)
        return next(
            ((row, words) for row, words, _ in self._emails if (row["seat_id"], row["number"]) == this), None
        )

    def write(self, seat_states: Pair[SeatState]) -> None:
        """Seal (hash) the turns that ended, and store everything that was collected."""
        is_new = any(each["leaf"] == self.leaf for each in (*self.slips, *self.orders))
        unsealed = is_new or (self.unsealed and not self.ended)
        sealed = self._seal([seat_states.white, seat_states.black])
        emails = [row | {"seal": str(sealed[turns])} for row, _, turns in self._emails]
        words = [
            {"seat": row["seat_id"], "letter": row["number"], "said": said} for row, said, _ in self._emails
        ]
        for statement, rows in (
            (_ORDER_INSERT, self.orders),
            (_SLIP_INSERT, self.slips),
            (_EMAIL_INSERT, emails),
            (WORDS_INSERT, words),
        ):
            if rows:
                self.connection.execute(statement, rows)
        self.sealed, self.unsealed, self.ended = sealed[-1], unsealed, []

    def _seal(self, seats: Sequence[SeatState]) -> list[SealState]:
        """Seal (hash) the ended turns; return the seal before the first and after each."""
        if not self.ended:
            return [self.sealed]
        rows = LeafRows(
            [LeafSlipRow(**each) for each in self.slips],
            [LeafOrderRow(**{key: each[key] for key in LeafOrderRow._fields}) for each in self.orders],
            self.decrees,
        )
        if self.unsealed:
            since = self.since if self.sealed.leaves else FIRST_PLY
            rows = load_rows(self.connection, self.game, self.sealed.leaves, since).extended_by(rows)
        # The first of the ended turns gets all digests of earlier emails.
        no_digests: Pair[tuple[str, ...]] = Pair((), ())
        mailed = [Pair(*(seat.digests for seat in seats)), *(no_digests for _ in self.ended[1:])]
        for seat in seats:
            seat.mailed, seat.digests = seat.newest_digested, ()
        turns = [
            each._replace(time=each.time._replace(mailed=digests))
            for each, digests in zip(self.ended, mailed, strict=True)
        ]
        return seal(self.connection, self.game, self.sealed, turns, rows)
