"""Keeps a player's private notes on a game."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select

from corr import limits
from corr.store.rows import rows_of
from corr.store.tables import NoteRow
from corr.words.view import Note


class StoredNote(NamedTuple):
    """A stored note with its seat, number and move count."""

    seat_id: int
    number: int
    ply: int
    text: str

    @property
    def note(self) -> Note:
        return Note(max(self.ply, 0) // 2 + 1, self.text)


_NOTE_INSERT = insert(NoteRow)
_OLD_NOTES_DELETE = delete(NoteRow).where(
    NoteRow.seat_id == bindparam("seat"), NoteRow.number <= bindparam("last_forgotten")
)
_NOTES = (
    select(NoteRow.seat_id, NoteRow.number, NoteRow.ply, NoteRow.text)
    .where(NoteRow.seat_id.in_(bindparam("seats", expanding=True)))
    .order_by(NoteRow.seat_id, NoteRow.number.desc())
)


def add_note(connection: Connection, note: StoredNote) -> None:
    """Store a note, and delete the oldest beyond the limit."""
    connection.execute(_NOTE_INSERT, note._asdict())
    if note.number > limits.NOTES:
        connection.execute(
            _OLD_NOTES_DELETE, {"seat": note.seat_id, "last_forgotten": note.number - limits.NOTES}
        )


def load_notes(connection: Connection, seats: Collection[int]) -> Mapping[int, tuple[StoredNote, ...]]:
    """Return the notes of several seats, each seat's newest first."""
    if not seats:
        return {}
    found = rows_of(StoredNote, connection.execute(_NOTES, {"seats": list(seats)}))
    return {seat: tuple(own) for seat, own in groupby(found, key=lambda each: each.seat_id)}
