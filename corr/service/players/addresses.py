"""Manages a player's email addresses: adds, removes, and chooses the one for game emails."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select, update

from corr import limits
from corr.messages import sentence
from corr.service.house import House
from corr.service.players import address_checks, bouncing_mailboxes, erasure, mailboxes
from corr.service.players.address_checks import Proof
from corr.service.players.authentication import Visitor
from corr.service.players.bouncing_mailboxes import Failing
from corr.service.players.mailboxes import Correspondent
from corr.store.tables import Challenge, CorrespondentRow, Player, SignIn
from corr.words.errors import Refused

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Mailbox:
    """One of a player's addresses."""

    address: str
    is_main: bool  # game emails go there
    is_here: bool  # they signed in with it at this browser
    failing: Failing | None  # set if it bounced lately


def listed(connection: Connection, who: Correspondent) -> tuple[Mailbox, ...]:
    """List the addresses of the signed-in player."""
    main = mailboxes.of_player(connection, _player(who))
    known = {each.address: each for each in bouncing_mailboxes.of_player(connection, _player(who))}
    return tuple(
        Mailbox(each.address or "", each.id == main.id, each.id == who.id, known.get(each.address or ""))
        for each in _mailboxes(connection, _player(who))
    )


def own(connection: Connection, visitor: Visitor, address: str) -> Correspondent:
    """Return an address of the signed-in player; Refused if it is not theirs."""
    return _mine(connection, _player(visitor.who), address)


def ask(house: House, visitor: Visitor, text: str, now: datetime) -> str:
    """Record the player's claim to a further address; return the request's mark.

    Nobody is told whether an email goes there, because that would reveal whether the address is a player's.
    """
    address = mailboxes.plain_address(text, house.domain)
    with house.store.writing() as connection:
        who = _held(connection, visitor)
        mine = _mailboxes(connection, _player(who))
        if address.casefold() in {(each.address or "").casefold() for each in mine}:
            raise Refused(sentence("addresses.yours"))
        _check_number(mine)
        lately = select(func.count()).where(SignIn.player_id == who.player_id, SignIn.made_at > now - _DAY)
        if connection.execute(lately).scalar_one() >= limits.ADDRESSES_A_DAY:
            raise Refused(sentence("addresses.enough_today"))
        return address_checks.ask(connection, address, now, player=who.player_id)


# ---------------------------------------------------------------- one more


def add_by_number(house: House, visitor: Visitor, mark: str, digits: str, now: datetime) -> str:
    """Add the address whose email had this number, and return it."""
    player, wrong = _player(visitor.who), sentence("signing.wrong_number")
    with house.store.writing() as connection:
        proof = address_checks.by_number(connection, mark, digits, now, player)
        added = (
            _added(connection, player, proof, wrong, now)
            if proof
            else _added_before(connection, mark, player)
        )
    if added is None:
        raise Refused(wrong)
    return added


def add_by_letter(house: House, visitor: Visitor, reader: Correspondent, letter: int, now: datetime) -> str:
    """Add the address whose email named the player's page, and return it."""
    player, spent = _player(visitor.who), sentence("addresses.spent_page")
    with house.store.writing() as connection:
        proof = address_checks.by_letter(connection, reader, letter, now, player)
        if proof is None:
            raise Refused(spent)
        return _added(connection, player, proof, spent, now)


def _added(connection: Connection, player: int, proof: Proof, otherwise: str, now: datetime) -> str:
    """Give an address to the player and end its sessions; Refused if another's by now."""
    main = mailboxes.of_player(connection, player)
    erasure.forget_browsers(connection, [proof.correspondent_id], now)
    mailboxes.hold(connection, main, mailboxes.correspondent(connection, proof.correspondent_id))
    new = mailboxes.correspondent(connection, proof.correspondent_id)
    if new.player_id is not None or new.address is None:
        raise Refused(otherwise)
    _check_number(_mailboxes(connection, player))
    owned = update(CorrespondentRow).where(CorrespondentRow.id == new.id)
    connection.execute(owned.values(player_id=player))
    mailboxes.confirm(connection, new, now)
    _tell(connection, main, "added", new.address, now)
    return new.address


def _added_before(connection: Connection, mark: str, player: int) -> str | None:
    """Return the address that this request already added, if its button was pressed twice."""
    asked = (
        select(CorrespondentRow.address)
        .join(SignIn, SignIn.correspondent_id == CorrespondentRow.id)
        .where(SignIn.mark == mark, SignIn.player_id == player, SignIn.used_at.is_not(None))
        .where(CorrespondentRow.player_id == player)
    )
    return connection.execute(asked).scalar_one_or_none()


# ---------------------------------------------------------------- one fewer, another one


def remove(house: House, visitor: Visitor, address: str, now: datetime) -> None:
    """Remove an address; challenges made or received with it stay the player's."""
    with house.store.writing() as connection:
        player = _player(visitor.who)
        gone, main = _mine(connection, player, address), mailboxes.of_player(connection, player)
        # Challenges and sessions are locked before correspondents, as everywhere.
        _hand_challenges_on(connection, gone, main)
        erasure.forget_browsers(connection, [gone.id], now)
        who = _held(connection, visitor)
        gone, main = _mine(connection, player, address), mailboxes.of_player(connection, player)
        if gone.id == main.id:
            raise Refused(sentence("addresses.main"))
        if gone.id == who.id:
            raise Refused(sentence("addresses.here"))
        _hand_challenges_on(connection, gone, main)  # those made before the mailboxes were locked
        erasure.forget_mailboxes(connection, [gone.id], now)
        _tell(connection, main, "removed", gone.address or "", now)


def _hand_challenges_on(connection: Connection, gone: Correspondent, main: Correspondent) -> None:
    """Move the challenges of one mailbox to another."""
    for end in (Challenge.by_id, Challenge.to_id):
        connection.execute(update(Challenge).where(end == gone.id).values({end: main.id}))


def choose(house: House, visitor: Visitor, address: str, now: datetime) -> None:
    """Send game emails to this address from now on."""
    with house.store.writing() as connection:
        player = _player(_held(connection, visitor))
        chosen, main = _mine(connection, player, address), mailboxes.of_player(connection, player)
        if chosen.id == main.id:
            return
        assert chosen.address
        this = update(Player).where(Player.id == player)
        connection.execute(this.values(address=chosen.address, address_key=chosen.address.casefold()))
        _tell(connection, main, "chosen", chosen.address, now)


# ---------------------------------------------------------------- shared helpers


def _player(who: Correspondent) -> int:
    if who.player_id is None:
        raise Refused(sentence("addresses.not_yours"))
    return who.player_id


def _held(connection: Connection, visitor: Visitor) -> Correspondent:
    """Return the signed-in correspondent, with their mailboxes locked until the transaction ends."""
    mailboxes.hold(connection, visitor.who)
    who = mailboxes.correspondent(connection, visitor.who.id)
    if who.player_id != visitor.who.player_id:
        raise Refused(sentence("addresses.not_yours"))
    return who


def _mailboxes(connection: Connection, player: int) -> list[Correspondent]:
    owned = select(CorrespondentRow.id).where(
        CorrespondentRow.player_id == player, CorrespondentRow.confirmed_at.is_not(None)
    )
    ids = connection.execute(owned.order_by(CorrespondentRow.id)).scalars().all()
    found = mailboxes.correspondents(connection, ids)
    return [found[each] for each in ids]


def _mine(connection: Connection, player: int, address: str) -> Correspondent:
    found = mailboxes.known(connection, address)
    if found is None or not found.is_confirmed or found.player_id != player:
        raise Refused(sentence("addresses.not_yours"))
    return found


def _check_number(mine: list[Correspondent]) -> None:
    if len(mine) >= limits.ADDRESSES:
        raise Refused(sentence("addresses.enough"))


def _tell(connection: Connection, reader: Correspondent, deed: str, address: str, now: datetime) -> None:
    """Tell the reader of game emails, in case somebody else made the change."""
    mailboxes.write(connection, reader, "addresses", now, deed=deed, address=address)
