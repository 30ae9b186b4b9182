"""Makes and checks secret email addresses, whose local part is a token that only we can make.

A token names a game's seat and a number, so that a reply finds its game.
"""

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


class TokenKind(Enum):
    """The purpose of one of our addresses, Message-IDs or links."""

    REPLY = 1  # the address to which a player replies
    BOUNCE = 2  # the envelope sender of an email
    LETTER = 3  # the Message-ID of an email
    LINK = 4  # the page that an email links to
    CONFIRM = 5  # confirms an email in doubt: only the email that asks for the confirmation contains it
    READY = 6  # receives emails that our links prepare: the links of the email that they answer contain it
    STOP = 7  # stops a player's emails about games: their headers contain it, for mail programs
    STOP_CHECKPOINTS = 8  # the same for the server's checkpoints: the headers of those emails contain it


@dataclass(frozen=True, slots=True)
class Token:
    """The claim in a secret address; until `is_signed_by` has checked it, anybody may have made it."""

    kind: TokenKind
    code: str
    number: int
    mac: bytes

    def is_signed_by(self, key: bytes) -> bool:
        return hmac.compare_digest(self.mac, _mac(key, self.kind, self.code, self.number))

    def __repr__(self) -> str:
        return f"<Token {self.kind.name.lower()} {self.code}>"


@dataclass(frozen=True, slots=True)
class AddressSigner:
    """The code and the key from which we make a seat's secret addresses; lookups use the code."""

    code: str
    key: bytes = field(repr=False)

    @classmethod
    def new(cls) -> AddressSigner:
        """Create a signer with a new random code and key."""
        return cls(base64.b32encode(os.urandom(_CODE)).decode().lower(), os.urandom(32))

    def mailbox(self, kind: TokenKind, number: int, domain: str) -> str:
        """Return a secret address, or a Message-ID without its brackets."""
        return f"{self.mark(kind, number)}@{domain}"

    def mark(self, kind: TokenKind, number: int) -> str:
        """Return a token alone: the local part of such an address."""
        return local_part(self.key, kind, self.code, number)

    def has_made(self, token: Token) -> bool:
        """Tell whether the token is genuine and names this signer's seat."""
        return token.code == self.code and token.is_signed_by(self.key)


@lru_cache(maxsize=1024)
def local_part(key: bytes, kind: TokenKind, code: str, number: int) -> str:
    """Return a signed token of 31 lower-case letters and digits."""
    raw = bytes([kind.value]) + _decode_code(code) + number.to_bytes(_NUMBER) + _mac(key, kind, code, number)
    return base64.b32encode(raw).decode().rstrip("=").lower()


@lru_cache(maxsize=256)
def parse_token(address: str, domain: str) -> Token | None:
    """Return the unchecked token in an address or Message-ID at our domain, or None."""
    local, _, host = address.strip().strip("<>").lower().rpartition("@")
    if host != domain or len(local) != -(-_LENGTH * 8 // 5):
        return None
    try:
        raw = base64.b32decode(local.upper() + "=" * (-len(local) % 8))
        kind = TokenKind(raw[0])
    except (binascii.Error, ValueError):
        return None
    code, number = raw[1 : 1 + _CODE], raw[1 + _CODE : 1 + _CODE + _NUMBER]
    return Token(kind, base64.b32encode(code).decode().lower(), int.from_bytes(number), raw[-_MAC:])


@lru_cache(maxsize=1024)
def _mac(key: bytes, kind: TokenKind, code: str, number: int) -> bytes:
    """Return the signature that proves that we made a token."""
    claim = b"%d %s %d" % (kind.value, code.encode(), number)
    return hmac.digest(key, claim, hashlib.sha256)[:_MAC]


@lru_cache(maxsize=1024)
def _decode_code(code: str) -> bytes:
    return base64.b32decode(code.upper())
