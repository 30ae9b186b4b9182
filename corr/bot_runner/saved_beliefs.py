"""What house players think is kept between two turns, in few bytes: another process goes on where one has stopped."""

from __future__ import annotations

import json
import zlib
from itertools import accumulate, pairwise
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select

from corr.bots.player import Held, Thought
from corr.service.games.page import PageText
from corr.store.rows import one_or_none_of
from corr.store.tables import ThoughtRow

_OF_SEAT = ThoughtRow.seat_id == bindparam("seat")
_KEPT = select(ThoughtRow.heard, ThoughtRow.thought, ThoughtRow.stamp, ThoughtRow.text).where(_OF_SEAT)
_FORGET = delete(ThoughtRow).where(_OF_SEAT)


class Kept(NamedTuple):
    """What was thought at a seat so far, and what is to be written there on a page of a stamp."""

    heard: int
    thought: bytes
    stamp: str | None
    text: str | None


def of_seat(connection: Connection, seat_id: int) -> Kept | None:
    """What is kept of it, if anything is."""
    return one_or_none_of(Kept, connection.execute(_KEPT, {"seat": seat_id}))


def keep(connection: Connection, seat_id: int, thought: Thought, ready: PageText) -> None:
    """Keep it instead of what was kept before."""
    forget(connection, seat_id)
    values = {"heard": thought.heard, "thought": pack(thought), "stamp": ready.stamp, "text": ready.text}
    connection.execute(insert(ThoughtRow), {"seat_id": seat_id, **values})


def forget(connection: Connection, seat_id: int) -> None:
    """Of a seat whose game is over, or that is to think it all over again."""
    connection.execute(_FORGET, {"seat": seat_id})


def pack(thought: Thought) -> bytes:
    """All but how much was heard."""
    beliefs = [held for held in (thought.held, thought.before) if held is not None]
    told = [[held.is_whole, held.weights, [len(truth) for truth in held.truths]] for held in beliefs]
    truths = [truth for held in beliefs for truth in held.truths]
    return zlib.compress(b"".join((json.dumps([thought.turn, *told]).encode(), b"\n", *truths)))


def unpack(kept: Kept | None) -> Thought:
    """The same as it was; of nothing, where nothing is kept or it was kept in an older way."""
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
        beliefs.append(Held(truths, tuple(weights), is_whole))
    return Thought(kept.heard, tuple(turn), *beliefs)
