"""Recognises answers that only say a move was made: they may be left out, or told with the next turn."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, select, update

from corr.store.rows import one_or_none_of
from corr.store.tables import EmailBytesRow, EmailWordsRow, Moment, OutboxRow
from corr.words.codes import Common
from corr.words.slips import Fact, Slip, Verdict

#: What a player expects the umpire to say after a move in which nothing happened. That the opponent's pawns can
#: capture is news, which no later email repeats.
_EXPECTED = (Common.TURN, Common.RESERVES)
#: What an answer says besides the state of the game, if it only tells of orders.
_PLAIN_WORDS = frozenset({"public", "own", "to", "items", "ignored", "last"})

_IS_UNSENT = OutboxRow.sent_at.is_(None) & OutboxRow.dead_at.is_(None) & OutboxRow.leased_until.is_(None)
# An email that a worker is claiming now is skipped: it goes out.
_WAITING_QUERY = (
    select(OutboxRow.id, EmailWordsRow.words)
    .join(EmailWordsRow, EmailWordsRow.letter_id == OutboxRow.id)
    .where(OutboxRow.seat_id == bindparam("seat"), OutboxRow.number == bindparam("number"))
    .where(OutboxRow.kind == "answer", _IS_UNSENT)
    .with_for_update(of=OutboxRow, skip_locked=True)
)
_WITHHOLD = (
    update(OutboxRow)
    .where(OutboxRow.id == bindparam("letter"))
    .values(sent_at=bindparam("now", type_=Moment))
)
# Its text and digest stay: a mail server that broke off may have delivered it all the same.
_BYTES_DELETE = delete(EmailBytesRow).where(EmailBytesRow.letter_id == bindparam("letter"))


class _WaitingRow(NamedTuple):
    id: int
    words: str


def is_uneventful(own: Slip | None, order: str) -> bool:
    """Whether a side's move was made as ordered, and the umpire said nothing that it didn't expect."""
    if own is None or own.made is None or own.made["move"] != order:
        return False
    spoken = (fact for fact in own.facts if fact.text and fact is not own.made)
    return all(fact.code in _EXPECTED or _counts_no_tries(fact) for fact in spoken)


def _counts_no_tries(fact: Fact) -> bool:
    """Whether the umpire said that the opponent has no pawn tries."""
    return fact.code == Common.TRIES and fact["count"] == 0


def is_plain_move(words: Mapping[str, Any]) -> bool:
    """Whether an answer says only that one move was made, and how the umpire answered each try before it."""
    items = words.get("items", ())
    is_short = words.keys() <= _PLAIN_WORDS and not (words.get("ignored") or words.get("last"))
    return is_short and len(items) == 1 and items[0]["note"] == Verdict.MOVED


def is_expected(words: Mapping[str, Any]) -> bool:
    """Whether an answer says only that a move was made as ordered, at the first try, and nothing happened."""
    if not is_plain_move(words):
        return False
    (item,) = words["items"]
    return bool(item["uneventful"]) and not (item["tried"] or item["untried"])


def withhold(connection: Connection, seat_id: int, number: int, now: datetime) -> dict[str, Any] | None:
    """Keep a seat's answer to a move from being sent, unless it has more to say or was claimed; return its words."""
    asked = {"seat": seat_id, "number": number}
    found = one_or_none_of(_WaitingRow, connection.execute(_WAITING_QUERY, asked))
    words: dict[str, Any] = json.loads(found.words) if found else {}
    if found is None or not is_plain_move(words):
        return None
    connection.execute(_WITHHOLD, {"letter": found.id, "now": now})
    connection.execute(_BYTES_DELETE, {"letter": found.id})
    return words
