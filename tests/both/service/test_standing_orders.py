"""Orders for the next turn: tried at once or after a delay, always after their owner's earlier emails."""

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
from tests.support.two_games import TwoGames


def standing_orders(table: Table) -> list[tuple[str | None, str | None, bool]]:
    """What each seat has ordered, its delay, and whether its time has been set."""
    query = select(SeatRow.standing, SeatRow.standing_delay, SeatRow.standing_due).order_by(SeatRow.id)
    with table.server.store.reading() as connection:
        return [(text, delay, due is not None) for text, delay, due in connection.execute(query)]


def test_one_move_can_trigger_both_sides_orders(table: Table) -> None:
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
    assert standing_orders(table) == [(None, None, False)] * 2
    assert "Your turn: reply by" in table.last_text(ANN)


def test_delayed_orders_are_tried_once_though_several_workers_sweep(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4; else g1f3\ndelay 2-8h")
    assert standing_orders(table) == [("if no capture: d2d4; else g1f3", "2-8h", False), (None, None, False)]
    table.reply(BEN, "e7e5")
    assert standing_orders(table)[0][2]
    browser = Browser(table.app())
    browser.sign_in(table, ANN)
    code = next(str(each["Subject"]) for each in table.emails_to(ANN) if "Wild 16" in str(each["Subject"]))[
        -6:-1
    ]
    assert "will be tried later" in browser.open(f"/games/{code}")
    table.clock.advance(hours=9)
    with ThreadPoolExecutor(3) as workers:
        list(workers.map(lambda _: worker_rounds.sweep(table.server, table.clock()), range(3)))
    table.send_emails()

    assert standing_orders(table) == [(None, None, False)] * 2
    with table.server.store.reading() as connection:
        assert connection.execute(select(OrderRow.text).order_by(OrderRow.id)).scalars().all() == [
            "e2e4",
            "e7e5",
            "d2d4",
        ]
    assert "will be tried later" not in browser.open(f"/games/{code}")


# ---------------------------------------------------------------- their owner's emails come first


def tried_orders(table: Table) -> list[str]:
    """All orders that the umpire judged, in order."""
    with table.server.store.reading() as connection:
        return list(connection.execute(select(OrderRow.text).order_by(OrderRow.id)).scalars())


def sweep_when_due(table: Table, raw: bytes) -> int:
    """Store an email, don't read it, and sweep when the standing orders are due; how many acted."""
    table.deliver(raw)
    table.clock.advance(hours=9)
    return due_actions.sweep(table.server, table.clock())


def leave_unread(table: Table, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Let the first try to read Ann's email fail."""
    table.deliver(table.reply_email(ANN, text))
    with monkeypatch.context() as broken:
        broken.setattr(email_contents, "parse_orders", lambda *_: 1 / 0)
        table.read_emails()


@pytest.mark.parametrize("text", ["cancel", "f2f4"])
def test_delayed_orders_wait_for_their_owners_unread_email(table: Table, text: str) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4\ndelay 2-8h")
    table.reply(BEN, "e7e5")

    assert sweep_when_due(table, table.reply_email(ANN, text)) == 0
    table.run_workers()
    assert table.sweep() == 0
    assert "d2d4" not in tried_orders(table)


def test_delayed_orders_wait_for_their_owners_email_about_several_games(table: Table) -> None:
    games = TwoGames(table)
    table.reply(ANN, "e2e4\nif no capture: d2d4\ndelay 2-8h", to=games.last_email(ANN, games.classic))
    table.reply(BEN, "e7e5", to=games.last_email(BEN, games.classic))

    assert sweep_when_due(table, table.reply_email(ANN, f"{games.classic}: cancel", to=games.listed)) == 0
    table.run_workers()
    assert table.sweep() == 0
    assert "I deleted your orders for this turn." in games.last_text(ANN, games.classic)
    assert tried_orders(table) == ["e2e4", "e7e5"]


def test_the_opponents_email_delays_no_orders(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4\ndelay 2-8h")
    table.reply(BEN, "e7e5")

    assert sweep_when_due(table, table.reply_email(BEN, "show")) == 1
    assert tried_orders(table) == ["e2e4", "e7e5", "d2d4"]


def test_orders_cancelled_in_an_email_that_is_read_late_are_not_tried(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The email arrived first and was still unread when the opponent moved."""
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    leave_unread(table, monkeypatch, "cancel")
    table.reply(BEN, "e7e5")
    assert "Your orders for this turn will be tried later" in table.last_text(ANN)
    table.sweep()
    table.clock.advance(minutes=1)
    table.run_workers()

    assert "I deleted your orders for this turn." in table.last_text(ANN)
    assert table.sweep() == 0
    assert tried_orders(table) == ["e2e4", "e7e5"]


def test_orders_that_waited_for_an_unread_email_are_tried_after_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    leave_unread(table, monkeypatch, "show")
    table.reply(BEN, "e7e5")
    table.clock.advance(minutes=1)

    assert table.sweep() == 1
    assert tried_orders(table) == ["e2e4", "e7e5", "d2d4"]
    assert "Your move has been made" in table.last_text(ANN)


def test_orders_cancelled_before_the_opponent_moved_are_never_tried(
    table: Table,
) -> None:
    """One worker reads the "cancel", another reads the opponent's move at the same time."""
    table.begin()
    ann = [("e2e4", "d2d4"), ("f2f4", "c2c4"), ("g2g3", "b2b3"), ("h2h3", "a2a3")]
    ben = ["e7e6", "f7f6", "g7g6", "h7h6"]
    for (move, ahead), answer in zip(ann, ben, strict=True):
        table.reply(ANN, f"{move}\nif no capture: {ahead}")
        table.deliver(table.reply_email(ANN, "cancel"))
        table.deliver(table.reply_email(BEN, answer))
        with ThreadPoolExecutor(2) as workers:
            list(workers.map(lambda _: game_reader.read_some(table.server, table.clock(), 1), range(2)))
        table.run_workers()
        assert standing_orders(table) == [(None, None, False)] * 2

    assert tried_orders(table) == [
        text for pair in zip((move for move, _ in ann), ben, strict=True) for text in pair
    ]


def test_a_move_by_email_beats_delayed_orders_that_are_due(table: Table) -> None:
    """One worker reads the email, another one sweeps at the same time."""
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4\ndelay 2-8h")
    table.reply(BEN, "e7e5")
    table.clock.advance(hours=9)
    table.deliver(table.reply_email(ANN, "f2f4"))
    actions = (
        lambda: due_actions.sweep(table.server, table.clock()),
        lambda: game_reader.read_some(table.server, table.clock()),
    )
    with ThreadPoolExecutor(2) as workers:
        list(workers.map(lambda action: action(), actions))
    table.run_workers()

    assert table.sweep() == 0
    assert tried_orders(table) == ["e2e4", "e7e5", "f2f4"]


@pytest.mark.parametrize("delay", ["", "\ndelay 2h"], ids=["at once", "with a delay"])
def test_a_failure_while_trying_orders_loses_and_repeats_nothing(
    table: Table, monkeypatch: pytest.MonkeyPatch, delay: str
) -> None:
    """Everything that was tried is rolled back."""
    table.begin()
    table.reply(ANN, f"e2e4\nif no capture: e1e3, d2d4{delay}")
    table.deliver(table.reply_email(BEN, "e7e5"))
    if delay:
        table.run_workers()
        table.clock.advance(hours=3)
    before = tried_orders(table)
    with monkeypatch.context() as broken:
        broken.setattr(GameSession, "keep_state", lambda _session: 1 / 0)
        assert table.sweep() == 0
    assert tried_orders(table) == before
    letters = len(table.emails_to(ANN)), len(table.emails_to(BEN))
    table.clock.advance(minutes=1)
    table.sweep()

    assert tried_orders(table) == ["e2e4", "e7e5", "e1e3", "d2d4"]
    assert standing_orders(table) == [(None, None, False)] * 2
    assert (len(table.emails_to(ANN)), len(table.emails_to(BEN))) == (letters[0] + 1, letters[1] + 1)
    assert table.sweep() == 0
