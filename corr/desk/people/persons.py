"""Whether two players may be one person: whose letters go to the same mailbox."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, NotNullable, bindparam, select

from corr.desk.people import mailboxes
from corr.desk.people.mailboxes import Correspondent
from corr.store.rows import rows_of
from corr.store.tables import CorrespondentRow

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


class _Mailbox(NamedTuple):
    player_id: int
    address: str


_OF_BOTH = select(NotNullable(CorrespondentRow.player_id), NotNullable(CorrespondentRow.address)).where(
    CorrespondentRow.player_id.in_((bindparam("one"), bindparam("other"))),
    CorrespondentRow.address.is_not(None),
)


def share_a_mailbox(connection: Connection, one: int, other: int) -> bool:
    """Whether two players have addresses whose letters go to the same mailbox, or are one."""
    found: dict[int, set[str]] = {one: set(), other: set()}
    for kept in rows_of(_Mailbox, connection.execute(_OF_BOTH, {"one": one, "other": other})):
        found[kept.player_id].add(mailbox_of(kept.address))
    return one == other or bool(found[one] & found[other])
