"""What keyboards and mail programs do to a line, undone before it is read."""

from __future__ import annotations

import unicodedata

_INVISIBLE = (
    "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u2060\u2061\u2062\u2063\u2064"
    "\u2066\u2067\u2068\u2069\ufeff" + "".join(map(chr, range(0xFE00, 0xFE10)))
)
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_TYPED = (
    {ord(mark): None for mark in _INVISIBLE}
    | {ord(dash): "-" for dash in _DASHES}
    | {ord(quote): '"' for quote in "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033"}
    | {ord(quote): "'" for quote in "\u2018\u2019\u201a\u201b\u2032\u00b4"}
)
#: Cyrillic and Greek letters that look like Latin ones, or stand for them on the board.
_LOOKS = str.maketrans(
    "абвгдеєзкмнорстухфіѕјһԁԛαβγδεηικνορτυχ",
    "abbgdeezkmnopctyxfisjhdqabgdehiknoptux",
)
_OVERRIDES = "\u202d\u202e"
_LONG_LINE = 200
_LONG_WORD = 64


def fold(line: str) -> str:
    """The line as plain typed characters, one blank between words, without a full stop at its end."""
    if not line.isascii():
        line = _typed(line)
    return " ".join(line.split()).removesuffix(".").rstrip()


def lower(text: str) -> str:
    """The text in lower case, letter by letter: as long as it was."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(_small(letter) for letter in text)


def foreign(text: str) -> bool:
    """Whether letters of another alphabet, or marks that turn the writing round, may pass for Latin ones."""
    return not text.isascii() and any(map(_is_foreign, text.lower()))


def as_it_looks(text: str) -> str:
    """The text with the Latin letters and digits that its Cyrillic, Greek or other ones may pass for."""
    small = lower(text).translate(_LOOKS)
    plain = (
        letter if letter.isascii() or not letter.isdecimal() else str(unicodedata.decimal(letter))
        for letter in small
    )
    return "".join(letter for letter in plain if letter not in _OVERRIDES)


def _is_foreign(letter: str) -> bool:
    return ord(letter) in _LOOKS or letter in _OVERRIDES or (letter.isdecimal() and not letter.isascii())


def _typed(line: str) -> str:
    """Word by word where the line is long: piled accents take a time that grows with the square."""
    if len(line) <= _LONG_LINE:
        return _normal(line)
    return " ".join(_normal(word) if len(word) <= _LONG_WORD else word for word in line.split())


def _normal(text: str) -> str:
    once = unicodedata.normalize("NFKC", text.translate(_TYPED))
    return unicodedata.normalize("NFKC", once.translate(_TYPED)).replace("\u3002", ".")


def _small(letter: str) -> str:
    small = letter.lower()
    return small if len(small) == 1 else letter
