"""Plays rated games to a result, and reads the stored ratings."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from sqlalchemy import select

from corr import limits
from corr.game.rating import Rating
from corr.service.games import lifecycle
from corr.service.games.game_session import open_session
from corr.service.games.lifecycle import NewGame, Pairing
from corr.service.players import players
from corr.service.ratings import rated_games
from corr.service.ratings.rated_games import RATED_GAMES_QUERY, KnownRating, StoredRatedGame, Uncounted
from corr.store.rows import rows_of
from corr.store.tables import RatedGameRow, RatingRow
from corr.words.board import Pair, Side
from tests.support.table import Table


def get_player(table: Table, name: str) -> int:
    """The id of a player, created if need be; "Ann" and "Ben" get the addresses ANN and BEN."""
    with table.server.store.reading() as connection:
        found = players.find_player(connection, name)
    if found is None:
        local = name.lower().replace(" ", ".")
        players.add(table.server, name, f"{local}@{name[0].lower()}.example", table.clock())
        return get_player(table, name)
    return found


def begin(table: Table, white: str, black: str, variant: str = "wild16") -> NewGame:
    """Begin a rated game."""
    seated = Pair(get_player(table, white), get_player(table, black))
    with table.server.store.writing() as connection:
        return lifecycle.start(connection, Pairing(seated, variant, "3d", rated=True), table.clock())


def end(table: Table, game: NewGame, winner: Side | None) -> None:
    """End a game: the loser resigns, or both agree to a draw."""
    with table.server.store.writing() as connection:
        session = open_session(connection, game.id, table.clock())
        judgement = session.umpire.resign(winner.other) if winner else session.umpire.agree()
        assert judgement.outcome
        session.state = session.state.end(judgement.outcome, table.clock())
        lifecycle.tell_both(session, judgement.slips)
        session.close()


def play(table: Table, white: str, black: str, winner: Side | None, variant: str = "wild16") -> NewGame:
    """Begin and end a rated game."""
    game = begin(table, white, black, variant)
    end(table, game, winner)
    return game


def stored_ratings(table: Table) -> dict[tuple[int, str], tuple[Rating, tuple[int, ...], datetime]]:
    """All ratings, each with wins, draws, losses and opponents, and its time."""
    with table.server.store.reading() as connection:
        rows = connection.execute(select(RatingRow.__table__)).mappings().all()
    return {
        (row["player_id"], row["variant"]): (
            Rating(row["rating"], row["deviation"], row["volatility"]),
            (row["won"], row["drawn"], row["lost"], row["opponents"]),
            row["rated_at"],
        )
        for row in rows
    }


def recompute_ratings(table: Table) -> dict[tuple[int, str], tuple[Rating, tuple[int, ...], datetime]]:
    """The same, computed from the rated games alone."""
    with table.server.store.reading() as connection:
        games = rows_of(StoredRatedGame, connection.execute(RATED_GAMES_QUERY.order_by(RatedGameRow.id)))
    known: dict[tuple[int, str], KnownRating] = {}
    points: dict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    met: dict[tuple[int, str], set[int]] = defaultdict(set)
    counted: dict[frozenset[int], list[datetime]] = defaultdict(list)
    for game in games:
        lately = sum(at > game.ended_at - limits.RATED_PAIR_PERIOD for at in counted[game.both])
        if game.uncounted in (Uncounted.PERSON, Uncounted.ANNULLED) or lately >= 3:
            continue
        counted[game.both].append(game.ended_at)
        before = Pair(*(known.get((game.players[side], game.variant), KnownRating()) for side in Side))
        now = rated_games.compute_ratings(before, game.won_by, game.ended_at)
        for side in Side:
            whose = game.players[side], game.variant
            known[whose] = KnownRating(now[side], game.ended_at)
            points[whose][0 if game.won_by is side else 2 if game.won_by else 1] += 1
            met[whose].add(game.players[side.other])
    return {
        whose: (each.rating, (*points[whose], len(met[whose])), each.at)
        for whose, each in known.items()
        if each.at
    }


def listed_players(table: Table) -> set[int]:
    """The players on a leaderboard."""
    with table.server.store.reading() as connection:
        return set(
            connection.execute(
                select(RatingRow.player_id).where(RatingRow.listed_until.is_not(None))
            ).scalars()
        )


def add_address(table: Table, name: str, address: str) -> None:
    """Give a player another address."""
    players.add(table.server, name, address, table.clock())


def players_rated_as_bots(table: Table) -> set[int]:
    """The players whose ratings are a bot's."""
    with table.server.store.reading() as connection:
        return set(connection.execute(select(RatingRow.player_id).where(RatingRow.program)).scalars())
