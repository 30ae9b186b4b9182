"""Tells a sender that their email could not be read, by our fault, and was set aside.

The texts are "failed" in `templates/en/parts/answers.txt` and in `[mail]` of `templates/en/messages.toml`. An email
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
from corr.mail.inward.incoming_email import is_automatic
from corr.service.games.game_session import GameSession, open_session
from corr.service.games.seats import StoredSeat, select_seats
from corr.service.mail import answer_limits, inbox
from corr.service.mail.arrivals import Arrival
from corr.service.mail.email_contents import SeatMessage
from corr.service.mail.forwarding import ListedGames, write_email
from corr.service.mail.site_inbox import SiteMessage
from corr.service.players import mailboxes
from corr.service.server import Server
from corr.store.rows import pairs_of, rows_of
from corr.store.tables import InboxRow, SeatRow, SiteOutboxRow
from corr.text.messages import sentence
from corr.words.board import Side


class _ListedSeat(NamedTuple):
    id: int
    game_id: int
    side: str
    code: str


_EARLIER_RESET_QUERY = (
    select(InboxRow.id)
    .where(InboxRow.seat_id == bindparam("seat"), InboxRow.reading == "failed", InboxRow.ply.is_not(None))
    .limit(1)
)
# In one order for all, so that no two transactions wait for each other.
_LISTED_SEATS_QUERY = (
    select(SeatRow.id, SeatRow.game_id, SeatRow.side, SeatRow.code)
    .where(SeatRow.code.in_(bindparam("seats", expanding=True)))
    .order_by(SeatRow.game_id)
)


def restart_clock(session: GameSession, side: Side) -> bool:
    """Restart the clock of a side to move, once a game; False if it isn't restarted.

    The email must then be marked with the move for which it restarted the clock.
    """
    seat = {"seat": session.seat_states[side].id}
    if (
        side not in session.state.awaited
        or session.connection.execute(_EARLIER_RESET_QUERY, seat).scalar_one_or_none()
    ):
        return False
    session.state = session.state.begin_anew(side, session.now)
    return True


class ResetResult(NamedTuple):
    """What an unreadable email to the site changed in the games that it may concern."""

    anew: bool  # its sender's clock restarted in some game
    taken_back: bool  # its sender's orders for a later turn were dropped in some game


def reset_listed_games(
    connection: Connection, listed: ListedGames, key: str, received_at: datetime, now: datetime
) -> ResetResult:
    """Restart clocks and drop later orders in all games that an unreadable email may concern."""
    if not listed:
        return ResetResult(anew=False, taken_back=False)
    slips = {place["seat"]: place["slip"] for place in listed.values()}
    found = rows_of(_ListedSeat, connection.execute(_LISTED_SEATS_QUERY, {"seats": list(slips)}))
    settled = [_reset_game(connection, each, slips[each.code], key, received_at, now) for each in found]
    return ResetResult(any(each.anew for each in settled), any(each.taken_back for each in settled))


def _reset_game(
    connection: Connection, seat: _ListedSeat, slip: int, key: str, received_at: datetime, now: datetime
) -> ResetResult:
    """Restart the clock and drop orders for later turns, as an email was unreadable."""
    session = open_session(connection, seat.game_id, now)
    side = Side(seat.side)
    settled = ResetResult(restart_clock(session, side), bool(session.drop_standing_orders(side)))
    if settled.anew:
        aside = {"read_at": now, "ply": session.state.ply}
        arrival = Arrival(write_email("", ()), (), received_at)
        inbox.store_unreadable_part(connection, seat.id, slip, key, arrival, **aside)
    if any(settled):
        session.close()
    return settled


def tell_seat(connection: Connection, server: Server, row: SeatMessage, now: datetime) -> None:
    """Answer an unreadable email to a game; restart its sender's clock, once a game.

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
    amended: dict[str, object] = {"ply": session.state.ply} if restart_clock(session, seat.side) else {}
    words: dict[str, object] = {"ignored": [], "items": [], "doubt": "failed"}
    words |= session.drop_standing_orders(seat.side)
    if row.page:
        session.answer_on_page(seat.side)
        amended["answer"] = answer_limits.make_stored_answer(session, seat.side, words)
    elif (
        last := answer_limits.find_last_span(connection, seat.id, "failed", an_hour - writer.answered, now)
    ) is not None:
        session.write(seat.side, "answer", row.id, to="", last=last, **words)
    if amended:
        connection.execute(_AMEND, {"this": row.id} | amended)
    session.close()


class _AnswerCountRow(NamedTuple):
    answered: int


_AMEND = update(InboxRow).where(InboxRow.id == bindparam("this"))
_SENDER_QUERY = select_seats(answer_limits.select_answer_count(SeatRow.id).label("answered")).where(
    SeatRow.id == bindparam("seat")
)


def tell_mailbox(connection: Connection, server: Server, row: SiteMessage, now: datetime) -> None:
    """Answer an unreadable email to the site, a doubtful sender only once a day.

    In listed games that the email may concern, their clock restarts if it is their turn, and their orders for a later
    turn are dropped, because the email may have taken them back.
    """
    if row.bounce or is_automatic(row.raw):
        return
    is_doubtful = not (row.letter or row.vouched) or dmarc_verdict(row.raw, server.authserv_id) == "fail"
    most = limits.SITE_DOUBTFUL_FAULTS_A_DAY if is_doubtful else limits.SITE_ANSWERS_A_DAY
    listed: ListedGames = {} if is_doubtful else _load_answered(connection, row).get("listed", {})
    settled = reset_listed_games(connection, listed, row.message_key, row.received_at, now)
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
