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
from corr.service.house import House
from corr.service.lobby.challenges import KEPT_CHALLENGE, KeptChallenge, tell_challenger
from corr.service.players import house_bots, mailboxes
from corr.store.rows import one_or_none_of
from corr.store.tables import Challenge
from corr.words.board import Pair, Side

log = logging.getLogger(__name__)

_TAKEN = (Challenge.state == "accepted") & Challenge.game_id.is_(None)
_BATCH = 50
_BY_LOT = "random"
_TO_BEGIN = select(Challenge.id).where(_TAKEN).order_by(Challenge.id).limit(_BATCH)
WAITS = _TO_BEGIN.exists()


def begin_some(house: House, now: datetime) -> int:
    """Start the games of accepted challenges, each once, and return how many started."""
    with house.store.asking() as connection:
        ids = connection.execute(_TO_BEGIN).scalars().all()
    return sum(_begin(house, challenge_id, now) for challenge_id in ids)


def _begin(house: House, challenge_id: int, now: datetime) -> bool:
    """Start one game; a failure must not hold up the others."""
    try:
        with house.store.writing() as connection:
            this = Challenge.id == challenge_id
            held = _AGREED.where(this, _TAKEN).with_for_update()
            agreed = one_or_none_of(_Agreed, connection.execute(held))
            if agreed is None:
                return False
            pairing = _pairing(connection, agreed, now)
            values = (
                {"game_id": lifecycle.start(connection, pairing, now).id}
                if pairing
                else {"state": "withdrawn"}
            )
            connection.execute(update(Challenge).where(this).values(**values))
            return pairing is not None
    except OperationalError:
        raise
    except Exception:
        log.exception(
            "could not turn a challenge into a game; will try again", extra={"challenge": challenge_id}
        )
        return False


class _Agreed(NamedTuple):
    by_id: int
    to_id: int | None
    variant: str
    clock: str
    color: str
    rated: bool
    kind: str
    whom: str | None


_AGREED = select(
    Challenge.by_id,
    Challenge.to_id,
    Challenge.variant,
    Challenge.clock,
    Challenge.color,
    Challenge.rated,
    Challenge.kind,
    Challenge.whom,
)


def _pairing(connection: Connection, agreed: _Agreed, now: datetime) -> Pairing | None:
    """Pair the players; None if one was deleted after both had agreed."""
    if agreed.kind == "tutorial":
        return _with_the_tutor(connection, agreed.by_id, now)
    if agreed.to_id is None:
        return _with_a_program(connection, agreed)
    both = {agreed.by_id, agreed.to_id}
    mailboxes.hold(connection, *mailboxes.correspondents(connection, both).values())
    found = mailboxes.correspondents(connection, both)
    challenger, taker = found[agreed.by_id].player_id, found[agreed.to_id].player_id
    if challenger is None or taker is None:
        return None
    side = _side(agreed.color)
    players = Pair(challenger, challenger).but(side.other, taker)
    return Pairing(players, agreed.variant, agreed.clock, agreed.rated, by_lot=agreed.color == _BY_LOT)


def _side(color: str) -> Side:
    """Return the challenger's side, drawn at random if the challenger chose none."""
    return secrets.choice(tuple(Side)) if color == _BY_LOT else Side(color)


def _with_a_program(connection: Connection, agreed: _Agreed) -> Pairing | None:
    mailboxes.hold(connection, mailboxes.correspondent(connection, agreed.by_id))
    challenger, program = (
        mailboxes.correspondent(connection, agreed.by_id).player_id,
        house_bots.named(agreed.whom or ""),
    )
    if challenger is None or program is None:
        return None
    side = _side(agreed.color)
    players = Pair(challenger, challenger).but(side.other, house_bots.player_of(connection, program))
    return Pairing(
        players,
        agreed.variant,
        agreed.clock,
        rated=agreed.rated,
        house=side.other,
        by_lot=agreed.color == _BY_LOT,
    )


def _with_the_tutor(connection: Connection, by_id: int, now: datetime) -> Pairing | None:
    mailboxes.hold(connection, mailboxes.correspondent(connection, by_id))
    pupil = mailboxes.correspondent(connection, by_id).player_id
    if pupil is None or tutorials.obstacle(connection, pupil, now):
        return None
    return tutorials.pairing(connection, pupil)


def expire_some(house: House, now: datetime) -> int:
    """Close unanswered challenges, tell their challengers, and return how many closed."""
    with house.store.asking() as connection:
        due = select(Challenge.id).where(Challenge.expires_at <= now).order_by(Challenge.expires_at)
        ids = connection.execute(due.limit(_BATCH)).scalars().all()
    return sum(_expire(house, challenge_id, now) for challenge_id in ids)


def _expire(house: House, challenge_id: int, now: datetime) -> bool:
    """Close one challenge; a failure must not hold up the others."""
    try:
        with house.store.writing() as connection:
            due = (Challenge.id == challenge_id) & (Challenge.expires_at <= now)
            late = select(*KEPT_CHALLENGE).where(due).with_for_update()
            held = one_or_none_of(KeptChallenge, connection.execute(late))
            if held is None:
                return False
            connection.execute(update(Challenge).where(due).values(state="expired", expires_at=None))
            tell_challenger(connection, held, "expired", now)
            if held.to_id is not None:
                mailboxes.forget_stranger(connection, held.to_id)
            return True
    except OperationalError:
        raise
    except Exception:
        log.exception("could not end a challenge; will try again", extra={"challenge": challenge_id})
        return False
