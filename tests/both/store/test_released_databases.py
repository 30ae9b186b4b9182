"""Games from a release can be played on after an upgrade."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import select

from corr.service.games import finished
from corr.store.tables import Base, GameRow
from tests.support.released_databases import RBC, RELEASES, WILD16, newest, upgraded
from tests.support.table import ANN, BEN, Table, text_of, unwrap


@pytest.fixture(params=RELEASES)
def table(request: pytest.FixtureRequest, bare_url: str, tmp_path: Path) -> Iterator[Table]:
    with upgraded(tmp_path, bare_url, request.param) as laid:
        yield laid


def says(table: Table, player: str, game: str) -> str:
    return unwrap(text_of(newest(table, player, game)))


def reply(table: Table, player: str, game: str, text: str) -> None:
    table.reply(player, text, to=newest(table, player, game))


def test_upgraded_tables_match_the_models(table: Table) -> None:
    with table.server.store.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_an_email_unread_at_the_upgrade_is_answered(table: Table) -> None:
    table.run_workers()

    assert "You wrote:\n| show\n" in says(table, BEN, WILD16)
    assert "| 1. ? d7d5 | 2. ?xd5 d8xd5" in says(table, BEN, WILD16)


def test_an_email_unsent_at_the_upgrade_is_sent(table: Table) -> None:
    table.run_workers()

    assert "Your turn: reply by Mon 23 Nov 2026" in says(table, BEN, RBC)
    assert "Around d5 you see | Black's pawn on d5; your own pawn on e4; nothing on c4" in says(
        table, BEN, RBC
    )
    assert "| 1. e2e4 ? | 2. e4xd5 ?xd5" in says(table, BEN, RBC)


def test_an_email_from_before_the_upgrade_can_be_answered_with_a_move(table: Table) -> None:
    reply(table, ANN, WILD16, "b1c3")

    assert "You wrote:\n| b1c3\n" in says(table, ANN, WILD16)
    assert "The umpire says: Black's move." in says(table, ANN, WILD16)


def test_both_players_can_go_on_in_both_games(table: Table) -> None:
    table.run_workers()
    for player, game, turn, sentence in (
        (ANN, WILD16, "b1c3", "Black's move."),
        (BEN, WILD16, "d5a5", "White's move."),
        (ANN, WILD16, "d2d4", "Black's move."),
        (BEN, RBC, "sense d5; b1c3", 'You moved "b1c3". Black\'s turn.'),
        (ANN, RBC, "sense c3; d5a5", 'You moved "d5a5". White\'s turn.'),
        (BEN, RBC, "sense none; d2d4", 'You moved "d2d4". Black\'s turn.'),
    ):
        assert "Your turn: reply by" in says(table, player, game)
        reply(table, player, game, turn)
        assert f"You wrote:\n| {turn}\n" in says(table, player, game)
        assert sentence in says(table, player, game)

    assert "| 1. ? d7d5 | 2. ?xd5 d8xd5 | 3. ? d5a5" in says(table, BEN, WILD16)


def test_a_game_that_ends_after_the_upgrade_has_all_its_moves(table: Table) -> None:
    reply(table, ANN, WILD16, "resign resign")

    with table.server.store.reading() as connection:
        code = connection.execute(select(GameRow.code).where(GameRow.variant == "wild16")).scalar_one()
    assert "White resigns. Black wins." in says(table, BEN, WILD16)
    written = finished.pgn(table.server, code)
    assert all(move in written for move in ("1. e4 ", "1... d5 ", "2. exd5 ", "2... Qxd5 "))
