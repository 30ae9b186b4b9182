"""Stores and lists admins' decisions about a game, such as a pause, for a worker (limits: `corr/limits.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Connection, NotNullable, func, select

from corr import limits
from corr.service.players.times import word_in_utc
from corr.service.server import Server
from corr.store.locks import insert_if_new
from corr.store.rows import columns_of, rows_of
from corr.store.tables import DecisionRow, OrderRow, SeatRow
from corr.text.messages import sentence
from corr.words.errors import Refused
from corr.words.slips import Verdict

OUTCOME_CHOICES = ("white", "black", "draw", "void")


class DecreeKind(StrEnum):
    PAUSE = "pause"
    RESUME = "resume"
    EXTEND = "extend"
    ADJUDICATE = "adjudicate"
    ANNUL = "annul"


@dataclass(frozen=True, slots=True)
class DecreeRequest:
    """What an admin wants done: the kind of decision, its detail (days or outcome) and reason."""

    deed: DecreeKind
    detail: str
    reason: str


class PublicDecree(NamedTuple):
    """An admin's decision that was carried out, as the players read it."""

    date: datetime
    sentence: str
    reason: str
    ply: int  # the move count by then


class DecreeEntry(NamedTuple):
    """A decision as admins read it; its result is empty until a worker carries it out."""

    number: int
    operator: str
    deed: str
    detail: str
    reason: str
    made_at: datetime
    result: str
    said: str

    @property
    def when(self) -> str:
        """Return when the admin decided, in words and UTC."""
        return word_in_utc(self.made_at)


def check_request(kind: DecreeKind, days: str, end: str, why: str) -> DecreeRequest:
    """Check an admin's form for a decision; raise Refused if something is missing."""
    return DecreeRequest(kind, _detail(kind, days.strip(), end), clean_reason(why))


def _detail(kind: DecreeKind, days: str, end: str) -> str:
    """Return the outcome or the days to add, "" if neither is needed; or raise Refused."""
    if kind is DecreeKind.ADJUDICATE:
        if end not in OUTCOME_CHOICES:
            raise Refused(sentence("admin.no_end"))
        return end
    if kind is DecreeKind.EXTEND:
        if days not in map(str, range(1, limits.MOST_ADDED_DAYS + 1)):
            raise Refused(sentence("admin.no_days", most=limits.MOST_ADDED_DAYS))
        return days
    return ""


def clean_reason(text: str) -> str:
    """Return a reason on one line without invisible characters; raise Refused if empty or too long."""
    why = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    if not why:
        raise Refused(sentence("admin.no_reason"))
    if len(why) > limits.REASON_CHARACTERS:
        raise Refused(sentence("admin.reason_too_long", most=limits.REASON_CHARACTERS, count=len(why)))
    return why


def decree(
    server: Server, operator: str, game_id: int, number: str, request: DecreeRequest, now: datetime
) -> None:
    """Store an admin's decision for a worker; raise Refused if its form was sent before."""
    with server.store.writing() as connection:
        due = next_number(connection, game_id)
        is_new = number == str(due) and insert_if_new(
            connection,
            DecisionRow,
            game_id=game_id,
            number=due,
            operator=operator,
            deed=request.deed,
            detail=request.detail,
            reason=request.reason,
            made_at=now,
        )
    if not is_new:
        raise Refused(sentence("admin.stale"))


def next_number(connection: Connection, game_id: int) -> int:
    """Return the number of a game's next decision; forms carry it against double clicks."""
    newest = select(func.max(DecisionRow.number)).where(DecisionRow.game_id == game_id)
    return (connection.execute(newest).scalar_one() or 0) + 1


def list_public_decrees(connection: Connection, game_id: int) -> tuple[PublicDecree, ...]:
    """List the admins' decisions carried out in a game, as players read them, oldest first."""
    done = _DONE_QUERY.where(DecisionRow.game_id == game_id, DecisionRow.said.is_not(None)).order_by(
        DecisionRow.number
    )
    return tuple(rows_of(PublicDecree, connection.execute(done)))


_MOVES_MADE = (
    select(func.coalesce(func.max(OrderRow.ply) + 1, 0))
    .join_from(OrderRow, SeatRow)
    .where(
        SeatRow.game_id == DecisionRow.game_id,
        OrderRow.verdict == Verdict.MOVED,
        OrderRow.ply >= 0,
        OrderRow.at <= DecisionRow.done_at,
    )
    .correlate(DecisionRow)
    .scalar_subquery()
)
_DONE_QUERY = select(
    NotNullable(DecisionRow.done_at.label("date")),
    NotNullable(DecisionRow.said.label("sentence")),
    DecisionRow.reason,
    _MOVES_MADE.label("ply"),
)


def list_decrees(connection: Connection, game_id: int) -> tuple[DecreeEntry, ...]:
    """List all admins' decisions about a game, also those that wait, newest first."""
    theirs = _DECREES_QUERY.where(DecisionRow.game_id == game_id).order_by(DecisionRow.number.desc())
    return tuple(rows_of(DecreeEntry, connection.execute(theirs)))


_DECREES_QUERY = select(
    *columns_of(
        DecreeEntry,
        DecisionRow,
        result=func.coalesce(DecisionRow.result, ""),
        said=func.coalesce(DecisionRow.said, ""),
    )
)
