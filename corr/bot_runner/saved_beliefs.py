"""Stores a bot's thoughts between turns, in few bytes, so that another process can continue."""

from __future__ import annotations

import json
import zlib
from itertools import accumulate, pairwise
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select

from corr.bots.player import PackedPositions, Thought
from corr.service.games.answers import PageText
from corr.store.rows import one_or_none_of
from corr.store.tables import ThoughtRow

_IS_OF_SEAT = ThoughtRow.seat_id == bindparam("seat")
_BELIEF_QUERY = select(ThoughtRow.heard, ThoughtRow.thought, ThoughtRow.stamp, ThoughtRow.text).where(
    _IS_OF_SEAT
)
_FORGET = delete(ThoughtRow).where(_IS_OF_SEAT)


class SavedBelief(NamedTuple):
    """A seat's thoughts so far, and the orders to write on its page with this stamp."""

    heard: int
    thought: bytes
    stamp: str | None
    text: str | None


def load_belief(connection: Connection, seat_id: int) -> SavedBelief | None:
    return one_or_none_of(SavedBelief, connection.execute(_BELIEF_QUERY, {"seat": seat_id}))


def save_belief(connection: Connection, seat_id: int, thought: Thought, ready: PageText) -> None:
    forget(connection, seat_id)
    values = {"heard": thought.heard, "thought": pack(thought), "stamp": ready.stamp, "text": ready.text}
    connection.execute(insert(ThoughtRow), {"seat_id": seat_id, **values})


def forget(connection: Connection, seat_id: int) -> None:
    """Delete the thoughts of a seat whose game is over, or that is to start over."""
    connection.execute(_FORGET, {"seat": seat_id})


def pack(thought: Thought) -> bytes:
    beliefs = [held for held in (thought.held, thought.before) if held is not None]
    told = [[held.is_whole, held.weights, [len(truth) for truth in held.truths]] for held in beliefs]
    truths = [truth for held in beliefs for truth in held.truths]
    return zlib.compress(b"".join((json.dumps([thought.turn, *told]).encode(), b"\n", *truths)))


def unpack(kept: SavedBelief | None) -> Thought:
    """Unpack a thought; an empty one if nothing was saved or an older format was used."""
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
