"""Tampering by the server's owner with a finished game, even if resealed, is found by a player's check."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text, update

from corr.proof.proof import Proof, prove
from corr.store.tables import OutboxRow, SeatRow
from corr.words.board import Side
from tests.server.record.test_times import emails_to, give_days, record
from tests.support.api_bots import first_game_code
from tests.support.masked_seals import mask_json
from tests.support.resealed_games import reseal_game
from tests.support.table import ANN, BEN, Table, make_table

#: A list whose first try is refused, an offer that a move declines, and a capture.
MOVES = ("e2e4", "e7e5", "e4e5, d2d4", "d7d6\ndraw?", "d4e5", "d6e5")


def hide_tries(table: Table) -> None:
    """Set both players to hide their refused tries."""
    with table.server.store.writing() as connection:
        connection.execute(update(SeatRow).values(tells_tries=False))


@dataclass
class FinishedGame:
    """A finished game, and what both players have of it."""

    table: Table

    def proof(self, side: Side, *, with_emails: bool = True) -> Proof:
        """Check the record that the server now gives to a player."""
        emails = [emails_to(self.table, ANN if side is Side.WHITE else BEN)]
        return prove(record(self.table, side), emails if with_emails else [])

    def record(self, side: Side) -> dict[str, Any]:
        """A side's record, by turn."""
        turns = map(json.loads, record(self.table, side)[1:])
        return {turn["line"]["turn"]: turn for turn in turns}

    def alter(self, statement: str) -> None:
        """Change rows as only the owner of the server can."""
        with self.table.server.store.writing() as connection:
            assert connection.execute(text(statement)).rowcount > 0, statement

    def seal_anew(self) -> None:
        with self.table.server.store.writing() as connection:
            reseal_game(connection, 1)


@pytest.fixture
def game(table: Table) -> FinishedGame:
    """A game that White resigned, after an operator extended a deadline."""
    table.begin()
    table.play(*MOVES)
    give_days(table, 2)
    table.reply(ANN, "resign resign")
    return FinishedGame(table)


@pytest.fixture
def welbeck_game(table: Table) -> FinishedGame:
    """A game of Welbeck with sealed set-ups."""
    table.begin("welbeck")
    table.reply(ANN, "deploy home")
    table.reply(BEN, "deploy corner")
    table.reply(ANN, "resign resign")
    return FinishedGame(table)


def test_an_unchanged_game_is_valid_for_both_with_all_their_emails(game: FinishedGame) -> None:
    for side in Side:
        proof = game.proof(side)

        assert proof.holds
        assert proof.sentence.startswith("The record of game ")
        assert ": 8 turns, each sealed by the next, and " in proof.sentence
        assert int(proof.sentence.partition(", and ")[2].split()[0]) > 5


_FIRST_SLIP = "FROM slips WHERE seat_id = 1 AND number = 1"
#: The SQL of each change.
CHANGES = {
    "an order": "UPDATE orders SET text = 'a2a3' WHERE text = 'd2d4'",
    "a refused try": "UPDATE orders SET text = 'a2a4' WHERE verdict = 'refused'",
    "a verdict": "UPDATE orders SET verdict = 'nonsense' WHERE verdict = 'refused'",
    "the answer to an order": "UPDATE orders SET said = 'Yes.' WHERE text = 'e2e4'",
    "when an order came": "UPDATE orders SET at = at - 60000000 WHERE text = 'e2e4'",
    "how an order was sent": "UPDATE orders SET origin = '' WHERE origin = 'list'",
    "an order left out": "DELETE FROM orders WHERE text = 'e4e5'",
    "an announcement": f"UPDATE slips SET facts = (SELECT facts {_FIRST_SLIP}) WHERE number = 3",
    "a board": f"UPDATE slips SET sight = (SELECT sight {_FIRST_SLIP}) WHERE seat_id = 1 AND number = 3",
    "a slip left out": "DELETE FROM slips WHERE number = 2 AND step = 0 AND seat_id = 1",
    "the time of a turn": "UPDATE leaves SET told = replace(told, ',17', ',16') WHERE number = 3",
    "the name of a turn": "UPDATE leaves SET told = replace(told, '2b', '9b') WHERE number = 4",
    "a salt": "UPDATE leaves SET disclosed = (SELECT disclosed FROM leaves WHERE number = 1) WHERE number = 3",
    "a seal": "UPDATE leaves SET seal = (SELECT seal FROM leaves WHERE number = 1) WHERE number = 3",
    "a turn left out": "DELETE FROM leaves WHERE number = 3",
    "the end left out": "DELETE FROM leaves WHERE number = 7",
    "the winner": "UPDATE games SET winner = 'white'",
    "how it ended": "UPDATE games SET reason = 'time'",
    "the clock": "UPDATE games SET clock = '9d'",
    "the variant": "UPDATE games SET variant = 'cincinnati'",
    "whether sides were drawn by lot": "UPDATE games SET by_lot = NOT by_lot",
    "whether it was rated": "UPDATE games SET rated = NOT rated",
    "an operator's decision": "UPDATE decrees SET detail = '20'",
    "an operator's reason": "UPDATE decrees SET reason = 'No reason.'",
    "an operator's decision left out": "DELETE FROM decrees",
}


@pytest.mark.parametrize("statement", list(CHANGES.values()), ids=list(CHANGES))
def test_a_change_is_found_without_emails_and_if_resealed_with_them(
    game: FinishedGame, statement: str
) -> None:
    game.alter(statement)
    assert [game.proof(side, with_emails=False).holds for side in Side] == [False, False]

    game.seal_anew()
    assert [game.proof(side).holds for side in Side] == [False, False]


@pytest.mark.parametrize("side", list(Side))
def test_a_changed_set_up_is_found(welbeck_game: FinishedGame, side: Side) -> None:
    assert welbeck_game.proof(side).holds

    welbeck_game.alter("UPDATE orders SET text = 'deploy corner' WHERE text = 'deploy home'")
    assert "the set-ups (0.1)" in welbeck_game.proof(side, with_emails=False).sentence
    welbeck_game.seal_anew()
    assert " the seal of " in welbeck_game.proof(side).sentence


def test_a_player_finds_their_changed_set_up_without_emails(welbeck_game: FinishedGame) -> None:
    welbeck_game.alter("UPDATE orders SET text = 'deploy corner' WHERE text = 'deploy home'")
    welbeck_game.seal_anew()

    assert not welbeck_game.proof(Side.WHITE, with_emails=False).holds


def test_the_first_wrong_turn_is_named(game: FinishedGame) -> None:
    game.alter("UPDATE orders SET at = at - 60000000 WHERE text = 'd4e5'")

    assert game.proof(Side.WHITE).sentence == (
        "The seal of turn 3w doesn't match: someone changed the turn, its salt or its seal."
    )


#: Lines that are no tries: an unconfirmed resignation, and nonsense.
NO_TRIES = ("resign", "draw? e2", "a1a9")


@pytest.mark.parametrize(
    ("shows_tries", "refused"),
    [(False, ("e4e5", *NO_TRIES)), (True, NO_TRIES)],
    ids=["tries hidden", "tries shown"],
)
def test_one_sides_hidden_lines_change_no_byte_of_the_others_record(
    tmp_path: Path, refused: tuple[str, ...], *, shows_tries: bool
) -> None:
    """Lines that are no tries never do; refused tries don't if they are hidden."""
    records = []
    for name, written in (("one", refused), ("other", ())):
        (tmp_path / name).mkdir()
        table = make_table(tmp_path / name)
        table.begin()
        if not shows_tries:
            hide_tries(table)
        code = first_game_code(table)
        for each in written:
            table.reply(ANN, each)
        table.play("e2e4", "e7e5")
        table.reply(ANN, "resign resign")
        game = FinishedGame(table)
        assert game.proof(Side.BLACK).holds
        records.append(mask_json(b"".join(record(table, Side.BLACK)).decode()).replace(code, "k3x9q"))
        table.server.store.close()

    assert records[0] == records[1]


@pytest.mark.parametrize("shows_tries", [True, False])
def test_refused_tries_are_in_the_others_record_only_if_shown(
    game: FinishedGame, *, shows_tries: bool
) -> None:
    if not shows_tries:
        hide_tries(game.table)

    (tried,) = game.record(Side.WHITE)["2w"]["white_tries"]["part"]
    assert tried == {"ply": 2, "text": "e4e5", "verdict": "refused", "said": "Illegal move."}
    theirs = game.record(Side.BLACK)["2w"]
    assert theirs["white"] is None
    assert theirs["white_tries"] == (game.record(Side.WHITE)["2w"]["white_tries"] if shows_tries else None)
    assert game.proof(Side.BLACK).holds


def test_a_different_seal_sent_to_the_other_side_is_found(game: FinishedGame) -> None:
    """A record also has the seals sent to the other side, so two histories can't both match."""
    with game.table.server.store.writing() as connection:
        shown = connection.execute(select(OutboxRow.id, OutboxRow.seal).where(OutboxRow.seat_id == 2)).all()
        number = next(each.id for each in shown if each.seal.startswith("2w: "))
        another = update(OutboxRow).where(OutboxRow.id == number)
        connection.execute(another.values(seal="2w: ABCDEFGHIJKLMNOPQRSTUVWXYZ"))

    assert (
        game.proof(Side.WHITE).sentence
        == "The seal of turn 2w that we sent Black isn't the one in this record."
    )
