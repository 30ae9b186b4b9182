"""Keeps passkey challenges: each is good once, at one browser, for one action, and briefly."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select

from corr import limits
from corr.service.server import Server
from corr.store.tables import Moment, PasskeyChallengeRow

_IS_OLD = PasskeyChallengeRow.made_at <= bindparam("before", type_=Moment)
_OLD_QUERY = select(PasskeyChallengeRow.digest).where(_IS_OLD).limit(1)
_OLD_DELETE = delete(PasskeyChallengeRow).where(_IS_OLD)
_USED_DELETE = (
    delete(PasskeyChallengeRow)
    .where(
        PasskeyChallengeRow.digest == bindparam("asked"),
        PasskeyChallengeRow.browser == bindparam("at"),
        PasskeyChallengeRow.deed == bindparam("wish"),
        PasskeyChallengeRow.made_at > bindparam("since", type_=Moment),
    )
    .returning(PasskeyChallengeRow.digest)
)


def create_challenge(connection: Connection, browser: str, deed: str, now: datetime) -> bytes:
    """Create a challenge for an action at a browser; only its digest is kept."""
    challenge = secrets.token_bytes(32)
    asked = insert(PasskeyChallengeRow).values(
        digest=_digest(challenge), browser=browser, deed=deed, made_at=now
    )
    connection.execute(asked)
    return challenge


def use_up(connection: Connection, challenge: bytes, browser: str, deed: str, now: datetime) -> bool:
    """Use up a challenge; return whether it was open for this browser and action."""
    values = {
        "asked": _digest(challenge),
        "at": browser,
        "wish": deed,
        "since": now - limits.PASSKEY_CHALLENGE_LIFE,
    }
    return connection.execute(_USED_DELETE, values).scalar_one_or_none() is not None


def delete_expired(server: Server, now: datetime) -> int:
    """Delete expired challenges; return how many."""
    before = {"before": now - limits.PASSKEY_CHALLENGE_LIFE}
    with server.store.asking() as connection:
        if connection.execute(_OLD_QUERY, before).scalar_one_or_none() is None:
            return 0
    with server.store.writing() as connection:
        return connection.execute(_OLD_DELETE, before).rowcount


def _digest(challenge: bytes) -> str:
    return hashlib.sha256(challenge).hexdigest()
