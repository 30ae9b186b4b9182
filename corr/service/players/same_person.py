"""Decides whether two players may be one person, because their emails reach the same mailbox."""

from __future__ import annotations

from sqlalchemy import Connection, ScalarSelect, func, select
from sqlalchemy.orm import InstrumentedAttribute

from corr.service.players import mailboxes
from corr.service.players.mailboxes import Correspondent
from corr.store.tables import CorrespondentRow

#: A separator that no address contains.
_SEPARATOR = "\n"
#: Domains where dots in an address mean nothing, and the domain that each one equals.
_DOTLESS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}


def mailbox_of(address: str) -> str:
    """Return the mailbox that an address seems to reach: `ann+chess` is `ann`."""
    local, _, domain = address.casefold().rpartition("@")
    plain = local.partition("+")[0] or local
    if domain in _DOTLESS:
        return f"{plain.replace('.', '')}@{_DOTLESS[domain]}"
    return f"{plain}@{domain}"


def is_same_person(connection: Connection, some: Correspondent, other: Correspondent) -> bool:
    """Whether two are one player, or have addresses that reach the same mailbox."""
    if some.id == other.id or (some.player_id is not None and some.player_id == other.player_id):
        return True
    return bool(_mailboxes(connection, some) & _mailboxes(connection, other))


def _mailboxes(connection: Connection, who: Correspondent) -> set[str]:
    theirs = select(CorrespondentRow.address).where(CorrespondentRow.id.in_(mailboxes.select_mailboxes(who)))
    return {mailbox_of(address) for address in connection.execute(theirs).scalars() if address}


def addresses_of(player: InstrumentedAttribute[int]) -> ScalarSelect[str]:
    """Select the addresses of each player in a query, joined in one field."""
    asked = select(func.aggregate_strings(CorrespondentRow.address, _SEPARATOR))
    return (
        asked.where(CorrespondentRow.player_id == player).correlate_except(CorrespondentRow).scalar_subquery()
    )


def share_a_mailbox(one: str | None, other: str | None) -> bool:
    """Whether two results of `addresses_of` reach the same mailbox."""
    some, others = (
        {mailbox_of(each) for each in (kept or "").split(_SEPARATOR) if each} for kept in (one, other)
    )
    return bool(some & others)
