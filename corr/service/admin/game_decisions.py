"""Carries out admins' decisions (decrees) about games, such as a pause, each exactly once."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, select, update
from sqlalchemy.exc import OperationalError

from corr.game import resign_and_draw
from corr.game.resign_and_draw import NO_PAUSE
from corr.service.games import clock_start, standing_orders
from corr.service.games.game_session import GameSession, open_session
from corr.service.games.moderation import DecreeKind
from corr.service.ratings import annulment
from corr.service.server import Server
from corr.store.rows import columns_of, one_or_none_of, rows_of
from corr.store.tables import DecisionRow
from corr.words.board import Side
from corr.words.slips import Fact, Outcome

log = logging.getLogger(__name__)

_BATCH = 50
_PENDING_QUERY = (
    select(DecisionRow.id, DecisionRow.game_id)
    .where(DecisionRow.done_at.is_(None))
    .order_by(DecisionRow.id)
    .limit(_BATCH)
)
HAS_WORK = _PENDING_QUERY.exists()
_CANCELLED_SENTENCE = "An admin has cancelled this game, so it won't take place."
_ANNULLED_SENTENCE = "An admin has taken this game out of the ratings, so it doesn't count for either of you."
_OUTCOMES = {
    "white": Outcome(Side.WHITE, "adjudication"),
    "black": Outcome(Side.BLACK, "adjudication"),
    "draw": Outcome(None, "adjudication"),
    "void": Outcome(None, "void"),
}


class _DecreeRow(NamedTuple):
    id: int
    deed: str
    detail: str
    reason: str


class _PendingRow(NamedTuple):
    id: int
    game_id: int


def enforce_some(server: Server, now: datetime) -> int:
    """Carry out a batch of waiting decisions; return how many were handled, failed ones included."""
    with server.store.asking() as connection:
        waiting = rows_of(_PendingRow, connection.execute(_PENDING_QUERY))
    return sum(_enforce(server, decree.id, decree.game_id, now) for decree in waiting)


def _enforce(server: Server, decree_id: int, game_id: int, now: datetime) -> bool:
    """Carry out one decision, or mark it as failed; False if another comes first."""
    try:
        with server.store.writing() as connection:
            session = open_session(connection, game_id, now)
            decree = _load_next_decree(connection, game_id)
            if decree is None or decree.id != decree_id:
                return False
            done = _carry_out(session, decree)
            _mark_done(connection, decree_id, now, done)
    except OperationalError:
        raise
    except Exception:
        log.exception("could not carry out an admin action", extra={"decree": decree_id, "game": game_id})
        with server.store.writing() as connection:
            _mark_done(connection, decree_id, now, _DecreeResult("failed"))
    else:
        log.info(
            "carried out an admin action", extra={"decree": decree_id, "game": game_id, "result": done.result}
        )
    return True


def _load_next_decree(connection: Connection, game_id: int) -> _DecreeRow | None:
    """Return the oldest decision about a game that still waits; None if there is none."""
    waiting = select(*columns_of(_DecreeRow, DecisionRow)).where(
        DecisionRow.game_id == game_id, DecisionRow.done_at.is_(None)
    )
    return one_or_none_of(_DecreeRow, connection.execute(waiting.order_by(DecisionRow.number).limit(1)))


class _DecreeResult(NamedTuple):
    """A decision's result; if it took effect, also its message and its turn in the record."""

    result: str
    said: str | None = None
    leaf: int = 0


def _mark_done(connection: Connection, decree_id: int, now: datetime, done: _DecreeResult) -> None:
    this = update(DecisionRow).where(DecisionRow.id == decree_id, DecisionRow.done_at.is_(None))
    connection.execute(this.values(done_at=now, **done._asdict()))


def _carry_out(session: GameSession, decree: _DecreeRow) -> _DecreeResult:
    """Apply a decision to its locked game, email both sides, and return the result."""
    deed = DecreeKind(decree.deed)
    obstacle = _obstacle(session, deed, decree.detail)
    if obstacle:
        return _DecreeResult(obstacle)
    clock_start.account_for_time(session)
    said = _HANDLERS[deed](session, decree.detail)
    leaf = session.record_decision(deed, decree.detail, decree.reason, said)
    for side in Side:
        session.write(side, "decree", sentence=said, reason=decree.reason)
    session.close()
    return _DecreeResult("done", said, leaf)


def _obstacle(session: GameSession, kind: DecreeKind, detail: str) -> str | None:
    """Return why a decision can't take effect, as a result code; None if it can."""
    if kind is DecreeKind.ANNUL:
        return None if annulment.is_rated(session.connection, session.game_id) else "not_counted"
    if session.state.outcome:
        return "over"
    if not session.state.under_way:
        return None if detail == "void" else "not_begun"
    if kind is DecreeKind.EXTEND and session.state.time.deadline is None:
        return "no_clock"
    if kind is DecreeKind.PAUSE and session.state.paused:
        return "paused"
    return "not_paused" if kind is DecreeKind.RESUME and not session.state.paused else None


def _pause(session: GameSession, _detail: str) -> str:
    """Stop the clock, and return the announcement that both sides got."""
    session.state = session.state.stop_clock(session.now)
    return _tell(session, resign_and_draw.PAUSED_BY_ADMIN)


def _resume(session: GameSession, _detail: str) -> str:
    """Start the clock again, and return the announcement that both sides got."""
    standing_orders.resume_delayed(session)
    session.state = replace(session.state.resume(session.now), pause=NO_PAUSE)
    return _tell(session, resign_and_draw.RESUMED_BY_ADMIN)


def _extend(session: GameSession, detail: str) -> str:
    """Add `detail` days to the deadline, and return the announcement that both sides got."""
    session.state = session.state.extend(timedelta(days=int(detail)), session.now)
    return _tell(session, resign_and_draw.extension_fact(session.state.awaited, int(detail)))


def _tell(session: GameSession, fact: Fact) -> str:
    """Give both sides a slip with this fact, and return its sentence."""
    for side in Side:
        session.add_news(side, session.say(side, (fact,)))
    return fact.text


def _adjudicate(session: GameSession, detail: str) -> str:
    """End the game with the admin's result, or cancel one that hasn't begun; return the announcement."""
    outcome = _OUTCOMES[detail]
    if not session.state.under_way:
        session.state = session.state.end(outcome, session.now)
        return _CANCELLED_SENTENCE
    slips = session.umpire.adjudicate(outcome).slips
    assert slips.white
    assert slips.black
    session.state = session.state.end(outcome, session.now)
    for slip in (slips.white, slips.black):
        session.add_news(slip.side, slip)
    return slips.white.spoken


def _annul(session: GameSession, _detail: str) -> str:
    """Take the game out of the ratings, and return the sentence for both sides."""
    annulment.annul(session.connection, session.game_id)
    return _ANNULLED_SENTENCE


_HANDLERS: dict[DecreeKind, Callable[[GameSession, str], str]] = {
    DecreeKind.PAUSE: _pause,
    DecreeKind.RESUME: _resume,
    DecreeKind.EXTEND: _extend,
    DecreeKind.ADJUDICATE: _adjudicate,
    DecreeKind.ANNUL: _annul,
}
