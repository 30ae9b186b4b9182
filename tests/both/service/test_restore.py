"""Restoring yesterday's backup: lost emails are recognised as lost, and never mistaken for new ones."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from corr.service.admin import restore
from corr.store import backups
from corr.store.session import Store
from corr.words.errors import Refused
from tests.support.database_servers import PostgresServer
from tests.support.postgres_copies import copy_database
from tests.support.table import ANN, BEN, DOMAIN, Table, make_table, parse_message, text_of


@pytest.fixture
def restored(sqlite_table: Table, tmp_path: Path) -> Table:
    """A backup after two moves of a game, put back after two more that it doesn't have."""
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
    table.send_emails()


@pytest.mark.parametrize("is_resumed", [False, True], ids=["at once", "after resuming"])
def test_a_reply_to_a_lost_email_tries_nothing_and_gets_the_board(
    restored: Table, *, is_resumed: bool
) -> None:
    lost = restored.last_email(ANN)
    if is_resumed:
        resume(restored)

    restored.reply(ANN, "g1f3", to=lost)

    assert "lost the email that you answered, so I did nothing" in restored.last_text(ANN)
    assert "h2 and e4" in restored.last_text(ANN)
    assert "Your turn: reply by" in restored.last_text(ANN)


def test_both_players_hear_of_the_restore_and_get_the_board(restored: Table) -> None:
    resume(restored)

    for player in (ANN, BEN):
        assert "we had to restore a backup" in restored.last_text(player)
        assert "The umpire's last announcement: White's move." in restored.last_text(player)
    assert "Your turn: reply by" in restored.last_text(ANN)
    assert "White has until" in restored.last_text(BEN)


def test_the_game_goes_on_from_the_email_about_the_restore(restored: Table) -> None:
    resume(restored)

    restored.play("e4d5", "d8d5", "b1c3")

    assert "Your move has been made." in restored.last_text(ANN)
    assert "Move 3." in restored.last_text(BEN)


def test_no_address_or_message_id_is_used_again(restored: Table) -> None:
    known = {letter["Message-ID"] for player in (ANN, BEN) for letter in restored.emails_to(player)}
    addresses = {letter["Reply-To"] for player in (ANN, BEN) for letter in restored.emails_to(player)}

    resume(restored)
    restored.play("e4d5", "d8d5")

    files = sorted(restored.spool.glob("*.eml"))
    new = [parse_message(file.read_bytes()) for file in files[-6:]]
    assert known.isdisjoint(letter["Message-ID"] for letter in new)
    assert addresses.isdisjoint(letter["Reply-To"] for letter in new)


def test_a_reply_about_a_lost_email_may_go_to_the_umpires_address(restored: Table) -> None:
    lost = restored.last_email(ANN)
    resume(restored)

    assert restored.deliver(restored.reply_email(ANN, "g1f3", to=lost), f"umpire@{DOMAIN}") == 1
    restored.run_workers()

    assert "lost the email that you answered, so I did nothing" in restored.last_text(ANN)


def test_a_reply_to_an_email_in_the_backup_is_answered(restored: Table) -> None:
    first = restored.emails_to(BEN)[1]
    resume(restored)

    restored.reply(BEN, "show", to=first)

    assert "Here is your board." in restored.last_text(BEN)


@pytest.mark.parametrize(("variant", "move"), [("wild16", "e2e4"), ("rbc", "sense none; e2e4")])
def test_a_challenge_in_the_backup_can_still_be_accepted(table: Table, variant: str, move: str) -> None:
    table.challenge(variant=variant)
    restore.resume_after_restore(table.server, table.clock())
    table.send_emails()

    table.reply(ANN, "accept")
    table.reply(BEN, "accept")
    table.play(move)

    assert "Your turn: reply by" in table.last_text(BEN)


def test_standing_orders_are_dropped_because_they_may_have_changed(
    table: Table,
) -> None:
    table.begin()
    table.reply(ANN, "e2e4\nif no capture: d2d4")
    resume(table)

    assert "because you may have changed them" in table.last_text(ANN)
    assert "| if no capture: d2d4" in text_of(table.last_email(ANN))
    assert "orders for next turn" not in table.last_text(BEN)
    table.reply(BEN, "e7e5")
    assert "Your turn: reply by" in table.last_text(ANN)
    assert "d2" in table.last_text(ANN).partition("pawns on ")[2].partition(".")[0]


def test_a_backup_is_private_and_never_overwrites_a_file(table: Table, tmp_path: Path) -> None:
    table.begin()
    file = tmp_path / "copy"

    backups.copy(table.server.store, file)

    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.glob("*.part")) == []
    with pytest.raises(Refused, match="already exists"):
        backups.copy(table.server.store, file)
    with pytest.raises(Refused, match="Can't write to"):
        backups.copy(table.server.store, tmp_path / "nowhere" / "copy")


def test_a_postgresql_backup_restores_the_game(
    postgres: PostgresServer, postgres_url: str, tmp_path: Path
) -> None:
    """With pg_dump and pg_restore, as docs/operate.md says."""
    table = make_table(tmp_path, postgres_url)
    table.begin()
    table.play("e2e4")
    backups.copy(table.server.store, tmp_path / "copy")
    table.server.store.close()

    for new in copy_database(postgres, "template0"):
        subprocess.run(["pg_restore", "--no-owner", f"--dbname={new}", tmp_path / "copy"], check=True)
        store = Store(new)
        with store.reading() as connection:
            assert connection.exec_driver_sql("SELECT text FROM orders").scalars().all() == ["e2e4"]
        store.close()


def test_a_backup_that_cannot_be_written_is_refused_with_a_sentence(table: Table, tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.touch()

    with pytest.raises(Refused, match="Can't write to"):
        backups.copy(table.server.store, in_the_way / "copy")


def test_only_running_games_are_resumed(table: Table) -> None:
    table.challenge()

    assert restore.resume_after_restore(table.server, table.clock()) == 0
