"""Reads each email to the site once, does what it says, and answers to the mailbox that we know."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Nullable, select

from corr.mail.address import Kind, token_of
from corr.mail.inward.authentication import verdict
from corr.mail.inward.automatic_mail import BOUNCE
from corr.mail.inward.fingerprint import is_other
from corr.mail.inward.letter import Letter, open_letter, reading_for_games, without_order
from corr.messages import sentence
from corr.orders import Reading, read
from corr.service.house import House
from corr.service.lobby import site_commands, suggestions
from corr.service.lobby.site_commands import SiteOrders
from corr.service.mail import bounces, forwarding, site_answer_limits, unreadable_emails
from corr.service.mail.intake import Intake
from corr.service.mail.site_inbox import SITE_LETTER, SiteLetter
from corr.service.players import bouncing_mailboxes, mailboxes
from corr.service.players.mailboxes import Correspondent
from corr.store.rows import one_or_none_of
from corr.store.tables import SiteInboxRow, SiteOutboxRow, SiteQuotable

log = logging.getLogger(__name__)

_READ, _DOUBTFUL = ("read", "puzzled"), ("doubtful",)


class _Ours(NamedTuple):
    """Our email that an incoming one answers."""

    kind: str
    text: str | None
    words: str


def read_some(house: House, now: datetime, most: int = 20) -> int:
    """Read waiting emails exactly once and do what they say; return how many were claimed."""
    rows = INTAKE.claim(house, now, most)
    for row in INTAKE.readable(house, rows, now):
        _act(house, row, now)
    return len(rows)


def _act(house: House, row: SiteLetter, now: datetime) -> None:
    try:
        letter = open_letter(row.raw)
    except Exception as error:  # noqa: BLE001  # whatever it is, it holds up no other letter
        INTAKE.fail(house, row, error, now)
        return
    reading = INTAKE.act(house, row, now, lambda connection: _settle(connection, house, row, letter, now))
    if reading == bounces.READING:
        bounces.log_one(INTAKE.named(row))
    elif reading is not None:
        log.info("read an email to the site", extra=INTAKE.named(row))


def _settle(connection: Connection, house: House, row: SiteLetter, letter: Letter, now: datetime) -> str:
    """Apply an email, answer it and mark it read; return how it was read."""
    who = mailboxes.correspondent(connection, row.correspondent_id)
    has_failed = _count_failure(connection, house, row, who, letter, now)
    automatic = BOUNCE if has_failed else bounces.automatic(letter, came_back=row.bounce)
    if automatic:
        reading = f"automatic: {automatic}"
    elif not mailboxes.is_of(connection, who, letter.sender):
        reading = "forged"
    else:
        answered = _letter_answered(connection, row)
        is_proved = _is_proved(house, row, who, letter, answered)
        known = _certain(connection, who, letter.sender, now) if is_proved else who
        written = _written(row, known, letter, answered, now, is_certain=is_proved or row.vouched)
        written = replace(written, is_called_forged=verdict(row.raw, house.authserv_id) == "fail")
        reading = _answer(connection, house, row, letter, written, answered.text if answered else None)
    INTAKE.mark(connection, row.id, read_at=now, reading=reading)
    return reading


def _count_failure(
    connection: Connection, house: House, row: SiteLetter, who: Correspondent, letter: Letter, now: datetime
) -> bool:
    """Count a bounce of one of our emails; return whether this is one.

    It came to the envelope sender, which the reader's own mail server is told.
    """
    tokens = (token_of(address, house.domain) for address in letter.to)
    ours = any(token and token.kind is Kind.BOUNCE and who.signet.has_made(token) for token in tokens)
    if not (row.bounce and ours):
        return False
    is_readers = mailboxes.is_of(connection, who, letter.sender)
    failure = bounces.failure_of(row.raw, letter, is_readers=is_readers)
    if failure and who.address:
        bouncing_mailboxes.count(connection, who, failure, now)
    return failure is not None


def _is_proved(
    house: House, row: SiteLetter, who: Correspondent, letter: Letter, answered: _Ours | None
) -> bool:
    """Whether an email proves its sender by the secret address of ours that it answers.

    Someone who knows only our Message-ID does not have that address, so our mail server must vouch for them. If our
    mail server calls the email forged, the address proves enough only in reply to the email that asks for
    confirmation, because that went to its reader alone.
    """
    if row.letter == 0:
        return False
    vouched = verdict(row.raw, house.authserv_id)
    tokens = (token_of(address, house.domain) for address in letter.to)
    if not any(token and token.kind is Kind.REPLY and who.signet.has_made(token) for token in tokens):
        return vouched == "pass"
    return vouched != "fail" or (answered is not None and answered.kind == "confirm")


def _certain(connection: Connection, who: Correspondent, address: str, now: datetime) -> Correspondent:
    """Confirm a mailbox, because its reader knows an address that only our email contains."""
    if mailboxes.is_mailbox(connection, who, address):
        mailboxes.wrote(connection, who, address)
    mailboxes.confirm(connection, who, now)
    return mailboxes.correspondent(connection, who.id)


def _written(
    row: SiteLetter,
    who: Correspondent,
    letter: Letter,
    answered: _Ours | None,
    now: datetime,
    *,
    is_certain: bool,
) -> SiteOrders:
    told = json.loads(answered.words) if answered else {}
    name = letter.name or told.get("name", "")
    return SiteOrders(who, name, is_certain=is_certain, letter=row.letter, answered=told, at=now)


def _answer(
    connection: Connection,
    house: House,
    row: SiteLetter,
    letter: Letter,
    written: SiteOrders,
    sent: str | None,
) -> str:
    who, now = written.who, written.at
    reading = reading_for_games(letter, sent, forwarding.moves(_listed(written)))
    if automatic := without_order(letter, reading):
        return f"automatic: {automatic}"
    if is_other(row.message_key):
        letter, reading = replace(letter, trouble=sentence("mail.other_words")), read(())
    if _hand_on(connection, house, row, letter.sender, written, reading) and not reading.orders:
        return "handed on"
    answered = site_answer_limits.read_today(connection, row, _READ if written.is_certain else _DOUBTFUL, now)
    if answered >= site_answer_limits.most_a_day(row, is_certain=written.is_certain):
        return "too many"
    unconfirmed = site_commands.must_be_confirmed(written, reading.orders)
    if unconfirmed:
        about = {"challenge": written.answered.get("challenge")}
        about |= {"order": unconfirmed, "name": letter.name}
        is_asked = mailboxes.ask_to_confirm(connection, who, now, **about)
        if is_asked or answered or not _is_doubted_player(written):
            return "to be confirmed"
    items = site_commands.act_on(connection, house, written, reading.orders)
    items += site_commands.not_handed_on(written, reading.coded)
    if mailboxes.correspondent(connection, who.id).address:
        words = _words(reading, items, letter.trouble)
        is_invited = "challenger" in written.answered
        words["topic"] = suggestions.topic_of(reading.ignored, is_invited=is_invited)
        words |= {"listed": _newly_listed(connection, who, items) or _listed(written)}
        mailboxes.write(connection, who, "site", now, answers=letter.message_id, **words)
    if not written.is_certain:
        return "doubtful"
    return "puzzled" if reading.puzzled else "read"


def _hand_on(
    connection: Connection, house: House, row: SiteLetter, sender: str, written: SiteOrders, reading: Reading
) -> bool:
    """Pass on to seats what an email says about their games; return whether it does."""
    if not (reading.coded and written.is_certain):
        return False
    beside = () if reading.orders else reading.ignored
    came = forwarding.Came(sender, row.message_key, row.received_at, beside)
    forwarding.hand_on(connection, house, _listed(written), reading.coded, came)
    return True


def _listed(written: SiteOrders) -> forwarding.Places:
    """Return the games in the answered email's list, as they were at that time."""
    listed: forwarding.Places = written.answered.get("listed", {})
    return listed


def _newly_listed(
    connection: Connection, who: Correspondent, items: Sequence[site_commands.SiteItem]
) -> forwarding.Places:
    """Return the games that the answer lists."""
    games = [code for item in items for code in item.games]
    return forwarding.places(connection, who.player_id, games) if games else {}


def _is_doubted_player(written: SiteOrders) -> bool:
    """Whether somebody wrote in a player's name; the player is told once a day."""
    return written.who.player_id is not None and not written.is_certain


def _words(reading: Reading, items: list[site_commands.SiteItem], trouble: str | None) -> dict[str, Any]:
    return {
        "items": [asdict(item) for item in items],
        "puzzled": asdict(reading.puzzled) if reading.puzzled else None,
        "ignored": list(reading.ignored),
        "trouble": trouble or "",
        "challenge": next((item.challenge for item in items if item.challenge), None),
    }


def _letter_answered(connection: Connection, row: SiteLetter) -> _Ours | None:
    ours = (
        select(SiteOutboxRow.kind, Nullable(SiteQuotable.text), SiteOutboxRow.words)
        .outerjoin_from(SiteOutboxRow, SiteQuotable, SiteQuotable.letter_id == SiteOutboxRow.id)
        .where(SiteOutboxRow.correspondent_id == row.correspondent_id, SiteOutboxRow.number == row.letter)
    )
    return one_or_none_of(_Ours, connection.execute(ours))


#: Emails from correspondents that wait to be read.
INTAKE = Intake(
    SiteInboxRow, SiteInboxRow.correspondent_id, SiteLetter, SITE_LETTER, unreadable_emails.tell_mailbox
)
