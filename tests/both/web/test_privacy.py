"""The privacy page keeps its promises."""

from __future__ import annotations

from sqlalchemy import select

from corr.service.admin.maintenance import delete_player
from corr.store.tables import CorrespondentRow, PlayerRow, SessionRow, SlipRow
from tests.support.browser import Browser, text_of_page
from tests.support.table import ANN, DOMAIN, EVE, FAY, Table

TABLES_WITH_NAMES = (CorrespondentRow, PlayerRow, SessionRow)


def page(table: Table) -> str:
    return text_of_page(table.app().test_client().get("/privacy").get_data(as_text=True))


def stored_rows(table: Table) -> str:
    with table.server.store.reading() as connection:
        return str(
            [tuple(row) for kind in TABLES_WITH_NAMES for row in connection.execute(select(kind.__table__))]
        )


def test_the_page_says_whom_to_write_to_and_is_linked(table: Table) -> None:
    assert f"Write to postmaster@{DOMAIN}" in page(table)
    assert 'href="/privacy"' in table.app().test_client().get("/").get_data(as_text=True)


def test_a_browser_is_deleted_when_the_page_says(table: Table) -> None:
    assert "the day you last used it and the kind of browser, until 30 days after you last used it" in page(
        table
    )
    browser = Browser(table.app())
    browser.client.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (X11; Linux) Gecko Firefox/140.0"
    browser.sign_in(table, EVE, "Eve")
    assert "Firefox, Linux" in stored_rows(table)
    table.clock.advance(days=31)
    table.sweep()

    assert "Firefox" not in stored_rows(table)


def test_a_stranger_who_does_not_answer_is_deleted_when_the_page_says(table: Table) -> None:
    assert "who was challenged and hasn't answered: 30 days" in page(table)
    browser = Browser(table.app())
    browser.sign_in(table, EVE, "Eve")
    browser.press("Challenge", whom=FAY)
    table.run_workers()
    assert FAY in stored_rows(table)
    table.clock.advance(days=31)
    table.sweep()

    assert FAY not in stored_rows(table)


def test_a_deleted_player_is_no_longer_named(table: Table) -> None:
    assert 'Your games then show "Somebody" instead of your name' in page(table)
    Browser(table.app()).sign_in(table, EVE, "Evelyn")
    delete_player(table.server, "Evelyn", table.clock())

    assert EVE not in stored_rows(table)
    assert "Evelyn" not in stored_rows(table)


def test_a_deleted_players_slips_stay(table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5")
    table.reply(ANN, "resign resign")
    before = slips(table)
    delete_player(table.server, "ann", table.clock())

    assert ANN not in stored_rows(table)
    assert len(before) > 4
    assert slips(table) == before


def slips(table: Table) -> list[tuple[object, ...]]:
    """All slips in the database."""
    with table.server.store.reading() as connection:
        found = connection.execute(
            select(SlipRow.__table__).order_by(SlipRow.seat_id, SlipRow.number, SlipRow.step)
        )
        return [tuple(row) for row in found]
