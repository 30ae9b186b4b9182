"""Measures how many columns a text takes, one or two for each character. Pure."""

from __future__ import annotations

import unicodedata

#: The columns of a line of an email.
EMAIL_COLUMNS = 72
_ELLIPSIS = "\u2026"
_ZERO_WIDTH = frozenset(("Mn", "Me", "Cf"))


def width(text: str) -> int:
    """Return how many columns a text takes."""
    return sum(map(_columns, text))


def cut(text: str, room: int) -> str:
    """Cut a text to fit, ending in an ellipsis if anything was cut."""
    if width(text) <= room:
        return text
    kept, left = "", room - 1
    for sign in text:
        left -= _columns(sign)
        if left < 0:
            break
        kept += sign
    return kept.rstrip() + _ELLIPSIS


def pad_to_width(text: str, room: int) -> str:
    """Cut or pad a text to exactly this many columns."""
    short = cut(text, room)
    return short + " " * (room - width(short))


def _columns(sign: str) -> int:
    if unicodedata.combining(sign) or unicodedata.category(sign) in _ZERO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
