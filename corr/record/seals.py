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

#: The seal before a game's first one.
FIRST = bytes(32)
_SALT, _LINE = 16, "line"
#: The length of a printed seal: 26 base32 characters are 130 bits.
_LETTERS, _BYTES = 26, 17
_WRITTEN = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def draw() -> bytes:
    """Draw the random secret from which a turn's salts are made."""
    return secrets.token_bytes(_SALT)


def salt(drawn: bytes, name: str) -> bytes:
    """Derive the salt of a line or part; no salt gives away another."""
    return sha256(drawn + name.encode()).digest()[:_SALT]


def canonical(value: Any) -> str:
    """Write a value in its only form: JSON on one line, sorted keys, no spaces."""
    return _WRITTEN.encode(value)


class Line(NamedTuple):
    """A turn to seal: its line, its named parts, and the secret for their salts."""

    line: dict[str, Any]
    parts: Mapping[str, Any]
    drawn: bytes

    def seal(self, before: bytes) -> bytes:
        """Return the turn's seal, chained to the seal before."""
        return sha256(before + _hash(salt(self.drawn, _LINE), self.line)).digest()

    def written(self, sealed: bytes, read: Collection[str], names: Mapping[str, str]) -> str:
        """Write the turn for a reader of these parts, and of these names where they are sealed."""
        parts = {
            name: {"part": part, "salt": salt(self.drawn, name).hex()} if name in read else None
            for name, part in self.parts.items()
        }
        own = {"line": self.line, "salt": salt(self.drawn, _LINE).hex(), "seal": letters(sealed)}
        hidden = self.line.get("players", {})
        named = {
            side: {"name": called, "salt": salt(self.drawn, name_of(side)).hex()}
            for side, called in names.items()
            if hidden.get(side) == name(self.drawn, side, called)
        }
        return canonical(own | parts | ({"players": named} if hidden else {}))


def line(told: dict[str, Any], parts: Mapping[str, Any], drawn: bytes) -> Line:
    """Build a turn from its public facts, its named parts, and the secret for its salts."""
    hashes = {name: _hash(salt(drawn, name), part).hex() for name, part in parts.items()}
    return Line(told | hashes, parts, drawn)


def _hash(salt: bytes, value: Any) -> bytes:
    return sha256(salt + canonical(value).encode()).digest()


def name(drawn: bytes, side: str, called: str) -> str:
    """Return the hash that replaces a player's name."""
    return _hash(salt(drawn, name_of(side)), called).hex()


def name_of(side: str) -> str:
    """Return the salt's name for a side's player."""
    return f"{side}_player"


def words(text: str) -> str:
    """Return the hash of an email's words, regardless of line breaks on the way."""
    return letters(sha256(" ".join(text.split()).encode()).digest())


def shown(sealed: bytes) -> bytes:
    """Return the bytes of a seal that emails show."""
    return sealed[:_BYTES]


def letters(sealed: bytes) -> str:
    """Return a seal as emails print it."""
    return b32encode(sealed).decode()[:_LETTERS]
