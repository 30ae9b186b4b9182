"""Stores players' email addresses, and strangers' as long as `corr/limits.py` says; queues emails that may go there."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    case,
    func,
    insert,
    literal,
    null,
    select,
    union_all,
    update,
)

from corr import limits
from corr.mail.address import AddressSigner, Token, parse_token
from corr.service.server import Server
from corr.store.locks import insert_if_new, take_lock
from corr.store.rows import one_or_none_of, rows_of
from corr.store.server_secrets import load_secret
from corr.store.tables import CorrespondentRow, Moment, PlayerRow, SiteOutboxRow
from corr.text.messages import sentence
from corr.words.errors import Refused

_ADDRESS = re.compile(r"[!#-'*+./0-9=?A-Z^-~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}")
_DAY, _WEEK = timedelta(days=1), timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Correspondent:
    """A player's or stranger's mailbox; without an address, we keep only a hash of it."""

    id: int
    address: str | None
    player_id: int | None
    signer: AddressSigner
    is_confirmed: bool


class StoredCorrespondent(NamedTuple):
    """A `Correspondent` as the database stores it."""

    id: int
    address: str | None
    player_id: int | None
    code: str
    key: bytes
    confirmed_at: datetime | None

    @property
    def correspondent(self) -> Correspondent:
        is_confirmed = self.confirmed_at is not None
        return Correspondent(
            self.id, self.address, self.player_id, AddressSigner(self.code, self.key), is_confirmed
        )


#: The columns of a `StoredCorrespondent`.
CORRESPONDENT_COLUMNS = (
    CorrespondentRow.id,
    CorrespondentRow.address,
    CorrespondentRow.player_id,
    CorrespondentRow.code,
    CorrespondentRow.key,
    CorrespondentRow.confirmed_at,
)


def plain_address(text: str, domain: str) -> str:
    """Clean a typed address; Refused if it is invalid or one of ours."""
    address = text.strip()
    if len(address) > limits.ADDRESS_CHARACTERS or not _ADDRESS.fullmatch(address):
        raise Refused(sentence("addresses.no_address"))
    if address.rpartition("@")[2].lower() == domain:
        raise Refused(sentence("addresses.umpires"))
    return address


def find_or_create(connection: Connection, address: str, now: datetime) -> Correspondent:
    """Return the mailbox that we know at an address, created if it is new.

    A player's address counts as confirmed, because the operator vouched for it. A forgotten address is stored again
    if emails may go there.
    """
    found = find_correspondent(connection, address)
    if found and found.address is None:
        forgotten = update(CorrespondentRow).where(CorrespondentRow.id == found.id, _can_be_emailed())
        connection.execute(forgotten.values(address=address))
        return load_correspondent(connection, found.id)
    if found:
        return found
    asked = select(PlayerRow.id).where(PlayerRow.address_key == address.casefold())
    player_id = connection.execute(asked).scalar_one_or_none()
    signer = AddressSigner.new()
    insert_if_new(
        connection,
        CorrespondentRow,
        mark=_hash_address(connection, address),
        address=address,
        player_id=player_id,
        code=signer.code,
        key=signer.key,
        letters=0,
        confirmed_at=now if player_id else None,
        refused=False,
    )
    made = find_correspondent(connection, address)
    assert made
    return made


def find_correspondent(connection: Connection, address: str) -> Correspondent | None:
    """Return the mailbox that we know at an address; None if it is new."""
    return _find_one(connection, CorrespondentRow.mark == _hash_address(connection, address))


def lock_mailboxes(connection: Connection, *whom: Correspondent) -> None:
    """Lock all mailboxes of these people until the transaction ends, in one order for all."""
    theirs = union_all(*map(select_mailboxes, whom))  # with OR, PostgreSQL would scan all mailboxes
    rows = select(CorrespondentRow.id).where(CorrespondentRow.id.in_(theirs)).order_by(CorrespondentRow.id)
    connection.execute(rows.with_for_update(key_share=True)).scalars().all()


def is_mailbox(connection: Connection, who: Correspondent, address: str) -> bool:
    """Whether this correspondent has this address, even if we kept only its hash."""
    found = find_correspondent(connection, address)
    return found is not None and found.id == who.id


def owns(connection: Connection, player_id: int, address: str) -> bool:
    """Whether an address is a confirmed one of this player."""
    found = find_correspondent(connection, address)
    return found is not None and found.is_confirmed and found.player_id == player_id


def is_of(connection: Connection, who: Correspondent, address: str) -> bool:
    """Whether this correspondent has this address, or the same player has confirmed it."""
    if is_mailbox(connection, who, address):
        return True
    return who.player_id is not None and owns(connection, who.player_id, address)


def load_correspondent(connection: Connection, correspondent_id: int) -> Correspondent:
    """Return the correspondent with this id."""
    return load_correspondents(connection, [correspondent_id])[correspondent_id]


def load_correspondents(connection: Connection, ids: Collection[int]) -> dict[int, Correspondent]:
    """Return the correspondents with these ids."""
    found = rows_of(
        StoredCorrespondent,
        connection.execute(select(*CORRESPONDENT_COLUMNS).where(CorrespondentRow.id.in_(ids))),
    )
    return {kept.id: kept.correspondent for kept in found}


def select_mailboxes(who: Correspondent) -> Select[int]:
    """Build a query for the ids of all the player's mailboxes; a stranger has one."""
    found = select(CorrespondentRow.id)
    if who.player_id is None:
        return found.where(CorrespondentRow.id == who.id)
    return found.where(CorrespondentRow.player_id == who.player_id)


def load_main_mailbox(connection: Connection, player_id: int) -> Correspondent:
    """Return the mailbox to which a player's game emails go."""
    asked = select(PlayerRow.address_key).where(PlayerRow.id == player_id)
    found = find_correspondent(connection, connection.execute(asked).scalar_one())
    assert found
    return found


def find_by_token(connection: Connection, address: str, domain: str) -> tuple[Correspondent, Token] | None:
    """Return the mailbox and token that an address or Message-ID of ours names; None if none."""
    token = parse_token(address, domain)
    found = _find_one(connection, CorrespondentRow.code == token.code) if token else None
    return (found, token) if found and token and found.signer.has_made(token) else None


def write(connection: Connection, to: Correspondent, kind: str, now: datetime, **words: object) -> int:
    """Queue an email that its reader asked for, from template data `words`; return its number."""
    number = _take_number(connection, to, CorrespondentRow.id == to.id, {})
    assert number
    _insert_email(connection, to, number, kind, now, words)
    return number


def write_unasked(
    connection: Connection, to: Correspondent, kind: str, now: datetime, **words: object
) -> int | None:
    """Queue an email that its reader didn't ask for; return its number, None if forbidden.

    An unconfirmed mailbox gets one until it answers, and a domain a limited number a day. A mailbox that said "never
    again" gets none.
    """
    if not to.is_confirmed and _is_over_limit(connection, to, now):
        return None
    number = _take_number(connection, to, _can_be_emailed(), _unanswered_values(now))
    if number:
        _insert_email(connection, to, number, kind, now, words)
    return number


def _is_over_limit(connection: Connection, to: Correspondent, now: datetime) -> bool:
    """Whether the daily limit of emails to strangers at this domain is reached."""
    domain = (to.address or "").rpartition("@")[2].lower()
    take_lock(connection, f"strangers at {domain}")
    there = func.lower(CorrespondentRow.address).endswith(f"@{domain}", autoescape=True)
    lately = select(func.count()).where(CorrespondentRow.unanswered_at > now - _DAY, there)
    return connection.execute(lately).scalar_one() >= limits.STRANGERS_OF_A_DOMAIN_A_DAY


def _can_be_emailed() -> ColumnElement[bool]:
    """Build the condition that a mailbox may get an email it didn't ask for."""
    is_confirmed = CorrespondentRow.confirmed_at.is_not(None)
    return ~CorrespondentRow.refused & (is_confirmed | CorrespondentRow.unanswered_at.is_(None))


def _unanswered_values(now: datetime) -> dict[str, Any]:
    """Return the column values by which an unconfirmed mailbox gets no more until it answers."""
    is_confirmed = CorrespondentRow.confirmed_at.is_not(None)
    return {"unanswered_at": case((is_confirmed, null()), else_=literal(now, Moment))}


def ask_to_confirm(connection: Connection, to: Correspondent, now: datetime, **words: object) -> bool:
    """Ask a mailbox's owner whether they wrote an order; return whether we asked.

    The order is stored with the email, not written in it. Until they answer, they are not asked again for a week.
    """
    rested = CorrespondentRow.asked_at.is_(None) | (CorrespondentRow.asked_at < now - _WEEK)
    number = _take_number(
        connection, to, _can_be_emailed() & rested, {"asked_at": now, **_unanswered_values(now)}
    )
    if number:
        _insert_email(connection, to, number, "confirm", now, words)
    return number is not None


def _take_number(
    connection: Connection, to: Correspondent, may: ColumnElement[bool], values: dict[str, Any]
) -> int | None:
    """Take a mailbox's next email number if condition `may` holds; else return None."""
    change = update(CorrespondentRow).where(CorrespondentRow.id == to.id, may)
    numbered = change.values(letters=CorrespondentRow.letters + 1, **values)
    return connection.execute(numbered.returning(CorrespondentRow.letters)).scalar_one_or_none()


def _insert_email(
    connection: Connection, to: Correspondent, number: int, kind: str, now: datetime, words: dict[str, object]
) -> None:
    connection.execute(
        insert(SiteOutboxRow).values(
            correspondent_id=to.id,
            number=number,
            kind=kind,
            words=json.dumps(words, ensure_ascii=False),
            made_at=now,
            due_at=now,
            tries=0,
        )
    )


def use_up(connection: Connection, to: Correspondent, letter: int) -> Mapping[str, Any] | None:
    """Mark a mailbox's single-use email number `letter` as used; return its template data, None if used before."""
    ours = (SiteOutboxRow.correspondent_id == to.id) & (SiteOutboxRow.number == letter)
    held = connection.execute(select(SiteOutboxRow.words).where(ours).with_for_update()).scalar_one_or_none()
    words = json.loads(held) if held else {"used": True}
    if words.get("used"):
        return None
    used = json.dumps(words | {"used": True}, ensure_ascii=False)
    connection.execute(update(SiteOutboxRow).where(ours).values(words=used))
    return words


def record_sender(connection: Connection, who: Correspondent, address: str) -> None:
    """Record that a mailbox's owner wrote from this address, so may be emailed again."""
    _update(connection, who, unanswered_at=None, refused=False, address=address)


def confirm(connection: Connection, who: Correspondent, now: datetime) -> None:
    """Record that the reader of this address has confirmed it."""
    values = {} if who.is_confirmed else {"confirmed_at": now}
    _update(connection, who, unanswered_at=None, asked_at=None, **values)


def never_again(connection: Connection, who: Correspondent) -> None:
    """Stop unrequested emails to this mailbox, and forget a stranger's address."""
    _update(connection, who, refused=True)
    if who.player_id is None:
        _update(connection, who, address=None)


def forget_stranger(connection: Connection, correspondent_id: int) -> None:
    """Delete the address of a stranger who never confirmed it; keep only its hash."""
    change = update(CorrespondentRow).where(
        CorrespondentRow.id == correspondent_id,
        CorrespondentRow.player_id.is_(None),
        CorrespondentRow.confirmed_at.is_(None),
    )
    connection.execute(change.values(address=None))


def forget_strangers(server: Server, now: datetime) -> int:
    """Delete the addresses of strangers who never answered our email; return how many."""
    silent = (
        (CorrespondentRow.unanswered_at < now - limits.STRANGERS_KEPT)
        & CorrespondentRow.address.is_not(None)
        & CorrespondentRow.player_id.is_(None)
    )
    with server.store.asking() as connection:
        if (
            connection.execute(select(CorrespondentRow.id).where(silent).limit(1)).scalar_one_or_none()
            is None
        ):
            return 0
    with server.store.writing() as connection:
        return connection.execute(update(CorrespondentRow).where(silent).values(address=None)).rowcount


def _update(connection: Connection, who: Correspondent, **values: object) -> None:
    connection.execute(update(CorrespondentRow).where(CorrespondentRow.id == who.id).values(**values))


def _find_one(connection: Connection, which: ColumnElement[bool]) -> Correspondent | None:
    """Return the correspondent that meets this condition; None if there is none."""
    kept = one_or_none_of(
        StoredCorrespondent, connection.execute(select(*CORRESPONDENT_COLUMNS).where(which))
    )
    return kept.correspondent if kept else None


def _hash_address(connection: Connection, address: str) -> str:
    """Return the keyed hash by which we recognise an address even after we deleted it."""
    return hmac.new(load_secret(connection, "marks"), address.casefold().encode(), hashlib.sha256).hexdigest()
