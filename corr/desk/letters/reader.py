"""Letters in, and what was written on pages: each read once, with all that it does, or put aside for the operator."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.exc import OperationalError

from corr.desk.house import House
from corr.desk.letters import bounces, confirming, patience
from corr.desk.letters.game_letters import GameLetter
from corr.desk.letters.intake import Intake
from corr.desk.letters.unread import NOTHING, SEAT_LETTER, SeatLetter, Unread, unfold
from corr.desk.table import next_turns, turns, tutoring
from corr.desk.table.items import Item
from corr.desk.table.seats import KeptSeat, with_seats
from corr.desk.table.sitting import Sitting, sit_down
from corr.game.state import Written
from corr.mail.inward.automatic import BOUNCE
from corr.mail.inward.letter import Letter, is_automatic, open_letter
from corr.store.rows import pairs_of
from corr.store.tables import InboxRow, OutboxRow, SeatRow
from corr.words.board import Side
from corr.words.orders import Word

log = logging.getLogger(__name__)

# What cannot be read tries nothing: it may be sent again, when something has come before it by then.
_JUDGED = ("moved", "refused", "nonsense", "told", "exhausted", "over")


#: Takes letters out in the transaction of a letter in.
Take = Callable[[Connection], Sequence[GameLetter]]


def read_some(house: House, now: datetime, most: int = 20) -> int:
    """Read waiting letters and do what they say, each exactly once; how many were in hand, 0 if none waits."""
    return read_and_take(house, now, most, _take_none)[0]


def read_and_take(house: House, now: datetime, most: int, take: Take) -> tuple[int, Sequence[GameLetter]]:
    """The same, and letters out that the transaction of the last one takes at its end, what it wrote among them."""
    rows = INTAKE.claim(house, now, most)
    taken: Sequence[GameLetter] = ()
    if readable := INTAKE.readable(house, rows, now):
        unfolded = _unfolded(house, readable, now)
        for number, (row, unread) in enumerate(unfolded, 1):
            taken = _act(house, row, unread, now, take if number == len(unfolded) else _take_none)
    return len(rows), taken


def _take_none(_connection: Connection) -> Sequence[GameLetter]:
    return ()


def _unfolded(house: House, rows: Sequence[SeatLetter], now: datetime) -> list[tuple[SeatLetter, Unread]]:
    """Letters with what they say. Where one cannot be read, each is read by itself."""
    try:
        letters = [None if row.page else open_letter(row.raw) for row in rows]
        with house.store.reading() as connection:
            return list(zip(rows, unfold(connection, house, rows, letters, now), strict=True))
    except OperationalError:
        raise
    except Exception as error:  # noqa: BLE001  # whatever it is, it holds up no other letter
        if len(rows) > 1:
            return [each for row in rows for each in _unfolded(house, [row], now)]
        INTAKE.fail(house, rows[0], error, now)
        return []


def _act(house: House, row: SeatLetter, unread: Unread, now: datetime, take: Take) -> Sequence[GameLetter]:
    """Let a letter act; what was taken in its transaction, if it is committed."""

    def settle(connection: Connection) -> Sequence[GameLetter]:
        _settle(connection, house, unread, now)
        return take(connection)

    taken = INTAKE.act(house, row, now, settle)
    if taken is None:
        return ()
    if unread.automatic == BOUNCE:
        bounces.log_one(INTAKE.named(row))
    else:
        log.info("a letter was read", extra=INTAKE.named(row))
    return taken


def _settle(connection: Connection, house: House, unread: Unread, now: datetime) -> None:
    """Let a letter act, answer it, and mark it read, all or nothing."""
    sitting = sit_down(connection, unread.seat.game_id, now)
    if unread.automatic:
        _mark(sitting, unread, f"automatic: {unread.automatic}")
        if not sitting.state.under_way:
            sitting.close()
        return
    if unread.unsure:
        _ask(sitting, unread, unread.unsure)
    elif waiting := _confirmed(sitting, house, unread):
        _mark(sitting, unread, "confirms")
        _act_on(sitting, waiting)
    else:
        _act_on(sitting, unread)
    next_turns.play_on(sitting)
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
        _answer(sitting, replace(unread, doubt=why, reading=NOTHING))


def _confirmed(sitting: Sitting, house: House, unread: Unread) -> Unread | None:
    """The letter that this one confirms, as it came, to be answered where this one is."""
    if not (unread.letter and unread.asked_by and unread.reading.orders == (Word("confirm"),)):
        return None
    row = confirming.kept(sitting.connection, unread.seat, unread.asked_by, sitting.now)
    if row is None:
        return None
    letter = replace(open_letter(row.raw), message_id=unread.letter.message_id)
    (kept,) = unfold(sitting.connection, house, [row], [letter], sitting.now)
    return replace(kept, is_kept=True)


def _answer(sitting: Sitting, unread: Unread) -> None:
    words: dict[str, object] = {"ignored": list(unread.reading.ignored)}
    if unread.doubt:
        words |= {"doubt": unread.doubt, **_why(unread.letter)}
        items: list[Item] = []
    elif unread.reading.puzzled:
        words["puzzled"] = asdict(unread.reading.puzzled)
        items = []
    else:
        items = turns.act_on(sitting, _written(unread))
        if taught := tutoring.teach(sitting, items):
            words["taught"] = asdict(taught)
    judged = any(item.note in _JUDGED for item in items if item.said)
    words["items"] = [asdict(item) for item in items]
    if sitting.state.under_way and any(item.note == "said" and item.order == "resign" for item in items):
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
    last = patience.last_of(sitting.connection, unread.seat.id, reading, unread.answers_left, sitting.now)
    if last is None:
        sitting.leave_unanswered(side)
        _mark(sitting, unread, reading, orders, _kept_answer(sitting, side, words))
    else:
        _mark(sitting, unread, reading, orders)
        sitting.write(side, "answer", unread.id, to=unread.letter.message_id, last=last, **words)


def _kept_answer(sitting: Sitting, side: Side, words: dict[str, object]) -> str:
    """What a page answers, until something new is told to its side, or what a letter would have been answered."""
    return json.dumps({"slip": sitting.chairs[side].slips, **words}, ensure_ascii=False)


def _written(unread: Unread) -> Written:
    return Written(
        side=unread.seat.side,
        orders=unread.reading.orders,
        slip=unread.slip,
        ply=unread.ply,
        received_at=unread.received_at,
        inbox_id=unread.id,
        confirms=unread.confirms,
        told=unread.told,
    )


def _canonical(unread: Unread) -> str:
    return "; ".join(map(str, unread.reading.orders))


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
    last = unread.last
    if last is None or last.orders != _canonical(unread):
        return False
    its_letter = {"seat": unread.seat.id, "letter": last.id}
    answer = last.answer or sitting.connection.execute(_ITS_ANSWER, its_letter).scalar_one()
    told = {key: value for key, value in json.loads(answer).items() if key in ("items", "ignored")}
    _reply(sitting, unread, {"again": True, **told}, "again")
    return True


def _mark(
    sitting: Sitting, unread: Unread, reading: str, orders: str | None = None, answer: str | None = None
) -> None:
    """Note how a letter was read; of one that was kept, and is confirmed by now, once more."""
    note = INTAKE.amend if unread.is_kept else INTAKE.mark
    note(
        sitting.connection,
        unread.id,
        read_at=sitting.now,
        reading=reading,
        ply=unread.ply,
        orders=orders,
        answer=answer,
    )


def _tell_of_failure(connection: Connection, house: House, row: SeatLetter, now: datetime) -> None:
    """It is our fault: the writer is told, and whose turn it is gets the time for it anew, once a game.

    That its time begins anew is seen by the other side, who is not to learn of everything that it writes.
    """
    if row.bounce or (not row.page and is_automatic(row.raw)):
        return
    an_hour = house.answers_an_hour
    asked = {"seat": row.seat_id, **patience.lately(an_hour, now)}
    ((kept, writer),) = pairs_of(KeptSeat, _Answered, connection.execute(_WRITER, asked))
    seat = kept.seat
    sitting = sit_down(connection, seat.game_id, now)
    if seat.side in sitting.state.awaited:
        _let_time_begin_anew(sitting, seat.side, row)
    words: dict[str, object] = {"ignored": [], "items": [], "doubt": "failed"}
    if row.page:
        sitting.answer_on_page(seat.side)
        answer = _kept_answer(sitting, seat.side, words)
        INTAKE.amend(connection, row.id, answer=answer)
    elif (
        last := patience.last_of(connection, seat.id, "failed", an_hour - writer.answered, now)
    ) is not None:
        sitting.write(seat.side, "answer", row.id, to="", last=last, **words)
    sitting.close()


class _Answered(NamedTuple):
    answered: int


_WRITER = with_seats(patience.answered(SeatRow.id).label("answered")).where(SeatRow.id == bindparam("seat"))
_RENEWED = select(InboxRow.id).where(
    InboxRow.seat_id == bindparam("seat"), InboxRow.reading == "failed", InboxRow.ply.is_not(None)
)


def _let_time_begin_anew(sitting: Sitting, side: Side, row: SeatLetter) -> None:
    """The letter is marked by the move for which it did so."""
    if sitting.connection.execute(_RENEWED, {"seat": row.seat_id}).scalars().first():
        return
    sitting.state = sitting.state.begin_anew(side, sitting.now)
    INTAKE.amend(sitting.connection, row.id, ply=sitting.state.ply)


#: What came from seats, by letter or from their pages, and waits to be read.
INTAKE = Intake(InboxRow, InboxRow.seat_id, SeatLetter, SEAT_LETTER, _tell_of_failure)
