"""Makes keys for feeds and webhooks, found by their hash and stored sealed by a server secret."""

from __future__ import annotations

import hmac
import secrets

from sqlalchemy import Connection

from corr.service.players import mailboxes

_SECRET, _NONCE = "ways", 16
#: The random bytes of a key; it is written in 32 characters, which one HMAC covers.
_KEY = 24


def make_key() -> str:
    """Return a key that nobody can guess."""
    return secrets.token_urlsafe(_KEY)


def seal(connection: Connection, key: str) -> bytes:
    """Return a key as stored: a nonce, and bytes unreadable without the server's secret."""
    nonce = secrets.token_bytes(_NONCE)
    return nonce + _apply_pad(connection, nonce, key.encode())


def unseal(connection: Connection, sealed: bytes) -> str:
    """Return the key that was sealed."""
    return _apply_pad(connection, sealed[:_NONCE], sealed[_NONCE:]).decode()


def _apply_pad(connection: Connection, nonce: bytes, text: bytes) -> bytes:
    """XOR each byte with a pad unique to the nonce; twice restores the text."""
    pad = hmac.digest(mailboxes.secret(connection, _SECRET), nonce, "sha256")
    return bytes(one ^ other for one, other in zip(text, pad, strict=True))
