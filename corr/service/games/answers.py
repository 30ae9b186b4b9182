"""Looks up the umpire's answer to a message from a seat."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from sqlalchemy import bindparam, select

from corr.service.server import Server
from corr.store.rows import one_or_none_of
from corr.store.tables import InboxRow


class Answer(NamedTuple):
    """Whether the message was answered yet, and the answer."""

    is_given: bool
    words: dict[str, Any]


class _AnswerRow(NamedTuple):
    is_read: bool
    answer: str | None


_ANSWER_QUERY = select(InboxRow.read_at.is_not(None).label("is_read"), InboxRow.answer).where(
    InboxRow.seat_id == bindparam("seat"), InboxRow.message_key == bindparam("key")
)


def find_answer(server: Server, seat_id: int, key: str) -> Answer | None:
    """Return the answer to the message with this key; None where there is none."""
    with server.store.asking() as connection:
        kept = one_or_none_of(_AnswerRow, connection.execute(_ANSWER_QUERY, {"seat": seat_id, "key": key}))
    return Answer(kept.is_read, json.loads(kept.answer or "{}")) if kept else None
