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


def parted(text: str, read: int, size: int) -> tuple[str, str]:
    """What somebody has read of a text and what not, by the number of signs without blanks, as far as there is room."""
    place = _behind(text, read) if read else 0
    start = place - size // 8 if place > size // 2 else 0
    before = _MORE.strip() + " " + text[start:place] if start else text[:place]
    before = visible(before)
    return before, at_most(visible(text[place:]), max(0, size - len(before.encode("utf-8", "replace"))))


def _behind(text: str, signs: int) -> int:
    """Where in a text the next sign stands behind so many, blanks left out; its end if there is none."""
    seen = [place for place, sign in enumerate(text) if not sign.isspace()]
    return seen[signs] if signs < len(seen) else len(text)


def _named(sign: str) -> str:
    if sign in _BLANK or unicodedata.category(sign) not in _UNSEEN:
        return sign
    return f"[U+{ord(sign):04X}]"
