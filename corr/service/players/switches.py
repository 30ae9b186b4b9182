"""A player's switches: small choices that are on or off, stored together in one column."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from functools import lru_cache
from typing import Self

from sqlalchemy import Connection, select, update

from corr.store.tables import PlayerRow
from corr.text.messages import sentence
from corr.words.errors import Refused

_ON_PAGE, _OFF = "shown on a game's page", "off by default"


class Switch(StrEnum):
    """Something that a player can turn on or off, and what is said of it beside its name."""

    marks: tuple[str, ...]

    LAST = "last", _ON_PAGE
    CAPTURE = "capture", _ON_PAGE
    CHECK = "check", _ON_PAGE
    TRIES = "tries", _ON_PAGE
    SENSED = "sensed", _ON_PAGE
    RECALLED = "recalled", _ON_PAGE
    REACH = "reach", _ON_PAGE  # where the piece in hand could go
    OLDEST = "oldest", _ON_PAGE, _OFF  # whether the log begins with the oldest move
    ANSWERS = "answers"  # whether an email that only makes a move is answered

    def __new__(cls, name: str, *marks: str) -> Self:
        """Make a switch whose value is its name alone."""
        made = str.__new__(cls, name)
        made._value_, made.marks = name, marks
        return made


class Theme(StrEnum):
    """The colours of the pages: the system's choice, or always those of the day or of the night."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


#: Switches of a game's page; the others are settings of `corr/player_settings.py`.
PAGE_SWITCHES = tuple(each for each in Switch if _ON_PAGE in each.marks)
_WISHES = {f"{switch} {way}": (switch, way == "on") for switch in PAGE_SWITCHES for way in ("on", "off")}


@lru_cache(maxsize=256)
def parse_switches(switched: str) -> frozenset[Switch]:
    """Return which switches are on, from the stored names of those not at default."""
    return frozenset(each for each in Switch if (each in switched.split()) == (_OFF in each.marks))


def parse_theme(switched: str) -> Theme:
    """Return the theme, which is stored among the switches unless it is the system's."""
    return next((each for each in Theme if each in switched.split()), Theme.SYSTEM)


def format_switches(are_on: Collection[Switch], theme: Theme) -> str:
    """Return the text to store: the switches that differ from the default, and the theme if it does."""
    changed = [each for each in Switch if (each in are_on) == (_OFF in each.marks)]
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
