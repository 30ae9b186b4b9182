"""Limits how often emails are answered (numbers: `corr/limits.py`), against mail loops and floods from strangers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, ScalarSelect, bindparam, func, select
from sqlalchemy.orm import InstrumentedAttribute

from corr import limits
from corr.service.games.game_session import GameSession
from corr.service.lobby.site_commands import SiteOrders
from corr.service.mail.site_inbox import SiteMessage
from corr.store.rows import rows_of
from corr.store.tables import EmailWordsRow, InboxRow, OutboxRow, SiteInboxRow
from corr.words.board import Side

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
#: For each way to read an email that does nothing: the ways that share its daily limit on answers, and the limit.
_READING_LIMITS: dict[str, tuple[tuple[str, ...], int]] = {
    each: (alike, most)
    for alike, most in (
        (
            ("nothing", "puzzled", "trouble", "two_seats", "other_words", "lost", "failed"),
            limits.NO_EFFECT_ANSWERS_A_DAY,
        ),
        (("void",), limits.OLD_ADDRESS_ANSWERS_A_DAY),
        (("forged",), limits.FORGED_ANSWERS_A_DAY),
        (("unvouched", "found"), limits.FORGED_ANSWERS_A_DAY),
    )
    for each in alike
}

_IS_ANSWER = (OutboxRow.seat_id == bindparam("seat")) & (OutboxRow.kind == "answer")
_ANSWERS_QUERY = (
    select(OutboxRow.made_at)
    .join(InboxRow, InboxRow.id == OutboxRow.inbox_id)
    .where(_IS_ANSWER, InboxRow.reading.in_(bindparam("readings", expanding=True)))
    .order_by(OutboxRow.number.desc())
    .limit(bindparam("most"))
)
_QUESTIONS_QUERY = (
    select(OutboxRow.made_at, EmailWordsRow.words)
    .join(EmailWordsRow, EmailWordsRow.letter_id == OutboxRow.id)
    .where(OutboxRow.seat_id == bindparam("seat"), OutboxRow.kind == "doubted")
    .order_by(OutboxRow.number.desc())
    .limit(limits.CONFIRMATIONS_A_DAY + limits.FORGED_ANSWERS_A_DAY)
)


def select_answer_count(seat: InstrumentedAttribute[int]) -> ScalarSelect[int]:
    """Build a subquery that counts a seat's answers of the last hour, bound by `answer_count_parameters`."""
    answers = (
        select(OutboxRow.made_at)
        .where(OutboxRow.seat_id == seat, OutboxRow.kind == "answer")
        .order_by(OutboxRow.number.desc())
        .limit(bindparam("an_hour"))
        .correlate(seat.parent)
        .subquery()
    )
    since = answers.c.made_at > bindparam("lately")
    return select(func.count()).select_from(answers).where(since).scalar_subquery()


def answer_count_parameters(an_hour: int, now: datetime) -> dict[str, object]:
    """Return the bind parameters of `select_answer_count`."""
    return {"an_hour": an_hour, "lately": now - _HOUR}


def find_last_span(
    connection: Connection, seat_id: int, reading: str, this_hour: int, now: datetime
) -> str | None:
    """Return None if no answer is allowed, "day" or "hour" if it is the last, else "".

    `this_hour` answers are left this hour. An email that was read in a way with a daily limit of its own, such as one
    to an old address, needs none of them.
    """
    alike, most = _READING_LIMITS.get(reading, ((), limits.NO_EFFECT_ANSWERS_A_DAY))
    left: dict[str, int] = {}
    if alike:
        asked = {"seat": seat_id, "readings": alike, "most": most}
        answers = connection.execute(_ANSWERS_QUERY, asked).scalars()
        left["day"] = most - sum(made_at > now - _DAY for made_at in answers)
    if reading == "forged":
        left["day"] -= _list_reasons(connection, seat_id, now).count(reading)
    if most == limits.NO_EFFECT_ANSWERS_A_DAY:
        left["hour"] = this_hour
    if min(left.values()) <= 0:
        return None
    return next((span for span in ("day", "hour") if left.get(span) == 1), "")


def can_ask(connection: Connection, seat_id: int, why: str, now: datetime) -> bool:
    """Whether a player may be asked to confirm one more email today; ones from other addresses count apart."""
    if why == "forged":
        return find_last_span(connection, seat_id, why, 0, now) is not None
    others = [each for each in _list_reasons(connection, seat_id, now) if each != "forged"]
    return len(others) < limits.CONFIRMATIONS_A_DAY


def _list_reasons(connection: Connection, seat_id: int, now: datetime) -> list[str]:
    """Return why a player was asked to confirm emails in the last day, newest first."""
    asked = rows_of(_QuestionRow, connection.execute(_QUESTIONS_QUERY, {"seat": seat_id}))
    return [json.loads(each.words).get("why", "") for each in asked if each.made_at > now - _DAY]


class _QuestionRow(NamedTuple):
    made_at: datetime
    words: str


def make_stored_answer(session: GameSession, side: Side, words: dict[str, object]) -> str:
    """Return an answer as JSON, for the game's page to show until the next news."""
    return json.dumps({"slip": session.seat_states[side].slips, **words}, ensure_ascii=False)


# ---------------------------------------------------------------- emails to the site


def site_limit(row: SiteMessage, *, is_certain: bool) -> int:
    """Return the daily limit on answers to emails to the site like this one."""
    if not is_certain:
        return limits.SITE_DOUBTFUL_ANSWERS_A_DAY
    return limits.SITE_REPLIES_A_DAY if row.letter else limits.SITE_ANSWERS_A_DAY


def site_warning(batch: SiteOrders) -> str:
    """Return the template's key for the last answer of a day: it says what the sender's next emails will do."""
    if not batch.is_certain:
        return "doubtful"
    return "certain" if batch.who.is_confirmed else "unconfirmed"


def count_site_answers(
    connection: Connection, row: SiteMessage, readings: Sequence[str], now: datetime
) -> int:
    """Count a sender's emails of the last day with such readings, replies and others separately.

    So emails that others send in a player's name do not use up the player's own replies.
    """
    is_reply = SiteInboxRow.letter != 0 if row.letter else SiteInboxRow.letter == 0
    lately = select(func.count()).where(
        SiteInboxRow.correspondent_id == row.correspondent_id,
        SiteInboxRow.read_at > now - _DAY,
        SiteInboxRow.reading.in_(readings),
        is_reply,
    )
    return connection.execute(lately).scalar_one()
