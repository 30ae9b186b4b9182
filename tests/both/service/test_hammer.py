"""Two processes at one game: no lost update, no "locked" error, and each email judged once."""

from __future__ import annotations

import multiprocessing
import os
import random
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection, func, select

from corr.mail.address import TokenKind
from corr.rules.variants import find_umpire
from corr.service.games.seats import seat_by_id
from corr.service.mail import inbox
from corr.service.mail.arrivals import Arrival
from corr.service.server import Server
from corr.store.slips import unpack
from corr.store.tables import GameRow, InboxRow, OrderRow, OutboxRow, SeatRow, SlipRow
from tests.support.table import DOMAIN, Table, make_table
from tests.support.waiting import join

LETTERS = 1000 if os.environ.get("CORR_TEST_LONG") else 100


def hammer(folder: Path, worker: int) -> None:
    """Write random moves for the side to move, and do all work, like the other process."""
    table, dice = make_table(folder), random.Random(worker)
    table = replace(table, server=replace(table.server, answers_an_hour=LETTERS))
    for number in range(LETTERS // 2):
        with table.server.store.reading() as connection:
            address, player, order = random_email(connection, dice)
        raw = (
            f"From: {player}\r\nTo: {address}\r\nMessage-ID: <{worker}-{number}@x.example>\r\n\r\n{order}\r\n"
        )
        assert inbox.store_email(table.server, Arrival(raw.encode(), (address,), table.clock())) == 1
        table.run_workers()
    table.server.store.close()


def random_email(connection: Connection, dice: random.Random) -> tuple[str, str, str]:
    """A random move of the side to move, from what it sees: address, sender and order."""
    to_move = select(SeatRow.__table__).join(
        GameRow, (GameRow.id == SeatRow.game_id) & (GameRow.turn == SeatRow.side)
    )
    row = connection.execute(to_move).first() or connection.execute(select(SeatRow.__table__)).first()
    seat = seat_by_id(connection, row.id)
    newest = (SlipRow.seat_id == row.id) & (SlipRow.number == row.slips) & (SlipRow.step == row.steps)
    slip = connection.execute(select(SlipRow.facts, SlipRow.sight).where(newest)).one()
    moves = find_umpire("wild16").possible_tries(unpack(seat.side, slip.facts, slip.sight).sight)
    return (
        seat.signer.mailbox(TokenKind.REPLY, row.slips, DOMAIN),
        seat.address,
        dice.choice(moves or ("show",)),
    )


def test_two_processes_at_one_game_lose_nothing(table: Table, tmp_path: Path) -> None:
    table.begin()
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=hammer, args=(tmp_path, worker)) for worker in range(2)]

    for worker in workers:
        worker.start()
    join(*workers)

    assert [worker.exitcode for worker in workers] == [0, 0]
    check(table.server)


def check(server: Server) -> None:
    with server.store.reading() as connection:

        def count(row: type, *conditions: object) -> int:
            return connection.execute(select(func.count()).select_from(row).where(*conditions)).scalar_one()

        assert count(InboxRow) == LETTERS + 2
        assert count(InboxRow, InboxRow.read_at.is_(None)) == 0
        assert count(OutboxRow, OutboxRow.kind == "answer") == LETTERS + 2
        assert count(OutboxRow, OutboxRow.sent_at.is_(None)) == 0
        assert count(OutboxRow, OutboxRow.trouble.is_not(None)) == 0
        moved = count(OrderRow, OrderRow.verdict == "moved")
        assert moved > LETTERS / 100  # a random game may be over soon
        assert connection.execute(select(GameRow.ply)).scalar_one() == moved
        assert connection.execute(select(func.sum(SeatRow.letters))).scalar_one() == count(OutboxRow)
