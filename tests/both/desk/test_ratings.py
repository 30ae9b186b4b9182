"""Ratings come out as from the games alone, whoever ends games at the same time, and whatever is taken back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import cycle

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from corr.desk.people import players
from corr.desk.ratings import annul, listing, rate
from corr.store.tables import RatedGame
from corr.words.board import Side
from corr.words.slips import Outcome
from tests.support import rated
from tests.support.table import Table

WHITE, BLACK = Side
NAMES = ("Ann", "Ben", "Eve", "Fay")


def test_games_that_end_at_the_same_time_are_rated_one_after_another(table: Table) -> None:
    pairs = [(white, black) for white in NAMES for black in NAMES if white != black]
    games = [rated.begin(table, *pair) for pair in pairs]
    results = cycle((WHITE, BLACK, None, WHITE))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda each: rated.end(table, *each), zip(games, results, strict=False)))

    assert len(rated.kept(table)) == len(NAMES)
    assert rated.kept(table) == rated.recomputed(table)


def test_games_are_taken_back_while_others_end(table: Table) -> None:
    before = [rated.play(table, *pair, WHITE) for pair in (NAMES[:2], NAMES[1:3], NAMES[2:], NAMES[::3])]
    games = [rated.begin(table, *pair, "rbc") for pair in (NAMES[:2], NAMES[2:])]
    games += [rated.begin(table, *pair) for pair in (NAMES[1::2], NAMES[::2])]

    with ThreadPoolExecutor(4) as pool:
        ends = [
            pool.submit(rated.end, table, game, WHITE, variant)
            for game, variant in zip(games, ("rbc", "rbc", "wild16", "wild16"), strict=True)
        ]
        for game in before[::2]:
            with table.house.store.writing() as connection:
                annul.annul(connection, game.id)
        for each in ends:
            each.result()

    assert rated.kept(table) == rated.recomputed(table)


def test_the_same_end_is_never_rated_twice(table: Table) -> None:
    game = rated.play(table, "Ann", "Ben", WHITE)
    before = rated.kept(table)

    with pytest.raises(IntegrityError), table.house.store.writing() as connection:
        rate.rate(connection, rate.Result(game.id, "wild16", Outcome(WHITE, "resignation"), table.clock()))

    assert rated.kept(table) == before
    with table.house.store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(RatedGame)).scalar_one() == 1


def test_a_rating_that_has_grown_old_leaves_the_leaderboard(table: Table) -> None:
    for _ in range(2):
        for guest in ("Bea", "Cid", "Dan", "Eve", "Fay"):
            for _ in range(3):
                rated.play(table, "Ann", guest, None)
        table.clock.pass_by(days=30)
    assert listing.unlist_some(table.house, table.clock()) == 0
    table.clock.pass_by(days=100)

    assert listing.unlist_some(table.house, table.clock()) == 1


def test_whoever_becomes_a_program_is_one_among_ratings_too(table: Table) -> None:
    rated.play(table, "Ann", "Ben", WHITE)
    ben = rated.player(table, "Ben")
    with table.house.store.writing() as connection:
        players.become_program(connection, ben)

    assert rated.programs(table) == {ben}
