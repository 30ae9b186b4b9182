"""Turns the archive's search form, and places in page addresses, into a filter for queries."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from corr.service import catalogue
from corr.service.games.archive_entries import EVERYBODY, Length, name_group
from corr.service.players import house_bots, players, publishing
from corr.store.tables import PlayerRow
from corr.text.messages import sentence
from corr.words.board import Side
from corr.words.errors import Refused

_EPOCH, _FAR_FUTURE = datetime(1970, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)
_DAY = re.compile(r"(?:19[7-9]\d|2\d{3})-\d\d-\d\d", re.ASCII)
_PLACE = re.compile(r"(\d{1,16})-(\d{1,18})", re.ASCII)
_NAME_CHARACTERS = 40


class Result(StrEnum):
    WHITE = "white"
    BLACK = "black"
    DRAWN = "drawn"
    WON = "won"
    LOST = "lost"


class FilterForm(NamedTuple):
    player: str = ""
    variant: str = ""
    result: str = ""
    length: str = ""
    since: str = ""
    until: str = ""


class ArchivePlace(NamedTuple):
    """A game's position in the archive, by the moment of its end."""

    ended_at: datetime
    game_id: int

    @property
    def text(self) -> str:
        """The place as text for the address of a page."""
        return f"{(self.ended_at - _EPOCH) // timedelta(microseconds=1)}-{self.game_id}"


#: The places before and after all games.
FIRST_PLACE, LAST_PLACE = ArchivePlace(_EPOCH, -1), ArchivePlace(_FAR_FUTURE, -1)


@dataclass(frozen=True, slots=True)
class ArchiveFilter:
    """A search: a player or everybody, the kinds of games (empty for all), and a span of time."""

    player: int
    kinds: tuple[str, ...]
    after: ArchivePlace
    before: ArchivePlace


def read_filter(connection: Connection, typed: FilterForm) -> ArchiveFilter:
    """Turn the search form into a filter; Refused if a field makes no sense."""
    player = _player(connection, typed.player.strip()) if typed.player.strip() else EVERYBODY
    after = ArchivePlace(_day(typed.since), -1) if typed.since else FIRST_PLACE
    before = ArchivePlace(_day(typed.until) + timedelta(days=1), -1) if typed.until else LAST_PLACE
    return ArchiveFilter(player, _select_kinds(typed, player), after, before)


def read_place(text: str) -> ArchivePlace:
    """Read a game's place in the archive from a page's address; Refused if malformed."""
    found = _PLACE.fullmatch(text)
    if not found:
        raise Refused(sentence("archive.no_place"))
    return ArchivePlace(_EPOCH + timedelta(microseconds=int(found[1])), int(found[2]))


_NAMED_PLAYER_QUERY = select(PlayerRow.id).where(
    PlayerRow.id == bindparam("player"), PlayerRow.publishes.in_(publishing.BY_NAME)
)


def _player(connection: Connection, name: str) -> int:
    """Return a player by name; one not shown by name is refused like an unknown one."""
    program, found = house_bots.find_bot(name), players.find_player(connection, name)
    if program and not found:
        found = players.find_house_player(connection, program.shown)
    if connection.execute(_NAMED_PLAYER_QUERY, {"player": found or EVERYBODY}).scalar_one_or_none() is None:
        raise Refused(sentence("archive.nobody", name=name[:_NAME_CHARACTERS]))
    return found or EVERYBODY


def _select_kinds(typed: FilterForm, player: int) -> tuple[str, ...]:
    """Return the kinds of games (variant, result, length) to search; empty for all. Refused for wrong choices."""
    if not (typed.variant or typed.result or typed.length):
        return ()
    result = Result(_check_choice(typed.result, Result)) if typed.result else None
    if result in (Result.WON, Result.LOST) and player == EVERYBODY:
        raise Refused(sentence("archive.whose"))
    every = [card.key for card in catalogue.cards()]
    variants = [_check_choice(typed.variant, every)] if typed.variant else every
    lengths = [Length(_check_choice(typed.length, Length))] if typed.length else list(Length)
    sides = (None,) if player == EVERYBODY else tuple(Side)
    return tuple(
        name_group(variant, winner, length, side)
        for variant, winner, length, side in product(variants, (*Side, None), lengths, sides)
        if _matches_result(result, winner, side)
    )


def _check_choice(asked: str, known: Iterable[str]) -> str:
    """Return a choice if it is one of the known ones; Refused otherwise."""
    if asked not in tuple(known):
        raise Refused(sentence("archive.no_choice"))
    return asked


def _matches_result(result: Result | None, winner: Side | None, side: Side | None) -> bool:
    """Tell whether a game with this winner has the wanted result for a player's side."""
    match result:
        case Result.WHITE | Result.BLACK:
            return winner == Side(result)
        case Result.DRAWN:
            return winner is None
        case Result.WON:
            return winner is not None and winner is side
        case Result.LOST:
            return winner is not None and winner is not side
        case None:
            return True


def _day(text: str) -> datetime:
    """Return the start of a day in UTC; Refused if there is no such day."""
    try:
        if _DAY.fullmatch(text):
            return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        pass
    raise Refused(sentence("archive.no_day", day=text[:_NAME_CHARACTERS]))
