"""Manages admins' passkeys (limits: `corr/limits.py`): adds, lists, removes them, and checks one before an action."""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import BigInteger, Connection, bindparam, delete, insert, or_, select, update

from corr import limits
from corr.service.players import credentials, mailboxes, players
from corr.service.players.authentication import Visitor
from corr.service.players.credentials import CredentialKind
from corr.service.players.passkey_data import InvalidPasskey, KnownPasskey, site_of
from corr.service.players.times import word_in_utc
from corr.service.server import Server
from corr.store import server_secrets
from corr.store.locks import insert_if_new
from corr.store.rows import rows_of
from corr.store.tables import Moment, PasskeyChallengeRow, PasskeyRow
from corr.text.messages import sentence
from corr.words.errors import Refused

_IS_OLD = PasskeyChallengeRow.made_at <= bindparam("before", type_=Moment)
_OLD_QUERY = select(PasskeyChallengeRow.digest).where(_IS_OLD).limit(1)
_OLD_DELETE = delete(PasskeyChallengeRow).where(_IS_OLD)
_USED_DELETE = (
    delete(PasskeyChallengeRow)
    .where(
        PasskeyChallengeRow.digest == bindparam("asked"),
        PasskeyChallengeRow.browser == bindparam("at"),
        PasskeyChallengeRow.deed == bindparam("wish"),
        PasskeyChallengeRow.made_at > bindparam("since", type_=Moment),
    )
    .returning(PasskeyChallengeRow.digest)
)


def create_challenge(connection: Connection, browser: str, deed: str, now: datetime) -> bytes:
    """Create a random challenge for a passkey to sign; store only its hash."""
    challenge = secrets.token_bytes(32)
    asked = insert(PasskeyChallengeRow).values(
        digest=_challenge_digest(challenge), browser=browser, deed=deed, made_at=now
    )
    connection.execute(asked)
    return challenge


def use_up_challenge(
    connection: Connection, challenge: bytes, browser: str, deed: str, now: datetime
) -> bool:
    """Delete a challenge; return whether it was valid for this browser and action."""
    values = {
        "asked": _challenge_digest(challenge),
        "at": browser,
        "wish": deed,
        "since": now - limits.PASSKEY_CHALLENGE_LIFE,
    }
    return connection.execute(_USED_DELETE, values).scalar_one_or_none() is not None


def delete_expired_challenges(server: Server, now: datetime) -> int:
    """Delete expired challenges; return how many."""
    before = {"before": now - limits.PASSKEY_CHALLENGE_LIFE}
    with server.store.asking() as connection:
        if connection.execute(_OLD_QUERY, before).scalar_one_or_none() is None:
            return 0
    with server.store.writing() as connection:
        return connection.execute(_OLD_DELETE, before).rowcount


def _challenge_digest(challenge: bytes) -> str:
    return hashlib.sha256(challenge).hexdigest()


log = logging.getLogger(__name__)

_KIND = CredentialKind("passkeys", limits.PASSKEY_NAME_CHARACTERS, limits.PASSKEYS)
_OF_PLAYER = PasskeyRow.player_id == bindparam("player")
_NAMES_QUERY = (
    select(PasskeyRow.name, PasskeyRow.made_at, PasskeyRow.used_at).where(_OF_PLAYER).order_by(PasskeyRow.id)
)
_KEYS = (
    select(PasskeyRow.credential, PasskeyRow.public_key, PasskeyRow.sign_count)
    .where(_OF_PLAYER)
    .order_by(PasskeyRow.id)
)
_IS_OWN_PASSKEY = (PasskeyRow.credential == bindparam("which")) & (
    PasskeyRow.player_id == bindparam("player")
)
_PASSKEY_DELETE = delete(PasskeyRow).where(
    PasskeyRow.player_id == bindparam("player"), PasskeyRow.name == bindparam("called")
)
_ALL_DELETE = delete(PasskeyRow).where(PasskeyRow.player_id == bindparam("player")).returning(PasskeyRow.name)
_COUNT = bindparam("count", type_=BigInteger)
#: A passkey that counts its signatures never repeats a count; one that does not count always says 0.
_USED_UPDATE = (
    update(PasskeyRow)
    .where(_IS_OWN_PASSKEY, or_(PasskeyRow.sign_count < _COUNT, (PasskeyRow.sign_count == 0) & (_COUNT == 0)))
    .values(sign_count=_COUNT, used_at=bindparam("at", type_=Moment))
)


class _NameRow(NamedTuple):
    name: str
    made_at: datetime
    used_at: datetime | None


class _KeyRow(NamedTuple):
    credential: str
    public_key: bytes
    sign_count: int


@dataclass(frozen=True, slots=True)
class Holder:
    """An admin, and the hash of the session secret of the browser that they use."""

    visitor: Visitor
    browser: str


@dataclass(frozen=True, slots=True)
class ListedPasskey:
    """A passkey as its holder sees it."""

    name: str
    made: str
    used: str


def list_passkeys(server: Server, visitor: Visitor) -> tuple[ListedPasskey, ...]:
    """List a player's passkeys, the oldest first."""
    with server.store.asking() as connection:
        own = _load_names(connection, visitor.who.player_id)
    return tuple(
        ListedPasskey(each.name, word_in_utc(each.made_at), word_in_utc(each.used_at)) for each in own
    )


def start_setup(server: Server, holder: Holder, name: str, now: datetime) -> str:
    """Return WebAuthn's options for creating a passkey of this name; Refused if not allowed."""
    from corr.service.players.passkey_signatures import creation_options

    with server.store.writing() as connection:
        player = credentials.lock_player(connection, holder.visitor)
        called = _check_name(connection, player, name)
        challenge = create_challenge(connection, holder.browser, f"set up {called}", now)
        known = [each.credential for each in _keys(connection, player)]
        handle = hmac.digest(
            server_secrets.load_secret(connection, "marks"), f"player {player}".encode(), "sha256"
        )
    return creation_options(site_of(server.web_url), challenge, handle, holder.visitor.name or "", known)


def add(server: Server, holder: Holder, name: str, proof: str, now: datetime) -> None:
    """Store the passkey that the browser created, and say so by email; Refused if invalid or not asked for."""
    from corr.service.players.passkey_signatures import check_new_passkey

    try:
        challenge, key = check_new_passkey(site_of(server.web_url), proof)
    except InvalidPasskey as error:
        raise Refused(sentence("passkeys.not_made")) from error
    with server.store.writing() as connection:
        player = credentials.lock_player(connection, holder.visitor)
        called = _check_name(connection, player, name)
        is_asked = use_up_challenge(connection, challenge, holder.browser, f"set up {called}", now)
        values = {"player_id": player, "credential": key.credential, "public_key": key.public}
        counted = {"sign_count": key.count, "name": called, "made_at": now}
        if not is_asked or not insert_if_new(connection, PasskeyRow, **values, **counted):
            raise Refused(sentence("passkeys.not_made"))
        credentials.email_change(connection, holder.visitor.who, _KIND, now, deed="added", passkey=called)


def remove(server: Server, visitor: Visitor, name: str, now: datetime) -> None:
    """Remove a passkey by its name, and say so by email; Refused if there is none."""
    with server.store.writing() as connection:
        this = {"called": name, "player": credentials.lock_player(connection, visitor)}
        if not connection.execute(_PASSKEY_DELETE, this).rowcount:
            raise Refused(sentence("passkeys.none_such"))
        credentials.email_change(connection, visitor.who, _KIND, now, deed="removed", passkey=name)


def remove_lost(server: Server, player: str, now: datetime) -> int:
    """Remove all passkeys of the player with this name, and email that; return how many. Refused if unknown."""
    with server.store.writing() as connection:
        player_id = players.find_player(connection, player)
        if player_id is None:
            raise Refused(sentence("names.nobody", name=player))
        who = mailboxes.load_main_mailbox(connection, player_id)
        mailboxes.lock_mailboxes(connection, who)
        names = connection.execute(_ALL_DELETE, {"player": player_id}).scalars().all()
        for name in names:
            credentials.email_change(connection, who, _KIND, now, deed="removed", passkey=name)
    return len(names)


def start_check(server: Server, holder: Holder, deed: str, now: datetime) -> str | None:
    """Return WebAuthn's options for signing an action; None if the admin has no passkey."""
    with server.store.writing() as connection:
        known = [each.credential for each in _keys(connection, holder.visitor.who.player_id)]
        if not known:
            return None
        challenge = create_challenge(connection, holder.browser, deed, now)
    from corr.service.players.passkey_signatures import request_options

    return request_options(site_of(server.web_url), challenge, known)


def check(server: Server, holder: Holder, deed: str, proof: str, now: datetime) -> None:
    """Raise Refused unless `proof` is a passkey's signature for this action at this browser."""
    from corr.service.players.passkey_signatures import check_used_passkey

    player = holder.visitor.who.player_id
    with server.store.reading() as connection:
        known = _keys(connection, player)
    try:
        challenge, key = check_used_passkey(site_of(server.web_url), proof, known)
    except InvalidPasskey as error:
        log.warning("passkey refused", extra={"player": player})
        raise Refused(sentence("passkeys.not_shown")) from error
    with server.store.writing() as connection:
        is_asked = use_up_challenge(connection, challenge, holder.browser, deed, now)
        signed = {"which": key.credential, "player": player, "count": key.count, "at": now}
        if not is_asked or not connection.execute(_USED_UPDATE, signed).rowcount:
            raise Refused(sentence("passkeys.not_shown"))


def _keys(connection: Connection, player: int | None) -> list[KnownPasskey]:
    found = rows_of(_KeyRow, connection.execute(_KEYS, {"player": player}))
    return [KnownPasskey(each.credential, each.public_key, each.sign_count) for each in found]


def _load_names(connection: Connection, player: int | None) -> list[_NameRow]:
    return rows_of(_NameRow, connection.execute(_NAMES_QUERY, {"player": player}))


def _check_name(connection: Connection, player: int, text: str) -> str:
    """Clean a new passkey's name; raise Refused if invalid, taken or one too many."""
    return credentials.check_name(_KIND, text, [each.name for each in _load_names(connection, player)])
