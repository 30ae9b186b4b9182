"""The daily digest: one email a day about all games, for players who want it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from corr.service.players import mail_preferences
from corr.store.tables import GameRow, PlayerRow
from tests.support.browser import Browser, text_of_page
from tests.support.table import ANN, BEN, Table, text_of

#: Every game begins on Friday, 20 November 2026, at noon.


def two_games(table: Table) -> list[str]:
    """Begin two games in which Ann is to move."""
    for _ in range(2):
        table.begin_by_email()
    with table.server.store.reading() as connection:
        return list(connection.execute(select(GameRow.code).order_by(GameRow.id)).scalars())


def sweep_later(table: Table, **span: float) -> None:
    table.clock.advance(**span)
    table.sweep()
    table.run_workers()


def subjects(table: Table, player: str) -> list[str]:
    return [str(letter["Subject"]) for letter in table.emails_to(player)]


def test_a_digest_lists_all_games_and_is_answered_by_their_codes(table: Table) -> None:
    first, second = two_games(table)
    table.reply(ANN, "mail daily 18")
    assert "one email a day about your games, at 18:00 (UTC)" in table.last_text(ANN)
    table.reply(ANN, "e2e4")
    table.reply(BEN, "e7e5")
    letters = len(table.emails_to(ANN))
    sweep_later(table, hours=5, minutes=59)
    assert len(table.emails_to(ANN)) == letters

    sweep_later(table, minutes=2)
    assert subjects(table, ANN)[letters:] == ["[corr] Your games today"]
    text = table.last_text(ANN)
    assert "reply and begin each line with the game's code and a colon" in text
    assert f"{second}: Wild 16 with ben. You are White. Move 2. The umpire says: White's move." in text
    assert f"{first}: Wild 16 with ben. You are White. Move 1." in text
    assert "|     2  P P P P . P P P" in text_of(table.last_email(ANN))

    table.reply(ANN, f"{first}: d2d4\n{second}: g1f3")
    answers = table.emails_to(ANN)[-2:]
    assert all(
        f"({code})" in answer["Subject"] for code, answer in zip((first, second), answers, strict=True)
    )
    assert all("Your move has been made." in text_of(answer) for answer in answers)


def test_an_order_without_a_code_acts_in_no_game(table: Table) -> None:
    two_games(table)
    table.reply(ANN, "mail daily 13")
    table.reply(ANN, "e2e4")
    table.reply(BEN, "e7e5")
    sweep_later(table, hours=2)
    table.reply(ANN, "g1f3")
    assert "so I did nothing" in table.last_text(ANN)
    with table.server.store.reading() as connection:
        assert sorted(connection.execute(select(GameRow.ply)).scalars()) == [0, 2]


def test_answers_reminders_and_results_still_come_alone(table: Table) -> None:
    table.begin_with_moves()
    table.reply(ANN, "mail daily 18")
    table.reply(ANN, "e2e5")
    assert "Illegal move." in table.last_text(ANN)
    sweep_later(table, days=1, hours=13)
    assert any("This is a reminder" in text_of(letter) for letter in table.emails_to(ANN)[-2:])
    table.reply(BEN, "resign resign")
    assert "Black resigns. White wins." in table.last_text(ANN)


def test_no_news_means_no_digest(table: Table) -> None:
    table.begin()
    table.clock.advance(minutes=1)
    table.reply(ANN, "mail daily 18\nremind off")
    letters = len(table.emails_to(ANN))
    for _ in range(2):
        sweep_later(table, days=1)
    assert len(table.emails_to(ANN)) == letters
    table.reply(ANN, "e2e4")
    table.reply(BEN, "e7e5")
    sweep_later(table, hours=12)
    assert subjects(table, ANN)[-1] == "[corr] Your games today"
    sweep_later(table, days=1)
    assert subjects(table, ANN).count("[corr] Your games today") == 1


@pytest.mark.parametrize("word", ["mail each", "mail on", "mail off"])
def test_other_settings_end_the_digests(table: Table, word: str) -> None:
    table.begin()
    table.reply(ANN, "mail daily 18")
    table.reply(ANN, f"e2e4\n{word}")
    table.reply(BEN, "e7e5")
    sweep_later(table, days=1)
    assert "[corr] Your games today" not in subjects(table, ANN)
    gets_turn_emails = "pawn tries" in table.last_text(ANN) and "White's move" in table.last_text(ANN)
    assert gets_turn_emails == (word != "mail off")


def test_a_second_sweep_writes_no_second_digest(table: Table) -> None:
    table.begin()
    table.reply(ANN, "mail daily 18\ne2e4")
    table.reply(BEN, "e7e5")
    table.clock.advance(hours=7)
    table.sweep()
    table.sweep()
    table.run_workers()
    assert subjects(table, ANN).count("[corr] Your games today") == 1


def test_an_impossible_hour_is_refused(table: Table) -> None:
    table.begin()
    table.reply(ANN, "mail daily 24")
    assert "Hours go from 0 to 23." in table.last_text(ANN)


def test_the_hour_is_in_the_players_time_zone(table: Table) -> None:
    table.begin()
    table.reply(ANN, "mail daily 18")
    table.reply(ANN, "zone Asia/Tokyo")
    with table.server.store.reading() as connection:
        due = connection.execute(select(PlayerRow.digest_at).where(PlayerRow.address == ANN)).scalar_one()
    assert f"{due:%d %H}" == "21 09"


@pytest.mark.parametrize(
    ("zone", "hour", "after", "due"),
    [
        ("UTC", 18, "2026-11-20 12:00", "2026-11-20 18:00"),
        ("UTC", 12, "2026-11-20 12:00", "2026-11-21 12:00"),
        ("Pacific/Kiritimati", 0, "2026-12-31 09:59", "2026-12-31 10:00"),
        ("Europe/Paris", 2, "2026-03-28 12:00", "2026-03-29 01:00"),  # there is no such hour that night
        ("Europe/Paris", 2, "2026-10-24 12:00", "2026-10-25 00:00"),  # and here two of them
    ],
)
def test_the_next_digest_is_right_when_the_clocks_change(zone: str, hour: int, after: str, due: str) -> None:
    now = datetime.fromisoformat(after).replace(tzinfo=UTC)
    assert f"{mail_preferences.next_digest(zone, hour, now):%Y-%m-%d %H:%M}" == due


def test_the_settings_page_sets_the_digest(table: Table) -> None:
    table.begin()
    ann = Browser(table.app())
    ann.sign_in(table, ANN)
    ann.open("/settings/")
    ann.press("Save notifications", mail="daily", hour="6")
    assert "one email a day about your games, at 6:00 (UTC)" in text_of_page(
        ann.answer.get_data(as_text=True)
    )
    assert 'value="daily" selected' in ann.answer.get_data(as_text=True)
