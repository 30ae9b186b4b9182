"""A seal for each turn: it stands for all that was judged and said up to then, and gives nothing of it away.

    leaf = SHA-256(salt, line)        seal = SHA-256(seal before, leaf)

What not everybody may read is a part of its own: the line holds no more of it than SHA-256(its own salt, part), so that
a record can be proved right to somebody who may not read what the other side tried.
"""

from __future__ import annotations

import json
import secrets
from base64 import b32encode
from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

#: What stands before the first seal of a game.
FIRST = bytes(32)
_SALT, _LINE = 16, "line"
#: So many letters of base32 are 130 bits.
_LETTERS, _BYTES = 26, 17
_WRITTEN = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def draw() -> bytes:
    """Of which the salts of a turn are made, by chance."""
    return secrets.token_bytes(_SALT)


def salt(drawn: bytes, name: str) -> bytes:
    """What hides a line or a part of a turn, by what was drawn for that; nobody tells one by another."""
    return sha256(drawn + name.encode()).digest()[:_SALT]


def canonical(value: Any) -> str:
    """The one way in which a value is written: JSON on one line, keys in their order, no spaces."""
    return _WRITTEN.encode(value)


class Line(NamedTuple):
    """A turn as it is sealed: its line, its parts by their names, and of what their salts are made."""

    line: dict[str, Any]
    parts: Mapping[str, Any]
    drawn: bytes

    def seal(self, before: bytes) -> bytes:
        """Its seal, after another."""
        return sha256(before + _hash(salt(self.drawn, _LINE), self.line)).digest()

    def written(self, sealed: bytes, read: Collection[str], names: Mapping[str, str]) -> str:
        """As it stands in a record, for whoever may read these parts and, where they are sealed, these names."""
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
    """A turn by what both may read of it, its parts by their names, and what was drawn for its salts."""
    hashes = {name: _hash(salt(drawn, name), part).hex() for name, part in parts.items()}
    return Line(told | hashes, parts, drawn)


def _hash(salt: bytes, value: Any) -> bytes:
    return sha256(salt + canonical(value).encode()).digest()


def name(drawn: bytes, side: str, called: str) -> str:
    """What stands for a player's name."""
    return _hash(salt(drawn, name_of(side)), called).hex()


def name_of(side: str) -> str:
    """What the salt is for that hides a player's name."""
    return f"{side}_player"


def words(text: str) -> str:
    """What stands for the words of a letter, however its lines are broken on the way."""
    return letters(sha256(" ".join(text.split()).encode()).digest())


def shown(sealed: bytes) -> bytes:
    """As much of a seal as letters show of it."""
    return sealed[:_BYTES]


def letters(sealed: bytes) -> str:
    """A seal as it stands in letters."""
    return b32encode(sealed).decode()[:_LETTERS]
