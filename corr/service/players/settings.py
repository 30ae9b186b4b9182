"""What a player has set: a name, a time zone, whether letters tell of games, what is told later, how pages look."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select, update

from corr.messages import sentence
from corr.orders import Puzzle, read_order
from corr.service.house import House
from corr.service.players import (
    addresses,
    players,
    profile_page,
    publishing,
    table_preferences,
    time_preferences,
)
from corr.service.players.addresses import Mailbox
from corr.service.players.authentication import Visitor
from corr.service.players.hours import Hours
from corr.service.players.names import without_mark
from corr.service.players.table_preferences import Switch
from corr.store.rows import one_of
from corr.store.tables import Player
from corr.words.errors import Refused
from corr.words.orders import Word

#: How the pages may draw men.
MEN = ("glyphs", "letters")
_TRIES = {"told": True, "untold": False}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a player has set."""

    name: str
    zone: str
    mailing: str
    slip_file: bool
    checkpoints: bool
    digest_hour: int
    men: str
    tries: str
    publishes: str
    hidden: bool
    about: str
    made_up: str  # by which they stand where games are published, if it is by such a name
    on: frozenset[Switch]
    mailboxes: tuple[Mailbox, ...]


def of_visitor(house: House, visitor: Visitor) -> Settings:
    """What the player who is let in has set."""
    with house.store.reading() as connection:
        kept = one_of(_KeptSettings, connection.execute(_KEPT.where(Player.id == player_of(visitor))))
        mailboxes = addresses.listed(connection, visitor.who)
        made_up = ""
        if kept.publishes == publishing.YES:
            made_up = publishing.made_up(publishing.secret(connection), player_of(visitor))
    tries = "told" if kept.tells_tries else "untold"
    return Settings(
        without_mark(kept.name),
        kept.zone,
        kept.mailing,
        kept.slip_file,
        kept.checkpoints,
        kept.digest_hour,
        kept.men,
        tries,
        kept.publishes,
        kept.hidden,
        kept.about,
        made_up,
        table_preferences.on(kept.switched),
        mailboxes,
    )


class _KeptSettings(NamedTuple):
    name: str
    zone: str
    mailing: str
    slip_file: bool
    checkpoints: bool
    digest_hour: int
    men: str
    tells_tries: bool
    publishes: str
    hidden: bool
    about: str
    switched: str


_KEPT = select(
    Player.name,
    Player.zone,
    Player.mailing,
    Player.slip_file,
    Player.checkpoint.is_not(None).label("checkpoints"),
    Player.digest_hour,
    Player.men,
    Player.tells_tries,
    Player.publishes,
    Player.hidden,
    Player.about,
    Player.switched,
)


def possible_name(house: House, visitor: Visitor, text: str) -> str:
    """The name that the player would be called by; Refused where it may not be."""
    with house.store.reading() as connection:
        return players.possible_name(connection, player_of(visitor), text)


def rename(house: House, visitor: Visitor, name: str) -> None:
    """Call the player otherwise from now on."""
    with house.store.writing() as connection:
        players.rename(connection, player_of(visitor), name)


def is_program(house: House, visitor: Visitor) -> bool:
    """Whether a program plays as the player who is let in."""
    with house.store.asking() as connection:
        return players.is_program(connection, player_of(visitor))


def set_zone(house: House, visitor: Visitor, text: str, now: datetime) -> None:
    """From now on times are told to the player in this zone."""
    with house.store.writing() as connection:
        time_preferences.do(connection, player_of(visitor), Word("zone", text), now)


def hours_of(house: House, visitor: Visitor) -> Hours:
    """What the player who is let in has set about time."""
    with house.store.reading() as connection:
        return time_preferences.of_player(connection, player_of(visitor))


def do(house: House, visitor: Visitor, line: str, now: datetime) -> str:
    """Do what a line says of the player's time, as in a letter; what is answered. Refused where that cannot be."""
    order = read_order(line)
    if not (isinstance(order, Word) and order.word in time_preferences.WORDS):
        raise Refused(
            order.why if isinstance(order, Puzzle) and order.why else sentence("settings.no_choice")
        )
    with house.store.writing() as connection:
        return time_preferences.do(connection, player_of(visitor), order, now)


def go_on_leave_by_itself(house: House, visitor: Visitor, *, on: bool, now: datetime) -> str:
    """Whether the player goes on vacation without asking for it where the time would run out; what is answered."""
    with house.store.writing() as connection:
        return time_preferences.go_on_leave_by_itself(connection, player_of(visitor), on=on, now=now)


def set_tries(house: House, visitor: Visitor, text: str) -> None:
    """Whether the player's refused tries are told in games that begin from now on, once they are over."""
    if text not in _TRIES:
        raise Refused(sentence("settings.no_choice"))
    with house.store.writing() as connection:
        _keep(connection, visitor, tells_tries=_TRIES[text])


def introduce(house: House, visitor: Visitor, text: str) -> str:
    """What the player says of themselves on their page from now on; what is answered. Refused where it may not be."""
    with house.store.writing() as connection:
        return profile_page.introduce(connection, player_of(visitor), text)


def set_pages(house: House, visitor: Visitor, men: str) -> None:
    """How the pages show men to the player from now on."""
    if men not in MEN:
        raise Refused(sentence("settings.no_choice"))
    with house.store.writing() as connection:
        _keep(connection, visitor, men=men)


def switch(house: House, visitor: Visitor, wish: str) -> None:
    """Switch something at the table on or off, as in "capture off"; Refused where there is no such switch."""
    with house.store.writing() as connection:
        asked = select(Player.switched).where(Player.id == player_of(visitor))
        switched = connection.execute(asked.with_for_update()).scalar_one()
        _keep(connection, visitor, switched=table_preferences.after(switched, wish))


def player_of(visitor: Visitor) -> int:
    """The player who is let in; Refused where somebody has no name yet."""
    if visitor.who.player_id is None:
        raise Refused(sentence("names.choose_first"))
    return visitor.who.player_id


def _keep(connection: Connection, visitor: Visitor, **values: object) -> None:
    connection.execute(update(Player).where(Player.id == player_of(visitor)).values(**values))
