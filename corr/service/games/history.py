"""What the umpire has said to one side, move by move, and what that side wrote itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection, bindparam, select

from corr.service.games.log import LOGGED, Logged, in_words, listed
from corr.store.rows import rows_of
from corr.store.slips import unpack
from corr.store.tables import OrderRow, SlipRow
from corr.words.board import Side
from corr.words.slips import Slip, Verdict
from corr.words.view import Try, together

#: What the umpire says, sentence by sentence, and whether it is grave.
Words: TypeAlias = tuple[tuple[str, bool], ...]
#: What became of an order.
MOVED, IN_VAIN = "moved", "in vain"


class Said(NamedTuple):
    """A thing that the umpire said, sentence by sentence with what is grave in it, and how often in a row."""

    words: Words
    times: int


class Written(NamedTuple):
    """An order of one's own: what the umpire said to it, in what it stood, and what became of it."""

    order: str
    said: str
    stood: str
    became: str  # "moved", "in vain", or "" for a question and what else was no move


class Decreed(NamedTuple):
    """What an operator has decreed: after how many moves, when, what both were told of it, and why."""

    ply: int
    date: str
    sentence: str
    reason: str


class Step(NamedTuple):
    """What one wrote, and what was said after it."""

    wrote: tuple[Written, ...]
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A move of one's own: what one wrote and what was said to it, and what the other side's turn brought."""

    number: int  # of the move; 0 for all that was before the first
    steps: tuple[Step, ...]
    then: tuple[Said, ...]
    amid: tuple[Decreed, ...] = ()  # before the other side moved
    after: tuple[Decreed, ...] = ()  # after that

    @property
    def wrote(self) -> tuple[Written, ...]:
        """What one wrote in it."""
        return tuple(each for step in self.steps for each in step.wrote)

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened in it."""
        return not (self.steps or self.then or self.amid or self.after)


@dataclass(frozen=True, slots=True)
class Log:
    """Rows, the newest first; whether there are earlier ones."""

    rows: tuple[Exchange, ...]
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

    side: Side
    since: int
    handed: tuple[Handed, ...]
    orders: Sequence[Logged]

    @property
    def slips(self) -> tuple[Slip, ...]:
        return tuple(each.slip for each in self.handed)

    def log(self, decreed: Sequence[Decreed] = ()) -> Log:
        """It all, move by move; what the first moves that are kept began before is left out."""
        own = 0 if self.side is Side.WHITE else 1
        happened: dict[tuple[int, bool], list[Written | Words]] = defaultdict(list)
        for place, each in self._in_order(own, {each.sentence for each in decreed}):
            happened[place].append(each)
        decrees: dict[tuple[int, bool], list[Decreed]] = defaultdict(list)
        for one in decreed:
            decrees[_place(one.ply, own)].append(one)
        rows = (
            Exchange(
                max(move, -2) // 2 + 1,
                tuple(_steps(happened.get((move, False), ()))),
                _counted(each for each in happened.get((move, True), ()) if not isinstance(each, Written)),
                amid=tuple(decrees.get((move, False), ())),
                after=tuple(decrees.get((move, True), ())),
            )
            for move in sorted({move for move, _ in [*happened, *decrees]}, reverse=True)
            if self.since <= 0 or move >= self.since
        )
        return Log(tuple(row for row in rows if not row.is_empty), goes_on=self.since > 0)

    def _in_order(
        self, own: int, decreed: AbstractSet[str]
    ) -> Iterator[tuple[tuple[int, bool], Written | Words]]:
        """What one wrote and heard in the order in which it happened, each with its place in the log.

        A slip that only answers an order tells when this was written; what is heard after it in one's own turn was
        not brought by the other side's.
        """
        wrote, handed = self._wrote(), defaultdict[int, list[Handed]](list)
        for each in self.handed:
            handed[each.ply].append(each)
        for ply in sorted({*wrote, *handed}):
            orders, mine = wrote.get(ply, []), (_move(ply, own), False)
            place = _place(ply, own)
            for each in handed.get(ply, ()):
                if _answers_own_order(each):
                    said, told = [order.said for order in orders], each.slip.spoken
                    answered = said.index(told) + 1 if told in said else 0
                    yield from ((mine, order) for order in orders[:answered])
                    orders, place = orders[answered:], mine if answered else place
                else:
                    words = _beside(each.slip, wrote.get(ply - 1, ()))
                    if words and " ".join(text for text, _ in words) not in decreed:
                        yield place, words
            for order in orders:
                yield mine, order

    def _wrote(self) -> dict[int, list[Written]]:
        """What one wrote, by how many moves had been made; tries that came to nothing one after another together."""
        wrote: dict[int, list[Written]] = defaultdict(list)
        made = {each.ply - 1: each.slip for each in self.handed if each.slip.is_of_own_move}
        stood = zip(self.orders, in_words(self.orders), strict=True)
        for (ply, became), run in groupby(stood, key=lambda each: (each[0].ply, _became(each[0]))):
            tries = [Try(listed(order, made.get(ply)), order.said, words) for order, words in run]
            alike = together(tries) if became == IN_VAIN else tries
            wrote[ply] += [Written(each.order, each.said, each.stood, became) for each in alike]
        return wrote


def kept(connection: Connection, seat_id: int, side: Side, since: int) -> SeatHistory:
    """What is kept of a seat since so many moves had been made."""
    asked = {"seat": seat_id, "since": since}
    handed = tuple(
        Handed(slip.ply, slip.step, unpack(side, slip.facts, slip.sight))
        for slip in rows_of(_Slip, connection.execute(_SLIPS, asked))
    )
    return SeatHistory(side, since, handed, rows_of(Logged, connection.execute(_ORDERS, asked)))


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


def _move(ply: int, own: int) -> int:
    """To which own move something belongs: by how many moves had been made before it; -2 or -1 before the first."""
    return max(ply - (ply - own) % 2, own - 2)


def _place(ply: int, own: int) -> tuple[int, bool]:
    """To which own move something belongs that was heard, and if the other side's turn brought it."""
    if (ply - own) % 2 or ply < 0:
        return _move(ply, own), False
    return _move(ply - 2, own), True


def _steps(happened: Iterable[Written | Words]) -> Iterator[Step]:
    """What one wrote together with what was said after it, one after another."""
    wrote: tuple[Written, ...] = ()
    for is_own, each in groupby(happened, key=lambda one: isinstance(one, Written)):
        if is_own:
            wrote = tuple(one for one in each if isinstance(one, Written))
        else:
            yield Step(wrote, _counted(one for one in each if not isinstance(one, Written)))
            wrote = ()
    if wrote:
        yield Step(wrote, ())


def _counted(heard: Iterable[Words]) -> tuple[Said, ...]:
    return tuple(Said(words, len(list(each))) for words, each in groupby(heard) if words)


def _became(order: Logged) -> str:
    if order.is_move:
        return MOVED
    return IN_VAIN if order.is_in_vain or order.verdict == Verdict.UNREADABLE else ""


def _beside(slip: Slip, wrote: Iterable[Written]) -> Words:
    """What a slip says; of one's own move without what stands beside the order already."""
    if not slip.is_of_own_move:
        return slip.words
    told = " ".join(each.said for each in wrote)
    return slip._replace(facts=tuple(fact for fact in slip.facts if fact.text not in told)).words


def _answers_own_order(handed: Handed) -> bool:
    """Whether a slip only answers an order that is told of beside it: no news, no move, nothing of the other side's."""
    slip = handed.slip
    if handed.step == 0 or slip.made:
        return False
    return not any(fact.get("side") == slip.side.other for fact in slip.facts)
