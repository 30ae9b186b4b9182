"""Who may be written to: mailboxes outside, players' and strangers', and the one letter that a stranger gets."""

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
from corr.mail.address import Signet, Token, token_of
from corr.messages import sentence
from corr.service.house import House
from corr.store.locks import insert_once, take_turns
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import CorrespondentRow, Moment, Player, Secret, SiteOutboxRow
from corr.words.errors import Refused

_ADDRESS = re.compile(r"[!#-'*+./0-9=?A-Z^-~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}")
_DAY, _WEEK = timedelta(days=1), timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Correspondent:
    """A mailbox outside. Of a stranger who does not answer only a mark is kept, and no address."""

    id: int
    address: str | None
    player_id: int | None
    signet: Signet
    is_confirmed: bool


class KeptCorrespondent(NamedTuple):
    """A correspondent as one is kept."""

    id: int
    address: str | None
    player_id: int | None
    code: str
    key: bytes
    confirmed_at: datetime | None

    @property
    def correspondent(self) -> Correspondent:
        is_confirmed = self.confirmed_at is not None
        return Correspondent(self.id, self.address, self.player_id, Signet(self.code, self.key), is_confirmed)


#: What is asked for a `KeptCorrespondent`.
KEPT_CORRESPONDENT = (
    CorrespondentRow.id,
    CorrespondentRow.address,
    CorrespondentRow.player_id,
    CorrespondentRow.code,
    CorrespondentRow.key,
    CorrespondentRow.confirmed_at,
)


def plain_address(text: str, domain: str) -> str:
    """An address that somebody typed; Refused where no letter could go there, or where it is one of ours."""
    address = text.strip()
    if len(address) > limits.ADDRESS_CHARACTERS or not _ADDRESS.fullmatch(address):
        raise Refused(sentence("addresses.no_address"))
    if address.rpartition("@")[2].lower() == domain:
        raise Refused(sentence("addresses.umpires"))
    return address


def known_or_new(connection: Connection, address: str, now: datetime) -> Correspondent:
    """The correspondent at an address, made known if it is new. For a player's the operator has vouched.

    An address that was forgotten is kept again where a letter may go there.
    """
    found = known(connection, address)
    if found and found.address is None:
        forgotten = update(CorrespondentRow).where(CorrespondentRow.id == found.id, _may_be_written_to())
        connection.execute(forgotten.values(address=address))
        return correspondent(connection, found.id)
    if found:
        return found
    asked = select(Player.id).where(Player.address_key == address.casefold())
    player_id = connection.execute(asked).scalar_one_or_none()
    signet = Signet.new()
    insert_once(
        connection,
        CorrespondentRow,
        mark=_mark(connection, address),
        address=address,
        player_id=player_id,
        code=signet.code,
        key=signet.key,
        letters=0,
        confirmed_at=now if player_id else None,
        refused=False,
    )
    made = known(connection, address)
    assert made
    return made


def known(connection: Connection, address: str) -> Correspondent | None:
    """The correspondent at an address, if we know one there."""
    return _one(connection, CorrespondentRow.mark == _mark(connection, address))


def hold(connection: Connection, *whom: Correspondent) -> None:
    """Let nobody else count what is theirs, or change it, before this transaction ends; all in one order."""
    theirs = union_all(*map(of_same_person, whom))  # by "or" PostgreSQL would go through all mailboxes
    rows = select(CorrespondentRow.id).where(CorrespondentRow.id.in_(theirs)).order_by(CorrespondentRow.id)
    connection.execute(rows.with_for_update(key_share=True)).scalars().all()


def is_mailbox(connection: Connection, who: Correspondent, address: str) -> bool:
    """Whether an address is this mailbox's, also where only its mark is kept."""
    found = known(connection, address)
    return found is not None and found.id == who.id


def owns(connection: Connection, player_id: int, address: str) -> bool:
    """Whether an address is a confirmed one of this player's."""
    found = known(connection, address)
    return found is not None and found.is_confirmed and found.player_id == player_id


def is_of(connection: Connection, who: Correspondent, address: str) -> bool:
    """Whether an address is this mailbox's, or another of the same player's."""
    if is_mailbox(connection, who, address):
        return True
    return who.player_id is not None and owns(connection, who.player_id, address)


def correspondent(connection: Connection, correspondent_id: int) -> Correspondent:
    """The correspondent of a row that names one."""
    return correspondents(connection, [correspondent_id])[correspondent_id]


def correspondents(connection: Connection, ids: Collection[int]) -> dict[int, Correspondent]:
    """The correspondents of rows that name them."""
    found = rows_of(
        KeptCorrespondent, connection.execute(select(*KEPT_CORRESPONDENT).where(CorrespondentRow.id.in_(ids)))
    )
    return {kept.id: kept.correspondent for kept in found}


def of_same_person(who: Correspondent) -> Select[int]:
    """All mailboxes of the same player; of somebody who is none, this one."""
    found = select(CorrespondentRow.id)
    if who.player_id is None:
        return found.where(CorrespondentRow.id == who.id)
    return found.where(CorrespondentRow.player_id == who.player_id)


def of_player(connection: Connection, player_id: int) -> Correspondent:
    """Where a player reads letters: the mailbox to which those about games go."""
    asked = select(Player.address_key).where(Player.id == player_id)
    found = known(connection, connection.execute(asked).scalar_one())
    assert found
    return found


def of_address(connection: Connection, address: str, domain: str) -> tuple[Correspondent, Token] | None:
    """The correspondent whom an address, a link or a Message-ID of ours names, if we really made it."""
    token = token_of(address, domain)
    found = _one(connection, CorrespondentRow.code == token.code) if token else None
    return (found, token) if found and token and found.signet.has_made(token) else None


# ---------------------------------------------------------------- writing to them


def write(connection: Connection, to: Correspondent, kind: str, now: datetime, **words: object) -> int:
    """Put a letter that they have asked for into the outbox; its number."""
    number = _next_number(connection, to, CorrespondentRow.id == to.id, {})
    assert number
    _put(connection, to, number, kind, now, words)
    return number


def write_unasked(
    connection: Connection, to: Correspondent, kind: str, now: datetime, **words: object
) -> int | None:
    """Put a letter that they have not asked for into the outbox, if they may get it; its number.

    A mailbox that has not confirmed its address gets one, and no other before that one is answered; of such letters
    so many a day go to one domain. Whoever has said "never again" gets none.
    """
    if not to.is_confirmed and _is_too_much(connection, to, now):
        return None
    number = _next_number(connection, to, _may_be_written_to(), _waits(now))
    if number:
        _put(connection, to, number, kind, now, words)
    return number


def _is_too_much(connection: Connection, to: Correspondent, now: datetime) -> bool:
    """Whether as many strangers at this one's domain were written to in a day as may be."""
    domain = (to.address or "").rpartition("@")[2].lower()
    take_turns(connection, f"strangers at {domain}")
    there = func.lower(CorrespondentRow.address).endswith(f"@{domain}", autoescape=True)
    lately = select(func.count()).where(CorrespondentRow.unanswered_at > now - _DAY, there)
    return connection.execute(lately).scalar_one() >= limits.STRANGERS_OF_A_DOMAIN_A_DAY


def _may_be_written_to() -> ColumnElement[bool]:
    is_confirmed = CorrespondentRow.confirmed_at.is_not(None)
    return ~CorrespondentRow.refused & (is_confirmed | CorrespondentRow.unanswered_at.is_(None))


def _waits(now: datetime) -> dict[str, Any]:
    """What is noted of a letter that nobody had asked for: a stranger has to answer it before there is another."""
    is_confirmed = CorrespondentRow.confirmed_at.is_not(None)
    return {"unanswered_at": case((is_confirmed, null()), else_=literal(now, Moment))}


def ask_to_confirm(connection: Connection, to: Correspondent, now: datetime, **words: object) -> bool:
    """Ask whether it was they who wrote an order, which is kept with the letter and does not stand in it.

    While it is not answered there is no other one for a week; whether they were asked.
    """
    rested = CorrespondentRow.asked_at.is_(None) | (CorrespondentRow.asked_at < now - _WEEK)
    number = _next_number(connection, to, _may_be_written_to() & rested, {"asked_at": now, **_waits(now)})
    if number:
        _put(connection, to, number, "confirm", now, words)
    return number is not None


def _next_number(
    connection: Connection, to: Correspondent, may: ColumnElement[bool], values: dict[str, Any]
) -> int | None:
    """Asked and taken in one statement: of two who would write to a stranger at the same time, one does."""
    change = update(CorrespondentRow).where(CorrespondentRow.id == to.id, may)
    numbered = change.values(letters=CorrespondentRow.letters + 1, **values)
    return connection.execute(numbered.returning(CorrespondentRow.letters)).scalar_one_or_none()


def _put(
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
    """What a letter says that is good for one deed; None where that was done."""
    ours = (SiteOutboxRow.correspondent_id == to.id) & (SiteOutboxRow.number == letter)
    held = connection.execute(select(SiteOutboxRow.words).where(ours).with_for_update()).scalar_one_or_none()
    words = json.loads(held) if held else {"used": True}
    if words.get("used"):
        return None
    used = json.dumps(words | {"used": True}, ensure_ascii=False)
    connection.execute(update(SiteOutboxRow).where(ours).values(words=used))
    return words


# ---------------------------------------------------------------- what they say of themselves


def wrote(connection: Connection, who: Correspondent, address: str) -> None:
    """They have written to us themselves, from this address: they may be written to again."""
    _change(connection, who, unanswered_at=None, refused=False, address=address)


def confirm(connection: Connection, who: Correspondent, now: datetime) -> None:
    """Whoever reads the letters to this address has said so."""
    values = {} if who.is_confirmed else {"confirmed_at": now}
    _change(connection, who, unanswered_at=None, asked_at=None, **values)


def never_again(connection: Connection, who: Correspondent) -> None:
    """No letter that they have not asked for goes there any more; a stranger's address is forgotten."""
    _change(connection, who, refused=True)
    if who.player_id is None:
        _change(connection, who, address=None)


def forget_stranger(connection: Connection, correspondent_id: int) -> None:
    """Keep no more than the mark of somebody who has never answered."""
    change = update(CorrespondentRow).where(
        CorrespondentRow.id == correspondent_id,
        CorrespondentRow.player_id.is_(None),
        CorrespondentRow.confirmed_at.is_(None),
    )
    connection.execute(change.values(address=None))


def forget_some(house: House, now: datetime) -> int:
    """Keep no more than the marks of strangers who have not answered for a long time; how many."""
    silent = (
        (CorrespondentRow.unanswered_at < now - limits.STRANGERS_KEPT)
        & CorrespondentRow.address.is_not(None)
        & CorrespondentRow.player_id.is_(None)
    )
    with house.store.asking() as connection:
        if (
            connection.execute(select(CorrespondentRow.id).where(silent).limit(1)).scalar_one_or_none()
            is None
        ):
            return 0
    with house.store.writing() as connection:
        return connection.execute(update(CorrespondentRow).where(silent).values(address=None)).rowcount


def _change(connection: Connection, who: Correspondent, **values: object) -> None:
    connection.execute(update(CorrespondentRow).where(CorrespondentRow.id == who.id).values(**values))


def _one(connection: Connection, which: ColumnElement[bool]) -> Correspondent | None:
    kept = one_or_none_of(KeptCorrespondent, connection.execute(select(*KEPT_CORRESPONDENT).where(which)))
    return kept.correspondent if kept else None


def _mark(connection: Connection, address: str) -> str:
    """What is kept of an address for good: it tells whether it is the same, and nothing else."""
    return hmac.new(secret(connection, "marks"), address.casefold().encode(), hashlib.sha256).hexdigest()


def secret(connection: Connection, name: str) -> bytes:
    """A secret of this house's, as old as its tables."""
    return connection.execute(select(Secret.value).where(Secret.name == name)).scalar_one()
