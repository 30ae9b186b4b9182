"""How much room a text takes where every sign has one column or two. Pure."""

from __future__ import annotations

import unicodedata

#: So many columns has a line of a letter.
LETTER = 72
_CUT = "\u2026"
_NOTHING = frozenset(("Mn", "Me", "Cf"))


def width(text: str) -> int:
    """How many columns a text takes."""
    return sum(map(_columns, text))


def cut(text: str, room: int) -> str:
    """The text, or as much of it as there is room for, and then an ellipsis."""
    if width(text) <= room:
        return text
    kept, left = "", room - 1
    for sign in text:
        left -= _columns(sign)
        if left < 0:
            break
        kept += sign
    return kept.rstrip() + _CUT


def padded(text: str, room: int) -> str:
    """The text in so many columns, no more and no fewer."""
    short = cut(text, room)
    return short + " " * (room - width(short))


def _columns(sign: str) -> int:
    if unicodedata.combining(sign) or unicodedata.category(sign) in _NOTHING:
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
