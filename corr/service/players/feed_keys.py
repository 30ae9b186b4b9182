"""Keys of feeds and of calls: found by their hash, and kept sealed by a secret of the house's."""

from __future__ import annotations

import hmac
import secrets

from sqlalchemy import Connection

from corr.service.players import mailboxes

_SECRET, _NONCE = "ways", 16
#: Random bytes of a key; written as 32 signs, which one HMAC covers.
_KEY = 24


def new() -> str:
    """A key that nobody guesses."""
    return secrets.token_urlsafe(_KEY)


def seal(connection: Connection, key: str) -> bytes:
    """A key as it is kept: a nonce, and what nobody reads without the house's secret."""
    nonce = secrets.token_bytes(_NONCE)
    return nonce + _covered(connection, nonce, key.encode())


def unseal(connection: Connection, sealed: bytes) -> str:
    """The key that was sealed."""
    return _covered(connection, sealed[:_NONCE], sealed[_NONCE:]).decode()


def _covered(connection: Connection, nonce: bytes, text: bytes) -> bytes:
    """Each byte by one of a pad that no other nonce has; covered twice it is as it was."""
    pad = hmac.digest(mailboxes.secret(connection, _SECRET), nonce, "sha256")
    return bytes(one ^ other for one, other in zip(text, pad, strict=True))
