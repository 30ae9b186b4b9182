"""Adds, removes and chooses a player's addresses (limits: `corr/limits.py`), and finds people who share a mailbox."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, ScalarSelect, func, select, update
from sqlalchemy.orm import InstrumentedAttribute

from corr import limits
from corr.service.players import address_checks, bouncing_mailboxes, erasure, mailboxes
from corr.service.players.address_checks import AddressProof
from corr.service.players.authentication import Visitor
from corr.service.players.bouncing_mailboxes import BouncingMailbox
from corr.service.players.mailboxes import Correspondent
from corr.service.server import Server
from corr.store.tables import ChallengeRow, CorrespondentRow, PlayerRow, SignInRow
from corr.text.messages import sentence
from corr.words.errors import Refused

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Mailbox:
    """One of a player's email addresses, as the settings page lists it."""

    address: str
    is_main: bool  # game emails go there
    is_here: bool  # they signed in with it at this browser
    failing: BouncingMailbox | None  # set if it bounced lately


def list_mailboxes(connection: Connection, who: Correspondent) -> tuple[Mailbox, ...]:
    """List the confirmed addresses of the signed-in player, oldest first."""
    main = mailboxes.load_main_mailbox(connection, _player(who))
    known = {each.address: each for each in bouncing_mailboxes.list_bouncing(connection, _player(who))}
    return tuple(
        Mailbox(each.address or "", each.id == main.id, each.id == who.id, known.get(each.address or ""))
        for each in _mailboxes(connection, _player(who))
    )


def own(connection: Connection, visitor: Visitor, address: str) -> Correspondent:
    """Return the mailbox at this address; raise Refused if it is not the signed-in player's."""
    return _require_mailbox(connection, _player(visitor.who), address)


def request_address(server: Server, visitor: Visitor, text: str, now: datetime) -> str:
    """Store the player's request to add an address; return its random id for the page. Refused if theirs already.

    Nobody is told whether an email goes there, because that would reveal whether the address is a player's.
    """
    address = mailboxes.plain_address(text, server.domain)
    with server.store.writing() as connection:
        who = _lock_correspondent(connection, visitor)
        mine = _mailboxes(connection, _player(who))
        if address.casefold() in {(each.address or "").casefold() for each in mine}:
            raise Refused(sentence("addresses.yours"))
        _check_address_limit(mine)
        lately = select(func.count()).where(
            SignInRow.player_id == who.player_id, SignInRow.made_at > now - _DAY
        )
        if connection.execute(lately).scalar_one() >= limits.ADDRESSES_A_DAY:
            raise Refused(sentence("addresses.enough_today"))
        return address_checks.record_claim(connection, address, now, player=who.player_id)


def add_by_number(server: Server, visitor: Visitor, mark: str, digits: str, now: datetime) -> str:
    """Add an address by the digits that we emailed there; return it, or raise Refused."""
    player, wrong = _player(visitor.who), sentence("signing.wrong_number")
    with server.store.writing() as connection:
        proof = address_checks.check_number(connection, mark, digits, now, player)
        added = (
            _add_address(connection, player, proof, wrong, now)
            if proof
            else _find_added(connection, mark, player)
        )
    if added is None:
        raise Refused(wrong)
    return added


def add_by_link(server: Server, visitor: Visitor, reader: Correspondent, letter: int, now: datetime) -> str:
    """Add an address by the page linked from its email; return it, or raise Refused."""
    player, spent = _player(visitor.who), sentence("addresses.spent_page")
    with server.store.writing() as connection:
        proof = address_checks.check_link(connection, reader, letter, now, player)
        if proof is None:
            raise Refused(spent)
        return _add_address(connection, player, proof, spent, now)


def _add_address(
    connection: Connection, player: int, proof: AddressProof, otherwise: str, now: datetime
) -> str:
    """Give a proved address to the player and end its sessions; Refused if another player's."""
    main = mailboxes.load_main_mailbox(connection, player)
    erasure.forget_browsers(connection, [proof.correspondent_id], now)
    mailboxes.lock_mailboxes(
        connection, main, mailboxes.load_correspondent(connection, proof.correspondent_id)
    )
    new = mailboxes.load_correspondent(connection, proof.correspondent_id)
    if new.player_id is not None or new.address is None:
        raise Refused(otherwise)
    _check_address_limit(_mailboxes(connection, player))
    owned = update(CorrespondentRow).where(CorrespondentRow.id == new.id)
    connection.execute(owned.values(player_id=player))
    mailboxes.confirm(connection, new, now)
    _email_change(connection, main, "added", new.address, now)
    return new.address


def _find_added(connection: Connection, mark: str, player: int) -> str | None:
    """Return the address that a request has added already, if its form came twice; else None."""
    asked = (
        select(CorrespondentRow.address)
        .join(SignInRow, SignInRow.correspondent_id == CorrespondentRow.id)
        .where(SignInRow.mark == mark, SignInRow.player_id == player, SignInRow.used_at.is_not(None))
        .where(CorrespondentRow.player_id == player)
    )
    return connection.execute(asked).scalar_one_or_none()


def remove(server: Server, visitor: Visitor, address: str, now: datetime) -> None:
    """Remove an address, moving its challenges to the main one; Refused for the main and the signed-in one."""
    with server.store.writing() as connection:
        player = _player(visitor.who)
        gone, main = (
            _require_mailbox(connection, player, address),
            mailboxes.load_main_mailbox(connection, player),
        )
        # Challenges and sessions are locked before correspondents, as everywhere.
        _move_challenges(connection, gone, main)
        erasure.forget_browsers(connection, [gone.id], now)
        who = _lock_correspondent(connection, visitor)
        gone, main = (
            _require_mailbox(connection, player, address),
            mailboxes.load_main_mailbox(connection, player),
        )
        if gone.id == main.id:
            raise Refused(sentence("addresses.main"))
        if gone.id == who.id:
            raise Refused(sentence("addresses.here"))
        _move_challenges(connection, gone, main)  # those made before the mailboxes were locked
        erasure.forget_mailboxes(connection, [gone.id], now)
        _email_change(connection, main, "removed", gone.address or "", now)


def _move_challenges(connection: Connection, gone: Correspondent, main: Correspondent) -> None:
    """Move the challenges made or received by one mailbox to the player's main one."""
    for end in (ChallengeRow.by_id, ChallengeRow.to_id):
        connection.execute(update(ChallengeRow).where(end == gone.id).values({end: main.id}))


def choose_main(server: Server, visitor: Visitor, address: str, now: datetime) -> None:
    """Send game emails to this address from now on, and tell the old one."""
    with server.store.writing() as connection:
        player = _player(_lock_correspondent(connection, visitor))
        chosen, main = (
            _require_mailbox(connection, player, address),
            mailboxes.load_main_mailbox(connection, player),
        )
        if chosen.id == main.id:
            return
        assert chosen.address
        this = update(PlayerRow).where(PlayerRow.id == player)
        connection.execute(this.values(address=chosen.address, address_key=chosen.address.casefold()))
        _email_change(connection, main, "chosen", chosen.address, now)


def _player(who: Correspondent) -> int:
    """Return the id of a mailbox's player; raise Refused if it is no player's."""
    if who.player_id is None:
        raise Refused(sentence("addresses.not_yours"))
    return who.player_id


def _lock_correspondent(connection: Connection, visitor: Visitor) -> Correspondent:
    """Lock the visitor's mailboxes for this transaction; return the signed-in one, or Refused if now another's."""
    mailboxes.lock_mailboxes(connection, visitor.who)
    who = mailboxes.load_correspondent(connection, visitor.who.id)
    if who.player_id != visitor.who.player_id:
        raise Refused(sentence("addresses.not_yours"))
    return who


def _mailboxes(connection: Connection, player: int) -> list[Correspondent]:
    """Return a player's confirmed mailboxes, oldest first."""
    owned = select(CorrespondentRow.id).where(
        CorrespondentRow.player_id == player, CorrespondentRow.confirmed_at.is_not(None)
    )
    ids = connection.execute(owned.order_by(CorrespondentRow.id)).scalars().all()
    found = mailboxes.load_correspondents(connection, ids)
    return [found[each] for each in ids]


def _require_mailbox(connection: Connection, player: int, address: str) -> Correspondent:
    """Return the player's confirmed mailbox at an address; raise Refused if it isn't theirs."""
    found = mailboxes.find_correspondent(connection, address)
    if found is None or not found.is_confirmed or found.player_id != player:
        raise Refused(sentence("addresses.not_yours"))
    return found


def _check_address_limit(mine: list[Correspondent]) -> None:
    """Raise Refused if a player with these mailboxes can't add another."""
    if len(mine) >= limits.ADDRESSES:
        raise Refused(sentence("addresses.enough"))


def _email_change(
    connection: Connection, reader: Correspondent, deed: str, address: str, now: datetime
) -> None:
    """Email the player that an address changed, in case somebody else did it."""
    mailboxes.write(connection, reader, "addresses", now, deed=deed, address=address)


#: A separator that no address contains.
_SEPARATOR = "\n"
#: Domains that ignore dots before the @, and the domain that each one equals.
_DOTLESS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}


def mailbox_of(address: str) -> str:
    """Return an address without what mail servers ignore in it: `ann+chess` becomes `ann`."""
    local, _, domain = address.casefold().rpartition("@")
    plain = local.partition("+")[0] or local
    if domain in _DOTLESS:
        return f"{plain.replace('.', '')}@{_DOTLESS[domain]}"
    return f"{plain}@{domain}"


def is_same_person(connection: Connection, some: Correspondent, other: Correspondent) -> bool:
    """Whether two people are one player or share a mailbox, so may not play."""
    if some.id == other.id or (some.player_id is not None and some.player_id == other.player_id):
        return True
    return bool(_reached_mailboxes(connection, some) & _reached_mailboxes(connection, other))


def _reached_mailboxes(connection: Connection, who: Correspondent) -> set[str]:
    """Return the mailboxes that a person's addresses reach, to compare them with another's."""
    theirs = select(CorrespondentRow.address).where(CorrespondentRow.id.in_(mailboxes.select_mailboxes(who)))
    return {mailbox_of(address) for address in connection.execute(theirs).scalars() if address}


def select_joined_addresses(player: InstrumentedAttribute[int]) -> ScalarSelect[str]:
    """Build a subquery for a player's addresses, joined into one string for `share_a_mailbox`."""
    asked = select(func.aggregate_strings(CorrespondentRow.address, _SEPARATOR))
    return (
        asked.where(CorrespondentRow.player_id == player).correlate_except(CorrespondentRow).scalar_subquery()
    )


def share_a_mailbox(one: str | None, other: str | None) -> bool:
    """Whether two results of `select_joined_addresses` contain addresses that reach one mailbox."""
    some, others = (
        {mailbox_of(each) for each in (kept or "").split(_SEPARATOR) if each} for kept in (one, other)
    )
    return bool(some & others)
