"""A worker process of a season: it ends games, acts in events and sweeps, beside another one."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from bench.driver import server_at
from corr.service import worker_rounds
from corr.service.events import entries, events, withdrawals
from corr.service.games import lifecycle
from corr.service.games.game_session import open_session
from corr.service.games.lifecycle import Pairing
from corr.service.players import mailboxes
from corr.service.ratings import annulment
from corr.words.board import Pair, Side
from corr.words.errors import Refused
from corr.words.view import Stage
from tests.support.table import Clock

#: Games begun in one transaction, and tries of a transaction that conflicts with another.
_AT_ONCE, _TRIES = 20, 5


class Action(NamedTuple):
    """An action: a method of the worker and its arguments beside the connection."""

    what: str
    args: tuple[Any, ...]


class Work(NamedTuple):
    """A worker's next actions, and the time."""

    now: datetime
    deeds: Sequence[Action]


class Complaints(logging.Handler):
    """Keeps what the server logs as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.kept: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.kept.append(f"{record.getMessage()}: {record.exc_info and record.exc_info[1]!r}")


class Worker:
    """Does the actions of a moment, and then what is due."""

    def __init__(self, url: str) -> None:
        self.clock, self.complaints, self.counts = Clock(), Complaints(), Counter[str]()
        self.server = server_at(url, self.clock)
        logging.getLogger("corr").addHandler(self.complaints)
        logging.getLogger("corr").setLevel(logging.ERROR)

    def do(self, work: Work) -> None:
        self.clock.moment = work.now
        begins = [deed for deed in work.deeds if deed.what == "begin"]
        others = [[deed] for deed in work.deeds if deed.what != "begin"]
        for first in range(0, len(begins), _AT_ONCE):
            self._write(begins[first : first + _AT_ONCE])
        for deeds in others[: len(others) // 2]:
            self._write(deeds)
        self._safely(lambda: worker_rounds.sweep(self.server, work.now))
        for deeds in others[len(others) // 2 :]:
            self._write(deeds)
        self._safely(self._read_all)

    def _read_all(self) -> None:
        while worker_rounds.read_some(self.server, self.server.now()):
            pass

    def _write(self, deeds: Sequence[Action]) -> None:
        """Do an action in one transaction, and count its outcome."""

        def write() -> None:
            try:
                with self.server.store.writing() as connection:
                    done = Counter(getattr(self, deed.what)(connection, *deed.args) for deed in deeds)
            except Refused:
                done = Counter(["refused"])
            self.counts += done

        self._safely(write)

    def _safely(self, do: Callable[[], object]) -> None:
        """Retry after a conflict with another transaction, as the server's tasks do."""
        for _ in range(_TRIES):
            try:
                do()
            except OperationalError as busy:
                self.counts["deadlocks" if "deadlock" in str(busy) else "busy"] += 1
            else:
                return
        self.counts["given up"] += 1

    def begin(self, connection: Connection, white: int, black: int, variant: str, clock: str) -> str:
        lifecycle.start(
            connection, Pairing(Pair(white, black), variant, clock, rated=True), self.server.now()
        )
        return "begun"

    def end(self, connection: Connection, game: int, how: str) -> str:
        """End a game by resignation, a draw, or an operator's decision."""
        session = open_session(connection, game, self.server.now())
        if session.state.stage is Stage.OVER:
            return "over already"
        if how == "void":
            judgement = session.umpire.abandon(Side.WHITE)
        elif how == "draw":
            judgement = session.umpire.agree()
        else:
            judgement = session.umpire.resign(Side(how).other)
        assert judgement.outcome
        session.state = session.state.end(judgement.outcome, session.now)
        lifecycle.tell_both(session, judgement.slips)
        session.close()
        return "voided" if how == "void" else "ended"

    def annul(self, connection: Connection, game: int) -> str:
        """An operator annuls a rated game."""
        open_session(connection, game, self.server.now())
        if not annulment.is_rated(connection, game):
            return "not rated"
        annulment.annul(connection, game)
        return "annulled"

    def enter(self, connection: Connection, player: int, kind: str, variant: str, fills: bool) -> str:  # noqa: FBT001
        """Enter the open section or the pyramid of a variant."""
        who, now = mailboxes.load_main_mailbox(connection, player), self.server.now()
        if kind == events.EventKind.PYRAMID:
            entries.enter_pyramid(connection, who, variant, now)
        else:
            entries.enter_site_section(connection, who, variant, now, fills=fills)
        return f"entered {kind}"

    def withdraw(self, connection: Connection, player: int, event: int) -> str:
        withdrawals.withdraw(connection, player, events.load_event(connection, event), self.server.now())
        return "withdrawn"

    def challenge(self, connection: Connection, player: int, event: int, whom: int) -> str:
        who = mailboxes.load_main_mailbox(connection, player)
        entries.challenge_in_pyramid(connection, who, events.load_event(connection, event), whom)
        return "challenged"


@cache
def worker_at(url: str) -> Worker:
    """The one worker of this process."""
    return Worker(url)


def do(url: str, work: Work) -> tuple[Counter[str], list[str]]:
    """Do some work; return its counts and the server's errors."""
    worker = worker_at(url)
    worker.counts, worker.complaints.kept = Counter(), []
    worker.do(work)
    return worker.counts, worker.complaints.kept
