"""What the umpire has said to one side, turn by turn, and what that side wrote itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from corr.desk.table.log import LOGGED, Logged, in_words
from corr.store.rows import rows_of
from corr.store.slips import unpack
from corr.store.tables import OrderRow, SlipRow
from corr.words.board import Side
from corr.words.slips import Slip
from corr.words.view import Try, together


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


class Handed(NamedTuple):
    """A slip, how many moves had been made when it was handed out, and which step after its last news it was."""

    ply: int
    step: int
    slip: Slip


class _Slip(NamedTuple):
    ply: int
    step: int
    facts: bytes
    sight: bytes


@dataclass(frozen=True, slots=True)
class SeatHistory:
    """What is kept of a seat since some move: what it was handed, and what it wrote."""

    since: int
    handed: tuple[Handed, ...]
    orders: Sequence[Logged]

    @property
    def slips(self) -> tuple[Slip, ...]:
        return tuple(each.slip for each in self.handed)

    def log(self) -> Log:
        """It all, turn by turn."""
        heard: dict[int, list[str]] = defaultdict(list)
        wrote = self._wrote()
        for each in self.handed:
            if not _answers_own_order(each):
                heard[each.ply].append(_beside(each.slip, wrote.get(each.ply - 1, ())))
        turns = (_turn(ply, heard[ply], wrote[ply]) for ply in sorted({*heard, *wrote}, reverse=True))
        return Log(tuple(turn for turn in turns if turn.said or turn.wrote), goes_on=self.since > 0)

    def _wrote(self) -> dict[int, list[Try]]:
        """What one wrote, by how many moves had been made; tries that came to nothing one after another together."""
        wrote: dict[int, list[Try]] = defaultdict(list)
        stood = zip(self.orders, in_words(self.orders), strict=True)
        for (ply, in_vain), run in groupby(stood, key=lambda each: (each[0].ply, each[0].is_in_vain)):
            tries = [Try(order.text, order.said, words) for order, words in run]
            wrote[ply] += together(tries) if in_vain else tries
        return wrote


def kept(connection: Connection, seat_id: int, side: Side, since: int) -> SeatHistory:
    """What is kept of a seat since so many moves had been made."""
    asked = {"seat": seat_id, "since": since}
    handed = tuple(
        Handed(slip.ply, slip.step, unpack(side, slip.facts, slip.sight))
        for slip in rows_of(_Slip, connection.execute(_SLIPS, asked))
    )
    return SeatHistory(since, handed, rows_of(Logged, connection.execute(_ORDERS, asked)))


_SLIPS = (
    select(SlipRow.ply, SlipRow.step, SlipRow.facts, SlipRow.sight)
    .where(SlipRow.seat_id == bindparam("seat"), SlipRow.ply >= bindparam("since"))
    .order_by(SlipRow.number, SlipRow.step)
)
_ORDERS = (
    select(*LOGGED)
    .where(OrderRow.seat_id == bindparam("seat"), OrderRow.ply >= bindparam("since"))
    .order_by(OrderRow.id)
)


def _turn(ply: int, heard: Iterable[str], wrote: Iterable[Try]) -> Turn:
    return Turn(
        number=max(ply, -1) // 2 + 1,
        side=None if ply < 0 else tuple(Side)[ply % 2],
        said=tuple(Said(text, len(list(each))) for text, each in groupby(heard) if text),
        wrote=tuple(wrote),
    )


def _beside(slip: Slip, wrote: Iterable[Try]) -> str:
    """What a slip says; of one's own move without what stands beside the order already."""
    made = slip.made
    if made is None or made["side"] != slip.side:
        return slip.spoken
    told = " ".join(each.said for each in wrote)
    return slip._replace(facts=tuple(fact for fact in slip.facts if fact.text not in told)).spoken


def _answers_own_order(handed: Handed) -> bool:
    """Whether a slip only answers an order that is told of beside it: no news, no move, nothing of the other side's."""
    slip = handed.slip
    if handed.step == 0 or slip.made:
        return False
    return not any(fact.get("side") == slip.side.other for fact in slip.facts)
