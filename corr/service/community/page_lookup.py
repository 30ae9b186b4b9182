"""Finds the player whose public page belongs to a name."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from corr.messages import sentence
from corr.service.players import house_bots, players
from corr.service.players.lookalikes import looks
from corr.service.players.names import without_mark
from corr.store.rows import one_or_none_of
from corr.store.tables import Player
from corr.words.errors import Refused

_NOBODY_YET = 0


class Whose(NamedTuple):
    """A player whose page is shown."""

    id: int
    name: str
    about: str
    publishes: str
    program: bool


_NAMED = select(Player.id, Player.name, Player.about, Player.publishes, Player.program).where(
    Player.name_key == bindparam("key"), Player.hidden.is_not(True)
)


def named(connection: Connection, name: str) -> Whose:
    """Return the player of a name in any spelling.

    An unknown name and a hidden page are refused alike, so that nobody can tell them apart.
    """
    bare = without_mark(name)
    found = one_or_none_of(Whose, connection.execute(_NAMED, {"key": looks(bare)}))
    if found and (found.program or bare == name.strip()):
        return found
    return _of_the_house(connection, name)


def _of_the_house(connection: Connection, name: str) -> Whose:
    program = house_bots.named(name)
    if program is None or players.named(connection, name):
        raise Refused(sentence("players.nobody"))
    known = players.known_of_the_house(connection, program.shown)
    return Whose(known or _NOBODY_YET, program.shown, program.about, "", program=True)
