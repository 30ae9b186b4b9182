"""Keeps passkey challenges: each is good once, at one browser, for one action, and briefly."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select

from corr import limits
from corr.service.house import House
from corr.store.tables import Moment, Question

_OLD = Question.made_at <= bindparam("before", type_=Moment)
_SOME_OLD = select(Question.digest).where(_OLD).limit(1)
_FORGET = delete(Question).where(_OLD)
_USE_UP = (
    delete(Question)
    .where(
        Question.digest == bindparam("asked"),
        Question.browser == bindparam("at"),
        Question.deed == bindparam("wish"),
        Question.made_at > bindparam("since", type_=Moment),
    )
    .returning(Question.digest)
)


def ask(connection: Connection, browser: str, deed: str, now: datetime) -> bytes:
    """Create a challenge for an action at a browser; only its digest is kept."""
    challenge = secrets.token_bytes(32)
    asked = insert(Question).values(digest=_digest(challenge), browser=browser, deed=deed, made_at=now)
    connection.execute(asked)
    return challenge


def use_up(connection: Connection, challenge: bytes, browser: str, deed: str, now: datetime) -> bool:
    """Use up a challenge; return whether it was open for this browser and action."""
    values = {
        "asked": _digest(challenge),
        "at": browser,
        "wish": deed,
        "since": now - limits.PASSKEY_QUESTION_LIFE,
    }
    return connection.execute(_USE_UP, values).scalar_one_or_none() is not None


def forget_some(house: House, now: datetime) -> int:
    """Delete expired challenges; return how many."""
    before = {"before": now - limits.PASSKEY_QUESTION_LIFE}
    with house.store.asking() as connection:
        if connection.execute(_SOME_OLD, before).scalar_one_or_none() is None:
            return 0
    with house.store.writing() as connection:
        return connection.execute(_FORGET, before).rowcount


def _digest(challenge: bytes) -> str:
    return hashlib.sha256(challenge).hexdigest()
