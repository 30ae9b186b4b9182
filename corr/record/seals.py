"""Seals each turn: a seal stands for all rulings and announcements so far, and reveals none of them.

    leaf = SHA-256(salt, line)        seal = SHA-256(seal before, leaf)

Text that is not for everybody is a separate part: the line holds only SHA-256(its own salt, part). So a record can be
proved right to a reader who must not see what the other side tried.
"""

from __future__ import annotations

import json
import secrets
from base64 import b32encode
from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

FIRST_SEAL = bytes(32)  # the seal before a game's first one
_SALT, _LINE = 16, "line"
_LETTERS, _BYTES = 26, 17  # the length of a printed seal: 26 base32 characters are 130 bits
_CANONICAL_ENCODER = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
)


def draw_secret() -> bytes:
    """Draw a turn's random secret, from which its salts are derived."""
    return secrets.token_bytes(_SALT)


def derive_salt(drawn: bytes, name: str) -> bytes:
    """Derive the salt of a line or part; no salt gives away another."""
    return sha256(drawn + name.encode()).digest()[:_SALT]


def to_canonical_json(value: Any) -> str:
    """Write a value in its only form: JSON on one line, sorted keys, no spaces."""
    return _CANONICAL_ENCODER.encode(value)


class SealedLine(NamedTuple):
    """A turn to seal: its line, its named parts, and the secret for their salts."""

    line: dict[str, Any]
    parts: Mapping[str, Any]
    drawn: bytes

    def seal(self, before: bytes) -> bytes:
        """Return the turn's seal, chained to the seal before."""
        return sha256(before + _hash(derive_salt(self.drawn, _LINE), self.line)).digest()

    def written(self, sealed: bytes, read: Collection[str], names: Mapping[str, str]) -> str:
        """Write the turn as JSON for a reader who may see these parts and these players' names."""
        parts = {
            name: {"part": part, "salt": derive_salt(self.drawn, name).hex()} if name in read else None
            for name, part in self.parts.items()
        }
        own = {"line": self.line, "salt": derive_salt(self.drawn, _LINE).hex(), "seal": format_seal(sealed)}
        hidden = self.line.get("players", {})
        named = {
            side: {"name": called, "salt": derive_salt(self.drawn, name_salt_label(side)).hex()}
            for side, called in names.items()
            if hidden.get(side) == hash_name(self.drawn, side, called)
        }
        return to_canonical_json(own | parts | ({"players": named} if hidden else {}))


def make_line(told: dict[str, Any], parts: Mapping[str, Any], drawn: bytes) -> SealedLine:
    """Build a turn from its public facts, its named parts, and the secret for its salts."""
    hashes = {name: _hash(derive_salt(drawn, name), part).hex() for name, part in parts.items()}
    return SealedLine(told | hashes, parts, drawn)


def _hash(salt: bytes, value: Any) -> bytes:
    return sha256(salt + to_canonical_json(value).encode()).digest()


def hash_name(drawn: bytes, side: str, called: str) -> str:
    """Return the hash that replaces a player's name."""
    return _hash(derive_salt(drawn, name_salt_label(side)), called).hex()


def name_salt_label(side: str) -> str:
    """Return what the salt that hides a player's name is derived from."""
    return f"{side}_player"


def hash_words(text: str) -> str:
    """Return the hash of an email's words, regardless of line breaks on the way."""
    return format_seal(sha256(" ".join(text.split()).encode()).digest())


def shown_bytes(sealed: bytes) -> bytes:
    """Return the bytes of a seal that emails show."""
    return sealed[:_BYTES]


def format_seal(sealed: bytes) -> str:
    """Write a seal, or a hash of an email's words, as its first 26 base32 letters, 130 bits."""
    return b32encode(sealed).decode()[:_LETTERS]
