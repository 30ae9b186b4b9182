"""Tells a sender that their email could not be read, by our fault, and was set aside.

The texts are "failed" in `templates/en/parts/answers.txt` and in `[mail]` of `templates/en/sentences.toml`. An email
that nobody could read, such as an encrypted one, is answered by the readers instead: with "trouble" from the same
file, and the reason from `[mail]`.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select, update

from corr import limits
from corr.mail.inward.authentication import dmarc_verdict
from corr.mail.inward.letter import is_automatic
from corr.service.games.game_session import open_session
from corr.service.games.seats import StoredSeat, select_seats
from corr.service.mail import answer_limits, clock_resets
from corr.service.mail.email_contents import SeatMessage
from corr.service.mail.forwarding import ListedGames
from corr.service.mail.site_inbox import SiteMessage
from corr.service.players import mailboxes
from corr.service.server import Server
from corr.store.rows import pairs_of
from corr.store.tables import InboxRow, SeatRow, SiteOutboxRow
from corr.text.messages import sentence


def tell_seat(connection: Connection, server: Server, row: SeatMessage, now: datetime) -> None:
    """Tell the sender, and restart their clock on their turn, once per game.

    The opponent sees that the clock restarts, and must not learn of every email, hence only once. Orders for a later
    turn are dropped, because the email may have taken them back.
    """
    if row.bounce or (not row.page and is_automatic(row.raw)):
        return
    an_hour = server.answers_an_hour
    asked = {"seat": row.seat_id, **answer_limits.answer_count_parameters(an_hour, now)}
    ((kept, writer),) = pairs_of(StoredSeat, _AnswerCountRow, connection.execute(_SENDER_QUERY, asked))
    seat = kept.seat
    session = open_session(connection, seat.game_id, now)
    if clock_resets.restart_clock(session, seat.side):
        connection.execute(_AMEND, {"this": row.id, "ply": session.state.ply})
    words: dict[str, object] = {"ignored": [], "items": [], "doubt": "failed"}
    words |= session.drop_standing_orders(seat.side)
    if row.page:
        session.answer_on_page(seat.side)
        answer = answer_limits.make_stored_answer(session, seat.side, words)
        connection.execute(_AMEND, {"this": row.id, "answer": answer})
    elif (
        last := answer_limits.find_last_span(connection, seat.id, "failed", an_hour - writer.answered, now)
    ) is not None:
        session.write(seat.side, "answer", row.id, to="", last=last, **words)
    session.close()


class _AnswerCountRow(NamedTuple):
    answered: int


_AMEND = update(InboxRow).where(InboxRow.id == bindparam("this"))
_SENDER_QUERY = select_seats(answer_limits.select_answer_count(SeatRow.id).label("answered")).where(
    SeatRow.id == bindparam("seat")
)


def tell_mailbox(connection: Connection, server: Server, row: SiteMessage, now: datetime) -> None:
    """Tell the sender, within their answer limit; a doubtful sender only once a day.

    In listed games that the email may concern, their clock restarts if it is their turn, and their orders for a later
    turn are dropped, because the email may have taken them back.
    """
    if row.bounce or is_automatic(row.raw):
        return
    is_doubtful = not (row.letter or row.vouched) or dmarc_verdict(row.raw, server.authserv_id) == "fail"
    most = limits.SITE_DOUBTFUL_FAULTS_A_DAY if is_doubtful else limits.SITE_ANSWERS_A_DAY
    listed: ListedGames = {} if is_doubtful else _load_answered(connection, row).get("listed", {})
    settled = clock_resets.reset_listed_games(connection, listed, row.message_key, row.received_at, now)
    why = sentence("mail.failed_anew") if settled.anew else sentence("mail.failed")
    if settled.taken_back:
        why = f"{why} {sentence('mail.taken_back')}"
    who = mailboxes.load_correspondent(connection, row.correspondent_id)
    if who.address and answer_limits.count_site_answers(connection, row, ("failed",), now) <= most:
        words: dict[str, object] = {"items": [], "puzzled": None, "ignored": [], "challenge": None}
        mailboxes.write(connection, who, "site", now, answers="", trouble=why, **words)


def _load_answered(connection: Connection, row: SiteMessage) -> dict[str, Any]:
    """Return the words of our email that this one answers; none if it answers none."""
    asked = {"correspondent": row.correspondent_id, "letter": row.letter}
    words: dict[str, Any] = json.loads(connection.execute(_WORDS, asked).scalar_one_or_none() or "{}")
    return words


_WORDS = select(SiteOutboxRow.words).where(
    SiteOutboxRow.correspondent_id == bindparam("correspondent"), SiteOutboxRow.number == bindparam("letter")
)
