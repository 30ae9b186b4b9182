"""A small disk of its own, so that it can be filled without harm to others."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

_BLOCKS = (1 << 20, 1 << 12, 1)


class SmallDisk:
    """A tmpfs; where one cannot be mounted, a plain folder that is never filled."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self.folder, self._filler, self._megabytes = folder, folder / "filler", megabytes
        self.can_be_filled = os.geteuid() == 0 and shutil.which("mount") is not None

    def lay(self) -> None:
        self.folder.mkdir(parents=True)
        if self.can_be_filled:
            size = f"size={self._megabytes}m"
            subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(self.folder)], check=True)

    def left_out(self) -> str:
        """What cannot be done to it, and why; empty if nothing."""
        return "" if self.can_be_filled else "a full disk, which takes root to mount a tmpfs"

    def fill(self) -> None:
        """Fill the disk to its last byte."""
        with self._filler.open("wb", buffering=0) as filler:
            for block in _BLOCKS:
                _pour(filler.fileno(), bytes(block))

    def free(self) -> None:
        self._filler.unlink(missing_ok=True)

    def take_away(self) -> None:
        if self.folder.is_mount():
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True)


def _pour(filler: int, block: bytes) -> None:
    """Write until the disk takes no more."""
    try:
        while os.write(filler, block):
            pass
    except OSError:
        return
