"""Columns of letters: a letter compresses well, since it is written like all the others."""

from __future__ import annotations

import zlib
from pathlib import Path

from sqlalchemy import Dialect, LargeBinary
from sqlalchemy.types import TypeDecorator

#: What letters have in common, quoted and as it is. What was packed with it is read by the very same alone.
_LINES = Path(__file__).with_name("packed.txt").read_bytes().splitlines()
_COMMON = b"\r\n> ".join(_LINES) + b"\n" + b"\n".join(_LINES)
_MARK = b"\0"
_RAW_DEFLATE = -15


def pack(plain: bytes) -> bytes:
    """Fewer bytes for the same; what would not become shorter stays as it is, if it cannot be taken for packed."""
    made = zlib.compressobj(wbits=_RAW_DEFLATE, zdict=_COMMON)
    packed = _MARK + made.compress(plain) + made.flush()
    return packed if len(packed) < len(plain) or plain.startswith(_MARK) else plain


def unpack(kept: bytes) -> bytes:
    """What was packed."""
    if not kept.startswith(_MARK):
        return kept
    return zlib.decompressobj(wbits=_RAW_DEFLATE, zdict=_COMMON).decompress(kept[len(_MARK) :])


class PackedBytes(TypeDecorator[bytes]):
    """Bytes that are kept packed."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        return None if value is None else pack(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        return None if value is None else unpack(value)


class PackedText(TypeDecorator[str]):
    """Text that is kept packed."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002
        return None if value is None else pack(value.encode())

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else unpack(value).decode()
