"""Letters out: claimed under a lease, composed once, handed over at least once, always the same bytes."""

from __future__ import annotations

import json
import logging
import random
import re
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import aliased

from corr.desk import catalogue, dossier, review
from corr.desk.house import House
from corr.desk.seats import Seat, seats_by_id
from corr.mail.address import Kind
from corr.mail.compose import Composed, Outgoing, compose
from corr.mail.post import Delivery, Envelope, Fate, Post
from corr.store.claims import NOW, Queue, Rows, give_back, is_free
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
    if not rows:
        return 0
    for number, (row, made) in enumerate(zip(rows, _made(house, rows), strict=True)):
        if time.monotonic() - begun > house.lease.total_seconds() * _SPENT:
            give_back(house.store, OutboxRow, [late.id for late in rows[number:]])
            break
        delivery = _hand_over(house.post, row, made) if isinstance(made, Envelope) else made
        _mark(house.store, row, delivery, now)
    return len(rows)


def revive(house: House, now: datetime) -> int:
    """Let letters that were given up be due again; how many."""
    dead = update(OutboxRow).where(OutboxRow.dead_at.is_not(None))
    with house.store.writing() as connection:
        return connection.execute(dead.values(dead_at=None, due_at=now, tries=0)).rowcount


def _claim(house: House, now: datetime, most: int) -> Rows:
    return _QUEUE.claim(house.store, now, now + house.lease, most)


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


# A letter that was in hand before and has no bytes yet may be what killed its worker.
_QUEUE = Queue(OutboxRow, _due(), alone=OutboxRow.message.is_(None) & (OutboxRow.tries > 0))


# ---------------------------------------------------------------- composing


def _made(house: House, rows: Rows) -> list[Envelope | Delivery]:
    """Letters with all their bytes kept, or why one has none. Where one cannot be made, each is made by itself."""
    try:
        return _make(house, rows)
    except OperationalError:
        raise
    except Exception as error:
        if len(rows) > 1:
            return [made for row in rows for made in _made(house, [row])]
        log.exception("a letter could not be made", extra=_named(rows[0]))
        return [_trouble(rows[0], error)]


def _make(house: House, rows: Rows) -> list[Envelope | Delivery]:
    """No transaction is open while letters are composed."""
    unmade = [row for row in rows if row.message is None and row.tries <= _DEATHS]
    with house.store.reading() as connection:
        seats = seats_by_id(connection, {row.seat_id for row in rows})
        worded = _worded(connection, house.domain, seats, unmade)
    kept = _keep(house.store, {letter: compose(whole()) for letter, whole in worded.items()})
    return [_envelope(seats[row.seat_id], row, row.message or kept.get(row.id), house.domain) for row in rows]


def _worded(
    connection: Connection, domain: str, seats: dict[int, Seat], rows: Rows
) -> dict[int, Callable[[], Outgoing]]:
    """What letters say; the file of a game that is over is written when it is called for, outside a transaction."""
    known = dossier.known(connection, {seats[row.seat_id].game_id for row in rows})
    worded: dict[int, Callable[[], Outgoing]] = {}
    for row in rows:
        seat = seats[row.seat_id]
        letter = _outgoing(connection, known, domain, seat, row)
        game = review.of_game(connection, seat.game_id, domain) if _tells_of_the_end(letter) else None
        worded[row.id] = partial(_with_game, letter, game)
    return worded


def _with_game(letter: Outgoing, game: review.Reviewed | None) -> Outgoing:
    return replace(letter, game=game.pgn) if game else letter


def _tells_of_the_end(letter: Outgoing) -> bool:
    """Whether a game that was played is over, and this letter is the one by which its reader learns it."""
    if not (letter.view.state == "over" and letter.view.revealed):
        return False
    items: Any = letter.words.get("items", ())
    return letter.kind == "over" or any(item["note"] in _ENDING for item in items)


_ENDING = ("moved", "said")


def _envelope(
    seat: Seat, row: Row[*tuple[Any, ...]], message: bytes | None, domain: str
) -> Envelope | Delivery:
    if message is None:
        return Delivery(Fate.NEVER, "no worker has lived to the end of making this letter")
    return Envelope(seat.mailbox(Kind.BOUNCE, row.number, domain), seat.address, message)


def _trouble(row: Row[*tuple[Any, ...]], error: Exception) -> Delivery:
    """It is our fault that a letter is not on its way."""
    fate = Fate.LATER if row.tries < _MAKINGS else Fate.NEVER
    return Delivery(fate, f"{type(error).__name__} while the letter was made or carried")


def _outgoing(
    connection: Connection, known: dossier.Known, domain: str, seat: Seat, row: Row[*tuple[Any, ...]]
) -> Outgoing:
    words = json.loads(row.words)
    shown = any(item["note"] == "show" for item in words.get("items", ()))
    moment = dossier.Moment(row.slip, row.step, row.inbox_id, words.pop("public"))
    whole_score = shown or moment.public["state"] == "over"
    root, parent = _thread(seat, row.number, words.get("to", ""), domain)
    return Outgoing(
        kind=row.kind,
        view=dossier.view(connection, known, seat, moment, whole_score=whole_score),
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
_KEPT = select(OutboxRow.id, OutboxRow.message).where(OutboxRow.id.in_(bindparam("letters", expanding=True)))
_MARK = update(OutboxRow).where(OutboxRow.id == bindparam("letter"))


def _keep(store: Store, made: dict[int, Composed]) -> dict[int, bytes]:
    """Keep letters' bytes; where another worker was first, its bytes are the letter."""
    if not made:
        return {}
    ours = {letter: composed.message for letter, composed in made.items()}
    rows = [
        {"letter": letter, "message": each.message, "text": each.quotable} for letter, each in made.items()
    ]
    with store.writing() as connection:
        if connection.execute(_KEEP, rows).rowcount == len(rows):
            return ours
        return {row.id: row.message for row in connection.execute(_KEPT, {"letters": list(made)})}


# ---------------------------------------------------------------- the post, and after


def _hand_over(post: Post, row: Row[*tuple[Any, ...]], envelope: Envelope) -> Delivery:
    try:
        return post.send(envelope)
    except Exception as error:
        log.exception("a letter could not be carried", extra=_named(row))
        return _trouble(row, error)


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
