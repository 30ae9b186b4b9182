"""Packs a sealed turn's times for the database, and words them for the game's record."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from corr.game.time_log import TimeLog, decode_time_log
from corr.record import seals
from corr.words.board import Pair, Side

_SECOND, _MICROSECOND = timedelta(seconds=1), timedelta(microseconds=1)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class TurnTimes(NamedTuple):
    """A turn's seal name, and its times as an onlooker knew them. No slip and no order tells these."""

    turn: str
    at: datetime  # when it ended
    came: datetime | None = None  # when the order that ended it had come
    deadline: datetime | None = None
    banks: tuple[int, ...] = ()  # in seconds
    outage: tuple[datetime, ...] = ()
    clock: TurnClock | None = None  # None in a record of the first version
    players: Pair[str] | None = None  # hashes of their names, in the first leaf
    mailed: Pair[tuple[str, ...]] | None = None  # digests of each side's emails since the last seal

    @property
    def told(self) -> dict[str, Any]:
        """Return the times that both sides may read, for the record."""
        deadline = None if self.clock and self.clock.late else self.deadline
        return {
            "turn": self.turn,
            "at": self.at.isoformat(),
            "came": self.came.isoformat() if self.came else None,
            "deadline": deadline.isoformat() if deadline else None,
            "banks": self.banks,
            "outage": [each.isoformat() for each in self.outage],
            **(self.clock.told if self.clock else {}),
            **({"players": {side: self.players[side] for side in Side}} if self.players else {}),
        }

    def private_data(self, side: Side) -> dict[str, Any]:
        """Return what only this side may read: email digests, and times of a late-told turn."""
        told: dict[str, Any] = {} if self.mailed is None else {"mailed": self.mailed[side]}
        if self.clock and self.clock.log and side.value in self.clock.late:
            deadline = self.deadline.isoformat() if self.deadline else None
            told["time"] = {**self.clock.log.told, "deadline": deadline}
        return told

    @property
    def kept(self) -> str:
        """Pack the times as JSON for the database, in microseconds relative to the turn's end."""
        # The end itself counts from 1970.
        since = [_count_microseconds(self.at, each) for each in (self.came, self.deadline, *self.outage)]
        clock = [self.clock.kept(self.at)] if self.clock else []
        clock += [[each.white, each.black] for each in (self.mailed, self.players) if each]
        return seals.to_canonical_json(
            [
                self.turn,
                _count_microseconds(_EPOCH, self.at),
                *since[:2],
                list(self.banks),
                *clock,
                *since[2:],
            ]
        )

    @classmethod
    def of_kept(cls, text: str) -> TurnTimes:
        """Unpack times that `kept` packed; those of the first version are fewer."""
        turn, ended, came, deadline, banks, *rest = json.loads(text)
        at = _EPOCH + ended * _MICROSECOND
        clock = _unpack_clock(rest.pop(0), at) if rest and isinstance(rest[0], list) else None
        mailed = Pair(*map(tuple, rest.pop(0))) if rest and isinstance(rest[0], list) else None
        players = Pair(*rest.pop(0)) if rest and isinstance(rest[0], list) else None
        stood = tuple(at + each * _MICROSECOND for each in rest)
        moments = _add_microseconds(at, came), _add_microseconds(at, deadline)
        return cls(turn, at, *moments, tuple(banks), stood, clock, players, mailed)


class TurnClock(NamedTuple):
    """What a turn's deadline is made of, and what decided whether it had passed."""

    log: TimeLog | None  # None for a turn that began before logs were kept
    late: tuple[str, ...] = ()  # the sides told late of the turn, whose opponents know less of its time
    spent: datetime | None = None  # until when the bank was charged, if not until the order came
    flags_from: datetime | None = None  # no flag fell before, because the server had been down

    @property
    def told(self) -> dict[str, Any]:
        """Return what both sides may read of the clock, for the record."""
        log = None if self.late or self.log is None else self.log.told
        moments = {"spent": self.spent, "flags_from": self.flags_from}
        return {"time": log} | {name: each.isoformat() for name, each in moments.items() if each}

    def kept(self, at: datetime) -> list[Any]:
        """Pack the clock for the database, relative to the turn's end."""
        log = self.log.kept(at) if self.log else None
        return [
            log,
            list(self.late),
            _count_microseconds(at, self.spent),
            _count_microseconds(at, self.flags_from),
        ]


def _unpack_clock(kept: list[Any], at: datetime) -> TurnClock:
    """Unpack a clock that `kept` packed relative to the turn's end."""
    log, late, spent, flags_from = kept
    return TurnClock(
        decode_time_log(log, at) if log else None,
        tuple(late),
        _add_microseconds(at, spent),
        _add_microseconds(at, flags_from),
    )


def _add_microseconds(moment: datetime, since: int | None) -> datetime | None:
    return None if since is None else moment + since * _MICROSECOND


def _count_microseconds(moment: datetime, later: datetime | None) -> int | None:
    return None if later is None else (later - moment) // _MICROSECOND
