"""Decides under which name or pen name a player's finished games are published, and what their page shows."""

from __future__ import annotations

import hashlib
import hmac
import unicodedata

from sqlalchemy import ColumnElement, Connection, bindparam, case, or_, select, update

from corr import limits
from corr.store import server_secrets
from corr.store.tables import PlayerRow, RatingRow, SeatRow
from corr.text.messages import sentence
from corr.words.errors import Refused

#: A player's answers to whether finished games may be published; no answer gives no permission.
UNANSWERED, NO, YES, NAME = "", "no", "yes", "name"
#: The answers that give permission, under a made-up name or the player's own.
PUBLISHED = (YES, NAME)
#: The answers of players whose games are found under their own name.
BY_NAME = (UNANSWERED, NAME)

_FIRST_WORDS = (
    "Amber Brave Calm Clever Copper Daring Distant Early Gentle Golden Happy Hidden Honest Humble Jolly Kind"
    " Late Lively Lucky Merry Nimble Patient Plain Proud Quick Quiet Rapid Silver Sleepy Steady Sunny Wise"
)
_LAST_WORDS = (
    "Badger Beaver Bison Crane Curlew Falcon Finch Fox Gannet Hare Heron Ibex Jackdaw Kestrel Lark Lynx"
    " Magpie Marten Mole Newt Otter Owl Plover Raven Robin Salmon Seal Sparrow Stork Swift Trout Wren"
)
_NUMBERS = 100_000
_ANSWER = select(PlayerRow.publishes).where(PlayerRow.id == bindparam("player"))


def is_unanswered(connection: Connection, player_id: int) -> bool:
    """Whether a player has not yet said if their games may be published."""
    return connection.execute(_ANSWER, {"player": player_id}).scalar_one() == UNANSWERED


def select_publishing(seat: type[SeatRow], player: type[PlayerRow]) -> ColumnElement[str]:
    """Build the SQL value of a player's more private answer: at game start or now."""
    return case(
        (or_(seat.publishes == NO, player.publishes == NO), NO),
        (or_(seat.publishes == YES, player.publishes == YES), YES),
        else_=player.publishes,
    )


def load_secret(connection: Connection) -> bytes:
    """Return the server's key from which made-up names are computed."""
    return server_secrets.load_secret(connection, "marks")


def public_name(secret: bytes, player_id: int, name: str, publishes: str) -> str:
    """Return a player's name beside finished games: their own, or a made-up one."""
    return make_pen_name(secret, player_id) if publishes == YES else name


def name_by_link(secret: bytes, player_id: int, name: str, publishes: str) -> str:
    """Return the name shown to people who open a finished game's link without having played it.

    Only players listed by name are named: under an earlier choice, a made-up name may have been beside that link.
    """
    return name if publishes in BY_NAME else make_pen_name(secret, player_id)


def make_pen_name(secret: bytes, player_id: int) -> str:
    """Return a player's made-up name, always the same, which does not reveal them."""
    first, last = _FIRST_WORDS.split(), _LAST_WORDS.split()
    drawn = int.from_bytes(hmac.digest(secret, f"made-up name {player_id}".encode(), hashlib.sha256))
    drawn, number = divmod(drawn, _NUMBERS)
    drawn, at = divmod(drawn, len(last))
    return f"{first[drawn % len(first)]} {last[at]} {number:05}"


def hide_page(connection: Connection, player_id: int, *, hidden: bool) -> None:
    """Set whether a player's page and leaderboard entries are hidden."""
    connection.execute(update(PlayerRow).where(PlayerRow.id == player_id).values(hidden=hidden))
    connection.execute(update(RatingRow).where(RatingRow.player_id == player_id).values(hidden=hidden))


def set_about(connection: Connection, player_id: int, text: str) -> str:
    """Set the text on a player's page; return a confirmation; Refused if no plain line."""
    line = " ".join(unicodedata.normalize("NFC", text[: limits.ABOUT_CHARACTERS * 4]).split())
    if len(text) > limits.ABOUT_CHARACTERS * 4 or len(line) > limits.ABOUT_CHARACTERS:
        raise Refused(sentence("own_page.too_long", most=limits.ABOUT_CHARACTERS))
    if not line.isprintable():
        raise Refused(sentence("own_page.unreadable"))
    connection.execute(update(PlayerRow).where(PlayerRow.id == player_id).values(about=line))
    return sentence("own_page.about") if line else sentence("own_page.nothing_about")
