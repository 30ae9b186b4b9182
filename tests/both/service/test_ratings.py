"""Ratings always match those computed from the games alone, whatever ends or is annulled at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from itertools import cycle

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError, OperationalError

from corr.service.players import players
from corr.service.ratings import annulment, rating_updates
from corr.store.locks import take_lock
from corr.store.session import Store
from corr.store.tables import RatedGameRow, RatingRow
from corr.words.board import Pair, Side
from corr.words.slips import Outcome
from tests.support import rated_games
from tests.support.table import Table

WHITE, BLACK = Side
NAMES = ("Ann", "Ben", "Eve", "Fay")


def test_games_that_end_at_once_are_rated_one_after_another(table: Table) -> None:
    pairs = [(white, black) for white in NAMES for black in NAMES if white != black]
    games = [rated_games.begin(table, *pair) for pair in pairs]
    results = cycle((WHITE, BLACK, None, WHITE))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda each: rated_games.end(table, *each), zip(games, results, strict=False)))

    assert len(rated_games.stored_ratings(table)) == len(NAMES)
    assert rated_games.stored_ratings(table) == rated_games.recompute_ratings(table)


def test_games_can_be_annulled_while_others_end(table: Table) -> None:
    before = [
        rated_games.play(table, *pair, WHITE) for pair in (NAMES[:2], NAMES[1:3], NAMES[2:], NAMES[::3])
    ]
    games = [rated_games.begin(table, *pair, "rbc") for pair in (NAMES[:2], NAMES[2:])]
    games += [rated_games.begin(table, *pair) for pair in (NAMES[1::2], NAMES[::2])]

    with ThreadPoolExecutor(4) as pool:
        ends = [pool.submit(rated_games.end, table, game, WHITE) for game in games]
        for game in before[::2]:
            with table.server.store.writing() as connection:
                annulment.annul(connection, game.id)
        for each in ends:
            each.result()

    assert rated_games.stored_ratings(table) == rated_games.recompute_ratings(table)


def test_a_game_is_rated_until_it_is_annulled(table: Table) -> None:
    game = rated_games.play(table, "Ann", "Ben", WHITE)
    with table.server.store.writing() as connection:
        assert annulment.is_rated(connection, game.id)
        annulment.annul(connection, game.id)

        assert not annulment.is_rated(connection, game.id)


def test_the_same_game_is_never_rated_twice(table: Table) -> None:
    game = rated_games.play(table, "Ann", "Ben", WHITE)
    before = rated_games.stored_ratings(table)
    both = Pair(rated_games.get_player(table, "Ann"), rated_games.get_player(table, "Ben"))
    result = rating_updates.Result(game.id, "wild16", both, Outcome(WHITE, "resignation"), table.clock())

    with pytest.raises(IntegrityError), table.server.store.writing() as connection:
        rating_updates.rate_finished_game(connection, result)

    assert rated_games.stored_ratings(table) == before
    with table.server.store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(RatedGameRow)).scalar_one() == 1


def test_an_old_rating_leaves_the_leaderboard(table: Table) -> None:
    for _ in range(2):
        for guest in ("Bea", "Cid", "Dan", "Eve", "Fay"):
            for _ in range(3):
                rated_games.play(table, "Ann", guest, None)
        table.clock.advance(days=30)
    assert rating_updates.unlist_some(table.server, table.clock()) == 0
    table.clock.advance(days=100)

    assert rating_updates.unlist_some(table.server, table.clock()) == 1


def test_nobody_leaves_the_leaderboard_while_a_game_is_rated(table: Table) -> None:
    rated_games.play(table, "Ann", "Ben", WHITE)
    store = Store(table.server.store.engine.url.render_as_string(hide_password=False), patience=0.1)
    with table.server.store.writing() as connection:
        connection.execute(update(RatingRow).values(listed_until=table.clock()))
    with_short_timeout = replace(table.server, store=store)
    with closing(store), table.server.store.writing() as connection:
        take_lock(connection, rating_updates.LOCK_NAME)
        with pytest.raises(OperationalError):
            rating_updates.unlist_some(with_short_timeout, table.clock())

    assert rating_updates.unlist_some(table.server, table.clock()) == 2


def test_an_annulment_applies_the_limit_of_games_per_pair_again(
    table: Table,
) -> None:
    first = rated_games.play(table, "Ann", "Ben", WHITE)
    table.clock.advance(days=10)
    for _ in range(2):
        rated_games.play(table, "Ann", "Ben", WHITE)
    rated_games.play(table, "Ann", "Ben", BLACK, "rbc")
    table.clock.advance(days=21)
    rated_games.play(table, "Ben", "Ann", WHITE, "crazykrieg")
    rated_games.play(table, "Ann", "Eve", WHITE, "crazykrieg")
    with table.server.store.writing() as connection:
        annulment.annul(connection, first.id)

    ann = rated_games.get_player(table, "Ann")
    assert rated_games.stored_ratings(table) == rated_games.recompute_ratings(table)
    assert rated_games.stored_ratings(table)[ann, "rbc"][1] == (0, 0, 1, 1)
    assert rated_games.stored_ratings(table)[ann, "crazykrieg"][1] == (1, 0, 0, 1)


def test_annulling_after_the_clock_was_set_back_leaves_no_trace(
    table: Table,
) -> None:
    for _ in range(2):
        rated_games.play(table, "Ann", "Ben", WHITE)
    table.clock.advance(days=29)
    between = rated_games.play(table, "Ben", "Ann", WHITE)
    table.clock.advance(days=2)
    annulled = rated_games.play(table, "Ann", "Eve", WHITE)
    table.clock.advance(days=-2)
    rated_games.play(table, "Ben", "Ann", WHITE)
    with table.server.store.writing() as connection:
        annulment.annul(connection, annulled.id)
    assert rated_games.stored_ratings(table) == rated_games.recompute_ratings(table)
    with table.server.store.writing() as connection:
        annulment.annul(connection, between.id)

    assert rated_games.stored_ratings(table) == rated_games.recompute_ratings(table)


def test_a_player_who_becomes_a_bot_is_rated_among_bots(table: Table) -> None:
    rated_games.play(table, "Ann", "Ben", WHITE)
    ben = rated_games.get_player(table, "Ben")
    with table.server.store.writing() as connection:
        players.become_bot(connection, ben)

    assert rated_games.players_rated_as_bots(table) == {ben}
