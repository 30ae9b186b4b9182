"""Whether a player's finished games are published for everybody, and by which name the player stands there."""

from __future__ import annotations

import hashlib
import hmac

from sqlalchemy import ColumnElement, Connection, bindparam, case, or_, select, update

from corr.messages import sentence
from corr.service.players import mailboxes
from corr.store.tables import Player, SeatRow

#: What a player may answer; who has said nothing yet has given no leave.
UNANSWERED, NO, YES, NAME = "", "no", "yes", "name"
#: By a name that is made up, or by one's own.
GIVEN = (YES, NAME)
#: Whose games are found under their own name.
BY_NAME = (UNANSWERED, NAME)

_FIRST = (
    "Amber Brave Calm Clever Copper Daring Distant Early Gentle Golden Happy Hidden Honest Humble Jolly Kind"
    " Late Lively Lucky Merry Nimble Patient Plain Proud Quick Quiet Rapid Silver Sleepy Steady Sunny Wise"
)
_LAST = (
    "Badger Beaver Bison Crane Curlew Falcon Finch Fox Gannet Hare Heron Ibex Jackdaw Kestrel Lark Lynx"
    " Magpie Marten Mole Newt Otter Owl Plover Raven Robin Salmon Seal Sparrow Stork Swift Trout Wren"
)
_NUMBERS = 100_000
_ANSWER = select(Player.publishes).where(Player.id == bindparam("player"))


def choose(connection: Connection, player_id: int, chosen: str) -> str:
    """From now on it is as a player has chosen; what is answered."""
    connection.execute(update(Player).where(Player.id == player_id).values(publishes=chosen))
    if chosen == NO:
        return sentence("publishing.no")
    if chosen == YES:
        return sentence("publishing.yes", name=made_up(secret(connection), player_id))
    return sentence("publishing.name")


def is_unanswered(connection: Connection, player_id: int) -> bool:
    """Whether a player has not said yet whether their games may be published."""
    return connection.execute(_ANSWER, {"player": player_id}).scalar_one() == UNANSWERED


def in_game(seat: type[SeatRow], player: type[Player]) -> ColumnElement[str]:
    """What holds for a player in a game: what was chosen when it began or since, whichever is more private."""
    return case(
        (or_(seat.publishes == NO, player.publishes == NO), NO),
        (or_(seat.publishes == YES, player.publishes == YES), YES),
        else_=player.publishes,
    )


def secret(connection: Connection) -> bytes:
    """What made-up names are made with."""
    return mailboxes.secret(connection, "marks")


def called(secret: bytes, player_id: int, name: str, publishes: str) -> str:
    """As a player is called beside games that are over: by their name, unless they would rather have one made up."""
    return made_up(secret, player_id) if publishes == YES else name


def called_by_link(secret: bytes, player_id: int, name: str, publishes: str) -> str:
    """As a player is called to whoever has the link of a game, and did not play it.

    Who would not be listed is not named either: under another choice a made-up name may have stood beside that link.
    """
    return name if publishes in BY_NAME else made_up(secret, player_id)


def made_up(secret: bytes, player_id: int) -> str:
    """A name that stands for a player in all that is published, always the same, and tells nothing of who it is."""
    first, last = _FIRST.split(), _LAST.split()
    drawn = int.from_bytes(hmac.digest(secret, f"made-up name {player_id}".encode(), hashlib.sha256))
    drawn, number = divmod(drawn, _NUMBERS)
    drawn, at = divmod(drawn, len(last))
    return f"{first[drawn % len(first)]} {last[at]} {number:05}"
