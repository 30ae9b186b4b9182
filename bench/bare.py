"""The floor of a house: the same wire and database work with no chess, no reading and no composing in it."""

from __future__ import annotations

import os
import pickle
import signal
import smtplib
from collections.abc import Callable
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from corr.mail.outward import transport
from corr.worker_wakeup import Knocker, Work


class Desk(Protocol):
    """What a floor does instead of a house."""

    def is_known(self, address: str) -> bool:
        """Whether a seat takes letters there."""

    def drop(self, raw: bytes, address: str) -> None:
        """Keep a letter."""

    def take_turns(self, hand_over: Callable[[transport.Envelope], object]) -> None:
        """Read some and send some until there is nothing left."""


class Floor(Protocol):
    """One kind of floor; it goes from process to process."""

    def desk(self, url: str) -> Desk:
        """A desk at a database."""


class BareDoor:
    """Stores each letter with a commit before its 250."""

    def __init__(self, desk: Desk, knock: Callable[[], object]) -> None:
        self._desk, self._knock = desk, knock

    async def handle_RCPT(  # noqa: N802  # aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        self._desk.is_known(address)
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Known"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        self._desk.drop(envelope.original_content or b"", envelope.rcpt_tos[0])
        self._knock()
        return "250 2.0.0 Taken"


class BarePost:
    """smtplib, and no more, on a connection that is kept."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._connection = smtplib.SMTP(str(parts.hostname), parts.port or 25)

    def send(self, envelope: transport.Envelope) -> None:
        self._connection.sendmail(envelope.sender, [envelope.recipient], envelope.message)


def desk_of_environment() -> Desk:
    floor: Floor = pickle.loads(Path(os.environ["BENCH_FLOOR"]).read_bytes())
    return floor.desk(os.environ["CORR_DATABASE_URL"])


def main() -> None:
    """Take in letters, as `corr listen` does."""
    host, _, port = os.environ["CORR_SMTP_LISTEN"].rpartition(":")
    knocker = Knocker(os.environ["CORR_REDIS_URL"])
    door = BareDoor(desk_of_environment(), lambda: knocker(Work.LETTERS))
    Controller(door, hostname=host, port=int(port)).start()
    signal.pause()


if __name__ == "__main__":
    main()
