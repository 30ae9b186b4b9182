"""One letter a day about all games, for who would have it so."""

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
    """Two games of Ann's, who is to move in both."""
    for _ in range(2):
        table.begin_anew()
    with table.server.store.reading() as connection:
        return list(connection.execute(select(GameRow.code).order_by(GameRow.id)).scalars())


def later(table: Table, **span: float) -> None:
    table.clock.pass_by(**span)
    table.sweep()
    table.work()


def subjects(table: Table, player: str) -> list[str]:
    return [str(letter["Subject"]) for letter in table.letters(player)]


def test_all_games_come_in_one_letter_at_ones_hour_and_are_answered_by_their_codes(table: Table) -> None:
    first, second = two_games(table)
    table.reply(ANN, "mail daily 18")
    assert "one email a day about your games, at 18:00 (UTC)" in table.says(ANN)
    table.reply(ANN, "e2e4")
    table.reply(BEN, "e7e5")
    letters = len(table.letters(ANN))
    later(table, hours=5, minutes=59)
    assert len(table.letters(ANN)) == letters

    later(table, minutes=2)
    assert subjects(table, ANN)[letters:] == ["[corr] Your games today"]
    said = table.says(ANN)
    assert "reply and begin each line with the game's code and a colon" in said
    assert f"{second}: Wild 16 with ben. You are White. Move 2. The umpire says: White's move." in said
    assert f"{first}: Wild 16 with ben. You are White. Move 1." in said
    assert "|     2  P P P P . P P P" in text_of(table.newest(ANN))

    table.reply(ANN, f"{first}: d2d4\n{second}: g1f3")
    answers = table.letters(ANN)[-2:]
    assert all(
        f"({code})" in answer["Subject"] for code, answer in zip((first, second), answers, strict=True)
    )
    assert all("Your move has been made." in text_of(answer) for answer in answers)


def test_an_order_without_a_code_acts_in_none_of_them(table: Table) -> None:
    two_games(table)
    table.reply(ANN, "mail daily 13")
    table.reply(ANN, "e2e4")
    table.reply(BEN, "e7e5")
    later(table, hours=2)
    table.reply(ANN, "g1f3")
    assert "so I did nothing" in table.says(ANN)
    with table.server.store.reading() as connection:
        assert sorted(connection.execute(select(GameRow.ply)).scalars()) == [0, 2]


def test_answers_reminders_and_ends_come_by_themselves(table: Table) -> None:
    table.begin_in_earnest()
    table.reply(ANN, "mail daily 18")
    table.reply(ANN, "e2e5")
    assert "Illegal move." in table.says(ANN)
    later(table, days=1, hours=13)
    assert any("This is a reminder" in text_of(letter) for letter in table.letters(ANN)[-2:])
    table.reply(BEN, "resign resign")
    assert "Black resigns. White wins." in table.says(ANN)


def test_where_nothing_is_new_nothing_comes(table: Table) -> None:
    table.begin()
    table.clock.pass_by(minutes=1)
    table.reply(ANN, "mail daily 18\nremind off")
    letters = len(table.letters(ANN))
    for _ in range(2):
        later(table, days=1)
    assert len(table.letters(ANN)) == letters
    table.reply(ANN, "e2e4")
    table.reply(BEN, "e7e5")
    later(table, hours=12)
    assert subjects(table, ANN)[-1] == "[corr] Your games today"
    later(table, days=1)
    assert subjects(table, ANN).count("[corr] Your games today") == 1


@pytest.mark.parametrize("word", ["mail each", "mail on", "mail off"])
def test_whoever_would_have_it_otherwise_gets_no_more_of_them(table: Table, word: str) -> None:
    table.begin()
    table.reply(ANN, "mail daily 18")
    table.reply(ANN, f"e2e4\n{word}")
    table.reply(BEN, "e7e5")
    later(table, days=1)
    assert "[corr] Your games today" not in subjects(table, ANN)
    is_told = "pawn tries" in table.says(ANN) and "White's move" in table.says(ANN)
    assert is_told == (word != "mail off")


def test_two_sweeps_at_once_write_one_letter(table: Table) -> None:
    table.begin()
    table.reply(ANN, "mail daily 18\ne2e4")
    table.reply(BEN, "e7e5")
    table.clock.pass_by(hours=7)
    table.sweep()
    table.sweep()
    table.work()
    assert subjects(table, ANN).count("[corr] Your games today") == 1


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("mail daily 24", "Hours go from 0 to 23."),
    ],
)
def test_what_cannot_be_is_said(table: Table, word: str, why: str) -> None:
    table.begin()
    table.reply(ANN, word)
    assert why in table.says(ANN)


def test_the_hour_is_that_of_ones_zone_and_moves_with_it(table: Table) -> None:
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
def test_the_next_hour_is_right_through_the_year(zone: str, hour: int, after: str, due: str) -> None:
    now = datetime.fromisoformat(after).replace(tzinfo=UTC)
    assert f"{mail_preferences.next_digest(zone, hour, now):%Y-%m-%d %H:%M}" == due


def test_the_page_sets_the_same(table: Table) -> None:
    table.begin()
    ann = Browser(table.app())
    ann.sign_in(table, ANN)
    ann.open("/settings/")
    ann.press("Save notifications", mail="daily", hour="6")
    assert "one email a day about your games, at 6:00 (UTC)" in text_of_page(
        ann.answer.get_data(as_text=True)
    )
    assert 'value="daily" selected' in ann.answer.get_data(as_text=True)
