"""A record proves who played, and which words were mailed."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from sqlalchemy import update

from corr.proof.proof import Proof, prove
from corr.service.games import game_records
from corr.store.tables import PlayerRow
from corr.words.board import Side
from tests.support.random_records import sealed_by_a_liar
from tests.support.table import ANN, BEN, Table


def play(table: Table) -> None:
    table.begin()
    for player, move in ((ANN, "e2e5, e2e4"), (BEN, "e7e5"), (ANN, "d2d4"), (BEN, "e5d4")):
        table.clock.pass_by(minutes=10)
        table.reply(player, move)
    table.clock.pass_by(minutes=10)
    table.reply(ANN, "resign resign")


def record(table: Table, side: Side | None = Side.WHITE) -> list[bytes]:
    with table.server.store.reading() as connection:
        return [f"{line}\n".encode() for line in game_records.write_lines(connection, 1, side)]


def letters(table: Table, player: str = ANN) -> Iterator[bytes]:
    """All letters of a player as their mail program keeps them."""
    for letter in table.letters(player):
        yield b"From umpire Fri Nov 20 12:00:00 2026\n"
        yield from letter.as_bytes().splitlines(keepends=True)


def proof(table: Table, side: Side = Side.WHITE) -> Proof:
    return prove(record(table, side), [letters(table, ANN if side is Side.WHITE else BEN)])


# ---------------------------------------------------------------- words


@pytest.mark.parametrize("side", list(Side))
def test_letters_that_nobody_has_changed_have_the_words_that_were_mailed(table: Table, side: Side) -> None:
    play(table)

    said = proof(table, side)
    assert said.holds
    assert " of them with the words we sent" in said.sentence


CHANGED = {
    "a board": (b"  5  . . . . . . . .", b"  5  . . . . q . . ."),
    "an announcement": (b"Illegal move.", b"Nonsense."),
    "how many tries there are": (b"0 pawn tries", b"3 pawn tries"),
}


@pytest.mark.parametrize(("was", "is_now"), list(CHANGED.values()), ids=list(CHANGED))
def test_a_letter_whose_words_were_changed_is_named(table: Table, was: bytes, is_now: bytes) -> None:
    play(table)
    held = list(letters(table))
    changed = [line.replace(was, is_now) for line in held]
    assert changed != held

    said = prove(record(table), [changed]).sentence
    assert said.startswith("The email of Fri, 20 Nov 2026 12:")
    assert said.endswith(" doesn't have the words we sent you.")


def test_lines_that_a_mail_program_has_broken_otherwise_are_the_same_words(table: Table) -> None:
    play(table)
    held = [line.rstrip(b"\r\n") + b" \n" if line.startswith(b"  ") else line for line in letters(table)]

    assert prove(record(table), [held]).holds


def test_letters_of_the_other_side_are_none_of_ones_own(table: Table) -> None:
    play(table)

    assert prove(record(table), [letters(table, BEN)]).holds


def test_nobody_else_reads_what_stands_for_ones_letters(table: Table) -> None:
    """Of what was mailed a hash would tell somebody who guesses it."""
    play(table)
    own = [json.loads(line)["white"]["part"]["mailed"] for line in record(table)[1:]]

    assert any(own)
    for others in (record(table, Side.BLACK), record(table, None)):
        assert not any(digest.encode() in line for some in own for digest in some for line in others)


# ---------------------------------------------------------------- players


def test_both_players_read_who_played_and_nobody_else_does(table: Table) -> None:
    play(table)

    for side in Side:
        assert '; White was "ann" and Black was "ben"' in proof(table, side).sentence
    everybody = b"".join(record(table, None))
    assert json.loads(record(table, None)[1])["players"] == {}
    assert b'"ann"' not in everybody
    assert prove(record(table, None)).holds


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("eve", "The game was sealed with another name for White."),
        ("e" * 101, "Line 2, at the start, isn't a line of a record."),
    ],
)
def test_another_name_does_not_hold(table: Table, name: str, said: str) -> None:
    play(table)

    def lie(turns: dict) -> None:
        turns["0"]["players"]["white"]["name"] = name

    assert prove(sealed_by_a_liar(record(table), lie)).sentence == said


def test_of_whoever_is_called_otherwise_by_now_no_name_is_told(table: Table) -> None:
    """What stands for the name they had stays, and whoever knows it can try it."""
    play(table)
    with table.server.store.writing() as connection:
        connection.execute(update(PlayerRow).where(PlayerRow.name == "ann").values(name="anna"))

    said = proof(table)
    assert said.holds
    assert '; Black was "ben"' in said.sentence
    assert "anna" not in said.sentence
