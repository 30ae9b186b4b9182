"""Makes a person's text safe to show: names invisible characters, and cuts it to a length."""

from __future__ import annotations

import unicodedata

_UNSEEN = frozenset(("Cc", "Cf", "Co", "Cs", "Zl", "Zp"))
_BLANK = frozenset("\t\n\r")
_MORE = " \u2026"


def visible(text: str) -> str:
    """Replace characters that are invisible, or change the writing direction, by their code points."""
    return text if text.isascii() and text.isprintable() else "".join(map(_name_if_invisible, text))


def cut_to_bytes(text: str, size: int) -> str:
    """Cut a text to at most `size` bytes, with an ellipsis if it was longer."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= size:
        return text
    return raw[: size - len(_MORE.encode())].decode("utf-8", "ignore").rstrip() + _MORE


def split_and_cut(text: str, read: int, size: int) -> tuple[str, str]:
    """Split a text after `read` non-blank characters, and cut both parts to `size` bytes."""
    place = _index_after(text, read) if read else 0
    start = place - size // 8 if place > size // 2 else 0
    before = _MORE.strip() + " " + text[start:place] if start else text[:place]
    before = visible(before)
    return before, cut_to_bytes(visible(text[place:]), max(0, size - len(before.encode("utf-8", "replace"))))


def _index_after(text: str, signs: int) -> int:
    """Return the index in a text of the non-blank character with this number, from 0."""
    seen = [place for place, sign in enumerate(text) if not sign.isspace()]
    return seen[signs] if signs < len(seen) else len(text)


def _name_if_invisible(sign: str) -> str:
    """Return a character, or its code point such as `[U+200B]` if it is invisible."""
    if sign in _BLANK or unicodedata.category(sign) not in _UNSEEN:
        return sign
    return f"[U+{ord(sign):04X}]"
