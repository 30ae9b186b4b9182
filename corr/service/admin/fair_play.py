"""Shows admins which players often abort, stall or resign early, or leave events (numbers: `corr/limits.py`)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeVar

from sqlalchemy import ColumnElement, NotNullable, and_, bindparam, case, func, literal_column, or_, select
from sqlalchemy.orm import aliased

from corr import limits
from corr.service.players.times import word_in_utc
from corr.service.ratings.rated_games import Uncounted
from corr.service.server import Server
from corr.store.rows import columns_of, pairs_of, rows_of
from corr.store.tables import DecisionRow, EventGameRow, GameRow, Moment, PlayerRow, RatedGameRow, SeatRow


class OpponentCounts(NamedTuple):
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
    """A player who often spoiled rated games, with counts by opponent and of events left."""

    player: str
    games: tuple[OpponentCounts, ...]
    left: int

    @property
    def total(self) -> int:
        return self.left + self.aborted + self.stalled + self.resigned

    @property
    def aborted(self) -> int:
        return sum(each.aborted for each in self.games)

    @property
    def stalled(self) -> int:
        return sum(each.stalled for each in self.games)

    @property
    def resigned(self) -> int:
        return sum(each.resigned for each in self.games)


class SamePersonGame(NamedTuple):
    """A rated game that did not count, as both its players share a mailbox."""

    code: str
    white: str
    black: str
    ended_at: datetime

    @property
    def when(self) -> str:
        return word_in_utc(self.ended_at)


_Counted = TypeVar("_Counted", OpponentCounts, Pattern)


@dataclass(frozen=True, slots=True)
class FairPlayReport:
    patterns: tuple[Pattern, ...]
    persons: tuple[SamePersonGame, ...]


class _PlayerRow(NamedTuple):
    player_id: int
    player: str


class _WithdrawalRow(NamedTuple):
    """One withdrawal from an event; all games lost by it ended at the same moment."""

    player_id: int
    player: str
    event_id: int
    ended_at: datetime


_OWN_SEAT, _OTHER_SEAT = aliased(SeatRow), aliased(SeatRow)
_PLAYER, _OPPONENT = aliased(PlayerRow), aliased(PlayerRow)
_HAS_LOST = GameRow.winner.is_not(None) & (GameRow.winner != _OWN_SEAT.side)
_IS_TO_MOVE = or_(
    and_(GameRow.ply % 2 == 0, _OWN_SEAT.side == "white"),
    and_(GameRow.ply % 2 == 1, _OWN_SEAT.side == "black"),
)
#: A game lost by leaving its event, as distinct from a resigned game.
_IS_DEFAULT_LOSS = (
    select(EventGameRow.id).where(EventGameRow.game_id == GameRow.id, EventGameRow.by_default).exists()
)
_HAS_DECREE = (
    select(DecisionRow.id).where(DecisionRow.game_id == GameRow.id, DecisionRow.said.is_not(None)).exists()
)


def _count(which: ColumnElement[bool], name: str) -> ColumnElement[int]:
    """Return a column of this name that counts the rows meeting a condition."""
    return func.sum(case((which, 1), else_=0)).label(name)


#: A game whose time runs out before this many moves has no result; later the player loses it, or has left it.
_PLIES_WITHOUT_RESULT = 4
_HAS_ABANDONED = (GameRow.reason == "void") & _IS_TO_MOVE
_HAS_RESIGNED = (GameRow.reason == "resignation") & _HAS_LOST
_ABORTED = _count(_HAS_ABANDONED & (GameRow.ply < _PLIES_WITHOUT_RESULT), "aborted")
_STALLED = _count(
    (_HAS_ABANDONED & (GameRow.ply >= _PLIES_WITHOUT_RESULT)) | ((GameRow.reason == "time") & _HAS_LOST),
    "stalled",
)
_RESIGNED = _count(_HAS_RESIGNED & ~_IS_DEFAULT_LOSS & (GameRow.ply < limits.EARLY_MOVES * 2), "resigned")
_ENDED_SINCE = and_(GameRow.ended_at > bindparam("since", type_=Moment), GameRow.ended_at.is_not(None))
_PATTERNS = (
    select(
        _OWN_SEAT.player_id,
        _PLAYER.name.label("player"),
        _OPPONENT.name.label("opponent"),
        _ABORTED,
        _STALLED,
        _RESIGNED,
    )
    .select_from(GameRow)
    .join(_OWN_SEAT, (_OWN_SEAT.game_id == GameRow.id) & ~_OWN_SEAT.house)
    .join(_OTHER_SEAT, (_OTHER_SEAT.game_id == GameRow.id) & (_OTHER_SEAT.id != _OWN_SEAT.id))
    .join(_PLAYER, _PLAYER.id == _OWN_SEAT.player_id)
    .join(_OPPONENT, _OPPONENT.id == _OTHER_SEAT.player_id)
    .where(
        _ENDED_SINCE,
        GameRow.lesson.is_(None),
        GameRow.ply >= literal_column("0"),
        GameRow.rated,
        GameRow.reason.in_(("void", "time", "resignation")),
        ~_HAS_DECREE,
    )
    .group_by(_OWN_SEAT.player_id, _PLAYER.name, _OPPONENT.name)
    .having(_ABORTED.element + _STALLED.element + _RESIGNED.element > 0)
    .order_by(_OWN_SEAT.player_id, _OPPONENT.name)
)
_WITHDRAWALS_QUERY = (
    select(
        _OWN_SEAT.player_id,
        _PLAYER.name.label("player"),
        EventGameRow.event_id,
        NotNullable(GameRow.ended_at),
    )
    .select_from(GameRow)
    .join(EventGameRow, EventGameRow.game_id == GameRow.id)
    .join(_OWN_SEAT, _OWN_SEAT.game_id == GameRow.id)
    .join(_PLAYER, _PLAYER.id == _OWN_SEAT.player_id)
    .where(_ENDED_SINCE, GameRow.rated, _HAS_RESIGNED, EventGameRow.by_default, ~_HAS_DECREE)
    .distinct()
)
_WHITE, _BLACK = aliased(PlayerRow), aliased(PlayerRow)
_SAME_PERSON_QUERY = (
    select(*columns_of(SamePersonGame, RatedGameRow, code=GameRow.code, white=_WHITE.name, black=_BLACK.name))
    .select_from(RatedGameRow)
    .join(GameRow, GameRow.id == RatedGameRow.game_id)
    .join(_WHITE, _WHITE.id == RatedGameRow.white_id)
    .join(_BLACK, _BLACK.id == RatedGameRow.black_id)
    .where(RatedGameRow.uncounted == Uncounted.PERSON)
    .order_by(RatedGameRow.id.desc())
    .limit(limits.PROBLEMS_SHOWN)
)


def load_report(server: Server, now: datetime) -> FairPlayReport:
    """Return players who often spoiled rated games, and games between two accounts of one person."""
    with server.store.reading() as connection:
        since = now - limits.PATTERN_WITHIN
        against = pairs_of(_PlayerRow, OpponentCounts, connection.execute(_PATTERNS, {"since": since}))
        leavings = rows_of(_WithdrawalRow, connection.execute(_WITHDRAWALS_QUERY, {"since": since}))
        persons = rows_of(SamePersonGame, connection.execute(_SAME_PERSON_QUERY))
    return FairPlayReport(_patterns(against, leavings), tuple(persons))


def _patterns(
    against: Sequence[tuple[_PlayerRow, OpponentCounts]], leavings: Sequence[_WithdrawalRow]
) -> tuple[Pattern, ...]:
    """Join both counts by player; keep players above the limit, worst first."""
    names, games = dict[int, str](), defaultdict[int, list[OpponentCounts]](list)
    for who, counts in against:
        names[who.player_id] = who.player
        games[who.player_id].append(counts)
    names |= {each.player_id: each.player for each in leavings}
    left = Counter(each.player_id for each in leavings)
    found = (Pattern(name, _sort_by_total(games[player]), left[player]) for player, name in names.items())
    often = _sort_by_total(each for each in found if each.total >= limits.PATTERN_GAMES)
    return often[: limits.PROBLEMS_SHOWN]


def _sort_by_total(found: Iterable[_Counted]) -> tuple[_Counted, ...]:
    return tuple(sorted(found, key=lambda each: -each.total))
