"""Whether a season has kept what was promised: its rows against what is reckoned anew from games alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from bench.seasons import reckoning, tables
from bench.seasons.reckoning import Rating
from bench.seasons.tables import Meeting
from corr.service.events import events, standings
from corr.service.events.events import Event
from corr.service.house import House
from corr.store.rows import rows_of
from corr.store.tables import EntrantRow, EventGame, EventRow, Game, RatedGame, RatingRow, SeatRow
from corr.words.view import Stage

_EXACT = 1e-6
#: From this deviation on a rating is provisional.
_PROVISIONAL = 110.0
#: By fewer games nothing is told of how well results are foretold.
_ENOUGH = 200
_WITHOUT_RESULT = ("void", "declined")
_COIN = math.log(2)


class _Rated(NamedTuple):
    game_id: int
    variant: str
    ended_at: datetime
    white_id: int
    black_id: int
    winner: str | None
    uncounted: str
    white_rating: float
    white_deviation: float
    black_rating: float
    black_deviation: float


class _Kept(NamedTuple):
    player_id: int
    variant: str
    rating: float
    deviation: float
    volatility: float
    won: int
    drawn: int
    lost: int
    opponents: int


class _Over(NamedTuple):
    id: int
    variant: str
    ended_at: datetime | None
    winner: str | None
    side: str
    player_id: int


class _EventGame(NamedTuple):
    white: int
    black: int
    game_id: int | None
    winner: str | None
    reason: str | None
    settled_at: datetime | None


class _Entrant(NamedTuple):
    number: int | None
    withdrawn_at: datetime | None
    leaving_from: datetime | None
    news_from: datetime | None


_GAMES = select(*(getattr(RatedGame, name) for name in _Rated._fields)).order_by(RatedGame.id)
_RATINGS = select(*(getattr(RatingRow, name) for name in _Kept._fields))
_OVER = (
    select(Game.id, Game.variant, Game.ended_at, Game.winner, SeatRow.side, SeatRow.player_id)
    .join(SeatRow, SeatRow.game_id == Game.id)
    .where(Game.rated, Game.state == Stage.OVER, Game.reason.not_in(_WITHOUT_RESULT))
)
_GOES_ON = select(func.count()).select_from(Game).where(Game.state != Stage.OVER)
_SECTIONS = select(EventRow.id).where(EventRow.begun_at.is_not(None)).order_by(EventRow.id)
_PYRAMIDS = select(EventRow.id).where(EventRow.kind == "pyramid").order_by(EventRow.id)


@dataclass
class Check:
    """Looks over a house in which a season is over."""

    house: House
    one_person: set[frozenset[int]]
    breaches: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def run(self) -> list[str]:
        """All that is wrong."""
        with self.house.store.reading() as connection:
            rated = rows_of(_Rated, connection.execute(_GAMES))
            self._once(connection, rated)
            self._ratings(connection, rated)
            self._foretold(rated)
            self._events(connection)
            if going_on := connection.execute(_GOES_ON).scalar_one():
                self.breaches.append(f"{going_on} games go on")
        return self.breaches

    # ------------------------------------------------------------ ratings

    def _once(self, connection: Connection, rated: Sequence[_Rated]) -> None:
        """Each rated game that is over with a result stands once among those that were rated, and none else."""
        over: dict[int, dict[str, _Over]] = {}
        for seat in rows_of(_Over, connection.execute(_OVER)):
            over.setdefault(seat.id, {})[seat.side] = seat
        for game_id, times in Counter(each.game_id for each in rated).items():
            if times > 1 or game_id not in over:
                self.breaches.append(f"game {game_id} was rated {times} times")
        for game_id in over.keys() - {each.game_id for each in rated}:
            self.breaches.append(f"game {game_id} was not rated")
        for each in rated:
            seats = over.get(each.game_id, {})
            found = [(seat.variant, seat.ended_at, seat.winner, seat.player_id) for seat in seats.values()]
            own = each.variant, each.ended_at, each.winner
            if sorted(found) != sorted([(*own, each.white_id), (*own, each.black_id)]):
                self.breaches.append(f"game {each.game_id} was rated otherwise than it ended")

    def _ratings(self, connection: Connection, rated: Sequence[_Rated]) -> None:
        kept = {(row.player_id, row.variant): row for row in rows_of(_Kept, connection.execute(_RATINGS))}
        reckoned = reckoning.reckon(
            (
                reckoning.Game(
                    each.variant,
                    each.ended_at,
                    each.white_id,
                    each.black_id,
                    each.winner,
                    each.uncounted == "annulled",
                )
                for each in rated
            ),
            self.one_person,
        )
        for each, why in zip(rated, reckoned.uncounted, strict=True):
            if each.uncounted != why:
                self.breaches.append(f"game {each.game_id} is {each.uncounted!r} and should be {why!r}")
        if kept.keys() != reckoned.ratings.keys():
            self.breaches.append(f"ratings too few or too many: {kept.keys() ^ reckoned.ratings.keys()}")
        furthest = 0.0
        for whose in kept.keys() & reckoned.ratings.keys():
            row, own = kept[whose], reckoned.ratings[whose]
            off = _off(row, own)
            furthest = max(furthest, off)
            if off > _EXACT or (row.won, row.drawn, row.lost, row.opponents) != own.played:
                self.breaches.append(f"rating of {whose}: {row}, and by the games {own.figures} {own.played}")
        kinds = Counter(each.uncounted or "counted" for each in rated)
        self.told.append(
            f"{len(rated):,} games rated ({', '.join(f'{number:,} {what}' for what, number in kinds.most_common())}), "
            f"{len(kept):,} ratings, the furthest off by {furthest:.1g} from what is reckoned anew"
        )

    def _foretold(self, rated: Sequence[_Rated]) -> None:
        """Whether ratings foretell who wins, better than a coin does, once both are known well enough."""
        chances = list(_chances(rated))
        if len(chances) < _ENOUGH:
            self.told.append(f"{len(chances)} decisive games between players who are known: too few to tell")
            return
        right = sum(chance > 0.5 for chance in chances) / len(chances)
        loss = -sum(math.log(chance) for chance in chances) / len(chances)
        self.told.append(
            f"of {len(chances):,} decisive games between players who are known, the higher rated won "
            f"{100 * right:.1f} %; log-loss {loss:.3f}, a coin's {_COIN:.3f}"
        )
        if right <= 0.5 or loss >= _COIN:
            self.breaches.append("ratings foretell results no better than chance")

    # ------------------------------------------------------------ events

    def _events(self, connection: Connection) -> None:
        sections = [events.by_id(connection, each) for each in connection.execute(_SECTIONS).scalars()]
        pyramids = [events.by_id(connection, each) for each in connection.execute(_PYRAMIDS).scalars()]
        games = sum(self._section(connection, each) for each in sections)
        challenges = sum(self._pyramid(connection, each) for each in pyramids)
        self.told.append(
            f"{len(sections)} sections of {games:,} games over, {len(pyramids)} pyramids with {challenges:,} games"
        )

    def _section(self, connection: Connection, event: Event) -> int:
        """One that has filled is over, nobody in it waits for anything, and its table is what its games make."""
        games, entrants = _games_of(connection, event.id), _entrants_of(connection, event.id)
        name = f"section {event.code}"
        if event.state != "over":
            self.breaches.append(f"{name} is not over but {event.state}")
        if unsettled := [each.game_id for each in games if each.settled_at is None]:
            self.breaches.append(f"{name}: games {unsettled} are not settled")
        if any(each.leaving_from or each.news_from for each in entrants):
            self.breaches.append(f"{name}: somebody is still leaving, or was not told")
        if event.state == "over":
            self._compare(connection, event, games, entrants)
        return len(games)

    def _compare(
        self, connection: Connection, event: Event, games: Sequence[_EventGame], entrants: Sequence[_Entrant]
    ) -> None:
        gone = {each.number: each.withdrawn_at for each in entrants if each.number is not None}
        meetings = [Meeting(each.white, each.black, _result(each, gone)) for each in games]
        reckoned = tables.standings(gone, meetings)
        places = tables.places(reckoned)
        for row in standings.of_event(connection, event).table.rows:
            number = row.entrant.number
            found = (row.points, row.sonneborn_berger, row.mutual, row.wins), row.place
            if found != (tuple(reckoned[number]), places[number]):
                self.breaches.append(
                    f"section {event.code}, number {number}: {found}, and by the games "
                    f"{reckoned[number]} {places[number]}"
                )

    def _pyramid(self, connection: Connection, event: Event) -> int:
        games = _games_of(connection, event.id)
        if any(each.settled_at is None for each in games):
            self.breaches.append(f"pyramid {event.code} has games that are not settled")
        if any(each.leaving_from for each in _entrants_of(connection, event.id)):
            self.breaches.append(f"pyramid {event.code}: somebody is still leaving")
        return len(games)


def _off(row: _Kept, own: Rating) -> float:
    return max(
        abs(kept - figure)
        for kept, figure in zip((row.rating, row.deviation, row.volatility), own.figures, strict=True)
    )


def _chances(rated: Sequence[_Rated]) -> Iterator[float]:
    """What the ratings before a game gave whoever won it."""
    for each in rated:
        is_known = max(each.white_deviation, each.black_deviation) < _PROVISIONAL
        if each.winner and is_known and not each.uncounted and each.white_rating != each.black_rating:
            both = math.hypot(each.white_deviation, each.black_deviation)
            white = reckoning.chance(each.white_rating, each.black_rating, both)
            yield white if each.winner == "white" else 1 - white


def _games_of(connection: Connection, event_id: int) -> Sequence[_EventGame]:
    asked = (
        select(
            EventGame.white,
            EventGame.black,
            EventGame.game_id,
            Game.winner,
            Game.reason,
            EventGame.settled_at,
        )
        .outerjoin(Game, Game.id == EventGame.game_id)
        .where(EventGame.event_id == event_id)
        .order_by(EventGame.id)
    )
    return rows_of(_EventGame, connection.execute(asked))


def _entrants_of(connection: Connection, event_id: int) -> Sequence[_Entrant]:
    asked = select(EntrantRow.number, EntrantRow.withdrawn_at, EntrantRow.leaving_from, EntrantRow.news_from)
    return rows_of(_Entrant, connection.execute(asked.where(EntrantRow.event_id == event_id)))


def _result(game: _EventGame, gone: dict[int, datetime | None]) -> str:
    """As the game itself says; one that never began is lost by whoever had left."""
    if game.game_id is None:
        return "black" if gone[game.white] else "white"
    if game.reason in _WITHOUT_RESULT:
        return "void"
    return game.winner or "draw"
