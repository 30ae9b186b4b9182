"""A player's switches: small choices that are on or off, stored together in one column."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from sqlalchemy import Connection, select, update

from corr.store.tables import PlayerRow
from corr.text.messages import sentence
from corr.words.errors import Refused


class Switch(StrEnum):
    """Something about a game's page or emails that a player can turn on or off."""

    LAST = "last"
    CAPTURE = "capture"
    CHECK = "check"
    TRIES = "tries"
    SENSED = "sensed"
    RECALLED = "recalled"
    REACH = "reach"  # where the piece in hand could go
    OLDEST = "oldest"  # whether the log begins with the oldest move
    ANSWERS = "answers"  # whether an email that only makes a move is answered


class Theme(StrEnum):
    """The colours of the pages: the system's choice, or always those of the day or of the night."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


#: Switches that are off by default; all others are on by default.
_OFF_BY_DEFAULT = frozenset({Switch.OLDEST})
#: Switches of a game's page; the others are settings with orders of their own.
PAGE_SWITCHES = tuple(each for each in Switch if each is not Switch.ANSWERS)
_WISHES = {f"{switch} {way}": (switch, way == "on") for switch in PAGE_SWITCHES for way in ("on", "off")}


def parse_switches(switched: str) -> frozenset[Switch]:
    """Return which switches are on, from the stored names of those not at default."""
    return frozenset(each for each in Switch if (each in switched.split()) == (each in _OFF_BY_DEFAULT))


def parse_theme(switched: str) -> Theme:
    """Return the theme, which is stored among the switches unless it is the system's."""
    return next((each for each in Theme if each in switched.split()), Theme.SYSTEM)


def format_switches(are_on: Collection[Switch], theme: Theme) -> str:
    """Return the text to store: the switches that differ from the default, and the theme if it does."""
    changed = [each for each in Switch if (each in are_on) == (each in _OFF_BY_DEFAULT)]
    return " ".join([*changed, *([] if theme is Theme.SYSTEM else [theme])])


def parse_wish(wish: str) -> tuple[Switch, bool]:
    """Return the switch of a game's page and its wanted state, from "capture off"; Refused if unknown."""
    if wish not in _WISHES:
        raise Refused(sentence("settings.no_choice"))
    return _WISHES[wish]


def turn(switched: str, switch: Switch, *, on: bool) -> str:
    """Return the switches to store after turning one on or off."""
    are_on = parse_switches(switched)
    return format_switches(are_on | {switch} if on else are_on - {switch}, parse_theme(switched))


def set_switch(connection: Connection, player_id: int, switch: Switch, *, on: bool) -> None:
    """Turn one of a player's switches on or off."""
    this = PlayerRow.id == player_id
    switched = connection.execute(select(PlayerRow.switched).where(this).with_for_update()).scalar_one()
    connection.execute(update(PlayerRow).where(this).values(switched=turn(switched, switch, on=on)))
