"""Manages admins' passkeys: set up and removed with an email, and shown for an action."""

from __future__ import annotations

import hmac
import logging
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import BigInteger, Connection, bindparam, delete, or_, select, update

from corr import limits
from corr.messages import sentence
from corr.passkey import KnownPasskey, Site, Worthless, site_of
from corr.service.house import House
from corr.service.players import credentials, mailboxes, passkey_challenges, players
from corr.service.players.authentication import Visitor
from corr.service.players.credentials import Kind
from corr.service.players.time_format import in_utc
from corr.store.locks import insert_once
from corr.store.rows import rows_of
from corr.store.tables import Moment, Passkey
from corr.words.errors import Refused

log = logging.getLogger(__name__)

_KIND = Kind("passkeys", limits.PASSKEY_NAME_CHARACTERS, limits.PASSKEYS)
_OF_PLAYER = Passkey.player_id == bindparam("player")
_NAMED = select(Passkey.name, Passkey.made_at, Passkey.used_at).where(_OF_PLAYER).order_by(Passkey.id)
_KEYS = (
    select(Passkey.credential, Passkey.public_key, Passkey.sign_count).where(_OF_PLAYER).order_by(Passkey.id)
)
_ITS = (Passkey.credential == bindparam("which")) & (Passkey.player_id == bindparam("player"))
_TAKE = delete(Passkey).where(Passkey.player_id == bindparam("player"), Passkey.name == bindparam("called"))
_TAKE_ALL = delete(Passkey).where(Passkey.player_id == bindparam("player")).returning(Passkey.name)
_COUNT = bindparam("count", type_=BigInteger)
#: A passkey that counts its signatures never repeats a count; one that does not count always says 0.
_SIGNED = (
    update(Passkey)
    .where(_ITS, or_(Passkey.sign_count < _COUNT, (Passkey.sign_count == 0) & (_COUNT == 0)))
    .values(sign_count=_COUNT, used_at=bindparam("at", type_=Moment))
)


class _NamedPasskey(NamedTuple):
    name: str
    made_at: datetime
    used_at: datetime | None


class _KeptPasskey(NamedTuple):
    credential: str
    public_key: bytes
    sign_count: int


@dataclass(frozen=True, slots=True)
class Holder:
    """An admin at a browser, which a digest names."""

    visitor: Visitor
    browser: str


@dataclass(frozen=True, slots=True)
class ListedPasskey:
    """A passkey as its holder sees it."""

    name: str
    made: str
    used: str


def listed(house: House, visitor: Visitor) -> tuple[ListedPasskey, ...]:
    """List a player's passkeys, the oldest first."""
    with house.store.asking() as connection:
        own = _named(connection, visitor.who.player_id)
    return tuple(ListedPasskey(each.name, in_utc(each.made_at), in_utc(each.used_at)) for each in own)


# ---------------------------------------------------------------- one more, one fewer


def begin(house: House, holder: Holder, name: str, now: datetime) -> str:
    """Return what the browser must create; Refused if the name is not allowed."""
    from corr.webauthn import wanted_new

    with house.store.writing() as connection:
        player = credentials.held(connection, holder.visitor)
        called = _possible(connection, player, name)
        challenge = passkey_challenges.ask(connection, holder.browser, _setting_up(called), now)
        known = [each.credential for each in _keys(connection, player)]
        handle = hmac.digest(mailboxes.secret(connection, "marks"), f"player {player}".encode(), "sha256")
    return wanted_new(_site(house), challenge, handle, holder.visitor.name or "", known)


def add(house: House, holder: Holder, name: str, proof: str, now: datetime) -> None:
    """Store the passkey that the browser created, and say so by email."""
    from corr.webauthn import made

    try:
        challenge, key = made(_site(house), proof)
    except Worthless as error:
        raise Refused(sentence("passkeys.not_made")) from error
    with house.store.writing() as connection:
        player = credentials.held(connection, holder.visitor)
        called = _possible(connection, player, name)
        is_asked = passkey_challenges.use_up(connection, challenge, holder.browser, _setting_up(called), now)
        values = {"player_id": player, "credential": key.credential, "public_key": key.public}
        counted = {"sign_count": key.count, "name": called, "made_at": now}
        if not is_asked or not insert_once(connection, Passkey, **values, **counted):
            raise Refused(sentence("passkeys.not_made"))
        credentials.tell(connection, holder.visitor.who, _KIND, now, deed="added", passkey=called)


def remove(house: House, visitor: Visitor, name: str, now: datetime) -> None:
    """Remove a passkey, and say so by email."""
    with house.store.writing() as connection:
        this = {"called": name, "player": credentials.held(connection, visitor)}
        if not connection.execute(_TAKE, this).rowcount:
            raise Refused(sentence("passkeys.none_such"))
        credentials.tell(connection, visitor.who, _KIND, now, deed="removed", passkey=name)


def remove_lost(house: House, player: str, now: datetime) -> int:
    """Remove a player's lost passkeys, and say so by email; return how many."""
    with house.store.writing() as connection:
        player_id = players.named(connection, player)
        if player_id is None:
            raise Refused(sentence("names.nobody", name=player))
        who = mailboxes.of_player(connection, player_id)
        mailboxes.hold(connection, who)
        names = connection.execute(_TAKE_ALL, {"player": player_id}).scalars().all()
        for name in names:
            credentials.tell(connection, who, _KIND, now, deed="removed", passkey=name)
    return len(names)


# ---------------------------------------------------------------- shown for an action


def ask(house: House, holder: Holder, deed: str, now: datetime) -> str | None:
    """Return what the browser must show before an action; None without a passkey."""
    with house.store.writing() as connection:
        known = [each.credential for each in _keys(connection, holder.visitor.who.player_id)]
        if not known:
            return None
        challenge = passkey_challenges.ask(connection, holder.browser, deed, now)
    from corr.webauthn import wanted

    return wanted(_site(house), challenge, known)


def check(house: House, holder: Holder, deed: str, proof: str, now: datetime) -> None:
    """Refuse unless a passkey was just shown for this action at this browser."""
    from corr.webauthn import shown

    player = holder.visitor.who.player_id
    with house.store.reading() as connection:
        known = _keys(connection, player)
    try:
        challenge, key = shown(_site(house), proof, known)
    except Worthless as error:
        log.warning("passkey refused", extra={"player": player})
        raise Refused(sentence("passkeys.not_shown")) from error
    with house.store.writing() as connection:
        is_asked = passkey_challenges.use_up(connection, challenge, holder.browser, deed, now)
        signed = {"which": key.credential, "player": player, "count": key.count, "at": now}
        if not is_asked or not connection.execute(_SIGNED, signed).rowcount:
            raise Refused(sentence("passkeys.not_shown"))


# ---------------------------------------------------------------- shared helpers


def _site(house: House) -> Site:
    return site_of(house.web_url)


def _setting_up(name: str) -> str:
    return f"set up {name}"


def _keys(connection: Connection, player: int | None) -> list[KnownPasskey]:
    found = rows_of(_KeptPasskey, connection.execute(_KEYS, {"player": player}))
    return [KnownPasskey(each.credential, each.public_key, each.sign_count) for each in found]


def _named(connection: Connection, player: int | None) -> list[_NamedPasskey]:
    return rows_of(_NamedPasskey, connection.execute(_NAMED, {"player": player}))


def _possible(connection: Connection, player: int, text: str) -> str:
    """Return a further passkey's name; Refused if not allowed or over the limit."""
    return credentials.possible_name(_KIND, text, [each.name for each in _named(connection, player)])
