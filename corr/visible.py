"""What a person wrote as others may read it: signs that nobody sees are named, and there is an end to it."""

from __future__ import annotations

import unicodedata

_UNSEEN = frozenset(("Cc", "Cf", "Co", "Cs", "Zl", "Zp"))
_BLANK = frozenset("\t\n\r")
_MORE = " \u2026"


def visible(text: str) -> str:
    """The text with the names of its signs that are not seen, or that turn the writing round, in their place."""
    return text if text.isascii() and text.isprintable() else "".join(map(_named, text))


def at_most(text: str, size: int) -> str:
    """As much of a text as there is room for in so many bytes."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= size:
        return text
    return raw[: size - len(_MORE.encode())].decode("utf-8", "ignore").rstrip() + _MORE


def _named(sign: str) -> str:
    if sign in _BLANK or unicodedata.category(sign) not in _UNSEEN:
        return sign
    return f"[U+{ord(sign):04X}]"
