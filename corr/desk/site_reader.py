"""Letters to the site: each read once, with all that it does, and answered to the mailbox that we know."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import aliased

from corr.desk import correspondents, site_orders
from corr.desk.correspondents import Correspondent
from corr.desk.house import House
from corr.desk.site_orders import Written
from corr.mail.address import Kind, token_of
from corr.mail.letter import Letter, open_letter, reading_of, without_order
from corr.mail.vouching import verdict
from corr.orders import Reading
from corr.store.claims import NOW, Queue, is_free
from corr.store.tables import SiteInboxRow, SiteOutboxRow

log = logging.getLogger(__name__)

_FAILURES = 5
_REST = timedelta(seconds=15)
_DAY = timedelta(days=1)
_REPLIES_A_DAY, _ANSWERS_A_DAY, _DOUBTFUL_ANSWERS_A_DAY = 50, 20, 5
_READ, _DOUBTFUL = ("read", "puzzled"), ("doubtful",)

Words = Mapping[str, Any]
Found = Row[*tuple[Any, ...]]


def read_some(house: House, now: datetime, most: int = 20) -> int:
    """Read waiting letters and do what they say, each exactly once; how many were in hand, 0 if none waits."""
    rows = _QUEUE.claim(house.store, now, now + house.lease, most)
    for row in rows:
        if row.tries > _FAILURES:
            log.error("no worker has lived to the end of a letter to the site", extra={"letter": row.id})
            _count_failure(house, row, now)
        else:
            _read(house, row, now)
    return len(rows)


def _waiting() -> Select[int]:
    """Unread letters, the oldest of each correspondent."""
    earlier = aliased(SiteInboxRow)
    has_earlier = (
        select(earlier.id)
        .where(
            earlier.correspondent_id == SiteInboxRow.correspondent_id,
            earlier.read_at.is_(None),
            earlier.id < SiteInboxRow.id,
        )
        .exists()
    )
    rested = SiteInboxRow.retry_at.is_(None) | (SiteInboxRow.retry_at <= NOW)
    unread = select(SiteInboxRow.id).where(SiteInboxRow.read_at.is_(None), rested, ~has_earlier)
    return unread.where(is_free(SiteInboxRow)).order_by(SiteInboxRow.id)


# A letter that was in hand before and is unread still may be what killed its worker.
_QUEUE = Queue(SiteInboxRow, _waiting(), alone=SiteInboxRow.tries > 0)


def _read(house: House, row: Found, now: datetime) -> None:
    try:
        letter = open_letter(row.raw)
        with house.store.writing() as connection:
            unread = select(SiteInboxRow.id).where(SiteInboxRow.id == row.id, SiteInboxRow.read_at.is_(None))
            if connection.execute(unread.with_for_update()).first():
                _settle(connection, house, row, letter, now)
        log.info("a letter to the site was read", extra={"letter": row.id})
    except OperationalError:
        raise
    except Exception:
        log.exception("a letter to the site could not be read", extra={"letter": row.id})
        _count_failure(house, row, now)


def _count_failure(house: House, row: Found, now: datetime) -> None:
    """A letter that breaks the reader is tried again later, then put aside."""
    unread = update(SiteInboxRow).where(SiteInboxRow.id == row.id, SiteInboxRow.read_at.is_(None))
    later = {"leased_until": None, "retry_at": now + _REST * 2**row.tries}
    aside = {"read_at": now, "reading": "failed"}
    with house.store.writing() as connection:
        connection.execute(unread.values(**(later if row.tries < _FAILURES else aside)))


def _settle(connection: Connection, house: House, row: Found, letter: Letter, now: datetime) -> None:
    """Let a letter act, answer it, and mark it read, all or nothing."""
    who = correspondents.correspondent(connection, row.correspondent_id)
    if row.bounce or letter.automatic:
        reading = "automatic"
    elif not _is_theirs(connection, who, letter.sender):
        reading = "forged"
    else:
        answered = _letter_answered(connection, row)
        is_proved = _is_proved(house, row, who, letter, answered)
        known = _certain(connection, who, letter.sender, now) if is_proved else who
        written = _written(row, known, letter, answered, now, is_certain=is_proved or row.vouched)
        written = replace(written, is_called_forged=verdict(row.raw, house.authserv_id) == "fail")
        reading = _answer(connection, house, row, letter, written, answered.text if answered else None)
    connection.execute(
        update(SiteInboxRow).where(SiteInboxRow.id == row.id).values(read_at=now, reading=reading)
    )


def _is_theirs(connection: Connection, who: Correspondent, address: str) -> bool:
    """Whether a letter comes from where ours went, or from another address of the same player."""
    if correspondents.is_mailbox(connection, who, address):
        return True
    return who.player_id is not None and correspondents.owns(connection, who.player_id, address)


def _is_proved(house: House, row: Found, who: Correspondent, letter: Letter, answered: Found | None) -> bool:
    """Whether a letter answers one of ours at the address that stands in it, as nobody does who has only its name.

    Where our own mail server calls it forged that is enough for what went to its reader alone: the letter that asks.
    """
    if row.letter == 0:
        return False
    vouched = verdict(row.raw, house.authserv_id)
    tokens = (token_of(address, house.domain) for address in letter.to)
    if not any(token and token.kind is Kind.REPLY and who.signet.has_made(token) for token in tokens):
        return vouched == "pass"
    return vouched != "fail" or (answered is not None and answered.kind == "confirm")


def _certain(connection: Connection, who: Correspondent, address: str, now: datetime) -> Correspondent:
    """Who knows an address that stands in our letter alone reads the letters that go there."""
    if correspondents.is_mailbox(connection, who, address):
        correspondents.wrote(connection, who, address)
    correspondents.confirm(connection, who, now)
    return correspondents.correspondent(connection, who.id)


def _written(
    row: Found,
    who: Correspondent,
    letter: Letter,
    answered: Found | None,
    now: datetime,
    *,
    is_certain: bool,
) -> Written:
    told = json.loads(answered.words) if answered else {}
    name = letter.name or told.get("name", "")
    return Written(who, name, is_certain=is_certain, letter=row.letter, answered=told, at=now)


def _answer(
    connection: Connection, house: House, row: Found, letter: Letter, written: Written, sent: str | None
) -> str:
    who, now = written.who, written.at
    reading = reading_of(letter, sent)
    if without_order(letter, reading):
        return "automatic"
    if _answered_today(connection, row, written) >= _most_a_day(row, written):
        return "too many"
    unconfirmed = site_orders.must_be_confirmed(written, reading.orders)
    if unconfirmed:
        about = {"challenge": written.answered.get("challenge")}
        correspondents.ask_to_confirm(connection, who, now, order=unconfirmed, name=letter.name, **about)
        return "to be confirmed"
    items = site_orders.act_on(connection, house, written, reading.orders)
    if correspondents.correspondent(connection, who.id).address:
        words = _words(reading, items, letter.trouble)
        correspondents.write(connection, who, "site", now, answers=letter.message_id, **words)
    if not written.is_certain:
        return "doubtful"
    return "puzzled" if reading.puzzled else "read"


def _words(reading: Reading, items: list[site_orders.Item], trouble: str | None) -> Words:
    return {
        "items": [asdict(item) for item in items],
        "puzzled": asdict(reading.puzzled) if reading.puzzled else None,
        "ignored": list(reading.ignored),
        "trouble": trouble or "",
        "challenge": next((item.challenge for item in items if item.challenge), None),
    }


def _letter_answered(connection: Connection, row: Found) -> Found | None:
    ours = select(SiteOutboxRow.kind, SiteOutboxRow.text, SiteOutboxRow.words).where(
        SiteOutboxRow.correspondent_id == row.correspondent_id, SiteOutboxRow.number == row.letter
    )
    return connection.execute(ours).one_or_none()


def _most_a_day(row: Found, written: Written) -> int:
    """How many letters that came this way are answered in a day."""
    if not written.is_certain:
        return _DOUBTFUL_ANSWERS_A_DAY
    return _REPLIES_A_DAY if row.letter else _ANSWERS_A_DAY


def _answered_today(connection: Connection, row: Found, written: Written) -> int:
    """How many letters that came the same way were answered, so that no two programs write to each other for ever.

    What anybody sends in a player's name does not use up what the player may reply.
    """
    is_reply = SiteInboxRow.letter != 0 if row.letter else SiteInboxRow.letter == 0
    lately = select(func.count()).where(
        SiteInboxRow.correspondent_id == row.correspondent_id,
        SiteInboxRow.read_at > written.at - _DAY,
        SiteInboxRow.reading.in_(_READ if written.is_certain else _DOUBTFUL),
        is_reply,
    )
    return connection.execute(lately).scalar_one()
