"""Holds a match as one value: its state, how that changes, and why an order cannot act now. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypeAlias

from corr import limits
from corr.game import match
from corr.game.calendar import Calendar, Span
from corr.game.clock import Clock, DeploymentStatus
from corr.game.match import Match, MatchReply
from corr.game.pause import NO_PAUSE, Pause
from corr.game.reminders import ReminderSettings
from corr.game.time_habits import DEFAULT_TIME_SETTINGS, TimeSettings
from corr.game.turn_notice import ShownTime, TurnTime
from corr.orders import Trait, has_trait
from corr.words.board import Pair, Side
from corr.words.orders import Command, Order, StandingOrders
from corr.words.slips import Outcome
from corr.words.view import Stage

_MOMENT = timedelta(microseconds=1)
#: A player whose time runs out before making this many moves does not lose.
_EARLY_PLIES = 2
#: The side that would like another game, or the code of the new game once both agreed.
RematchState: TypeAlias = Side | str


def awaited_sides(stage: str, turn: str | None) -> tuple[Side, ...]:
    """Return the sides the umpire waits for; while they deploy, both until one has done so."""
    if turn is None:
        return tuple(Side) if stage == Stage.DEPLOYING else ()
    return (Side(turn),)


@dataclass(frozen=True, slots=True)
class State:
    """All that a match's own rules know of it at one moment."""

    clock: Clock
    stage: Stage = Stage.OFFERED
    accepted: Pair[bool] = field(default=Pair(False, False))
    ply: int = 0  # below 0 while both deploy: it counts the rounds
    turn: Side | None = None
    time: TurnTime = field(default=TurnTime())
    habits: Pair[TimeSettings] = field(default=Pair(DEFAULT_TIME_SETTINGS, DEFAULT_TIME_SETTINGS))
    banks: Pair[timedelta | None] = field(default=Pair(None, None))
    remind_at: Pair[datetime | None] = field(default=Pair(None, None))
    reminded: Pair[timedelta | None] = field(
        default=Pair(None, None)
    )  # how long before the deadline, this turn
    match: Match = field(default=Match())
    pause: Pause = NO_PAUSE
    offer_slip: int | None = None  # the first slip whose reply can answer the open offer
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

    def asks(self, side: Side) -> bool:
        """Whether a side has anything to answer: its turn, a draw or pause, or a proposed new game."""
        is_offered = self.under_way and side.other in (self.match.offer, self.pause.asked)
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
        """Return the side whose flag has fallen; White if the game waits for both."""
        has_fallen = self.awaited and self._is_due(now) and self.time.can_expire
        return self.awaited[0] if has_fallen and self._is_steady(now) else None

    def _is_steady(self, moment: datetime) -> bool:
        return self.flags_from is None or moment >= self.flags_from

    def sides_to_remind(self, now: datetime) -> tuple[Side, ...]:
        """Return the sides due for a reminder.

        None is due while the turn's email is still to go out within its hour.
        """
        due = (side for side in self.awaited if (at := self.remind_at[side]) and at <= now)
        return () if self.paused or not self.time.can_expire else tuple(due)

    def is_reminder_due(self, side: Side, now: datetime) -> bool:
        """Whether the moment of an unused reminder or last call has come, by the current deadline."""
        return self._is_unused(side, self._used(side, now))

    def has_own_reminder_due(self, side: Side, now: datetime) -> bool:
        """Like has_rung, but only for reminders that the side asked for."""
        return self._is_unused(side, self._reminding(side).used(*self._turn, now))

    def last_calls(self, side: Side, now: datetime) -> int:
        """Return how many emails should have told a side of its turn by now."""
        return len(self._reminding(side).called(*self._turn, now))

    def count_reminders_left(self, side: Side, now: datetime) -> int:
        """Return how many of a side's own reminders are still to come."""
        return self._reminding(side).count_left(*self._turn, now)

    def _is_unused(self, side: Side, rung: timedelta | None) -> bool:
        reminded = self.reminded[side]
        return rung is not None and (reminded is None or rung < reminded)

    def _used(self, side: Side, now: datetime) -> timedelta | None:
        """Return how long before the deadline the latest due reminder or last call is."""
        own = self._reminding(side).used(*self._turn, now)
        called = self._reminding(side).called(*self._turn, now)
        return min((*called, own) if own is not None else called, default=None)

    def _reminding(self, side: Side) -> ReminderSettings:
        return self.habits[side].reminding

    @property
    def _turn(self) -> tuple[datetime, timedelta]:
        """The deadline of the turn, and its whole time."""
        assert self.time.deadline
        assert self.whole
        return self.time.deadline, self.whole

    def _is_due(self, moment: datetime) -> bool:
        return not self.paused and self.time.deadline is not None and moment > self.time.deadline

    # ------------------------------------------------------------ begin, play, end

    def accept(self, side: Side) -> State:
        """Record that a side wants to play this game."""
        return replace(self, accepted=self.accepted.with_value(side, True))

    def deploy(self, now: datetime) -> State:
        """Start a round in which both deploy; emails for an earlier round are then too old."""
        ply = min(self.ply, 0) - 1
        return replace(self, stage=Stage.DEPLOYING, ply=ply, match=self._renew_offer).pass_turn(None, now)

    def seal(self, turn: Side, now: datetime) -> State:
        """Record that one side has deployed, so that the umpire waits for the other only."""
        return replace(self, turn=turn, time=self.time.sealed(turn.other, now))

    def play(self, turn: Side | None, now: datetime) -> State:
        """Start play once the pieces are on the board."""
        return replace(self, stage=Stage.RUNNING, ply=0, match=self._renew_offer).pass_turn(turn, now)

    def set_up(self, lesson: int, turn: Side | None, now: datetime) -> State:
        """Set up the pieces for a lesson; emails for another lesson are then too old."""
        missing = self.ply % 2 if turn is Side.WHITE else 1 - self.ply % 2
        return replace(self, lesson=lesson, ply=self.ply + missing).pass_turn(turn, now)

    def move(
        self, side: Side, turn: Side | None, now: datetime, at: datetime, handed_over: datetime | None = None
    ) -> State:
        """Record a move that arrived at a moment; it declines what the opponent offered.

        A late email about the turn may have been delivered by then.
        """
        left = min(self._left(side, self.time.last_running_moment(at), handed_over), self._most_left(now))
        banks = self.banks.with_value(side, self.clock.pace.saved(self.banks[side], left))
        moved = replace(self, ply=self.ply + 1, banks=banks)
        if self.pause.asked is side.other:
            moved = replace(moved, pause=NO_PAUSE)
        return moved.offer(match.after_move(self.match, side), self.offer_slip).pass_turn(turn, now)

    def _left(self, side: Side, at: datetime, handed_over: datetime | None) -> timedelta:
        """Return the time left in a turn, using only what both sides know.

        After a late email the clock may have started when its reader opened a page, and the bank must not reveal
        that.
        """
        time, whole, wait = self.time, self.whole, self.time.waits[side]
        if time.deadline is None or whole is None:
            return timedelta()
        if time.earliest is None or wait.delayed_from is None:
            return time.left_at(at)
        began, counted = wait.began(handed_over, at), time.calendar.counted
        # The system clock may have been set back since the turn's time began.
        return max(whole - counted(began, at) + counted(at, began), counted(at, time.earliest))

    def _most_left(self, now: datetime) -> timedelta:
        """Cap the time left at the whole turn, unless more is left even now.

        An email may have come before the turn's time began.
        """
        if self.time.deadline is None or self.whole is None:
            return timedelta()
        return max(self.whole, self.time.left_at(self.time.last_running_moment(now)))

    def hear(self, side: Side, word: str, *, sure: bool) -> MatchReply:
        """Return the result of a side's word about the match."""
        return match.answer_word(self.match, side, word, max(self.ply, 0), sure=sure)

    def offer(self, standing: Match, slip: int | None) -> State:
        """Set the current draw offer; a new one can be answered from this slip on."""
        kept = None if standing.offer is None else self.offer_slip or slip
        return replace(self, match=standing, offer_slip=kept)

    def end(self, outcome: Outcome, now: datetime) -> State:
        """End the game."""
        over = replace(self, stage=Stage.OVER, outcome=outcome, ended_at=now).pass_turn(None, now)
        return replace(over, time=replace(over.time, paused_at=None), pause=NO_PAUSE)

    def ask_again(self, side: Side) -> State:
        """Record that a side wants another game."""
        return replace(self, again=side)

    def begin_again(self, code: str) -> State:
        """Record that both sides wanted another game, and that it has begun."""
        return replace(self, again=code)

    @property
    def _renew_offer(self) -> Match:
        """Keep an open draw offer, but forget that a side offered one in this turn of an earlier stage."""
        return Match(self.match.offer)

    # ------------------------------------------------------------ the time of the turn

    def pass_turn(self, turn: Side | None, now: datetime) -> State:
        """Start the clock of the side to move, or of both if both deploy.

        In a paused game it does not run.
        """
        passed = replace(self, turn=turn)
        time = self.time.begun(passed.whole, passed.calendar, now)
        return replace(passed, time=time, remind_at=Pair(None, None), reminded=Pair(None, None))

    def restart(self, now: datetime) -> State:
        """Restart the time of this turn."""
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
        """Stop the clock from now on."""
        return replace(self, time=self.time.paused(now))

    def resume(self, now: datetime) -> State:
        """Let the clock run again."""
        return replace(self, time=self.time.resumed(now))

    def extend(self, span: timedelta, now: datetime) -> State:
        """Add time to this turn."""
        return replace(self, time=self.time.extended(span, now))

    def settle(self, heard: Mapping[Side, datetime]) -> State:
        """Start the turn's clock when all awaited sides have heard of their turn, if they have."""
        return replace(self, time=self.time.settled(self.awaited, heard))

    def mark_untold(self, side: Side, letter: int, since: datetime, now: datetime, most: timedelta) -> State:
        """Treat a side as not told for at most this long, since the email about its turn came back."""
        whole = self.whole
        if side not in self.awaited or whole is None:
            return self
        return replace(self, time=self.time.untold(side, letter, since, whole, now, most))

    def end_wait(self, side: Side) -> State:
        """Run the clock as if this side had been told at once."""
        return replace(self, time=self.time.without_wait(side)).settle({})

    def limit_wait(self, side: Side, until: datetime) -> State:
        """Wait for this side until a moment only, then run the clock though it was not told."""
        return replace(self, time=self.time.use_up_rest(self.awaited, side, until))

    def delay(self, late: Iterable[Side]) -> State:
        """Note that the emails to these sides are late; the clock waits for them within the limit."""
        return replace(self, time=self.time.delayed(self.awaited, late))

    def count_waiting(self, handed_over: Mapping[Side, datetime], now: datetime) -> State:
        """Count how long the game waited for these sides, whose emails went out late."""
        return replace(self, time=self.time.counted(handed_over, now))

    def tell(self, sides: Iterable[Side]) -> State:
        """Note that these sides know that their emails are no longer late."""
        return replace(self, time=self.time.told(sides))

    def remind(self, sides: Iterable[Side], now: datetime) -> State:
        """Note that these sides were reminded, so that none gets this reminder or an earlier one again."""
        reminded = self.reminded
        for side in sides:
            reminded = reminded.with_value(side, self._used(side, now))
        return replace(self, reminded=reminded)

    def is_quiet(self, side: Side, now: datetime) -> bool:
        """Whether a due reminder waits for the end of its reader's quiet hours."""
        return self._quiet_until(side, now) is not None

    def _quiet_until(self, side: Side, now: datetime) -> datetime | None:
        deadline = self.time.deadline
        return self.habits[side].reminding.waits(deadline, now) if deadline else None

    def with_reminders(self, now: datetime) -> State:
        """Set when each awaited side is reminded next, by the current deadline."""
        return replace(self, remind_at=Pair(*(self._remind_at(side, now) for side in Side)))

    def _remind_at(self, side: Side, now: datetime) -> datetime | None:
        if side not in self.awaited or self.clock.is_live or self.paused:
            return None
        if self.clock.is_untimed:
            return self.remind_at[side] or now + (
                limits.IDLE_GAME_END if self.is_overdue(side) else limits.IDLE_GAME_NOTICE
            )
        deadline, whole, reminding = self.time.deadline, self.whole, self.habits[side].reminding
        assert deadline
        assert whole
        due, until = self.remind_at[side], self._quiet_until(side, now)
        if due and until and (due <= now or due == until):
            return until
        after = due - _MOMENT if due and due <= now else now
        rung = reminding.next(deadline, whole, after, self.reminded[side])
        if rung or not self.clock.claimed:
            return rung.at if rung else None
        return deadline + (limits.UNCLAIMED_LIFE if self.is_overdue(side) else limits.CLAIM_DELAY)

    def is_overdue(self, side: Side) -> bool:
        """Whether a side was told that its time is over, or that a game without clock rests too long."""
        return self.reminded[side] == timedelta()

    def note_overdue_told(self, side: Side) -> State:
        """Note that a side was told so; the end of the game comes next."""
        remind_at = self.remind_at.with_value(side, None)
        return replace(self, reminded=self.reminded.with_value(side, timedelta()), remind_at=remind_at)

    def start_leave(self, now: datetime) -> State:
        """Put a side whose time ran out on leave, with some time left once it is back."""
        return replace(self, time=self.time.left(limits.TIME_AFTER_LEAVE, self.calendar, now))

    def extend_after_last_call(self, side: Side, span: timedelta, now: datetime) -> State:
        """Give a side whose time ran out another span.

        Too few emails had told it of the turn.
        """
        time = self.time.left(span, self.calendar, now)
        wait = time.waits[side]
        return replace(
            self, time=replace(time, waits=time.waits.with_value(side, replace(wait, held=wait.held + span)))
        )

    def credit(self, number: int, outage: Span) -> State:
        """Give back the time of an outage, since the server was down."""
        return replace(self, credited=number, time=self.time.credited(outage))

    def put_over(self, now: datetime) -> State:
        """Apply the new calendar after an awaited side has changed its settings."""
        if not self.awaited or self.calendar == self.time.calendar:
            return self
        return replace(self, time=self.time.put_over(self.calendar, now))

    @property
    def whole(self) -> timedelta | None:
        """The whole time of this turn; None if it has no limit or the game waits for nobody."""
        return self.clock.time(self.banks[self.awaited[0]], self.used) if self.awaited else None

    @property
    def calendar(self) -> Calendar:
        """Which time counts for the awaited sides, by their current settings."""
        if self.clock.steady or self.clock.is_live:
            return Calendar()
        return Calendar(
            tuple(self.habits[side].leave for side in self.awaited if self.habits[side].leave.is_any)
        )

    @property
    def used(self) -> DeploymentStatus:
        """What happened before this turn."""
        if self.stage is Stage.DEPLOYING:
            return DeploymentStatus(deploys=True, clashes=-1 - self.ply)
        return DeploymentStatus()

    def shown(self, side: Side, now: datetime) -> ShownTime:
        """Return what a side may know of the turn's time."""
        return self.time.shown(side, self.awaited, self.time.clock_moment(now))


@dataclass(frozen=True, slots=True)
class OrderBatch:
    """The orders of an email, with what decides whether they are still fresh."""

    side: Side
    orders: tuple[Order, ...]
    slip: int
    ply: int
    received_at: datetime
    inbox_id: int
    confirms: bool
    page: bool = False  # it was written on a web page
    told: int | None = None  # how many moves the writer knew of, if known
    confirmed_at: datetime | None = None  # when its writer confirmed it, if it was doubtful

    @property
    def charged_until(self) -> datetime:
        """Until when the turn charges the bank.

        A player who must confirm an email can think of another until then.
        """
        return self.confirmed_at or self.received_at

    def is_ahead(self, ply: int) -> bool:
        """Whether an email out of turn answers the slip of its writer's last turn or a newer one."""
        return self.ply >= ply - 1

    def is_informed(self, ply: int) -> bool:
        """Whether the writer knew of this many moves, so that an order out of turn is deliberate."""
        return self.told is not None and self.told >= ply

    def predates_own_move(self, ply: int) -> bool:
        """Whether an order out of turn was written before its writer knew of their own move."""
        return self.told is not None and self.told < ply and ply > 0

    def predates_opponents_move(self, ply: int) -> bool:
        """Whether it was written for the current turn, but before the writer knew of the opponent's move."""
        return self.told is not None and self.told == ply - 1 and self.ply >= 0

    def is_sure(self, resign: Command) -> bool:
        """Whether the player has confirmed their resignation."""
        return resign.rest == "resign" or self.confirms


def is_board_order(order: Order) -> bool:
    """Whether the umpire judges an order on the board, unlike a word about the match, emails or the player."""
    return not isinstance(order, Command | StandingOrders)


# ---------------------------------------------------------------- why an order cannot act


def find_obstacle(state: State, written: OrderBatch, order: Order) -> str | None:
    """Return why an order cannot act now, as a note; None if it can."""
    match order:
        case Command() if has_trait(order, Trait.AT_ANY_TIME):
            return None
        case Command(word="resign"):
            return _standstill(state)
        case _ if state.is_late(written.side, written.received_at):
            return "late"
        case Command():
            return _word_obstacle(state, written, order)
        case StandingOrders():
            return _standing_obstacle(state, written)
        case _:
            return _board_obstacle(state, written)


def is_stopping(state: State, written: OrderBatch, order: Order, note: str | None) -> bool:
    """Whether an order that cannot act stops the rest of its email, since in doubt nothing is tried."""
    match order:
        case Command(word="resign"):
            return state.under_way and not written.is_sure(order) and len(written.orders) > 1
        case Command(word="accept") if state.under_way:
            return note is not None or not all(isinstance(each, Command) for each in written.orders)
        case _:
            return note is not None and (
                isinstance(order, StandingOrders) or has_trait(order, Trait.HOLDS_UP)
            )


def _standstill(state: State) -> str | None:
    if state.under_way:
        return None
    return "not_begun" if state.stage is Stage.OFFERED else _declined_obstacle(state) or "over"


def _declined_obstacle(state: State) -> str | None:
    return "declined" if state.outcome and state.outcome.reason == "declined" else None


def _word_obstacle(state: State, written: OrderBatch, order: Command) -> str | None:
    match order.word:
        case "again":
            return _again_obstacle(state, written.side)
        case "pause?" | "resume" | "claim":
            return _standstill(state) or _time_obstacle(state, written, order.word)
        case "accept" | "decline":
            return _answer_obstacle(state, written)
        case _ if has_trait(order, Trait.GAME):
            return _standstill(state)
        case _:
            return _misplaced_word_note(order)


def _misplaced_word_note(order: Command) -> str:
    """Return the note for a word that does nothing in any game."""
    return "nothing_to_confirm" if order.word == "confirm" else "for_the_site"


def _answer_obstacle(state: State, written: OrderBatch) -> str | None:
    if state.stage is Stage.OFFERED:
        return None
    if not state.under_way:
        return _standstill(state)
    if state.match.offer is None and state.pause.asked is written.side.other:
        return None
    if state.match.offer is not written.side.other:
        return "nothing_on_offer"
    return "old_offer" if written.slip < (state.offer_slip or 0) else None


def _time_obstacle(state: State, written: OrderBatch, word: str) -> str | None:
    match word:
        case "pause?":
            return _pause_obstacle(state, written.side)
        case "resume":
            return None if state.pause.until else "no_pause_to_end"
        case _:
            return None if state.may_claim(written.side, written.received_at) else "nothing_to_claim"


def _pause_obstacle(state: State, side: Side) -> str | None:
    if state.lesson or state.clock.steady or state.clock.is_live or state.time.deadline is None:
        return "no_pause"
    if state.paused:
        return "is_paused"
    return "pause_waits" if state.pause.asked is side else None


def _again_obstacle(state: State, side: Side) -> str | None:
    if state.stage is not Stage.OVER:
        return "not_over"
    if state.again in (None, side.other):
        return _declined_obstacle(state)
    return "again_waits" if state.again == side else "again_begun"


def _standing_obstacle(state: State, written: OrderBatch) -> str | None:
    """Say why an order for the next turn cannot act.

    It must come after the side's own move, and holds for one turn.
    """
    if state.stage is not Stage.RUNNING:
        return _standstill(state) or "not_begun"
    if state.turn is not written.side:
        return _ahead_obstacle(state, written)
    if written.ply != state.ply:
        return "overtaken_if" if written.predates_opponents_move(state.ply) else "old"
    return None if any(map(is_board_order, written.orders)) else "beside_no_move"


def _ahead_obstacle(state: State, written: OrderBatch) -> str | None:
    """Say why an order ahead cannot act.

    An email may come before its writer's move is answered; a page is answered at once, so its order may not.
    """
    if not written.is_ahead(state.ply):
        return "old"
    return "moved_before" if written.page and written.predates_own_move(state.ply) else None


def _board_obstacle(state: State, written: OrderBatch) -> str | None:
    if not state.under_way:
        return _standstill(state)
    if state.stage is Stage.RUNNING and state.turn is not written.side:
        return "moved_before" if written.predates_own_move(state.ply) else "not_your_turn"
    if state.stage is Stage.DEPLOYING and written.ply == 0:
        return None  # the challenge, and emails from before the first round
    if written.ply == state.ply:
        return None
    if written.predates_opponents_move(state.ply):
        return "overtaken"
    return "old_set_up" if written.ply < 0 else "old"
