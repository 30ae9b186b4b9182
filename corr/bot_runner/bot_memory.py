"""Reads the slips of a bot's seat, and stores what the bot believes about the position."""

from __future__ import annotations

import json
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select

from corr.bots.bot import PackedPositions, Thought
from corr.bots.history import Observation
from corr.orders import UnclearLine, parse_order
from corr.service.games.log_rows import LoggedOrder
from corr.service.games.log_view import SeatHistory
from corr.service.games.page_orders import PageText
from corr.service.games.slip_queries import NumberedSlip
from corr.store.rows import one_or_none_of
from corr.store.tables import ThoughtRow
from corr.words.codes import Common
from corr.words.orders import Command, Deploy
from corr.words.slips import Slip

#: The codes of facts about the match, such as pauses: they say nothing about the board.
_MATCH_CODES = frozenset(
    (
        Common.OFFER,
        Common.DECLINED,
        Common.CONFIRM,
        Common.UNREADABLE,
        Common.PAUSED,
        Common.RESUMED,
        Common.EXTENDED,
    )
)


def read_observations(history: SeatHistory) -> Sequence[Observation]:
    """Return each slip about the board, with the order of the bot that it answers."""
    return tuple(_pair_with_orders(history.numbered_slips, history.orders))


def _pair_with_orders(slips: Iterable[NumberedSlip], orders: Iterable[LoggedOrder]) -> Iterator[Observation]:
    """Yield each slip about the board, with the order that it answers or None."""
    asked = deque((each.ply, parse_order(each.text)) for each in orders if each.is_move or each.said)
    for each in slips:
        while asked and isinstance(asked[0][1], Deploy) and each.step == 0 and asked[0][0] != each.ply:
            asked.popleft()  # a deployment is answered by the slip that both sides get
        order = asked.popleft()[1] if asked and _answers(each) else None
        slip = _board_facts(each.slip)
        if slip is not None:
            yield Observation(slip, None if isinstance(order, Command | UnclearLine) else order)


def _answers(numbered: NumberedSlip) -> bool:
    """Tell whether a slip answers an order of this seat, rather than reporting other news."""
    slip, made = numbered.slip, numbered.slip.made
    if numbered.step == 0:
        return False
    if made is not None:
        return made["side"] == slip.side
    return not any(fact.get("side") == slip.side.other for fact in slip.facts)


def _board_facts(slip: Slip) -> Slip | None:
    """Return the slip without facts about the match; None if no fact is left."""
    facts = tuple(fact for fact in slip.facts if fact.code not in _MATCH_CODES)
    return slip._replace(facts=facts) if facts else None


_IS_OF_SEAT = ThoughtRow.seat_id == bindparam("seat")
_BELIEF_QUERY = select(ThoughtRow.heard, ThoughtRow.thought, ThoughtRow.stamp, ThoughtRow.text).where(
    _IS_OF_SEAT
)
_FORGET = delete(ThoughtRow).where(_IS_OF_SEAT)


class SavedBelief(NamedTuple):
    """What a bot stored when it last thought: its belief, and the orders that it wants to send."""

    heard: int
    thought: bytes
    stamp: str | None
    text: str | None


def load_belief(connection: Connection, seat_id: int) -> SavedBelief | None:
    """Return what the bot of this seat stored when it last thought, or None."""
    return one_or_none_of(SavedBelief, connection.execute(_BELIEF_QUERY, {"seat": seat_id}))


def save_belief(connection: Connection, seat_id: int, thought: Thought, ready: PageText) -> None:
    """Replace a bot's stored belief, and store the orders that it wants to send."""
    forget(connection, seat_id)
    values = {"heard": thought.heard, "thought": pack(thought), "stamp": ready.stamp, "text": ready.text}
    connection.execute(insert(ThoughtRow), {"seat_id": seat_id, **values})


def forget(connection: Connection, seat_id: int) -> None:
    """Delete a bot's stored belief, once its game is over or after an error."""
    connection.execute(_FORGET, {"seat": seat_id})


def pack(thought: Thought) -> bytes:
    """Compress a bot's thought to bytes for the database."""
    beliefs = [held for held in (thought.held, thought.before) if held is not None]
    told = [[held.is_whole, held.weights, [len(truth) for truth in held.truths]] for held in beliefs]
    truths = [truth for held in beliefs for truth in held.truths]
    return zlib.compress(b"".join((json.dumps([thought.turn, *told]).encode(), b"\n", *truths)))


def unpack(kept: SavedBelief | None) -> Thought:
    """Restore a stored thought; return an empty one for None or an older format."""
    if kept is None:
        return Thought()
    head, _, packed = zlib.decompress(kept.thought).partition(b"\n")
    turn, *told = json.loads(head)
    if isinstance(told[0], bool):
        return Thought()
    beliefs, at = [], 0
    for is_whole, weights, lengths in told:
        ends = list(accumulate(lengths, initial=at))
        at = ends[-1]
        truths = tuple(packed[start:end] for start, end in pairwise(ends))
        beliefs.append(PackedPositions(truths, tuple(weights), is_whole))
    return Thought(kept.heard, tuple(turn), *beliefs)
