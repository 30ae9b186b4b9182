"""Reads each email to the site once, does what it says, and answers to the mailbox that we know."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Nullable, select

from corr.mail.address import TokenKind, parse_token
from corr.mail.inward.authentication import dmarc_verdict
from corr.mail.inward.automatic_mail import BOUNCE
from corr.mail.inward.fingerprint import is_other_key
from corr.mail.inward.letter import IncomingEmail, parse_email, parse_game_orders, why_no_order
from corr.messages import sentence
from corr.orders import ParsedEmail, parse_lines
from corr.service.lobby import site_commands, suggestions
from corr.service.lobby.site_commands import SiteOrders
from corr.service.mail import bounces, forwarding, site_answer_limits, unreadable_emails
from corr.service.mail.inbox_queue import Intake
from corr.service.mail.site_inbox import SITE_MESSAGE_COLUMNS, SiteMessage
from corr.service.players import bouncing_mailboxes, mailboxes
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.rows import one_or_none_of
from corr.store.tables import SiteInboxRow, SiteOutboxRow, SiteQuotableRow

log = logging.getLogger(__name__)

_READ_READINGS, _DOUBTFUL_READINGS = ("read", "puzzled"), ("doubtful",)


class _AnsweredRow(NamedTuple):
    """Our email that an incoming one answers."""

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
        is_proved = _has_proved_sender(server, row, who, letter, answered)
        known = _confirm_mailbox(connection, who, letter.sender, now) if is_proved else who
        written = _make_site_orders(row, known, letter, answered, now, is_certain=is_proved or row.vouched)
        written = replace(
            written, has_failed_authentication=dmarc_verdict(row.raw, server.authserv_id) == "fail"
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
    tokens = (parse_token(address, server.domain) for address in letter.to)
    ours = any(token and token.kind is TokenKind.BOUNCE and who.signet.has_made(token) for token in tokens)
    if not (row.bounce and ours):
        return False
    is_readers = mailboxes.is_of(connection, who, letter.sender)
    failure = bounces.read_failure(row.raw, letter, is_readers=is_readers)
    if failure and who.address:
        bouncing_mailboxes.count_bounce(connection, who, failure, now)
    return failure is not None


def _has_proved_sender(
    server: Server, row: SiteMessage, who: Correspondent, letter: IncomingEmail, answered: _AnsweredRow | None
) -> bool:
    """Whether an email proves its sender by the secret address of ours that it answers.

    Someone who knows only our Message-ID does not have that address, so our mail server must vouch for them. If our
    mail server calls the email forged, the address proves enough only in reply to the email that asks for
    confirmation, because that went to its reader alone.
    """
    if row.letter == 0:
        return False
    vouched = dmarc_verdict(row.raw, server.authserv_id)
    tokens = (parse_token(address, server.domain) for address in letter.to)
    if not any(token and token.kind is TokenKind.REPLY and who.signet.has_made(token) for token in tokens):
        return vouched == "pass"
    return vouched != "fail" or (answered is not None and answered.kind == "confirm")


def _confirm_mailbox(
    connection: Connection, who: Correspondent, address: str, now: datetime
) -> Correspondent:
    """Confirm a mailbox, because its reader knows an address that only our email contains."""
    if mailboxes.is_mailbox(connection, who, address):
        mailboxes.record_sender(connection, who, address)
    mailboxes.confirm(connection, who, now)
    return mailboxes.load_correspondent(connection, who.id)


def _make_site_orders(
    row: SiteMessage,
    who: Correspondent,
    letter: IncomingEmail,
    answered: _AnsweredRow | None,
    now: datetime,
    *,
    is_certain: bool,
) -> SiteOrders:
    told = json.loads(answered.words) if answered else {}
    name = letter.name or told.get("name", "")
    return SiteOrders(who, name, is_certain=is_certain, letter=row.letter, answered=told, at=now)


def _answer(
    connection: Connection,
    server: Server,
    row: SiteMessage,
    letter: IncomingEmail,
    written: SiteOrders,
    sent: str | None,
) -> str:
    who, now = written.who, written.at
    reading = parse_game_orders(letter, sent, forwarding.list_move_numbers(_load_listed_games(written)))
    if automatic := why_no_order(letter, reading):
        return f"automatic: {automatic}"
    if is_other_key(row.message_key):
        letter, reading = replace(letter, trouble=sentence("mail.other_words")), parse_lines(())
    if _forward_to_games(connection, server, row, letter.sender, written, reading) and not reading.orders:
        return "handed on"
    answered = site_answer_limits.count_today(
        connection, row, _READ_READINGS if written.is_certain else _DOUBTFUL_READINGS, now
    )
    if answered >= site_answer_limits.daily_limit(row, is_certain=written.is_certain):
        return "too many"
    unconfirmed = site_commands.find_unconfirmed(written, reading.orders)
    if unconfirmed:
        about = {"challenge": written.answered.get("challenge")}
        about |= {"order": unconfirmed, "name": letter.name}
        is_asked = mailboxes.ask_to_confirm(connection, who, now, **about)
        if is_asked or answered or not _is_doubted_player(written):
            return "to be confirmed"
    items = site_commands.run_commands(connection, server, written, reading.orders)
    items += site_commands.refuse_game_orders(written, reading.coded)
    if mailboxes.load_correspondent(connection, who.id).address:
        words = _words(reading, items, letter.trouble)
        is_invited = "challenger" in written.answered
        words["topic"] = suggestions.guess_topic(reading.ignored, is_invited=is_invited)
        words |= {"listed": _list_new_games(connection, who, items) or _load_listed_games(written)}
        mailboxes.write(connection, who, "site", now, answers=letter.message_id, **words)
    if not written.is_certain:
        return "doubtful"
    return "puzzled" if reading.puzzled else "read"


def _forward_to_games(
    connection: Connection,
    server: Server,
    row: SiteMessage,
    sender: str,
    written: SiteOrders,
    reading: ParsedEmail,
) -> bool:
    """Pass on to seats what an email says about their games; return whether it does."""
    if not (reading.coded and written.is_certain):
        return False
    beside = () if reading.orders else reading.ignored
    came = forwarding.SourceEmail(sender, row.message_key, row.received_at, beside)
    forwarding.forward_to_games(connection, server, _load_listed_games(written), reading.coded, came)
    return True


def _load_listed_games(written: SiteOrders) -> forwarding.ListedGames:
    """Return the games in the answered email's list, as they were at that time."""
    listed: forwarding.ListedGames = written.answered.get("listed", {})
    return listed


def _list_new_games(
    connection: Connection, who: Correspondent, items: Sequence[site_commands.SiteAnswerItem]
) -> forwarding.ListedGames:
    """Return the games that the answer lists."""
    games = [code for item in items for code in item.games]
    return forwarding.load_listed_games(connection, who.player_id, games) if games else {}


def _is_doubted_player(written: SiteOrders) -> bool:
    """Whether somebody wrote in a player's name; the player is told once a day."""
    return written.who.player_id is not None and not written.is_certain


def _words(
    reading: ParsedEmail, items: list[site_commands.SiteAnswerItem], trouble: str | None
) -> dict[str, Any]:
    return {
        "items": [asdict(item) for item in items],
        "puzzled": asdict(reading.puzzled) if reading.puzzled else None,
        "ignored": list(reading.ignored),
        "trouble": trouble or "",
        "challenge": next((item.challenge for item in items if item.challenge), None),
    }


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
    SITE_MESSAGE_COLUMNS,
    unreadable_emails.tell_mailbox,
)
