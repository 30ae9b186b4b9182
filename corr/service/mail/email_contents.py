"""Opens emails and page orders: finds whose each is and what it says, before anything is tried."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, Nullable, ScalarSelect, bindparam, func, select
from sqlalchemy.orm import InstrumentedAttribute, aliased

from corr import limits
from corr.mail.address import Kind, token_of
from corr.mail.failure_codes import Failure
from corr.mail.inward.automatic_mail import BOUNCE
from corr.mail.inward.fingerprint import is_other
from corr.mail.inward.letter import Letter, reading_of, without_order
from corr.orders import Reading, read
from corr.orders.authority import Evidence
from corr.service.games.seats import KeptSeat, Seat, with_seats
from corr.service.house import House
from corr.service.mail import answer_limits, bounces, forwarding, inbox, sender_checks
from corr.store.incoming_texts import BESIDE
from corr.store.rows import pairs_of, rows_of
from corr.store.tables import InboxRow, LetterWords, OutboxRow, Quotable, SeatRow, SlipRow

NOTHING = read(())


class SeatLetter(NamedTuple):
    """What a seat sent, by email or from its page, as stored."""

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


#: The columns of a `SeatLetter`.
SEAT_LETTER = (
    InboxRow.id,
    InboxRow.seat_id,
    InboxRow.slip,
    InboxRow.step,
    InboxRow.bounce,
    InboxRow.message_key,
    InboxRow.received_at,
    InboxRow.tries,
    InboxRow.page,
    *BESIDE,
)


class Last(NamedTuple):
    """A seat's last email with orders for this turn, what it answered, and its answer."""

    id: int
    slip: int
    step: int | None
    orders: str
    answer: str | None


class CameBack(NamedTuple):
    """Which of our emails to a seat bounced, and why."""

    letter: int
    failure: Failure


@dataclass(frozen=True, slots=True)
class Opened:
    """An opened email, or text from a page (`letter` is None), and what it says."""

    id: int
    seat: Seat
    slip: int
    step: int | None  # the step after that slip up to which its writer had read; None if unknown
    received_at: datetime
    letter: Letter | None
    reading: Reading
    ply: int
    last: Last | None
    confirms: bool
    doubt: str | None
    automatic: str | None
    unsure: Evidence | None = None  # the evidence of who wrote it, if that is too weak for what it says
    asked_by: int = 0  # our email that asked for a confirmation, if this one went to its own address
    told: int | None = None  # how many moves its writer knew had been made, if known
    answers_left: int = 0  # how many more emails may be answered by email this hour
    confirmed_at: datetime | None = None  # when it was confirmed, if it was read before and waited
    came_back: CameBack | None = None  # one of our emails that bounced

    def answers_what(self, last: Last) -> bool:
        """Whether its writer had the same slip and step before them as for `last`."""
        return (self.slip, self.step) == (last.slip, last.step)


class _Whose(NamedTuple):
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


def _newest(column: InstrumentedAttribute[int]) -> ScalarSelect[int]:
    """Select a column of the slip that an email answers, or the newest before it.

    The answered slip is missing if it was sent after the backup from which the database was restored.
    """
    return (
        select(column)
        .where(SlipRow.seat_id == InboxRow.seat_id, SlipRow.number <= InboxRow.slip)
        .order_by(SlipRow.number.desc(), SlipRow.step)
        .limit(1)
        .correlate(InboxRow)
        .scalar_subquery()
    )


_PLY = func.coalesce(_newest(SlipRow.ply), 0)


def _ply_at(row: type[InboxRow | OutboxRow]) -> ScalarSelect[int]:
    """Select the moves made at an email's slip and step; null before the first slip."""
    return (
        select(SlipRow.ply)
        .where(SlipRow.seat_id == row.seat_id, SlipRow.number == row.slip, SlipRow.step == row.step)
        .correlate(row)
        .scalar_subquery()
    )


_OTHER, _LAST = aliased(InboxRow), aliased(InboxRow)
_LAST_ID = (
    select(_OTHER.id)
    .where(_OTHER.seat_id == InboxRow.seat_id, _OTHER.ply == _PLY, _OTHER.orders.is_not(None))
    .order_by(_OTHER.id.desc())
    .limit(1)
    .correlate(InboxRow)
    .scalar_subquery()
)
_WHOSE = (
    with_seats(
        InboxRow.id.label("letter"),
        _newest(SlipRow.number).label("slip"),
        _PLY.label("ply"),
        _ply_at(InboxRow).label("told"),
        _LAST.id.label("last"),
        _LAST.slip.label("last_slip"),
        _LAST.step.label("last_step"),
        _LAST.orders.label("last_orders"),
        _LAST.answer.label("last_answer"),
        answer_limits.answered(SeatRow.id).label("answered"),
    )
    .join(InboxRow, InboxRow.seat_id == SeatRow.id)
    .outerjoin(_LAST, _LAST.id == _LAST_ID)
    .where(InboxRow.id.in_(bindparam("letters", expanding=True)))
)


def open_each(
    connection: Connection,
    house: House,
    rows: Sequence[SeatLetter],
    letters: Sequence[Letter | None],
    now: datetime,
) -> list[Opened]:
    """Read all emails completely, in the order of the rows, before anything is tried."""
    asked = {"letters": [row.id for row in rows], **answer_limits.lately(house.answers_an_hour, now)}
    whose = pairs_of(KeptSeat, _Whose, connection.execute(_WHOSE, asked))
    found = {each.letter: (kept.seat, each) for kept, each in whose}
    return [
        _open(connection, house, row, letter, *found[row.id])
        for row, letter in zip(rows, letters, strict=True)
    ]


def _open(
    connection: Connection, house: House, row: SeatLetter, letter: Letter | None, seat: Seat, whose: _Whose
) -> Opened:
    is_lost = whose.slip is not None and whose.slip != row.slip
    ply = 0 if is_lost else whose.ply
    last = _last(whose)
    if letter is None:
        return _of_page(seat, row, ply, whose.told, last, "lost" if is_lost else None)
    to = sender_checks.recipients(row.recipients, letter)
    came_back = _came_back(connection, seat, row, letter, to, house.domain)
    automatic = BOUNCE if came_back else bounces.automatic(letter, came_back=row.bounce)
    doubt = None if automatic else sender_checks.doubt(connection, house, seat, letter, to)
    if is_lost and not automatic:
        doubt = doubt or "lost"
    if is_other(row.message_key) and not automatic:
        doubt = doubt or "other_words"
    ours = _letters_answered(connection, seat, letter, row.slip, house.domain)
    sent = "\n".join(answered.text for answered in ours if answered.text)
    reading = NOTHING if automatic else reading_of(letter, sent or None, ply // 2 + 1)
    if inbox.is_part(row.message_key):
        reading = replace(reading, ignored=forwarding.left_alone(letter.lines))
    automatic = automatic or without_order(letter, reading)
    named = next((answered for answered in ours if answered.answered), None)
    step, told = (row.step, whose.told) if row.step is not None else _seen(row, named)
    reading = NOTHING if doubt else reading
    asked_by = sender_checks.asked_by(seat, to, house.domain)
    unsure = None
    if not automatic:
        evidence = sender_checks.evidence(connection, house, seat, row.raw, letter, to)
        if not doubt or evidence is Evidence.ELSEWHERE:
            unsure = sender_checks.unproved(evidence, reading.orders, asked_by)
    return Opened(
        id=row.id,
        seat=seat,
        slip=row.slip,
        step=step,
        received_at=row.received_at,
        letter=letter,
        reading=reading,
        unsure=unsure,
        asked_by=asked_by,
        ply=ply,
        last=last,
        confirms=named is not None and "asks_to_confirm" in json.loads(named.words or "{}"),
        doubt=doubt,
        automatic=automatic,
        came_back=came_back,
        told=told,
        answers_left=house.answers_an_hour - whose.answered,
    )


def _came_back(
    connection: Connection, seat: Seat, row: SeatLetter, letter: Letter, to: Collection[str], domain: str
) -> CameBack | None:
    """Find the email that a bounce is about, by the envelope sender it came to."""
    tokens = (token_of(address, domain) for address in to)
    ours = [token for token in tokens if token and token.kind is Kind.BOUNCE and seat.signet.has_made(token)]
    if not (row.bounce and ours):
        return None
    is_readers = not sender_checks.is_from_elsewhere(connection, seat, letter)
    failure = bounces.failure_of(row.raw, letter, is_readers=is_readers)
    return CameBack(ours[0].number, failure) if failure else None


def _last(whose: _Whose) -> Last | None:
    if whose.last is None:
        return None
    assert whose.last_slip is not None
    return Last(whose.last, whose.last_slip, whose.last_step, whose.last_orders or "", whose.last_answer)


def _seen(row: SeatLetter, named: _Answered | None) -> tuple[int | None, int | None]:
    """Find the step and moves that an email answers, if its address tells neither."""
    if named is None:
        return None, None
    return named.step if named.slip == row.slip else None, named.told


def _of_page(
    seat: Seat, row: SeatLetter, ply: int, told: int | None, last: Last | None, doubt: str | None
) -> Opened:
    """Open text from a page; its writer is signed in as the seat's player."""
    lines = () if doubt else row.raw.decode().splitlines()
    return Opened(
        id=row.id,
        seat=seat,
        slip=row.slip,
        step=row.step,
        received_at=row.received_at,
        letter=None,
        reading=read(lines, ply // 2 + 1),
        ply=ply,
        last=last,
        confirms=False,
        doubt=doubt,
        automatic=None,
        told=told,
    )


_IS_OURS = OutboxRow.seat_id == bindparam("seat")
_IS_NAMED = OutboxRow.number.in_(bindparam("named", expanding=True))
_IS_ANSWERED = OutboxRow.number == bindparam("first")
_ANSWERED = (
    select(
        Nullable(Quotable.text),
        Nullable(LetterWords.words),
        OutboxRow.slip,
        OutboxRow.step,
        _ply_at(OutboxRow).label("told"),
        _IS_ANSWERED.label("answered"),
    )
    .outerjoin_from(OutboxRow, Quotable, Quotable.letter_id == OutboxRow.id)
    .outerjoin(LetterWords, LetterWords.letter_id == OutboxRow.id)
    .where((_IS_OURS & _IS_NAMED) | (_IS_OURS & (OutboxRow.slip == bindparam("slip_"))))  # each has its index
    .order_by(_IS_ANSWERED.desc(), OutboxRow.number.desc())
    .limit(limits.LETTERS_NAMED)
)


class _Answered(NamedTuple):
    text: str | None
    words: str | None
    slip: int
    step: int
    told: int | None  # None before the first slip
    answered: bool


def _letters_answered(
    connection: Connection, seat: Seat, letter: Letter, slip: int, domain: str
) -> list[_Answered]:
    """Return our emails that a reply may quote: those it names or of its slip."""
    named = [_number(seat, each, domain) for each in letter.references[: limits.LETTERS_NAMED]]
    asked = {"seat": seat.id, "slip_": slip, "first": named[0] if named else 0, "named": named}
    return rows_of(_Answered, connection.execute(_ANSWERED, asked))


def _number(seat: Seat, message_id: str, domain: str) -> int:
    """Return the number of the seat's email that a Message-ID names; 0 if none."""
    token = token_of(message_id, domain)
    is_ours = token is not None and token.kind is Kind.LETTER and seat.signet.has_made(token)
    return token.number if token and is_ours else 0
