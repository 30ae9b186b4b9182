"""Reads each email or page order about a game once and carries it out (time to confirm: `corr/limits.py`)."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import datetime

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.exc import OperationalError

from corr import limits
from corr.game.order_obstacles import OrderBatch
from corr.mail.inward.automatic_mail import BOUNCE
from corr.mail.inward.incoming_email import parse_email
from corr.orders.authority import Authority, Evidence, decide_authority
from corr.service.games import acknowledgements, standing_orders, turns, tutorials
from corr.service.games.game_session import GameSession, open_session
from corr.service.games.page_orders import AnswerItem
from corr.service.games.seats import Seat
from corr.service.mail import answer_limits, bounces, forwarding, sender_checks, unreadable_emails
from corr.service.mail.delivery import OutgoingEmail
from corr.service.mail.email_contents import (
    EMPTY_READING,
    SEAT_MESSAGE_COLUMNS,
    OpenedMessage,
    SeatMessage,
    open_messages,
)
from corr.service.mail.inbox_queue import Intake
from corr.service.players import times
from corr.service.server import Server
from corr.store.rows import one_or_none_of
from corr.store.tables import EmailWordsRow, InboxRow, Moment, OutboxRow

#: The reading of an email that waits to be confirmed.
WAITING_READING = "to be confirmed"

_IS_QUESTION = (OutboxRow.seat_id == bindparam("seat")) & (OutboxRow.kind == "doubted")
_HELD_EMAIL_QUERY = (
    select(*SEAT_MESSAGE_COLUMNS)
    .join(OutboxRow, OutboxRow.inbox_id == InboxRow.id)
    .where(_IS_QUESTION, OutboxRow.number == bindparam("asked_by"))
    .where(InboxRow.reading == WAITING_READING, InboxRow.received_at > bindparam("since", type_=Moment))
)


def load_held_email(connection: Connection, seat: Seat, asked_by: int, now: datetime) -> SeatMessage | None:
    """Return the unconfirmed email that our question `asked_by` is about; None if too old."""
    asked = {"seat": seat.id, "asked_by": asked_by, "since": now - limits.CONFIRMATION_LIFE}
    return one_or_none_of(SeatMessage, connection.execute(_HELD_EMAIL_QUERY, asked))


def ask_player(session: GameSession, opened: OpenedMessage, why: str) -> None:
    """Email a player, with a reply address of its own, to ask whether they wrote this message."""
    session.write(
        opened.seat.side,
        "doubted",
        opened.id,
        why=why,
        sender=opened.letter.sender if opened.letter else "",
        orders=[str(order) for order in opened.reading.orders],
        came=times.word_moment(opened.received_at, opened.seat.zone),
        days=limits.CONFIRMATION_LIFE.days,
        most=limits.CONFIRMATIONS_A_DAY,
    )


log = logging.getLogger(__name__)

# The notes of orders that were judged. Only such orders are stored to recognise an email that repeats them.
_JUDGED_NOTES = ("moved", "refused", "nonsense", "told", "exhausted", "unasked", "over")

#: Claims outgoing emails in the transaction that reads an incoming one.
ClaimEmails = Callable[[Connection], Sequence[OutgoingEmail]]


def read_some(server: Server, now: datetime, most: int = 20) -> int:
    """Read waiting emails exactly once and do what they say; return how many were claimed."""
    return read_and_claim(server, now, most, lambda _: ())[0]


def read_and_claim(
    server: Server, now: datetime, most: int, take: ClaimEmails
) -> tuple[int, Sequence[OutgoingEmail]]:
    """Read waiting emails, and claim outgoing ones in the last transaction; return count and claims."""
    rows = INTAKE.claim(server, now, most)
    taken: Sequence[OutgoingEmail] = ()
    if readable := INTAKE.readable(server, rows, now):
        all_opened = _open_messages(server, readable, now)
        for number, (row, opened) in enumerate(all_opened, 1):
            is_last = number == len(all_opened)
            taken = _handle_message(server, row, opened, now, take if is_last else lambda _: ())
    return len(rows), taken


def _open_messages(
    server: Server, rows: Sequence[SeatMessage], now: datetime
) -> list[tuple[SeatMessage, OpenedMessage]]:
    """Open emails and read what they say; if that fails, read each one by itself."""
    try:
        letters = [None if row.page else parse_email(row.raw) for row in rows]
        with server.store.reading() as connection:
            return list(zip(rows, open_messages(connection, server, rows, letters, now), strict=True))
    except OperationalError:
        raise
    except Exception as error:  # noqa: BLE001  # whatever it is, it holds up no other letter
        if len(rows) > 1:
            return [each for row in rows for each in _open_messages(server, [row], now)]
        INTAKE.fail(server, rows[0], error, now)
        return []


def _handle_message(
    server: Server, row: SeatMessage, opened: OpenedMessage, now: datetime, take: ClaimEmails
) -> Sequence[OutgoingEmail]:
    """Apply an email; return the outgoing emails claimed in its transaction, if it commits."""

    def settle(connection: Connection) -> Sequence[OutgoingEmail]:
        _apply_message(connection, server, opened, now)
        return take(connection)

    taken = INTAKE.act(server, row, now, settle)
    if taken is None:
        return ()
    if opened.automatic == BOUNCE:
        bounces.log_bounce(INTAKE.named(row))
    else:
        log.info("read an email", extra=INTAKE.named(row))
    return taken


def _apply_message(connection: Connection, server: Server, opened: OpenedMessage, now: datetime) -> None:
    """Apply an email, answer it and mark it read, all or nothing."""
    session = open_session(connection, opened.seat.game_id, now, opened.received_at)
    if opened.automatic:
        _mark(session, opened, f"automatic: {opened.automatic}")
        if opened.came_back:
            bounces.record_bounce(session, opened.seat, *opened.came_back)
        if opened.came_back or not session.state.under_way:
            session.close()
        return
    if opened.unsure:
        _hold_message(session, opened, opened.unsure)
    elif waiting := _load_confirmed(session, server, opened):
        _mark(session, opened, "confirms")
        _answer_message(session, waiting)
    else:
        _answer_message(session, opened)
    standing_orders.play_given_orders(session)
    session.close()


def _answer_message(session: GameSession, opened: OpenedMessage) -> None:
    """Carry out a message, or repeat the answer if it only repeats the last."""
    if opened.doubt or opened.reading.puzzled or not _repeat_answer(session, opened):
        _answer(session, opened)


def _hold_message(session: GameSession, opened: OpenedMessage, evidence: Evidence) -> None:
    """Hold an email until its player confirms it, or answer that it is refused."""
    may_ask = answer_limits.can_ask(session.connection, opened.seat.id, evidence, session.now)
    if may_ask and decide_authority(evidence, opened.reading.orders) is Authority.ASKS:
        _mark(session, opened, WAITING_READING)
        ask_player(session, opened, evidence)
    else:
        _answer(session, replace(opened, doubt=evidence, reading=EMPTY_READING))


def _load_confirmed(session: GameSession, server: Server, opened: OpenedMessage) -> OpenedMessage | None:
    """Return the held email that this one confirms, if any; the answer replies to this one."""
    if not (opened.letter and opened.asked_by and opened.reading.orders == sender_checks.CONFIRM):
        return None
    row = load_held_email(session.connection, opened.seat, opened.asked_by, session.now)
    if row is None:
        return None
    letter = replace(parse_email(row.raw), message_id=opened.letter.message_id)
    (kept,) = open_messages(session.connection, server, [row], [letter], session.now)
    return replace(kept, confirmed_at=opened.received_at)


def _answer(session: GameSession, opened: OpenedMessage) -> None:
    """Carry out a message's orders, unless it is doubtful or unclear, and answer it."""
    words: dict[str, object] = {"ignored": list(opened.reading.ignored)}
    items: list[AnswerItem] = []
    if opened.doubt:
        words["doubt"] = opened.doubt
        if opened.letter:
            words |= {"why": opened.letter.trouble or "", "sender": opened.letter.sender}
    elif opened.reading.puzzled:
        words["puzzled"] = asdict(opened.reading.puzzled)
    else:
        batch = OrderBatch(
            side=opened.seat.side,
            orders=opened.reading.orders,
            slip=opened.slip,
            ply=opened.ply,
            received_at=opened.received_at,
            inbox_id=opened.id,
            confirms=opened.confirms,
            page=opened.letter is None,
            told=opened.told,
            confirmed_at=opened.confirmed_at,
            agreed=opened.reading.agreed,
        )
        items = turns.carry_out_orders(session, batch)
        _forward_to_site(session, opened, items)
        if taught := tutorials.teach(session, items):
            words["taught"] = taught
    judged = any(item.note in _JUDGED_NOTES for item in items if item.said)
    words["items"] = [asdict(item) for item in items]
    if opened.reading.agreed:
        words["agreed"] = True
    if session.state.under_way and any(item.note == "said" and item.order == "resign" for item in items):
        words["asks_to_confirm"] = True
    reading = opened.doubt or ("read" if opened.reading.orders else "nothing")
    if opened.reading.puzzled and not opened.doubt:
        reading = "puzzled"
    _reply(session, opened, words, reading, _format_orders(opened) if judged else None)


def _forward_to_site(session: GameSession, opened: OpenedMessage, items: Sequence[AnswerItem]) -> None:
    """Pass a game email's orders that are for the site on to the site."""
    kept = {str(order): order for order in opened.reading.orders}
    orders = [kept[item.order] for item in items if item.note == "for_the_site" and item.order in kept]
    if orders and opened.letter:
        player = opened.seat.player_id
        forwarding.forward_to_site(session.connection, player, opened.id, orders, opened.received_at)


def _reply(
    session: GameSession,
    opened: OpenedMessage,
    words: dict[str, object],
    reading: str,
    orders: str | None = None,
) -> None:
    """Answer by email or on the page, as the message came, and mark it as read."""
    side = opened.seat.side
    if opened.letter is None:
        session.answer_on_page(side)
        _mark(session, opened, reading, orders, answer_limits.make_stored_answer(session, side, words))
        return
    last = answer_limits.find_last_span(
        session.connection, opened.seat.id, reading, opened.answers_left, session.now
    )
    if last is None or _is_unwanted(session, opened, words):
        session.leave_unanswered(side)
        _mark(session, opened, reading, orders, answer_limits.make_stored_answer(session, side, words))
    else:
        _mark(session, opened, reading, orders)
        session.write(side, "answer", opened.id, to=opened.letter.message_id, last=last, **words)


def _is_unwanted(session: GameSession, opened: OpenedMessage, words: dict[str, object]) -> bool:
    """Whether a player doesn't want this answer: it says no more than that a move was made as ordered."""
    # A player who has confirmed an email wants to know what became of it.
    is_expected = session.state.under_way and not opened.confirmed_at and acknowledgements.is_expected(words)
    return is_expected and not session.seat_states[opened.seat.side].wants_answers


def _format_orders(opened: OpenedMessage) -> str:
    return "; ".join(map(str, opened.reading.orders))


_ANSWER_QUERY = (
    select(EmailWordsRow.words)
    .join(OutboxRow, OutboxRow.id == EmailWordsRow.letter_id)
    .where(OutboxRow.seat_id == bindparam("seat"), OutboxRow.inbox_id == bindparam("letter"))
    .order_by(OutboxRow.number.desc())
    .limit(1)
)


def _repeat_answer(session: GameSession, opened: OpenedMessage) -> bool:
    """If an email repeats the turn's last one, repeat its answer; return whether it did.

    A mail client may send a reply twice, under different Message-IDs. A player who has seen the first answer, or has
    written something else since, means the text anew: an illegal move may be legal by now, and a legal one may be
    meant for the next turn.
    """
    known = opened.context
    is_same_moment = (opened.slip, opened.step) == (known.last_slip, known.last_step)
    if known.last is None or known.last_orders != _format_orders(opened) or not is_same_moment:
        return False
    its_letter = {"seat": opened.seat.id, "letter": known.last}
    answer = known.last_answer or session.connection.execute(_ANSWER_QUERY, its_letter).scalar_one_or_none()
    if answer is None:
        return False
    told = {key: value for key, value in json.loads(answer).items() if key in ("items", "ignored", "agreed")}
    _reply(session, opened, {"again": True, **told}, "again")
    return True


def _mark(
    session: GameSession,
    opened: OpenedMessage,
    reading: str,
    orders: str | None = None,
    answer: str | None = None,
) -> None:
    """Record how a message was read, and again for a held one when it is confirmed."""
    note = INTAKE.amend if opened.confirmed_at else INTAKE.mark
    note(
        session.connection,
        opened.id,
        read_at=session.now,
        reading=reading,
        step=opened.step,
        ply=opened.ply,
        orders=orders,
        answer=answer,
    )


#: Emails and page orders of seats that wait to be read.
INTAKE = Intake(InboxRow, InboxRow.seat_id, SeatMessage, SEAT_MESSAGE_COLUMNS, unreadable_emails.tell_seat)
