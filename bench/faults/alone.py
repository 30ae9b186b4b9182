"""`corr demo`: one process, no other server, its mail as files."""

from __future__ import annotations

import os
import queue
import re
import shlex
import threading
import time
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from random import Random

from bench.faults.clock import HouseClock
from bench.faults.disk import SmallDisk
from bench.faults.sink import Received
from bench.faults.stack import DISK, Row, Strike, Trouble, ask_sqlite, code_in, disk_troubles
from tests.support import procfile
from tests.support.procfile import Part
from tests.support.servers import answers

_EARLY = 0.02


class AloneStack:
    """The demo, whose two players play all games."""

    def __init__(self, folder: Path, _dice: Random) -> None:
        self.clock = HouseClock(folder)
        self.disk = SmallDisk(folder / "disk", DISK)
        self.post: queue.Queue[Received] = queue.Queue()
        self._log = folder / "demo.log"
        self._home = self.disk.folder / "demo"
        settings = procfile.environ(**self.clock.environ())
        demo = f"corr demo --dir {shlex.quote(str(self._home))} --port 0"
        self.parts = [Part("demo", demo, settings, self._log)]
        self._ended = threading.Event()
        self._postman = threading.Thread(target=self._bring_letters, daemon=True)

    @staticmethod
    def missing() -> str:
        """What has to be installed before it can be started; empty if nothing."""
        return HouseClock.missing()

    def start(self) -> None:
        self.disk.lay()
        self.parts[0].start()
        self._postman.start()
        while not self.doors():
            time.sleep(0.05)

    def end(self) -> None:
        self._ended.set()
        self.disk.take_away()

    def doors(self) -> list[int]:
        said = self._log.read_text() if self._log.exists() else ""
        return [int(port) for port in re.findall(r"SMTP listens at [^:\s]+:(\d+)\.", said)[-1:]]

    def live_on(self, span: timedelta) -> None:
        self.clock.jump(span)  # the demo never takes a jump of its clock for an outage

    def ask(self, question: str) -> list[Row]:
        return ask_sqlite(self._file, question)

    def challenge(self, _number: int) -> str:
        settings = procfile.environ(
            **self.clock.environ(),
            CORR_DATABASE_URL=f"sqlite:///{self._file}",
            CORR_MAIL_DOMAIN="corr.example",
        )
        addresses = "ann@players.example ben@players.example"
        return code_in(procfile.run_once(f"corr challenge {addresses} wild16", settings))

    def received(self) -> Iterator[Received]:
        for path in sorted(self._home.glob("mail/*/*.in")):
            yield _from_file(path)

    def misdeeds(self) -> Mapping[str, int]:
        return {}

    def left_out(self) -> str:
        return self.disk.left_out()

    def kills(self, dice: Random) -> dict[str, Strike]:
        def kill() -> bool:
            """Seldom before its doors are open: a process that has only begun has little to lose."""
            is_open = any(map(answers, self.doors()))
            return (is_open or dice.random() < _EARLY) and self.parts[0].kill()

        return {"demo": kill}

    def troubles(self, dice: Random) -> dict[str, Trouble]:
        return disk_troubles(self.disk, dice)

    @property
    def _file(self) -> Path:
        return self._home / "corr.sqlite"

    def _bring_letters(self) -> None:
        """Hand the files in both mailboxes to the players as they appear."""
        seen: set[str] = set()
        while not self._ended.wait(0.1):
            new = {str(path) for path in self._home.glob("mail/*/*.in")} - seen
            for path in sorted(new, key=os.path.basename):
                self.post.put(_from_file(Path(path)))
            seen |= new


def _from_file(path: Path) -> Received:
    return Received(f"{path.parent.name}@players.example", path.read_bytes())
