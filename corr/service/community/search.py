"""Finds players with public pages by the beginning of their names."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, select

from corr import limits
from corr.messages import sentence
from corr.service.house import House
from corr.service.players import house_bots
from corr.service.players.lookalikes import looks
from corr.service.players.names import without_mark
from corr.store.tables import Player
from corr.words.errors import Refused

_LAST = "\U0010ffff"  # after every character that a name can contain
_BEGINNING = (
    select(Player.name)
    .where(
        Player.name_key >= bindparam("first"),
        Player.name_key < bindparam("last"),
        Player.hidden.is_not(True),
    )
    .order_by(Player.name_key)
    .limit(limits.PLAYERS_FOUND)
)


def beginning(house: House, text: str) -> Sequence[str]:
    """Return the names that begin like this to the eye, bots of the site first.

    Refused if there are none.
    """
    if len(text) > limits.NAME_CHARACTERS:
        raise Refused(sentence("players.too_long", most=limits.NAME_CHARACTERS))
    key = looks(without_mark(text))
    if not key:
        raise Refused(sentence("players.no_letter"))
    ours = [each.shown for each in house_bots.PROGRAMS if looks(each.name).startswith(key)]
    with house.store.asking() as connection:
        found = connection.execute(_BEGINNING, {"first": key, "last": key + _LAST}).scalars().all()
    if not ours and not found:
        raise Refused(sentence("players.none_found"))
    return [*ours, *found]
