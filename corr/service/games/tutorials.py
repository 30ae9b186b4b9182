"""Runs the tutorial (limit: `corr/limits.py`): lessons with the site's tutor from new positions, then a whole game."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, func, select

from corr import limits
from corr.game.order_obstacles import OrderBatch
from corr.service.games import lifecycle, log_rows
from corr.service.games.game_session import GameSession, open_session
from corr.service.games.lifecycle import Pairing
from corr.service.games.page_orders import AnswerItem
from corr.service.players import house_bots, players
from corr.service.players.names import add_bot_mark
from corr.store.locks import take_lock
from corr.store.tables import GameRow, OutboxRow, SeatRow
from corr.text.lessons import Script, is_whole_game, tutorial
from corr.words.board import Pair, Side
from corr.words.orders import Command, Order
from corr.words.slips import Outcome, Verdict
from corr.words.view import Stage

CLOCK = "30d"
_TUTOR = add_bot_mark("the tutor")
_PUPIL_SIDE, _TUTOR_SIDE = Side.WHITE, Side.BLACK
_NO_MOVE = (Verdict.REFUSED, Verdict.NONSENSE, Verdict.UNREADABLE, "exhausted")


def variant() -> str:
    return tutorial().variant


def find_start_obstacle(connection: Connection, player_id: int, now: datetime) -> str | None:
    """Return why a tutorial can't begin (one runs, too many today), as a template's key, or None."""
    take_lock(connection, f"tutorials of {player_id}")
    if _list_running(connection, player_id):
        return "tutorial_goes_on"
    lately = {"player": player_id, "since": now - _DAY}
    begun = connection.execute(_BEGUN_COUNT_QUERY, lately).scalar_one()
    return "enough_tutorials" if begun >= limits.TUTORIALS_A_DAY else None


def make_pairing(connection: Connection, player_id: int) -> Pairing:
    """Return the players and settings of a new tutorial, in which a bot is the tutor."""
    tutor = players.get_house_player(connection, _TUTOR)
    return Pairing(Pair(player_id, tutor), variant(), CLOCK, rated=False, lesson=1, bot_side=_TUTOR_SIDE)


def end_all(connection: Connection, player_id: int, now: datetime) -> None:
    """End a player's running tutorials without a result, and email nobody."""
    for game_id in _list_running(connection, player_id):
        session = open_session(connection, game_id, now)
        session.state = session.state.end(Outcome(None, "void"), now)
        session.close()


def _list_running(connection: Connection, player_id: int) -> Sequence[int]:
    return connection.execute(_RUNNING_QUERY, {"player": player_id}).scalars().all()


_DAY = timedelta(days=1)
_OF_PLAYER = SeatRow.player_id == bindparam("player")
_RUNNING_QUERY = (
    select(GameRow.id)
    .join(SeatRow, SeatRow.game_id == GameRow.id)
    .where(_OF_PLAYER, GameRow.lesson.is_not(None), GameRow.state != Stage.OVER)
)
#: A game begins with its first email.
_BEGUN_COUNT_QUERY = (
    select(func.count())
    .select_from(SeatRow)
    .join(GameRow, GameRow.id == SeatRow.game_id)
    .join(OutboxRow, (OutboxRow.seat_id == SeatRow.id) & (OutboxRow.number == 1))
    .where(_OF_PLAYER, GameRow.lesson.is_not(None), OutboxRow.made_at > bindparam("since"))
)


def find_word_obstacle(session: GameSession, batch: OrderBatch, order: Order) -> str | None:
    """Return why `again`, `draw?` or `skip` can't act, as a template's key, or None."""
    if not isinstance(order, Command):
        return None
    if order.word == "skip":
        if is_whole_game(session.state.lesson):
            return "nothing_to_skip"
        return None if batch.ply == session.state.ply else "old"  # a mail program may send an email twice
    if session.state.lesson is None:
        return None
    if order.word == "again":
        return "no_again"
    return "no_draw" if order.word == "draw?" and not is_whole_game(session.state.lesson) else None


def teach(session: GameSession, done: Sequence[AnswerItem]) -> dict[str, str] | None:
    """Advance, repeat or hint after a pupil's orders; return note and text, None if silent."""
    # The last lesson is a whole game: no move leads on, and we tell the pupil if the tutor's bot isn't running.
    is_skipped = any(each.note == "skipped" for each in done)
    if session.state.lesson is None or not session.state.under_way or is_skipped:
        return None
    script = tutorial().script(session.state.lesson)
    if not any(each.note == Verdict.MOVED for each in done):
        return _answer("not_yet", script.hint) if any(each.note in _NO_MOVE for each in done) else None
    if script.is_game:
        is_tutors_turn = session.state.turn is _TUTOR_SIDE
        is_asleep = is_tutors_turn and not house_bots.are_awake(session.connection, session.now)
        return _answer("asleep", "") if is_asleep else None
    if script.aim == "list" and not _has_met_refusals(session, script, done):
        _set_up(session, script)
        return _answer("anew", script.hint)
    set_up_next(session)
    return _answer("done", script.done)


def set_up_next(session: GameSession) -> None:
    """Set up the lesson after this one."""
    if session.state.lesson is not None:
        _set_up(session, tutorial().script(session.state.lesson + 1))


def _answer(note: str, said: str) -> dict[str, str]:
    """Make the tutor's answer: a note that a template words, and the lesson's text."""
    return {"note": note, "said": said}


def _has_met_refusals(session: GameSession, script: Script, done: Sequence[AnswerItem]) -> bool:
    """Whether the pupil's move came after refused tries, in a list or one by one, or is the solution."""
    made = [each for each in done if each.note == Verdict.MOVED]
    if any(each.tried or script.solution in (each.move, each.order) for each in made):
        return True
    if not any((each.move or each.order).startswith(script.solution[:2]) for each in made):
        return False
    logged = log_rows.load_orders(session.connection, session.seat_states[_PUPIL_SIDE].id, whole=True)
    return any(each.is_refused_try and each.ply == session.state.ply - 1 for each in logged)


def _set_up(session: GameSession, script: Script) -> None:
    """Set up a lesson's position and tell both sides, apart from earlier news."""
    session.seat_states[_PUPIL_SIDE].ghosts = ()
    session.take_news(_TUTOR_SIDE)
    begun = session.umpire.set_up(script.position)
    session.state = session.state.set_up(script.lesson.number, begun.turn, session.now)
    lifecycle.tell_both(session, begun.slips)
