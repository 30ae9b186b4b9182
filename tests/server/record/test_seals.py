"""Seals in emails and on pages: they change only when a turn ends, and reveal nothing."""

from __future__ import annotations

import base64
import re

import pytest
from sqlalchemy import func, select, text

from corr.proof import verify
from corr.proof.proof import prove
from corr.proof.verify import split_lines
from corr.record import seals
from corr.service.games import game_records
from corr.store.tables import GameRow, TurnSealRow
from corr.words.board import Side
from corr.words.errors import Refused
from tests.support.api_bots import first_game_code
from tests.support.browser import Browser
from tests.support.table import ANN, BEN, Table, text_of

SEAL = re.compile(r"^Seal (\S+): ([A-Z2-7]{26})$", re.MULTILINE)


def seal_of(table: Table, player: str) -> tuple[str, str]:
    """The seal in a player's newest email: its turn and its text."""
    (found,) = SEAL.findall(text_of(table.last_email(player)))
    return found


def sealed_turns(table: Table, player: str) -> list[str]:
    """The turns whose seals a player's emails have, in order."""
    return [name for email in table.emails_to(player) for name, _ in SEAL.findall(text_of(email))]


def test_each_email_has_the_seal_of_the_last_finished_turn(table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5", "d2d4")

    assert sealed_turns(table, ANN) == ["0", "1w", "1b", "2w"]
    assert sealed_turns(table, BEN) == ["0", "1w", "1b", "2w"]


def test_both_sides_have_the_same_seal_of_a_turn(table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5", "d2d4")

    assert seal_of(table, ANN) == seal_of(table, BEN)


@pytest.mark.parametrize(
    "written",
    [
        "e2e5",
        "e2e5, d1d5, f1b5",
        "draw?",
        "show",
        "help",
        "note He is short of time.",
        "pause?",
        "no order at all",
    ],
)
def test_only_the_end_of_a_turn_changes_the_seal(table: Table, written: str) -> None:
    table.begin()
    before = seal_of(table, BEN)
    table.reply(ANN, written)
    table.reply(BEN, "show")

    assert seal_of(table, ANN) == before
    assert seal_of(table, BEN) == before
    assert leaves(table) == 1


def leaves(table: Table) -> int:
    with table.server.store.asking() as connection:
        return int(connection.execute(select(GameRow.leaves)).scalar_one())


def test_seals_do_not_show_refused_tries(table: Table) -> None:
    table.begin()
    for tried in ("e2e5", "d1d5, f1b5", "a1a5"):
        table.reply(ANN, tried)
    table.reply(ANN, "e2e4")

    assert sealed_turns(table, BEN) == ["0", "1w"]
    assert leaves(table) == 2


def test_seals_do_not_show_that_one_side_has_deployed(table: Table) -> None:
    table.begin("welbeck")
    table.reply(ANN, "deploy home")
    table.reply(BEN, "show")
    assert seal_of(table, BEN)[0] == "0"

    table.reply(BEN, "deploy corner")
    assert seal_of(table, BEN)[0] == "0.1"


def test_a_clash_of_set_ups_is_sealed(table: Table) -> None:
    table.begin("assassin")
    table.reply(ANN, "deploy home")
    table.reply(BEN, "deploy home")

    assert seal_of(table, ANN)[0] == "0.1"
    assert leaves(table) == 2


def test_turns_played_by_advance_orders_are_sealed_one_by_one(table: Table) -> None:
    table.begin()
    table.reply(BEN, "if no check: e7e5")
    table.reply(ANN, "e2e4")

    assert seal_of(table, BEN)[0] == "1b"
    assert leaves(table) == 3


def test_the_page_has_the_same_seal(table: Table) -> None:
    table.begin()
    table.play("e2e4")
    browser = Browser(table.app_with_workers())
    browser.sign_in(table, BEN)

    name, seal = seal_of(table, BEN)
    assert f"{name}: {seal}" in browser.open(f"/games/{first_game_code(table)}")


def test_a_tutorial_is_not_sealed(table: Table) -> None:
    table.write_to_site(ANN, "tutorial", name="Ann")
    table.reply(ANN, "e2e4")

    assert len(table.emails_to(ANN)) > 1
    assert not any(SEAL.search(text_of(email)) for email in table.all_emails())


# ---------------------------------------------------------------- salts


def test_no_salt_is_revealed_before_the_game_is_over(table: Table) -> None:
    """Afterwards a record has the salts of its lines, of its own side and of both sides' tries."""
    table.begin()
    browsers = {player: Browser(table.app_with_workers()) for player in (ANN, BEN)}
    for player, browser in browsers.items():
        browser.sign_in(table, player)
    code = first_game_code(table)
    for move in ("e2e5", "e2e4", "draw?"):
        table.reply(ANN, move)
        pages = [browser.open(f"/games/{code}").encode() for browser in browsers.values()]
        records = [browser.client.get(f"/games/{code}/record") for browser in browsers.values()]
        emails = [email.as_bytes() for email in table.all_emails()]

        assert [answer.status_code for answer in records] == [404, 404]
        drawn = [salt for hidden in salts(table).values() for salt in hidden]
        assert not any(is_in(salt, page) for salt in drawn for page in (*pages, *emails))
        assert disclosed(table) == [None] * leaves(table)
    table.reply(ANN, "resign resign")
    with table.server.store.reading() as connection:
        record = game_records.write_record(connection, 1, Side.WHITE).encode()

    drawn = salts(table)
    assert all(is_in(salt, record) for salt in drawn["line"] + drawn["white"] + drawn["white_tries"])
    assert all(is_in(salt, record) for salt in drawn["black_tries"])
    assert not any(is_in(salt, record) for salt in drawn["black"])


def salts(table: Table) -> dict[str, list[bytes]]:
    """All salts, by the part that each hides."""
    with table.server.store.asking() as connection:
        drawn = (
            connection.execute(select(func.coalesce(TurnSealRow.disclosed, TurnSealRow.salt))).scalars().all()
        )
    return {name: [seals.derive_salt(each, name) for each in drawn] for name in ("line", *verify.PARTS)}


def disclosed(table: Table) -> list[bytes | None]:
    with table.server.store.asking() as connection:
        return list(connection.execute(select(TurnSealRow.disclosed)).scalars())


def is_in(salt: bytes, said: bytes) -> bool:
    """Whether a salt is there raw, as hex or as base64."""
    return any(each in said for each in (salt, salt.hex().encode(), base64.b64encode(salt)[:20]))


def test_a_running_game_has_no_record(table: Table) -> None:
    table.begin()
    with table.server.store.reading() as connection, pytest.raises(Refused, match="has no record"):
        game_records.write_record(connection, 1, Side.WHITE)


# ---------------------------------------------------------------- games from before seals

#: Makes a game look like one that began before there were seals.
_BEFORE_SEALS = (
    "DELETE FROM leaves",
    "UPDATE slips SET leaf = 0",
    "UPDATE orders SET leaf = 0",
    "UPDATE outbox SET seal = x''",
    "UPDATE games SET leaves = 0, seal = NULL, sealed = '', unsealed = true",
)


def test_a_game_from_before_seals_is_sealed_from_now_on_and_says_so(table: Table) -> None:
    table.begin()
    table.play("e2e4", "e7e5, a7a6", "d2d4")
    with table.server.store.writing() as connection:
        for statement in _BEFORE_SEALS:
            connection.execute(text(statement))
    table.reply(BEN, "show")
    assert not SEAL.search(text_of(table.last_email(BEN)))

    table.reply(BEN, "d7d6")
    assert seal_of(table, BEN)[0] == "2b"
    table.play("d4e5")
    table.reply(BEN, "resign resign")
    with table.server.store.reading() as connection:
        record = game_records.write_record(connection, 1, Side.BLACK)

    proof = prove(line.encode() for line in record.splitlines(keepends=True))
    assert proof.holds
    assert "(from turn 2b on, with everything before it sealed together)" in proof.sentence


def test_the_record_is_attached_to_the_last_email(table: Table) -> None:
    table.begin()
    table.play("e2e4")
    table.reply(BEN, "resign resign")
    for player in (ANN, BEN):
        email = table.last_email(player)
        (file,) = (each for each in email.iter_attachments() if each.get_filename() == "record.jsonl.gz")

        assert prove(split_lines(file.get_content())).holds
        assert 'attached as "record.jsonl.gz"' in table.last_text(player)
