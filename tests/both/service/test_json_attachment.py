"""The JSON attachment: switched on and off by email and on the page, and part of the exported data."""

from __future__ import annotations

from sqlalchemy import select

from corr.service.players.own_data_rows import export
from corr.store.tables import PlayerRow
from tests.support.browser import Browser, text_of_page
from tests.support.email_bots import slip_data, slip_part
from tests.support.table import ANN, BEN, Table


def wishes(table: Table) -> dict[str, bool]:
    with table.server.store.reading() as connection:
        return dict(map(tuple, connection.execute(select(PlayerRow.address, PlayerRow.slip_file)).all()))


def test_an_email_switches_it_on_and_off(table: Table) -> None:
    table.begin_by_email()
    assert wishes(table) == {ANN: False, BEN: False}
    table.reply(ANN, "mail json")

    assert wishes(table) == {ANN: True, BEN: False}
    assert slip_data(table.last_email(ANN))["side"] == "white"
    table.reply(ANN, "mail plain")
    assert wishes(table) == {ANN: False, BEN: False}


def test_the_page_switches_it_on_and_off_and_the_export_has_it(table: Table) -> None:
    table.begin_by_email()
    ann = Browser(table.app_with_workers())
    ann.sign_in(table, ANN)
    ann.open("/settings/")
    ann.press("Save notifications", file="json")
    assert "a file for bots" in text_of_page(ann.answer.get_data(as_text=True))
    assert 'value="json" selected' in ann.answer.get_data(as_text=True)
    assert export(table.server, "ann")["settings"]["slip_file"]
    assert not export(table.server, "ben")["settings"]["slip_file"]

    first = next(each for each in reversed(table.emails_to(ANN)) if "Wild 16" in each["Subject"])
    table.reply(ANN, "e2e4\nmail daily 18", to=first)
    assert slip_part(table.last_email(ANN))
    assert wishes(table)[ANN]
    ann.press("Save notifications", file="plain")
    assert 'value="plain" selected' in ann.answer.get_data(as_text=True)
