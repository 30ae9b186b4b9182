"""A player's own page, which everybody may read: whether it is shown, and what its player says of themselves there."""

from __future__ import annotations

import unicodedata

from sqlalchemy import Connection, update

from corr import limits
from corr.messages import sentence
from corr.store.tables import Player, RatingRow
from corr.words.errors import Refused

#: What may be said of it in a letter, behind the word "page".
SHOWN, HIDDEN, ABOUT = "on", "off", "about"


def do(connection: Connection, player_id: int, said: str) -> str:
    """Do what the word "page" says; what is answered. Refused where that cannot be."""
    chosen, _, words = said.partition(" ")
    if chosen == ABOUT:
        return introduce(connection, player_id, words)
    return show(connection, player_id, shown=chosen == SHOWN)


def show(connection: Connection, player_id: int, *, shown: bool) -> str:
    """Whether everybody may read a player's page from now on; what is answered."""
    hide(connection, player_id, hidden=not shown)
    return sentence("own_page.shown") if shown else sentence("own_page.hidden")


def hide(connection: Connection, player_id: int, *, hidden: bool) -> None:
    """Whether nobody may read a player's page, and none of the leaderboards has them."""
    _keep(connection, player_id, hidden=hidden)
    ratings = update(RatingRow).where(RatingRow.player_id == player_id)
    connection.execute(ratings.values(hidden=hidden))


def introduce(connection: Connection, player_id: int, text: str) -> str:
    """What a player says of themselves from now on, or nothing; what is answered. Refused where it is no plain line."""
    line = " ".join(unicodedata.normalize("NFC", text[: limits.ABOUT_CHARACTERS * 4]).split())
    if len(text) > limits.ABOUT_CHARACTERS * 4 or len(line) > limits.ABOUT_CHARACTERS:
        raise Refused(sentence("own_page.too_long", most=limits.ABOUT_CHARACTERS))
    if not line.isprintable():
        raise Refused(sentence("own_page.unreadable"))
    _keep(connection, player_id, about=line)
    return sentence("own_page.about") if line else sentence("own_page.nothing_about")


def _keep(connection: Connection, player_id: int, **values: object) -> None:
    connection.execute(update(Player).where(Player.id == player_id).values(**values))
