"""The server's own bots on both databases: each thinks once a turn, even if a worker dies."""

from __future__ import annotations

from sqlalchemy import select

from corr.bot_runner import bot_turns
from corr.service.lobby import page
from corr.store.tables import InboxRow, SeatRow, ThoughtRow
from tests.support.bot_game import challenge, let_bots_think, write
from tests.support.table import ANN, Table


def test_a_bot_thinks_once_about_each_turn(table: Table) -> None:
    challenge(table, "Pip", "wild16")
    write(table, "e2e4")

    assert bot_turns.has_waiting_bot(table.server)
    assert [let_bots_think(table), let_bots_think(table)] == [1, 0]
    assert not bot_turns.has_waiting_bot(table.server)


def test_a_bot_whose_worker_dies_thinks_again_and_moves_once(table: Table) -> None:
    challenge(table, "Pip", "wild16")
    write(table, "e2e4")
    assert bot_turns._take(table.server, bot_turns._THINK_QUERY)  # and that worker dies

    assert let_bots_think(table) == 0
    table.clock.advance(seconds=table.server.lease.total_seconds())
    assert let_bots_think(table) == 1

    with table.server.store.reading() as connection:
        bots_emails = select(InboxRow.id).join(SeatRow, SeatRow.id == InboxRow.seat_id).where(SeatRow.house)
        assert len(connection.execute(bots_emails).all()) == 1


def test_thoughts_are_deleted_once_the_game_is_over(table: Table) -> None:
    challenge(table, "Pip", "wild16")
    write(table, "e2e4")
    let_bots_think(table)
    write(table, "resign resign")
    let_bots_think(table)

    with table.server.store.reading() as connection:
        assert connection.execute(select(ThoughtRow.seat_id)).all() == []


def test_a_bot_accepts_a_rematch(table: Table) -> None:
    challenge(table, "Pip", "wild16")
    write(table, "resign resign")
    write(table, "again")
    let_bots_think(table)

    assert "You are Black" in table.last_text(ANN)


def test_the_lobby_shows_no_bots_if_no_worker_thinks_for_them(table: Table) -> None:
    assert not page.load_lobby(table.server, None, table.clock()).are_awake
