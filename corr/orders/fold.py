"""What keyboards and mail programs do to a line, undone before it is read."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = (
    "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u2060\u2061\u2062\u2063\u2064"
    "\u2066\u2067\u2068\u2069\ufeff" + "".join(map(chr, range(0xFE00, 0xFE10)))
)
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_TYPED = (
    {0x3001: ",", 0x060C: ",", 0x3002: "."}
    | {ord(mark): None for mark in _INVISIBLE}
    | {ord(dash): "-" for dash in _DASHES}
    | {ord(quote): '"' for quote in "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033"}
    | {ord(quote): "'" for quote in "\u2018\u2019\u201a\u201b\u2032\u00b4"}
)
_MARKS = re.compile(f"[{re.escape(''.join(map(chr, _TYPED)))}]")
#: Cyrillic and Greek letters that look like Latin ones, or stand for them on the board.
_LOOKS = str.maketrans(
    "абвгдеєзкмнорстухфіѕјһԁԛαβγδεηικνορτυχ",
    "abbgdeezkmnopctyxfisjhdqabgdehiknoptux",
)
_OVERRIDES = re.compile("[\u202d\u202e]")
_FOREIGN = re.compile(f"[{''.join(map(chr, _LOOKS))}\u202d\u202e]|(?![0-9])\\d")
_DIGIT = re.compile(r"(?![0-9])\d")
#: Accents piled on each other: to sort them takes a time that grows with the square of their number.
_PILE = re.compile(r"[^\w\s\x00-\x7f]{16}")
#: No sign that anybody types for an order stands for more.
_MOST_GROWTH = 4


def fold(line: str) -> str:
    """The line as plain typed characters, one blank between words, without a full stop at its end."""
    if not line.isascii():
        line = _typed(line)
    return " ".join(line.split()).removesuffix(".").rstrip()


def lower(text: str) -> str:
    """The text in lower case, as long as it was: only the Turkish dotted I would grow."""
    return text.lower() if text.isascii() else text.replace("\u0130", "i").lower()


def foreign(text: str) -> bool:
    """Whether letters of another alphabet, or marks that turn the writing round, may pass for Latin ones."""
    return not text.isascii() and bool(_FOREIGN.search(lower(text)))


def as_it_looks(text: str) -> str:
    """The text with the Latin letters and digits that its Cyrillic, Greek or other ones may pass for."""
    plain = _OVERRIDES.sub("", lower(text).translate(_LOOKS))
    return _DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), plain)


def _typed(line: str) -> str:
    if _PILE.search(line):
        return line
    once = unicodedata.normalize("NFKC", _with_plain_marks(line))
    if len(once) > _MOST_GROWTH * len(line):
        return line
    twice = _with_plain_marks(once)
    return once if twice == once else unicodedata.normalize("NFKC", twice)


def _with_plain_marks(text: str) -> str:
    return text.translate(_TYPED) if _MARKS.search(text) else text
