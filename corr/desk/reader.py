"""Letters in, and what was written on pages: each read once, with all that it does, or put aside for the operator."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, func, select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import aliased

from corr.desk import confirming, doubts, patience, turns
from corr.desk.house import House
from corr.desk.seats import Seat, seat_by_id, seats_by_id
from corr.desk.sitting import Sitting, sit_down
from corr.mail.address import Kind, token_of
from corr.mail.fingerprint import is_other
from corr.mail.letter import Letter, is_automatic, open_letter, reading_of, without_order
from corr.orders import Reading, read
from corr.store.claims import NOW, Queue, Rows, is_free
from corr.store.tables import InboxRow, OutboxRow, SlipRow
from corr.words import Side, Word

log = logging.getLogger(__name__)

_FAILURES = 5
_DEATHS = 10
_REST = timedelta(seconds=15)
_QUOTED_LETTERS = 20
# What cannot be read tries nothing: it may be sent again, when something has come before it by then.
_JUDGED = ("moved", "refused", "nonsense", "told", "over")
_UNREADABLE = "a letter could not be read"


@dataclass(frozen=True, slots=True)
class Unread:
    """A letter that waits, or what was written on a page, which came with no letter; and what it says."""

    id: int
    seat: Seat
    slip: int
    received_at: datetime
    letter: Letter | None
    reading: Reading
    ply: int
    confirms: bool
    doubt: str | None
    automatic: str | None
    unsure: str | None = None  # why it has to be confirmed before it acts
    asked_by: int = 0  # the letter of ours whose own address it went to, which asks for that
    answers_an_hour: int = 0  # where letters are answered by letters


_NOTHING = read(())


def read_some(house: House, now: datetime, most: int = 20) -> int:
    """Read waiting letters and do what they say, each exactly once; how many were in hand, 0 if none waits."""
    rows = _claim(house, now, most)
    deadly = [row for row in rows if row.tries > _DEATHS]
    for row in deadly:
        log.error("no worker has lived to the end of a letter", extra=_named(row))
        _count_failure(house, row, now)
    if readable := [row for row in rows if row not in deadly]:
        for row, unread in _unfolded(house, readable, now):
            _act(house, row, unread, now)
    return len(rows)


def _unfolded(house: House, rows: Rows, now: datetime) -> list[tuple[Row[*tuple[Any, ...]], Unread]]:
    """Letters with what they say. Where one cannot be read, each is read by itself."""
    try:
        letters = [None if row.page else open_letter(row.raw) for row in rows]
        with house.store.reading() as connection:
            seats = seats_by_id(connection, {row.seat_id for row in rows})
            return [
                (row, _unfold(connection, seats[row.seat_id], row, letter, house))
                for row, letter in zip(rows, letters, strict=True)
            ]
    except OperationalError:
        raise
    except Exception:
        if len(rows) > 1:
            return [each for row in rows for each in _unfolded(house, [row], now)]
        log.exception(_UNREADABLE, extra=_named(rows[0]))
        _count_failure(house, rows[0], now)
        return []


def _act(house: House, row: Row[*tuple[Any, ...]], unread: Unread, now: datetime) -> None:
    try:
        with house.store.writing() as connection:
            _settle(connection, house, unread, now)
        if unread.automatic == "bounce":
            log.warning("a bounce came", extra=_named(row))
        else:
            log.info("a letter was read", extra=_named(row))
    except OperationalError:
        raise
    except Exception:
        log.exception(_UNREADABLE, extra=_named(row))
        _count_failure(house, row, now)


def _named(row: Row[*tuple[Any, ...]]) -> dict[str, object]:
    """A letter as the log names it."""
    return {"letter": row.id, "seat": row.seat_id}


def _claim(house: House, now: datetime, most: int) -> Rows:
    return _QUEUE.claim(house.store, now, now + house.lease, most)


def _waiting() -> Select[int]:
    """Unread letters, the oldest of each seat: a seat's letters are read in the order they came."""
    earlier = aliased(InboxRow)
    has_earlier = (
        select(earlier.id)
        .where(earlier.seat_id == InboxRow.seat_id, earlier.read_at.is_(None), earlier.id < InboxRow.id)
        .exists()
    )
    rested = InboxRow.retry_at.is_(None) | (InboxRow.retry_at <= NOW)
    unread = select(InboxRow.id).where(InboxRow.read_at.is_(None), rested, ~has_earlier)
    return unread.where(is_free(InboxRow)).order_by(InboxRow.id)


# A letter that was in hand before and is unread still may be what killed its worker.
_QUEUE = Queue(InboxRow, _waiting(), alone=InboxRow.tries > 0)


def _unfold(
    connection: Connection, seat: Seat, row: Row[*tuple[Any, ...]], letter: Letter | None, house: House
) -> Unread:
    """Read what was written whole, before anything is tried."""
    slip = connection.execute(_SLIP, {"seat": seat.id, "slip": row.slip}).one_or_none()
    is_lost = slip is not None and slip.number != row.slip
    ply = slip.ply if slip and not is_lost else 0
    if letter is None:
        return _of_page(seat, row, ply, "lost" if is_lost else None)
    automatic = _automatic(row, letter)
    to = doubts.recipients(row, letter)
    doubt = None if automatic else doubts.doubt(connection, house, seat, letter, to)
    if is_lost and not automatic:
        doubt = doubt or "lost"
    if is_other(row.message_key) and not automatic:
        doubt = doubt or "other_words"
    ours = _letters_answered(connection, seat, letter, row.slip, house.domain)
    sent = "\n".join(answered.text for answered in ours if answered.text)
    reading = _NOTHING if automatic else reading_of(letter, sent or None, ply // 2 + 1)
    automatic = automatic or without_order(letter, reading)
    unsure = None if automatic or doubt else doubts.to_be_confirmed(house, seat, row, to, reading)
    return Unread(
        id=row.id,
        seat=seat,
        slip=row.slip,
        received_at=row.received_at,
        letter=letter,
        reading=_NOTHING if doubt else reading,
        unsure=unsure,
        asked_by=doubts.asked_by(seat, to, house.domain),
        ply=ply,
        confirms=any(
            "asks_to_confirm" in json.loads(answered.words) for answered in ours if answered.answered
        ),
        doubt=doubt,
        automatic=automatic,
        answers_an_hour=house.answers_an_hour,
    )


def _of_page(seat: Seat, row: Row[*tuple[Any, ...]], ply: int, doubt: str | None) -> Unread:
    """What was written on a page: whoever wrote it was let in as who sits there."""
    lines = () if doubt else row.raw.decode().splitlines()
    return Unread(
        id=row.id,
        seat=seat,
        slip=row.slip,
        received_at=row.received_at,
        letter=None,
        reading=read(lines, ply // 2 + 1),
        ply=ply,
        confirms=False,
        doubt=doubt,
        automatic=None,
    )


def _automatic(row: Row[*tuple[Any, ...]], letter: Letter) -> str | None:
    """Why nobody waits for an answer to this letter; None where a person does."""
    return letter.automatic or ("bounce" if row.bounce else None)


_IS_OURS = OutboxRow.seat_id == bindparam("seat")
_IS_NAMED = OutboxRow.number.in_(bindparam("named", expanding=True))
_IS_ANSWERED = OutboxRow.number == bindparam("first")
_ANSWERED = (
    select(OutboxRow.text, OutboxRow.words, _IS_ANSWERED.label("answered"))
    .where((_IS_OURS & _IS_NAMED) | (_IS_OURS & (OutboxRow.slip == bindparam("slip_"))))  # each by its index
    .order_by(_IS_ANSWERED.desc(), OutboxRow.number.desc())
    .limit(_QUOTED_LETTERS)
)


def _letters_answered(
    connection: Connection, seat: Seat, letter: Letter, slip: int, domain: str
) -> Sequence[Row[*tuple[Any, ...]]]:
    """Our letters that a reply may quote: those it names, and those of the slip that its address names."""
    named = [_number(seat, each, domain) for each in letter.references[:_QUOTED_LETTERS]]
    asked = {"seat": seat.id, "slip_": slip, "first": named[0] if named else 0, "named": named}
    return connection.execute(_ANSWERED, asked).all()


def _number(seat: Seat, message_id: str, domain: str) -> int:
    """Which of our letters to the seat a Message-ID names; 0, which is none's number, for another."""
    token = token_of(message_id, domain)
    is_ours = token is not None and token.kind is Kind.LETTER and seat.signet.has_made(token)
    return token.number if token and is_ours else 0


#: The slip of a number, or the newest before it where that one was handed out after the copy from which
#: the database was restored.
_SLIP = (
    select(SlipRow.number, SlipRow.ply)
    .where(SlipRow.seat_id == bindparam("seat"), SlipRow.number <= bindparam("slip"))
    .order_by(SlipRow.number.desc(), SlipRow.step)
    .limit(1)
)


def _settle(connection: Connection, house: House, unread: Unread, now: datetime) -> None:
    """Let a letter act, answer it, and mark it read, all or nothing."""
    sitting = sit_down(connection, unread.seat.game_id, now)
    if not _is_still_first(connection, unread):
        return
    if unread.automatic:
        _mark(sitting, unread, f"automatic: {unread.automatic}")
        if not sitting.running:
            sitting.close()
        return
    if unread.unsure:
        _ask(sitting, unread, unread.unsure)
    elif waiting := _confirmed(sitting, house, unread):
        _mark(sitting, unread, "confirms")
        _act_on(sitting, waiting)
    else:
        _act_on(sitting, unread)
    sitting.close()


def _act_on(sitting: Sitting, unread: Unread) -> None:
    if unread.doubt or unread.reading.puzzled or not _answer_again(sitting, unread):
        _answer(sitting, unread)


def _ask(sitting: Sitting, unread: Unread, why: str) -> None:
    """Keep a letter until its player has confirmed it; one without orders, or too many a day, is told of alone."""
    if unread.reading.orders and confirming.may_ask(sitting.connection, unread.seat, sitting.now):
        _mark(sitting, unread, confirming.WAITING)
        confirming.ask(sitting, unread.seat, why, unread.reading.orders, unread.id, unread.received_at)
    else:
        _answer(sitting, replace(unread, doubt=why, reading=_NOTHING))


def _confirmed(sitting: Sitting, house: House, unread: Unread) -> Unread | None:
    """The letter that this one confirms, as it came, to be answered where this one is."""
    if not (unread.letter and unread.asked_by and unread.reading.orders == (Word("confirm"),)):
        return None
    row = confirming.kept(sitting.connection, unread.seat, unread.asked_by, sitting.now)
    if row is None:
        return None
    letter = replace(open_letter(row.raw), message_id=unread.letter.message_id)
    return _unfold(sitting.connection, unread.seat, row, letter, house)


_FIRST = select(func.min(InboxRow.id)).where(
    InboxRow.seat_id == bindparam("seat"), InboxRow.read_at.is_(None)
)


def _is_still_first(connection: Connection, unread: Unread) -> bool:
    """True unless another worker has read this letter, or an earlier one of the seat waits still."""
    first = connection.execute(_FIRST, {"seat": unread.seat.id}).scalar_one()
    return bool(first == unread.id)


def _answer(sitting: Sitting, unread: Unread) -> None:
    words: dict[str, object] = {"ignored": list(unread.reading.ignored)}
    if unread.doubt:
        words |= {"doubt": unread.doubt, **_why(unread.letter)}
        items: list[turns.Item] = []
    elif unread.reading.puzzled:
        words["puzzled"] = asdict(unread.reading.puzzled)
        items = []
    else:
        items = turns.act_on(sitting, _written(unread))
    judged = any(item.note in _JUDGED for item in items if item.said)
    words["items"] = [asdict(item) for item in items]
    if sitting.running and any(item.note == "said" and item.order == "resign" for item in items):
        words["asks_to_confirm"] = True
    _reply(sitting, unread, words, _reading(unread), _canonical(unread) if judged else None)


def _reading(unread: Unread) -> str:
    """How a letter was read, in a word."""
    if unread.doubt or unread.reading.puzzled:
        return unread.doubt or "puzzled"
    return "read" if unread.reading.orders else "nothing"


def _why(letter: Letter | None) -> dict[str, str]:
    """What is told of a letter in doubt."""
    return {"why": letter.trouble or "", "sender": letter.sender} if letter else {}


def _reply(
    sitting: Sitting, unread: Unread, words: dict[str, object], reading: str, orders: str | None = None
) -> None:
    """Answer where it was written, by a letter or on the page, and mark it read."""
    side = unread.seat.side
    if unread.letter is None:
        sitting.answer_on_page(side)
        _mark(sitting, unread, reading, orders, _kept_answer(sitting, side, words))
        return
    last = patience.last_of(sitting.connection, unread.seat.id, reading, unread.answers_an_hour, sitting.now)
    if last is None:
        sitting.leave_unanswered(side)
        _mark(sitting, unread, reading, orders, _kept_answer(sitting, side, words))
    else:
        _mark(sitting, unread, reading, orders)
        sitting.write(side, "answer", unread.id, to=unread.letter.message_id, last=last, **words)


def _kept_answer(sitting: Sitting, side: Side, words: dict[str, object]) -> str:
    """What a page answers, until something new is told to its side, or what a letter would have been answered."""
    return json.dumps({"slip": sitting.chairs[side].slips, **words}, ensure_ascii=False)


def _written(unread: Unread) -> turns.Written:
    return turns.Written(
        side=unread.seat.side,
        orders=unread.reading.orders,
        slip=unread.slip,
        ply=unread.ply,
        received_at=unread.received_at,
        inbox_id=unread.id,
        confirms=unread.confirms,
    )


def _canonical(unread: Unread) -> str:
    return "; ".join(map(str, unread.reading.orders))


_LAST_ORDERS = (
    select(InboxRow.id, InboxRow.orders, InboxRow.answer)
    .where(
        InboxRow.seat_id == bindparam("seat"),
        InboxRow.ply == bindparam("ply"),
        InboxRow.orders.is_not(None),
    )
    .order_by(InboxRow.id.desc())
    .limit(1)
)
_ITS_ANSWER = (
    select(OutboxRow.words)
    .where(OutboxRow.seat_id == bindparam("seat"), OutboxRow.inbox_id == bindparam("letter"))
    .order_by(OutboxRow.number.desc())
    .limit(1)
)


def _answer_again(sitting: Sitting, unread: Unread) -> bool:
    """Answer a letter that only says once more what the last one for this turn has said with the same answer.

    What stood in an earlier one may be possible by now, as a move is once a pawn's capture has been tried.
    """
    connection = sitting.connection
    last = connection.execute(_LAST_ORDERS, {"seat": unread.seat.id, "ply": unread.ply}).one_or_none()
    if last is None or last.orders != _canonical(unread):
        return False
    its_letter = {"seat": unread.seat.id, "letter": last.id}
    answer = last.answer or connection.execute(_ITS_ANSWER, its_letter).scalar_one()
    told = {key: value for key, value in json.loads(answer).items() if key in ("items", "ignored")}
    _reply(sitting, unread, {"again": True, **told}, "again")
    return True


_MARK = update(InboxRow).where(InboxRow.id == bindparam("letter"))


def _mark(
    sitting: Sitting, unread: Unread, reading: str, orders: str | None = None, answer: str | None = None
) -> None:
    marks = {
        "letter": unread.id,
        "read_at": sitting.now,
        "reading": reading,
        "ply": unread.ply,
        "orders": orders,
        "answer": answer,
    }
    sitting.connection.execute(_MARK, marks)


def _count_failure(house: House, row: Row[*tuple[Any, ...]], now: datetime) -> None:
    """A letter that breaks the reader is tried again later, then put aside and its writer told."""
    unread = update(InboxRow).where(InboxRow.id == row.id, InboxRow.read_at.is_(None))
    with house.store.writing() as connection:
        if row.tries < _FAILURES:
            rest = _REST * 2**row.tries
            connection.execute(unread.values(leased_until=None, retry_at=now + rest))
        elif connection.execute(unread.values(read_at=now, reading="failed")).rowcount:
            _tell_of_failure(connection, row, house.answers_an_hour, now)


def _tell_of_failure(connection: Connection, row: Row[*tuple[Any, ...]], an_hour: int, now: datetime) -> None:
    """It is our fault: the writer is told, and whose turn it is gets the time for it anew, once a game.

    That its time begins anew is seen by the other side, who is not to learn of everything that it writes.
    """
    if row.bounce or (not row.page and is_automatic(row.raw)):
        return
    seat = seat_by_id(connection, row.seat_id)
    sitting = sit_down(connection, seat.game_id, now)
    if seat.side in sitting.awaited:
        _let_time_begin_anew(sitting, seat.side, row)
    words: dict[str, object] = {"ignored": [], "items": [], "doubt": "failed"}
    if row.page:
        sitting.answer_on_page(seat.side)
        answer = _kept_answer(sitting, seat.side, words)
        connection.execute(update(InboxRow).where(InboxRow.id == row.id).values(answer=answer))
    elif (last := patience.last_of(connection, seat.id, "failed", an_hour, now)) is not None:
        sitting.write(seat.side, "answer", row.id, to="", last=last, **words)
    sitting.close()


_RENEWED = select(InboxRow.id).where(
    InboxRow.seat_id == bindparam("seat"), InboxRow.reading == "failed", InboxRow.ply.is_not(None)
)
_RENEW = update(InboxRow).where(InboxRow.id == bindparam("letter"))


def _let_time_begin_anew(sitting: Sitting, side: Side, row: Row[*tuple[Any, ...]]) -> None:
    """The letter is marked by the move for which it did so."""
    if sitting.connection.execute(_RENEWED, {"seat": row.seat_id}).first():
        return
    sitting.begin_anew(side)
    sitting.connection.execute(_RENEW, {"letter": row.id, "ply": sitting.ply})
