"""Asking whether an address is somebody's: a letter goes there with a number and a link that both work once."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, bindparam, func, insert, select, update

from corr.desk import correspondents, gate
from corr.desk.correspondents import Correspondent
from corr.desk.gate import By, What, Why
from corr.desk.house import House
from corr.store.tables import SignIn, SiteOutboxRow

LIFE = timedelta(minutes=10)
#: No letter is written so long after its asking, and no asking's number is another's so soon after.
_LONG_SINCE = timedelta(days=1)
_TRIES = 10
_BATCH = 50
#: How many letters that nobody has used go to one address in which time.
_LETTERS = ((3, timedelta(hours=1)), (10, timedelta(days=1)))

Found = Row[*tuple[Any, ...]]


def ask(
    connection: Connection, address: str, now: datetime, *, goal: str | None = None, player: int | None = None
) -> str:
    """Somebody says that an address is theirs: to be let in, or as a further one of a player; the asking's mark.

    A worker sees to it, so that not even the time it takes tells whether a letter goes there.
    """
    mark, seed = secrets.token_urlsafe(12), secrets.token_hex(16)
    asked = insert(SignIn).values(
        mark=mark, address=address, seed=seed, tries=0, goal=goal, player_id=player, made_at=now
    )
    connection.execute(asked)
    return mark


# ---------------------------------------------------------------- the letter


_ASKED = select(SignIn.id).where(SignIn.address.is_not(None)).order_by(SignIn.id).limit(_BATCH)


def write_some(house: House, now: datetime) -> int:
    """Write to the addresses that were named, if letters may go there; how many were."""
    with house.store.asking() as connection:
        ids = connection.execute(_ASKED).scalars().all()
    return sum(_write(house, asking, now) for asking in ids)


def _write(house: House, asking: int, now: datetime) -> bool:
    with house.store.writing() as connection:
        this = SignIn.id == asking
        held = select(SignIn.__table__).where(this, SignIn.address.is_not(None)).with_for_update()
        row = connection.execute(held).one_or_none()
        if row is None:
            return False
        who = correspondents.met(connection, row.address, now)
        correspondents.hold(connection, who)
        # Where no letter went, nobody can know the number, and nobody shall guess it.
        reader = who.id if _is_written(connection, who, row, now) else None
        connection.execute(update(SignIn).where(this).values(address=None, correspondent_id=reader))
    if reader is None:
        gate.unsent(_what(row.player_id))
    return True


def _is_written(connection: Connection, who: Correspondent, row: Found, now: datetime) -> bool:
    """Write the letter if it may go there; what is a player's already cannot become another's."""
    if _is_too_much(connection, who, now):
        return False
    if row.player_id is None:
        return correspondents.write_unasked(connection, who, "sign_in", now, sign_in=row.id) is not None
    if who.player_id is not None:
        return False
    words = {"sign_in": row.id, "player": row.player_id}
    return correspondents.write_unasked(connection, who, "address", now, **words) is not None


def _is_too_much(connection: Connection, who: Correspondent, now: datetime) -> bool:
    """Whether as many letters of this kind have gone there lately as may."""
    for most, span in _LETTERS:
        lately = (SignIn.correspondent_id == who.id) & (SignIn.made_at > now - span)
        unused = select(func.count()).select_from(SignIn).where(lately, SignIn.used_at.is_(None))
        if connection.execute(unused).scalar_one() >= most:
            return True
    return False


# ---------------------------------------------------------------- the six digits


def with_digits(connection: Connection, words: Mapping[str, Any]) -> dict[str, Any]:
    """What a letter says, with the six digits where it is to bring them."""
    if "sign_in" not in words:
        return dict(words)
    asked = select(SignIn.seed).where(SignIn.id == words["sign_in"])
    return {**words, "digits": _digits(connection, connection.execute(asked).scalar_one())}


def _digits(connection: Connection, seed: str) -> str:
    """The six digits of a seed. They are kept nowhere: without the house's key nobody can tell them."""
    key = correspondents.secret(connection, "digits")
    made = int.from_bytes(hmac.digest(key, seed.encode(), hashlib.sha256))
    return f"{made % 1_000_000:06}"


# ---------------------------------------------------------------- the answer


def by_number(
    connection: Connection, mark: str, digits: str, now: datetime, player: int | None = None
) -> Found | None:
    """Use an asking up by the number from its letter; None where it is wrong, and after ten tries every one is."""
    asking = connection.execute(_OF_MARK, {"mark": mark}).scalar_one_or_none()
    tried = update(SignIn).where(SignIn.id == asking, SignIn.tries < _TRIES, _is_good(player, now))
    row = connection.execute(tried.values(tries=SignIn.tries + 1).returning(SignIn.seed)).one_or_none()
    right = _digits(connection, row.seed) if row else ""
    is_right = hmac.compare_digest(right.encode(), digits.strip().encode())
    found = _used(connection, asking, player, now) if asking and row and is_right else None
    if found is None:
        gate.kept_out(_what(player), By.NUMBER, _why_not(connection, asking, now, player))
    return found


_OF_MARK = select(SignIn.id).where(SignIn.mark == bindparam("mark"))


def by_letter(
    connection: Connection, who: Correspondent, letter: int, now: datetime, player: int | None = None
) -> Found | None:
    """Use an asking up by the page that its letter names; None where that was done, or is too late."""
    asking = _of_letter(connection, who, letter, now)
    found = _used(connection, asking, player, now) if asking else None
    if found is None:
        gate.kept_out(_what(player), By.LINK, _why_not(connection, asking, now, player))
    return found


def _of_letter(connection: Connection, who: Correspondent, letter: int, now: datetime) -> int | None:
    """The asking of which a letter tells; None of an old letter: by now its number may be another asking's."""
    asked = select(SiteOutboxRow.words).where(
        SiteOutboxRow.correspondent_id == who.id,
        SiteOutboxRow.number == letter,
        SiteOutboxRow.made_at > now - _LONG_SINCE,
    )
    words = connection.execute(asked).scalar_one_or_none()
    asking = json.loads(words).get("sign_in") if words else None
    own = select(SignIn.id).where(SignIn.id == asking, SignIn.correspondent_id == who.id)
    return connection.execute(own).scalar_one_or_none()


def _what(player: int | None) -> What:
    return What.SIGN_IN if player is None else What.ADDRESS


def _why_not(connection: Connection, asking: int | None, now: datetime, player: int | None) -> Why:
    """Why an asking was not used up, as the log tells it; the page says the same whatever it was."""
    asked = select(SignIn.__table__).where(SignIn.id == asking)
    row = connection.execute(asked).one_or_none()
    if row is None or row.player_id != player:
        return Why.UNKNOWN
    if row.correspondent_id is None:
        return Why.UNSENT
    if row.used_at is not None:
        return Why.USED
    if row.made_at <= now - LIFE:
        return Why.OLD
    return Why.TRIES if row.tries >= _TRIES else Why.WRONG


def is_open(connection: Connection, who: Correspondent, letter: int, now: datetime) -> bool:
    """Whether the asking of which a letter tells may still be answered."""
    asking = _of_letter(connection, who, letter, now)
    asked = select(SignIn.id).where(
        SignIn.id == asking, SignIn.used_at.is_(None), SignIn.made_at > now - LIFE
    )
    return connection.execute(asked).one_or_none() is not None


def _used(connection: Connection, asking: int, player: int | None, now: datetime) -> Found | None:
    """Use an asking up, once."""
    this = (SignIn.id == asking) & SignIn.correspondent_id.is_not(None)
    used = update(SignIn).where(this, _is_good(player, now))
    return connection.execute(used.values(used_at=now).returning(SignIn.__table__)).one_or_none()


def _is_good(player: int | None, now: datetime) -> ColumnElement[bool]:
    """Whether an asking is young and unused, and for just this: to let in, or to be this player's address."""
    is_for_this = SignIn.player_id.is_(None) if player is None else SignIn.player_id == player
    return SignIn.used_at.is_(None) & (SignIn.made_at > now - LIFE) & is_for_this
