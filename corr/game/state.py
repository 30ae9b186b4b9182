"""Holds what is known of a game apart from the board, as one value: turn, time, offers, and how they change. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypeAlias

from corr import limits
from corr.game import resign_and_draw
from corr.game.clock import Clock, DeploymentStatus
from corr.game.reminder_times import DEFAULT_TIME_SETTINGS, TimeSettings
from corr.game.resign_and_draw import NO_PAUSE, DrawOffer, MatchReply, Pause
from corr.game.time_off import Calendar, Span
from corr.game.turn_deadline import ShownTime, TurnTime
from corr.words.board import Pair, Side
from corr.words.slips import Outcome
from corr.words.view import Stage

_EARLY_PLIES = 2  # a player whose time runs out before making this many moves does not lose
#: The side that would like another game, or the code of the new game once both agreed.
RematchState: TypeAlias = Side | str


def awaited_sides(stage: str, turn: str | None) -> tuple[Side, ...]:
    """Return the sides the umpire waits for; while they deploy, both until one has done so."""
    if turn is None:
        return tuple(Side) if stage == Stage.DEPLOYING else ()
    return (Side(turn),)


@dataclass(frozen=True, slots=True)
class State:
    """A game's stage, turn, time, offers and outcome; methods that change anything return a changed copy."""

    clock: Clock
    stage: Stage = Stage.OFFERED
    accepted: Pair[bool] = field(default=Pair(False, False))
    ply: int = 0  # below 0 while both deploy: it counts the rounds
    turn: Side | None = None
    time: TurnTime = field(default=TurnTime())
    habits: Pair[TimeSettings] = field(default=Pair(DEFAULT_TIME_SETTINGS, DEFAULT_TIME_SETTINGS))
    banks: Pair[timedelta | None] = field(default=Pair(None, None))
    remind_at: Pair[datetime | None] = field(default=Pair(None, None))
    #: How long before the deadline each side was last reminded in this turn.
    reminded: Pair[timedelta | None] = field(default=Pair(None, None))
    draw_offer: DrawOffer = field(default=DrawOffer())
    pause: Pause = NO_PAUSE
    offer_slip: int | None = None  # the first slip whose reply can answer the newest offer of a draw or pause
    outcome: Outcome | None = None
    ended_at: datetime | None = None
    again: RematchState | None = None
    lesson: int | None = None  # of a tutorial
    credited: int = 0  # the newest outage that put off this match's time
    flags_from: datetime | None = None  # nobody loses on time before, since the server was down

    @property
    def under_way(self) -> bool:
        """Whether the match has started and not ended: both deploy or play."""
        return self.stage in (Stage.DEPLOYING, Stage.RUNNING)

    @property
    def awaited(self) -> tuple[Side, ...]:
        return awaited_sides(self.stage, self.turn)

    def has_to_answer(self, side: Side) -> bool:
        """Whether a side has anything to answer: its turn, a draw or pause, or a proposed new game."""
        is_offered = self.under_way and side.other in (self.draw_offer.offer, self.pause.asked)
        return side in self.awaited or is_offered or self.again == side.other

    @property
    def has_hardly_begun(self) -> bool:
        """Whether the side to move has not made its second move."""
        return self.stage is Stage.DEPLOYING or (self.lesson is None and self.ply // 2 < _EARLY_PLIES)

    @property
    def paused(self) -> bool:
        return self.time.paused_at is not None

    def is_due(self, side: Side, moment: datetime) -> bool:
        """Whether a side's deadline, as known now, was before a moment; both sides deploy by one deadline."""
        has_clock = self.stage is Stage.DEPLOYING or side in self.awaited
        return has_clock and self._is_due(moment)

    def is_late(self, side: Side, moment: datetime) -> bool:
        """Whether an email of a side that arrived at a moment came after its flag fell."""
        is_over = self.is_due(side, moment) and self.time.can_expire and self._is_steady(moment)
        return is_over and not self.clock.claimed

    def may_claim(self, side: Side, moment: datetime) -> bool:
        """Whether a side may claim the game at a moment because the opponent's time is over."""
        return self.clock.claimed and self.flagged(moment - limits.CLAIM_DELAY) is side.other

    def flagged(self, now: datetime) -> Side | None:
        """Return the side whose time has run out, White if both deploy; None if neither's has."""
        has_fallen = self.awaited and self._is_due(now) and self.time.can_expire
        return self.awaited[0] if has_fallen and self._is_steady(now) else None

    def _is_steady(self, moment: datetime) -> bool:
        """Whether a side can lose on time at this moment: not soon after an outage."""
        return self.flags_from is None or moment >= self.flags_from

    def _is_due(self, moment: datetime) -> bool:
        """Whether the deadline was before this moment, in a game that isn't paused."""
        return not self.paused and self.time.deadline is not None and moment > self.time.deadline

    def accept(self, side: Side) -> State:
        """Record that a side wants to play this game."""
        return replace(self, accepted=self.accepted.with_value(side, True))

    def deploy(self, now: datetime) -> State:
        """Start a round in which both deploy; emails for an earlier round are then too old."""
        ply = min(self.ply, 0) - 1
        return replace(self, stage=Stage.DEPLOYING, ply=ply, draw_offer=self._renew_offer).pass_turn(
            None, now
        )

    def seal(self, turn: Side, now: datetime) -> State:
        """Record that one side has deployed, so that the umpire waits for the other only."""
        return replace(self, turn=turn, time=self.time.sealed(turn.other, now))

    def play(self, turn: Side | None, now: datetime) -> State:
        """Start play once the pieces are on the board."""
        return replace(self, stage=Stage.RUNNING, ply=0, draw_offer=self._renew_offer).pass_turn(turn, now)

    def set_up(self, lesson: int, turn: Side | None, now: datetime) -> State:
        """Set up the pieces for a lesson; emails for another lesson are then too old."""
        missing = self.ply % 2 if turn is Side.WHITE else 1 - self.ply % 2
        return replace(self, lesson=lesson, ply=self.ply + (missing or len(Side))).pass_turn(turn, now)

    def move(
        self, side: Side, turn: Side | None, now: datetime, at: datetime, delivered_at: datetime | None = None
    ) -> State:
        """Record a move that arrived at a moment; it declines what the opponent offered."""
        # A late email about the turn may have been delivered by then.
        left = min(self._left(side, self.time.last_running_moment(at), delivered_at), self._most_left(now))
        banks = self.banks.with_value(side, self.clock.pace.saved(self.banks[side], left))
        moved = replace(self, ply=self.ply + 1, banks=banks)
        if self.pause.asked is side.other:
            moved = replace(moved, pause=NO_PAUSE)
        return moved.offer(resign_and_draw.after_move(self.draw_offer, side), self.offer_slip).pass_turn(
            turn, now
        )

    def _left(self, side: Side, at: datetime, delivered_at: datetime | None) -> timedelta:
        """Return the time left in a turn, using only what both sides know."""
        # The clock may have started when the reader of a late email opened a page; the bank must not reveal that.
        time, whole, wait = self.time, self.whole, self.time.waits[side]
        if time.deadline is None or whole is None:
            return timedelta()
        if time.earliest is None or wait.delayed_from is None:
            return time.left_at(at)
        began, counted = wait.began(delivered_at, at), time.calendar.counted
        # The system clock may have been set back since the turn's time began.
        return max(whole - counted(began, at) + counted(at, began), counted(at, time.earliest))

    def _most_left(self, now: datetime) -> timedelta:
        """Cap the time left at the whole turn, unless more is left even now."""
        # An email may have come before the turn's time began.
        if self.time.deadline is None or self.whole is None:
            return timedelta()
        return max(self.whole, self.time.left_at(self.time.last_running_moment(now)))

    def answer_word(self, side: Side, word: str, *, sure: bool) -> MatchReply:
        """Answer a side's resignation, draw offer or reply to one, without changing this state."""
        return resign_and_draw.answer_word(self.draw_offer, side, word, max(self.ply, 0), sure=sure)

    def offer(self, draw_offer: DrawOffer, slip: int | None) -> State:
        """Set the current draw offer; a new one can be answered from this slip on."""
        is_new = draw_offer.offer not in (None, self.draw_offer.offer)
        return replace(self, draw_offer=draw_offer, offer_slip=slip if is_new else self.offer_slip)

    def ask_for_pause(self, side: Side, slip: int) -> State:
        """Record a side's request for a pause, which can be answered from this slip on."""
        return replace(self, pause=Pause(side), offer_slip=slip)

    def end(self, outcome: Outcome, now: datetime) -> State:
        over = replace(self, stage=Stage.OVER, outcome=outcome, ended_at=now).pass_turn(None, now)
        return replace(over, time=replace(over.time, paused_at=None), pause=NO_PAUSE)

    def ask_again(self, side: Side) -> State:
        """Record that a side wants another game."""
        return replace(self, again=side)

    def begin_again(self, code: str) -> State:
        """Record the code of the rematch that both sides wanted and that has begun."""
        return replace(self, again=code)

    @property
    def _renew_offer(self) -> DrawOffer:
        """Keep an open draw offer, but forget that a side offered one in this turn of an earlier stage."""
        return DrawOffer(self.draw_offer.offer)

    def pass_turn(self, turn: Side | None, now: datetime) -> State:
        """Start the clock of the side to move, or of both if both deploy."""
        # In a paused game it does not run.
        passed = replace(self, turn=turn)
        time = self.time.begun(passed.whole, passed.calendar, now)
        return replace(passed, time=time, remind_at=Pair(None, None), reminded=Pair(None, None))

    def restart(self, now: datetime) -> State:
        """Give the current turn all of its time again."""
        state = self.pass_turn(self.turn, now)
        return replace(state, time=state.time.anew(self.time, now))

    def begin_anew(self, side: Side, now: datetime) -> State:
        """Restart the turn's time for a side, while the other side may still wait for its email."""
        state, other = self.restart(now), side.other
        untold = self.time.waits[other].letter
        if other not in self.awaited or untold is None:
            return state
        return replace(state, time=state.time.waiting({other: untold}, now))

    def note_turn_emails(self, letters: Mapping[Side, int], now: datetime) -> State:
        """Note the emails that tell of a new turn; sides without an email already know of it."""
        if not self.time.is_new:
            return self
        about = {side: letters[side] for side in self.awaited if side in letters}
        return replace(self, time=replace(self.time.waiting(about, now), is_new=False))

    def stop_clock(self, now: datetime) -> State:
        return replace(self, time=self.time.paused(now))

    def resume(self, now: datetime) -> State:
        return replace(self, time=self.time.resumed(now))

    def extend(self, span: timedelta, now: datetime) -> State:
        return replace(self, time=self.time.extended(span, now))

    def settle(self, heard: Mapping[Side, datetime]) -> State:
        """Start the turn's clock if all sides to move have heard of their turn."""
        return replace(self, time=self.time.settled(self.awaited, heard))

    def mark_untold(self, side: Side, letter: int, since: datetime, now: datetime, most: timedelta) -> State:
        """Let the clock wait for a side again, at most this long, because the email about its turn bounced."""
        whole = self.whole
        if side not in self.awaited or whole is None:
            return self
        return replace(self, time=self.time.wait_after_bounce(side, letter, since, whole, now, most))

    def end_wait(self, side: Side) -> State:
        """Run the clock as if this side had been told at once."""
        return replace(self, time=self.time.without_wait(side)).settle({})

    def limit_wait(self, side: Side, until: datetime) -> State:
        """Wait for this side until a moment only, then run the clock even if it wasn't told."""
        return replace(self, time=self.time.limit_wait(self.awaited, side, until))

    def delay(self, late: Iterable[Side]) -> State:
        """Note that the emails to these sides are late; the clock waits for them within the limit."""
        return replace(self, time=self.time.delayed(self.awaited, late))

    def count_waiting(self, delivered_at: Mapping[Side, datetime], now: datetime) -> State:
        """Count how long the game waited for these sides, whose emails went out late."""
        return replace(self, time=self.time.counted(delivered_at, now))

    def mark_told(self, sides: Iterable[Side]) -> State:
        """Note that these sides know that their emails are no longer late."""
        return replace(self, time=self.time.mark_told(sides))

    def start_leave(self, now: datetime) -> State:
        """Put a side whose time ran out on leave, with some time left once it is back."""
        return replace(self, time=self.time.with_time_left(limits.TIME_AFTER_LEAVE, self.calendar, now))

    def extend_after_last_call(self, side: Side, span: timedelta, now: datetime) -> State:
        """Give a side whose time ran out another span, because too few emails had told it of the turn."""
        time = self.time.with_time_left(span, self.calendar, now)
        wait = time.waits[side]
        return replace(
            self, time=replace(time, waits=time.waits.with_value(side, replace(wait, held=wait.held + span)))
        )

    def credit(self, number: int, outage: Span) -> State:
        """Give back the time of an outage, since the server was down."""
        return replace(self, credited=number, time=self.time.credited(outage))

    def change_calendar(self, now: datetime) -> State:
        """Apply the players' new weekends and vacations after one of them has changed settings."""
        if not self.awaited or self.calendar == self.time.calendar:
            return self
        return replace(self, time=self.time.change_calendar(self.calendar, now))

    @property
    def whole(self) -> timedelta | None:
        """The whole time of this turn; None if it has no limit or the game waits for nobody."""
        return self.clock.time(self.banks[self.awaited[0]], self.deployment) if self.awaited else None

    @property
    def calendar(self) -> Calendar:
        """Which time counts for the awaited sides, by their current settings."""
        if self.clock.steady or self.clock.is_live:
            return Calendar()
        return Calendar(
            tuple(self.habits[side].leave for side in self.awaited if self.habits[side].leave.is_any)
        )

    @property
    def deployment(self) -> DeploymentStatus:
        """Whether both sides deploy in this turn, and how many deployments clashed before."""
        if self.stage is Stage.DEPLOYING:
            return DeploymentStatus(deploys=True, clashes=-1 - self.ply)
        return DeploymentStatus()

    def shown(self, side: Side, now: datetime) -> ShownTime:
        """Return what a side may know of the turn's time."""
        return self.time.shown(side, self.awaited, self.time.clock_moment(now))
