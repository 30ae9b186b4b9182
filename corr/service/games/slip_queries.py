"""Reads a seat's slips (what the umpire told it): the newest, or those since a move or slip."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, bindparam, select

from corr.service.server import Server
from corr.store.rows import rows_of
from corr.store.slips import unpack
from corr.store.tables import SlipRow
from corr.words.board import Side
from corr.words.slips import Slip


class NumberedSlip(NamedTuple):
    """A slip with its number and step in its seat, and the half-move it belongs to."""

    number: int
    step: int
    ply: int
    slip: Slip


class _SlipRow(NamedTuple):
    number: int
    step: int
    ply: int
    facts: bytes
    sight: bytes


_SLIPS = select(SlipRow.number, SlipRow.step, SlipRow.ply, SlipRow.facts, SlipRow.sight).where(
    SlipRow.seat_id == bindparam("seat")
)
_LATER_QUERY = _SLIPS.where(
    (SlipRow.number > bindparam("slip"))
    | ((SlipRow.number == bindparam("slip")) & (SlipRow.step > bindparam("step_")))
).order_by(SlipRow.number, SlipRow.step)
_SINCE_QUERY = _SLIPS.where(SlipRow.ply >= bindparam("since")).order_by(SlipRow.number, SlipRow.step)
_ONE_QUERY = _SLIPS.where(SlipRow.number == bindparam("slip"), SlipRow.step == bindparam("step_"))
_NEWEST_QUERY = _SLIPS.order_by(SlipRow.number.desc(), SlipRow.step.desc()).limit(bindparam("most"))


def load_newest(server: Server, seat_id: int, side: Side, most: int) -> Sequence[NumberedSlip]:
    """Return a seat's newest slips (what the umpire told it), at most `most`, oldest first."""
    with server.store.asking() as connection:
        return _load(connection, side, _NEWEST_QUERY, seat=seat_id, most=most)[::-1]


def load_later(server: Server, seat_id: int, side: Side, read: tuple[int, int]) -> Sequence[NumberedSlip]:
    """Return what the umpire told a seat after the slip with this number and step."""
    with server.store.asking() as connection:
        return _load(connection, side, _LATER_QUERY, seat=seat_id, slip=read[0], step_=read[1])


def load_since(connection: Connection, seat_id: int, side: Side, since: int) -> Sequence[NumberedSlip]:
    """Return what the umpire told a seat since this half-move, in order."""
    return _load(connection, side, _SINCE_QUERY, seat=seat_id, since=since)


def load_one(connection: Connection, seat_id: int, side: Side, place: tuple[int, int]) -> Slip | None:
    """Return what the umpire told a seat in the slip with this number and step, if any."""
    found = _load(connection, side, _ONE_QUERY, seat=seat_id, slip=place[0], step_=place[1])
    return found[0].slip if found else None


def _load(
    connection: Connection, side: Side, query: Select[int, int, int, bytes, bytes], **asked: Any
) -> Sequence[NumberedSlip]:
    """Run a query of slip rows, and unpack each for its side."""
    return [
        NumberedSlip(kept.number, kept.step, kept.ply, unpack(side, kept.facts, kept.sight))
        for kept in rows_of(_SlipRow, connection.execute(query, asked))
    ]
