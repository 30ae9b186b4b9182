"""Builds a side's log of its game: its orders and the umpire's words, move by move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection, bindparam, select

from corr.service.games.log_rows import ORDER_COLUMNS, LoggedOrder, format_order, word_origins
from corr.service.games.slip_queries import NumberedSlip, load_since
from corr.store.rows import rows_of
from corr.store.tables import OrderRow
from corr.words.board import Side
from corr.words.slips import Sentence, Slip, Verdict
from corr.words.view import Try, group_tries

Sentences: TypeAlias = tuple[Sentence, ...]
MOVED, IN_VAIN = "moved", "in vain"


class Statement(NamedTuple):
    """One statement of the umpire, in sentences, and how often it came in a row."""

    words: Sentences
    times: int


class OwnOrder(NamedTuple):
    """A side's own order, with the umpire's answer, its origin and its result."""

    order: str
    said: str
    stood: str
    became: str  # "moved", "in vain", or "" for a question or any other order that is no move


class DecreeLine(NamedTuple):
    """An admin's decree: the move count, its date, the sentence both were told, and why."""

    ply: int
    date: str
    sentence: str
    reason: str


class LogStep(NamedTuple):
    """What a side wrote, and what the umpire said after it."""

    wrote: tuple[OwnOrder, ...]
    said: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One own move: its orders with the answers, and what the opponent's turn brought."""

    number: int  # of the move; 0 for everything before the first
    steps: tuple[LogStep, ...]
    then: tuple[Statement, ...]
    amid: tuple[DecreeLine, ...] = ()  # before the opponent moved
    after: tuple[DecreeLine, ...] = ()  # after the opponent moved

    @property
    def wrote(self) -> tuple[OwnOrder, ...]:
        """Return all orders that the side wrote for this move."""
        return tuple(each for step in self.steps for each in step.wrote)

    @property
    def is_empty(self) -> bool:
        return not (self.steps or self.then or self.amid or self.after)


@dataclass(frozen=True, slots=True)
class Log:
    rows: tuple[Exchange, ...]
    goes_on: bool


@dataclass(frozen=True, slots=True)
class SeatHistory:
    """A seat's slips and orders since some move."""

    side: Side
    since: int
    numbered_slips: Sequence[NumberedSlip]
    orders: Sequence[LoggedOrder]

    @property
    def slips(self) -> tuple[Slip, ...]:
        return tuple(each.slip for each in self.numbered_slips)

    def log(self, decreed: Sequence[DecreeLine] = ()) -> Log:
        """Build the log, latest move first, without moves that began before `since`."""
        own = 0 if self.side is Side.WHITE else 1
        happened: dict[tuple[int, bool], list[OwnOrder | Sentences]] = defaultdict(list)
        for place, each in self._in_order(own, {each.sentence for each in decreed}):
            happened[place].append(each)
        decrees: dict[tuple[int, bool], list[DecreeLine]] = defaultdict(list)
        for one in decreed:
            decrees[_locate(one.ply, own)].append(one)
        rows = (
            Exchange(
                max(move, -2) // 2 + 1,
                tuple(_steps(happened.get((move, False), ()))),
                _count_repeats(
                    each for each in happened.get((move, True), ()) if not isinstance(each, OwnOrder)
                ),
                amid=tuple(decrees.get((move, False), ())),
                after=tuple(decrees.get((move, True), ())),
            )
            for move in sorted({move for move, _ in [*happened, *decrees]}, reverse=True)
            if self.since <= 0 or move >= self.since
        )
        return Log(tuple(row for row in rows if not row.is_empty), goes_on=self.since > 0)

    def _in_order(
        self, own: int, decreed: AbstractSet[str]
    ) -> Iterator[tuple[tuple[int, bool], OwnOrder | Sentences]]:
        """Yield a side's orders and the umpire's words in order, with their places in the log."""
        # A slip that only answers an order dates that order. What the side hears after it in its own turn
        # does not come from the opponent's turn.
        wrote, slips = self._wrote(), defaultdict[int, list[NumberedSlip]](list)
        for each in self.numbered_slips:
            slips[each.ply].append(each)
        for ply in sorted({*wrote, *slips}):
            orders, mine = wrote.get(ply, []), (_move(ply, own), False)
            place = _locate(ply, own)
            for each in slips.get(ply, ()):
                if _answers_own_order(each):
                    said, told = [order.said for order in orders], each.slip.spoken
                    answered = said.index(told) + 1 if told in said else 0
                    yield from ((mine, order) for order in orders[:answered])
                    orders, place = orders[answered:], mine if answered else place
                else:
                    words = _remaining_words(each.slip, wrote.get(ply - 1, ()))
                    if words and " ".join(said.text for said in words) not in decreed:
                        yield place, words
            for order in orders:
                yield mine, order

    def _wrote(self) -> dict[int, list[OwnOrder]]:
        """Group the side's orders by move count, joining successive tries that failed."""
        wrote: dict[int, list[OwnOrder]] = defaultdict(list)
        made = {each.ply - 1: each.slip for each in self.numbered_slips if each.slip.is_of_own_move}
        stood = zip(self.orders, word_origins(self.orders), strict=True)
        for (ply, became), run in groupby(stood, key=lambda each: (each[0].ply, _find_result(each[0]))):
            tries = [Try(format_order(order, made.get(ply)), order.said, words) for order, words in run]
            alike = group_tries(tries) if became == IN_VAIN else tries
            wrote[ply] += [OwnOrder(each.order, each.said, each.stood, became) for each in alike]
        return wrote


def load_history(connection: Connection, seat_id: int, side: Side, since: int) -> SeatHistory:
    """Read what one seat wrote and was told since this half-move, to build its log."""
    orders = rows_of(LoggedOrder, connection.execute(_ORDERS, {"seat": seat_id, "since": since}))
    return SeatHistory(side, since, load_since(connection, seat_id, side, since), orders)


_ORDERS = (
    select(*ORDER_COLUMNS)
    .where(OrderRow.seat_id == bindparam("seat"), OrderRow.ply >= bindparam("since"))
    .order_by(OrderRow.id)
)


def _move(ply: int, own: int) -> int:
    """Return the own move (as a ply) under which the log lists an event; negative before it."""
    return max(ply - (ply - own) % 2, own - 2)


def _locate(ply: int, own: int) -> tuple[int, bool]:
    """Return the own move under which to list words, and if the opponent's turn caused them."""
    if (ply - own) % 2 or ply < 0:
        return _move(ply, own), False
    return _move(ply - 2, own), True


def _steps(happened: Iterable[OwnOrder | Sentences]) -> Iterator[LogStep]:
    """Group a side's orders, each group with the words that followed it."""
    wrote: tuple[OwnOrder, ...] = ()
    for is_own, each in groupby(happened, key=lambda one: isinstance(one, OwnOrder)):
        if is_own:
            wrote = tuple(one for one in each if isinstance(one, OwnOrder))
        else:
            yield LogStep(wrote, _count_repeats(one for one in each if not isinstance(one, OwnOrder)))
            wrote = ()
    if wrote:
        yield LogStep(wrote, ())


def _count_repeats(heard: Iterable[Sentences]) -> tuple[Statement, ...]:
    """Join equal statements in a row, and count them."""
    return tuple(Statement(words, len(list(each))) for words, each in groupby(heard) if words)


def _find_result(order: LoggedOrder) -> str:
    """Return "moved", "in vain", or "" for a question or other order that is no move."""
    if order.is_move:
        return MOVED
    return IN_VAIN if order.is_in_vain or order.verdict == Verdict.UNREADABLE else ""


def _remaining_words(slip: Slip, wrote: Iterable[OwnOrder]) -> Sentences:
    """Return the umpire's words on a slip, without those that the log shows beside the order."""
    if not slip.is_of_own_move:
        return slip.words
    told = " ".join(each.said for each in wrote)
    return slip._replace(facts=tuple(fact for fact in slip.facts if fact.text not in told)).words


def _answers_own_order(numbered: NumberedSlip) -> bool:
    """Whether a slip only answers a side's own order, without any move or news."""
    slip = numbered.slip
    if numbered.step == 0 or slip.made:
        return False
    return not any(fact.get("side") == slip.side.other for fact in slip.facts)
