"""What a house held before its tables were changed is there after the change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import func, select

from corr.service.players import feed_keys, house_bots, sessions
from corr.service.players import players as people
from corr.store import schema
from corr.store.session import Store
from corr.store.tables import (
    ArchiveRow,
    Game,
    LetterWords,
    OutboxRow,
    Parcel,
    Player,
    SeatRow,
    Session,
    Way,
)
from tests.support.browser import Browser, link_in
from tests.support.table import EVE, NOON, Table, lay, text_of

GAMES = """
INSERT INTO games (id, code, variant, clock, state, ply, offered_white, offered_black, ended_at) VALUES
    (1, 'abcde', 'wild16', '3d', 'over', 0, 0, 0, NULL), (2, 'bcdef', 'wild16', '3d', 'over', 0, 0, 0, 0),
    (3, 'cdefg', 'wild16', '3d', 'running', 0, 0, 0, NULL);
INSERT INTO players (id, name, address, address_key) VALUES (1, 'Ann', 'a@b', 'a@b');
INSERT INTO seats (id, game_id, player_id, side, code, key, accepted, slips, steps, letters) VALUES
    (1, 1, 1, 'white', 'abcdefgh', '', true, 0, 0, 0);
"""
LETTER = """
INSERT INTO outbox (seat_id, number, kind, slip, step, words, made_at, due_at, tries, message, text, sent_at)
VALUES (1, {number}, 'turn', 0, 0, '', 0, 0, 0, {message}, 'its text', {sent_at})
"""
CLEARED = """
INSERT INTO games (id, code, variant, clock, state, ply, rated, offered_white, offered_black, ended_at) VALUES
    (1, 'abcde', 'wild16', '3d', 'over', 0, false, 0, 0, 0);
INSERT INTO players (id, name, address, address_key) VALUES (1, 'Ann', 'a@b', 'a@b');
INSERT INTO seats (id, game_id, player_id, side, code, key, accepted, slips, steps, letters) VALUES
    (1, 1, 1, 'white', 'abcdefgh', '', true, 0, 0, 0);
INSERT INTO outbox (id, seat_id, number, kind, slip, step, words, made_at, due_at, tries, sent_at) VALUES
    (1, 1, 1, 'turn', 0, 0, '', 0, 0, 0, 1), (2, 1, 2, 'turn', 0, 0, '', 0, 0, 0, NULL);
"""
BYTES = "x'6974'", "'it'"
MADE_AT = int(NOON.timestamp() * 1_000_000)
#: Somebody asked just before the tables were changed, and no worker has seen to it.
ASKED = f"INSERT INTO sign_ins (address, digits, tries, made_at) VALUES ('{EVE}', '123456', 0, {MADE_AT})"
TUTORIALS = """
INSERT INTO games (id, code, variant, clock, state, ply, rated, offered_white, offered_black, lesson) VALUES
    (1, 'jkmnp', 'wild16', '30d', 'running', 0, false, 0, 0, 1),
    (2, 'kmnpq', 'wild16', '30d', 'running', 8, false, 0, 0, 5),
    (3, 'mnpqr', 'wild16', '30d', 'over', 10, false, 0, 0, 6),
    (4, 'npqrs', 'wild16', '3d', 'running', 0, false, 0, 0, NULL)
"""
#: Games of before there was an archive: two that are listed, then a lesson, one made void, one not accepted, one in
#: which no men were set up, one that goes on, one without the moment of its end, one of which White was handed nothing.
PLAYED = """
INSERT INTO games
    (id, code, variant, clock, state, ply, offered_white, offered_black, winner, reason, ended_at, lesson)
VALUES
    (1, 'abcde', 'wild16', '3d', 'over', 40, 0, 0, 'white', 'mate', 7, NULL),
    (20001, 'bcdef', 'rbc', '3d', 'over', 41, 0, 0, NULL, 'agreement', 8, NULL),
    (3, 'cdefg', 'wild16', '3d', 'over', 90, 0, 0, 'black', 'mate', 9, 2),
    (4, 'defgh', 'wild16', '3d', 'over', 90, 0, 0, NULL, 'void', 9, NULL),
    (5, 'efghj', 'wild16', '3d', 'over', 0, 0, 0, NULL, 'declined', 9, NULL),
    (6, 'fghjk', 'welbeck', '3d', 'over', -1, 0, 0, 'white', 'time', 9, NULL),
    (7, 'ghjkm', 'wild16', '3d', 'running', 90, 0, 0, NULL, NULL, NULL, NULL),
    (8, 'hjkmn', 'wild16', '3d', 'over', 90, 0, 0, 'black', 'mate', NULL, NULL),
    (9, 'jkmnp', 'wild16', '3d', 'over', 81, 0, 0, 'black', 'time', 9, NULL);
INSERT INTO players (id, name, address, address_key) VALUES (1, 'Ann', 'a@b', 'a@b'), (2, 'Ben', 'b@b', 'b@b');
"""
SEATS_OF_PLAYED = [
    "INSERT INTO seats (game_id, player_id, side, code, key, accepted, slips, steps, letters)"
    f" SELECT id, {player}, '{side}', '{side}' || id, '', true, {slips}, 0, 0 FROM games"
    for player, side, slips in ((1, "white", "CASE id WHEN 9 THEN 0 ELSE 9 END"), (2, "black", "9"))
]
LET_IN = (
    "INSERT INTO correspondents (mark, code, key, letters, refused) VALUES ('m', 'c', 'k', 0, false)",
    "INSERT INTO sessions (secret, correspondent_id, made_at) SELECT 's', id, 1 FROM correspondents",
)


@contextmanager
def upgraded(folder: Path, url: str, version: str, *rows: str) -> Iterator[Table]:
    """A house that held these rows in the tables of a version, brought to the newest ones."""
    store = Store(url)
    schema.upgrade(store, version)
    with store.writing() as connection:
        for row in rows:
            connection.exec_driver_sql(row)
    schema.upgrade(store)
    store.close()
    laid = lay(folder, url)
    yield laid
    laid.house.store.close()


@pytest.fixture
def old(bare_url: str, tmp_path: Path) -> Iterator[Table]:
    """Three games and many letters."""
    message = BYTES[bare_url.startswith("postgresql")]
    letters = [
        LETTER.format(number=number, sent_at="NULL" if number == 1200 else "1", message=message)
        for number in range(1, 1502)
    ]
    rows = GAMES.strip().removesuffix(";").split(";")
    with upgraded(tmp_path, bare_url, "0005", *rows, *letters) as table:
        yield table


def test_of_old_letters_that_were_handed_over_the_bytes_are_gone_too(old: Table) -> None:
    with old.house.store.reading() as connection:
        kept = select(OutboxRow.number, Parcel.message).join(Parcel)
        assert connection.execute(kept).all() == [(1200, b"it")]


def test_what_letters_are_made_of_has_a_table_of_its_own(old: Table) -> None:
    with old.house.store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(LetterWords)).scalar_one() == 1501


def test_of_a_game_that_was_cleared_it_is_kept_of_what_is_still_to_be_sent(
    bare_url: str, tmp_path: Path
) -> None:
    rows = CLEARED.strip().removesuffix(";").split(";")
    with upgraded(tmp_path, bare_url, "0046", *rows) as table, table.house.store.reading() as connection:
        assert connection.execute(select(LetterWords.letter_id)).scalars().all() == [2]


def test_old_games_that_are_over_are_cleared_in_their_time_too(old: Table) -> None:
    with old.house.store.reading() as connection:
        kept = dict(connection.execute(select(Game.id, Game.kept_until)).all())

    assert kept[3] is None
    assert (kept[2].year, kept[2].month, kept[2].day) == (1970, 1, 31)
    assert kept[1].year >= 2026


def test_of_games_that_had_begun_no_refused_try_is_told_and_of_later_ones_if_nothing_else_is_set(
    old: Table,
) -> None:
    with old.house.store.reading() as connection:
        assert connection.execute(select(SeatRow.tells_tries)).scalars().all() == [False]
        assert connection.execute(select(Player.tells_tries)).scalars().all() == [True]


def test_who_asked_just_before_is_let_in_by_the_letters_page(bare_url: str, tmp_path: Path) -> None:
    with upgraded(tmp_path, bare_url, "0005", ASKED) as table:
        table.work()
        assert re.search(r'the number "\d{6}"', table.says(EVE))
        browser = Browser(table.app())
        browser.open(link_in(text_of(table.newest(EVE))))

        assert "Choose your name" in browser.press("Sign in")


def test_who_was_let_in_before_is_seen_as_of_today(bare_url: str, tmp_path: Path) -> None:
    with upgraded(tmp_path, bare_url, "0008", *LET_IN) as table:
        assert sessions.forget_some(table.house, datetime.now(UTC)) == 0
        with table.house.store.reading() as connection:
            assert connection.execute(select(func.count()).select_from(Session)).scalar_one() == 1


def test_a_tutorial_that_was_further_on_goes_back_to_its_second_lesson(bare_url: str, tmp_path: Path) -> None:
    with upgraded(tmp_path, bare_url, "0033", TUTORIALS) as table, table.house.store.reading() as connection:
        lessons = connection.execute(select(Game.lesson).order_by(Game.id)).scalars().all()

    assert lessons == [1, 2, 2, None]


def test_games_that_were_over_before_stand_in_the_archive(bare_url: str, tmp_path: Path) -> None:
    rows = (*PLAYED.strip().removesuffix(";").split(";"), *SEATS_OF_PLAYED)
    with upgraded(tmp_path, bare_url, "0048", *rows) as table, table.house.store.reading() as connection:
        asked = select(ArchiveRow.player_id, ArchiveRow.kind, ArchiveRow.game_id)
        kept = connection.execute(asked.order_by(ArchiveRow.game_id, ArchiveRow.player_id)).all()

    assert kept == [
        (0, "wild16 ws", 1),
        (1, "wild16 wsw", 1),
        (2, "wild16 wsb", 1),
        (0, "rbc dm", 20001),
        (1, "rbc dmw", 20001),
        (2, "rbc dmb", 20001),
    ]


def test_keys_that_lay_in_clear_go_on_being_good_and_lie_nowhere(bare_url: str, tmp_path: Path) -> None:
    columns = "INSERT INTO ways (id, player_id, kind, name, url, key, made_at) VALUES "
    player = "INSERT INTO players (id, name, address, address_key) VALUES (1, 'Ann', 'a@b', 'a@b')"
    feed = f"{columns} (1, 1, 'calendar', '', '', 'the-key-of-a-feed-of-32-letters-', 0)"
    call = f"{columns} (2, 1, 'webhook', 'json', 'https://hooks.example/', 'the-key-of-calls-of-32-letters--', 0)"
    with upgraded(tmp_path, bare_url, "0051", player, feed, call) as table:
        assert (
            table.app().test_client().get("/told/the-key-of-a-feed-of-32-letters-/games.ics").status_code
            == 200
        )
        with table.house.store.reading() as connection:
            kept = connection.execute(select(Way.digest, Way.sealed).order_by(Way.id)).all()
            keys = [feed_keys.unseal(connection, sealed) for _, sealed in kept]
    assert keys == ["the-key-of-a-feed-of-32-letters-", "the-key-of-calls-of-32-letters--"]
    assert "the-key" not in repr(kept)


def test_a_program_is_a_bot_from_then_on_and_keeps_its_name_in_games_that_have_begun(
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
    laid = upgraded(tmp_path, bare_url, "0057", players, game, seats)
    with laid as table, table.house.store.reading() as connection:
        called = connection.execute(select(SeatRow.opponent).order_by(SeatRow.id)).scalars().all()
        kept = connection.execute(select(Player.name, Player.address_key).order_by(Player.id)).all()
        known = people.known_of_the_house(connection, "Pip (bot)")
        meant = [house_bots.named(name) for name in ("Pip", "pip (bot)", "Pip (program)")]

    assert called == ["Pip (program)", None]
    assert kept == [("Ann", "a@b"), ("Pip (bot)", "house Pip (bot)")]
    assert known == 2
    assert meant == [house_bots.PROGRAMS[0]] * 3
