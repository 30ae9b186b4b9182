"""Twins: two games that a player cannot tell apart bring that player byte-identical letters."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from table import ANN, BEN, Table, lay

from corr.desk import challenges

#: What White does in private or in secret before Black's turn; Black is told the same each time.
SECRETS = [
    ["e2e4"],
    ["d2d4"],
    ["g1f3"],
    ["e2e5", "e2e4"],
    ["e1e8", "a1a8", "d2d3"],
    ["help", "show", "b1c3"],
    ["I am thinking", "e2e9", "h2h4"],
    ["d1h5", "rules", "a2a3"],
    ["resign", "e2e3"],
]
#: What Black then writes, whatever White did.
ANSWERS = ["show", "e7e4", "e8e7", "help", "a7a5"]


@pytest.fixture
def alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Table]]:
    """Houses whose every code and key is drawn alike."""
    tables = []
    for number in range(len(SECRETS)):
        dice = random.Random(7)
        monkeypatch.setattr(challenges.os, "urandom", dice.randbytes)
        monkeypatch.setattr(challenges.secrets, "choice", dice.choice)
        (tmp_path / str(number)).mkdir()
        table = lay(tmp_path / str(number))
        table.begin()
        tables.append(table)
    monkeypatch.undo()
    yield tables
    for table in tables:
        table.house.store.close()


def mailbox(table: Table, player: str) -> list[bytes]:
    return [
        path.read_bytes()
        for path in sorted(table.spool.glob("*.eml"))
        if f"To: {player}".encode() in path.read_bytes()[:400]
    ]


def test_what_white_does_in_secret_changes_no_byte_of_blacks_letters(alike: list[Table]) -> None:
    boxes = []
    for table, secret in zip(alike, SECRETS, strict=True):
        for order in secret:
            table.post(table.letter(ANN, order))
            table.work()
        for number, order in enumerate(ANSWERS):
            table.reply(BEN, order, message_id=f"black-{number}@mail.example")
        boxes.append(mailbox(table, BEN))

    assert len(boxes[0]) >= 3 + len(ANSWERS)
    for box in boxes[1:]:
        assert box == boxes[0]
