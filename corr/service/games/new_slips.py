"""Reads the slips that a seat was handed after a slip that its player has read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, select

from corr.service.server import Server
from corr.store.rows import rows_of
from corr.store.slips import unpack
from corr.store.tables import SlipRow
from corr.words.board import Side
from corr.words.slips import Slip


class NumberedSlip(NamedTuple):
    """A slip, its number and step in its seat, and the move count."""

    number: int
    step: int
    ply: int
    slip: Slip


class _NumberedSlipRow(NamedTuple):
    number: int
    step: int
    ply: int
    facts: bytes
    sight: bytes


_LATER_SLIPS_QUERY = (
    select(SlipRow.number, SlipRow.step, SlipRow.ply, SlipRow.facts, SlipRow.sight)
    .where(
        SlipRow.seat_id == bindparam("seat"),
        (SlipRow.number > bindparam("slip"))
        | ((SlipRow.number == bindparam("slip")) & (SlipRow.step > bindparam("step_"))),
    )
    .order_by(SlipRow.number, SlipRow.step)
)


_NEWEST_SLIPS_QUERY = (
    select(SlipRow.number, SlipRow.step, SlipRow.ply, SlipRow.facts, SlipRow.sight)
    .where(SlipRow.seat_id == bindparam("seat"))
    .order_by(SlipRow.number.desc(), SlipRow.step.desc())
    .limit(bindparam("most"))
)


def load_newest(server: Server, seat_id: int, side: Side, most: int) -> Sequence[NumberedSlip]:
    """Return a seat's newest slips, so many at most, the oldest first."""
    with server.store.asking() as connection:
        found = rows_of(
            _NumberedSlipRow, connection.execute(_NEWEST_SLIPS_QUERY, {"seat": seat_id, "most": most})
        )
    return [_unpack_row(side, each) for each in reversed(found)]


def load_later(server: Server, seat_id: int, side: Side, read: tuple[int, int]) -> Sequence[NumberedSlip]:
    """Return a seat's slips after the one with this number and step."""
    asked = {"seat": seat_id, "slip": read[0], "step_": read[1]}
    with server.store.asking() as connection:
        found = rows_of(_NumberedSlipRow, connection.execute(_LATER_SLIPS_QUERY, asked))
    return [_unpack_row(side, each) for each in found]


def _unpack_row(side: Side, kept: _NumberedSlipRow) -> NumberedSlip:
    return NumberedSlip(kept.number, kept.step, kept.ply, unpack(side, kept.facts, kept.sight))
