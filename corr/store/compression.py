"""Defines column types that compress emails, with a dictionary of text common to all."""

from __future__ import annotations

import zlib
from base64 import b32decode, b32encode
from pathlib import Path

from sqlalchemy import Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

_RAW_DEFLATE = -15
#: The number of bytes of a seal that emails show.
_SEAL = 17


def _common(file: str) -> bytes:
    """Build zlib's dictionary from a file of lines common in emails, plain and quoted."""
    lines = Path(__file__).with_name(file).read_bytes().splitlines()
    return b"\r\n> ".join(lines) + b"\n" + b"\n".join(lines)


#: Marks at the start of packed data. No deflate stream begins with a 7, so the two formats can be told apart.
#: Each needs the very dictionary with which it was packed.
_FIRST_FORMAT, _SECOND_FORMAT = b"\0", b"\0\7"
_COMMON = {_SECOND_FORMAT: _common("packed2.txt"), _FIRST_FORMAT: _common("packed.txt")}
# Copying it takes a fraction of the time of making another one.
_PRESS = zlib.compressobj(wbits=_RAW_DEFLATE, zdict=_COMMON[_SECOND_FORMAT])


def pack(plain: bytes) -> bytes:
    """Compress bytes, or return them unchanged if that is shorter and can't look compressed."""
    press = _PRESS.copy()
    packed = _SECOND_FORMAT + press.compress(plain) + press.flush()
    return packed if len(packed) < len(plain) or plain.startswith(_FIRST_FORMAT) else plain


def unpack(kept: bytes) -> bytes:
    """Return the plain bytes of anything that `pack` has returned."""
    for mark, common in _COMMON.items():
        if kept.startswith(mark):
            return zlib.decompressobj(wbits=_RAW_DEFLATE, zdict=common).decompress(kept[len(mark) :])
    return kept


class PackedBytes(TypeDecorator[bytes]):
    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        return None if value is None else pack(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        return None if value is None else unpack(value)


class PackedSeal(TypeDecorator[str]):
    """A column for a turn's seal, "12w: ABC…", which stores five bits for each letter."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        turn, _, letters = (value or "").partition(": ")
        return b32decode(f"{letters}AA====") + turn.encode() if letters else b""

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return f"{value[_SEAL:].decode()}: {b32encode(value[:_SEAL]).decode()[:26]}" if value else ""


class PackedText(TypeDecorator[str]):
    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        return None if value is None else pack(value.encode())

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else unpack(value).decode()


class PackedWords(PackedText):
    """A column like PackedText; corrupt text loads as empty, so that its batch goes on."""

    cache_ok = True

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:
        try:
            return super().process_result_value(value, dialect)
        except (zlib.error, UnicodeDecodeError):
            return ""
