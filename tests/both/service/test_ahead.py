"""Orders for the next turn, on both databases: kept with the seat, tried at once, or when their hour has come."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from corr.service import worker_rounds
from corr.service.games import due_actions
from corr.service.games.game_session import GameSession
from corr.service.mail import email_contents, game_reader
from corr.store.tables import OrderRow, SeatRow
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table
from tests.support.two_games import Games


def kept(table: Table) -> list[tuple[str | None, str | None, bool]]:
    """What each seat has ordered, how long it waits, and whether it has an hour already."""
    asked = select(SeatRow.standing, SeatRow.standing_delay, SeatRow.standing_due).order_by(SeatRow.id)
    with table.server.store.reading() as connection:
        return [(text, delay, due is not None) for text, delay, due in connection.execute(asked)]


def test_both_sides_orders_are_tried_in_the_transaction_of_one_move(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    table.reply(BEN, "e7e5\nif capture: d7d6; else b8c6")

    with table.server.store.reading() as connection:
        logged = connection.execute(
            select(OrderRow.text, OrderRow.origin, OrderRow.ply).order_by(OrderRow.id)
        )
        assert [tuple(each) for each in logged] == [
            ("e2e4", "", 0),
            ("e7e5", "", 1),
            ("d2d4", "standing", 2),
            ("b8c6", "standing", 3),
        ]
    assert kept(table) == [(None, None, False)] * 2
    assert "Your turn: reply by" in table.says(ANN)


def test_what_waits_is_tried_once_in_its_hour_however_many_look(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4; else g1f3\ndelay 2-8h")
    assert kept(table) == [("if no capture: d2d4; else g1f3", "2-8h", False), (None, None, False)]
    table.reply(BEN, "e7e5")
    assert kept(table)[0][2]
    browser = Browser(table.app())
    browser.sign_in(table, ANN)
    code = next(str(each["Subject"]) for each in table.letters(ANN) if "Wild 16" in str(each["Subject"]))[
        -6:-1
    ]
    assert "will be tried later" in browser.open(f"/games/{code}")
    table.clock.pass_by(hours=9)
    with ThreadPoolExecutor(3) as workers:
        list(workers.map(lambda _: worker_rounds.sweep(table.server, table.clock()), range(3)))
    table.send()

    assert kept(table) == [(None, None, False)] * 2
    with table.server.store.reading() as connection:
        assert connection.execute(select(OrderRow.text).order_by(OrderRow.id)).scalars().all() == [
            "e2e4",
            "e7e5",
            "d2d4",
        ]
    assert "will be tried later" not in browser.open(f"/games/{code}")


# ---------------------------------------------------------------- what their owner has written is heard first


def put_to_umpire(table: Table) -> list[str]:
    """All that was put to the umpire, in its order."""
    with table.server.store.reading() as connection:
        return list(connection.execute(select(OrderRow.text).order_by(OrderRow.id)).scalars())


def come_due_unread(table: Table, raw: bytes) -> int:
    """A letter comes in before the hour of what waits, and is not read when that has struck; how much came due."""
    table.post(raw)
    table.clock.pass_by(hours=9)
    return due_actions.sweep(table.server, table.clock())


@pytest.mark.parametrize("text", ["cancel", "f2f4"])
def test_what_waits_for_its_hour_waits_for_what_its_owner_has_written_too(table: Table, text: str) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4\ndelay 2-8h")
    table.reply(BEN, "e7e5")

    assert come_due_unread(table, table.letter(ANN, text)) == 0
    table.work()
    assert table.sweep() == 0
    assert "d2d4" not in put_to_umpire(table)


def test_nor_is_it_tried_before_what_is_said_about_several_games(table: Table) -> None:
    games = Games(table)
    table.reply(ANN, "e2e4\nif no capture: d2d4\ndelay 2-8h", to=games.of(ANN, games.classic))
    table.reply(BEN, "e7e5", to=games.of(BEN, games.classic))

    assert come_due_unread(table, table.letter(ANN, f"{games.classic}: cancel", to=games.listed)) == 0
    table.work()
    assert table.sweep() == 0
    assert "I deleted your orders for this turn." in games.says(ANN, games.classic)
    assert put_to_umpire(table) == ["e2e4", "e7e5"]


def test_what_the_other_side_has_written_holds_nothing_up(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4\ndelay 2-8h")
    table.reply(BEN, "e7e5")

    assert come_due_unread(table, table.letter(BEN, "show")) == 1
    assert put_to_umpire(table) == ["e2e4", "e7e5", "d2d4"]


def test_what_is_taken_back_in_a_letter_that_is_read_late_is_not_tried_at_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The letter came first, and was not read when the other side moved."""
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    table.post(table.letter(ANN, "cancel"))
    with monkeypatch.context() as broken:
        broken.setattr(email_contents, "parse_orders", lambda *_: 1 / 0)
        table.read()
    table.reply(BEN, "e7e5")
    assert "Your orders for this turn will be tried later" in table.says(ANN)
    table.sweep()
    table.clock.pass_by(minutes=1)
    table.work()

    assert "I deleted your orders for this turn." in table.says(ANN)
    assert table.sweep() == 0
    assert put_to_umpire(table) == ["e2e4", "e7e5"]


def test_what_waited_for_an_answer_alone_is_tried_once_that_is_given(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    table.post(table.letter(ANN, "show"))
    with monkeypatch.context() as broken:
        broken.setattr(email_contents, "parse_orders", lambda *_: 1 / 0)
        table.read()
    table.reply(BEN, "e7e5")
    table.clock.pass_by(minutes=1)

    assert table.sweep() == 1
    assert put_to_umpire(table) == ["e2e4", "e7e5", "d2d4"]
    assert "Your move has been made" in table.says(ANN)


def test_what_was_taken_back_before_the_other_side_moved_is_never_tried_whoever_is_quicker(
    table: Table,
) -> None:
    """One worker has the letter in hand that takes it back, and another one the other side's move."""
    table.begin()
    ann = [("e2e4", "d2d4"), ("f2f4", "c2c4"), ("g2g3", "b2b3"), ("h2h3", "a2a3")]
    ben = ["e7e6", "f7f6", "g7g6", "h7h6"]
    for (move, ahead), answer in zip(ann, ben, strict=True):
        table.reply(ANN, f"{move}\nif no capture: {ahead}")
        table.post(table.letter(ANN, "cancel"))
        table.post(table.letter(BEN, answer))
        with ThreadPoolExecutor(2) as workers:
            list(workers.map(lambda _: game_reader.read_some(table.server, table.clock(), 1), range(2)))
        table.work()
        assert kept(table) == [(None, None, False)] * 2

    assert put_to_umpire(table) == [
        text for pair in zip((move for move, _ in ann), ben, strict=True) for text in pair
    ]


def test_what_is_moved_by_hand_in_the_hour_of_what_waits_is_the_move_whoever_is_quicker(table: Table) -> None:
    """One worker has the letter in hand, and another one looks for what is due."""
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4\ndelay 2-8h")
    table.reply(BEN, "e7e5")
    table.clock.pass_by(hours=9)
    table.post(table.letter(ANN, "f2f4"))
    deeds = (
        lambda: due_actions.sweep(table.server, table.clock()),
        lambda: game_reader.read_some(table.server, table.clock()),
    )
    with ThreadPoolExecutor(2) as workers:
        list(workers.map(lambda deed: deed(), deeds))
    table.work()

    assert table.sweep() == 0
    assert put_to_umpire(table) == ["e2e4", "e7e5", "f2f4"]


@pytest.mark.parametrize("delay", ["", "\ndelay 2h"], ids=["at once", "after a while"])
def test_where_a_worker_dies_over_them_nothing_is_lost_or_done_twice(
    table: Table, monkeypatch: pytest.MonkeyPatch, delay: str
) -> None:
    """What has been tried by then is undone with all that was written of it."""
    table.begin()
    table.reply(ANN, f"e2e4\nif no capture: e1e3, d2d4{delay}")
    table.post(table.letter(BEN, "e7e5"))
    if delay:
        table.work()
        table.clock.pass_by(hours=3)
    before = put_to_umpire(table)
    with monkeypatch.context() as broken:
        broken.setattr(GameSession, "keep_state", lambda _session: 1 / 0)
        assert table.sweep() == 0
    assert put_to_umpire(table) == before
    letters = len(table.letters(ANN)), len(table.letters(BEN))
    table.clock.pass_by(minutes=1)
    table.sweep()

    assert put_to_umpire(table) == ["e2e4", "e7e5", "e1e3", "d2d4"]
    assert kept(table) == [(None, None, False)] * 2
    assert (len(table.letters(ANN)), len(table.letters(BEN))) == (letters[0] + 1, letters[1] + 1)
    assert table.sweep() == 0
