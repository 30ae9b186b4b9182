"""Emails about several games: each seat reads its part once, and no flag falls while one waits."""

from __future__ import annotations

from datetime import datetime

import pytest
from sqlalchemy import select

from corr.service.mail import site_reader
from corr.store.tables import GameRow
from tests.support.table import ANN, BEN, Table, text_of
from tests.support.two_games import TwoGames


@pytest.fixture
def games(table: Table) -> TwoGames:
    return TwoGames(table)


def test_each_seat_reads_its_part_once(table: Table, games: TwoGames) -> None:
    raw = table.reply_email(ANN, f"{games.classic}: e2e4\n{games.wild}: show")
    table.deliver(raw)
    table.deliver(raw)
    table.run_workers()

    moved = [each for each in table.emails_to(ANN) if "Your move has been made" in text_of(each)]
    shown = [each for each in table.emails_to(ANN) if "Here is your board" in text_of(each)]
    assert (len(moved), len(shown)) == (1, 1)


def test_a_seat_with_a_new_address_hears_so(table: Table, games: TwoGames) -> None:
    table.reply(ANN, "new address", to=games.last_email(ANN, games.classic))

    table.reply(ANN, f"{games.classic}: e2e4", to=games.listed)

    assert "your old reply address" in games.last_text(ANN, games.classic)


def test_no_flag_falls_while_an_email_about_several_games_waits(
    table: Table, games: TwoGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.deliver(table.reply_email(ANN, f"{games.classic}: e2e4"))
    monkeypatch.setattr(site_reader, "parse_game_orders", lambda *_: 1 / 0)
    table.run_workers()
    table.clock.advance(days=3, seconds=1)
    table.sweep()
    monkeypatch.undo()
    table.clock.advance(minutes=1)
    table.run_workers()

    assert "Your move has been made" in games.last_text(ANN, games.classic)
    assert "Your turn" in games.last_text(BEN, games.classic)


def fail_to_read(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all tries to read an email to the site fail."""
    with monkeypatch.context() as broken:
        broken.setattr(site_reader, "parse_game_orders", lambda *_: 1 / 0)
        for _ in range(5):
            table.run_workers()
            table.clock.advance(minutes=10)


def deadlines(table: Table) -> dict[str, datetime | None]:
    with table.server.store.reading() as connection:
        found = connection.execute(select(GameRow.code, GameRow.deadline))
        return {each.code: each.deadline for each in found}


def test_an_email_that_breaks_the_reader_restarts_the_clock_once_per_game(
    table: Table, games: TwoGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Just like an email about one game, and only where it's the sender's turn."""
    seen = [deadlines(table)]
    for _ in range(2):
        table.deliver(table.reply_email(ANN, f"{games.classic}: e2e4", to=games.listed))
        fail_to_read(table, monkeypatch)
        seen.append(deadlines(table))

    assert seen[1][games.classic] > seen[0][games.classic]
    assert seen[1][games.wild] == seen[0][games.wild]
    assert seen[2] == seen[1]
    texts = [text_of(each) for each in table.emails_to(ANN)]
    assert ["we restart your clock for that turn" in " ".join(each.split()) for each in texts][-2:] == [
        True,
        False,
    ]
    table.reply(ANN, f"{games.classic}: e2e4", to=games.listed)
    assert "Your move has been made" in games.last_text(ANN, games.classic)


def test_an_email_that_breaks_the_reader_deletes_the_senders_advance_orders(
    table: Table, games: TwoGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have cancelled them. The opponent hears nothing."""
    table.reply(ANN, "e2e4\nif check: e1e2", to=games.last_email(ANN, games.classic))
    table.write_to_site(ANN, "games")
    bens_emails = games.count(BEN)
    table.deliver(table.reply_email(ANN, f"{games.classic}: cancel"))
    fail_to_read(table, monkeypatch)

    text = " ".join(text_of(table.last_email(ANN)).split())
    assert "We deleted your advance orders in every game" in text
    assert games.count(BEN) == bens_emails
    table.reply(ANN, "show", to=games.last_email(ANN, games.classic))
    assert "if check: e1e2" not in games.last_text(ANN, games.classic)


def test_lines_that_are_no_orders_are_listed_in_one_answer(table: Table, games: TwoGames) -> None:
    before = games.count(ANN)
    table.reply(ANN, f"Good evening!\n{games.classic}: e2e4\n{games.wild}: show\nAnn", to=games.listed)

    answers = [each for each in table.emails_to(ANN)[before:] if "I didn't act on" in text_of(each)]
    assert games.count(ANN) == before + 2
    assert len(answers) == 1
    assert "| Good evening!" in text_of(answers[0])
    assert "| Ann" in text_of(answers[0])
