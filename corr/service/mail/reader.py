"""Reads each email or page order of a seat once and does what it says, or sets it aside for the operator."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import datetime

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.exc import OperationalError

from corr.game.state import Written
from corr.mail.inward.automatic_mail import BOUNCE
from corr.mail.inward.letter import Letter, open_letter
from corr.orders.authority import Authority, Evidence, authority
from corr.service.games import next_turns, turns, tutorials
from corr.service.games.answer_items import Item
from corr.service.games.game_session import Sitting, sit_down
from corr.service.house import House
from corr.service.mail import (
    answer_limits,
    bounces,
    confirmations,
    forwarding,
    sender_checks,
    unreadable_emails,
)
from corr.service.mail.email_contents import NOTHING, SEAT_LETTER, Opened, SeatLetter, open_each
from corr.service.mail.game_emails import GameLetter
from corr.service.mail.intake import Intake
from corr.store.tables import InboxRow, LetterWords, OutboxRow

log = logging.getLogger(__name__)

# Notes of orders that were judged. Text that cannot be read tries nothing, and may be sent again once something has
# come before it.
_JUDGED = ("moved", "refused", "nonsense", "told", "exhausted", "unasked", "over")


#: Claims outgoing emails in the transaction that reads an incoming one.
Take = Callable[[Connection], Sequence[GameLetter]]


def read_some(house: House, now: datetime, most: int = 20) -> int:
    """Read waiting emails exactly once and do what they say; return how many were claimed."""
    return read_and_take(house, now, most, _take_none)[0]


def read_and_take(house: House, now: datetime, most: int, take: Take) -> tuple[int, Sequence[GameLetter]]:
    """Do the same, and let the last transaction claim outgoing emails, its own included."""
    rows = INTAKE.claim(house, now, most)
    taken: Sequence[GameLetter] = ()
    if readable := INTAKE.readable(house, rows, now):
        all_opened = _opened(house, readable, now)
        for number, (row, opened) in enumerate(all_opened, 1):
            taken = _act(house, row, opened, now, take if number == len(all_opened) else _take_none)
    return len(rows), taken


def _take_none(_connection: Connection) -> Sequence[GameLetter]:
    return ()


def _opened(house: House, rows: Sequence[SeatLetter], now: datetime) -> list[tuple[SeatLetter, Opened]]:
    """Open emails and read what they say; if that fails, read each one by itself."""
    try:
        letters = [None if row.page else open_letter(row.raw) for row in rows]
        with house.store.reading() as connection:
            return list(zip(rows, open_each(connection, house, rows, letters, now), strict=True))
    except OperationalError:
        raise
    except Exception as error:  # noqa: BLE001  # whatever it is, it holds up no other letter
        if len(rows) > 1:
            return [each for row in rows for each in _opened(house, [row], now)]
        INTAKE.fail(house, rows[0], error, now)
        return []


def _act(house: House, row: SeatLetter, opened: Opened, now: datetime, take: Take) -> Sequence[GameLetter]:
    """Apply an email; return the outgoing emails claimed in its transaction, if it commits."""

    def settle(connection: Connection) -> Sequence[GameLetter]:
        _settle(connection, house, opened, now)
        return take(connection)

    taken = INTAKE.act(house, row, now, settle)
    if taken is None:
        return ()
    if opened.automatic == BOUNCE:
        bounces.log_one(INTAKE.named(row))
    else:
        log.info("read an email", extra=INTAKE.named(row))
    return taken


def _settle(connection: Connection, house: House, opened: Opened, now: datetime) -> None:
    """Apply an email, answer it and mark it read, all or nothing."""
    sitting = sit_down(connection, opened.seat.game_id, now, opened.received_at)
    if opened.automatic:
        _mark(sitting, opened, f"automatic: {opened.automatic}")
        if opened.came_back:
            bounces.come_back(sitting, opened.seat, *opened.came_back)
        if opened.came_back or not sitting.state.under_way:
            sitting.close()
        return
    if opened.unsure:
        _ask(sitting, opened, opened.unsure)
    elif waiting := _confirmed(sitting, house, opened):
        _mark(sitting, opened, "confirms")
        _act_on(sitting, waiting)
    else:
        _act_on(sitting, opened)
    next_turns.play_on(sitting)
    sitting.close()


def _act_on(sitting: Sitting, opened: Opened) -> None:
    if opened.doubt or opened.reading.puzzled or not _answer_again(sitting, opened):
        _answer(sitting, opened)


def _ask(sitting: Sitting, opened: Opened, why: Evidence) -> None:
    """Hold an email until its player confirms it; only report refused or excess ones."""
    may_ask = answer_limits.may_ask(sitting.connection, opened.seat.id, why, sitting.now)
    if may_ask and authority(why, opened.reading.orders) is Authority.ASKS:
        _mark(sitting, opened, confirmations.WAITING)
        confirmations.ask(sitting, opened, why)
    else:
        _answer(sitting, replace(opened, doubt=why, reading=NOTHING))


def _confirmed(sitting: Sitting, house: House, opened: Opened) -> Opened | None:
    """Return the held email that this one confirms; the answer replies to this one."""
    if not (opened.letter and opened.asked_by and opened.reading.orders == sender_checks.CONFIRM):
        return None
    row = confirmations.kept(sitting.connection, opened.seat, opened.asked_by, sitting.now)
    if row is None:
        return None
    letter = replace(open_letter(row.raw), message_id=opened.letter.message_id)
    (kept,) = open_each(sitting.connection, house, [row], [letter], sitting.now)
    return replace(kept, confirmed_at=opened.received_at)


def _answer(sitting: Sitting, opened: Opened) -> None:
    words: dict[str, object] = {"ignored": list(opened.reading.ignored)}
    if opened.doubt:
        words |= {"doubt": opened.doubt, **_why(opened.letter)}
        items: list[Item] = []
    elif opened.reading.puzzled:
        words["puzzled"] = asdict(opened.reading.puzzled)
        items = []
    else:
        items = turns.act_on(sitting, _written(opened))
        _hand_on(sitting, opened, items)
        if taught := tutorials.teach(sitting, items):
            words["taught"] = asdict(taught)
    judged = any(item.note in _JUDGED for item in items if item.said)
    words["items"] = [asdict(item) for item in items]
    if sitting.state.under_way and any(item.note == "said" and item.order == "resign" for item in items):
        words["asks_to_confirm"] = True
    _reply(sitting, opened, words, _reading(opened), _canonical(opened) if judged else None)


def _hand_on(sitting: Sitting, opened: Opened, items: Sequence[Item]) -> None:
    """Pass an email's words for the site on to the site, which answers them."""
    kept = {str(order): order for order in opened.reading.orders}
    orders = [kept[item.order] for item in items if item.note == "for_the_site" and item.order in kept]
    if orders and opened.letter:
        player = opened.seat.player_id
        forwarding.hand_to_site(sitting.connection, player, opened.id, orders, opened.received_at)


def _reading(opened: Opened) -> str:
    """Return how an email was read, in one word."""
    if opened.doubt or opened.reading.puzzled:
        return opened.doubt or "puzzled"
    return "read" if opened.reading.orders else "nothing"


def _why(letter: Letter | None) -> dict[str, str]:
    """Return what to tell about an email in doubt."""
    return {"why": letter.trouble or "", "sender": letter.sender} if letter else {}


def _reply(
    sitting: Sitting, opened: Opened, words: dict[str, object], reading: str, orders: str | None = None
) -> None:
    """Answer by email or on the page, where it was written, and mark it read."""
    side = opened.seat.side
    if opened.letter is None:
        sitting.answer_on_page(side)
        _mark(sitting, opened, reading, orders, answer_limits.kept_answer(sitting, side, words))
        return
    last = answer_limits.last_of(
        sitting.connection, opened.seat.id, reading, opened.answers_left, sitting.now
    )
    if last is None:
        sitting.leave_unanswered(side)
        _mark(sitting, opened, reading, orders, answer_limits.kept_answer(sitting, side, words))
    else:
        _mark(sitting, opened, reading, orders)
        sitting.write(side, "answer", opened.id, to=opened.letter.message_id, last=last, **words)


def _written(opened: Opened) -> Written:
    return Written(
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
    )


def _canonical(opened: Opened) -> str:
    return "; ".join(map(str, opened.reading.orders))


_ITS_ANSWER = (
    select(LetterWords.words)
    .join(OutboxRow, OutboxRow.id == LetterWords.letter_id)
    .where(OutboxRow.seat_id == bindparam("seat"), OutboxRow.inbox_id == bindparam("letter"))
    .order_by(OutboxRow.number.desc())
    .limit(1)
)


def _answer_again(sitting: Sitting, opened: Opened) -> bool:
    """Repeat the last answer if an email only repeats the turn's last email.

    A mail client may send a reply twice, under different Message-IDs. A player who has seen the first answer, or has
    written something else since, means the text anew: an illegal move may be legal by now, and a legal one may be
    meant for the next turn.
    """
    last = opened.last
    if last is None or last.orders != _canonical(opened) or not opened.answers_what(last):
        return False
    its_letter = {"seat": opened.seat.id, "letter": last.id}
    answer = last.answer or sitting.connection.execute(_ITS_ANSWER, its_letter).scalar_one_or_none()
    if answer is None:
        return False
    told = {key: value for key, value in json.loads(answer).items() if key in ("items", "ignored")}
    _reply(sitting, opened, {"again": True, **told}, "again")
    return True


def _mark(
    sitting: Sitting, opened: Opened, reading: str, orders: str | None = None, answer: str | None = None
) -> None:
    """Record how an email was read, and once more when a held email is confirmed."""
    note = INTAKE.amend if opened.confirmed_at else INTAKE.mark
    note(
        sitting.connection,
        opened.id,
        read_at=sitting.now,
        reading=reading,
        step=opened.step,
        ply=opened.ply,
        orders=orders,
        answer=answer,
    )


#: Emails and page orders of seats that wait to be read.
INTAKE = Intake(InboxRow, InboxRow.seat_id, SeatLetter, SEAT_LETTER, unreadable_emails.tell_seat)
