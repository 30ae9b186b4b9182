"""Masks what is random in seals and records, so that all else can be compared."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage

from sqlalchemy import select, update

from corr.store.session import Store
from corr.store.tables import GameRow

RECORD = "application/gzip"
#: Quoted-printable may break a line anywhere.
_FOLD = r"(?:=\r?\n)?"
_TURN = rf"(?:\d{_FOLD})+(?:\.{_FOLD}(?:\d{_FOLD})+|[wb]{_FOLD})?|{_FOLD.join('end')}{_FOLD}"
_SEAL = re.compile(
    rf"(\b{_FOLD.join('Seal')}{_FOLD}(?:</a>)? {_FOLD}(?:{_TURN}):{_FOLD} {_FOLD})"
    rf"(?:[A-Z2-7]{_FOLD}){{26}}(?![A-Z2-7])"
)
_IN_RECORD = re.compile(r'(\\?")(?:[0-9a-f]{32}|[0-9a-f]{64}|[A-Z2-7]{26})(\\?")')
_ALIKE = bytes(32)


def mask_seals(text: str) -> str:
    """A text or page without its seals."""
    return _SEAL.sub(r"\1…", text)


def mask_record(packed: bytes) -> str:
    """A record without its seals, salts and hashes."""
    return mask_json(gzip.decompress(packed).decode())


def mask_json(text: str) -> str:
    """JSON with records, without their seals, salts and hashes."""
    return _IN_RECORD.sub(r"\1…\2", text)


def mask_email(letter: EmailMessage) -> bytes:
    """A whole email without its seals, and with its record masked."""
    text = mask_seals(letter.as_bytes().decode("latin-1"))
    for part in letter.walk():
        if part.get_content_type() == RECORD:
            coded = str(part.get_payload()).replace("\r\n", "\n")
            assert coded in text
            text = text.replace(coded, mask_record(part.get_content()))
    return text.encode()


@contextmanager
def same_seals(store: Store) -> Iterator[None]:
    """Give each game's last turn a fixed seal meanwhile: ETags are made from it too."""
    with store.writing() as connection:
        kept = connection.execute(select(GameRow.id, GameRow.seal).where(GameRow.seal.is_not(None))).all()
        connection.execute(update(GameRow).where(GameRow.seal.is_not(None)).values(seal=_ALIKE))
    yield
    with store.writing() as connection:
        for each in kept:
            still = GameRow.id == each.id, GameRow.seal == _ALIKE
            connection.execute(update(GameRow).where(*still).values(seal=each.seal))
