"""Parses emails and page orders: whose they are, what they say, and whether to trust them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection, Nullable, ScalarSelect, bindparam, func, select
from sqlalchemy.orm import InstrumentedAttribute, aliased

from corr import limits
from corr.mail.address import TokenKind, parse_token
from corr.mail.inward.automatic_mail import BOUNCE
from corr.mail.inward.incoming_email import (
    IncomingEmail,
    find_proposal,
    is_other_key,
    parse_orders,
    why_no_order,
)
from corr.orders import ParsedEmail, parse_lines, understand_lone_move
from corr.orders.authority import Evidence
from corr.service.games.seats import Seat, StoredSeat, select_seats
from corr.service.mail import answer_limits, bounces, forwarding, inbox, sender_checks
from corr.service.server import Server
from corr.store.rows import pairs_of, rows_of
from corr.store.tables import EmailWordsRow, InboxRow, OutboxRow, QuotableRow, SeatRow, SlipRow
from corr.store.texts import TEXT_COLUMNS

EMPTY_READING = parse_lines(())


class SeatMessage(NamedTuple):
    """A player's message about a game, by email or from its page, as stored."""

    id: int
    seat_id: int
    slip: int
    step: int | None
    bounce: bool
    message_key: str
    received_at: datetime
    tries: int
    page: bool
    raw: bytes
    recipients: str


#: The columns of a `SeatMessage`.
SEAT_MESSAGE_COLUMNS = (*(getattr(InboxRow, name) for name in SeatMessage._fields[:-2]), *TEXT_COLUMNS)


class SeatContext(NamedTuple):
    """The slip (umpire's message) that a message answers, and the seat's last orders this turn."""

    letter: int
    slip: int | None
    ply: int
    told: int | None
    last: int | None
    last_slip: int | None
    last_step: int | None
    last_orders: str | None
    last_answer: str | None
    answered: int


@dataclass(frozen=True, slots=True)
class OpenedMessage:
    """An opened email, or text from a page (`letter` is None), and what it says."""

    id: int
    seat: Seat
    slip: int
    step: int | None  # the step after that slip up to which its writer had read; None if unknown
    received_at: datetime
    letter: IncomingEmail | None
    reading: ParsedEmail
    ply: int
    context: SeatContext
    confirms: bool = False
    doubt: str | None = None
    automatic: str | None = None
    unsure: Evidence | None = None  # the evidence of who wrote it, if that is too weak for what it says
    asked_by: int = 0  # our email that asked for a confirmation, if this one went to its own address
    told: int | None = None  # how many moves its writer knew had been made, if known
    answers_left: int = 0  # how many more emails may be answered by email this hour
    confirmed_at: datetime | None = None  # when it was confirmed, if it was read before and waited
    came_back: bounces.BouncedEmail | None = None  # one of our emails that bounced


def _select_newest(column: InstrumentedAttribute[int]) -> ScalarSelect[int]:
    """Build a subquery for a column of the slip (umpire's message) that an email answers.

    If the database was restored from an older backup, that slip may be missing, and the newest before it counts.
    """
    return (
        select(column)
        .where(SlipRow.seat_id == InboxRow.seat_id, SlipRow.number <= InboxRow.slip)
        .order_by(SlipRow.number.desc(), SlipRow.step)
        .limit(1)
        .correlate(InboxRow)
        .scalar_subquery()
    )


_PLY = func.coalesce(_select_newest(SlipRow.ply), 0)


def _select_ply(row: type[InboxRow | OutboxRow]) -> ScalarSelect[int]:
    """Build a subquery for how many half-moves an email's last news covers, if any."""
    return (
        select(SlipRow.ply)
        .where(SlipRow.seat_id == row.seat_id, SlipRow.number == row.slip, SlipRow.step == row.step)
        .correlate(row)
        .scalar_subquery()
    )


_OTHER_MESSAGE, _LAST_MESSAGE = aliased(InboxRow), aliased(InboxRow)
_LAST_ID = (
    select(_OTHER_MESSAGE.id)
    .where(
        _OTHER_MESSAGE.seat_id == InboxRow.seat_id,
        _OTHER_MESSAGE.ply == _PLY,
        _OTHER_MESSAGE.orders.is_not(None),
    )
    .order_by(_OTHER_MESSAGE.id.desc())
    .limit(1)
    .correlate(InboxRow)
    .scalar_subquery()
)
_CONTEXTS_QUERY = (
    select_seats(
        InboxRow.id.label("letter"),
        _select_newest(SlipRow.number).label("slip"),
        _PLY.label("ply"),
        _select_ply(InboxRow).label("told"),
        _LAST_MESSAGE.id.label("last"),
        _LAST_MESSAGE.slip.label("last_slip"),
        _LAST_MESSAGE.step.label("last_step"),
        _LAST_MESSAGE.orders.label("last_orders"),
        _LAST_MESSAGE.answer.label("last_answer"),
        answer_limits.select_answer_count(SeatRow.id).label("answered"),
    )
    .join(InboxRow, InboxRow.seat_id == SeatRow.id)
    .outerjoin(_LAST_MESSAGE, _LAST_MESSAGE.id == _LAST_ID)
    .where(InboxRow.id.in_(bindparam("letters", expanding=True)))
)


def open_messages(
    connection: Connection,
    server: Server,
    rows: Sequence[SeatMessage],
    letters: Sequence[IncomingEmail | None],
    now: datetime,
) -> list[OpenedMessage]:
    """Parse stored messages, in the order of the rows, without acting on them."""
    asked = {
        "letters": [row.id for row in rows],
        **answer_limits.answer_count_parameters(server.answers_an_hour, now),
    }
    whose = pairs_of(StoredSeat, SeatContext, connection.execute(_CONTEXTS_QUERY, asked))
    found = {each.letter: (kept.seat, each) for kept, each in whose}
    return [
        _open(connection, server, row, letter, *found[row.id])
        for row, letter in zip(rows, letters, strict=True)
    ]


def _open(
    connection: Connection,
    server: Server,
    row: SeatMessage,
    letter: IncomingEmail | None,
    seat: Seat,
    context: SeatContext,
) -> OpenedMessage:
    """Parse a message, by email or from a page, without acting on it."""
    is_lost = context.slip is not None and context.slip != row.slip
    ply = 0 if is_lost else context.ply
    opened = OpenedMessage(
        id=row.id,
        seat=seat,
        slip=row.slip,
        step=row.step,
        received_at=row.received_at,
        letter=letter,
        reading=EMPTY_READING,
        ply=ply,
        context=context,
        doubt="lost" if is_lost else None,
        told=context.told,
        answers_left=server.answers_an_hour - context.answered if letter else 0,
    )
    if letter is None:  # a page, whose writer is signed in as the seat's player
        lines = () if is_lost else row.raw.decode().splitlines()
        return replace(opened, reading=understand_lone_move(parse_lines(lines, ply // 2 + 1), lines))
    return _open_email(connection, server, row, letter, opened)


def _open_email(
    connection: Connection, server: Server, row: SeatMessage, letter: IncomingEmail, opened: OpenedMessage
) -> OpenedMessage:
    """Parse an email; note who wrote it, and any doubt about trying its orders."""
    seat = opened.seat
    to = sender_checks.recipients(row.recipients, letter)
    came_back = None
    if row.bounce:
        ours = sender_checks.list_tokens(seat.signer, to, server.domain, (TokenKind.BOUNCE,))
        is_readers = partial(sender_checks.is_readers, connection, seat, letter)
        came_back = bounces.find_bounced(row.raw, letter, ours, is_readers)
    automatic = BOUNCE if came_back else bounces.find_automatic_reason(letter, came_back=row.bounce)
    doubt = None
    if not automatic:
        doubt = sender_checks.find_doubt(connection, server, seat, letter, to) or opened.doubt
        if is_other_key(row.message_key):
            doubt = doubt or "other_words"
    answers = _load_answered(connection, seat, letter, row.slip, server.domain)
    sent = "\n".join(answered.text for answered in answers if answered.text)
    named = next((answered for answered in answers if answered.answered), None)
    proposed = find_proposal(named.text or "") if named else ""
    reading = EMPTY_READING
    if not automatic:
        reading = parse_orders(letter, sent or None, opened.ply // 2 + 1, proposed)
    if inbox.is_part(row.message_key):
        reading = replace(reading, ignored=forwarding.list_ignored_lines(letter.lines))
    automatic = automatic or why_no_order(letter, reading)
    step, told = row.step, opened.told
    if step is None:  # the address that it was sent to tells neither
        step = named.step if named and named.slip == row.slip else None
        told = named.told if named else None
    if reading.agreed and named:  # whatever its address knows, it answers what that email told
        told = named.told
    reading = EMPTY_READING if doubt else reading
    asked_by = sender_checks.find_confirmation_request(seat, to, server.domain)
    unsure = None
    if not automatic:
        evidence = sender_checks.judge_sender(connection, server, seat, row.raw, letter, to)
        if not doubt or evidence is Evidence.ELSEWHERE:
            unsure = sender_checks.find_missing_proof(evidence, reading.orders, asked_by)
    return replace(
        opened,
        step=step,
        reading=reading,
        unsure=unsure,
        asked_by=asked_by,
        confirms=named is not None and "asks_to_confirm" in json.loads(named.words or "{}"),
        doubt=doubt,
        automatic=automatic,
        came_back=came_back,
        told=told,
    )


_IS_OURS = OutboxRow.seat_id == bindparam("seat")
_IS_NAMED = OutboxRow.number.in_(bindparam("named", expanding=True))
_IS_ANSWERED = OutboxRow.number == bindparam("first")
_ANSWERED_QUERY = (
    select(
        Nullable(QuotableRow.text),
        Nullable(EmailWordsRow.words),
        OutboxRow.slip,
        OutboxRow.step,
        _select_ply(OutboxRow).label("told"),
        _IS_ANSWERED.label("answered"),
    )
    .outerjoin_from(OutboxRow, QuotableRow, QuotableRow.letter_id == OutboxRow.id)
    .outerjoin(EmailWordsRow, EmailWordsRow.letter_id == OutboxRow.id)
    .where((_IS_OURS & _IS_NAMED) | (_IS_OURS & (OutboxRow.slip == bindparam("slip_"))))  # each has its index
    .order_by(_IS_ANSWERED.desc(), OutboxRow.number.desc())
    .limit(limits.REFERENCES_LOOKED_UP)
)


class _AnsweredRow(NamedTuple):
    text: str | None
    words: str | None
    slip: int
    step: int
    told: int | None  # None before the first slip
    answered: bool


def _load_answered(
    connection: Connection, seat: Seat, letter: IncomingEmail, slip: int, domain: str
) -> list[_AnsweredRow]:
    """Return our emails that a reply may quote, by its references or its slip."""
    named = [_number(seat, each, domain) for each in letter.references[: limits.REFERENCES_LOOKED_UP]]
    asked = {"seat": seat.id, "slip_": slip, "first": named[0] if named else 0, "named": named}
    return rows_of(_AnsweredRow, connection.execute(_ANSWERED_QUERY, asked))


def _number(seat: Seat, message_id: str, domain: str) -> int:
    """Return the number of the seat's email that a Message-ID names; 0 if none."""
    token = parse_token(message_id, domain)
    is_ours = token is not None and token.kind is TokenKind.LETTER and seat.signer.has_made(token)
    return token.number if token and is_ours else 0
