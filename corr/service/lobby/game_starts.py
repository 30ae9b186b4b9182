"""Starts accepted challenges' games, closes expired ones (when: `corr/limits.py`), and proposes games for operators."""

from __future__ import annotations

import logging
import secrets
from datetime import datetime
from email.utils import parseaddr
from typing import NamedTuple

from sqlalchemy import Connection, select, update

from corr.game import clock as clocks
from corr.service import catalogue
from corr.service.games import lifecycle, tutorials
from corr.service.games.game_session import open_session
from corr.service.games.lifecycle import NewGame, Pairing, create_game
from corr.service.lobby.challenges import CHALLENGE_QUERY, StoredChallenge, tell_challenger
from corr.service.players import house_bots, mailboxes, players
from corr.service.server import Server, log_failure
from corr.store.rows import columns_of, one_or_none_of
from corr.store.tables import ChallengeRow
from corr.text.messages import sentence
from corr.words.board import Pair, Side
from corr.words.errors import Refused

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
    """Start an accepted challenge's game, or withdraw it silently; False also after a logged error."""
    failure = "could not turn a challenge into a game; will try again"
    with log_failure(log, failure, challenge=challenge_id), server.store.writing() as connection:
        return start_accepted(connection, challenge_id, now) is not None
    return False


def start_accepted(connection: Connection, challenge_id: int, now: datetime) -> NewGame | None:
    """Start an accepted challenge's game, or withdraw it silently; None also if it has started."""
    this = ChallengeRow.id == challenge_id
    held = _ACCEPTED_QUERY.where(this, _IS_UNSTARTED).with_for_update()
    agreed = one_or_none_of(_AcceptedRow, connection.execute(held))
    if agreed is None:
        return None
    pairing = _pairing(connection, agreed, now)
    begun = lifecycle.start(connection, pairing, now) if pairing else None
    change = {"game_id": begun.id} if begun else {"state": "withdrawn"}
    connection.execute(update(ChallengeRow).where(this).values(**change))
    return begun


class _AcceptedRow(NamedTuple):
    by_id: int
    to_id: int | None
    variant: str
    clock: str
    color: str
    rated: bool
    kind: str
    whom: str | None


_ACCEPTED_QUERY = select(*columns_of(_AcceptedRow, ChallengeRow))


def _pairing(connection: Connection, agreed: _AcceptedRow, now: datetime) -> Pairing | None:
    """Return who plays whom and on what terms; None if no game can start."""
    both = {agreed.by_id, agreed.to_id or agreed.by_id}
    mailboxes.lock_mailboxes(connection, *mailboxes.load_correspondents(connection, both).values())
    found = mailboxes.load_correspondents(connection, both)
    challenger = found[agreed.by_id].player_id
    if challenger is None:
        return None
    if agreed.kind == "tutorial":
        obstacle = tutorials.find_start_obstacle(connection, challenger, now)
        return None if obstacle else tutorials.make_pairing(connection, challenger)
    if agreed.to_id is None:
        program = house_bots.find_bot(agreed.whom or "")
        taker = house_bots.player_of(connection, program) if program else None
    else:
        taker = found[agreed.to_id].player_id
    if taker is None:
        return None
    is_random = agreed.color == _RANDOM_COLOR
    side = secrets.choice(tuple(Side)) if is_random else Side(agreed.color)
    return Pairing(
        Pair(challenger, challenger).with_value(side.other, taker),
        agreed.variant,
        agreed.clock,
        rated=agreed.rated,
        bot_side=side.other if agreed.to_id is None else None,
        by_lot=is_random,
    )


def expire_some(server: Server, now: datetime) -> int:
    """Close unanswered challenges, tell their challengers, and return how many closed."""
    with server.store.asking() as connection:
        due = select(ChallengeRow.id).where(ChallengeRow.expires_at <= now).order_by(ChallengeRow.expires_at)
        ids = connection.execute(due.limit(_BATCH)).scalars().all()
    return sum(_expire(server, challenge_id, now) for challenge_id in ids)


def _expire(server: Server, challenge_id: int, now: datetime) -> bool:
    """Close one expired challenge and tell its challenger; False if another worker did."""
    failure = "could not end a challenge; will try again"
    with log_failure(log, failure, challenge=challenge_id), server.store.writing() as connection:
        due = (ChallengeRow.id == challenge_id) & (ChallengeRow.expires_at <= now)
        late = CHALLENGE_QUERY.where(due).with_for_update()
        held = one_or_none_of(StoredChallenge, connection.execute(late))
        if held is None:
            return False
        connection.execute(update(ChallengeRow).where(due).values(state="expired", expires_at=None))
        tell_challenger(connection, held, "expired", now)
        if held.to_id is not None:
            mailboxes.forget_stranger(connection, held.to_id)
        return True
    return False


def propose(server: Server, addresses: Pair[str], variant: str, clock: str, now: datetime) -> str:
    """Propose a game to two addresses with one email each, and return its code."""
    key = catalogue.card(variant).key
    written = str(clocks.parse_new_clock(clock))
    with server.store.writing() as connection:
        seated = Pair(*(_enrol_address(connection, server, addresses[side], now) for side in Side))
        game = create_game(connection, Pairing(seated, key, written, rated=False), accepted=False)
        session = open_session(connection, game.id, now)
        for side in Side:
            session.write(side, "challenge")
        session.close()
        return game.code


def _enrol_address(connection: Connection, server: Server, text: str, now: datetime) -> int:
    """Return the id of the player at `a@b.c` or `Name <a@b.c>`; a new one gets that name. Refused if invalid."""
    shown, address = parseaddr(text)
    if not text.isprintable():
        address = ""
    try:
        who = mailboxes.find_or_create(connection, mailboxes.plain_address(address, server.domain), now)
    except Refused as refusal:
        raise Refused(sentence("addresses.no_address_with_name", text=text)) from refusal
    return players.enrol_by_email(connection, who, shown, now)
