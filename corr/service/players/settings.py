"""Reads and changes a player's settings: name, time zone, emails, publishing, and how pages look."""

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

#: How the pages may draw pieces.
MEN = ("glyphs", "letters")
_TRIES = {"told": True, "untold": False}


@dataclass(frozen=True, slots=True)
class Settings:
    """A player's settings."""

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
    made_up: str  # the made-up name in published games, if they chose one
    on: frozenset[Switch]
    mailboxes: tuple[Mailbox, ...]


def of_visitor(house: House, visitor: Visitor) -> Settings:
    """Return the settings of the signed-in player."""
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
    """Return the name the player may take; Refused if it is not allowed."""
    with house.store.reading() as connection:
        return players.possible_name(connection, player_of(visitor), text)


def rename(house: House, visitor: Visitor, name: str) -> None:
    """Rename the player."""
    with house.store.writing() as connection:
        players.rename(connection, player_of(visitor), name)


def is_program(house: House, visitor: Visitor) -> bool:
    """Whether a bot plays as the signed-in player."""
    with house.store.asking() as connection:
        return players.is_program(connection, player_of(visitor))


def set_zone(house: House, visitor: Visitor, text: str, now: datetime) -> None:
    """Set the time zone in which the player reads times."""
    with house.store.writing() as connection:
        time_preferences.do(connection, player_of(visitor), Word("zone", text), now)


def hours_of(house: House, visitor: Visitor) -> Hours:
    """Return the time settings of the signed-in player."""
    with house.store.reading() as connection:
        return time_preferences.of_player(connection, player_of(visitor))


def do(house: House, visitor: Visitor, line: str, now: datetime) -> str:
    """Apply a time order as in an email; return the answer, or raise Refused."""
    order = read_order(line)
    if not (isinstance(order, Word) and order.word in time_preferences.WORDS):
        raise Refused(
            order.why if isinstance(order, Puzzle) and order.why else sentence("settings.no_choice")
        )
    with house.store.writing() as connection:
        return time_preferences.do(connection, player_of(visitor), order, now)


def go_on_leave_by_itself(house: House, visitor: Visitor, *, on: bool, now: datetime) -> str:
    """Set whether vacation starts by itself when time would run out; return the answer."""
    with house.store.writing() as connection:
        return time_preferences.go_on_leave_by_itself(connection, player_of(visitor), on=on, now=now)


def set_tries(house: House, visitor: Visitor, text: str) -> None:
    """Set whether games that begin from now on show refused tries when over."""
    if text not in _TRIES:
        raise Refused(sentence("settings.no_choice"))
    with house.store.writing() as connection:
        _keep(connection, visitor, tells_tries=_TRIES[text])


def introduce(house: House, visitor: Visitor, text: str) -> str:
    """Set the player's text on their page; return the answer, or raise Refused."""
    with house.store.writing() as connection:
        return profile_page.introduce(connection, player_of(visitor), text)


def set_pages(house: House, visitor: Visitor, men: str) -> None:
    """Set how the pages draw pieces for the player."""
    if men not in MEN:
        raise Refused(sentence("settings.no_choice"))
    with house.store.writing() as connection:
        _keep(connection, visitor, men=men)


def switch(house: House, visitor: Visitor, wish: str) -> None:
    """Turn a table switch on or off, as in "capture off"; Refused if unknown."""
    with house.store.writing() as connection:
        asked = select(Player.switched).where(Player.id == player_of(visitor))
        switched = connection.execute(asked.with_for_update()).scalar_one()
        _keep(connection, visitor, switched=table_preferences.after(switched, wish))


def player_of(visitor: Visitor) -> int:
    """Return the signed-in player; Refused if they have no name yet."""
    if visitor.who.player_id is None:
        raise Refused(sentence("names.choose_first"))
    return visitor.who.player_id


def _keep(connection: Connection, visitor: Visitor, **values: object) -> None:
    connection.execute(update(Player).where(Player.id == player_of(visitor)).values(**values))
