"""Letters out: claimed under a lease, composed once, handed over at least once, always the same bytes."""

from __future__ import annotations

import json
import logging
import random
import re
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import aliased

from corr.desk import catalogue, dossier
from corr.desk.house import House
from corr.desk.seats import Seat, seat_by_id
from corr.mail.address import Kind
from corr.mail.compose import Composed, Outgoing, compose
from corr.mail.post import Delivery, Envelope, Fate
from corr.store.claims import NOW, Queue, give_back, is_free
from corr.store.session import Store
from corr.store.tables import OutboxRow

log = logging.getLogger(__name__)

_GIVE_UP = timedelta(days=3)
_FIRST_WAIT = timedelta(minutes=1)
_LONGEST_WAIT = timedelta(hours=4)
_MAKINGS = 4
_DEATHS = 10
# Of a lease, the part after which no further letter is begun: the rest is for a slow mail server.
_SPENT = 0.25


def send_some(house: House, now: datetime, most: int = 20) -> int:
    """Send letters that are due, each by itself; how many were in hand, 0 if none is due."""
    begun = time.monotonic()
    rows = _claim(house, now, most)
    for number, row in enumerate(rows):
        if time.monotonic() - begun > house.lease.total_seconds() * _SPENT:
            give_back(house.store, OutboxRow, [late.id for late in rows[number:]])
            break
        _send_one(house, row, now)
    return len(rows)


def revive(house: House, now: datetime) -> int:
    """Let letters that were given up be due again; how many."""
    dead = update(OutboxRow).where(OutboxRow.dead_at.is_not(None))
    with house.store.writing() as connection:
        return connection.execute(dead.values(dead_at=None, due_at=now, tries=0)).rowcount


def _send_one(house: House, row: Row[*tuple[Any, ...]], now: datetime) -> None:
    try:
        delivery = _hand_over(house, row)
    except OperationalError:
        raise
    except Exception as error:
        log.exception("a letter could not be made", extra=_named(row))
        fate = Fate.LATER if row.tries < _MAKINGS else Fate.NEVER
        delivery = Delivery(fate, f"{type(error).__name__} while the letter was made")
    _mark(house.store, row, delivery, now)


def _hand_over(house: House, row: Row[*tuple[Any, ...]]) -> Delivery:
    """Give the letter's bytes to the post; no transaction is open meanwhile."""
    if row.message is None and row.tries > _DEATHS:
        return Delivery(Fate.NEVER, "no worker has lived to the end of making this letter")
    with house.store.reading() as connection:
        seat = seat_by_id(connection, row.seat_id)
        outgoing = None if row.message else _outgoing(connection, house.domain, seat, row)
    message = _keep(house.store, row, compose(outgoing)) if outgoing else row.message
    sender = seat.mailbox(Kind.BOUNCE, row.number, house.domain)
    return house.post.send(Envelope(sender, seat.address, message))


def _claim(house: House, now: datetime, most: int) -> Sequence[Row[*tuple[Any, ...]]]:
    """A letter that was in hand before and has no bytes yet comes alone: it may be what killed its worker."""
    until = now + house.lease
    return _SUSPECTS.claim(house.store, now, until, 1) or _OTHERS.claim(house.store, now, until, most)


def _due() -> Select[int]:
    """A seat's letters go in order, but none waits for one in back-off."""
    earlier = aliased(OutboxRow)
    has_earlier = (
        select(earlier.id)
        .where(
            earlier.seat_id == OutboxRow.seat_id,
            earlier.id < OutboxRow.id,
            earlier.sent_at.is_(None),
            earlier.dead_at.is_(None),
            earlier.due_at <= NOW,
        )
        .exists()
    )
    unsent = OutboxRow.sent_at.is_(None) & OutboxRow.dead_at.is_(None)
    due = select(OutboxRow.id).where(unsent, OutboxRow.due_at <= NOW, is_free(OutboxRow), ~has_earlier)
    return due.order_by(OutboxRow.due_at)


_IS_SUSPECT = OutboxRow.message.is_(None) & (OutboxRow.tries > 0)
_SUSPECTS, _OTHERS = (Queue(OutboxRow, _due().where(each)) for each in (_IS_SUSPECT, ~_IS_SUSPECT))


# ---------------------------------------------------------------- composing


def _outgoing(connection: Connection, domain: str, seat: Seat, row: Row[*tuple[Any, ...]]) -> Outgoing:
    words = json.loads(row.words)
    shown = any(item["note"] == "show" for item in words.get("items", ()))
    moment = dossier.Moment(row.slip, row.step, row.inbox_id, words.pop("public"))
    whole_score = shown or moment.public["state"] == "over"
    root, parent = _thread(seat, row.number, words.get("to", ""), domain)
    return Outgoing(
        kind=row.kind,
        view=dossier.view(connection, seat, moment, whole_score=whole_score),
        date=row.made_at,
        sender=f"umpire@{domain}",
        recipient=seat.address,
        reply_to=seat.mailbox(Kind.SEAT, row.slip, domain),
        message_id=seat.mailbox(Kind.LETTER, row.number, domain),
        parent=parent,
        root=root,
        words=_ANSWER | words | {"shown": shown, "cards": {card.key: card for card in catalogue.cards()}}
        if row.kind == "answer"
        else {},
    )


_ANSWER: dict[str, object] = {"doubt": "", "why": "", "sender": "", "puzzled": None, "again": False}


def _thread(seat: Seat, number: int, answered: str, domain: str) -> tuple[str | None, str | None]:
    """The first letter of the thread, and the letter that this one answers or follows."""
    root = seat.mailbox(Kind.LETTER, 1, domain) if number > 1 else None
    if re.fullmatch(r"[!-;=?-~]+@[!-;=?-~]+", answered) and len(answered) <= 200:
        return root, answered
    return root, seat.mailbox(Kind.LETTER, number - 1, domain) if number > 1 else None


_KEEP = update(OutboxRow).where(OutboxRow.id == bindparam("letter"), OutboxRow.message.is_(None))
_KEPT = select(OutboxRow.message).where(OutboxRow.id == bindparam("letter"))
_MARK = update(OutboxRow).where(OutboxRow.id == bindparam("letter"))


def _keep(store: Store, row: Row[*tuple[Any, ...]], composed: Composed) -> bytes:
    """Keep a letter's bytes; if another worker was first, its bytes are the letter."""
    with store.writing() as connection:
        made = {"letter": row.id, "message": composed.message, "text": composed.quotable}
        if connection.execute(_KEEP, made).rowcount:
            return composed.message
        kept = connection.execute(_KEPT, {"letter": row.id}).scalar_one()
    assert kept is not None
    return kept


# ---------------------------------------------------------------- after the post


def _mark(store: Store, row: Row[*tuple[Any, ...]], delivery: Delivery, now: datetime) -> None:
    values: dict[str, object] = {"leased_until": None, "trouble": delivery.why or None}
    match delivery.fate:
        case Fate.SENT:
            values["sent_at"] = now
            log.info("a letter was sent", extra=_named(row))
        case Fate.LATER if now - row.made_at < _GIVE_UP:
            values["due_at"] = now + _wait(row.tries)
            log.warning("a letter was put off", extra={**_named(row), "why": delivery.why})
        case _:
            values["dead_at"] = now
            log.error("a letter was given up", extra={**_named(row), "why": delivery.why})
    with store.writing() as connection:
        connection.execute(_MARK, {"letter": row.id, **values})


def _named(row: Row[*tuple[Any, ...]]) -> dict[str, object]:
    """A letter as the log names it."""
    return {"letter": row.number, "seat": row.seat_id, "kind": row.kind, "tries": row.tries}


def _wait(tries: int) -> timedelta:
    """From a minute to hours, with jitter, so that a server that comes back is not overrun."""
    wait = min(_FIRST_WAIT * 2.0 ** min(tries - 1, 10), _LONGEST_WAIT)
    jitter: float = random.uniform(0.8, 1.2)  # noqa: S311  # no secret
    return wait * jitter
