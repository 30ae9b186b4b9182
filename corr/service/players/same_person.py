"""Whether two players may be one person: whose letters go to the same mailbox."""

from __future__ import annotations

from sqlalchemy import Connection, ScalarSelect, func, select
from sqlalchemy.orm import InstrumentedAttribute

from corr.service.players import mailboxes
from corr.service.players.mailboxes import Correspondent
from corr.store.tables import CorrespondentRow

#: What no address has in it.
_BETWEEN = "\n"
#: Where dots in an address mean nothing, and by which name it goes.
_DOTLESS = {"gmail.com": "gmail.com", "googlemail.com": "gmail.com"}


def mailbox_of(address: str) -> str:
    """The mailbox to which letters to an address go, as far as the address tells: `ann+chess` is `ann`."""
    local, _, domain = address.casefold().rpartition("@")
    plain = local.partition("+")[0] or local
    if domain in _DOTLESS:
        return f"{plain.replace('.', '')}@{_DOTLESS[domain]}"
    return f"{plain}@{domain}"


def is_one(connection: Connection, some: Correspondent, other: Correspondent) -> bool:
    """Whether two are one player, or have addresses whose letters go to the same mailbox."""
    if some.id == other.id or (some.player_id is not None and some.player_id == other.player_id):
        return True
    return bool(_mailboxes(connection, some) & _mailboxes(connection, other))


def _mailboxes(connection: Connection, who: Correspondent) -> set[str]:
    theirs = select(CorrespondentRow.address).where(CorrespondentRow.id.in_(mailboxes.of_same_person(who)))
    return {mailbox_of(address) for address in connection.execute(theirs).scalars() if address}


def addresses_of(player: InstrumentedAttribute[int]) -> ScalarSelect[str]:
    """Of a question about players: the addresses of each, in one field."""
    asked = select(func.aggregate_strings(CorrespondentRow.address, _BETWEEN))
    return (
        asked.where(CorrespondentRow.player_id == player).correlate_except(CorrespondentRow).scalar_subquery()
    )


def share_a_mailbox(one: str | None, other: str | None) -> bool:
    """Whether two have addresses, as `addresses_of` asks for them, whose letters go to the same mailbox."""
    some, others = (
        {mailbox_of(each) for each in (kept or "").split(_BETWEEN) if each} for kept in (one, other)
    )
    return bool(some & others)
