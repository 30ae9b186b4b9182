"""Stored emails are compressed, and come out unchanged."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from sqlalchemy import func, select, type_coerce
from sqlalchemy.types import LargeBinary

import corr.store
from corr.store.compression import pack, unpack
from corr.store.tables import IncomingTextRow, QuotableRow
from tests.support.released_databases import upgraded
from tests.support.table import ANN, Table

LONG = "Your pieces: king on e1; queen on d1; rooks on a1 and h1. " * 4
OLD_OUTBOX = f"""
INSERT INTO outbox (id, seat_id, number, kind, slip, step, words, made_at, due_at, tries, text, sent_at) VALUES
    (101, 1, 101, 'turn', 0, 0, '', 0, 0, 0, '{LONG}', 1), (250, 1, 102, 'turn', 0, 0, '', 0, 0, 0, 'é', 1),
    (251, 1, 103, 'turn', 0, 0, '', 0, 0, 0, NULL, NULL)
"""
OLD_INBOX = """
INSERT INTO inbox (id, seat_id, slip, bounce, recipients, message_key, raw, received_at, tries) VALUES
    (101, 1, 0, false, '[]', 'a', {letter}, 0, 0), (250, 1, 0, false, '[]', 'b', {nothing}, 0, 0)
"""


@given(
    some.binary()
    | some.text().map(str.encode)
    | some.builds(bytes.__add__, some.sampled_from((b"\0", b"\0\7")), some.binary())
)
def test_packing_and_unpacking_changes_nothing(plain: bytes) -> None:
    assert unpack(pack(plain)) == plain
    assert len(pack(plain)) <= len(plain) + 8


@pytest.mark.parametrize(
    ("file", "digest"),
    [
        ("packed.txt", "0a21bd73d93338522e71617e7784dc429859738169704f2ecd91912557d0d9bb"),
        ("packed2.txt", "b81aab30fb9b8a469f713181b09dfda94c81594280dab18e9cd5b00449e3a13c"),
    ],
)
def test_the_compression_dictionaries_never_change(file: str, digest: str) -> None:
    """Old data could no longer be unpacked."""
    dictionary = (Path(corr.store.__path__[0]) / file).read_bytes()

    assert hashlib.sha256(dictionary).hexdigest() == digest


def test_data_packed_with_the_first_dictionary_can_be_unpacked() -> None:
    kept = bytes.fromhex("0043adfe0816a67a0a4188f603a89da00700")

    assert unpack(kept) == b"White's move. Your men: king on e1; queen on d1. Reply with e2e4."


def test_compression_halves_the_emails_of_a_game(table: Table) -> None:
    table.begin()
    table.play("e2e4", "d7d5", "e4d5", "d8d5")
    raw, text = type_coerce(IncomingTextRow.raw, LargeBinary), type_coerce(QuotableRow.text, LargeBinary)
    with table.server.store.reading() as connection:
        for kept, column in ((raw, IncomingTextRow.raw), (text, QuotableRow.text)):
            packed = connection.execute(select(func.sum(func.length(kept)))).scalar_one()
            assert packed < sum(map(len, connection.execute(select(column)).scalars())) / 2

    table.reply(ANN, "show")
    assert "Here is your board." in table.last_text(ANN)


def test_old_emails_can_be_read_after_an_upgrade(bare_url: str, tmp_path: Path) -> None:
    values = (f"x'{LONG.encode().hex()}'", "x''") if bare_url.startswith("sqlite") else (f"'{LONG}'", "''")
    letters_in = OLD_INBOX.format(letter=values[0], nothing=values[1])
    laid = upgraded(tmp_path, bare_url, "6ef361f", OLD_OUTBOX, letters_in)
    with laid as table, table.server.store.reading() as connection:
        last = select(QuotableRow.text).where(QuotableRow.letter_id > 100).order_by(QuotableRow.letter_id)
        assert connection.execute(last).scalars().all() == [LONG, "é"]
        kept = select(IncomingTextRow.raw, func.length(type_coerce(IncomingTextRow.raw, LargeBinary)))
        ((raw, packed),) = connection.execute(kept.where(IncomingTextRow.letter_id > 100)).all()
    assert raw == LONG.encode()
    assert packed < 100
