"""Seals (hashes) each finished turn as a line of its game's record, secret until the game is over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple, TypeVar

from sqlalchemy import Connection, bindparam, insert, select, update

from corr.game.state import State
from corr.game.time_log import TimeLog
from corr.record import seals, turns
from corr.record.turns import Heading, RecordedDecision, RecordedOrder, RecordedSlip, Turn
from corr.service.games.seal_times import _SECOND, TurnClock, TurnTimes
from corr.store.rows import columns_of, rows_of
from corr.store.slips import unpack
from corr.store.tables import DecisionRow, OrderRow, SlipRow, TurnSealRow
from corr.words.board import Pair, Side
from corr.words.slips import Outcome
from corr.words.view import Stage

#: From the very first row on: set-ups have negative move counts.
FIRST_PLY = -(2**31)
BEGINNING_SEAL = "0"
_Row = TypeVar("_Row")
_Key = TypeVar("_Key", bound=Hashable)


class SealedGame(NamedTuple):
    game_id: int
    seats: Pair[int]
    heading: Heading
    names: Pair[str]


class EndedTurn(NamedTuple):
    """A turn that has ended, and the game's outcome if it ended with it."""

    time: TurnTimes
    outcome: Outcome | None


class SealState(NamedTuple):
    """How far a game's record is sealed: its leaves, last seal and that seal's turn."""

    leaves: int = 0
    seal: bytes | None = None
    turn: str = ""

    def __str__(self) -> str:
        """Return the seal as emails show it; empty while nothing is sealed."""
        return format_seal_line(self.turn, self.seal)


def format_seal_line(turn: str, seal: bytes | None) -> str:
    """Write a turn's name and its seal, such as "12w: ABC…", for emails and pages; "" without a seal."""
    return f"{turn}: {seals.format_seal(seal)}" if seal else ""


def name_ended_turn(before: State, after: State) -> str:
    """Name the turn that ended between two states, such as "12w"; "" if none did."""
    # During deployment no turn ends before both set-ups are in, because a seal would reveal the first.
    if after.lesson is not None or not (after.under_way or after.stage is Stage.OVER):
        return ""
    if not before.under_way:
        return BEGINNING_SEAL if after.under_way else ""
    if before.stage is Stage.DEPLOYING:
        has_ended = after.stage is not Stage.DEPLOYING or after.ply != before.ply
        return f"0.{-before.ply}" if has_ended else ""
    if after.ply != before.ply and before.turn:
        return f"{before.ply // 2 + 1}{before.turn[0]}"
    return "end" if after.stage is Stage.OVER else ""


class OrderTimes(NamedTuple):
    """When an order came, and until when its turn's time was spent."""

    at: datetime
    spent: datetime


def end_turn(before: State, after: State, turn: str, came: OrderTimes | None, now: datetime) -> EndedTurn:
    """Return the turn that ended between two states, with its times, ready to be sealed."""
    banks = [bank // _SECOND for side in Side if (bank := after.banks[side]) is not None]
    time, at = before.time, came.at if came else None
    flags_from = before.flags_from
    is_steady = flags_from is None or time.deadline is None or flags_from <= time.deadline
    # During deployment, the log of a clock that waited for one side would reveal when the other side deployed.
    is_known = before.stage is not Stage.DEPLOYING or time.earliest is None
    log = time.final_log(at) if before.under_way else TimeLog(now, None)
    clock = TurnClock(
        log if is_known else None,
        tuple(side.value for side in before.awaited) if time.earliest else (),
        came.spent if came and came.spent != came.at else None,
        None if is_steady else flags_from,
    )
    outage = tuple(time.outage or ())
    return EndedTurn(TurnTimes(turn, now, at, time.deadline, tuple(banks), outage, clock), after.outcome)


class LeafSlipRow(NamedTuple):
    leaf: int
    seat_id: int
    number: int
    step: int
    ply: int
    facts: bytes
    sight: bytes


class LeafOrderRow(NamedTuple):
    leaf: int
    seat_id: int
    ply: int
    text: str
    verdict: str
    said: str
    origin: str
    at: datetime


class LeafDecreeRow(NamedTuple):
    leaf: int
    deed: str
    detail: str
    reason: str
    said: str | None


class LeafRows(NamedTuple):
    """A game's rows, in the order of events."""

    slips: Sequence[LeafSlipRow] = ()
    orders: Sequence[LeafOrderRow] = ()
    decrees: Sequence[LeafDecreeRow] = ()

    def extended_by(self, later: LeafRows) -> LeafRows:
        return LeafRows(
            (*self.slips, *later.slips), (*self.orders, *later.orders), (*self.decrees, *later.decrees)
        )


_SLIPS = (
    select(*columns_of(LeafSlipRow, SlipRow))
    .where(
        SlipRow.seat_id.in_(bindparam("seats", expanding=True)),
        SlipRow.ply >= bindparam("since"),
        SlipRow.leaf >= bindparam("from_leaf"),
    )
    .order_by(SlipRow.number, SlipRow.step)
)
_ORDERS = (
    select(*columns_of(LeafOrderRow, OrderRow))
    .where(
        OrderRow.seat_id.in_(bindparam("seats", expanding=True)),
        OrderRow.ply >= bindparam("since"),
        OrderRow.leaf >= bindparam("from_leaf"),
    )
    .order_by(OrderRow.id)
)
_DECREES = (
    select(DecisionRow.leaf, DecisionRow.deed, DecisionRow.detail, DecisionRow.reason, DecisionRow.said)
    .where(
        DecisionRow.game_id == bindparam("game"),
        DecisionRow.leaf >= bindparam("from_leaf"),
        DecisionRow.said.is_not(None),
    )
    .order_by(DecisionRow.number)
)


def load_rows(connection: Connection, sat: SealedGame, leaf: int = 0, since: int = FIRST_PLY) -> LeafRows:
    """Read a game's slips, orders and admins' decisions from this line of its record on."""
    asked = {"seats": [sat.seats[side] for side in Side], "from_leaf": leaf, "since": since}
    return LeafRows(
        rows_of(LeafSlipRow, connection.execute(_SLIPS, asked)),
        rows_of(LeafOrderRow, connection.execute(_ORDERS, asked)),
        rows_of(LeafDecreeRow, connection.execute(_DECREES, {"game": sat.game_id, "from_leaf": leaf})),
    )


def group_by_leaf(rows: LeafRows, seats: Pair[int]) -> dict[int, Turn]:
    """Group a game's rows by turn, under the number of its line in the record."""
    slips = _group_rows(rows.slips, lambda each: (each.leaf, each.seat_id))
    orders = _group_rows(rows.orders, lambda each: (each.leaf, each.seat_id))
    decrees = _group_rows(rows.decrees, lambda each: each.leaf)
    leaves = {leaf for leaf, _ in (*slips, *orders)} | {*decrees}
    return {
        leaf: Turn(
            Pair(*(_record_orders(orders.get((leaf, seats[side]), ())) for side in Side)),
            Pair(*(_record_slips(side, slips.get((leaf, seats[side]), ())) for side in Side)),
            [
                RecordedDecision(each.deed, each.detail, each.reason, each.said or "")
                for each in decrees.get(leaf, ())
            ],
        )
        for leaf in leaves
    }


_EMPTY_TURN = Turn(Pair((), ()), Pair((), ()), ())


def _group_rows(rows: Iterable[_Row], key: Callable[[_Row], _Key]) -> dict[_Key, list[_Row]]:
    grouped = defaultdict[_Key, list[_Row]](list)
    for each in rows:
        grouped[key(each)].append(each)
    return grouped


def _record_orders(orders: Iterable[LeafOrderRow]) -> list[RecordedOrder]:
    return [
        RecordedOrder(each.ply, each.text, each.verdict, each.said, each.origin, each.at.isoformat())
        for each in orders
    ]


def _record_slips(side: Side, slips: Iterable[LeafSlipRow]) -> list[RecordedSlip]:
    return [
        RecordedSlip(each.number, each.step, each.ply, unpack(side, each.facts, each.sight)) for each in slips
    ]


_LEAF_INSERT = insert(TurnSealRow)
_DISCLOSE = (
    update(TurnSealRow)
    .where(TurnSealRow.game_id == bindparam("game"))
    .values(disclosed=TurnSealRow.salt, salt=b"")
)


def seal(
    connection: Connection, sat: SealedGame, before: SealState, ended: Sequence[EndedTurn], rows: LeafRows
) -> list[SealState]:
    """Store a seal (salted hash) of each ended turn; return the seals before and after each."""
    turns_of, sealed = group_by_leaf(rows, sat.seats), [before]
    leaves = []
    for each in ended:
        number, salt = sealed[-1].leaves, seals.draw_secret()
        if number == 0:
            players = Pair(*(seals.hash_name(salt, side, sat.names[side]) for side in Side))
            each = each._replace(time=each.time._replace(players=players))  # noqa: PLW2901  # now its salt is drawn
        turn = build_line(sat.heading, number, turns_of.get(number), each, salt)
        stamp = turn.seal(sealed[-1].seal or seals.FIRST_SEAL)
        sealed.append(SealState(number + 1, stamp, each.time.turn))
        kept = {"game_id": sat.game_id, "number": number, "told": each.time.kept}
        leaves.append({**kept, "salt": salt, "seal": seals.shown_bytes(stamp)})
    connection.execute(_LEAF_INSERT, leaves)
    if ended[-1].outcome:
        connection.execute(_DISCLOSE, {"game": sat.game_id})
    return sealed


def build_line(
    heading: Heading, number: int, turn: Turn | None, ended: EndedTurn, salt: bytes
) -> seals.SealedLine:
    """Build a turn's line of the record, with its public and private parts, for sealing."""
    # The first line of a game that began before sealing existed says so, and holds everything before it.
    happened, extra = turn or _EMPTY_TURN, ended.time.told
    if number == 0 and ended.time.turn != BEGINNING_SEAL:
        extra["sealed_from"] = ended.time.turn
    version = turns.VERSION if ended.time.clock else turns.FIRST_VERSION
    told = turns.public_part(heading, number, happened, extra, ended.outcome, version)
    parts = turns.parts(happened)
    for side in Side:
        parts[side.value] |= ended.time.private_data(side)
    return seals.make_line(told, parts, salt)
