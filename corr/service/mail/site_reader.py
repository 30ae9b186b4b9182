"""Reads each email to the site once, does what it says, and answers to the mailbox that we know."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection, Nullable, select

from corr.mail.address import TokenKind
from corr.mail.inward.authentication import dmarc_verdict
from corr.mail.inward.automatic_mail import BOUNCE
from corr.mail.inward.fingerprint import is_other_key
from corr.mail.inward.letter import IncomingEmail, parse_email, parse_game_orders, why_no_order
from corr.messages import sentence
from corr.orders import ParsedEmail, parse_lines
from corr.service.lobby import site_commands, suggestions
from corr.service.lobby.site_commands import SiteOrders
from corr.service.mail import answer_limits, bounces, forwarding, sender_checks, unreadable_emails
from corr.service.mail.inbox_queue import Intake
from corr.service.mail.site_inbox import SiteMessage
from corr.service.players import bouncing_mailboxes, mailboxes
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.rows import one_or_none_of
from corr.store.tables import SiteInboxRow, SiteOutboxRow, SiteQuotableRow

log = logging.getLogger(__name__)

_READ_READINGS, _DOUBTFUL_READINGS = ("read", "puzzled"), ("doubtful",)


class _AnsweredRow(NamedTuple):
    kind: str
    text: str | None
    words: str


def read_some(server: Server, now: datetime, most: int = 20) -> int:
    """Read waiting emails exactly once and do what they say; return how many were claimed."""
    rows = INTAKE.claim(server, now, most)
    for row in INTAKE.readable(server, rows, now):
        _handle_message(server, row, now)
    return len(rows)


def _handle_message(server: Server, row: SiteMessage, now: datetime) -> None:
    try:
        letter = parse_email(row.raw)
    except Exception as error:  # noqa: BLE001  # whatever it is, it holds up no other letter
        INTAKE.fail(server, row, error, now)
        return
    reading = INTAKE.act(
        server, row, now, lambda connection: _apply_message(connection, server, row, letter, now)
    )
    if reading == bounces.BOUNCE_READING:
        bounces.log_bounce(INTAKE.named(row))
    elif reading is not None:
        log.info("read an email to the site", extra=INTAKE.named(row))


def _apply_message(
    connection: Connection, server: Server, row: SiteMessage, letter: IncomingEmail, now: datetime
) -> str:
    """Apply an email, answer it and mark it read; return how it was read."""
    who = mailboxes.load_correspondent(connection, row.correspondent_id)
    has_failed = _count_failure(connection, server, row, who, letter, now)
    automatic = BOUNCE if has_failed else bounces.find_automatic_reason(letter, came_back=row.bounce)
    if automatic:
        reading = f"automatic: {automatic}"
    elif not mailboxes.is_of(connection, who, letter.sender):
        reading = "forged"
    else:
        answered = _load_answered(connection, row)
        told = json.loads(answered.words) if answered else {}
        verdict = dmarc_verdict(row.raw, server.authserv_id)
        is_proved = _has_proved_sender(server, row, who, letter, answered, verdict)
        written = SiteOrders(
            _confirm_mailbox(connection, who, letter.sender, now) if is_proved else who,
            letter.name or told.get("name", ""),
            is_certain=is_proved or row.vouched,
            letter=row.letter,
            answered=told,
            at=now,
            has_failed_authentication=verdict == "fail",
        )
        reading = _answer(connection, server, row, letter, written, answered.text if answered else None)
    INTAKE.mark(connection, row.id, read_at=now, reading=reading)
    return reading


def _count_failure(
    connection: Connection,
    server: Server,
    row: SiteMessage,
    who: Correspondent,
    letter: IncomingEmail,
    now: datetime,
) -> bool:
    """Count a bounce of one of our emails; return whether this is one.

    It came to the envelope sender, which the reader's own mail server is told.
    """
    if not row.bounce:
        return False
    ours = sender_checks.list_tokens(who.signet, letter.to, server.domain, (TokenKind.BOUNCE,))
    is_readers = partial(mailboxes.is_of, connection, who, letter.sender)
    bounced = bounces.find_bounced(row.raw, letter, ours, is_readers)
    if bounced and who.address:
        bouncing_mailboxes.count_bounce(connection, who, bounced.failure, now)
    return bounced is not None


def _has_proved_sender(
    server: Server,
    row: SiteMessage,
    who: Correspondent,
    letter: IncomingEmail,
    answered: _AnsweredRow | None,
    verdict: str | None,
) -> bool:
    """Whether an email proves its sender by the secret address of ours that it answers.

    Someone who knows only our Message-ID does not have that address, so our mail server must vouch for them. If our
    mail server calls the email forged, the address proves enough only in reply to the email that asks for
    confirmation, because that went to its reader alone.
    """
    if row.letter == 0:
        return False
    if not sender_checks.list_tokens(who.signet, letter.to, server.domain, (TokenKind.REPLY,)):
        return verdict == "pass"
    return verdict != "fail" or (answered is not None and answered.kind == "confirm")


def _confirm_mailbox(
    connection: Connection, who: Correspondent, address: str, now: datetime
) -> Correspondent:
    """Confirm a mailbox, because its reader knows an address that only our email contains."""
    if mailboxes.is_mailbox(connection, who, address):
        mailboxes.record_sender(connection, who, address)
    mailboxes.confirm(connection, who, now)
    return mailboxes.load_correspondent(connection, who.id)


def _answer(
    connection: Connection,
    server: Server,
    row: SiteMessage,
    letter: IncomingEmail,
    written: SiteOrders,
    sent: str | None,
) -> str:
    who, now = written.who, written.at
    listed: forwarding.ListedGames = written.answered.get("listed", {})  # as they were at that time
    moves = {code: place["move"] for code, place in listed.items()}
    reading = parse_game_orders(letter, sent, moves)
    if automatic := why_no_order(letter, reading):
        return f"automatic: {automatic}"
    if is_other_key(row.message_key):
        letter, reading = replace(letter, trouble=sentence("mail.other_words")), parse_lines(())
    if reading.coded and written.is_certain:
        beside = () if reading.orders else reading.ignored
        came = forwarding.SourceEmail(letter.sender, row.message_key, row.received_at, beside)
        forwarding.forward_to_games(connection, server, listed, reading.coded, came)
        if not reading.orders:
            return "handed on"
    answered = answer_limits.count_site_answers(
        connection, row, _READ_READINGS if written.is_certain else _DOUBTFUL_READINGS, now
    )
    if answered >= answer_limits.site_limit(row, is_certain=written.is_certain):
        return "too many"
    unconfirmed = site_commands.find_unconfirmed(written, reading.orders)
    if unconfirmed:
        about = {"challenge": written.answered.get("challenge")}
        about |= {"order": unconfirmed, "name": letter.name}
        is_asked = mailboxes.ask_to_confirm(connection, who, now, **about)
        # A player in whose doubtful name somebody wrote is told once a day.
        if is_asked or answered or written.is_certain or written.who.player_id is None:
            return "to be confirmed"
    items = site_commands.run_commands(connection, server, written, reading.orders)
    items += site_commands.refuse_game_orders(written, reading.coded)
    if mailboxes.load_correspondent(connection, who.id).address:
        _write_answer(connection, letter, written, reading, items, listed)
    if not written.is_certain:
        return "doubtful"
    return "puzzled" if reading.puzzled else "read"


def _write_answer(
    connection: Connection,
    letter: IncomingEmail,
    written: SiteOrders,
    reading: ParsedEmail,
    items: Sequence[site_commands.SiteAnswerItem],
    listed: forwarding.ListedGames,
) -> None:
    """Answer by email; games that the answer does not list anew stay as they were listed."""
    games = [code for item in items for code in item.games]
    new = forwarding.load_listed_games(connection, written.who.player_id, games) if games else {}
    mailboxes.write(
        connection,
        written.who,
        "site",
        written.at,
        answers=letter.message_id,
        items=[asdict(item) for item in items],
        puzzled=asdict(reading.puzzled) if reading.puzzled else None,
        ignored=list(reading.ignored),
        trouble=letter.trouble or "",
        challenge=next((item.challenge for item in items if item.challenge), None),
        topic=suggestions.guess_topic(reading.ignored, is_invited="challenger" in written.answered),
        listed=new or listed,
    )


def _load_answered(connection: Connection, row: SiteMessage) -> _AnsweredRow | None:
    ours = (
        select(SiteOutboxRow.kind, Nullable(SiteQuotableRow.text), SiteOutboxRow.words)
        .outerjoin_from(SiteOutboxRow, SiteQuotableRow, SiteQuotableRow.letter_id == SiteOutboxRow.id)
        .where(SiteOutboxRow.correspondent_id == row.correspondent_id, SiteOutboxRow.number == row.letter)
    )
    return one_or_none_of(_AnsweredRow, connection.execute(ours))


#: Emails from correspondents that wait to be read.
INTAKE = Intake(
    SiteInboxRow,
    SiteInboxRow.correspondent_id,
    SiteMessage,
    [getattr(SiteInboxRow, name) for name in SiteMessage._fields],
    unreadable_emails.tell_mailbox,
)
