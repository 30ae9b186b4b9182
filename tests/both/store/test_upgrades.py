"""Data from before an upgrade is still there after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import func, select

from corr.service.players import house_bots, notifications, sessions
from corr.service.players import players as people
from corr.store import migrate
from corr.store.session import Store
from corr.store.tables import (
    ArchiveRow,
    DecisionRow,
    EmailBytesRow,
    EmailWordsRow,
    GameRow,
    NotificationWayRow,
    OutboxRow,
    PlayerRow,
    SeatRow,
    SessionRow,
)
from tests.support.browser import Browser, link_in
from tests.support.released_databases import STOPPED_AT, upgraded
from tests.support.table import EVE, Table, make_table, text_of

#: Games of 6ef361f: 101 and 20001 are over and listed, 104 is void, 105 was declined, 106 ended before the set-up,
#: 107 is running and has a reminder for White, 108 has no end time, and White got nothing in 109.
GAMES = """
INSERT INTO games
    (id, code, variant, clock, state, ply, turn, remind_at, offered_white, offered_black, winner, reason, ended_at)
VALUES
    (101, 'abcde', 'wild16', '3d', 'over', 40, NULL, NULL, 0, 0, 'white', 'mate', 0),
    (20001, 'bcdef', 'rbc', '3d', 'over', 41, NULL, NULL, 0, 0, NULL, 'agreement', 8),
    (104, 'defgh', 'wild16', '3d', 'over', 90, NULL, NULL, 0, 0, NULL, 'void', 9),
    (105, 'efghj', 'wild16', '3d', 'over', 0, NULL, NULL, 0, 0, NULL, 'declined', 9),
    (106, 'fghjk', 'welbeck', '3d', 'over', -1, NULL, NULL, 0, 0, 'white', 'time', 9),
    (107, 'ghjkm', 'wild16', '3d', 'running', 90, 'white', 7, 0, 0, NULL, NULL, NULL),
    (108, 'hjkmn', 'wild16', '3d', 'over', 90, NULL, NULL, 0, 0, 'black', 'mate', NULL),
    (109, 'jkmnp', 'wild16', '3d', 'over', 81, NULL, NULL, 0, 0, 'black', 'time', 9);
"""
SEATS = [
    "INSERT INTO seats (id, game_id, player_id, side, code, key, accepted, slips, steps, letters)"
    f" SELECT 2 * id + {player}, id, {player}, '{side}', '{side}' || id, '', true, {slips}, 0, 0 FROM games"
    " WHERE id > 100"
    for player, side, slips in ((1, "white", "CASE id WHEN 109 THEN 0 ELSE 9 END"), (2, "black", "9"))
]
LETTER = """
INSERT INTO outbox (id, seat_id, number, kind, slip, step, words, made_at, due_at, tries, message, text, sent_at)
VALUES ({id}, 215, {id}, 'turn', 0, 0, '', 0, 0, 0, {message}, 'its text', {sent_at})
"""
PLAYERS = """
INSERT INTO players (id, name, address, address_key, mail) VALUES
    (101, 'Cal', 'c@c', 'c@c', false), (102, 'Dan', 'd@d', 'd@d', true)
"""
DECREE = """
INSERT INTO decrees (game_id, number, operator, deed, detail, reason, made_at, done_at, upshot)
VALUES (107, 1, 'Olga', 'pause', '', 'why', 1, 2, 'done')
"""
MESSAGES = "x'6974'", "'it'"
MADE_AT = int(STOPPED_AT.timestamp() * 1_000_000)
#: Asked for just before the upgrade, and not yet answered by a worker.
SIGN_IN_REQUEST = (
    f"INSERT INTO sign_ins (address, digits, tries, made_at) VALUES ('{EVE}', '123456', 0, {MADE_AT})"
)
SIGNED_IN = (
    "INSERT INTO sessions (secret, correspondent_id, made_at) SELECT 's', min(id), 1 FROM correspondents"
)


@contextmanager
def upgraded_from(folder: Path, url: str, version: str, *rows: str) -> Iterator[Table]:
    """A server with these rows in the tables of an old version, upgraded to the newest."""
    store = Store(url)
    migrate.upgrade(store, version)
    with store.writing() as connection:
        for row in rows:
            connection.exec_driver_sql(row)
    migrate.upgrade(store)
    store.close()
    laid = make_table(folder, url)
    yield laid
    laid.server.store.close()


@pytest.fixture
def old(bare_url: str, tmp_path: Path) -> Iterator[Table]:
    """A server of 6ef361f with all kinds of games, an email that was sent and one that wasn't."""
    message = MESSAGES[bare_url.startswith("postgresql")]
    letters = [LETTER.format(id=101 + sent, message=message, sent_at=("NULL", "1")[sent]) for sent in (0, 1)]
    rows = (GAMES, *SEATS, *letters, PLAYERS, DECREE, SIGNED_IN)
    with upgraded(tmp_path, bare_url, "6ef361f", *rows) as table:
        yield table


def test_only_unsent_old_emails_keep_their_bytes(old: Table) -> None:
    with old.server.store.reading() as connection:
        kept = select(EmailBytesRow.letter_id, EmailBytesRow.message)
        assert connection.execute(kept).all() == [(101, b"it")]


def test_every_old_email_keeps_its_words(old: Table) -> None:
    with old.server.store.reading() as connection:
        numbers = (select(func.count()).select_from(each) for each in (OutboxRow, EmailWordsRow))
        assert len({connection.execute(each).scalar_one() for each in numbers}) == 1


def test_old_finished_games_are_cleaned_up_in_time(old: Table) -> None:
    with old.server.store.reading() as connection:
        kept = dict(connection.execute(select(GameRow.id, GameRow.kept_until)).all())

    assert kept[107] is None
    assert (kept[101].year, kept[101].month, kept[101].day) == (1970, 1, 31)
    assert kept[108].year >= 2026


def test_refused_tries_stay_hidden_in_old_games_and_are_shown_in_new_ones(
    old: Table,
) -> None:
    with old.server.store.reading() as connection:
        assert set(connection.execute(select(SeatRow.tells_tries)).scalars()) == {False}
        assert set(connection.execute(select(PlayerRow.tells_tries)).scalars()) == {True}


def test_an_old_games_reminder_moves_to_the_seat_to_move(old: Table) -> None:
    with old.server.store.reading() as connection:
        reminded = select(SeatRow.side).where(SeatRow.game_id == 107, SeatRow.remind_at.is_not(None))
        assert connection.execute(reminded).scalars().all() == ["white"]


def test_a_player_who_wanted_no_emails_gets_none(old: Table) -> None:
    with old.server.store.reading() as connection:
        mailing = select(PlayerRow.mailing).where(PlayerRow.id > 100).order_by(PlayerRow.id)
        assert connection.execute(mailing).scalars().all() == ["off", "each"]


def test_an_old_decree_keeps_its_result(old: Table) -> None:
    with old.server.store.reading() as connection:
        assert connection.execute(select(DecisionRow.result)).scalars().all() == ["done"]


def test_a_player_who_asked_just_before_the_upgrade_can_sign_in(bare_url: str, tmp_path: Path) -> None:
    with upgraded(tmp_path, bare_url, "6ef361f", SIGN_IN_REQUEST) as table:
        table.run_workers()
        assert re.search(r'the six digits "\d{6}"', table.last_text(EVE))
        browser = Browser(table.app())
        browser.open(link_in(text_of(table.last_email(EVE))))

        assert "Choose your name" in browser.press("Sign in")


def test_an_old_session_counts_as_seen_today(old: Table) -> None:
    assert sessions.delete_expired(old.server, datetime.now(UTC)) == 0
    with old.server.store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(SessionRow)).scalar_one() == 1


def test_old_finished_games_are_in_the_archive(old: Table) -> None:
    with old.server.store.reading() as connection:
        query = select(ArchiveRow.player_id, ArchiveRow.kind, ArchiveRow.game_id)
        kept = connection.execute(query.order_by(ArchiveRow.game_id, ArchiveRow.player_id)).all()

    assert kept == [
        (0, "wild16 ws", 101),
        (1, "wild16 wsw", 101),
        (2, "wild16 wsb", 101),
        (0, "rbc dm", 20001),
        (1, "rbc dmw", 20001),
        (2, "rbc dmb", 20001),
    ]


def test_a_new_game_is_numbered_after_the_old_ones(old: Table) -> None:
    old.challenge()

    with old.server.store.reading() as connection:
        assert connection.execute(select(func.max(GameRow.id))).scalar_one() == 20002


def test_plain_text_keys_stay_valid_and_are_stored_only_encrypted(bare_url: str, tmp_path: Path) -> None:
    columns = "INSERT INTO ways (id, player_id, kind, name, url, key, made_at) VALUES "
    player = "INSERT INTO players (id, name, address, address_key) VALUES (1, 'Ann', 'a@b', 'a@b')"
    feed = f"{columns} (1, 1, 'calendar', '', '', 'the-key-of-a-feed-of-32-letters-', 0)"
    call = f"{columns} (2, 1, 'webhook', 'json', 'https://hooks.example/', 'the-key-of-calls-of-32-letters--', 0)"
    with upgraded_from(tmp_path, bare_url, "0050", player, feed, call) as table:
        assert (
            table.app().test_client().get("/told/the-key-of-a-feed-of-32-letters-/games.ics").status_code
            == 200
        )
        with table.server.store.reading() as connection:
            kept = connection.execute(
                select(NotificationWayRow.digest, NotificationWayRow.sealed).order_by(NotificationWayRow.id)
            ).all()
            keys = [notifications.unseal_key(connection, sealed) for _, sealed in kept]
    assert keys == ["the-key-of-a-feed-of-32-letters-", "the-key-of-calls-of-32-letters--"]
    assert "the-key" not in repr(kept)


def test_a_program_becomes_a_bot_and_keeps_its_old_name_in_running_games(
    bare_url: str, tmp_path: Path
) -> None:
    players = (
        "INSERT INTO players (id, name, address, address_key) VALUES (1, 'Ann', 'a@b', 'a@b'), "
        "(2, 'Pip (program)', '', 'house Pip (program)')"
    )
    game = (
        "INSERT INTO games (id, code, variant, clock, state, ply, rated, offered_white, offered_black, ended_at) "
        "VALUES (1, 'abcde', 'wild16', '3d', 'running', 0, false, 0, 0, NULL)"
    )
    seats = (
        "INSERT INTO seats (id, game_id, player_id, side, code, key, accepted, slips, steps, letters) VALUES "
        "(1, 1, 1, 'white', 'abcdefgh', '', true, 0, 0, 0), (2, 1, 2, 'black', 'bcdefghj', '', true, 0, 0, 0)"
    )
    laid = upgraded_from(tmp_path, bare_url, "0050", players, game, seats)
    with laid as table, table.server.store.reading() as connection:
        opponent_names = connection.execute(select(SeatRow.opponent).order_by(SeatRow.id)).scalars().all()
        kept = connection.execute(select(PlayerRow.name, PlayerRow.address_key).order_by(PlayerRow.id)).all()
        bot_id = people.find_house_player(connection, "Pip (bot)")
        bots_found = [house_bots.find_bot(name) for name in ("Pip", "pip (bot)", "Pip (program)")]

    assert opponent_names == ["Pip (program)", None]
    assert kept == [("Ann", "a@b"), ("Pip (bot)", "house Pip (bot)")]
    assert bot_id == 2
    assert bots_found == [house_bots.HOUSE_BOTS[0]] * 3
