"""A short season of ratings and events, and damage that its independent check finds."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import text

from bench.driver import server_at
from bench.season import reckoning
from bench.season.__main__ import report
from bench.season.check import Check, result_of
from bench.season.people import Club
from bench.season.run import Plan, Season
from tests.support.table import Clock, blank_database

SHORT = Plan(3, games=120, people=12, events=10)

#: Damage to a sound database, and what the check says of it.
DAMAGES = {
    "UPDATE ratings SET rating = rating + 0.001 WHERE player_id = {player} AND variant = '{variant}'": "rating of",
    "UPDATE ratings SET won = won + 1 WHERE player_id = {player} AND variant = '{variant}'": "rating of",
    "UPDATE ratings SET opponents = 1 + opponents WHERE player_id = {player}": "rating of",
    "DELETE FROM ratings WHERE player_id = {player}": "ratings too few or too many",
    "DELETE FROM rated_games WHERE game_id = {game}": "was not rated",
    "UPDATE rated_games SET uncounted = 'three' WHERE game_id = {game}": "should be ''",
    "UPDATE rated_games SET ended_at = ended_at + 1 WHERE game_id = {game}": "rated otherwise than it ended",
    "UPDATE games SET reason = 'void', winner = NULL WHERE id = {game}": "was rated 1 times",
    "UPDATE games SET state = 'running' WHERE id = {game}": "games go on",
    "UPDATE event_games SET settled_at = NULL WHERE event_id = {section}": "are not settled",
    "UPDATE event_games SET score = 'void' WHERE event_id = {section}": "and by the games",
    "UPDATE events SET state = 'running' WHERE id = {section}": "is not over",
    "UPDATE entrants SET news_from = 1 WHERE event_id = {section}": "was not told",
}
_COUNTED = "SELECT game_id AS game, white_id AS player, variant FROM rated_games WHERE uncounted = ''"
_SECTION = "SELECT id AS section FROM events WHERE state = 'over'"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Club]:
    """The database of a season, and its players."""
    file = tmp_path_factory.mktemp("season") / "played.sqlite"
    file.write_bytes(blank_database())
    season = Season(f"sqlite:///{file}", SHORT)
    club = season.run()
    season.server.store.close()
    assert season.complaints == []
    return file, club


@pytest.fixture
def check(played: tuple[Path, Club], tmp_path: Path) -> Iterator[Check]:
    file, club = played
    shutil.copy(file, tmp_path / "copy.sqlite")
    server = server_at(f"sqlite:///{tmp_path / 'copy.sqlite'}", Clock())
    yield Check(server, club.one_person)
    server.store.close()


def test_ratings_and_standings_after_a_season_match_its_games(check: Check) -> None:
    assert check.run() == []


@pytest.mark.parametrize(
    ("white_left", "black_left", "result"),
    [(1, None, "black"), (None, 1, "white"), (1, 2, "black"), (2, 1, "white")],
)
def test_a_game_that_never_began_is_lost_by_the_player_who_left_first(
    white_left: int | None, black_left: int | None, result: str
) -> None:
    game = SimpleNamespace(game_id=None, white=1, black=2)

    assert result_of(game, {1: white_left, 2: black_left}) == result


def test_a_season_on_postgresql_breaks_no_promise(postgres_url: str) -> None:
    season = Season(postgres_url, Plan(4, games=40, people=12, events=10))

    assert report(season) == []
    season.server.store.close()


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found(check: Check, damage: str) -> None:
    with check.server.store.writing() as connection:
        found = {**first_row(connection, _COUNTED), **first_row(connection, _SECTION)}
        connection.execute(text(damage.format(**found)))

    assert any(DAMAGES[damage] in breach for breach in check.run())


def first_row(connection: Any, query: str) -> dict[str, Any]:
    """The first row of a query's result."""
    return dict(connection.execute(text(query)).mappings().first())


def test_the_check_imports_no_product_code() -> None:
    tree = ast.parse(Path(reckoning.__file__).read_text())
    named = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    named += [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]

    assert named
    assert not [each for each in named if each and each.startswith(("corr", "worker", "tests", "bench"))]
