"""Finds players with a public page by name, or by the beginning of a name (limit: `corr/limits.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from corr import limits
from corr.service.players import house_bots, players
from corr.service.players.names import fold_lookalikes, remove_bot_mark
from corr.service.server import Server
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
    """Return the player with this name in any spelling; unknown and hidden are refused alike."""
    bare = remove_bot_mark(name)
    found = one_or_none_of(PageOwner, connection.execute(_OWNER_QUERY, {"key": fold_lookalikes(bare)}))
    if found and (found.program or bare == name.strip()):
        return found
    program = house_bots.find_bot(name)
    if program is None or players.find_player(connection, name):
        raise Refused(sentence("players.nobody"))
    known = players.find_house_player(connection, program.shown)
    return PageOwner(known or _NO_PLAYER_YET, program.shown, program.about, "", program=True)


_HIGHEST_CHARACTER = "\U0010ffff"  # after every character that a name can contain
_PREFIX_QUERY = (
    select(PlayerRow.name)
    .where(
        PlayerRow.name_key >= bindparam("first"),
        PlayerRow.name_key < bindparam("last"),
        PlayerRow.hidden.is_not(True),
    )
    .order_by(PlayerRow.name_key)
    .limit(limits.PLAYERS_FOUND)
)


def find_by_prefix(server: Server, text: str) -> Sequence[str]:
    """Return names that look as if they began with this, bots first; Refused if none."""
    if len(text) > limits.NAME_CHARACTERS:
        raise Refused(sentence("players.too_long", most=limits.NAME_CHARACTERS))
    key = fold_lookalikes(remove_bot_mark(text))
    if not key:
        raise Refused(sentence("players.no_letter"))
    ours = [each.shown for each in house_bots.HOUSE_BOTS if fold_lookalikes(each.name).startswith(key)]
    with server.store.asking() as connection:
        asked = {"first": key, "last": key + _HIGHEST_CHARACTER}
        found = connection.execute(_PREFIX_QUERY, asked).scalars().all()
    if not ours and not found:
        raise Refused(sentence("players.none_found"))
    return [*ours, *found]
