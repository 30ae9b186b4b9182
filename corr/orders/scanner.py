"""Cleans a line's text (`fold`), and scans it from left to right with regular expressions."""

from __future__ import annotations

import re
import unicodedata

from corr.words.errors import Refused

_INVISIBLE = (
    "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u2060\u2061\u2062\u2063\u2064"
    "\u2066\u2067\u2068\u2069\ufeff" + "".join(map(chr, range(0xFE00, 0xFE10)))
)
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_TYPED_CHARACTERS = (
    {0x3001: ",", 0x060C: ",", 0x3002: "."}
    | {ord(mark): None for mark in _INVISIBLE}
    | {ord(dash): "-" for dash in _DASHES}
    | {ord(quote): '"' for quote in "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033"}
    | {ord(quote): "'" for quote in "\u2018\u2019\u201a\u201b\u2032\u00b4"}
)
#: Cyrillic and Greek letters that look like Latin ones, or replace them in board notation.
_LOOKS = str.maketrans(
    "абвгдеєзкмнорстухфіѕјһԁԛαβγδεηικνορτυχ",
    "abbgdeezkmnopctyxfisjhdqabgdehiknoptux",
)
_OVERRIDES = re.compile("[\u202d\u202e]")
_FOREIGN = re.compile(f"[{''.join(map(chr, _LOOKS))}\u202d\u202e]")
_DIGIT = re.compile(r"[^\D0-9]{1,100}")
#: So many accents that nobody typed an order with them, and placing each on its letter would take long.
_PILE = re.compile(r"(?:[\w\s\x00-\x7f]*[^\w\s\x00-\x7f]){16}")
_MOST_GROWTH = 4  # no character that anybody types for an order expands to more than this
_MOST_KEPT = 20_000


def fold(line: str) -> str:
    """Return the line as plain typed characters, with single blanks and no full stop at its end."""
    if not line.isascii():
        line = _to_plain_text(line)
    return " ".join(line.split()).removesuffix(".").rstrip()


def lower(text: str) -> str:
    """Lower the case of a text and keep its length, which only the Turkish dotted I would change."""
    return text.lower() if text.isascii() else text.replace("\u0130", "i").lower()


def has_foreign_letters(small: str) -> bool:
    """Whether lower-case text has foreign letters, digits or direction marks that may pass for ours."""
    return not small.isascii() and bool(_FOREIGN.search(small) or _DIGIT.search(small))


def replace_lookalikes(text: str) -> str:
    """Replace Cyrillic, Greek and other characters by the Latin letters and digits they look like."""
    if text.isascii():
        return text.lower()
    plain = _OVERRIDES.sub("", lower(text).translate(_LOOKS))
    return _DIGIT.sub(lambda digits: str(int(digits[0])).zfill(len(digits[0])), plain)


def _to_plain_text(line: str) -> str:
    """Replace typographic characters by plain ones and compose accents: like NFKC, but faster."""
    plain = line.translate(_PLAIN_CHARACTERS)
    if len(plain) > _MOST_GROWTH * len(line):
        return line
    return plain if _PILE.match(plain) else unicodedata.normalize("NFKC", plain)


class _PlainCharacters(dict[int, str]):
    """A cache of characters in plain form, computed on first use and bounded in size."""

    def __missing__(self, number: int) -> str:
        if len(self) >= _MOST_KEPT:
            self.clear()
        self[number] = sign = _to_plain_character(chr(number))
        return sign


def _to_plain_character(sign: str) -> str:
    """Replace one typographic character by what people would type for it."""
    once = unicodedata.normalize("NFKC", sign.translate(_TYPED_CHARACTERS))
    return unicodedata.normalize("NFKC", once.translate(_TYPED_CHARACTERS))


_PLAIN_CHARACTERS = _PlainCharacters()


class IncompleteLine(Refused):
    """The line ends where more must come."""


class LineScanner:
    """A line that `fold` has cleaned, and how far it has been read."""

    __slots__ = ("at", "low", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.low = lower(text)
        self.at = 0

    @property
    def done(self) -> bool:
        return self.at >= len(self.text)

    def sees(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Match the pattern next without reading past it; None if it doesn't match."""
        return pattern.match(self.low, self.at)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Match the pattern next and read past it; None if it doesn't match."""
        found = pattern.match(self.low, self.at)
        if found:
            self.at = found.end()
        return found

    def require(self, pattern: re.Pattern[str], why: str) -> re.Match[str]:
        """Match the pattern next and read past it, or raise Refused with `why`."""
        found = self.take(pattern)
        if found is None:
            raise self.stuck(why)
        return found

    def stuck(self, why: str) -> Refused:
        """Return the error for a line that cannot be read further, not raised yet."""
        return IncompleteLine(why) if self.done else Refused(why)

    def rest(self) -> str:
        """Return the rest of the line, and read past it."""
        rest, self.at = self.text[self.at :].strip(), len(self.text)
        return rest
