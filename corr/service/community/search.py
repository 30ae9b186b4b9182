"""Finds players with public pages by the beginning of their names."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, select

from corr import limits
from corr.service.players import house_bots
from corr.service.players.lookalikes import fold_lookalikes
from corr.service.players.names import remove_bot_mark
from corr.service.server import Server
from corr.store.tables import PlayerRow
from corr.text.messages import sentence
from corr.words.errors import Refused

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
    """Return the names that begin like this to the eye, bots of the site first.

    Refused if there are none.
    """
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
