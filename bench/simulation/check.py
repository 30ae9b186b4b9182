"""Reads a simulation's log and finds each promise about time and emails that was broken.

It imports nothing of the server: what is due when is calculated by `reckoning.py`, moment by moment.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from bench.simulation.reckoning import DAY, HOUR, NOTHING, Clock, Hours, after, counted

_SIDES = {"white": "black", "black": "white"}
#: How late a sweep may be; twice that if one failed.
_SWEEP = timedelta(seconds=45)
#: How late each change of settings and each outage may be logged.
_BLUR = timedelta(minutes=2)
_GRACE = timedelta(minutes=2)
_STEADY = HOUR
#: If a bank is known less exactly than this, reminders of a turn can't be told apart.
_SHARP = HOUR
_LATE_LETTER = HOUR
_WAITS = 7 * DAY
_RESTS, _RESTS_OVERDUE, _UNCLAIMED = 166 * DAY, 14 * DAY, 30 * DAY
_AFTER_LEAVE = HOUR
_AFTER_LAST_CALL = 12 * HOUR
_TELLINGS = 2
_STOPPED = {"off": ("turn", "tried", "delay", "reminder"), "daily": ("turn", "tried", "delay")}
_TOLD_TO_BOTH = ("turn", "delay", "decree", "restored")
_ZERO = datetime.fromisoformat("2000-01-01T00:00:00+00:00")


class Breach(NamedTuple):
    """A broken promise, its game and its time."""

    promise: str
    game: int | None
    at: datetime
    why: str

    def __str__(self) -> str:
        return f"{self.promise}: game {self.game}, {self.at:%Y-%m-%d %H:%M:%S}: {self.why}"


class Stretch(NamedTuple):
    """A time in which the server worked, by its clock, or by which that was set back."""

    start: datetime
    end: datetime
    is_set_back: bool = False


@dataclass
class Working:
    """When the server worked."""

    stretches: list[Stretch] = field(default_factory=list)
    since: datetime = _ZERO
    stopped_at: datetime | None = None

    def stop(self, at: datetime) -> None:
        self.stretches.append(Stretch(self.since, at))
        self.stopped_at = at

    def go_on(self, at: datetime) -> None:
        assert self.stopped_at
        if at < self.stopped_at:
            self.stretches.append(Stretch(at, self.stopped_at, is_set_back=True))
        self.since, self.stopped_at = at, None

    def after(self, index: int, at: datetime) -> Iterable[Stretch]:
        """The working time since a stretch, up to a moment."""
        yield from self.stretches[index:]
        if self.stopped_at is None:
            yield Stretch(self.since, at)


@dataclass
class Turn:
    """Whose turn it is, and how much time is left."""

    side: str
    began: datetime
    whole: timedelta | None
    waits_from: datetime
    waits_until: datetime
    letter: int | None = None
    heard_at: datetime | None = None
    left: timedelta = NOTHING
    as_of: datetime = _ZERO
    index: int = 0
    over_at: datetime | None = None
    blur: timedelta = _SWEEP
    used: timedelta | None = None
    coming: dict[timedelta, datetime] = field(default_factory=dict)
    told: int = 0  # how many emails about it went out
    is_delayed: bool = False
    is_overdue: bool = False
    overdue_at: datetime | None = None
    is_untold: bool = False  # the game has waited for as long as it can, and nobody was told
    is_secret: bool = False  # that this side was told is not known to the other: for it the game waits on
    is_unsure: bool = False
    is_accused: bool = False

    @property
    def is_timed(self) -> bool:
        return self.whole is not None


@dataclass
class Row:
    """An email or order that the server accepted from a player."""

    game: int
    side: str
    name: str
    says: str
    received: datetime
    left: timedelta | None


@dataclass
class Game:
    """A game as the log shows it so far."""

    number: int
    clock: Clock
    players: dict[str, str]
    banks: dict[str, timedelta]
    blur: dict[str, timedelta]
    held: dict[str, timedelta]
    ply: int = 0
    turn: Turn | None = None
    is_paused: bool = False
    is_over: bool = False
    claimed_at: datetime | None = None
    unread: dict[int, Row] = field(default_factory=dict)
    look_from: datetime = _ZERO

    def has_unread(self, by: datetime | None) -> bool:
        """Whether the side to move has something unread that came by a moment."""
        return any(
            self.turn and row.side == self.turn.side and (by is None or row.received <= by)
            for row in self.unread.values()
        )


class Check:
    """Reads a log from its first line to its last."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = [_parsed(line) for line in lines]
        self.breaches: list[Breach] = []
        self.counts: Counter[str] = Counter()
        self._now = _ZERO
        self._working = Working()
        self._games: dict[int, Game] = {}
        self._running: dict[int, Game] = {}
        self._hours: dict[str, Hours] = defaultdict(Hours)
        self._rows: dict[int, Row] = {}
        self._judged: Counter[int] = Counter()
        self._came: dict[str, int] = {}
        self._kinds: dict[tuple[int, str, int], str] = {}
        self._made: dict[tuple[int, str, int], datetime] = {}
        self._texts: dict[tuple[int, str, int], str] = {}
        self._answers: dict[str, set[tuple[int, str, int]]] = defaultdict(set)
        self._given_up: set[tuple[int, str, int]] = set()
        self._spared: set[tuple[int, str, int]] = set()

    def run(self) -> list[Breach]:
        """Everything that is wrong."""
        for line in self._lines:
            self._now = line["at"]
            self.counts[line["what"]] += 1
            if read := getattr(self, f"_read_{line['what'].replace(' ', '_')}", None):
                read(line)
        self._count_letters()
        return self.breaches

    def _accuse(self, promise: str, game: int | None, why: str) -> None:
        self.breaches.append(Breach(promise, game, self._now, why))

    def _read_unproved(self, line: dict[str, Any]) -> None:
        self._accuse("each player can prove the game", line["game"], f"{line['side']}: {line['why']}")

    def _read_game(self, line: dict[str, Any]) -> None:
        clock = Clock.of(line["clock"])
        bank = clock.first_bank()
        self._games[line["game"]] = Game(
            line["game"],
            clock,
            {side: line[side] for side in _SIDES},
            dict.fromkeys(_SIDES, bank),
            dict.fromkeys(_SIDES, NOTHING),
            dict.fromkeys(_SIDES, NOTHING),
        )

    def _read_begun(self, line: dict[str, Any]) -> None:
        game = self._games[line["game"]]
        self._running[game.number] = game
        self._begin_turn(game, "white", self._now)

    def _begin_turn(self, game: Game, side: str, began: datetime) -> None:
        whole = game.clock.whole(game.banks[side]) if game.clock.is_timed else None
        game.turn = Turn(side, began, whole, began, began + max(_WAITS - game.held[side], NOTHING))
        game.turn.blur += game.blur[side]
        game.turn.is_unsure = game.is_paused
        game.look_from = _ZERO

    def _read_moved(self, line: dict[str, Any]) -> None:
        game, side, row = self._games[line["game"]], line["side"], self._rows[line["row"]]
        turn = game.turn
        if turn is None or turn.side != side or line["ply"] != game.ply:
            self._accuse("moves are made in turn", game.number, f"{side} moved at ply {line['ply']}")
            return
        self._hear_in_time(game, turn)
        left = turn.left if row.left is None else row.left
        if turn.is_timed and not game.clock.words.count("claim") and self._is_too_late(turn, row, left):
            self._accuse("no move counts that came too late", game.number, f"{-left} too late")
        if game.clock.has_bank:
            game.banks[side] = game.clock.saved(game.banks[side], max(left, NOTHING))
            game.blur[side] = turn.blur + (turn.whole or NOTHING) * turn.is_unsure
        self._hold(game, turn, self._now)
        game.ply += 1
        self._begin_turn(game, _SIDES[side], line["time"])

    def _is_too_late(self, turn: Turn, row: Row, left: timedelta) -> bool:
        is_steady = row.received > self._working.since + _STEADY + _BLUR
        return is_steady and not turn.is_unsure and left < -turn.blur

    def _hold(self, game: Game, turn: Turn, until: datetime) -> None:
        """For how long the game has waited for a side, as far as both know, is kept whether or not that was told."""
        if turn.is_unsure or turn.letter is None or not (turn.heard_at is None or turn.is_secret):
            return
        game.held[turn.side] += max(min(until, turn.waits_until) - turn.waits_from, NOTHING)
        since = until - turn.heard_at if turn.heard_at else _LATE_LETTER
        turn.is_secret, turn.blur = False, turn.blur + since
        if game.clock.has_bank:
            game.blur[turn.side] += since

    def _own_hours(self, game: Game, side: str) -> Hours | None:
        """The settings by which a turn's time counts."""
        return None if "steady" in game.clock.words else self._hours[game.players[side]]

    def _hear_in_time(self, game: Game, turn: Turn) -> None:
        """Compute a turn's time up to now."""
        if not turn.is_timed or game.is_paused:
            return
        if turn.heard_at is None:
            if turn.is_unsure:
                return
            if turn.letter is None:
                self._hear(game, turn, turn.began)
            elif self._now >= turn.waits_until and self._working.stopped_at is None:
                self._hear(game, turn, turn.waits_until)
                turn.is_untold = True
            else:
                return
        hours = self._own_hours(game, turn.side)
        for number, stretch in enumerate(self._working.after(turn.index, self._now)):
            since = max(turn.as_of, stretch.start) if number == 0 else stretch.start
            if stretch.is_set_back:
                turn.left += counted(hours, stretch.start, stretch.end)
                turn.over_at = None if turn.left > NOTHING else turn.over_at
            elif stretch.end > since:
                used = counted(hours, since, stretch.end)
                if turn.over_at is None and used >= turn.left > NOTHING:
                    turn.over_at = after(hours, since, turn.left)
                turn.left -= used
        self._mark(turn)

    def _mark(self, turn: Turn) -> None:
        """Count all time that the server worked up to now."""
        turn.index, turn.as_of = len(self._working.stretches), self._now

    def _hear(self, game: Game, turn: Turn, at: datetime) -> None:
        """A side hears of its turn, so its time begins."""
        assert turn.whole is not None
        if turn.letter is not None and not turn.is_secret:
            game.held[turn.side] += max(at - turn.waits_from, NOTHING)
        self._mark(turn)
        turn.heard_at, turn.left, turn.as_of = at, turn.whole, at
        self._plan(game, turn, at)

    def _deadline(self, game: Game, turn: Turn, less: timedelta = NOTHING) -> datetime:
        """When the time runs out as far as is known now, or would with this much less left."""
        hours = self._own_hours(game, turn.side)
        if turn.heard_at is None:
            assert turn.whole is not None
            return after(hours, turn.waits_until, turn.whole)
        if turn.over_at is not None or turn.left <= NOTHING:
            return turn.over_at or turn.as_of
        return after(hours, turn.as_of, max(turn.left - less, NOTHING))

    def _rungs(self, game: Game, turn: Turn, deadline: datetime) -> dict[timedelta, datetime]:
        """When a side is to be reminded, by how long before its deadline."""
        assert turn.whole is not None
        hours = self._hours[game.players[turn.side]]
        return {before: hours.before_quiet(deadline - before) for before in hours.rungs(turn.whole)}

    def _calls(self, game: Game, turn: Turn, deadline: datetime) -> dict[timedelta, datetime]:
        """Its reminders and its last calls."""
        assert turn.whole is not None
        last = self._hours[game.players[turn.side]].last_calls(deadline, turn.whole)
        return last | self._rungs(game, turn, deadline)

    def _plan(self, game: Game, turn: Turn, at: datetime) -> None:
        """The deadline changes: reminders before now are dropped."""
        if turn.is_timed:
            turn.coming = {
                before: moment
                for before, moment in self._rungs(game, turn, self._deadline(game, turn)).items()
                if moment > at + turn.blur
            }
            game.look_from = _ZERO

    def _games_of(self, player: str) -> Iterable[tuple[Game, Turn]]:
        for game in self._running.values():
            if game.turn and game.players[game.turn.side] == player:
                yield game, game.turn

    def _read_hours(self, line: dict[str, Any]) -> None:
        names = Hours.__dataclass_fields__
        hours, player = Hours(**{name: line[name] for name in names}), line["player"]
        before = self._hours[player]
        for game, turn in self._games_of(player):
            self._hear_in_time(game, turn)
        self._hours[player] = hours
        for game, turn in self._games_of(player):
            if replace(before, goes_on_leave=hours.goes_on_leave, mailing=hours.mailing) != hours:
                turn.blur += _BLUR
                self._plan(game, turn, self._now)

    def _read_stopped(self, _line: dict[str, Any]) -> None:
        for game in self._running.values():
            if game.turn:
                self._hear_in_time(game, game.turn)
        self._working.stop(self._now)

    def _read_goes_on(self, _line: dict[str, Any]) -> None:
        stopped = self._working.stopped_at
        assert stopped
        self._working.go_on(self._now)
        for game in self._running.values():
            if turn := game.turn:
                span = max(self._now - stopped, NOTHING)
                # Of a time that waits no longer, and of which nobody was told, a standstill is no time either way.
                turn.blur += _BLUR + (span if turn.is_untold else NOTHING)
                turn.waits_from, turn.waits_until = turn.waits_from + span, turn.waits_until + span
                if turn.heard_at is None:  # no time runs before it began by the clock that was set back
                    turn.blur += max(turn.waits_from - self._now, NOTHING)
                self._hear_in_time(game, turn)
                self._plan(game, turn, self._now)

    def _read_paused(self, line: dict[str, Any]) -> None:
        game = self._games[line["game"]]
        if game.turn:
            self._hear_in_time(game, game.turn)
            game.turn.is_unsure |= game.turn.heard_at is None
        game.is_paused = True

    def _read_resumed(self, line: dict[str, Any]) -> None:
        game = self._games[line["game"]]
        game.is_paused = False
        if game.turn and game.turn.heard_at:
            self._mark(game.turn)
            self._plan(game, game.turn, self._now)

    def _read_wrote(self, line: dict[str, Any]) -> None:
        game, side, number, kind = self._games[line["game"]], line["side"], line["number"], line["kind"]
        if (game.number, side, number) in self._kinds:
            self._accuse("each letter is written once", game.number, f"letter {number} to {side}")
        self._kinds[game.number, side, number], self._made[game.number, side, number] = kind, line["made"]
        turn = game.turn
        if turn is None or game.is_over:
            return
        if side == turn.side and line["made"] == turn.began and turn.heard_at is None:
            turn.letter = number
        if kind == "delay" and side != turn.side:
            turn.is_delayed = True
            self._plan(game, turn, self._now)
        if kind == "reminder":
            self._reminded(game, turn, side)
        if kind == "overdue" and side == turn.side:
            self._overdue(game, turn)
        if kind == "leave" and side == turn.side:
            self._gone(game, turn)

    def _reminded(self, game: Game, turn: Turn, side: str) -> None:
        self._hear_in_time(game, turn)
        if side != turn.side or not turn.is_timed:
            self._accuse("who is awaited is reminded", game.number, f"{side} was reminded")
            return
        if turn.is_unsure:
            return
        if turn.heard_at is not None and (turn.over_at is not None or turn.left <= NOTHING):
            self._called_last(game, turn)
            return
        hours, deadline = self._hours[game.players[side]], self._deadline(game, turn)
        rungs, earliest = self._calls(game, turn, deadline), self._deadline(game, turn, turn.blur)
        lowest = [min(come) for late in (_SWEEP, turn.blur) if (come := _come(rungs, self._now + late))]
        if come := _come(self._calls(game, turn, earliest), self._now + _SWEEP):
            lowest.append(min(come))
        if hours.is_quiet(self._now) and hours.after_quiet(self._now) + HOUR <= deadline - turn.blur:
            self._accuse("no reminder comes in quiet hours", game.number, f"{side}, quiet {hours.quiet}")
        if not lowest:
            self._accuse("no reminder comes early", game.number, f"{side}, {deadline} is the deadline")
            return
        unused = [rung for rung in lowest if turn.used is None or rung < turn.used]
        if not unused and turn.blur < _SHARP:
            self._accuse("nobody is reminded twice", game.number, f"{side}, {turn.used} before the deadline")
        turn.used = (unused or lowest)[0]

    def _called_last(self, game: Game, turn: Turn) -> None:
        """The time is over, and the flag waits because too few emails went out."""
        span = min(_AFTER_LAST_CALL, max(_WAITS - game.held[turn.side], NOTHING))
        if turn.told >= _TELLINGS or not span:
            self._accuse("no flag waits for who was told", game.number, f"{turn.side}, by {turn.told} emails")
        game.held[turn.side] += span
        self._give(game, turn, span)

    def _overdue(self, game: Game, turn: Turn) -> None:
        self._hear_in_time(game, turn)
        turn.is_overdue, turn.overdue_at = True, self._now
        if turn.is_timed and not turn.is_unsure and turn.left > turn.blur:
            self._accuse("nobody is called late early", game.number, f"{turn.side}, {turn.left} was left")

    def _gone(self, game: Game, turn: Turn) -> None:
        """By itself, where the time was over: an hour is left once that is over."""
        self._hear_in_time(game, turn)
        if turn.left > turn.blur and not turn.is_unsure:
            self._accuse("nobody goes on vacation early", game.number, f"{turn.side}, {turn.left} was left")
        self._give(game, turn, _AFTER_LEAVE)

    def _give(self, game: Game, turn: Turn, span: timedelta) -> None:
        """Set a side's time left."""
        turn.heard_at, turn.left, turn.over_at = self._now, span, None
        self._mark(turn)
        self._plan(game, turn, self._now)

    def _read_handed(self, line: dict[str, Any]) -> None:
        game, side, number = self._games[line["game"]], line["side"], line["number"]
        letter = game.number, side, number
        if line["to"] != game.players[side]:
            self._accuse("letters go to their readers alone", game.number, f"{side}'s went to {line['to']}")
        if self._texts.setdefault(letter, line["text"]) != line["text"]:
            self._accuse("each letter is written once", game.number, f"letter {number} to {side}")
        if line["answers"]:
            self._answers[line["answers"]].add(letter)
        if game.turn and side == game.turn.side and not game.is_over:
            is_new = self._made.get(letter, _ZERO) >= game.turn.began
            game.turn.told += is_new and self._kinds.get(letter) not in ("answer", "doubted")
            self._tell(game, game.turn, number)

    def _read_spared(self, line: dict[str, Any]) -> None:
        """An email was left out, because its reader wants none or a later one told more: it counts as sent."""
        game, side, number = self._games[line["game"]], line["side"], line["number"]
        if (game.number, side, number) in self._texts:
            return
        self._spared.add((game.number, side, number))
        if game.turn and side == game.turn.side and not game.is_over:
            self._tell(game, game.turn, number)

    def _tell(self, game: Game, turn: Turn, number: int) -> None:
        """An email to the player whose turn it is goes out: it may tell of the turn."""
        if turn.letter is None or number < turn.letter or game.is_paused or not turn.is_timed:
            turn.is_unsure |= game.is_paused and turn.letter == number
            return
        if self._working.stopped_at is None:
            self._hear_in_time(game, turn)
        is_known = number == turn.letter or self._kinds.get((game.number, turn.side, number)) in _TOLD_TO_BOTH
        if turn.heard_at is None and (is_known or turn.is_delayed):
            turn.is_secret = not is_known
            self._hear(game, turn, self._now)
        elif turn.heard_at and is_known:
            self._hold(game, turn, self._now)
            if number == turn.letter:
                turn.blur += max(self._now - turn.heard_at, NOTHING)

    def _read_came(self, line: dict[str, Any]) -> None:
        self._came.setdefault(line["name"], 0)

    def _read_row(self, line: dict[str, Any]) -> None:
        game, name = self._games[line["game"]], line["name"]
        if not line["page"]:
            self._came[name] = self._came.get(name, 0) + 1
        turn, left = game.turn, None
        if turn and turn.side == line["side"] and turn.is_timed and self._working.stopped_at is None:
            self._hear_in_time(game, turn)
        if turn and turn.side == line["side"] and turn.is_timed:
            left = turn.left if turn.heard_at else turn.whole
        own_name = "" if line["page"] else name
        row = Row(game.number, line["side"], own_name, line["says"], line["received"], left)
        self._rows[line["row"]] = game.unread[line["row"]] = row

    def _read_judged(self, line: dict[str, Any]) -> None:
        row = self._rows[line["row"]]
        game = self._games[row.game]
        game.unread.pop(line["row"], None)
        self._judged[line["row"]] += 1
        if self._judged[line["row"]] > 1:
            self._accuse("each letter is judged once", row.game, f"{row.name} of {row.side}")
        if line["reading"] == "failed":
            self._accuse("each letter is judged once", row.game, f"{row.name} could not be read")
        if row.says == "claim":
            game.claimed_at = line["read"]

    def _read_given_up(self, line: dict[str, Any]) -> None:
        self._given_up.add((line["game"], line["side"], line["number"]))

    def _count_letters(self) -> None:
        """Each email was stored, judged and answered once; each of the server's own arrived."""
        for name, rows in self._came.items():
            if rows != 1:
                self._accuse("each letter is judged once", None, f"{name} was taken in {rows} times")
        for number, row in self._rows.items():
            if not self._judged[number]:
                self._accuse("each letter is judged once", row.game, f"{row.name} of {row.side} never was")
            if row.name:
                self._count_answers(row)
        for letter in self._kinds.keys() - self._texts.keys() - self._given_up - self._spared:
            if not (self._is_merged(*letter) or self._is_superseded(*letter)):
                self._accuse("each letter of ours arrives", letter[0], f"letter {letter[2]} to {letter[1]}")
        for letter in self._spared:
            if not any(
                excuse(*letter) for excuse in (self._may_be_spared, self._is_superseded, self._is_merged)
            ):
                self._accuse("no letter is left out", letter[0], f"letter {letter[2]} to {letter[1]}")

    def _may_be_spared(self, game: int, side: str, number: int) -> bool:
        """Whether its reader has asked for no emails or a daily one, and can do without this one."""
        mailing = self._hours[self._games[game].players[side]].mailing
        return self._kinds[game, side, number] in _STOPPED.get(mailing, ())

    def _is_superseded(self, game: int, side: str, number: int) -> bool:
        """Whether a turn's email was left out because a later turn's email told more."""
        later = (
            self._kinds.get(letter)
            for letter in self._texts.keys() | self._spared
            if letter[:2] == (game, side) and letter[2] > number
        )
        return self._kinds[game, side, number] in {"turn", "reminder"} and "turn" in later

    def _is_merged(self, game: int, side: str, number: int) -> bool:
        """Whether the next turn's email included the answer to a move."""
        turn = (game, side, number + 1)
        is_answer = self._kinds[game, side, number] == "answer" and self._kinds.get(turn) == "turn"
        return is_answer and (turn in self._texts or turn in self._given_up)

    def _count_answers(self, row: Row) -> None:
        answers = self._answers[row.name]
        if len(answers) > 1 or {side for _, side, _ in answers} - {row.side}:
            self._accuse("each letter is judged once", row.game, f"{row.name} was answered by {answers}")
        is_lost = any(game == row.game and side == row.side for game, side, _ in self._given_up)
        if not answers and not is_lost:
            self._accuse("each letter is judged once", row.game, f"{row.name} was not answered")

    def _read_over(self, line: dict[str, Any]) -> None:
        game = self._games[line["game"]]
        turn = game.turn
        if turn and line["reason"] in ("time", "void"):
            self._hear_in_time(game, turn)
            self._flagged(game, turn)
        game.is_over, game.turn = True, None
        self._running.pop(game.number, None)

    def _flagged(self, game: Game, turn: Turn) -> None:
        self.counts["flags"] += 1
        if turn.is_unsure:
            self.counts["flags of which nothing is sure"] += 1
            return
        if not turn.is_timed:
            if self._now < turn.began + _RESTS + _RESTS_OVERDUE - 3 * DAY:
                self._accuse("no game ends early", game.number, "it has no clock")
            return
        if turn.left > turn.blur:
            self._accuse("no game is flagged early", game.number, f"{turn.side}, {turn.left} was left")
            return
        over_at = turn.over_at or self._now
        if game.has_unread(over_at - turn.blur):
            self._accuse("no game is flagged over an unread letter", game.number, turn.side)
        if self._now < self._working.since + _STEADY:
            self._accuse("no game is flagged just after a standstill", game.number, turn.side)
        self._was_told(game, turn)
        is_claimed = game.claimed_at == self._now
        if "claim" in game.clock.words and not is_claimed and self._now < over_at + _UNCLAIMED - DAY:
            self._accuse("no game ends early", game.number, "nobody has claimed it")

    def _was_told(self, game: Game, turn: Turn) -> None:
        """Unless the game has waited for as long as it can, or for the email of the turn."""
        has_waited = turn.is_untold or turn.is_delayed or game.held[turn.side] >= _WAITS
        if turn.told < _TELLINGS and not has_waited and "claim" not in game.clock.words:
            why = f"{turn.side}, by {turn.told} emails"
            self._accuse("nobody is flagged who was not told twice", game.number, why)

    def _read_swept(self, _line: dict[str, Any]) -> None:
        for game in self._running.values():
            if self._now >= game.look_from and game.turn and not game.is_paused:
                self._look(game, game.turn)

    def _look(self, game: Game, turn: Turn) -> None:
        """Check what a finished sweep must have done."""
        if not turn.is_timed:
            self._look_at_rest(game, turn)
            return
        self._hear_in_time(game, turn)
        if turn.is_unsure or turn.is_accused or (turn.heard_at is None and not turn.is_delayed):
            return
        if turn.over_at:
            self._look_for_a_flag(game, turn, turn.over_at)
        else:
            self._look_for_reminders(game, turn)

    def _look_at_rest(self, game: Game, turn: Turn) -> None:
        if self._now > turn.began + _RESTS + 3 * DAY and not turn.is_overdue:
            turn.is_overdue = True
            self._accuse("who rests is told", game.number, turn.side)

    def _look_for_a_flag(self, game: Game, turn: Turn, over_at: datetime) -> None:
        due = max(over_at, self._working.since + _STEADY) + _GRACE + turn.blur
        if "claim" in game.clock.words:
            due = over_at + _GRACE + turn.blur
            if turn.is_overdue:
                assert turn.overdue_at
                due = turn.overdue_at + _UNCLAIMED + DAY
        if self._now > due and not game.has_unread(over_at + turn.blur):
            turn.is_accused = True
            self._accuse("no flag is late", game.number, f"{turn.side}, the time was over at {over_at}")

    def _look_for_reminders(self, game: Game, turn: Turn) -> None:
        hours = self._hours[game.players[turn.side]]
        for before, at in list(turn.coming.items()):
            if turn.used is not None and before >= turn.used:
                del turn.coming[before]
            elif self._now > at + turn.blur and not game.has_unread(None) and not hours.is_quiet(self._now):
                del turn.coming[before]
                self._accuse("no reminder is missing", game.number, f"{turn.side}, {before}, due at {at}")
        nearest = min(turn.coming.values(), default=turn.as_of + max(turn.left, NOTHING))
        game.look_from = min(nearest, turn.as_of + max(turn.left, NOTHING))
        if turn.heard_at is None:
            game.look_from = _ZERO


def _come(rungs: dict[timedelta, datetime], by: datetime) -> list[timedelta]:
    """The reminders due by a moment."""
    return [before for before, at in rungs.items() if at <= by]


def _parsed(line: str) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(line)
    for name in ("at", "made", "read", "received", "time"):
        if isinstance(parsed.get(name), str):
            parsed[name] = datetime.fromisoformat(parsed[name])
    return parsed
