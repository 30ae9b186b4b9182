"""The keeper: starts processes again when they are down, as any runner of a Procfile does."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from random import Random

from bench.faults.diary import Diary
from tests.support.procfile import Part

_RESTS = (0.0, 0.0, 0.5, 2.0)


class Keeper:
    """Looks after the parts of a house while time passes."""

    def __init__(self, parts: Sequence[Part], dice: Random, diary: Diary) -> None:
        self.ended_by_themselves: Counter[str] = Counter()
        self._parts, self._dice, self._diary = parts, dice, diary
        self._due: dict[int, float] = {}

    def keep_up(self, seconds: float) -> None:
        """Let time pass, and start again whatever is down, at once or after a moment."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for number, part in enumerate(self._parts):
                if not part.is_running():
                    self._start_again(number, part)
            time.sleep(min(left, 0.05))

    def _start_again(self, number: int, part: Part) -> None:
        if number not in self._due:
            self._due[number] = time.monotonic() + self._dice.choice(_RESTS)
            self._note_end(part)
        if time.monotonic() >= self._due[number]:
            del self._due[number]
            part.start()

    def _note_end(self, part: Part) -> None:
        if not part.was_ended:
            self.ended_by_themselves[part.name] += 1
            self._diary.note(f"{part.name} has ended by itself with status {part.status()}")
