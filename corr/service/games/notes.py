"""Keeps a player's private notes (limits: `corr/limits.py`), and ghosts: pieces that the player imagines on squares."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select

from corr import limits
from corr.store.rows import rows_of
from corr.store.tables import NoteRow
from corr.words.board import SQUARE_NUMBER, SQUARES, Side
from corr.words.codes import Audience, Common, Datum
from corr.words.slips import Fact, GhostPieces, Sight, Slip
from corr.words.view import Note


class StoredNote(NamedTuple):
    seat_id: int
    number: int
    ply: int
    text: str

    @property
    def note(self) -> Note:
        """Return the note with its move number, as its player reads it."""
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


_WISH = re.compile(r"(-?)([KQRBNP]?)([a-h][1-8])")


def place_ghosts(ghosts: GhostPieces, wish: str, sight: Sight) -> tuple[GhostPieces, tuple[int, ...]]:
    """Add or remove imagined pieces as a player wrote; also return named squares that they see."""
    if wish == "clear":
        return (), ()
    men, seen = dict(ghosts), []
    enemy = str.lower if sight.side is Side.WHITE else str.upper
    for taken_away, man, name in _WISH.findall(wish):
        square = SQUARE_NUMBER[name]
        if taken_away:
            men.pop(square, None)
        elif sight.seen >> square & 1:
            seen.append(square)
        else:
            men[square] = enemy(man or "P")
    return tuple(sorted(men.items())), tuple(seen)


def keep_possible_ghosts(ghosts: GhostPieces, slip: Slip) -> GhostPieces:
    """Return the imagined pieces that a new slip to their player doesn't disprove."""
    known = slip.sight.seen | _en_passant_square(slip) | _beside_the_rook(slip)
    for fact in slip.facts:
        known |= _known_squares(fact, slip.side)
    return tuple((square, man) for square, man in ghosts if not known >> square & 1)


def _known_squares(fact: Fact, side: Side) -> int:
    """Return a bitboard of the squares whose contents a fact tells this side."""
    if fact.shown:
        return _mask(name for name, _ in fact.shown.on)
    if fact.code == Common.CAPTURE:
        return _mask([fact.get("square")])
    if fact.audience is Audience.MOVE and fact["side"] == side:
        return _path_squares(str(fact["move"]))
    return 0


def _en_passant_square(slip: Slip) -> int:
    """Return a bitboard of the pawn that this side took en passant, if announced."""
    made = slip.made
    is_told = any(fact.code == Common.CAPTURE and fact.get("en_passant") for fact in slip.facts)
    if not (is_told and made and made["side"] == slip.side):
        return 0
    move = str(made["move"])
    return _mask([move[2] + move[1]])


def _beside_the_rook(slip: Slip) -> int:
    """Return a bitboard of the b-file square that only the rook passed in long castling."""
    made = slip.made
    if not (made and made["side"] == slip.side):
        return 0
    move = str(made["move"])
    is_like_it = move in ("e1c1", "e8c8")
    return _mask(["b" + move[1]]) if is_like_it and slip.sight.kings & _mask([move[2:]]) else 0


def _mask(names: Iterable[Datum]) -> int:
    """Return a bitboard of the squares with these names."""
    return sum(1 << SQUARE_NUMBER[str(name)] for name in {*names} if name)


def _path_squares(move: str) -> int:
    """Return a bitboard of the squares that a move passed, and of its target."""
    origin, target = SQUARE_NUMBER.get(move[:2]), SQUARE_NUMBER.get(move[2:4])
    if target is None:
        return 0
    if origin is None:
        return 1 << target
    files, ranks = abs(target % 8 - origin % 8), abs(target // 8 - origin // 8)
    if files and ranks and files != ranks:
        return 1 << target
    step = (target - origin) // max(files, ranks)
    return sum(1 << square for square in range(origin + step, target + step, step))


def parse_ghosts(kept: str) -> GhostPieces:
    """Read stored imagined pieces, such as `qd8pe5`, as (square, piece) pairs."""
    return tuple((SQUARE_NUMBER[kept[at + 1 : at + 3]], kept[at]) for at in range(0, len(kept), 3))


def format_ghosts(ghosts: GhostPieces) -> str:
    """Write imagined pieces for storage, such as `qd8pe5`."""
    return "".join(man + SQUARES[square] for square, man in ghosts)
