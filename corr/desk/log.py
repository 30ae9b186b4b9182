"""What the umpire has said to one side, turn by turn, and what that side wrote itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from corr.desk.dossier import Place
from corr.store.slips import unpack
from corr.store.tables import OrderRow, SlipRow
from corr.words import Side, Slip, Try


@dataclass(frozen=True, slots=True)
class Said:
    """A thing that the umpire said, and how often in a row."""

    text: str
    times: int


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn, or one round of deploying: what one heard in it, and what one wrote in it oneself."""

    number: int  # of the move, 0 while the men are set up
    side: Side | None
    said: tuple[Said, ...]
    wrote: tuple[Try, ...]


@dataclass(frozen=True, slots=True)
class Log:
    """Turns, the newest first; whether there are earlier ones."""

    turns: tuple[Turn, ...]
    goes_on: bool


def of_seat(connection: Connection, place: Place, turns: int) -> Log:
    """The last turns of a seat's log."""
    asked = {"seat": place.id}
    slips = connection.execute(_SLIPS, asked | {"since": turns}).all()
    orders = connection.execute(_ORDERS, asked | {"since": turns}).all()
    plies = sorted({row.ply for row in (*slips, *orders)}, reverse=True)
    told = [_turn(place.side, ply, slips, orders) for ply in plies]
    goes_on = connection.execute(_EARLIER, asked | {"since": turns}).first() is not None
    return Log(tuple(turn for turn in told if turn.said or turn.wrote), goes_on)


_SLIPS = (
    select(SlipRow.ply, SlipRow.step, SlipRow.facts, SlipRow.sight)
    .where(SlipRow.seat_id == bindparam("seat"), SlipRow.ply >= bindparam("since"))
    .order_by(SlipRow.number, SlipRow.step)
)
_ORDERS = (
    select(OrderRow.ply, OrderRow.text, OrderRow.said)
    .where(OrderRow.seat_id == bindparam("seat"), OrderRow.ply >= bindparam("since"))
    .order_by(OrderRow.id)
)
_EARLIER = (
    select(SlipRow.ply).where(SlipRow.seat_id == bindparam("seat"), SlipRow.ply < bindparam("since")).limit(1)
)
Rows = Iterable[Row[*tuple[Any, ...]]]


def _turn(own: Side, ply: int, slips: Rows, orders: Rows) -> Turn:
    handed = ((row.step, unpack(own, row.facts, row.sight)) for row in slips if row.ply == ply)
    heard = [slip.spoken for step, slip in handed if not _answers_own_order(step, slip)]
    return Turn(
        number=max(ply, -1) // 2 + 1,
        side=None if ply < 0 else tuple(Side)[ply % 2],
        said=tuple(Said(text, len(list(each))) for text, each in groupby(heard) if text),
        wrote=tuple(Try(row.text, row.said) for row in orders if row.ply == ply),
    )


def _answers_own_order(step: int, slip: Slip) -> bool:
    """Whether a slip only answers an order that is told of beside it: no news, no move, nothing of the other side's."""
    if step == 0 or slip.made:
        return False
    return not any(dict(fact.data).get("side") == slip.side.other for fact in slip.facts)
