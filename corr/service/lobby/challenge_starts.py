"""Starts the games of accepted challenges and closes expired challenges."""

from __future__ import annotations

import logging
import secrets
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select, update
from sqlalchemy.exc import OperationalError

from corr.service.games import lifecycle, tutorials
from corr.service.games.pairing import Pairing
from corr.service.lobby.challenges import CHALLENGE_COLUMNS, StoredChallenge, tell_challenger
from corr.service.players import house_bots, mailboxes
from corr.service.server import Server
from corr.store.rows import one_or_none_of
from corr.store.tables import ChallengeRow
from corr.words.board import Pair, Side

log = logging.getLogger(__name__)

_IS_UNSTARTED = (ChallengeRow.state == "accepted") & ChallengeRow.game_id.is_(None)
_BATCH = 50
_RANDOM_COLOR = "random"
_WAITING_QUERY = select(ChallengeRow.id).where(_IS_UNSTARTED).order_by(ChallengeRow.id).limit(_BATCH)
HAS_WORK = _WAITING_QUERY.exists()


def start_some(server: Server, now: datetime) -> int:
    """Start the games of accepted challenges, each once, and return how many started."""
    with server.store.asking() as connection:
        ids = connection.execute(_WAITING_QUERY).scalars().all()
    return sum(_start_game(server, challenge_id, now) for challenge_id in ids)


def _start_game(server: Server, challenge_id: int, now: datetime) -> bool:
    """Start one game; a failure must not hold up the others."""
    try:
        with server.store.writing() as connection:
            this = ChallengeRow.id == challenge_id
            held = _ACCEPTED_QUERY.where(this, _IS_UNSTARTED).with_for_update()
            agreed = one_or_none_of(_AcceptedRow, connection.execute(held))
            if agreed is None:
                return False
            pairing = _pairing(connection, agreed, now)
            values = (
                {"game_id": lifecycle.start(connection, pairing, now).id}
                if pairing
                else {"state": "withdrawn"}
            )
            connection.execute(update(ChallengeRow).where(this).values(**values))
            return pairing is not None
    except OperationalError:
        raise
    except Exception:
        log.exception(
            "could not turn a challenge into a game; will try again", extra={"challenge": challenge_id}
        )
        return False


class _AcceptedRow(NamedTuple):
    by_id: int
    to_id: int | None
    variant: str
    clock: str
    color: str
    rated: bool
    kind: str
    whom: str | None


_ACCEPTED_QUERY = select(
    ChallengeRow.by_id,
    ChallengeRow.to_id,
    ChallengeRow.variant,
    ChallengeRow.clock,
    ChallengeRow.color,
    ChallengeRow.rated,
    ChallengeRow.kind,
    ChallengeRow.whom,
)


def _pairing(connection: Connection, agreed: _AcceptedRow, now: datetime) -> Pairing | None:
    """Pair the players; None if one was deleted after both had agreed."""
    if agreed.kind == "tutorial":
        return _pair_with_tutor(connection, agreed.by_id, now)
    if agreed.to_id is None:
        return _pair_with_bot(connection, agreed)
    both = {agreed.by_id, agreed.to_id}
    mailboxes.lock_mailboxes(connection, *mailboxes.load_correspondents(connection, both).values())
    found = mailboxes.load_correspondents(connection, both)
    challenger, taker = found[agreed.by_id].player_id, found[agreed.to_id].player_id
    if challenger is None or taker is None:
        return None
    side = _side(agreed.color)
    players = Pair(challenger, challenger).with_value(side.other, taker)
    return Pairing(players, agreed.variant, agreed.clock, agreed.rated, by_lot=agreed.color == _RANDOM_COLOR)


def _side(color: str) -> Side:
    """Return the challenger's side, drawn at random if the challenger chose none."""
    return secrets.choice(tuple(Side)) if color == _RANDOM_COLOR else Side(color)


def _pair_with_bot(connection: Connection, agreed: _AcceptedRow) -> Pairing | None:
    mailboxes.lock_mailboxes(connection, mailboxes.load_correspondent(connection, agreed.by_id))
    challenger, program = (
        mailboxes.load_correspondent(connection, agreed.by_id).player_id,
        house_bots.find_bot(agreed.whom or ""),
    )
    if challenger is None or program is None:
        return None
    side = _side(agreed.color)
    players = Pair(challenger, challenger).with_value(side.other, house_bots.player_of(connection, program))
    return Pairing(
        players,
        agreed.variant,
        agreed.clock,
        rated=agreed.rated,
        bot_side=side.other,
        by_lot=agreed.color == _RANDOM_COLOR,
    )


def _pair_with_tutor(connection: Connection, by_id: int, now: datetime) -> Pairing | None:
    mailboxes.lock_mailboxes(connection, mailboxes.load_correspondent(connection, by_id))
    pupil = mailboxes.load_correspondent(connection, by_id).player_id
    if pupil is None or tutorials.obstacle(connection, pupil, now):
        return None
    return tutorials.pairing(connection, pupil)


def expire_some(server: Server, now: datetime) -> int:
    """Close unanswered challenges, tell their challengers, and return how many closed."""
    with server.store.asking() as connection:
        due = select(ChallengeRow.id).where(ChallengeRow.expires_at <= now).order_by(ChallengeRow.expires_at)
        ids = connection.execute(due.limit(_BATCH)).scalars().all()
    return sum(_expire(server, challenge_id, now) for challenge_id in ids)


def _expire(server: Server, challenge_id: int, now: datetime) -> bool:
    """Close one challenge; a failure must not hold up the others."""
    try:
        with server.store.writing() as connection:
            due = (ChallengeRow.id == challenge_id) & (ChallengeRow.expires_at <= now)
            late = select(*CHALLENGE_COLUMNS).where(due).with_for_update()
            held = one_or_none_of(StoredChallenge, connection.execute(late))
            if held is None:
                return False
            connection.execute(update(ChallengeRow).where(due).values(state="expired", expires_at=None))
            tell_challenger(connection, held, "expired", now)
            if held.to_id is not None:
                mailboxes.forget_stranger(connection, held.to_id)
            return True
    except OperationalError:
        raise
    except Exception:
        log.exception("could not end a challenge; will try again", extra={"challenge": challenge_id})
        return False
