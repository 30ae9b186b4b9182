"""Provides the demo's clock, which its visitor can advance; a restart keeps the advance."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from corr.service.server import wall_clock


class DemoClock:
    """The wall clock plus its advance, stored in a file so that time never runs back."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._ahead = timedelta(seconds=float(file.read_text())) if file.exists() else timedelta()

    def now(self) -> datetime:
        return wall_clock() + self._ahead

    def advance(self, span: timedelta) -> None:
        self._ahead += span
        new = self._file.with_suffix(".new")
        new.write_text(str(self._ahead.total_seconds()))
        new.replace(self._file)
