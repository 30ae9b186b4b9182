"""The tutorial: a game against the house's tutor, in lessons, for each of which the men stand anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy import Connection, bindparam, func, select

from corr import limits
from corr.desk.people import players
from corr.desk.table import bench
from corr.desk.table.pairing import Pairing
from corr.desk.table.sitting import Sitting, sit_down
from corr.lessons import Script, tutorial
from corr.store.once import take_turns
from corr.store.tables import Game, OutboxRow, SeatRow
from corr.words.board import Pair, Side
from corr.words.slips import Outcome, Slip, Verdict
from corr.words.view import Stage, Try

CLOCK = "30d"
_TUTOR = "the tutor"
_PUPILS, _TUTORS = Side.WHITE, Side.BLACK
_NO_MOVE = (Verdict.REFUSED, Verdict.NONSENSE, Verdict.UNREADABLE, "exhausted")


@dataclass(frozen=True, slots=True)
class Taught:
    """What the tutor says to a pupil's orders: a note that a template words, and what belongs to the lesson."""

    note: str
    said: str


class Done(Protocol):
    """What became of a pupil's order."""

    @property
    def note(self) -> str: ...

    @property
    def tried(self) -> tuple[Try, ...]: ...


def variant() -> str:
    """By whose rules the lessons are played."""
    return tutorial().variant


def obstacle(connection: Connection, player_id: int, now: datetime) -> str | None:
    """Why no tutorial can begin for a player, as a note: one goes on, or there were enough of them within a day."""
    take_turns(connection, f"tutorials of {player_id}")
    if _going_on(connection, player_id):
        return "tutorial_goes_on"
    lately = {"player": player_id, "since": now - _DAY}
    begun = connection.execute(_BEGUN, lately).scalar_one()
    return "enough_tutorials" if begun >= limits.TUTORIALS_A_DAY else None


def pairing(connection: Connection, player_id: int) -> Pairing:
    """A tutorial for a player."""
    tutor = players.of_the_house(connection, _TUTOR)
    return Pairing(Pair(player_id, tutor), variant(), CLOCK, rated=False, lesson=1, house=_TUTORS)


def end_all(connection: Connection, player_id: int, now: datetime) -> None:
    """What a player has begun of the tutorial comes to nothing, and nobody is written to."""
    for game_id in _going_on(connection, player_id):
        sitting = sit_down(connection, game_id, now)
        sitting.state = sitting.state.end(Outcome(None, "void"), now)
        sitting.close()


def _going_on(connection: Connection, player_id: int) -> Sequence[int]:
    return connection.execute(_GOING_ON, {"player": player_id}).scalars().all()


_DAY = timedelta(days=1)
_OF_PLAYER = SeatRow.player_id == bindparam("player")
_GOING_ON = (
    select(Game.id)
    .join(SeatRow, SeatRow.game_id == Game.id)
    .where(_OF_PLAYER, Game.lesson.is_not(None), Game.state != Stage.OVER)
)
#: A game begins with its first letter.
_BEGUN = (
    select(func.count())
    .select_from(SeatRow)
    .join(Game, Game.id == SeatRow.game_id)
    .join(OutboxRow, (OutboxRow.seat_id == SeatRow.id) & (OutboxRow.number == 1))
    .where(_OF_PLAYER, Game.lesson.is_not(None), OutboxRow.made_at > bindparam("since"))
)


def teach(sitting: Sitting, done: Sequence[Done]) -> Taught | None:
    """Go on with the lessons after a pupil's orders have acted; nothing in any other game, and at the end."""
    if sitting.state.lesson is None or not sitting.state.under_way:
        return None
    scripts = tutorial()
    script = scripts.script(sitting.state.lesson)
    if not any(each.note == Verdict.MOVED for each in done):
        return Taught("not_yet", script.hint) if any(each.note in _NO_MOVE for each in done) else None
    if not _AIMS[script.aim](sitting, done):
        _set_up(sitting, script)
        return Taught("anew", script.hint)
    _set_up(sitting, scripts.script(script.lesson.number + 1))
    return Taught("done", script.done)


def _has_captured(sitting: Sitting, _done: Sequence[Done]) -> bool:
    sight = sitting.chairs[_PUPILS].sight
    return sight is not None and sight.lost[_TUTORS].men > 0


_AIMS: dict[str, Callable[[Sitting, Sequence[Done]], bool]] = {
    "move": lambda _sitting, _done: True,
    "list": lambda _sitting, done: any(each.note == Verdict.MOVED and each.tried for each in done),
    "capture": _has_captured,
    "mate": lambda _sitting, _done: False,  # it ends the game
}


def _set_up(sitting: Sitting, script: Script) -> None:
    """The men stand as a lesson needs them, and both sides hear of it; where Black begins, the tutor moves.

    What the pupil has imagined of the lesson before is gone.
    """
    sitting.chairs[_PUPILS].ghosts = ()
    table = sitting.connection, sitting.game_id, sitting.variant
    begun = bench.set_up(*table, script.position)
    sitting.state = sitting.state.set_up(script.lesson.number, begun.turn, sitting.now)
    if not script.opens:
        _hand_out(sitting.tell, begun)
        return
    _hand_out(sitting.add, begun)
    ((_, moved),) = bench.play(*table, _TUTORS, script.opens)
    sitting.state = sitting.state.move(_TUTORS, moved.turn, sitting.now)
    _hand_out(sitting.tell, moved)


def _hand_out(hand: Callable[[Side, Slip], None], judgement: bench.Judgement) -> None:
    for side in Side:
        slip = judgement.slips[side]
        if slip:
            hand(side, slip)
