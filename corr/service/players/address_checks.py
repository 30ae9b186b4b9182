"""Checks who owns an address, by an email with a number and a link that each work once."""

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
from corr.service.house import House
from corr.service.players import access_log, bouncing_mailboxes, mailboxes
from corr.service.players.access_log import By, What, Why
from corr.service.players.mailboxes import Correspondent
from corr.store.rows import one_or_none_of
from corr.store.tables import SignIn, SiteOutboxRow

#: No email is written this long after its request, and no request id is reused this soon.
_LONG_SINCE = timedelta(days=1)
_BATCH = 50


class Proof(NamedTuple):
    """Proof that a person reads an address: its mailbox, and what they came for."""

    correspondent_id: int
    goal: str | None


class _Request(NamedTuple):
    id: int
    address: str
    own: bool
    player_id: int | None


class _Tried(NamedTuple):
    correspondent_id: int | None
    player_id: int | None
    tries: int
    made_at: datetime
    used_at: datetime | None


def ask(
    connection: Connection,
    address: str,
    now: datetime,
    *,
    goal: str | None = None,
    player: int | None = None,
    own: bool = False,
) -> str:
    """Record a claim to an address, for signing in or adding; return its mark.

    A worker handles it, so that not even the response time reveals whether an email goes there.
    """
    mark, seed = secrets.token_urlsafe(12), secrets.token_hex(16)
    asked = insert(SignIn).values(
        mark=mark, address=address, seed=seed, tries=0, goal=goal, own=own, player_id=player, made_at=now
    )
    connection.execute(asked)
    return mark


# ---------------------------------------------------------------- the email


_ASKED = select(SignIn.id).where(SignIn.address.is_not(None)).order_by(SignIn.id).limit(_BATCH)
_ASKING = select(SignIn.id, NotNullable(SignIn.address), SignIn.own, SignIn.player_id)
WAITS = _ASKED.exists()


def write_some(house: House, now: datetime) -> int:
    """Email the claimed addresses where that is allowed; return how many were handled."""
    with house.store.asking() as connection:
        ids = connection.execute(_ASKED).scalars().all()
    return sum(_write(house, request, now) for request in ids)


def _write(house: House, request: int, now: datetime) -> bool:
    with house.store.writing() as connection:
        this = SignIn.id == request
        held = _ASKING.where(this, SignIn.address.is_not(None)).with_for_update()
        asked = one_or_none_of(_Request, connection.execute(held))
        if asked is None:
            return False
        who = mailboxes.known_or_new(connection, asked.address, now)
        mailboxes.hold(connection, who)
        # If no email went out, nobody can know the number, and nobody must guess it.
        reader = who.id if _is_written(connection, who, asked, now) else None
        connection.execute(update(SignIn).where(this).values(address=None, correspondent_id=reader))
    if reader is None:
        access_log.unsent(_what(asked.player_id))
    return True


def _is_written(connection: Connection, who: Correspondent, asked: _Request, now: datetime) -> bool:
    """Write the email if allowed; a player's own address cannot become another's."""
    if _is_too_much(connection, who, asked.own, now):
        return False
    if asked.player_id is None:
        return mailboxes.write_unasked(connection, who, "sign_in", now, sign_in=asked.id) is not None
    if who.player_id is not None:
        return False
    words = {"sign_in": asked.id, "player": asked.player_id}
    return mailboxes.write_unasked(connection, who, "address", now, **words) is not None


def _is_too_much(connection: Connection, who: Correspondent, own: bool, now: datetime) -> bool:  # noqa: FBT001
    """Whether too many such emails went there; others' requests do not use up its owner's."""
    for most, span in limits.PROOF_LETTERS:
        lately = (SignIn.correspondent_id == who.id) & (SignIn.made_at > now - span) & (SignIn.own == own)
        unused = select(func.count()).select_from(SignIn).where(lately, SignIn.used_at.is_(None))
        if connection.execute(unused).scalar_one() >= most:
            return True
    return False


# ---------------------------------------------------------------- the six digits


def with_digits(connection: Connection, words: Mapping[str, Any]) -> dict[str, Any]:
    """Return an email's words, with the six digits if it brings them."""
    if "sign_in" not in words:
        return dict(words)
    asked = select(SignIn.seed).where(SignIn.id == words["sign_in"])
    return {**words, "digits": _digits(connection, connection.execute(asked).scalar_one())}


def _digits(connection: Connection, seed: str) -> str:
    """Compute a seed's six digits; they are stored nowhere and need the server's key."""
    key = mailboxes.secret(connection, "digits")
    made = int.from_bytes(hmac.digest(key, seed.encode(), hashlib.sha256))
    return f"{made % 1_000_000:06}"


# ---------------------------------------------------------------- the answer


def by_number(
    connection: Connection, mark: str, digits: str, now: datetime, player: int | None = None
) -> Proof | None:
    """Use up a request by its number; None if wrong, or after ten tries.

    After too many tries against the same person lately, only the page in the email signs in.
    """
    request = connection.execute(_OF_MARK, {"mark": mark}).scalar_one_or_none()
    tried = update(SignIn).where(
        SignIn.id == request, SignIn.tries < limits.PROOF_TRIES, _is_good(player, now)
    )
    counted = tried.values(tries=SignIn.tries + 1).returning(SignIn.seed)
    seed = connection.execute(counted).scalar_one_or_none()
    is_guessed = request is not None and _is_guessed_at(connection, request, now)
    right = _digits(connection, seed) if seed and not is_guessed else ""
    is_right = hmac.compare_digest(right.encode(), digits.strip().encode())
    found = _used(connection, request, player, now) if request and seed and is_right else None
    if found is None:
        why = Why.TRIES if is_guessed else _why_not(connection, request, now, player)
        access_log.kept_out(_what(player), By.NUMBER, why)
    return found


_OF_MARK = select(SignIn.id).where(SignIn.mark == bindparam("mark"))


def _is_guessed_at(connection: Connection, request: int, now: datetime) -> bool:
    """Whether there were so many tries in a day that somebody is guessing.

    This runs after the newest try was counted, and each request takes one try at a time, so parallel tries do not get
    around it.
    """
    reader = connection.execute(
        select(SignIn.correspondent_id).where(SignIn.id == request)
    ).scalar_one_or_none()
    if reader is None:
        return False
    who = mailboxes.correspondent(connection, reader)
    tries = select(func.coalesce(func.sum(SignIn.tries), 0)).where(
        SignIn.correspondent_id.in_(mailboxes.of_same_person(who)),
        SignIn.made_at > now - _LONG_SINCE,
        SignIn.used_at.is_(None),
    )
    return bool(connection.execute(tries).scalar_one() > limits.PROOF_TRIES_A_DAY)


def by_letter(
    connection: Connection, who: Correspondent, letter: int, now: datetime, player: int | None = None
) -> Proof | None:
    """Use up a request by its email's page; None if used or too late."""
    request = _of_letter(connection, who, letter, now)
    found = _used(connection, request, player, now) if request else None
    if found is None:
        access_log.kept_out(_what(player), By.LINK, _why_not(connection, request, now, player))
    return found


def _of_letter(connection: Connection, who: Correspondent, letter: int, now: datetime) -> int | None:
    """Return an email's request; None for old emails, whose number may be another request's."""
    asked = select(SiteOutboxRow.words).where(
        SiteOutboxRow.correspondent_id == who.id,
        SiteOutboxRow.number == letter,
        SiteOutboxRow.made_at > now - _LONG_SINCE,
    )
    words = connection.execute(asked).scalar_one_or_none()
    request = json.loads(words).get("sign_in") if words else None
    own = select(SignIn.id).where(SignIn.id == request, SignIn.correspondent_id == who.id)
    return connection.execute(own).scalar_one_or_none()


def _what(player: int | None) -> What:
    return What.SIGN_IN if player is None else What.ADDRESS


def _why_not(connection: Connection, request: int | None, now: datetime, player: int | None) -> Why:
    """Return why a request failed, for the log; the page always says the same."""
    tried = one_or_none_of(_Tried, connection.execute(_TRYING.where(SignIn.id == request)))
    if tried is None or tried.player_id != player:
        return Why.UNKNOWN
    if tried.correspondent_id is None:
        return Why.UNSENT
    if tried.used_at is not None:
        return Why.USED
    if tried.made_at <= now - limits.PROOF_LIFE:
        return Why.OLD
    return Why.TRIES if tried.tries >= limits.PROOF_TRIES else Why.WRONG


_TRYING = select(SignIn.correspondent_id, SignIn.player_id, SignIn.tries, SignIn.made_at, SignIn.used_at)


def is_open(connection: Connection, who: Correspondent, letter: int, now: datetime) -> bool:
    """Whether the request that an email is about may still be answered."""
    request = _of_letter(connection, who, letter, now)
    asked = select(SignIn.id).where(
        SignIn.id == request, SignIn.used_at.is_(None), SignIn.made_at > now - limits.PROOF_LIFE
    )
    return connection.execute(asked).scalar_one_or_none() is not None


def _used(connection: Connection, request: int, player: int | None, now: datetime) -> Proof | None:
    """Use up a request once, because its email has arrived."""
    this = (SignIn.id == request) & SignIn.correspondent_id.is_not(None)
    used = update(SignIn).where(this, _is_good(player, now)).values(used_at=now)
    asked = used.returning(NotNullable(SignIn.correspondent_id), SignIn.goal)
    proof = one_or_none_of(Proof, connection.execute(asked))
    if proof:
        bouncing_mailboxes.lift(connection, proof.correspondent_id)
    return proof


def _is_good(player: int | None, now: datetime) -> ColumnElement[bool]:
    """Whether a request is young, unused, and for this purpose or player."""
    is_for_this = SignIn.player_id.is_(None) if player is None else SignIn.player_id == player
    return SignIn.used_at.is_(None) & (SignIn.made_at > now - limits.PROOF_LIFE) & is_for_this
