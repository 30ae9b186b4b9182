"""House players on either database: each thinks once about what it was handed, also where one is ended over it."""

from __future__ import annotations

from sqlalchemy import select

from corr.bot_runner import bot_turns
from corr.service.lobby import page
from corr.store.tables import InboxRow, SeatRow, ThoughtRow
from tests.support.bot_game import challenge, think, write
from tests.support.table import ANN, Table


def test_it_thinks_once_about_each_turn(table: Table) -> None:
    challenge(table, "Pip", "wild16")
    write(table, "e2e4")

    assert bot_turns.has_waiting_bot(table.server)
    assert [think(table), think(table)] == [1, 0]
    assert not bot_turns.has_waiting_bot(table.server)


def test_who_is_ended_over_a_thought_thinks_again_and_moves_once(table: Table) -> None:
    challenge(table, "Pip", "wild16")
    write(table, "e2e4")
    assert bot_turns._take(table.server, bot_turns._THINK_QUERY)  # and whoever took it is ended

    assert think(table) == 0
    table.clock.pass_by(seconds=table.server.lease.total_seconds())
    assert think(table) == 1

    with table.server.store.reading() as connection:
        of_house = select(InboxRow.id).join(SeatRow, SeatRow.id == InboxRow.seat_id).where(SeatRow.house)
        assert len(connection.execute(of_house).all()) == 1


def test_what_it_thought_is_forgotten_once_the_game_is_over(table: Table) -> None:
    challenge(table, "Pip", "wild16")
    write(table, "e2e4")
    think(table)
    write(table, "resign resign")
    think(table)

    with table.server.store.reading() as connection:
        assert connection.execute(select(ThoughtRow.seat_id)).all() == []


def test_another_game_is_begun_with_whoever_asks_for_one(table: Table) -> None:
    challenge(table, "Pip", "wild16")
    write(table, "resign resign")
    write(table, "again")
    think(table)

    assert "You are Black" in table.says(ANN)


def test_programs_sleep_where_nobody_thinks_for_them(table: Table) -> None:
    assert not page.load_lobby(table.server, None, table.clock()).are_awake
