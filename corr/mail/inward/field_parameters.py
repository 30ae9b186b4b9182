"""Parses a header field with parameters, such as `text/plain; charset=utf-8`, in one pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote


@dataclass(frozen=True, slots=True)
class FieldValue:
    value: str
    params: dict[str, str]


def parse_field(text: str) -> FieldValue:
    """Parse a field; the first of two equal parameters counts, and RFC 2231 continuations are joined."""
    value, *rest = _pieces(text) if '"' in text or "(" in text else text.split(";")
    params: dict[str, str] = {}
    for piece in rest:
        name, _, given = piece.partition("=")
        name, star, number = name.strip().lower().partition("*")
        if star and number.rstrip("*").isdigit() and number.rstrip("*") != "0":
            params[name] = params.get(name, "") + _decode_extended(given, number.endswith("*"))
        else:
            params.setdefault(name, _decode_extended(given, bool(star) and not number.isdigit()))
    return FieldValue(value.strip().lower(), params)


def _decode_extended(text: str, is_extended: bool) -> str:  # noqa: FBT001  # one of two ways to write a value
    text = text.strip()
    return unquote(text.rpartition("'")[2], errors="replace") if is_extended else text


def _pieces(text: str) -> Iterator[str]:
    """Split at the semicolons, removing comments, quotes and their backslashes."""
    piece: list[str] = []
    quoted, escaped, depth = False, False, 0
    for sign in text:
        if escaped:
            piece.append(sign)
            escaped = False
        elif sign == "\\" and quoted:
            escaped = True
        elif sign == '"' and not depth:
            quoted = not quoted
        elif not quoted and sign in "()":
            depth = max(0, depth + (1 if sign == "(" else -1))
        elif sign == ";" and not quoted and not depth:
            yield "".join(piece)
            piece = []
        elif not depth:
            piece.append(sign)
    yield "".join(piece)
