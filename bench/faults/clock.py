"""The clock of the house's processes, which can be made to jump; the driver's own goes on as ever."""

from __future__ import annotations

import mmap
import shutil
import struct
import subprocess
import time
from datetime import timedelta
from pathlib import Path

_SOURCE = Path(__file__).with_name("clock.c")
_NANOSECONDS = struct.Struct("=q")


class HouseClock:
    """The wall clock and what it was set forward by, shared with every process that is started under it."""

    def __init__(self, folder: Path) -> None:
        self._library, self._file = folder / "clock.so", folder / "clock"
        compiler = ["cc", "-shared", "-fPIC", "-O2", "-o", str(self._library), str(_SOURCE)]
        subprocess.run(compiler, check=True)
        self._file.write_bytes(_NANOSECONDS.pack(0))
        with self._file.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), _NANOSECONDS.size)
        self.ahead = timedelta()

    @staticmethod
    def missing() -> str:
        """What has to be installed before the clock can jump; empty if nothing."""
        return "" if shutil.which("cc") else "a C compiler (cc)"

    def environ(self) -> dict[str, str]:
        """What a process needs in its environment to live by this clock."""
        return {"LD_PRELOAD": str(self._library), "FAULTS_CLOCK": str(self._file)}

    def microseconds(self) -> int:
        """The present moment as the house's tables keep it."""
        return time.time_ns() // 1000 + self.ahead // timedelta(microseconds=1)

    def jump(self, span: timedelta) -> None:
        """Set the clock forward, or back by a negative span."""
        self.ahead += span
        _NANOSECONDS.pack_into(self._shared, 0, self.ahead // timedelta(microseconds=1) * 1000)
