"""Carries out admins' decrees, each once, with the game's row locked."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, select, update
from sqlalchemy.exc import OperationalError

from corr.game import moderation
from corr.game.pause import NO_PAUSE
from corr.service.games import deadlines, standing_orders, umpire_access
from corr.service.games.game_session import Sitting, sit_down
from corr.service.games.moderation import Deed
from corr.service.house import House
from corr.service.ratings import annulment
from corr.store.rows import one_or_none_of, rows_of
from corr.store.tables import Decree
from corr.words.board import Side
from corr.words.slips import Fact, Outcome

log = logging.getLogger(__name__)

_BATCH = 50
_UNDONE = select(Decree.id, Decree.game_id).where(Decree.done_at.is_(None)).order_by(Decree.id).limit(_BATCH)
WAITS = _UNDONE.exists()
_NEVER_BEGUN = "An admin has cancelled this game, and it won't take place."
_ANNULLED = "An admin has taken this game out of the ratings, so it doesn't count for either of you."
_OUTCOMES = {
    "white": Outcome(Side.WHITE, "adjudication"),
    "black": Outcome(Side.BLACK, "adjudication"),
    "draw": Outcome(None, "adjudication"),
    "void": Outcome(None, "void"),
}


class _DecreeOfGame(NamedTuple):
    id: int
    game_id: int


class _UndoneDecree(NamedTuple):
    id: int
    deed: str
    detail: str
    reason: str


def enforce_some(house: House, now: datetime) -> int:
    """Carry out waiting decrees, and return how many were handled."""
    with house.store.asking() as connection:
        waiting = rows_of(_DecreeOfGame, connection.execute(_UNDONE))
    return sum(_enforce(house, each.id, each.game_id, now) for each in waiting)


def _enforce(house: House, decree_id: int, game_id: int, now: datetime) -> bool:
    """Carry out one decree; a failed one is set aside and does not hold up the others."""
    try:
        with house.store.writing() as connection:
            sitting = sit_down(connection, game_id, now)
            decree = _first(connection, game_id)
            if decree is None or decree.id != decree_id:
                return False
            done = _done(sitting, decree)
            _settle(connection, decree_id, now, done)
    except OperationalError:
        raise
    except Exception:
        log.exception("could not carry out an admin action", extra={"decree": decree_id, "game": game_id})
        with house.store.writing() as connection:
            _settle(connection, decree_id, now, _Done("failed"))
    else:
        log.info(
            "carried out an admin action", extra={"decree": decree_id, "game": game_id, "result": done.result}
        )
    return True


def _first(connection: Connection, game_id: int) -> _UndoneDecree | None:
    """Return a game's next decree, in the order in which they were made."""
    waiting = select(Decree.id, Decree.deed, Decree.detail, Decree.reason).where(
        Decree.game_id == game_id, Decree.done_at.is_(None)
    )
    first = waiting.order_by(Decree.number).limit(1)
    return one_or_none_of(_UndoneDecree, connection.execute(first))


class _Done(NamedTuple):
    """A decree's result; if it took effect, its message to both sides and its leaf in the record."""

    result: str
    said: str | None = None
    leaf: int = 0


def _settle(connection: Connection, decree_id: int, now: datetime, done: _Done) -> None:
    this = update(Decree).where(Decree.id == decree_id, Decree.done_at.is_(None))
    connection.execute(this.values(done_at=now, **done._asdict()))


def _done(sitting: Sitting, decree: _UndoneDecree) -> _Done:
    """Carry out a decree unless there is an obstacle."""
    deed = Deed(decree.deed)
    obstacle = _obstacle(sitting, deed, decree.detail)
    if obstacle:
        return _Done(obstacle)
    deadlines.reckon(sitting)
    said = _DEEDS[deed](sitting, decree.detail)
    leaf = sitting.decree(deed, decree.detail, decree.reason, said)
    for side in Side:
        sitting.write(side, "decree", sentence=said, reason=decree.reason)
    sitting.close()
    return _Done("done", said, leaf)


def _obstacle(sitting: Sitting, deed: Deed, detail: str) -> str | None:
    """Return why a decree has no effect, or None."""
    if deed is Deed.ANNUL:
        return None if annulment.stands(sitting.connection, sitting.game_id) else "not_counted"
    if sitting.state.outcome:
        return "over"
    if not sitting.state.under_way:
        return None if detail == "void" else "not_begun"
    if deed is Deed.EXTEND and sitting.state.time.deadline is None:
        return "no_clock"
    if deed is Deed.PAUSE and sitting.state.paused:
        return "paused"
    return "not_paused" if deed is Deed.RESUME and not sitting.state.paused else None


# ---------------------------------------------------------------- the deeds, each with what is told


def _pause(sitting: Sitting, _detail: str) -> str:
    sitting.state = sitting.state.pause_time(sitting.now)
    return _tell(sitting, moderation.PAUSED)


def _resume(sitting: Sitting, _detail: str) -> str:
    standing_orders.go_on(sitting)
    sitting.state = replace(sitting.state.resume(sitting.now), pause=NO_PAUSE)
    return _tell(sitting, moderation.RESUMED)


def _extend(sitting: Sitting, detail: str) -> str:
    sitting.state = sitting.state.extend(timedelta(days=int(detail)), sitting.now)
    return _tell(sitting, moderation.extended(sitting.state.awaited, int(detail)))


def _tell(sitting: Sitting, fact: Fact) -> str:
    for side in Side:
        sitting.tell(side, sitting.say(side, (fact,)))
    return fact.text


def _adjudicate(sitting: Sitting, detail: str) -> str:
    outcome = _OUTCOMES[detail]
    if not sitting.state.under_way:
        sitting.state = sitting.state.end(outcome, sitting.now)
        return _NEVER_BEGUN
    slips = umpire_access.adjudicate(sitting.connection, sitting.game_id, sitting.variant, outcome).slips
    assert slips.white
    assert slips.black
    sitting.state = sitting.state.end(outcome, sitting.now)
    for slip in (slips.white, slips.black):
        sitting.tell(slip.side, slip)
    return slips.white.spoken


def _annul(sitting: Sitting, _detail: str) -> str:
    annulment.annul(sitting.connection, sitting.game_id)
    return _ANNULLED


_DEEDS: dict[Deed, Callable[[Sitting, str], str]] = {
    Deed.PAUSE: _pause,
    Deed.RESUME: _resume,
    Deed.EXTEND: _extend,
    Deed.ADJUDICATE: _adjudicate,
    Deed.ANNUL: _annul,
}
