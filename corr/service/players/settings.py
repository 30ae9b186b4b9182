"""Reads and changes a player's settings: name, time zone, emails, publishing, and how pages look."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select, update

from corr.messages import sentence
from corr.orders import UnclearLine, parse_order
from corr.service.players import (
    addresses,
    players,
    profile_page,
    publishing,
    setting_orders,
    table_preferences,
)
from corr.service.players.addresses import Mailbox
from corr.service.players.authentication import Visitor
from corr.service.players.hours import PlayerHours
from corr.service.players.names import remove_bot_mark
from corr.service.players.table_preferences import Switch
from corr.service.server import Server
from corr.store.rows import one_of
from corr.store.tables import PlayerRow
from corr.words.errors import Refused
from corr.words.orders import Command

#: How the pages may draw pieces.
PIECE_STYLES = ("glyphs", "letters")
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


def load_settings(server: Server, visitor: Visitor) -> Settings:
    """Return the settings of the signed-in player."""
    with server.store.reading() as connection:
        kept = one_of(
            _SettingsRow, connection.execute(_SETTINGS_QUERY.where(PlayerRow.id == require_player(visitor)))
        )
        mailboxes = addresses.list_mailboxes(connection, visitor.who)
        made_up = ""
        if kept.publishes == publishing.YES:
            made_up = publishing.make_pen_name(publishing.load_secret(connection), require_player(visitor))
    tries = "told" if kept.tells_tries else "untold"
    return Settings(
        remove_bot_mark(kept.name),
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
        table_preferences.parse_switches(kept.switched),
        mailboxes,
    )


class _SettingsRow(NamedTuple):
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


_SETTINGS_QUERY = select(
    PlayerRow.name,
    PlayerRow.zone,
    PlayerRow.mailing,
    PlayerRow.slip_file,
    PlayerRow.checkpoint.is_not(None).label("checkpoints"),
    PlayerRow.digest_hour,
    PlayerRow.men,
    PlayerRow.tells_tries,
    PlayerRow.publishes,
    PlayerRow.hidden,
    PlayerRow.about,
    PlayerRow.switched,
)


def check_name(server: Server, visitor: Visitor, text: str) -> str:
    """Return the name the player may take; Refused if it is not allowed."""
    with server.store.reading() as connection:
        return players.check_name(connection, require_player(visitor), text)


def rename(server: Server, visitor: Visitor, name: str) -> None:
    """Rename the player."""
    with server.store.writing() as connection:
        players.rename(connection, require_player(visitor), name)


def is_bot(server: Server, visitor: Visitor) -> bool:
    """Whether a bot plays as the signed-in player."""
    with server.store.asking() as connection:
        return players.is_bot(connection, require_player(visitor))


def set_zone(server: Server, visitor: Visitor, text: str, now: datetime) -> None:
    """Set the time zone in which the player reads times."""
    with server.store.writing() as connection:
        setting_orders.apply_order(connection, require_player(visitor), Command("zone", text), now)


def load_time_settings(server: Server, visitor: Visitor) -> PlayerHours:
    """Return the time settings of the signed-in player."""
    with server.store.reading() as connection:
        return setting_orders.load_time_settings(connection, require_player(visitor))


def apply_setting_order(server: Server, visitor: Visitor, line: str, now: datetime) -> str:
    """Apply a time order as in an email; return the answer, or raise Refused."""
    order = parse_order(line)
    if not (isinstance(order, Command) and order.word in setting_orders.WORDS):
        raise Refused(
            order.why if isinstance(order, UnclearLine) and order.why else sentence("settings.no_choice")
        )
    with server.store.writing() as connection:
        return setting_orders.apply_order(connection, require_player(visitor), order, now)


def set_automatic_vacation(server: Server, visitor: Visitor, *, on: bool, now: datetime) -> str:
    """Set whether vacation starts by itself when time would run out; return the answer."""
    with server.store.writing() as connection:
        return setting_orders.set_automatic_vacation(connection, require_player(visitor), on=on, now=now)


def set_tries(server: Server, visitor: Visitor, text: str) -> None:
    """Set whether games that begin from now on show refused tries when over."""
    if text not in _TRIES:
        raise Refused(sentence("settings.no_choice"))
    with server.store.writing() as connection:
        _update_player(connection, visitor, tells_tries=_TRIES[text])


def set_about(server: Server, visitor: Visitor, text: str) -> str:
    """Set the player's text on their page; return the answer, or raise Refused."""
    with server.store.writing() as connection:
        return profile_page.set_about(connection, require_player(visitor), text)


def set_piece_style(server: Server, visitor: Visitor, men: str) -> None:
    """Set how the pages draw pieces for the player."""
    if men not in PIECE_STYLES:
        raise Refused(sentence("settings.no_choice"))
    with server.store.writing() as connection:
        _update_player(connection, visitor, men=men)


def set_switch(server: Server, visitor: Visitor, wish: str) -> None:
    """Turn a table switch on or off, as in "capture off"; Refused if unknown."""
    with server.store.writing() as connection:
        asked = select(PlayerRow.switched).where(PlayerRow.id == require_player(visitor))
        switched = connection.execute(asked.with_for_update()).scalar_one()
        _update_player(connection, visitor, switched=table_preferences.apply_wish(switched, wish))


def require_player(visitor: Visitor) -> int:
    """Return the signed-in player; Refused if they have no name yet."""
    if visitor.who.player_id is None:
        raise Refused(sentence("names.choose_first"))
    return visitor.who.player_id


def _update_player(connection: Connection, visitor: Visitor, **values: object) -> None:
    connection.execute(update(PlayerRow).where(PlayerRow.id == require_player(visitor)).values(**values))
