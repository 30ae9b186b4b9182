"""Reads and changes a player's settings: name, time zone, emails, publishing, and how pages look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, select, update

from corr.orders import UnclearLine, parse_order
from corr.player_settings import SETTINGS, Setting
from corr.service.players import (
    addresses,
    mail_preferences,
    players,
    publishing,
    setting_orders,
    switches,
    times,
    vacations,
)
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
    theme: switches.Theme
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
            switches.parse_theme(kept["switched"]),
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
    means = "" if setting.has_links else text("means")
    return SettingForm(setting, text(""), options, setting.choice_of(stored), means)


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


def apply_setting_orders(server: Server, visitor: Visitor, lines: Sequence[str], now: datetime) -> str:
    """Apply orders about settings from a page's form, all or none; return what they did."""
    orders = [_parse_setting_order(line) for line in lines]
    with server.store.writing() as connection:
        player = visitor.require_player()
        return " ".join(setting_orders.apply_order(connection, player, each, now) for each in orders)


def _parse_setting_order(line: str) -> Command:
    """Return an order about settings; Refused if the line is none."""
    order = parse_order(line)
    if isinstance(order, Command) and order.word in setting_orders.WORDS:
        return order
    raise Refused(
        order.why if isinstance(order, UnclearLine) and order.why else sentence("settings.no_choice")
    )


def set_automatic_vacation(server: Server, visitor: Visitor, *, on: bool, now: datetime) -> str:
    """Set whether a vacation starts when time would run out; return a confirmation to show."""
    with server.store.writing() as connection:
        return vacations.set_automatic_vacation(connection, visitor.require_player(), on=on, now=now)


def save(server: Server, visitor: Visitor, wanted: Mapping[str, str], now: datetime) -> str:
    """Store all choices of a form, or none if one is refused; return what has changed."""
    player = visitor.require_player()
    with server.store.writing() as connection:
        (kept,) = dicts_of(connection.execute(_SETTINGS_QUERY.where(PlayerRow.id == player)))
        said = [
            setting_orders.choose(connection, player, each, wanted[each.name])
            for each in SETTINGS
            if each.name in wanted and _is_new(wanted[each.name], each, _find_stored(each, kept))
        ]
        for field, changed in _CHANGES.items():
            if field in wanted and (answer := changed(connection, player, kept, wanted[field], now)):
                said.append(answer)
    return " ".join(dict.fromkeys(said)) or sentence("settings.unchanged")


def _is_new(choice: str, setting: Setting, stored: object) -> bool:
    """Whether a choice differs from the stored one; Refused if there is no such choice."""
    if choice != setting.choice_of(stored) and choice not in setting.choices:
        raise Refused(sentence("settings.no_choice"))
    return choice != setting.choice_of(stored)


_Kept: TypeAlias = dict[str, Any]


def _change_name(connection: Connection, player: int, kept: _Kept, name: str, _now: datetime) -> str:
    """Rename a player, by a name that was checked; return a message, empty if nothing changed."""
    if name == kept["name"]:
        return ""
    players.rename(connection, player, name)
    return sentence("names.changed", name=name)


def _change_zone(connection: Connection, player: int, kept: _Kept, zone: str, now: datetime) -> str:
    """Set a player's time zone; return a message, empty if nothing changed."""
    if zone == kept["zone"]:
        return ""
    setting_orders.apply_order(connection, player, Command("zone", zone), now)
    return sentence("settings.zone", moment=times.word_moment(now, zone))


def _change_about(connection: Connection, player: int, kept: _Kept, text: str, _now: datetime) -> str:
    """Set the text on a player's own page; return a message, empty if nothing changed."""
    return "" if text == kept["about"] else publishing.set_about(connection, player, text)


def _change_mailing(connection: Connection, player: int, kept: _Kept, mailing: str, now: datetime) -> str:
    """Set which emails about games a player gets; return a message, empty if nothing changed."""
    if mailing == word_mailing(kept["mailing"], kept["digest_hour"]):
        return ""
    return setting_orders.apply_order(connection, player, Command("mail", mailing), now)


def _change_look(connection: Connection, player: int, kept: _Kept, switched: str, _now: datetime) -> str:
    """Set the theme and what game pages show; return a message, empty if nothing changed."""
    others = switches.parse_switches(kept["switched"]).difference(switches.PAGE_SWITCHES)
    on = switches.parse_switches(switched).intersection(switches.PAGE_SWITCHES)
    switched = switches.format_switches(on | others, switches.parse_theme(switched))
    if switched == kept["switched"]:
        return ""
    connection.execute(update(PlayerRow).where(PlayerRow.id == player).values(switched=switched))
    return sentence("settings.appearance")


_CHANGES = {
    "name": _change_name,
    "zone": _change_zone,
    "about": _change_about,
    "mailing": _change_mailing,
    "switched": _change_look,
}


def word_mailing(mailing: str, hour: int | str) -> str:
    """Return the words of an order for these emails, such as `daily 18`."""
    return f"{mailing} {hour}" if mailing == mail_preferences.DAILY else mailing


def set_switch(server: Server, visitor: Visitor, wish: str) -> None:
    """Turn part of the game's page on or off ("capture off"); Refused if unknown."""
    switch, wants_on = switches.parse_wish(wish)
    with server.store.writing() as connection:
        switches.set_switch(connection, visitor.require_player(), switch, on=wants_on)
