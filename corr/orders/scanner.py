"""Scans a folded line from left to right."""

from __future__ import annotations

import re

from corr.orders.normalization import lower
from corr.words.errors import Refused


class IncompleteLine(Refused):
    """The line ends where more must come."""


class LineScanner:
    """A folded line and how far it has been read."""

    __slots__ = ("at", "low", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.low = lower(text)
        self.at = 0

    @property
    def done(self) -> bool:
        return self.at >= len(self.text)

    def sees(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        return pattern.match(self.low, self.at)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.low, self.at)
        if found:
            self.at = found.end()
        return found

    def require(self, pattern: re.Pattern[str], why: str) -> re.Match[str]:
        """Match the pattern next and read past it, or raise."""
        found = self.take(pattern)
        if found is None:
            raise self.stuck(why)
        return found

    def stuck(self, why: str) -> Refused:
        """Return the error for a line that cannot be read further."""
        return IncompleteLine(why) if self.done else Refused(why)

    def rest(self) -> str:
        rest, self.at = self.text[self.at :].strip(), len(self.text)
        return rest
