"""Whoever owns the server may change any row of a finished game, and even seal it anew: a player's proof names it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text, update

from corr.proof.proof import Proof, prove
from corr.service.admin import game_decisions
from corr.service.games import game_records, moderation
from corr.service.games.moderation import DecreeKind, DecreeRequest
from corr.store.tables import OutboxRow, SeatRow
from corr.words.board import Side
from tests.support.masked_seals import masked_json
from tests.support.resealed_games import seal_anew
from tests.support.table import ANN, BEN, Table, lay

#: A list whose first try is refused, an offer that is turned down by a move, and a move that takes.
MOVES = ("e2e4", "e7e5", "e4e5, d2d4", "d7d6\ndraw?", "d4e5", "d6e5")


def keep_tries_back(table: Table) -> None:
    """Both players let nobody read what they were refused."""
    with table.server.store.writing() as connection:
        connection.execute(update(SeatRow).values(tells_tries=False))


@dataclass
class Over:
    """A game that is over, and what both players have of it."""

    table: Table
    game_id: int = 1

    def proof(self, side: Side, *, with_letters: bool = True) -> Proof:
        """What a player finds who checks the record that the server gives out now."""
        with self.table.server.store.reading() as connection:
            record = game_records.write_record(connection, self.game_id, side)
        lines = (line.encode() for line in record.splitlines(keepends=True))
        return prove(lines, [self.letters(side)] if with_letters else [])

    def record(self, side: Side) -> dict[str, Any]:
        """What a side's record says of each turn."""
        with self.table.server.store.reading() as connection:
            record = game_records.write_record(connection, self.game_id, side)
        turns = map(json.loads, record.splitlines()[1:])
        return {turn["line"]["turn"]: turn for turn in turns}

    def letters(self, side: Side) -> Iterator[bytes]:
        """All letters of a side as its mail program keeps them."""
        for letter in self.table.letters(ANN if side is Side.WHITE else BEN):
            yield b"From umpire Fri Nov 20 12:00:00 2026\n"
            yield from letter.as_bytes().splitlines(keepends=True)

    def alter(self, statement: str) -> None:
        """Change rows as only the owner of the server can."""
        with self.table.server.store.writing() as connection:
            assert connection.execute(text(statement)).rowcount > 0, statement

    def seal_anew(self) -> None:
        with self.table.server.store.writing() as connection:
            seal_anew(connection, self.game_id)


@pytest.fixture
def over(table: Table) -> Over:
    """A game that White gave up, in which an operator has put the deadline off."""
    table.begin()
    table.play(*MOVES)
    wish = DecreeRequest(DecreeKind.EXTEND, "2", "The mail server was away.")
    moderation.decree(table.server, "olga@o.example", 1, "1", wish, table.clock())
    game_decisions.enforce_some(table.server, table.clock())
    table.send()
    table.reply(ANN, "resign resign")
    return Over(table)


@pytest.fixture
def deployed(table: Table) -> Over:
    """A game of Welbeck, whose set-ups were sealed before the first move."""
    table.begin("welbeck")
    table.reply(ANN, "deploy home")
    table.reply(BEN, "deploy corner")
    table.reply(ANN, "resign resign")
    return Over(table)


def test_a_game_that_nobody_has_changed_holds_for_both_with_all_their_letters(over: Over) -> None:
    for side, letters in ((Side.WHITE, 5), (Side.BLACK, 5)):
        proof = over.proof(side)

        assert proof.holds
        assert proof.sentence.startswith("The record of game ")
        assert ": 8 turns, each sealed by the next, and " in proof.sentence
        assert int(proof.sentence.partition(", and ")[2].split()[0]) > letters


_FIRST = "FROM slips WHERE seat_id = 1 AND number = 1"
#: What is changed, by its SQL.
ALTERED = {
    "an order": "UPDATE orders SET text = 'a2a3' WHERE text = 'd2d4'",
    "a refused try": "UPDATE orders SET text = 'a2a4' WHERE verdict = 'refused'",
    "a verdict": "UPDATE orders SET verdict = 'nonsense' WHERE verdict = 'refused'",
    "what was said to an order": "UPDATE orders SET said = 'Yes.' WHERE text = 'e2e4'",
    "when an order came": "UPDATE orders SET at = at - 60000000 WHERE text = 'e2e4'",
    "in what an order stood": "UPDATE orders SET origin = '' WHERE origin = 'list'",
    "an order left out": "DELETE FROM orders WHERE text = 'e4e5'",
    "an announcement": f"UPDATE slips SET facts = (SELECT facts {_FIRST}) WHERE number = 3",
    "a board": f"UPDATE slips SET sight = (SELECT sight {_FIRST}) WHERE seat_id = 1 AND number = 3",
    "a slip left out": "DELETE FROM slips WHERE number = 2 AND step = 0 AND seat_id = 1",
    "the time of a turn": "UPDATE leaves SET told = replace(told, ',17', ',16') WHERE number = 3",
    "the name of a turn": "UPDATE leaves SET told = replace(told, '2b', '9b') WHERE number = 4",
    "a salt": "UPDATE leaves SET disclosed = (SELECT disclosed FROM leaves WHERE number = 1) WHERE number = 3",
    "a seal": "UPDATE leaves SET seal = (SELECT seal FROM leaves WHERE number = 1) WHERE number = 3",
    "a turn left out": "DELETE FROM leaves WHERE number = 3",
    "the end left out": "DELETE FROM leaves WHERE number = 7",
    "who has won": "UPDATE games SET winner = 'white'",
    "how it ended": "UPDATE games SET reason = 'time'",
    "the clock": "UPDATE games SET clock = '9d'",
    "the variant": "UPDATE games SET variant = 'cincinnati'",
    "the lot": "UPDATE games SET by_lot = NOT by_lot",
    "whether it was rated": "UPDATE games SET rated = NOT rated",
    "what an operator did": "UPDATE decrees SET detail = '20'",
    "why an operator did it": "UPDATE decrees SET reason = 'No reason.'",
    "that an operator did anything": "DELETE FROM decrees",
}


@pytest.mark.parametrize("statement", list(ALTERED.values()), ids=list(ALTERED))
def test_what_was_changed_is_found_without_letters_and_with_them_however_it_was_sealed_anew(
    over: Over, statement: str
) -> None:
    over.alter(statement)
    assert [over.proof(side, with_letters=False).holds for side in Side] == [False, False]

    over.seal_anew()
    assert [over.proof(side).holds for side in Side] == [False, False]


@pytest.mark.parametrize("side", list(Side))
def test_a_set_up_cannot_be_changed_either(deployed: Over, side: Side) -> None:
    assert deployed.proof(side).holds

    deployed.alter("UPDATE orders SET text = 'deploy corner' WHERE text = 'deploy home'")
    assert "the set-ups (0.1)" in deployed.proof(side, with_letters=False).sentence
    deployed.seal_anew()
    assert " the seal of " in deployed.proof(side).sentence


def test_whose_set_up_was_changed_finds_it_by_the_rules_alone(deployed: Over) -> None:
    deployed.alter("UPDATE orders SET text = 'deploy corner' WHERE text = 'deploy home'")
    deployed.seal_anew()

    assert not deployed.proof(Side.WHITE, with_letters=False).holds


def test_the_first_wrong_turn_is_named(over: Over) -> None:
    over.alter("UPDATE orders SET at = at - 60000000 WHERE text = 'd4e5'")

    assert over.proof(Side.WHITE).sentence == (
        "The seal of turn 3w doesn't match: someone changed the turn, its salt or its seal."
    )


#: What can be written that is no try: half a giving up, and what nobody can read.
NO_TRIES = ("resign", "draw? e2", "a1a9")


@pytest.mark.parametrize(
    ("tells", "in_vain"), [(False, ("e4e5", *NO_TRIES)), (True, NO_TRIES)], ids=["tries kept back", "told"]
)
def test_what_a_side_wrote_in_vain_changes_no_byte_of_the_others_record(
    tmp_path: Path, in_vain: tuple[str, ...], *, tells: bool
) -> None:
    """Whatever its player has set about tries; and if they are kept back, what was refused does not either."""
    records = []
    for name, written in (("one", in_vain), ("other", ())):
        (tmp_path / name).mkdir()
        table = lay(tmp_path / name)
        table.begin()
        if not tells:
            keep_tries_back(table)
        code = str(table.newest(ANN)["Subject"]).rpartition("(")[2].rstrip(")")
        for each in written:
            table.reply(ANN, each)
        table.play("e2e4", "e7e5")
        table.reply(ANN, "resign resign")
        over = Over(table)
        assert over.proof(Side.BLACK).holds
        with table.server.store.reading() as connection:
            record = game_records.write_record(connection, 1, Side.BLACK)
        records.append(masked_json(record).replace(code, "k3x9q"))
        table.server.store.close()

    assert records[0] == records[1]


@pytest.mark.parametrize("tells", [True, False])
def test_what_a_side_was_refused_is_in_the_others_record_if_its_player_lets_it_be_read(
    over: Over, *, tells: bool
) -> None:
    if not tells:
        keep_tries_back(over.table)

    (tried,) = over.record(Side.WHITE)["2w"]["white_tries"]["part"]
    assert tried == {"ply": 2, "text": "e4e5", "verdict": "refused", "said": "Illegal move."}
    theirs = over.record(Side.BLACK)["2w"]
    assert theirs["white"] is None
    assert theirs["white_tries"] == (over.record(Side.WHITE)["2w"]["white_tries"] if tells else None)
    assert over.proof(Side.BLACK).holds


def test_one_is_not_shown_what_the_other_side_was_told_differently(over: Over) -> None:
    """The seals that went to the other side stand in one's record: two histories have two seals."""
    with over.table.server.store.writing() as connection:
        shown = connection.execute(select(OutboxRow.id, OutboxRow.seal).where(OutboxRow.seat_id == 2)).all()
        number = next(each.id for each in shown if each.seal.startswith("2w: "))
        another = update(OutboxRow).where(OutboxRow.id == number)
        connection.execute(another.values(seal="2w: ABCDEFGHIJKLMNOPQRSTUVWXYZ"))

    assert (
        over.proof(Side.WHITE).sentence
        == "The seal of turn 2w that we sent Black isn't the one in this record."
    )
