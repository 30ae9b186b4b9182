"""What happened when, by the world's clock and by the house's."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from bench.faults.clock import HouseClock


class Diary:
    """A file with a line for each blow and each chapter of a run."""

    def __init__(self, file: Path, clock: HouseClock) -> None:
        self._file, self._clock = file, clock

    def note(self, what: str) -> None:
        now = datetime.now(UTC)
        with self._file.open("a") as file:
            file.write(f"{now:%H:%M:%S.%f}  {now + self._clock.ahead:%d %H:%M:%S}  {what}\n")
