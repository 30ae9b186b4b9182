"""Proves that a person reads an address, by a number and a link emailed there; their life is in `corr/limits.py`."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, NotNullable, bindparam, func, insert, select, update

from corr import limits
from corr.service.players import access_log, bouncing_mailboxes, mailboxes
from corr.service.players.access_log import RefusalReason, SignInMethod, SignInPurpose
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store import server_secrets
from corr.store.rows import one_or_none_of
from corr.store.tables import SignInRow, SiteOutboxRow

#: Older emails are ignored, because their request's id may be reused by then; guesses are counted over this time.
_RECENT_SPAN = timedelta(days=1)
_BATCH = 50


class AddressProof(NamedTuple):
    """A proved mailbox, the challenge or event that its reader came for, and the guest they were, if any."""

    request: int
    correspondent_id: int
    goal: str | None
    guest_id: int | None


class _RequestRow(NamedTuple):
    id: int
    address: str
    own: bool
    player_id: int | None
    guest_id: int | None


class _AttemptRow(NamedTuple):
    correspondent_id: int | None
    player_id: int | None
    tries: int
    made_at: datetime
    used_at: datetime | None


def record_claim(
    connection: Connection,
    address: str,
    now: datetime,
    *,
    goal: str | None = None,
    player: int | None = None,
    own: bool = False,
    guest: int | None = None,
) -> str:
    """Store a request to prove an address; return its random id for the page.

    A worker emails the address later, so that not even the response time reveals whether an email goes there.
    """
    mark, seed = secrets.token_urlsafe(12), secrets.token_hex(16)
    asked = insert(SignInRow).values(
        mark=mark, address=address, seed=seed, tries=0, goal=goal, own=own, player_id=player, made_at=now
    )
    connection.execute(asked.values(guest_id=guest))
    return mark


_WAITING_QUERY = (
    select(SignInRow.id).where(SignInRow.address.is_not(None)).order_by(SignInRow.id).limit(_BATCH)
)
_REQUEST_QUERY = select(
    SignInRow.id, NotNullable(SignInRow.address), SignInRow.own, SignInRow.player_id, SignInRow.guest_id
)
HAS_WORK = _WAITING_QUERY.exists()


def write_some(server: Server, now: datetime) -> int:
    """Queue a proof email for each new request, if allowed; return how many requests were handled."""
    with server.store.asking() as connection:
        ids = connection.execute(_WAITING_QUERY).scalars().all()
    return sum(_write(server, request, now) for request in ids)


def _write(server: Server, request: int, now: datetime) -> bool:
    """Handle a new request, with or without an email; False if another worker did."""
    with server.store.writing() as connection:
        this = SignInRow.id == request
        held = _REQUEST_QUERY.where(this, SignInRow.address.is_not(None)).with_for_update()
        asked = one_or_none_of(_RequestRow, connection.execute(held))
        if asked is None:
            return False
        who = mailboxes.find_or_create(connection, asked.address, now)
        mailboxes.lock_mailboxes(connection, who)
        # If no email went out, nobody can know the number, and nobody must guess it.
        reader = who.id if _write_if_allowed(connection, who, asked, now) else None
        connection.execute(update(SignInRow).where(this).values(address=None, correspondent_id=reader))
    if reader is None:
        access_log.log_unsent(_name_purpose(asked.player_id))
    return True


def _write_if_allowed(connection: Connection, who: Correspondent, asked: _RequestRow, now: datetime) -> bool:
    """Queue a request's email; False if a limit or the address's owner forbids it."""
    if _is_over_limit(connection, who, asked.own, now):
        return False
    if asked.player_id is None:
        words = {"sign_in": asked.id, "keeps": asked.guest_id is not None}
        return mailboxes.write_unasked(connection, who, "sign_in", now, **words) is not None
    if who.player_id is not None:
        return False
    words = {"sign_in": asked.id, "player": asked.player_id}
    return mailboxes.write_unasked(connection, who, "address", now, **words) is not None


def _is_over_limit(connection: Connection, who: Correspondent, own: bool, now: datetime) -> bool:  # noqa: FBT001
    """Whether this mailbox got too many proof emails lately; the owner's own requests count apart."""
    for most, span in limits.SIGN_IN_EMAILS:
        lately = (
            (SignInRow.correspondent_id == who.id) & (SignInRow.made_at > now - span) & (SignInRow.own == own)
        )
        unused = select(func.count()).select_from(SignInRow).where(lately, SignInRow.used_at.is_(None))
        if connection.execute(unused).scalar_one() >= most:
            return True
    return False


def add_digits(connection: Connection, words: Mapping[str, Any]) -> dict[str, Any]:
    """Return an email's template data, adding the six digits to a sign-in email's."""
    if "sign_in" not in words:
        return dict(words)
    asked = select(SignInRow.seed).where(SignInRow.id == words["sign_in"])
    return {**words, "digits": _digits(connection, connection.execute(asked).scalar_one())}


def _digits(connection: Connection, seed: str) -> str:
    """Compute a request's six digits from its seed and the server's key. They are not stored."""
    key = server_secrets.load_secret(connection, "digits")
    made = int.from_bytes(hmac.digest(key, seed.encode(), hashlib.sha256))
    return f"{made % 1_000_000:06}"


def check_number(
    connection: Connection, mark: str, digits: str, now: datetime, player: int | None = None
) -> AddressProof | None:
    """Prove an address by its email's six digits, which work once; None if refused.

    `player` is adding the address; without one, a person signs in. After too many tries in a day only the link works.
    """
    request = connection.execute(_BY_MARK_QUERY, {"mark": mark}).scalar_one_or_none()
    tried = update(SignInRow).where(
        SignInRow.id == request, SignInRow.tries < limits.ADDRESS_PROOF_TRIES, _is_usable(player, now)
    )
    counted = tried.values(tries=SignInRow.tries + 1).returning(SignInRow.seed)
    seed = connection.execute(counted).scalar_one_or_none()
    is_guessed = request is not None and _is_being_guessed(connection, request, now)
    right = _digits(connection, seed) if seed and not is_guessed else ""
    is_right = hmac.compare_digest(right.encode(), digits.strip().encode())
    found = _use_up(connection, request, player, now) if request and seed and is_right else None
    if found is None:
        why = RefusalReason.TRIES if is_guessed else _find_reason(connection, request, now, player)
        access_log.log_failure(_name_purpose(player), SignInMethod.NUMBER, why)
    return found


_BY_MARK_QUERY = select(SignInRow.id).where(SignInRow.mark == bindparam("mark"))


def _is_being_guessed(connection: Connection, request: int, now: datetime) -> bool:
    """Whether so many numbers were tried for this person in a day that somebody is guessing.

    The newest try is counted already, and each request counts one at a time, so parallel tries don't get around it.
    """
    reader = connection.execute(
        select(SignInRow.correspondent_id).where(SignInRow.id == request)
    ).scalar_one_or_none()
    if reader is None:
        return False
    who = mailboxes.load_correspondent(connection, reader)
    tries = select(func.coalesce(func.sum(SignInRow.tries), 0)).where(
        SignInRow.correspondent_id.in_(mailboxes.select_mailboxes(who)),
        SignInRow.made_at > now - _RECENT_SPAN,
        SignInRow.used_at.is_(None),
    )
    return bool(connection.execute(tries).scalar_one() > limits.ADDRESS_PROOF_TRIES_A_DAY)


def check_link(
    connection: Connection, who: Correspondent, letter: int, now: datetime, player: int | None = None
) -> AddressProof | None:
    """Prove an address by the page linked from this mailbox's email number `letter`; None if refused."""
    request = _find_request(connection, who, letter, now)
    found = _use_up(connection, request, player, now) if request else None
    if found is None:
        access_log.log_failure(
            _name_purpose(player), SignInMethod.LINK, _find_reason(connection, request, now, player)
        )
    return found


def _find_request(connection: Connection, who: Correspondent, letter: int, now: datetime) -> int | None:
    """Return the request that this mailbox's email number `letter` is about. None after a day: ids are reused."""
    asked = select(SiteOutboxRow.words).where(
        SiteOutboxRow.correspondent_id == who.id,
        SiteOutboxRow.number == letter,
        SiteOutboxRow.made_at > now - _RECENT_SPAN,
    )
    words = connection.execute(asked).scalar_one_or_none()
    request = json.loads(words).get("sign_in") if words else None
    own = select(SignInRow.id).where(SignInRow.id == request, SignInRow.correspondent_id == who.id)
    return connection.execute(own).scalar_one_or_none()


def _name_purpose(player: int | None) -> SignInPurpose:
    """Name a request's purpose for the log: only adding an address has a player."""
    return SignInPurpose.SIGN_IN if player is None else SignInPurpose.ADDRESS


def _find_reason(
    connection: Connection, request: int | None, now: datetime, player: int | None
) -> RefusalReason:
    """Return why a number or link was refused, for the log; pages don't tell."""
    tried = one_or_none_of(_AttemptRow, connection.execute(_ATTEMPT_QUERY.where(SignInRow.id == request)))
    if tried is None or tried.player_id != player:
        return RefusalReason.UNKNOWN
    if tried.correspondent_id is None:
        return RefusalReason.UNSENT
    if tried.used_at is not None:
        return RefusalReason.USED
    if tried.made_at <= now - limits.ADDRESS_PROOF_LIFE:
        return RefusalReason.OLD
    return RefusalReason.TRIES if tried.tries >= limits.ADDRESS_PROOF_TRIES else RefusalReason.WRONG


_ATTEMPT_QUERY = select(
    SignInRow.correspondent_id, SignInRow.player_id, SignInRow.tries, SignInRow.made_at, SignInRow.used_at
)


def is_open(connection: Connection, who: Correspondent, letter: int, now: datetime) -> bool:
    """Whether the link in this mailbox's email number `letter` still works: unused and not too old."""
    request = _find_request(connection, who, letter, now)
    asked = select(SignInRow.id).where(
        SignInRow.id == request,
        SignInRow.used_at.is_(None),
        SignInRow.made_at > now - limits.ADDRESS_PROOF_LIFE,
    )
    return connection.execute(asked).scalar_one_or_none() is not None


def _use_up(connection: Connection, request: int, player: int | None, now: datetime) -> AddressProof | None:
    """Mark a request as used, and its mailbox as working; None if it can't be used."""
    this = (SignInRow.id == request) & SignInRow.correspondent_id.is_not(None)
    used = update(SignInRow).where(this, _is_usable(player, now)).values(used_at=now)
    asked = used.returning(*_PROOF_COLUMNS)
    proof = one_or_none_of(AddressProof, connection.execute(asked))
    if proof:
        bouncing_mailboxes.clear_bounces(connection, proof.correspondent_id)
    return proof


_PROOF_COLUMNS = (
    SignInRow.id.label("request"),
    NotNullable(SignInRow.correspondent_id),
    SignInRow.goal,
    SignInRow.guest_id,
)


def _is_usable(player: int | None, now: datetime) -> ColumnElement[bool]:
    """Build the condition that a request is fresh, unused, and this player's or a sign-in."""
    is_for_this = SignInRow.player_id.is_(None) if player is None else SignInRow.player_id == player
    return SignInRow.used_at.is_(None) & (SignInRow.made_at > now - limits.ADDRESS_PROOF_LIFE) & is_for_this
