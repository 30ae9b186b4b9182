"""Manages a player's public page: whether it is shown, and what the player says there."""

from __future__ import annotations

import unicodedata

from sqlalchemy import Connection, update

from corr import limits
from corr.store.tables import PlayerRow, RatingRow
from corr.text.messages import sentence
from corr.words.errors import Refused


def hide(connection: Connection, player_id: int, *, hidden: bool) -> None:
    """Set whether a player's page and leaderboard entries are hidden."""
    connection.execute(update(PlayerRow).where(PlayerRow.id == player_id).values(hidden=hidden))
    connection.execute(update(RatingRow).where(RatingRow.player_id == player_id).values(hidden=hidden))


def set_about(connection: Connection, player_id: int, text: str) -> str:
    """Set a player's text about themselves; return the answer; Refused if no plain line."""
    line = " ".join(unicodedata.normalize("NFC", text[: limits.ABOUT_CHARACTERS * 4]).split())
    if len(text) > limits.ABOUT_CHARACTERS * 4 or len(line) > limits.ABOUT_CHARACTERS:
        raise Refused(sentence("own_page.too_long", most=limits.ABOUT_CHARACTERS))
    if not line.isprintable():
        raise Refused(sentence("own_page.unreadable"))
    connection.execute(update(PlayerRow).where(PlayerRow.id == player_id).values(about=line))
    return sentence("own_page.about") if line else sentence("own_page.nothing_about")
