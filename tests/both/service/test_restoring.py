"""A database from yesterday's copy: what was lost is known as lost, and nothing is mistaken for it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from corr.service.admin import restore
from corr.store import backups
from corr.store.session import Store
from corr.words.errors import Refused
from tests.support.database_servers import PostgresServer
from tests.support.postgres_copies import database
from tests.support.table import ANN, BEN, DOMAIN, Table, lay, parse, text_of


@pytest.fixture
def copied(sqlite_table: Table, tmp_path: Path) -> Table:
    """A game of two moves, copied then; two further moves that the copy does not know; the copy in its place."""
    table = sqlite_table
    table.begin()
    table.play("e2e4", "d7d5")
    backups.copy(table.server.store, tmp_path / "copy.sqlite")
    table.play("e4d5", "d8d5")
    table.server.store.close()
    for file in tmp_path.glob("corr.sqlite*"):
        file.unlink()
    (tmp_path / "copy.sqlite").rename(tmp_path / "corr.sqlite")
    return table


def resume(table: Table) -> None:
    assert restore.resume_after_restore(table.server, table.clock()) == 1
    table.send()


def test_a_reply_to_a_letter_that_is_newer_than_the_copy_tries_nothing_and_gets_the_board(
    copied: Table,
) -> None:
    lost = copied.newest(ANN)

    copied.post(copied.letter(ANN, "g1f3", to=lost))
    copied.work()

    assert "lost the email that you answered, so I did nothing" in copied.says(ANN)
    assert "h2 and e4" in copied.says(ANN)
    assert "Your turn: reply by" in copied.says(ANN)


def test_everybody_is_told_and_gets_the_board_that_counts(copied: Table) -> None:
    resume(copied)

    for player in (ANN, BEN):
        assert "we had to restore a backup" in copied.says(player)
        assert "The umpire's last announcement: White's move." in copied.says(player)
    assert "Your turn: reply by" in copied.says(ANN)
    assert "White has until" in copied.says(BEN)


def test_the_game_goes_on_from_the_letter_that_tells_of_it(copied: Table) -> None:
    resume(copied)

    copied.play("e4d5", "d8d5", "b1c3")

    assert "Your move has been made." in copied.says(ANN)
    assert "Move 3." in copied.says(BEN)


def test_no_number_is_given_twice(copied: Table) -> None:
    """A lost letter's address and Message-ID are never those of another letter."""
    known = {letter["Message-ID"] for player in (ANN, BEN) for letter in copied.letters(player)}
    addresses = {letter["Reply-To"] for player in (ANN, BEN) for letter in copied.letters(player)}

    resume(copied)
    copied.play("e4d5", "d8d5")

    files = sorted(copied.spool.glob("*.eml"))
    new = [parse(file.read_bytes()) for file in files[-6:]]
    assert known.isdisjoint(letter["Message-ID"] for letter in new)
    assert addresses.isdisjoint(letter["Reply-To"] for letter in new)


def test_a_lost_letter_is_known_as_lost_after_the_house_has_resumed(copied: Table) -> None:
    lost = copied.newest(ANN)
    resume(copied)

    copied.post(copied.letter(ANN, "g1f3", to=lost))
    copied.work()

    assert "lost the email that you answered, so I did nothing" in copied.says(ANN)


def test_a_reply_to_the_umpire_about_a_lost_letter_is_known_as_one_too(copied: Table) -> None:
    lost = copied.newest(ANN)
    resume(copied)

    assert copied.post(copied.letter(ANN, "g1f3", to=lost), f"umpire@{DOMAIN}") == 1
    copied.work()

    assert "lost the email that you answered, so I did nothing" in copied.says(ANN)


def test_a_letter_that_the_copy_knows_is_answered_as_ever(copied: Table) -> None:
    first = copied.letters(BEN)[1]
    resume(copied)

    copied.post(copied.letter(BEN, "show", to=first))
    copied.work()

    assert "Here is your board." in copied.says(BEN)


@pytest.mark.parametrize(("variant", "move"), [("wild16", "e2e4"), ("rbc", "sense none; e2e4")])
def test_a_challenge_that_was_copied_can_still_be_accepted(table: Table, variant: str, move: str) -> None:
    table.challenge(variant=variant)
    restore.resume_after_restore(table.server, table.clock())
    table.send()

    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    table.play(move)

    assert "Your turn: reply by" in table.says(BEN)


def test_what_was_ordered_for_the_next_turn_may_have_been_changed_since_and_is_not_tried(
    table: Table,
) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    resume(table)

    assert "because you may have changed them" in table.says(ANN)
    assert "| if no capture: d2d4" in text_of(table.newest(ANN))
    assert "orders for next turn" not in table.says(BEN)
    table.reply(BEN, "e7e5")
    assert "Your turn: reply by" in table.says(ANN)
    assert "d2" in table.says(ANN).partition("pawns on ")[2].partition(".")[0]


def test_a_copy_is_whole_and_nobody_elses(table: Table, tmp_path: Path) -> None:
    table.begin()
    file = tmp_path / "copy"

    backups.copy(table.server.store, file)

    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.glob("*.part")) == []
    with pytest.raises(Refused, match="already exists"):
        backups.copy(table.server.store, file)
    with pytest.raises(Refused, match="Can't write to"):
        backups.copy(table.server.store, tmp_path / "nowhere" / "copy")


def test_a_copy_of_postgresql_brings_the_game_back(
    postgres: PostgresServer, postgres_url: str, tmp_path: Path
) -> None:
    """By pg_dump and pg_restore, as docs/operate.md tells it."""
    table = lay(tmp_path, postgres_url)
    table.begin()
    table.play("e2e4")
    backups.copy(table.server.store, tmp_path / "copy")
    table.server.store.close()

    for new in database(postgres, "template0"):
        subprocess.run(["pg_restore", "--no-owner", f"--dbname={new}", tmp_path / "copy"], check=True)
        store = Store(new)
        with store.reading() as connection:
            assert connection.exec_driver_sql("SELECT text FROM orders").scalars().all() == ["e2e4"]
        store.close()


def test_a_copy_that_cannot_be_written_is_refused_in_a_sentence(table: Table, tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.touch()

    with pytest.raises(Refused, match="Can't write to"):
        backups.copy(table.server.store, in_the_way / "copy")


def test_only_running_games_are_resumed(table: Table) -> None:
    table.challenge()

    assert restore.resume_after_restore(table.server, table.clock()) == 0
