"""Manages a player's public page: whether it is shown, and what the player says there."""

from __future__ import annotations

import unicodedata

from sqlalchemy import Connection, update

from corr import limits
from corr.messages import sentence
from corr.store.tables import PlayerRow, RatingRow
from corr.words.errors import Refused

#: What an email may say about it, after the word "page".
SHOWN, HIDDEN, ABOUT = "on", "off", "about"


def apply_order(connection: Connection, player_id: int, said: str) -> str:
    """Apply the order word "page"; return the answer, or raise Refused."""
    chosen, _, words = said.partition(" ")
    if chosen == ABOUT:
        return set_about(connection, player_id, words)
    return show(connection, player_id, shown=chosen == SHOWN)


def show(connection: Connection, player_id: int, *, shown: bool) -> str:
    """Set whether everybody may read a player's page; return the answer."""
    hide(connection, player_id, hidden=not shown)
    return sentence("own_page.shown") if shown else sentence("own_page.hidden")


def hide(connection: Connection, player_id: int, *, hidden: bool) -> None:
    """Set whether a player's page and leaderboard entries are hidden."""
    _update_player(connection, player_id, hidden=hidden)
    ratings = update(RatingRow).where(RatingRow.player_id == player_id)
    connection.execute(ratings.values(hidden=hidden))


def set_about(connection: Connection, player_id: int, text: str) -> str:
    """Set a player's text about themselves; return the answer; Refused if no plain line."""
    line = " ".join(unicodedata.normalize("NFC", text[: limits.ABOUT_CHARACTERS * 4]).split())
    if len(text) > limits.ABOUT_CHARACTERS * 4 or len(line) > limits.ABOUT_CHARACTERS:
        raise Refused(sentence("own_page.too_long", most=limits.ABOUT_CHARACTERS))
    if not line.isprintable():
        raise Refused(sentence("own_page.unreadable"))
    _update_player(connection, player_id, about=line)
    return sentence("own_page.about") if line else sentence("own_page.nothing_about")


def _update_player(connection: Connection, player_id: int, **values: object) -> None:
    connection.execute(update(PlayerRow).where(PlayerRow.id == player_id).values(**values))
