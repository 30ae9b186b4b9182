"""A match as one value: where it stands, what becomes of it, and why an order cannot act now. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from corr.game import match
from corr.game.clock import Clock, Used
from corr.game.match import Match, Reply
from corr.game.telling import Shown, Time
from corr.orders import Trait, has
from corr.words.board import Pair, Side
from corr.words.orders import Order, StandingOrders, Word
from corr.words.slips import Outcome
from corr.words.view import Stage

#: Who would like another game; or both did, and it has begun.
Again: TypeAlias = Side | Literal["agreed"]


def awaited(stage: str, turn: str | None) -> tuple[Side, ...]:
    """Whose order the umpire waits for: while they deploy, of both until one is in."""
    if turn is None:
        return tuple(Side) if stage == Stage.DEPLOYING else ()
    return (Side(turn),)


@dataclass(frozen=True, slots=True)
class State:
    """All that a match's own rules know of it at one moment."""

    clock: Clock
    stage: Stage = Stage.OFFERED
    accepted: Pair[bool] = field(default=Pair(False, False))
    ply: int = 0  # below 0 while both deploy: how many rounds of it there were
    turn: Side | None = None
    time: Time = field(default=Time())
    match: Match = field(default=Match())
    offer_slip: int | None = None  # from which slip on the offer that stands can be answered
    outcome: Outcome | None = None
    ended_at: datetime | None = None
    again: Again | None = None
    lesson: int | None = None  # of a tutorial

    @property
    def under_way(self) -> bool:
        """True from the first letter to both until the end: while both deploy, and while they play."""
        return self.stage in (Stage.DEPLOYING, Stage.RUNNING)

    @property
    def awaited(self) -> tuple[Side, ...]:
        return awaited(self.stage, self.turn)

    def asks(self, side: Side) -> bool:
        """Whether there is anything for a side to answer: its turn, a draw, or that the other would play again."""
        is_offered = self.under_way and self.match.offer is side.other
        return side in self.awaited or is_offered or self.again == side.other

    @property
    def paused(self) -> bool:
        return self.time.paused_at is not None

    def is_due(self, side: Side, moment: datetime) -> bool:
        """True if a side's deadline lay before a moment, as far as is known; both deploy by one time."""
        has_clock = self.stage is Stage.DEPLOYING or side in self.awaited
        return has_clock and self._is_due(moment)

    def is_late(self, side: Side, moment: datetime) -> bool:
        """True if a letter of a side that arrived at a moment came after its flag fell."""
        return self.is_due(side, moment) and self.time.may_run_out

    def flagged(self, now: datetime) -> Side | None:
        """Whose flag has fallen; of two who are awaited it is White's."""
        has_fallen = self.awaited and self._is_due(now) and self.time.may_run_out
        return self.awaited[0] if has_fallen else None

    def reminds(self, now: datetime) -> bool:
        """Whether a reminder is due to whom the umpire waits for."""
        remind_at = self.time.remind_at
        return bool(self.awaited) and not self.paused and remind_at is not None and remind_at <= now

    def _is_due(self, moment: datetime) -> bool:
        return not self.paused and self.time.deadline is not None and moment > self.time.deadline

    # ------------------------------------------------------------ begin, play, end

    def accept(self, side: Side) -> State:
        """A side would like to play this game."""
        return replace(self, accepted=self.accepted.but(side, True))

    def deploy(self, now: datetime) -> State:
        """Both deploy, for the first time or anew: what was written for an earlier round is old."""
        ply = min(self.ply, 0) - 1
        return replace(self, stage=Stage.DEPLOYING, ply=ply, match=self._offered_anew).pass_turn(None, now)

    def seal(self, turn: Side, now: datetime) -> State:
        """One side has deployed, and the umpire waits for the other alone."""
        return replace(self, turn=turn, time=self.time.sealed(turn.other, now))

    def play(self, turn: Side | None, now: datetime) -> State:
        """The men are on the board."""
        return replace(self, stage=Stage.RUNNING, ply=0, match=self._offered_anew).pass_turn(turn, now)

    def set_up(self, lesson: int, turn: Side | None, now: datetime) -> State:
        """The men stand anew for a lesson: what was written for another is old."""
        missing = self.ply % 2 if turn is Side.WHITE else 1 - self.ply % 2
        return replace(self, lesson=lesson, ply=self.ply + missing).pass_turn(turn, now)

    def move(self, side: Side, turn: Side | None, now: datetime) -> State:
        """A side has moved, which turns down what the other offered."""
        moved = replace(self, ply=self.ply + 1).offer(match.moved(self.match, side), self.offer_slip)
        return moved.pass_turn(turn, now)

    def hear(self, side: Side, word: str, *, sure: bool) -> Reply:
        """What becomes of a word of a side's about the match."""
        return match.hear(self.match, side, word, max(self.ply, 0), sure=sure)

    def offer(self, standing: Match, slip: int | None) -> State:
        """The draw offer as it stands; a new one can be answered from this slip on."""
        kept = None if standing.offer is None else self.offer_slip or slip
        return replace(self, match=standing, offer_slip=kept)

    def end(self, outcome: Outcome, now: datetime) -> State:
        """The game is over."""
        over = replace(self, stage=Stage.OVER, outcome=outcome, ended_at=now).pass_turn(None, now)
        return replace(over, time=replace(over.time, paused_at=None))

    def ask_again(self, side: Side) -> State:
        """A side would like another game, which begins if the other has asked for it."""
        return replace(self, again="agreed" if self.again == side.other else side)

    @property
    def _offered_anew(self) -> Match:
        """A draw that was offered in an earlier stage is no offer of this turn; one that stands goes on standing."""
        return Match(self.match.offer)

    # ------------------------------------------------------------ the time of the turn

    def pass_turn(self, turn: Side | None, now: datetime) -> State:
        """The clock of the side to move starts, or that of both where both deploy; it stands in a paused game."""
        passed = replace(self, turn=turn)
        if not passed.awaited:
            return replace(passed, time=self.time.begun(None, None, now))
        clock, used = self.clock, passed.used
        time = self.time.begun(clock.deadline(now, used), clock.reminder(now, used), now)
        return replace(passed, time=time)

    def begin_anew(self, side: Side, now: datetime) -> State:
        """The time of this turn begins anew for a side; where the other is awaited too, it may be untold."""
        state, other = self.pass_turn(self.turn, now), side.other
        untold = self.time.waits[other].letter
        if other not in self.awaited or untold is None:
            return state
        return replace(state, time=state.time.waiting({other: untold}, now))

    def number_letters(self, letters: Mapping[Side, int], now: datetime) -> State:
        """Who gets a letter about a new turn is told when it goes out, and everybody else was told already."""
        if not self.time.is_new:
            return self
        about = {side: letters[side] for side in self.awaited if side in letters}
        return replace(self, time=replace(self.time.waiting(about, now), is_new=False))

    def pause(self, now: datetime) -> State:
        """From now on no time runs."""
        return replace(self, time=self.time.paused(now))

    def resume(self, now: datetime) -> State:
        """The time runs again."""
        return replace(self, time=self.time.resumed(now))

    def extend(self, span: timedelta, now: datetime) -> State:
        """More time for this turn."""
        return replace(self, time=self.time.extended(span, now))

    def settle(self, heard: Mapping[Side, datetime]) -> State:
        """The time runs from when all who are awaited heard of their turn, if they did."""
        return replace(self, time=self.time.settled(self.awaited, heard))

    def delay(self, late: Iterable[Side]) -> State:
        """The letters to these are late, and the time waits for them as long as it can."""
        return replace(self, time=self.time.delayed(self.awaited, late))

    def count_waiting(self, handed_over: Mapping[Side, datetime], now: datetime) -> State:
        """For how long the game has waited for these, whose letters went out late, is counted."""
        return replace(self, time=self.time.counted(handed_over, now))

    def tell(self, sides: Iterable[Side]) -> State:
        """These are told that their letters are no longer late."""
        return replace(self, time=self.time.told(sides))

    def remind(self) -> State:
        """Who is awaited was reminded, once a turn."""
        return replace(self, time=replace(self.time, remind_at=None))

    @property
    def used(self) -> Used:
        """What came before this turn."""
        if self.stage is Stage.DEPLOYING:
            return Used(clashes=-1 - self.ply)
        return Used(moves=(self.ply + (self.turn is Side.WHITE)) // 2)

    def shown(self, side: Side, now: datetime) -> Shown:
        """What a side may know of the time of the turn."""
        return self.time.shown(side, self.awaited, self.time.stands_at(now))


@dataclass(frozen=True, slots=True)
class Written:
    """A letter's orders, with what decides whether they are fresh."""

    side: Side
    orders: tuple[Order, ...]
    slip: int
    ply: int
    received_at: datetime
    inbox_id: int
    confirms: bool
    page: bool = False  # it was written on a page
    told: int | None = None  # how many moves its writer knew to be made, where that is known

    def is_ahead(self, ply: int) -> bool:
        """Whether a letter out of turn answers the slip of its writer's last turn, or a newer one."""
        return self.ply >= ply - 1

    def is_informed(self, ply: int) -> bool:
        """Whether its writer had before them that so many moves were made: what is out of turn is so on purpose."""
        return self.told is not None and self.told >= ply

    def is_second_thought(self, ply: int) -> bool:
        """Whether what came out of turn was written before its writer knew of their own move."""
        return self.told is not None and self.told < ply and ply > 0

    def is_overtaken(self, ply: int) -> bool:
        """Whether it was written for the turn that has come, by who did not know yet that the other side has moved."""
        return self.told is not None and self.told == ply - 1 and self.ply >= 0

    def is_sure(self, resign: Word) -> bool:
        """Whether who gives up has said so twice."""
        return resign.rest == "resign" or self.confirms


def is_for_the_board(order: Order) -> bool:
    """Whether the umpire judges it on the board: it is no word about the match, the mail or oneself."""
    return not isinstance(order, Word | StandingOrders)


# ---------------------------------------------------------------- what stands in an order's way


def obstacle(state: State, written: Written, order: Order) -> str | None:
    """Why an order cannot act now, as a note; None where it can."""
    match order:
        case Word() if has(order, Trait.AT_ANY_TIME):
            return None
        case Word(word="resign"):
            return _standstill(state)
        case _ if state.is_late(written.side, written.received_at):
            return "late"
        case Word():
            return _word_obstacle(state, written, order)
        case StandingOrders():
            return _standing_obstacle(state, written)
        case _:
            return _board_obstacle(state, written)


def is_stopping(state: State, written: Written, order: Order, note: str | None) -> bool:
    """In doubt nothing is tried: some orders, where they cannot act, hold up the rest of their letter."""
    match order:
        case Word(word="resign"):
            return state.under_way and not written.is_sure(order) and len(written.orders) > 1
        case Word(word="accept") if state.under_way:
            return note is not None or not all(isinstance(each, Word) for each in written.orders)
        case _:
            return note is not None and (isinstance(order, StandingOrders) or has(order, Trait.HOLDS_UP))


def _standstill(state: State) -> str | None:
    """Why nothing can be done in a game that is not under way."""
    if state.under_way:
        return None
    return "not_begun" if state.stage is Stage.OFFERED else _declined(state) or "over"


def _declined(state: State) -> str | None:
    return "declined" if state.outcome and state.outcome.reason == "declined" else None


def _word_obstacle(state: State, written: Written, order: Word) -> str | None:
    match order.word:
        case "again" | "draw?" if state.lesson:
            return f"no_{order.word.rstrip('?')}"
        case "again":
            return _again_obstacle(state, written.side)
        case "accept" | "decline":
            return _answer_obstacle(state, written)
        case "confirm" | "claim":
            return f"nothing_to_{order.word}"
        case _ if has(order, Trait.GAME):
            return _standstill(state)
        case _:
            return "for_the_site" if has(order, Trait.SITE) else "not_acting"


def _answer_obstacle(state: State, written: Written) -> str | None:
    """Why neither a game that is proposed nor a draw can be taken or turned down."""
    if state.stage is Stage.OFFERED:
        return None
    if not state.under_way:
        return _standstill(state)
    if state.match.offer is not written.side.other:
        return "nothing_on_offer"
    return "old_offer" if written.slip < (state.offer_slip or 0) else None


def _again_obstacle(state: State, side: Side) -> str | None:
    """Why another game cannot be asked for now."""
    if state.stage is not Stage.OVER:
        return "not_over"
    if state.again == "agreed":
        return "again_begun"
    return "again_waits" if state.again == side else _declined(state)


def _standing_obstacle(state: State, written: Written) -> str | None:
    """Why nothing can be ordered for the next turn: that comes once one has moved, and is for one turn."""
    if state.stage is not Stage.RUNNING:
        return _standstill(state) or "not_begun"
    if state.turn is not written.side:
        return _ahead_obstacle(state, written)
    if written.ply != state.ply:
        return "overtaken_if" if written.is_overtaken(state.ply) else "old"
    return None if any(map(is_for_the_board, written.orders)) else "beside_no_move"


def _ahead_obstacle(state: State, written: Written) -> str | None:
    """A letter may order for the next turn before its writer's move is answered; a page is answered at once."""
    if not written.is_ahead(state.ply):
        return "old"
    return "moved_before" if written.page and written.is_second_thought(state.ply) else None


def _board_obstacle(state: State, written: Written) -> str | None:
    if not state.under_way:
        return _standstill(state)
    if state.stage is Stage.RUNNING and state.turn is not written.side:
        return "moved_before" if written.is_second_thought(state.ply) else "not_your_turn"
    if state.stage is Stage.DEPLOYING and written.ply == 0:
        return None  # the challenge, and what was said before the first round
    if written.ply == state.ply:
        return None
    if written.is_overtaken(state.ply):
        return "overtaken"
    return "old_set_up" if written.ply < 0 else "old"
