"""Serves the page that a link in one of our emails opens: to confirm, answer, sign in or add an address."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from corr.mail.address import TokenKind
from corr.messages import sentence
from corr.service.lobby import challenges, site_commands
from corr.service.players import address_checks, addresses, authentication, mailboxes, players
from corr.service.players.authentication import NewSession, Visitor
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.rows import one_or_none_of
from corr.store.tables import CorrespondentRow, SiteOutboxRow
from corr.words.errors import Refused


@dataclass(frozen=True, slots=True)
class OpenedEmail:
    """One of our emails whose page was opened: its recipient, kind and content."""

    who: Correspondent
    number: int
    kind: str
    words: Mapping[str, Any]
    state: str  # "open" while its action is still possible
    is_refused: bool  # this address wants no unsolicited email


def open_email(server: Server, mark: str, now: datetime) -> OpenedEmail:
    """Return the email behind a link; Refused if we sent no such email."""
    with server.store.reading() as connection:
        found = mailboxes.find_by_token(connection, f"{mark}@{server.domain}", server.domain)
        if found is None or found[1].kind is not TokenKind.LINK:
            raise Refused(sentence("letters.no_letter"))
        who, token = found
        ours = _EMAIL_QUERY.where(
            SiteOutboxRow.correspondent_id == who.id, SiteOutboxRow.number == token.number
        )
        letter = one_or_none_of(_EmailRow, connection.execute(ours))
        words = json.loads(letter.words) if letter else {}
        if letter is None or not words:
            raise Refused(sentence("letters.no_letter"))
        is_asking = letter.kind in ("sign_in", "address")
        state = (
            _find_request_state(connection, who, token.number, now)
            if is_asking
            else _state(connection, letter.kind, words, now)
        )
        return OpenedEmail(who, token.number, letter.kind, words, state, letter.refused)


class _EmailRow(NamedTuple):
    kind: str
    words: str
    refused: bool


_EMAIL_QUERY = select(SiteOutboxRow.kind, SiteOutboxRow.words, CorrespondentRow.refused).join(
    CorrespondentRow, CorrespondentRow.id == SiteOutboxRow.correspondent_id
)


def _find_request_state(connection: Connection, who: Correspondent, letter: int, now: datetime) -> str:
    """Tell whether a request to sign in or to add an address is still open."""
    return "open" if address_checks.is_open(connection, who, letter, now) else "used"


def _state(connection: Connection, kind: str, words: Mapping[str, Any], now: datetime) -> str:
    """Return the state of the email's action; "open" while nothing has happened."""
    match kind:
        case "invitation":
            return challenges.state(connection, words["challenge"], now)
        case _:
            return "used" if words.get("used") else "open"


def accept(server: Server, letter: OpenedEmail, name: str, now: datetime) -> None:
    """Accept the email's challenge; a new player plays under the given name."""
    with server.store.writing() as connection:
        who = _confirm_recipient(connection, letter, now)
        if who.player_id is None:
            players.enrol(connection, who, name, now)
            who = mailboxes.load_correspondent(connection, who.id)
        challenges.accept(
            connection, who, challenges.load_challenge(connection, letter.words["challenge"]), now
        )


def decline(server: Server, letter: OpenedEmail, now: datetime) -> None:
    """Decline the challenge that the email brought."""
    with server.store.writing() as connection:
        who = _confirm_recipient(connection, letter, now)
        challenges.decline(
            connection, who, challenges.load_challenge(connection, letter.words["challenge"]), now
        )


def confirm(server: Server, letter: OpenedEmail, now: datetime) -> site_commands.SiteAnswerItem:
    """Carry out the order that the email asked to confirm, and return the answer."""
    with server.store.writing() as connection:
        who = _confirm_recipient(connection, letter, now)
        name = letter.words.get("name", "")
        written = site_commands.SiteOrders(
            who, name, True, letter.number, letter.words, now
        )  # True: is_certain
        return site_commands.run_confirmed(connection, server, written)


def never_again(server: Server, letter: OpenedEmail, now: datetime) -> None:
    """Stop all unsolicited email to this address."""
    with server.store.writing() as connection:
        site_commands.never_again(connection, letter.who, letter.words, now)


def sign_in(server: Server, letter: OpenedEmail, now: datetime) -> NewSession:
    """Sign in the visitor who has the email."""
    return authentication.sign_in_by_link(server, letter.who, letter.number, now)


def add_address(server: Server, letter: OpenedEmail, visitor: Visitor, now: datetime) -> str:
    """Add the address to the signed-in player who asked for it, and return it."""
    return addresses.add_by_link(server, visitor, letter.who, letter.number, now)


def _confirm_recipient(connection: Connection, letter: OpenedEmail, now: datetime) -> Correspondent:
    """Return the email's recipient as confirmed: only they can have this link."""
    mailboxes.confirm(connection, letter.who, now)
    return replace(letter.who, is_confirmed=True)
