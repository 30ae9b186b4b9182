"""What house players think is kept between two turns, in few bytes: another process goes on where one has stopped."""

from __future__ import annotations

import json
import zlib
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select

from corr.bots.player import Thought
from corr.store.rows import one_or_none_of
from corr.store.tables import ThoughtRow

_OF_SEAT = ThoughtRow.seat_id == bindparam("seat")
_KEPT = select(ThoughtRow.heard, ThoughtRow.thought).where(_OF_SEAT)
_FORGET = delete(ThoughtRow).where(_OF_SEAT)


class _Kept(NamedTuple):
    heard: int
    thought: bytes


def of_seat(connection: Connection, seat_id: int) -> Thought:
    """What was thought at a seat so far; of nothing, where nothing is kept."""
    kept = one_or_none_of(_Kept, connection.execute(_KEPT, {"seat": seat_id}))
    return unpack(kept.heard, kept.thought) if kept else Thought(0, (), is_whole=False, truths=())


def keep(connection: Connection, seat_id: int, thought: Thought) -> None:
    """Keep it instead of what was kept before."""
    forget(connection, seat_id)
    connection.execute(
        insert(ThoughtRow), {"seat_id": seat_id, "heard": thought.heard, "thought": pack(thought)}
    )


def forget(connection: Connection, seat_id: int) -> None:
    """Of a seat whose game is over, or that is to think it all over again."""
    connection.execute(_FORGET, {"seat": seat_id})


def pack(thought: Thought) -> bytes:
    """All but how much was heard."""
    lengths = [len(truth) for truth in thought.truths]
    head = json.dumps([thought.turn, thought.is_whole, lengths]).encode()
    return zlib.compress(b"".join((head, b"\n", *thought.truths)))


def unpack(heard: int, kept: bytes) -> Thought:
    """The same as it was."""
    head, _, packed = zlib.decompress(kept).partition(b"\n")
    turn, is_whole, lengths = json.loads(head)
    truths, at = [], 0
    for length in lengths:
        truths.append(packed[at : at + length])
        at += length
    return Thought(heard, tuple(turn), is_whole, tuple(truths))
