"""Holds a game's public state at one moment, and what one side may know of the turn's time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from corr.game.standing_orders import StandingOrdersText
from corr.game.state import State
from corr.game.time_off import Span
from corr.game.turn_deadline import ShownTime
from corr.words.board import Side
from corr.words.slips import Outcome
from corr.words.view import Stage

_MINUTE = timedelta(minutes=1)
#: The minutes that White and Black have saved.
Banks: TypeAlias = tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class PublicState:
    """A game's state as a side is told it, independent of the opponent's secret acts."""

    state: Stage
    ply: int
    turn: Side | None
    time: ShownTime
    late: bool
    paused: bool
    offer: Side | None
    outcome: Outcome | None
    lesson: int | None = None  # of a tutorial
    pause_asked: Side | None = None
    pause_until: datetime | None = None
    outage: Span | None = None  # when the server was down in this turn
    banks: Banks = None  # in minutes
    standing: str = ""  # this side's orders for its next turn
    standing_waits: bool = False
    standing_delay: str = ""  # how long they wait once the opponent has moved
    seal: str = ""  # of the last finished turn, as emails show it

    @property
    def is_over(self) -> bool:
        return self.state is Stage.OVER

    @property
    def words(self) -> dict[str, Any]:
        """Return the state as data that is stored with an email, for `parse_state`."""
        deadline, until, outcome = self.time.deadline, self.time.until, self.outcome
        return {
            "state": self.state,
            "ply": self.ply,
            "turn": self.turn,
            "deadline": deadline.isoformat() if deadline else None,
            "late": self.late,
            "delay": self.time.delay,
            "until": until.isoformat() if until else None,
            "paused": self.paused,
            "offer": self.offer,
            "outcome": [outcome.winner, outcome.reason] if outcome else None,
            "lesson": self.lesson,
            **(self._ordered if self.standing else {}),
            **self._of_the_clock,
        }

    @property
    def _of_the_clock(self) -> dict[str, Any]:
        """Return the entries about pauses, outages and time banks, without empty ones."""
        until = self.pause_until.isoformat() if self.pause_until else None
        outage = [each.isoformat() for each in self.outage] if self.outage else None
        told = {"pause_asked": self.pause_asked, "pause_until": until, "outage": outage, "banks": self.banks}
        return {key: datum for key, datum in told.items() if datum}

    @property
    def _ordered(self) -> dict[str, Any]:
        """Return the entries about the side's orders for its next turn."""
        return {
            "standing": self.standing,
            "standing_waits": self.standing_waits,
            "standing_delay": self.standing_delay,
        }


def make_public_state(
    state: State, side: Side, standing: StandingOrdersText | None, now: datetime
) -> PublicState:
    """Return what a side may know of its game besides slips, such as the deadline."""
    shown = state.shown(side, now)
    kept = None if state.stage is Stage.OVER else standing
    return PublicState(
        state=state.stage,
        ply=state.ply,
        turn=state.turn,
        time=shown,
        late=shown.deadline is not None and now > shown.deadline and not state.paused,
        paused=state.paused,
        offer=state.draw_offer.offer,
        outcome=state.outcome,
        pause_asked=state.pause.asked,
        pause_until=state.pause.until,
        outage=state.time.outage,
        banks=banks_in_minutes(state.banks.white, state.banks.black),
        lesson=state.lesson,
        standing=kept.text if kept else "",
        standing_waits=bool(kept and kept.due_at),
        standing_delay=kept.delay if kept else "",
    )


def parse_state(words: Mapping[str, Any], seal: str = "") -> PublicState:
    """Read the public state that `PublicState.words` stored with an email."""
    return PublicState(
        state=Stage(words["state"]),
        ply=words["ply"],
        turn=side_of(words["turn"]),
        time=ShownTime(_moment(words["deadline"]), words.get("delay", ""), _moment(words.get("until"))),
        late=words["late"],
        paused=words.get("paused", False),  # emails from before there were pauses lack it
        offer=side_of(words["offer"]),
        outcome=outcome_of(*words["outcome"]) if words["outcome"] else None,
        lesson=words.get("lesson"),  # emails from before there were tutorials lack it
        pause_asked=side_of(words.get("pause_asked")),
        pause_until=_moment(words.get("pause_until")),
        outage=Span(*map(datetime.fromisoformat, words["outage"])) if words.get("outage") else None,
        banks=tuple(words["banks"]) if words.get("banks") else None,
        standing=words.get("standing", ""),
        standing_waits=words.get("standing_waits", False),
        standing_delay=words.get("standing_delay", ""),
        seal=seal,
    )


def banks_in_minutes(white: timedelta | None, black: timedelta | None) -> Banks:
    """Return both sides' saved time in minutes; None if the game has no time banks."""
    return None if white is None or black is None else (white // _MINUTE, black // _MINUTE)


def side_of(name: str | None) -> Side | None:
    return Side(name) if name else None


def outcome_of(winner: str | None, reason: str | None) -> Outcome | None:
    """Return a game's outcome; None while it is not over."""
    return Outcome(side_of(winner), reason) if reason else None


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
