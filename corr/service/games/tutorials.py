"""The tutorial: lessons of the house's tutor, for each of which the men stand anew; the last is a whole game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy import Connection, bindparam, func, select

from corr import limits
from corr.lessons import Script, is_game, tutorial
from corr.service.games import lifecycle, umpire_access
from corr.service.games.game_session import Sitting, sit_down
from corr.service.games.pairing import Pairing
from corr.service.players import house_bots, players
from corr.service.players.names import as_program
from corr.store.locks import take_turns
from corr.store.tables import Game, OutboxRow, SeatRow
from corr.words.board import Pair, Side
from corr.words.orders import Order, Word
from corr.words.slips import Outcome, Verdict
from corr.words.view import Stage, Try

CLOCK = "30d"
_TUTOR = as_program("the tutor")
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


def hindrance(sitting: Sitting, order: Order) -> str | None:
    """Why a word about the match does nothing in a tutorial, as a note: only in its whole game is there a draw."""
    if sitting.state.lesson is None or not isinstance(order, Word):
        return None
    if order.word == "again":
        return "no_again"
    return "no_draw" if order.word == "draw?" and not is_game(sitting.state.lesson) else None


def teach(sitting: Sitting, done: Sequence[Done]) -> Taught | None:
    """Go on with the lessons after a pupil's orders have acted; nothing in any other game, and at the end.

    The last lesson is a whole game, in which a move leads to no other one; where nobody thinks for the tutor, its pupil
    is told.
    """
    if sitting.state.lesson is None or not sitting.state.under_way:
        return None
    scripts = tutorial()
    script = scripts.script(sitting.state.lesson)
    if not any(each.note == Verdict.MOVED for each in done):
        return Taught("not_yet", script.hint) if any(each.note in _NO_MOVE for each in done) else None
    if script.is_game:
        return Taught("asleep", "") if _is_asleep(sitting) else None
    if not _AIMS[script.aim](done):
        _set_up(sitting, script)
        return Taught("anew", script.hint)
    _set_up(sitting, scripts.script(script.lesson.number + 1))
    return Taught("done", script.done)


def _is_asleep(sitting: Sitting) -> bool:
    """Whether the tutor is to move, and nobody thinks for it."""
    return sitting.state.turn is _TUTORS and not house_bots.are_awake(sitting.connection, sitting.now)


_AIMS: dict[str, Callable[[Sequence[Done]], bool]] = {
    "move": lambda _done: True,
    "list": lambda done: any(each.note == Verdict.MOVED and each.tried for each in done),
}


def _set_up(sitting: Sitting, script: Script) -> None:
    """The men stand as a lesson needs them, and both sides hear of it, apart from what was moved before.

    What the pupil has imagined of the lesson before is gone.
    """
    sitting.chairs[_PUPILS].ghosts = ()
    sitting.hear(_TUTORS)
    begun = umpire_access.set_up(sitting.connection, sitting.game_id, sitting.variant, script.position)
    sitting.state = sitting.state.set_up(script.lesson.number, begun.turn, sitting.now)
    lifecycle.tell_both(sitting, begun.slips)
