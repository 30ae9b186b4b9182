"""Enters an admin's decrees about a game with their reasons; a worker carries them out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Connection, NotNullable, func, select

from corr import limits
from corr.messages import sentence
from corr.service.house import House
from corr.service.players.time_format import in_utc
from corr.store.locks import insert_once
from corr.store.rows import rows_of
from corr.store.tables import Decree, OrderRow, SeatRow
from corr.words.errors import Refused
from corr.words.slips import Verdict

#: The ways in which an admin may end a game.
ENDS = ("white", "black", "draw", "void")


class Deed(StrEnum):
    """The kinds of decrees."""

    PAUSE = "pause"
    RESUME = "resume"
    EXTEND = "extend"
    ADJUDICATE = "adjudicate"
    ANNUL = "annul"


@dataclass(frozen=True, slots=True)
class Wish:
    """A wanted decree: its kind, its detail (days or outcome) and its reason."""

    deed: Deed
    detail: str
    reason: str


class Decreed(NamedTuple):
    """A decree that was carried out, as the players read it."""

    date: datetime
    sentence: str
    reason: str
    ply: int  # the move count by then


@dataclass(frozen=True, slots=True)
class Entered:
    """A decree as admins read it; its result is empty while it waits."""

    number: int
    operator: str
    deed: str
    detail: str
    reason: str
    when: str
    result: str
    said: str


def wish(deed: Deed, days: str, end: str, why: str) -> Wish:
    """Check the form of a decree; Refused where something is missing."""
    return Wish(deed, _detail(deed, days.strip(), end), reason(why))


def _detail(deed: Deed, days: str, end: str) -> str:
    if deed is Deed.ADJUDICATE:
        if end not in ENDS:
            raise Refused(sentence("admin.no_end"))
        return end
    if deed is Deed.EXTEND:
        if days not in map(str, range(1, limits.DECREE_DAYS + 1)):
            raise Refused(sentence("admin.no_days", most=limits.DECREE_DAYS))
        return days
    return ""


def reason(text: str) -> str:
    """Clean a reason: one line, without invisible or direction-changing characters."""
    why = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    if not why:
        raise Refused(sentence("admin.no_reason"))
    if len(why) > limits.REASON_CHARACTERS:
        raise Refused(sentence("admin.reason_too_long", most=limits.REASON_CHARACTERS, count=len(why)))
    return why


def decree(house: House, operator: str, game_id: int, number: str, wish: Wish, now: datetime) -> None:
    """Enter a game's next decree; Refused for a used number, against double clicks."""
    with house.store.writing() as connection:
        due = next_number(connection, game_id)
        is_new = number == str(due) and insert_once(
            connection,
            Decree,
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
    """Return the number of a game's next decree."""
    newest = select(func.max(Decree.number)).where(Decree.game_id == game_id)
    return (connection.execute(newest).scalar_one() or 0) + 1


def of_game(connection: Connection, game_id: int) -> tuple[Decreed, ...]:
    """List the decrees carried out in a game, the oldest first."""
    done = _DONE.where(Decree.game_id == game_id, Decree.said.is_not(None)).order_by(Decree.number)
    return tuple(rows_of(Decreed, connection.execute(done)))


_MADE = (
    select(func.coalesce(func.max(OrderRow.ply) + 1, 0))
    .join_from(OrderRow, SeatRow)
    .where(
        SeatRow.game_id == Decree.game_id,
        OrderRow.verdict == Verdict.MOVED,
        OrderRow.ply >= 0,
        OrderRow.at <= Decree.done_at,
    )
    .correlate(Decree)
    .scalar_subquery()
)
_DONE = select(
    NotNullable(Decree.done_at.label("date")),
    NotNullable(Decree.said.label("sentence")),
    Decree.reason,
    _MADE.label("ply"),
)


def entered(connection: Connection, game_id: int) -> tuple[Entered, ...]:
    """List all decrees of a game, the newest first."""
    theirs = _KEPT.where(Decree.game_id == game_id).order_by(Decree.number.desc())
    return tuple(
        Entered(
            kept.number,
            kept.operator,
            kept.deed,
            kept.detail,
            kept.reason,
            in_utc(kept.made_at),
            kept.result or "",
            kept.said or "",
        )
        for kept in rows_of(_KeptDecree, connection.execute(theirs))
    )


class _KeptDecree(NamedTuple):
    number: int
    operator: str
    deed: str
    detail: str
    reason: str
    made_at: datetime
    result: str | None
    said: str | None


_KEPT = select(
    Decree.number,
    Decree.operator,
    Decree.deed,
    Decree.detail,
    Decree.reason,
    Decree.made_at,
    Decree.result,
    Decree.said,
)
