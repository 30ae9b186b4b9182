"""Reads and changes a player's settings: name, time zone, emails, publishing, and how pages look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select

from corr.orders import UnclearLine, parse_order
from corr.player_settings import SETTINGS, Setting
from corr.service.players import addresses, players, publishing, setting_orders, switches, times, vacations
from corr.service.players.addresses import Mailbox
from corr.service.players.authentication import Visitor
from corr.service.players.names import remove_bot_mark
from corr.service.players.switches import Switch
from corr.service.players.times import StoredTimeSettings
from corr.service.server import Server
from corr.store.rows import dicts_of
from corr.store.tables import PlayerRow
from corr.text.messages import sentence
from corr.words.errors import Refused
from corr.words.orders import Command


class SettingForm(NamedTuple):
    """The settings page's form for a simple setting."""

    setting: Setting
    label: str
    options: tuple[tuple[str, str], ...]
    chosen: str
    means: str
    button: str


@dataclass(frozen=True, slots=True)
class Settings:
    """A player's settings as the settings page shows them."""

    name: str
    zone: str
    mailing: str
    digest_hour: int
    about: str
    forms: dict[str, SettingForm]
    pen_name: str  # the made-up name in published games, if they chose one
    on: frozenset[Switch]
    mailboxes: tuple[Mailbox, ...]


def load_settings(server: Server, visitor: Visitor) -> Settings:
    """Return the settings of the signed-in player."""
    player = visitor.require_player()
    with server.store.reading() as connection:
        (kept,) = dicts_of(connection.execute(_SETTINGS_QUERY.where(PlayerRow.id == player)))
        forms = {each.name: _make_form(each, _find_stored(each, kept)) for each in SETTINGS}
        pen_name = ""
        if kept["publishes"] == publishing.YES:
            pen_name = publishing.make_pen_name(publishing.load_secret(connection), player)
        return Settings(
            remove_bot_mark(kept["name"]),
            kept["zone"],
            kept["mailing"],
            kept["digest_hour"],
            kept["about"],
            forms,
            pen_name,
            switches.parse_switches(kept["switched"]),
            addresses.list_mailboxes(connection, visitor.who),
        )


def _find_stored(setting: Setting, kept: Mapping[str, Any]) -> object:
    """Return a setting's stored value; for a switch, whether it is on."""
    stored = kept[setting.column]
    return setting.switch in switches.parse_switches(stored) if setting.switch else stored


def _make_form(setting: Setting, stored: object) -> SettingForm:
    """Build the settings page's form for a setting, with its stored choice."""

    def text(part: str) -> str:
        return sentence(f"setting_forms.{setting.text_key(part)}")

    options = tuple((choice, text(choice)) for choice in setting.choices)
    means = text("means") if setting.section and not setting.has_links else ""
    return SettingForm(setting, text(""), options, setting.choice_of(stored), means, text("button"))


#: The columns of `SETTINGS` except switches; of checkpoints only whether the player gets them.
SETTING_COLUMNS = tuple(
    PlayerRow.checkpoint.is_not(None).label("checkpoint")
    if each.name == "checkpoints"
    else PlayerRow.__table__.c[each.column]
    for each in SETTINGS
    if not each.switch
)
_SETTINGS_QUERY = select(
    PlayerRow.name,
    PlayerRow.zone,
    PlayerRow.mailing,
    PlayerRow.digest_hour,
    PlayerRow.about,
    PlayerRow.switched,
    *SETTING_COLUMNS,
)


def check_name(server: Server, visitor: Visitor, text: str) -> str:
    """Return the name the player may take; Refused if it is not allowed."""
    with server.store.reading() as connection:
        return players.check_name(connection, visitor.require_player(), text)


def rename(server: Server, visitor: Visitor, name: str) -> None:
    """Rename the player."""
    with server.store.writing() as connection:
        players.rename(connection, visitor.require_player(), name)


def is_bot(server: Server, visitor: Visitor) -> bool:
    """Whether a bot plays as the signed-in player."""
    with server.store.asking() as connection:
        return players.is_bot(connection, visitor.require_player())


def set_zone(server: Server, visitor: Visitor, text: str, now: datetime) -> None:
    """Set the time zone in which the player reads times."""
    with server.store.writing() as connection:
        setting_orders.apply_order(connection, visitor.require_player(), Command("zone", text), now)


def load_time_settings(server: Server, visitor: Visitor) -> StoredTimeSettings:
    """Return the time settings of the signed-in player."""
    with server.store.reading() as connection:
        return times.load_hours(connection, visitor.require_player())


def apply_setting_order(server: Server, visitor: Visitor, line: str, now: datetime) -> str:
    """Apply an order about settings, typed on a page; return a confirmation, or raise Refused."""
    order = parse_order(line)
    if not (isinstance(order, Command) and order.word in setting_orders.WORDS):
        raise Refused(
            order.why if isinstance(order, UnclearLine) and order.why else sentence("settings.no_choice")
        )
    with server.store.writing() as connection:
        return setting_orders.apply_order(connection, visitor.require_player(), order, now)


def set_automatic_vacation(server: Server, visitor: Visitor, *, on: bool, now: datetime) -> str:
    """Set whether a vacation starts when time would run out; return a confirmation to show."""
    with server.store.writing() as connection:
        return vacations.set_automatic_vacation(connection, visitor.require_player(), on=on, now=now)


def choose(server: Server, visitor: Visitor, setting: Setting, choice: str) -> str:
    """Store the player's choice for a setting; return a confirmation, or raise Refused."""
    if choice not in setting.choices:
        raise Refused(sentence("settings.no_choice"))
    with server.store.writing() as connection:
        return setting_orders.choose(connection, visitor.require_player(), setting, choice)


def set_about(server: Server, visitor: Visitor, text: str) -> str:
    """Set the text on the player's own page; return a confirmation, or raise Refused."""
    with server.store.writing() as connection:
        return publishing.set_about(connection, visitor.require_player(), text)


def set_switch(server: Server, visitor: Visitor, wish: str) -> None:
    """Turn part of the game's page on or off ("capture off"); Refused if unknown."""
    switch, wants_on = switches.parse_wish(wish)
    with server.store.writing() as connection:
        switches.set_switch(connection, visitor.require_player(), switch, on=wants_on)
