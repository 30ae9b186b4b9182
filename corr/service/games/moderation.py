"""Enters an admin's decrees about a game with their reasons; a worker carries them out."""

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

#: The ways in which an admin may end a game.
OUTCOME_CHOICES = ("white", "black", "draw", "void")


class DecreeKind(StrEnum):
    PAUSE = "pause"
    RESUME = "resume"
    EXTEND = "extend"
    ADJUDICATE = "adjudicate"
    ANNUL = "annul"


@dataclass(frozen=True, slots=True)
class DecreeRequest:
    """A wanted decree: its kind, its detail (days or outcome) and its reason."""

    deed: DecreeKind
    detail: str
    reason: str


class PublicDecree(NamedTuple):
    """A decree that was carried out, as the players read it."""

    date: datetime
    sentence: str
    reason: str
    ply: int  # the move count by then


class DecreeEntry(NamedTuple):
    """A decree as admins read it; its result is empty while it waits."""

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
        return word_in_utc(self.made_at)


def check_request(deed: DecreeKind, days: str, end: str, why: str) -> DecreeRequest:
    """Check the form of a decree; Refused where something is missing."""
    return DecreeRequest(deed, _detail(deed, days.strip(), end), clean_reason(why))


def _detail(deed: DecreeKind, days: str, end: str) -> str:
    if deed is DecreeKind.ADJUDICATE:
        if end not in OUTCOME_CHOICES:
            raise Refused(sentence("admin.no_end"))
        return end
    if deed is DecreeKind.EXTEND:
        if days not in map(str, range(1, limits.MOST_ADDED_DAYS + 1)):
            raise Refused(sentence("admin.no_days", most=limits.MOST_ADDED_DAYS))
        return days
    return ""


def clean_reason(text: str) -> str:
    """Clean a reason: one line, without invisible or direction-changing characters."""
    why = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    if not why:
        raise Refused(sentence("admin.no_reason"))
    if len(why) > limits.REASON_CHARACTERS:
        raise Refused(sentence("admin.reason_too_long", most=limits.REASON_CHARACTERS, count=len(why)))
    return why


def decree(
    server: Server, operator: str, game_id: int, number: str, wish: DecreeRequest, now: datetime
) -> None:
    """Enter a game's next decree; Refused for a used number, against double clicks."""
    with server.store.writing() as connection:
        due = next_number(connection, game_id)
        is_new = number == str(due) and insert_if_new(
            connection,
            DecisionRow,
            game_id=game_id,
            number=due,
            operator=operator,
            deed=wish.deed,
            detail=wish.detail,
            reason=wish.reason,
            made_at=now,
        )
    if not is_new:
        raise Refused(sentence("admin.stale"))


def next_number(connection: Connection, game_id: int) -> int:
    newest = select(func.max(DecisionRow.number)).where(DecisionRow.game_id == game_id)
    return (connection.execute(newest).scalar_one() or 0) + 1


def list_public_decrees(connection: Connection, game_id: int) -> tuple[PublicDecree, ...]:
    """List the decrees carried out in a game, the oldest first."""
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
    """List all decrees of a game, the newest first."""
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
