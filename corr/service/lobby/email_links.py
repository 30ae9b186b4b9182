"""Serves the page that a link in one of our emails opens: to confirm, answer, sign in or add an address."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select

from corr import limits
from corr.mail.address import TokenKind
from corr.service.lobby import challenges, site_commands
from corr.service.players import access_log, address_checks, authentication, mailboxes, players
from corr.service.players.access_log import SignInMethod
from corr.service.players.mailboxes import Correspondent
from corr.service.players.names import nearest_name
from corr.service.server import Server
from corr.store.rows import one_or_none_of
from corr.store.tables import ChallengeRow, CorrespondentRow, GameRow, SeatRow, SiteOutboxRow
from corr.text.messages import sentence
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
    """Return the email of ours that has this token in its link; Refused if none."""
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
        if letter.kind in ("sign_in", "address"):
            state = "open" if address_checks.is_open(connection, who, token.number, now) else "used"
        elif letter.kind == "invitation":
            state = challenges.state(connection, words["challenge"], now)
        else:
            state = "used" if words.get("used") else "open"
        return OpenedEmail(who, token.number, letter.kind, words, state, letter.refused)


class _EmailRow(NamedTuple):
    kind: str
    words: str
    refused: bool


_EMAIL_QUERY = select(SiteOutboxRow.kind, SiteOutboxRow.words, CorrespondentRow.refused).join(
    CorrespondentRow, CorrespondentRow.id == SiteOutboxRow.correspondent_id
)


_GAME_QUERY = (
    select(GameRow.code, SeatRow.side)
    .join(SeatRow, SeatRow.game_id == GameRow.id)
    .join(ChallengeRow, ChallengeRow.game_id == GameRow.id)
    .where(ChallengeRow.id == bindparam("challenge"), SeatRow.player_id == bindparam("player"))
)


class BegunGame(NamedTuple):
    code: str
    side: str


def find_game(server: Server, letter: OpenedEmail) -> BegunGame | None:
    """Return the game that the email's challenge began, with its reader's side; None before."""
    asked = {"challenge": letter.words.get("challenge"), "player": letter.who.player_id}
    if None in asked.values():
        return None
    with server.store.asking() as connection:
        return one_or_none_of(BegunGame, connection.execute(_GAME_QUERY, asked))


def find_offer_code(server: Server, letter: OpenedEmail) -> str:
    """Return the code of the challenge in an invitation."""
    with server.store.reading() as connection:
        return challenges.load_challenge(connection, letter.words["challenge"]).code


class Acceptance(NamedTuple):
    """The code of an accepted challenge, and the session of a new player's browser."""

    code: str
    secret: str | None


def suggest_name(letter: OpenedEmail) -> str:
    """Suggest a name for the email's reader: what stands before the @ of their address."""
    return nearest_name((letter.who.address or "").partition("@")[0])


def accept(
    server: Server, letter: OpenedEmail, name: str, now: datetime, *, may_sign_in: bool = False
) -> Acceptance:
    """Accept the email's challenge; a new player plays under the given name, and may be signed in.

    The link proves the address. But it lives for weeks and may be forwarded, so it signs in to no mailbox that was
    confirmed before, and not as recently as sensitive settings need.
    """
    with server.store.writing() as connection:
        who, secret = _confirm_recipient(connection, letter, now), None
        if who.player_id is None:
            is_ours = name.strip() in ("", suggest_name(letter))
            enrol = players.enrol_by_email if is_ours else players.enrol
            enrol(connection, who, name, now)
            who = mailboxes.load_correspondent(connection, who.id)
            if may_sign_in and not letter.who.is_confirmed:
                secret = authentication.start_session(connection, who, now - limits.RECENT_SIGN_IN)
        found = challenges.load_challenge(connection, letter.words["challenge"])
        challenges.accept(connection, who, found, now)
    if secret:
        access_log.log_sign_in(SignInMethod.INVITATION)
    return Acceptance(found.code, secret)


def decline(server: Server, letter: OpenedEmail, now: datetime) -> None:
    """Decline the challenge that the email offered."""
    with server.store.writing() as connection:
        who = _confirm_recipient(connection, letter, now)
        found = challenges.load_challenge(connection, letter.words["challenge"])
        challenges.decline(connection, who, found, now)


def confirm(server: Server, letter: OpenedEmail, now: datetime) -> site_commands.SiteAnswerItem:
    """Carry out the order that the email asked to confirm, and return the answer."""
    with server.store.writing() as connection:
        who = _confirm_recipient(connection, letter, now)
        written = site_commands.SiteOrders(
            who,
            letter.words.get("name", ""),
            is_certain=True,
            letter=letter.number,
            answered=letter.words,
            at=now,
        )
        return site_commands.run_confirmed(connection, server, written)


def never_again(server: Server, letter: OpenedEmail, now: datetime) -> None:
    """Stop unasked emails to this address, and decline the challenge in the email."""
    with server.store.writing() as connection:
        site_commands.never_again(connection, letter.who, letter.words, now)


def _confirm_recipient(connection: Connection, letter: OpenedEmail, now: datetime) -> Correspondent:
    """Mark the recipient's address as confirmed, as only they have this link; return them."""
    mailboxes.confirm(connection, letter.who, now)
    return replace(letter.who, is_confirmed=True)
