"""One game while its row is held: what is public about it, what each side is handed, what is written.

A sitting belongs to one transaction. Slips, letters and the game's new state are gathered on the way and
written when it closes, so that each seat gets at most one letter a transaction.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, bindparam, insert, select, update

from corr.desk import keeping
from corr.game import telling
from corr.game.clock import clock_of
from corr.game.match import Match
from corr.game.telling import Time, Told
from corr.store.slips import pack, unpack
from corr.store.tables import Game, OrderRow, OutboxRow, SeatRow, SlipRow
from corr.words import Fact, Outcome, Pair, Side, Sight, Slip

# Statements are made once: making one anew for each letter takes longer than the database does.
_SIT_DOWN = (
    # NO KEY UPDATE on PostgreSQL: a letter that is just coming in for the seat need not wait.
    select(Game.__table__).where(Game.id == bindparam("game")).with_for_update(key_share=True)
)
# Never joined with the above: whoever waits for the row gets that row anew, but its seats as they were before.
_CHAIRS = select(SeatRow.__table__).where(SeatRow.game_id == bindparam("game"))
_NEWEST_SLIP = select(SlipRow.facts, SlipRow.sight).where(
    SlipRow.seat_id == bindparam("seat"),
    SlipRow.number == bindparam("slip"),
    SlipRow.step == bindparam("at_step"),
)
_LOG, _KEEP_SLIP, _WRITE = insert(OrderRow), insert(SlipRow), insert(OutboxRow)
_KEEP_GAME = update(Game).where(Game.id == bindparam("game"))
_KEEP_CHAIR = update(SeatRow).where(SeatRow.id == bindparam("chair"))


@dataclass(slots=True)
class Chair:
    """A seat during a sitting: its counters, the slip that is news, what it sees, whether a letter is owed."""

    id: int
    accepted: bool
    slips: int
    steps: int
    letters: int
    answers: int
    telling: int | None  # which letter tells of this turn; none where there is nothing to wait for
    opened_at: datetime | None  # when the page was opened, if that was before this letter went out
    delayed_from: datetime | None  # since when the time waits, where that letter is late
    held: timedelta  # for so long the game has waited for this side in all
    news: Slip | None = None
    sight: Sight | None = None
    owed: bool = False


@dataclass(slots=True)
class Sitting:
    """One game while its row is held."""

    connection: Connection
    now: datetime
    game_id: int
    variant: str
    clock: str
    state: str
    ply: int
    turn: Side | None
    deadline: datetime | None
    remind_at: datetime | None
    match: Match
    offer_slip: int | None
    outcome: Outcome | None
    again: str | None  # who would like another game, or that there is one
    ended_at: datetime | None
    kept_until: datetime | None  # when the letters of a game that is over go
    paused_at: datetime | None  # since when no time runs in this turn
    waits_from: datetime | None  # since when it waits until who is awaited is told
    earliest: datetime | None  # the deadline if all had been told at once, where somebody was not
    chairs: Pair[Chair]
    _is_passed: bool = False
    _slips: list[dict[str, object]] = field(default_factory=list)
    _letters: list[dict[str, object]] = field(default_factory=list)
    _ends: bool = False

    @property
    def running(self) -> bool:
        """True from the first letter to both until the end: while both deploy, and while they play."""
        return self.deploying or self.state == "running"

    @property
    def deploying(self) -> bool:
        return self.state == "deploying"

    @property
    def awaited(self) -> tuple[Side, ...]:
        """Whose order the umpire waits for: while they deploy, of both until one is in."""
        if self.turn is None:
            return tuple(Side) if self.deploying else ()
        return (self.turn,)

    @property
    def paused(self) -> bool:
        return self.paused_at is not None

    # ------------------------------------------------------------ handing out

    def tell(self, side: Side, slip: Slip) -> None:
        """Hand a side a slip that is news to it: it gets a number and a letter, once a sitting."""
        chair = self.chairs[side]
        if chair.news:
            chair.news = Slip(side, chair.news.facts + slip.facts, slip.sight)
        else:
            chair.slips, chair.steps, chair.news = chair.slips + 1, 0, slip
        chair.owed, chair.sight = True, slip.sight

    def add(self, side: Side, slip: Slip) -> None:
        """Hand a side a slip that brings it no letter of its own: a further step of its last number."""
        chair = self.chairs[side]
        self._keep_news(chair)
        chair.steps += 1
        self._keep(chair, slip)

    def say(self, side: Side, facts: tuple[Fact, ...]) -> Slip:
        """A slip with other facts and the sight that the side has already."""
        return Slip(side, facts, self.chairs[side].sight or self._newest_sight(side))

    def skip_numbers(self, gap: int) -> None:
        """Leave numbers out, so that none of them is given to anything else; what each side sees stays."""
        for side in Side:
            chair = self.chairs[side]
            chair.letters += gap
            if self.running:
                seen = Slip(side, (), self._newest_sight(side))
                chair.slips, chair.steps = chair.slips + gap, 0
                self._keep(chair, seen)
            else:
                chair.slips += gap

    def _newest_sight(self, side: Side) -> Sight:
        chair = self.chairs[side]
        newest = {"seat": chair.id, "slip": chair.slips, "at_step": chair.steps}
        row = self.connection.execute(_NEWEST_SLIP, newest).one()
        return unpack(side, row.facts, row.sight).sight

    def log(self, side: Side, inbox_id: int, order: str, verdict: str, said: str, ply: int) -> None:
        """Write down what was put to the umpire and what became of it."""
        self.connection.execute(
            _LOG,
            {
                "seat_id": self.chairs[side].id,
                "inbox_id": inbox_id,
                "ply": ply,
                "text": order,
                "verdict": verdict,
                "said": said,
                "at": self.now,
            },
        )

    def _keep_news(self, chair: Chair) -> None:
        if chair.news:
            self._keep(chair, chair.news)
        chair.news = None

    def _keep(self, chair: Chair, slip: Slip) -> None:
        facts, sight = pack(slip)
        chair.sight = slip.sight
        self._slips.append(
            {
                "seat_id": chair.id,
                "number": chair.slips,
                "step": chair.steps,
                "ply": self.ply,
                "facts": facts,
                "sight": sight,
            },
        )

    # ------------------------------------------------------------ turns and ends

    def pass_turn(self, turn: Side | None) -> None:
        """The clock of the side to move starts, or that of both where both deploy; it stands in a paused game."""
        clock = clock_of(self.clock)
        self._stop_waiting()
        if self.paused:
            self.paused_at = self.now
        self.turn = turn
        self.deadline = clock.deadline(self.now, self._halvings) if self.awaited else None
        self.remind_at = clock.reminder(self.now, self._halvings) if self.awaited else None

    def begin_anew(self, side: Side) -> None:
        """The time of this turn begins anew for a side; where the other is awaited too, it may be untold."""
        other = self.chairs[side.other]
        untold = other.telling if side.other in self.awaited else None
        self.pass_turn(self.turn)
        if untold and telling.left(other.held):
            other.telling, self.waits_from = untold, self.now

    def _stop_waiting(self) -> None:
        """Nobody need be told of the last turn any more; for how long the game has waited is kept."""
        for chair in self._both():
            self._wait_no_longer(chair)
        self.waits_from = self.earliest = None
        self._is_passed = True

    def _wait_no_longer(self, chair: Chair) -> None:
        if chair.delayed_from and chair.telling:
            until = self.paused_at or self.now
            chair.held += telling.waited(chair.delayed_from, until, telling.left(chair.held))
        chair.telling = chair.delayed_from = None

    def seal(self, turn: Side) -> None:
        """One side has deployed, as one does who was told, and the umpire waits for the other alone."""
        self.turn = turn
        chair, other = self.chairs[turn.other], self.chairs[turn]
        is_untold = other.delayed_from and other.telling
        if chair.delayed_from and self.earliest and self.waits_from and not is_untold:
            until = self.paused_at or self.now
            wait = telling.waited(self.waits_from, until, telling.left(chair.held))
            self.earliest, self.waits_from = self.earliest + wait, self.waits_from + wait
        self._wait_no_longer(chair)

    def _both(self) -> tuple[Chair, ...]:
        return tuple(self.chairs[side] for side in Side)

    def _begin_waiting(self) -> None:
        """Who gets a letter about the turn is told when it goes out, and everybody else was told already."""
        written = {letter["seat_id"] for letter in self._letters}
        for side in self.awaited:
            chair = self.chairs[side]
            if chair.id in written and telling.left(chair.held):
                chair.telling, self.waits_from = chair.letters, self.now

    def pause(self) -> None:
        """From now on no time runs."""
        self.paused_at = self.now

    def resume(self) -> None:
        """The time runs again: what was left of it when it was stopped is left now."""
        assert self.paused_at
        span = self.now - self.paused_at
        if self.deadline:
            self.deadline = max(self.deadline, self.paused_at) + span
        if self.remind_at:
            self.remind_at += span
        if self.waits_from:
            self.waits_from += span
        if self.earliest:
            self.earliest += span
        for chair in self._both():
            if chair.delayed_from:
                chair.delayed_from += span
        self.paused_at = None

    def extend(self, span: timedelta) -> None:
        """More time for this turn; where it had run out, from now on."""
        assert self.deadline
        self.deadline = max(self.deadline, self.paused_at or self.now) + span
        if self.remind_at:
            self.remind_at += span
        if self.earliest:
            self.earliest += span

    @property
    def _halvings(self) -> int:
        """How often the time is halved: once for each clash while both deploy, else never."""
        return -1 - self.ply if self.deploying else 0

    def deploy(self) -> None:
        """Both deploy, for the first time or anew: what was written for an earlier round is old."""
        self.state = "deploying"
        self.ply = min(self.ply, 0) - 1
        self._offer_anew()
        self.pass_turn(None)

    def play(self, turn: Side | None) -> None:
        """The men are on the board."""
        self.state, self.ply = "running", 0
        self._offer_anew()
        self.pass_turn(turn)

    def _offer_anew(self) -> None:
        """A draw that was offered in an earlier stage is no offer of this turn; one that stands goes on standing."""
        self.match = Match(self.match.offer)

    def end(self, outcome: Outcome) -> None:
        """The game is over."""
        self.state, self.outcome, self.ended_at = "over", outcome, self.now
        self._ends = True
        self.pass_turn(None)
        self.paused_at = None

    # ------------------------------------------------------------ letters

    def write(self, side: Side, kind: str, inbox_id: int | None = None, **words: object) -> None:
        """Put one letter to a side into the outbox."""
        chair = self.chairs[side]
        self._keep_news(chair)
        chair.owed = False
        chair.letters += 1
        self._letters.append(
            {
                "seat_id": chair.id,
                "number": chair.letters,
                "kind": kind,
                "slip": chair.slips,
                "step": chair.steps,
                "inbox_id": inbox_id,
                "words": json.dumps({"public": self._public(side), **words}, ensure_ascii=False),
                "made_at": self.now,
                "due_at": self.now,
                "tries": 0,
            },
        )

    def answer_on_page(self, side: Side) -> None:
        """What a side wrote on its page is answered there, with its news; of the end it is told by a letter too."""
        chair = self.chairs[side]
        self._keep_news(chair)
        chair.owed = self._ends
        chair.answers += 1

    def leave_unanswered(self, side: Side) -> None:
        """What a side wrote gets no letter: it has had enough of them; of the end it is told all the same."""
        self.chairs[side].owed |= self._ends

    def close(self) -> None:
        """Write letters to those who have news and did not get one, and the game's new state."""
        for side in Side:
            if self.chairs[side].owed:
                self.write(side, "over" if self.outcome else "turn")
        if self._is_passed:
            self._begin_waiting()
        for statement, rows in ((_KEEP_SLIP, self._slips), (_WRITE, self._letters)):
            if rows:
                self.connection.execute(statement, rows)
        self.connection.execute(_KEEP_CHAIR, [_kept(self.chairs[side]) for side in Side])
        self.connection.execute(
            _KEEP_GAME,
            {
                "game": self.game_id,
                "state": self.state,
                "ply": self.ply,
                "turn": self.turn,
                "deadline": self.deadline,
                "remind_at": self.remind_at,
                "offer": self.match.offer,
                "offer_slip": self.offer_slip,
                "offered_white": self.match.offered.white,
                "offered_black": self.match.offered.black,
                "winner": self.outcome.winner if self.outcome else None,
                "reason": self.outcome.reason if self.outcome else None,
                "again": self.again,
                "ended_at": self.ended_at,
                "kept_until": self._kept_until(),
                "paused_at": self.paused_at,
                "waits_from": self.waits_from,
                "earliest": self.earliest,
            },
        )

    def _kept_until(self) -> datetime | None:
        """When its letters go: what comes after they went is kept for as long again."""
        if self.state != "over":
            return None
        return self.kept_until or keeping.until(self.ended_at, self.now)

    def _told(self, side: Side) -> Told:
        chair = self.chairs[side]
        return Told(side in self.awaited, chair.telling is not None, chair.delayed_from, chair.held)

    def _public(self, side: Side) -> dict[str, Any]:
        """What is public, and of the time of the turn what this side may know."""
        time = Time(self.deadline, self.earliest, self.waits_from)
        shown = telling.shown(time, self._told(side), self._told(side.other), self.paused_at or self.now)
        return {
            "state": self.state,
            "ply": self.ply,
            "turn": self.turn,
            "deadline": shown.deadline.isoformat() if shown.deadline else None,
            "late": shown.deadline is not None and self.now > shown.deadline and not self.paused,
            "delay": shown.delay,
            "until": shown.until.isoformat() if shown.until else None,
            "paused": self.paused,
            "offer": self.match.offer,
            "outcome": [self.outcome.winner, self.outcome.reason] if self.outcome else None,
        }


def sit_down(connection: Connection, game_id: int, now: datetime) -> Sitting:
    """Hold a game's row until the transaction ends."""
    game = connection.execute(_SIT_DOWN, {"game": game_id}).one()
    seats = connection.execute(_CHAIRS, {"game": game_id})
    chairs = {row.side: _chair(row) for row in seats}
    return Sitting(
        connection=connection,
        now=now,
        game_id=game_id,
        variant=game.variant,
        clock=game.clock,
        state=game.state,
        ply=game.ply,
        turn=Side(game.turn) if game.turn else None,
        deadline=game.deadline,
        remind_at=game.remind_at,
        match=Match(Side(game.offer) if game.offer else None, Pair(game.offered_white, game.offered_black)),
        offer_slip=game.offer_slip,
        outcome=Outcome(Side(game.winner) if game.winner else None, game.reason) if game.reason else None,
        again=game.again,
        ended_at=game.ended_at,
        kept_until=game.kept_until,
        paused_at=game.paused_at,
        waits_from=game.waits_from,
        earliest=game.earliest,
        chairs=Pair(chairs["white"], chairs["black"]),
    )


def _chair(row: Row[*tuple[Any, ...]]) -> Chair:
    return Chair(
        id=row.id,
        accepted=row.accepted,
        slips=row.slips,
        steps=row.steps,
        letters=row.letters,
        answers=row.answers,
        telling=row.telling,
        opened_at=row.opened_at if row.telling and row.opened == row.telling else None,
        delayed_from=row.delayed_from,
        held=row.held,
    )


def _kept(chair: Chair) -> dict[str, object]:
    return {
        "chair": chair.id,
        "accepted": chair.accepted,
        "slips": chair.slips,
        "steps": chair.steps,
        "letters": chair.letters,
        "answers": chair.answers,
        "telling": chair.telling,
        "delayed_from": chair.delayed_from,
        "held": chair.held,
    }
