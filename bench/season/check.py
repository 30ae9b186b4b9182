"""Compares a season's rows with what is calculated anew from games alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, text

from bench.season import reckoning
from bench.season.reckoning import Meeting
from corr.service.events import crosstables, events
from corr.service.server import Server

_EXACT = 1e-6
_RATED = (
    "SELECT game_id, variant, ended_at, white_id, black_id, winner, uncounted FROM rated_games ORDER BY id"
)
_KEPT = "SELECT player_id, variant, rating, deviation, volatility, won, drawn, lost, opponents FROM ratings"
_OVER = """
    SELECT games.id, variant, ended_at, winner, player_id FROM games JOIN seats ON game_id = games.id
    WHERE rated AND state = 'over' AND reason NOT IN ('void', 'declined')
"""
_GOES_ON = "SELECT count(*) FROM games WHERE state <> 'over'"
_EVENTS = (
    "SELECT id, kind, code, state FROM events WHERE kind = 'pyramid' OR begun_at IS NOT NULL ORDER BY id"
)
_EVENT_GAMES = """
    SELECT white, black, game_id, winner, reason, settled_at FROM event_games LEFT JOIN games ON games.id = game_id
    WHERE event_id = :event ORDER BY event_games.id
"""
_ENTRANTS = "SELECT number, withdrawn_at, leaving_from, news_from FROM entrants WHERE event_id = :event"


@dataclass
class Check:
    """Checks a server after a season."""

    server: Server
    one_person: set[frozenset[int]]
    breaches: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def run(self) -> list[str]:
        """Everything that is wrong."""
        with self.server.store.reading() as connection:
            rated = _ask(connection, _RATED)
            self._once(connection, rated)
            self._ratings(connection, rated)
            found = _ask(connection, _EVENTS)
            games = Counter[str]()
            for event in found:
                games[event.kind] += self._event(connection, event)
            kinds = Counter(event.kind for event in found)
            self.told += [
                f"{kinds[kind]} {kind}s of {number:,} games" for kind, number in sorted(games.items())
            ]
            if going_on := _ask(connection, _GOES_ON)[0][0]:
                self.breaches.append(f"{going_on} games go on")
        return self.breaches

    def _once(self, connection: Connection, rated: Sequence[Any]) -> None:
        """Exactly the finished rated games with a result are stored as rated, each once."""
        over: dict[int, list[Any]] = defaultdict(list)
        for seat in _ask(connection, _OVER):
            over[seat.id].append(tuple(seat[1:]))
        for game_id, times in Counter(each.game_id for each in rated).items():
            if times > 1 or game_id not in over:
                self.breaches.append(f"game {game_id} was rated {times} times")
        for game_id in over.keys() - {each.game_id for each in rated}:
            self.breaches.append(f"game {game_id} was not rated")
        for each in rated:
            own = each.variant, each.ended_at, each.winner
            if sorted(over[each.game_id]) != sorted([(*own, each.white_id), (*own, each.black_id)]):
                self.breaches.append(f"game {each.game_id} was rated otherwise than it ended")

    def _ratings(self, connection: Connection, rated: Sequence[Any]) -> None:
        kept = {(row.player_id, row.variant): row for row in _ask(connection, _KEPT)}
        games = (reckoning.Game._make((*each[1:6], each.uncounted == "annulled")) for each in rated)
        reckoned = reckoning.reckon(games, self.one_person)
        for each, why in zip(rated, reckoned.uncounted, strict=True):
            if each.uncounted != why:
                self.breaches.append(f"game {each.game_id} is {each.uncounted!r} and should be {why!r}")
        if kept.keys() != reckoned.ratings.keys():
            self.breaches.append(f"ratings too few or too many: {kept.keys() ^ reckoned.ratings.keys()}")
        furthest = 0.0
        for player in kept.keys() & reckoned.ratings.keys():
            row, own = kept[player], reckoned.ratings[player]
            off = max(abs(one - other) for one, other in zip(row[2:5], own.figures, strict=True))
            furthest = max(furthest, off)
            if off > _EXACT or tuple(row[5:]) != own.played:
                self.breaches.append(
                    f"rating of {player}: {row}, and by the games {own.figures} {own.played}"
                )
        kinds = Counter(each.uncounted or "counted" for each in rated)
        self.told.append(
            f"{len(rated):,} games rated ({', '.join(f'{number:,} {what}' for what, number in kinds.most_common())}), "
            f"{len(kept):,} ratings, the furthest off by {furthest:.1g} from what is calculated anew"
        )

    def _event(self, connection: Connection, event: Any) -> int:
        """Check an event: sections are over, and their standings follow from their games."""
        games, entrants = (_ask(connection, each, event=event.id) for each in (_EVENT_GAMES, _ENTRANTS))
        name = f"{event.kind} {event.code}"
        if unsettled := [each.game_id for each in games if each.settled_at is None]:
            self.breaches.append(f"{name}: games {unsettled} are not settled")
        if any(each.leaving_from for each in entrants):
            self.breaches.append(f"{name}: somebody is still leaving")
        if event.kind != "pyramid" and event.state != "over":
            self.breaches.append(f"{name} is not over but {event.state}")
        elif event.kind != "pyramid":
            self._table(connection, event, games, entrants)
        if event.kind != "pyramid" and any(each.news_from for each in entrants):
            self.breaches.append(f"{name}: somebody was not told")
        return len(games)

    def _table(
        self, connection: Connection, event: Any, games: Sequence[Any], entrants: Sequence[Any]
    ) -> None:
        gone = {each.number: each.withdrawn_at for each in entrants if each.number is not None}
        reckoned = reckoning.standings(
            gone, [Meeting(each.white, each.black, result_of(each, gone)) for each in games]
        )
        places = reckoning.places(reckoned)
        for row in crosstables.load_standings(connection, events.load_event(connection, event.id)).table.rows:
            number = row.entrant.number
            found = (row.points, row.sonneborn_berger, row.mutual, row.wins), row.place
            if found != (wanted := (tuple(reckoned[number]), places[number])):
                self.breaches.append(
                    f"section {event.code}, number {number}: {found}, and by the games {wanted}"
                )


def _ask(connection: Connection, question: str, **values: object) -> Sequence[Any]:
    return connection.execute(text(question), values).all()


def result_of(game: Any, gone: dict[int, int | None]) -> str:
    """A game's result; one that never began is lost by the player who left first."""
    if game.game_id is None:
        left = {number: gone[number] for number in (game.white, game.black) if gone[number]}
        return "black" if min(left, key=lambda number: left[number] or 0) == game.white else "white"
    if game.reason in ("void", "declined"):
        return "void"
    return game.winner or "draw"
