"""Columns of letters: a letter compresses well, since it is written like all the others."""

from __future__ import annotations

import zlib
from base64 import b32decode, b32encode
from pathlib import Path

from sqlalchemy import Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

_RAW_DEFLATE = -15
#: So many bytes is what letters show of a seal.
_SEAL = 17


def _common(file: str) -> bytes:
    """What letters have in common, quoted and as it is. What was packed with it is read by the very same alone."""
    lines = Path(__file__).with_name(file).read_bytes().splitlines()
    return b"\r\n> ".join(lines) + b"\n" + b"\n".join(lines)


#: What is packed begins so. No deflated stream begins with a 7, by which the second packing is told from the first.
_FIRST, _SECOND = b"\0", b"\0\7"
_COMMON = {_SECOND: _common("packed2.txt"), _FIRST: _common("packed.txt")}
# A copy of it is made in a fraction of the time in which another one would be.
_PRESS = zlib.compressobj(wbits=_RAW_DEFLATE, zdict=_COMMON[_SECOND])


def pack(plain: bytes) -> bytes:
    """Fewer bytes for the same; what would not become shorter stays as it is, if it cannot be taken for packed."""
    press = _PRESS.copy()
    packed = _SECOND + press.compress(plain) + press.flush()
    return packed if len(packed) < len(plain) or plain.startswith(_FIRST) else plain


def unpack(kept: bytes) -> bytes:
    """What was packed."""
    for mark, common in _COMMON.items():
        if kept.startswith(mark):
            return zlib.decompressobj(wbits=_RAW_DEFLATE, zdict=common).decompress(kept[len(mark) :])
    return kept


class PackedBytes(TypeDecorator[bytes]):
    """Bytes that are kept packed."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        return None if value is None else pack(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        return None if value is None else unpack(value)


class PackedSeal(TypeDecorator[str]):
    """The seal of a turn as letters have it, "12w: ABC…", of which a letter is five bits."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        turn, _, letters = (value or "").partition(": ")
        return b32decode(f"{letters}AA====") + turn.encode() if letters else b""

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return f"{value[_SEAL:].decode()}: {b32encode(value[:_SEAL]).decode()[:26]}" if value else ""


class PackedText(TypeDecorator[str]):
    """Text that is kept packed."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        return None if value is None else pack(value.encode())

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else unpack(value).decode()


class PackedWords(PackedText):
    """Words of a letter that goes out with others: broken ones are none, which its maker finds out and no other's."""

    cache_ok = True

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:
        try:
            return super().process_result_value(value, dialect)
        except (zlib.error, UnicodeDecodeError):
            return ""
