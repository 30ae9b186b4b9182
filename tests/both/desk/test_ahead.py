"""Orders for the next turn, on both databases: kept with the seat, tried at once, or when their hour has come."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import select

from corr.desk import rounds
from corr.store.tables import OrderRow, SeatRow
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table


def kept(table: Table) -> list[tuple[str | None, str | None, bool]]:
    """What each seat has ordered, how long it waits, and whether it has an hour already."""
    asked = select(SeatRow.standing, SeatRow.standing_delay, SeatRow.standing_due).order_by(SeatRow.id)
    with table.house.store.reading() as connection:
        return [(text, delay, due is not None) for text, delay, due in connection.execute(asked)]


def test_both_sides_orders_are_tried_in_the_transaction_of_one_move(table: Table) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    table.reply(BEN, "e7e5\nif capture: d7d6; else b8c6")

    with table.house.store.reading() as connection:
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
    assert "waits for its hour" in browser.open(f"/games/{code}")
    table.clock.pass_by(hours=9)
    with ThreadPoolExecutor(3) as workers:
        list(workers.map(lambda _: rounds.sweep(table.house, table.clock()), range(3)))
    table.send()

    assert kept(table) == [(None, None, False)] * 2
    with table.house.store.reading() as connection:
        assert connection.execute(select(OrderRow.text).order_by(OrderRow.id)).scalars().all() == [
            "e2e4",
            "e7e5",
            "d2d4",
        ]
    assert "waits for its hour" not in browser.open(f"/games/{code}")
