"""Secret addresses: a token in the local part names a seat and a number, and proves that we made it."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache

_CODE = 5
_NUMBER = 3
_MAC = 10
_LENGTH = 1 + _CODE + _NUMBER + _MAC


class Kind(Enum):
    """What an address or a Message-ID of ours stands for."""

    REPLY = 1  # where a letter is answered
    BOUNCE = 2  # the envelope sender of a letter
    LETTER = 3  # the Message-ID of a letter
    LINK = 4  # the page that a letter names
    CONFIRM = 5  # where a letter in doubt is confirmed: it stands in the one letter that asks for it
    READY = 6  # where a letter goes that was ready to be sent: it stands in the links of the letter that it answers
    STOP = 7  # where a player's letters about games are stopped: it stands in their heads, for mail programs
    STOP_CHECKPOINTS = 8  # the same for the house's checkpoints: it stands in the heads of those


@dataclass(frozen=True, slots=True)
class Token:
    """What a local part claims; only the seat's key can tell whether it is true."""

    kind: Kind
    code: str
    number: int
    mac: bytes

    def is_signed_by(self, key: bytes) -> bool:
        """True if we made this token with the seat's key."""
        return hmac.compare_digest(self.mac, _mac(key, self.kind, self.code, self.number))

    def __repr__(self) -> str:
        return f"<Token {self.kind.name.lower()} {self.code}>"


@dataclass(frozen=True, slots=True)
class Signet:
    """What our secret addresses are made with: a code by which they are looked up, and a key."""

    code: str
    key: bytes = field(repr=False)

    @classmethod
    def new(cls) -> Signet:
        """One of which nobody knows anything yet."""
        return cls(base64.b32encode(os.urandom(_CODE)).decode().lower(), os.urandom(32))

    def mailbox(self, kind: Kind, number: int, domain: str) -> str:
        """A secret address, or the inside of a Message-ID."""
        return f"{self.mark(kind, number)}@{domain}"

    def mark(self, kind: Kind, number: int) -> str:
        """The part of it that is secret."""
        return local_part(self.key, kind, self.code, number)

    def has_made(self, token: Token) -> bool:
        """True if a token was made with this signet."""
        return token.code == self.code and token.is_signed_by(self.key)


def local_part(key: bytes, kind: Kind, code: str, number: int) -> str:
    """The token as it stands before the `@`: 31 letters and digits, none of them upper case."""
    raw = bytes([kind.value]) + _bytes_of(code) + number.to_bytes(_NUMBER) + _mac(key, kind, code, number)
    return base64.b32encode(raw).decode().rstrip("=").lower()


def token_of(address: str, domain: str) -> Token | None:
    """The token of an address or Message-ID at our domain, or None where there is none."""
    local, _, host = address.strip().strip("<>").lower().rpartition("@")
    if host != domain or len(local) != -(-_LENGTH * 8 // 5):
        return None
    try:
        raw = base64.b32decode(local.upper() + "=" * (-len(local) % 8))
        kind = Kind(raw[0])
    except (binascii.Error, ValueError):
        return None
    code, number = raw[1 : 1 + _CODE], raw[1 + _CODE : 1 + _CODE + _NUMBER]
    return Token(kind, base64.b32encode(code).decode().lower(), int.from_bytes(number), raw[-_MAC:])


def _mac(key: bytes, kind: Kind, code: str, number: int) -> bytes:
    claim = b"%d %s %d" % (kind.value, code.encode(), number)
    return hmac.digest(key, claim, hashlib.sha256)[:_MAC]


@lru_cache(maxsize=1024)
def _bytes_of(code: str) -> bytes:
    return base64.b32decode(code.upper())
