"""Runs the tutorial: lessons with the site's tutor, each from a new position; the last is a whole game."""

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
    """The tutor's answer: a note that a template words, and the lesson's text."""

    note: str
    said: str


class Done(Protocol):
    """The result of a pupil's order."""

    @property
    def note(self) -> str: ...

    @property
    def tried(self) -> tuple[Try, ...]: ...


def variant() -> str:
    """Return the variant of the lessons."""
    return tutorial().variant


def obstacle(connection: Connection, player_id: int, now: datetime) -> str | None:
    """Return why a tutorial cannot begin: one is running, or too many within a day."""
    take_turns(connection, f"tutorials of {player_id}")
    if _going_on(connection, player_id):
        return "tutorial_goes_on"
    lately = {"player": player_id, "since": now - _DAY}
    begun = connection.execute(_BEGUN, lately).scalar_one()
    return "enough_tutorials" if begun >= limits.TUTORIALS_A_DAY else None


def pairing(connection: Connection, player_id: int) -> Pairing:
    """Return the pairing of a player's tutorial."""
    tutor = players.of_the_house(connection, _TUTOR)
    return Pairing(Pair(player_id, tutor), variant(), CLOCK, rated=False, lesson=1, house=_TUTORS)


def end_all(connection: Connection, player_id: int, now: datetime) -> None:
    """End a player's running tutorials without a result, and email nobody."""
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
#: A game begins with its first email.
_BEGUN = (
    select(func.count())
    .select_from(SeatRow)
    .join(Game, Game.id == SeatRow.game_id)
    .join(OutboxRow, (OutboxRow.seat_id == SeatRow.id) & (OutboxRow.number == 1))
    .where(_OF_PLAYER, Game.lesson.is_not(None), OutboxRow.made_at > bindparam("since"))
)


def hindrance(sitting: Sitting, order: Order) -> str | None:
    """Return why a match word does nothing in a tutorial; only its game has draws."""
    if sitting.state.lesson is None or not isinstance(order, Word):
        return None
    if order.word == "again":
        return "no_again"
    return "no_draw" if order.word == "draw?" and not is_game(sitting.state.lesson) else None


def teach(sitting: Sitting, done: Sequence[Done]) -> Taught | None:
    """Advance the lessons after a pupil's orders; None elsewhere and at the end.

    In the last lesson, a whole game, a move leads to no other lesson. If the tutor's bot is not running, the
    pupil is told.
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
    """Whether the tutor is to move while its bot is not running."""
    return sitting.state.turn is _TUTORS and not house_bots.are_awake(sitting.connection, sitting.now)


_AIMS: dict[str, Callable[[Sequence[Done]], bool]] = {
    "move": lambda _done: True,
    "list": lambda done: any(each.note == Verdict.MOVED and each.tried for each in done),
}


def _set_up(sitting: Sitting, script: Script) -> None:
    """Set up a lesson's position and tell both sides, apart from earlier news.

    The pupil's ghosts from the lesson before are removed.
    """
    sitting.chairs[_PUPILS].ghosts = ()
    sitting.hear(_TUTORS)
    begun = umpire_access.set_up(sitting.connection, sitting.game_id, sitting.variant, script.position)
    sitting.state = sitting.state.set_up(script.lesson.number, begun.turn, sitting.now)
    lifecycle.tell_both(sitting, begun.slips)
