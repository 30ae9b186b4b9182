"""What was seen from outside, in the order in which it happened, as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime


class Diary:
    """Each line says what happened, and when by the house's own clock."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self.lines: list[str] = []

    def note(self, what: str, **fields: object) -> None:
        line = {"what": what, "at": self._now(), **fields}
        self.lines.append(json.dumps(line, default=_written, ensure_ascii=False))

    def __iter__(self) -> Iterator[str]:
        return iter(self.lines)


def _written(moment: object) -> str:
    assert isinstance(moment, datetime)
    return moment.isoformat()
