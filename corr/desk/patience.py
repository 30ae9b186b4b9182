"""How often a seat is answered: no two programs write to each other for ever, and no stranger fills a mailbox."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, Select, bindparam, select

from corr.store.tables import InboxRow, OutboxRow

#: In a day, to letters that act on nothing.
_MOST = 20
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
#: How letters were read that act on nothing: they may be answered so often in a day, all together.
_ODD: dict[str, tuple[tuple[str, ...], int]] = {
    each: (alike, most)
    for alike, most in (
        (("nothing", "puzzled", "trouble", "two_seats", "other_words", "lost", "failed"), _MOST),
        (("void",), 5),
        (("forged",), 1),
        (("unvouched", "found"), 1),
    )
    for each in alike
}

_IS_ANSWER = (OutboxRow.seat_id == bindparam("seat")) & (OutboxRow.kind == "answer")
_ANSWERS = (
    select(OutboxRow.made_at).where(_IS_ANSWER).order_by(OutboxRow.number.desc()).limit(bindparam("most"))
)
_ANSWERS_READ_AS = (
    select(OutboxRow.made_at)
    .join(InboxRow, InboxRow.id == OutboxRow.inbox_id)
    .where(_IS_ANSWER, InboxRow.reading.in_(bindparam("readings", expanding=True)))
    .order_by(OutboxRow.number.desc())
    .limit(bindparam("most"))
)


def last_of(connection: Connection, seat_id: int, reading: str, an_hour: int, now: datetime) -> str | None:
    """Of which span an answer is the last, nothing where more may come; None where there is none any more.

    What is told of a few times a day is told also where the hour's answers are used up: that an address is void, too.
    """
    alike, most = _ODD.get(reading, ((), _MOST))
    left: dict[str, int] = {}
    if alike:
        asked = {"seat": seat_id, "readings": alike, "most": most}
        left["day"] = most - _since(connection, _ANSWERS_READ_AS, asked, now - _DAY)
    if most == _MOST:
        left["hour"] = an_hour - _since(connection, _ANSWERS, {"seat": seat_id, "most": an_hour}, now - _HOUR)
    if min(left.values()) <= 0:
        return None
    return next((span for span in ("day", "hour") if left.get(span) == 1), "")


def _since(
    connection: Connection, answers: Select[datetime], asked: dict[str, object], moment: datetime
) -> int:
    return sum(made_at > moment for made_at in connection.execute(answers, asked).scalars())
