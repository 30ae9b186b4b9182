"""Finds the player whose public page belongs to a name."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from corr.service.players import house_bots, players
from corr.service.players.lookalikes import fold_lookalikes
from corr.service.players.names import remove_bot_mark
from corr.store.rows import columns_of, one_or_none_of
from corr.store.tables import PlayerRow
from corr.text.messages import sentence
from corr.words.errors import Refused

_NO_PLAYER_YET = 0


class PageOwner(NamedTuple):
    id: int
    name: str
    about: str
    publishes: str
    program: bool


_OWNER_QUERY = select(*columns_of(PageOwner, PlayerRow)).where(
    PlayerRow.name_key == bindparam("key"), PlayerRow.hidden.is_not(True)
)


def find_page_owner(connection: Connection, name: str) -> PageOwner:
    """Return the player of a name in any spelling.

    An unknown name and a hidden page are refused alike, so that nobody can tell them apart.
    """
    bare = remove_bot_mark(name)
    found = one_or_none_of(PageOwner, connection.execute(_OWNER_QUERY, {"key": fold_lookalikes(bare)}))
    if found and (found.program or bare == name.strip()):
        return found
    program = house_bots.find_bot(name)
    if program is None or players.find_player(connection, name):
        raise Refused(sentence("players.nobody"))
    known = players.find_house_player(connection, program.shown)
    return PageOwner(known or _NO_PLAYER_YET, program.shown, program.about, "", program=True)
