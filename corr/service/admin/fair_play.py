"""Finds patterns in rated games for admins: aborted, stalled, resigned early, or left with an event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import ColumnElement, NotNullable, and_, bindparam, case, func, literal_column, or_, select
from sqlalchemy.orm import aliased

from corr import limits
from corr.service.house import House
from corr.service.players.time_format import in_utc
from corr.service.ratings.rating_rows import Uncounted
from corr.store.rows import rows_of
from corr.store.tables import Decree, EventGame, Game, Moment, Player, RatedGame, SeatRow


class With(NamedTuple):
    """A player's aborted, stalled and early resigned games against one opponent."""

    opponent: str
    aborted: int
    stalled: int
    resigned: int

    @property
    def total(self) -> int:
        return self.aborted + self.stalled + self.resigned


@dataclass(frozen=True, slots=True)
class Pattern:
    """A player's repeated pattern, with the opponents and the events left with running games."""

    player: str
    games: tuple[With, ...]
    left: int

    @property
    def total(self) -> int:
        return self.left + sum(each.total for each in self.games)

    @property
    def aborted(self) -> int:
        return sum(each.aborted for each in self.games)

    @property
    def stalled(self) -> int:
        return sum(each.stalled for each in self.games)

    @property
    def resigned(self) -> int:
        return sum(each.resigned for each in self.games)


@dataclass(frozen=True, slots=True)
class OnePerson:
    """A rated game that did not count, as both its players share a mailbox."""

    code: str
    white: str
    black: str
    when: str


@dataclass(frozen=True, slots=True)
class FairPlay:
    """Everything for an admin to look at."""

    patterns: tuple[Pattern, ...]
    persons: tuple[OnePerson, ...]


class _Against(NamedTuple):
    player_id: int
    player: str
    opponent: str
    aborted: int
    stalled: int
    resigned: int


class _Leaving(NamedTuple):
    """One withdrawal from an event; all games lost by it ended at the same moment."""

    player_id: int
    player: str
    event_id: int
    ended_at: datetime


class _Met(NamedTuple):
    code: str
    white: str
    black: str
    ended_at: datetime


_OWN, _OTHER = aliased(SeatRow), aliased(SeatRow)
_PLAYER, _OPPONENT = aliased(Player), aliased(Player)
_LOST = Game.winner.is_not(None) & (Game.winner != _OWN.side)
_WAS_TO_MOVE = or_(
    and_(Game.ply % 2 == 0, _OWN.side == "white"), and_(Game.ply % 2 == 1, _OWN.side == "black")
)
#: A game lost by leaving its event, as distinct from a resigned game.
_BY_LEAVING = select(EventGame.id).where(EventGame.game_id == Game.id, EventGame.by_default).exists()
_DECREED = select(Decree.id).where(Decree.game_id == Game.id, Decree.said.is_not(None)).exists()


def _count(which: ColumnElement[bool], name: str) -> ColumnElement[int]:
    return func.sum(case((which, 1), else_=0)).label(name)


#: A game whose time runs out before this many moves has no result; later the player loses it, or has left it.
_BEGUN = 4
_LEFT = (Game.reason == "void") & _WAS_TO_MOVE
_GAVE_UP = (Game.reason == "resignation") & _LOST
_ABORTED = _count(_LEFT & (Game.ply < _BEGUN), "aborted")
_STALLED = _count((_LEFT & (Game.ply >= _BEGUN)) | ((Game.reason == "time") & _LOST), "stalled")
_RESIGNED = _count(_GAVE_UP & ~_BY_LEAVING & (Game.ply < limits.EARLY_MOVES * 2), "resigned")
_ENDED_SINCE = and_(Game.ended_at > bindparam("since", type_=Moment), Game.ended_at.is_not(None))
_PATTERNS = (
    select(
        _OWN.player_id,
        _PLAYER.name.label("player"),
        _OPPONENT.name.label("opponent"),
        _ABORTED,
        _STALLED,
        _RESIGNED,
    )
    .select_from(Game)
    .join(_OWN, (_OWN.game_id == Game.id) & ~_OWN.house)
    .join(_OTHER, (_OTHER.game_id == Game.id) & (_OTHER.id != _OWN.id))
    .join(_PLAYER, _PLAYER.id == _OWN.player_id)
    .join(_OPPONENT, _OPPONENT.id == _OTHER.player_id)
    .where(
        _ENDED_SINCE,
        Game.lesson.is_(None),
        Game.ply >= literal_column("0"),
        Game.rated,
        Game.reason.in_(("void", "time", "resignation")),
        ~_DECREED,
    )
    .group_by(_OWN.player_id, _PLAYER.name, _OPPONENT.name)
    .having(_ABORTED.element + _STALLED.element + _RESIGNED.element > 0)
    .order_by(_OWN.player_id, _OPPONENT.name)
)
_LEAVINGS = (
    select(_OWN.player_id, _PLAYER.name.label("player"), EventGame.event_id, NotNullable(Game.ended_at))
    .select_from(Game)
    .join(EventGame, EventGame.game_id == Game.id)
    .join(_OWN, _OWN.game_id == Game.id)
    .join(_PLAYER, _PLAYER.id == _OWN.player_id)
    .where(_ENDED_SINCE, Game.rated, _GAVE_UP, EventGame.by_default, ~_DECREED)
    .distinct()
)
_WHITE, _BLACK = aliased(Player), aliased(Player)
_PERSONS = (
    select(Game.code, _WHITE.name.label("white"), _BLACK.name.label("black"), RatedGame.ended_at)
    .select_from(RatedGame)
    .join(Game, Game.id == RatedGame.game_id)
    .join(_WHITE, _WHITE.id == RatedGame.white_id)
    .join(_BLACK, _BLACK.id == RatedGame.black_id)
    .where(RatedGame.uncounted == Uncounted.PERSON)
    .order_by(RatedGame.id.desc())
    .limit(limits.TROUBLES_SHOWN)
)


def fair_play(house: House, now: datetime) -> FairPlay:
    """Return recent patterns, most frequent first, and players who met themselves."""
    with house.store.reading() as connection:
        since = now - limits.PATTERN_WITHIN
        against = rows_of(_Against, connection.execute(_PATTERNS, {"since": since}))
        leavings = rows_of(_Leaving, connection.execute(_LEAVINGS, {"since": since}))
        met = rows_of(_Met, connection.execute(_PERSONS))
    persons = tuple(OnePerson(each.code, each.white, each.black, in_utc(each.ended_at)) for each in met)
    return FairPlay(_patterns(against, leavings), persons)


def _patterns(against: Sequence[_Against], leavings: Sequence[_Leaving]) -> tuple[Pattern, ...]:
    names = {each.player_id: each.player for each in against}
    names |= {each.player_id: each.player for each in leavings}
    games = {each: tuple(rows) for each, rows in groupby(against, key=lambda each: each.player_id)}
    left = Counter(each.player_id for each in leavings)
    found = (Pattern(names[each], _games(games.get(each, ())), left[each]) for each in names)
    often = (each for each in found if each.total >= limits.PATTERN_GAMES)
    return tuple(sorted(often, key=lambda each: -each.total)[: limits.TROUBLES_SHOWN])


def _games(rows: Iterable[_Against]) -> tuple[With, ...]:
    return _most_first(With(each.opponent, each.aborted, each.stalled, each.resigned) for each in rows)


def _most_first(games: Iterable[With]) -> tuple[With, ...]:
    return tuple(sorted(games, key=lambda each: -each.total))
